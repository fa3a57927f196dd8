"""A report on a card set: its faults, its edges, how well its cards fill gaps, and all its cards on one sheet.

>>> from ludotheque.games.pays_noir.document import built_in_document
>>> print(str(card_report(built_in_document())).splitlines()[0])
Pays noir: 73 cards in 54 pictures, without faults.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from html import escape
from itertools import product
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from ludotheque.core.scene import art
from ludotheque.games.pays_noir.card_art import CARD_SIDE, card_picture
from ludotheque.games.pays_noir.cards import EDGE_KINDS, Card, CardSet
from ludotheque.games.pays_noir.document import Fault, faults, read_cards
from ludotheque.games.pays_noir.observation import edge_signs

_ANY: Final = ""
"""A side of a gap where no card lies."""
_SIGN: Final = {"country": ".", "rail": "=", "town": "T", _ANY: "?"}
_NEIGHBOURS: Final = {
    "one neighbour": (0,),
    "two neighbours at a corner": (0, 1),
    "two neighbours face to face": (0, 2),
    "three neighbours": (0, 1, 2),
    "four neighbours": (0, 1, 2, 3),
}


class Gap(Struct, frozen=True):
    """An empty place as its neighbours see it."""

    edges: str
    """Edges that its sides N, E, S, W must show: `.` country, `=` rail, `T` town, `?` anything."""
    cards: int
    """Number of cards to draw that fit it, in some turn."""


class CardReport(Struct, frozen=True):
    """The faults and the statistics of a card file."""

    title: str
    faults: tuple[Fault, ...]
    total: int = 0
    pictures: int = 0
    edges: dict[str, int] = {}
    """Number of edges of the cards to draw that show country, rail and town."""
    contents: dict[str, int] = {}
    """Number of quarters, stations, sites and so on of the cards to draw."""
    gaps: dict[str, tuple[Gap, ...]] = {}
    """Every different gap, with the number of cards that fill it, by the neighbours of a gap."""

    def __str__(self) -> str:
        return "\n".join(_lines(self))


def card_report(document: Mapping[str, Any]) -> CardReport:
    """Check a card file and count what its cards show."""
    found = tuple(faults(document))
    if found:
        return CardReport(str(document.get("title", "The card file")), found)
    card_set = read_cards(document)
    drawn = [card for card in card_set.cards if not card.start]
    edges = Counter(dict.fromkeys(EDGE_KINDS, 0))
    contents: Counter[str] = Counter()
    for card in drawn:
        for kind in card.edges:
            edges[kind] += card.copies
        for thing, count in _contents(card).items():
            contents[thing] += count * card.copies
    gaps = {name: tuple(_gaps(drawn, sides)) for name, sides in _NEIGHBOURS.items()}
    return CardReport(
        card_set.title, (), card_set.total, len(card_set.cards), dict(edges), dict(sorted(contents.items())), gaps
    )


def _contents(card: Card) -> Counter[str]:
    contents = Counter(f"{quarter.kind} quarters" for quarter in card.quarters)
    contents.update("stations in towns" for quarter in card.quarters if quarter.station)
    contents.update("urbanism symbols" for quarter in card.quarters if quarter.urbanism)
    contents.update({"mine": "mines", "factory": "factories", "port": "ports"}[site.kind] for site in card.sites)
    contents.update("stations in the country" for _ in card.stations)
    contents.update("tracks" for _ in card.tracks)
    contents.update("country patches" for _ in card.patches)
    return contents


# Gaps.


def _gaps(cards: list[Card], sides: tuple[int, ...]) -> Iterator[Gap]:
    """Every gap with neighbours on these sides, of those that are the same when turned only one."""
    seen: set[tuple[str, ...]] = set()
    for kinds in product(EDGE_KINDS, repeat=len(sides)):
        edges = [_ANY] * 4
        for side, kind in zip(sides, kinds, strict=True):
            edges[side] = kind
        turns = [tuple(edges[turn:] + edges[:turn]) for turn in range(4)]
        if not seen & set(turns):
            seen.add(turns[0])
            fitting = sum(card.copies for card in cards if _fits(card, edges))
            yield Gap("".join(_SIGN[edge] for edge in edges), fitting)


def _fits(card: Card, edges: list[str]) -> bool:
    return any(all(edges[side] in (_ANY, card.edges[(side - turn) % 4]) for side in range(4)) for turn in range(4))


# The report in words.


def _lines(report: CardReport) -> Iterator[str]:
    if report.faults:
        yield f"{report.title}: {len(report.faults)} faults."
        yield from (f"- {fault}" for fault in report.faults)
        return
    yield f"{report.title}: {report.total} cards in {report.pictures} pictures, without faults."
    total = sum(report.edges.values())
    yield "Edges of the cards to draw: " + ", ".join(
        f"{kind} {count} ({100 * count / total:.0f}%)" for kind, count in report.edges.items()
    )
    yield "On them: " + ", ".join(f"{count} {thing}" for thing, count in report.contents.items())
    yield "How many of the cards to draw fill a gap (. country, = rail, T town, ? no neighbour; N E S W):"
    for name, gaps in report.gaps.items():
        yield from _gap_lines(name, gaps, report.total - 1)


def _gap_lines(name: str, gaps: tuple[Gap, ...], cards: int) -> Iterator[str]:
    counts = [gap.cards for gap in gaps]
    share = 100 * sum(counts) / (len(gaps) * cards)
    yield f"- {name}: {share:.0f}% on average of {len(gaps)} gaps, from {min(counts)} to {max(counts)} cards"
    never = [gap.edges for gap in gaps if gap.cards == 0]
    if never:
        yield f"  filled by no card: {' '.join(never)}"
    else:
        hardest = sorted(gaps, key=lambda gap: gap.cards)[:4]
        yield "  hardest: " + ", ".join(f"{gap.edges} ({gap.cards})" for gap in hardest)


# All cards on one sheet.

_COLUMNS: Final = 9
_STEP: Final = CARD_SIDE + 40
_ROW: Final = CARD_SIDE + 48
_MARGIN: Final = 20
_STYLES: Final = """<style>
  .pn-sheet { fill: #e6dfcd; } .pn-name { font: 11px system-ui, sans-serif; fill: #4a463d; }
  @media (prefers-color-scheme: dark) { .pn-sheet { fill: #26241f; } .pn-name { fill: #d8d2c4; } }
</style>"""


def contact_sheet(card_set: CardSet) -> str:
    """All pictures of a card set with their ids, numbers and edges, as an SVG document."""
    rows = -(-len(card_set.cards) // _COLUMNS)
    width, height = 2 * _MARGIN + _COLUMNS * _STEP, 2 * _MARGIN + rows * _ROW
    title = escape(f"{card_set.title}: {card_set.total} cards")
    drawn = art(Path(__file__).with_name("art.svg"))
    cells = "".join(_cell(card, number) for number, card in enumerate(card_set.cards))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" aria-label="{title}">\n<title>{title}</title>\n{drawn}{_STYLES}\n'
        f'<rect class="pn-sheet" width="{width}" height="{height}"/>\n{cells}</svg>\n'
    )


def _cell(card: Card, number: int) -> str:
    row, column = divmod(number, _COLUMNS)
    x, y = _MARGIN + CARD_SIDE // 2 + column * _STEP, _MARGIN + CARD_SIDE // 2 + row * _ROW
    copies = "start" if card.start else f"{card.copies} of it" if card.copies > 1 else "one"
    name = card.id if len(card.id) <= 22 else card.id[:21] + "…"
    return (
        f'<g transform="translate({x} {y})"><title>{escape(card.id)}: {escape(card.name)}</title>{card_picture(card)}'
        f'<g class="pn-name"><text x="-50" y="64">{escape(name)}</text>'
        f'<text x="-50" y="79">{edge_signs(card.edges)} {copies}</text></g></g>\n'
    )
