"""Sources of points and money: the amounts that an action earned or cost each seat, by source."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Final, Literal

from msgspec import Struct

from ludotheque.core.phrases import Phrase

Counts = Literal["now", "end", "secret"]
"""When an amount counts: from now on; only at the end, if the position stays as it is; the same, and not known to all
before the end."""
EVER: Final[tuple[Counts, ...]] = ("now", "end", "secret")
AT_ONCE: Final[tuple[Counts, ...]] = ("now",)


class Earning(Struct, frozen=True, omit_defaults=True):
    """The amounts that seats got from one source; negative if they paid or lost."""

    seat: int
    source: Phrase
    """A short name: "Lines", "Dividends of PRR"."""
    amount: int
    counts: Counts = "now"
    """An amount that counts at the end is taken back in the action that makes it count now."""


class Source(Struct, frozen=True):
    """The total of each seat from one source."""

    name: Phrase
    amounts: tuple[int, ...]
    """Amounts by seat."""


def sources(earnings: Iterable[Earning], players: int) -> tuple[Source, ...]:
    """Add up earnings by source, in order of first appearance; sources that add up to nothing are left out."""
    names: dict[str, Phrase] = {}
    amounts: dict[str, list[int]] = {}
    for earning in earnings:
        key = str(earning.source)
        names.setdefault(key, earning.source)
        amounts.setdefault(key, [0] * players)[earning.seat] += earning.amount
    return tuple(Source(names[key], tuple(of_seats)) for key, of_seats in amounts.items() if any(of_seats))


def totals(earnings: Iterable[Earning], players: int, counts: Collection[Counts] = EVER) -> list[int]:
    """Add up earnings by seat: those that count at the given times."""
    added = [0] * players
    for earning in earnings:
        if earning.counts in counts:
            added[earning.seat] += earning.amount
    return added


def differences(source: Phrase, before: Sequence[int], after: Sequence[int], counts: Counts = "now") -> list[Earning]:
    """Earnings from one source: how each seat's amount changed."""
    pairs = enumerate(zip(before, after, strict=True))
    return [Earning(seat, source, now - was, counts) for seat, (was, now) in pairs if now != was]
