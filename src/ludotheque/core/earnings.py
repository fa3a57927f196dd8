"""Where points and money come from: what every action earned or cost a seat, by source."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from ludotheque.core.phrases import Phrase


class Earning(Struct, frozen=True):
    """What a seat got from one source; less than nothing if it paid or lost it."""

    seat: int
    source: Phrase
    """What it was for, in a word or two: "Lines", "Dividends of PRR"."""
    amount: int


class Source(Struct, frozen=True):
    """All that came from one source."""

    name: Phrase
    amounts: tuple[int, ...]
    """By seat."""


def sources(earnings: Iterable[Earning], players: int) -> tuple[Source, ...]:
    """Earnings added up by source, in the order in which they first came; what came to nothing is left out."""
    names: dict[str, Phrase] = {}
    amounts: dict[str, list[int]] = {}
    for earning in earnings:
        key = str(earning.source)
        names.setdefault(key, earning.source)
        amounts.setdefault(key, [0] * players)[earning.seat] += earning.amount
    return tuple(Source(names[key], tuple(of_seats)) for key, of_seats in amounts.items() if any(of_seats))


def differences(source: Phrase, before: Sequence[int], after: Sequence[int]) -> list[Earning]:
    """What changed, seat by seat, in what the seats have from one source."""
    pairs = enumerate(zip(before, after, strict=True))
    return [Earning(seat, source, now - was) for seat, (was, now) in pairs if now != was]
