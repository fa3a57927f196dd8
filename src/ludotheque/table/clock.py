"""Clocks: how much time each seat has left. Times come from the caller, in seconds since 1970, so that they can be
stored and outlive a restart."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct, structs

LEAST_AFTER_RETURN: Final = 60.0
"""Fewest seconds for a player who comes back to a seat that a bot played for."""


class ClockRule(Struct, frozen=True, forbid_unknown_fields=True):
    """The time that the players have."""

    kind: Literal["move", "game", "days"]
    """For each move, for the whole game, or days for each move."""
    seconds: Annotated[float, Meta(ge=5, le=30 * 86_400)]
    increment: Annotated[float, Meta(ge=0, le=3600)] = 0.0
    """In a game with a time for all moves: what each move adds."""

    @property
    def renews(self) -> bool:
        """Whether each move has a separate time."""
        return self.kind != "game"


class Clock(Struct, frozen=True):
    """The time that each seat had left when the turn last passed on, or the clock stopped."""

    left: tuple[float, ...]
    seat: int
    """The seat whose time runs; negative if no time runs."""
    since: float


def start_clock(rule: ClockRule, players: int, seat: int, at: float) -> Clock:
    """The clock of a new game, whose first move is a seat's."""
    return Clock((rule.seconds,) * players, seat, at)


def time_left(clock: Clock, seat: int, at: float, seated_at: float | None) -> float:
    """Seconds that a seat has left, not below 0. Time passes only while all are seated: since `seated_at`."""
    if seat != clock.seat or seated_at is None:
        return clock.left[seat]
    return max(0.0, clock.left[seat] - max(0.0, at - max(clock.since, seated_at)))


def pass_turn(rule: ClockRule, clock: Clock, seat: int, at: float, seated_at: float | None) -> Clock:
    """The clock after a move, when a seat is to act next. A turn of several moves has one time."""
    if seat == clock.seat:
        return clock
    left = [*clock.left]
    if clock.seat >= 0:
        rest = time_left(clock, clock.seat, at, seated_at)
        left[clock.seat] = rule.seconds if rule.renews else rest + rule.increment
    return Clock(tuple(left), seat, at)


def stop_clock(clock: Clock, at: float, seated_at: float | None) -> Clock:
    """The clock when a seat becomes free: the time that the present turn has taken stays taken."""
    if clock.seat < 0:
        return clock
    rest = time_left(clock, clock.seat, at, seated_at)
    left = [rest if number == clock.seat else old for number, old in enumerate(clock.left)]
    return Clock(tuple(left), clock.seat, at)


def end_clock(clock: Clock, at: float, seated_at: float | None) -> Clock:
    """The clock once a game has ended before its last move: no time runs any more."""
    return structs.replace(stop_clock(clock, at, seated_at), seat=-1)


def change_player(rule: ClockRule, clock: Clock, seat: int, at: float, seated_at: float | None) -> Clock:
    """Return the clock when someone else plays on for a seat: new time for this move, or the rest of the game's."""
    rest = rule.seconds if rule.renews else max(LEAST_AFTER_RETURN, time_left(clock, seat, at, seated_at))
    left = [rest if number == seat else old for number, old in enumerate(clock.left)]
    return Clock(tuple(left), clock.seat, at if seat == clock.seat else clock.since)
