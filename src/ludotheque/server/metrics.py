"""Figures for Prometheus: moves, sockets, tables, the search queue, latencies, errors and the state of the listener."""

from __future__ import annotations

from typing import Any, Final

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Gauge, Histogram, generate_latest

_SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)


class Metrics:
    """The figures of one server process."""

    content_type: str = CONTENT_TYPE_LATEST

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter("ludotheque_requests", "Requests, by status.", ["status"], registry=self._registry)
        self._request_seconds = Histogram(
            "ludotheque_request_seconds", "Time to answer a request.", buckets=_SECONDS, registry=self._registry
        )
        self._move_seconds = Histogram(
            "ludotheque_move_seconds",
            "Time until a move is on disk and published.",
            buckets=_SECONDS,
            registry=self._registry,
        )
        self._moves = Counter("ludotheque_moves", "Moves of people and bots.", registry=self._registry)

    def watch(self, name: str, meaning: str, value: Any) -> None:
        """Report what a function returns."""
        Gauge(f"ludotheque_{name}", meaning, registry=self._registry).set_function(value)

    def count_move(self, seconds: float) -> None:
        self._moves.inc()
        self._move_seconds.observe(seconds)

    def count_request(self, status: int, seconds: float) -> None:
        self._requests.labels(str(status)).inc()
        self._request_seconds.observe(seconds)

    def text(self) -> bytes:
        return generate_latest(self._registry)
