"""Where points and money come from: what every action earned or cost a seat, by source."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from ludotheque.core.phrases import Phrase


class Earning(Struct, frozen=True):
    """What a seat got from one source; negative if it paid or lost."""

    seat: int
    source: Phrase
    """A short name: "Lines", "Dividends of PRR"."""
    amount: int


class Source(Struct, frozen=True):
    """The total of each seat from one source."""

    name: Phrase
    amounts: tuple[int, ...]
    """By seat."""


def sources(earnings: Iterable[Earning], players: int) -> tuple[Source, ...]:
    """Add up earnings by source, in order of first appearance; sources that add up to nothing are left out."""
    names: dict[str, Phrase] = {}
    amounts: dict[str, list[int]] = {}
    for earning in earnings:
        key = str(earning.source)
        names.setdefault(key, earning.source)
        amounts.setdefault(key, [0] * players)[earning.seat] += earning.amount
    return tuple(Source(names[key], tuple(of_seats)) for key, of_seats in amounts.items() if any(of_seats))


def differences(source: Phrase, before: Sequence[int], after: Sequence[int]) -> list[Earning]:
    """Earnings from one source: how each seat's amount changed."""
    pairs = enumerate(zip(before, after, strict=True))
    return [Earning(seat, source, now - was) for seat, (was, now) in pairs if now != was]
