"""A card set of Pays noir as tables, computed once. Compiled.

A *type* is one picture, a *turned type* is `4 * type + turn` in clockwise quarter turns. A card is made of parts: its
spots for a member (quarters, tracks, sites, country patches), then its rail nets. A net is what hangs together by rail
on the card: tracks, country stations, mines, factories, ports.

Actions are numbered by the deck, so that their range depends on the cards alone:

    0 ...              the card of this type, to be placed
    first_discard ...  the card of this type, to be discarded
    first_turn ...     the four turns
    first_member ...   no member; then a member on spot 0, 1, ... of the card just laid
    first_place ...    the places (`board` tells how they are numbered)
"""

from __future__ import annotations

from itertools import permutations, product
from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i16, i64, u8

from ludotheque.core.bits import BIT
from ludotheque.games.pays_noir.cards import BOURGEOIS, CORONS, EDGE_KINDS, RAIL, Card, CardSet

# Kinds of parts.

QUARTER: Final = 0
TRACK: Final = 1
MINE: Final = 2
FACTORY: Final = 3
PORT: Final = 4
PATCH: Final = 5
NET: Final = 6

_KIND_OF_NAME: Final = {
    "quarter": QUARTER,
    "track": TRACK,
    "mine": MINE,
    "factory": FACTORY,
    "port": PORT,
    "country": PATCH,
}

# Edges of a card, as the codes of gaps have them: 2 bits for each side, N lowest.

NO_CARD_YET: Final = 0
COUNTRY_EDGE: Final = 1
RAIL_EDGE: Final = 2
TOWN_EDGE: Final = 3
GAPS: Final = 256
"""A gap is an empty place as its neighbours see it."""

# A face is one side of a turned card: eight bytes at `8 * (4 * turned + side)`.

FACE: Final = 8
SHOWN: Final = 0
"""The kind of edge."""
FEATURE: Final = 1
"""The part at the edge: a quarter, a track, or the patch of a country edge."""
RAIL_NET: Final = 2
"""At a rail edge: the net, and the patches on the first and the second half, clockwise."""
FIRST_PATCH: Final = 3
SECOND_PATCH: Final = 4

# Contents of a card, for the factories beside it.

HOLDS_TOWN: Final = 1
HOLDS_MINE: Final = 2

# The record of a set of parts that have grown together. Every field adds up when two sets join.
#
#   bits  0-19  members on it, 4 bits for each family     (networks: 0-9 links to quarters, 10-19 members on its sites)
#   bits 20-31  open ends
#   bits 32-41  quarters of a town                        (networks: mines)
#   bits 42-51  stations of a town                        (networks: factories)
#   bits 52-61                                            (networks: ports)

MEMBERS: Final = 0xFFFFF
LINKS: Final = 1023
CLAIM: Final = 1024
"""A member on one of a network's sites."""
OPEN_ENDS: Final = 0xFFF00000
JOINT: Final = 0x200000
"""Two open ends."""
COUNT: Final = 1023
CLAIMS_FROM: Final = 10
QUARTERS_FROM: Final = 32
STATIONS_FROM: Final = 42
MINES_FROM: Final = 32
FACTORIES_FROM: Final = 42
PORTS_FROM: Final = 52

_OPEN_END: Final = 2**20


@final
class Deck:
    """The tables of one card set."""

    cards: tuple[Card, ...]
    card_set: CardSet
    types: i64
    total: i64
    """All cards, the start card included."""
    hand: i64
    members: i64
    start: i64
    """The type of the start card."""

    places: i64
    row: i64
    steps: vec[i64]
    """Numbers to add to a place, modulo `places`, for the place beyond a side, by side."""

    first_discard: i64
    first_turn: i64
    first_member: i64
    first_place: i64
    actions: i64
    most_spots: i64

    copies: vec[u8]
    """Number of cards to draw, by type; 0 for the start card."""
    turns: vec[u8]
    """Number of turns that look different, by type; larger turns are the same as one of these."""
    fits: vec[u8]
    """Turns in which a card fits, as bits, by type and gap (`256 * type + gap`)."""
    faces: vec[u8]
    holds: vec[u8]
    """Contents by type."""

    nodes: i64
    """The parts of all cards together."""
    most_parts: i64
    """The parts of the card that has most."""
    first_part: vec[i16]
    """First part of a card in the tables by part, by type; one more at the end."""
    spots: vec[u8]
    """Number of parts that are spots, by type."""
    kinds: vec[u8]
    """Kinds by part; so are all tables that follow."""
    records: vec[i64]
    """The record of the part alone."""
    net_of: vec[u8]
    """The net of a track or site, as a part of the card."""
    first_related: vec[i16]
    """Its first part in `related`; one more at the end."""
    related: vec[u8]
    """Parts of the same card: what a patch touches; of a net, its sites and the quarters it ends in."""
    plain_values: vec[u8]
    """Points for a quarter."""
    graded_values: vec[u8]
    """Points for it in the variant `quarters`."""
    symbols: vec[u8]
    """Whether it carries an urbanism symbol."""

    def __init__(self, card_set: CardSet) -> None:
        self.card_set = card_set
        self.cards = card_set.cards
        self.types = len(self.cards)
        self.total = card_set.total
        self.hand = card_set.hand
        self.members = card_set.members
        self.start = [card.start for card in self.cards].index(True)
        self._lay_out_places()
        self._number_actions()
        self._tabulate_cards()
        self._tabulate_parts()

    def _lay_out_places(self) -> None:
        radius = (self.total + 2) // 2
        self.row = 2 * radius + 1
        self.places = 2 * radius * radius + 2 * radius + 1
        self.steps = vec[i64]([self.row, 1, self.places - self.row, self.places - 1])

    def _number_actions(self) -> None:
        self.most_spots = max([len(card.spots) for card in self.cards])
        self.first_discard = self.types
        self.first_turn = 2 * self.types
        self.first_member = self.first_turn + 4
        self.first_place = self.first_member + 1 + self.most_spots
        self.actions = self.first_place + self.places

    def _tabulate_cards(self) -> None:
        self.copies = vec[u8]([u8(0 if card.start else card.copies) for card in self.cards])
        turns = [_different_turns(card) for card in self.cards]
        self.turns = vec[u8]([u8(count) for count in turns])
        fits: list[int] = []
        for card, count in zip(self.cards, turns, strict=True):
            fits += _fitting_turns(card, count)
        self.fits = vec[u8]([u8(mask) for mask in fits])
        faces: list[int] = []
        for card in self.cards:
            for turn in range(4):
                for side in range(4):
                    faces += _face(card, (side - turn) % 4)
        self.faces = vec[u8]([u8(number) for number in faces])
        self.holds = vec[u8]([u8(_holds(card)) for card in self.cards])

    def _tabulate_parts(self) -> None:
        first_part: list[int] = [0]
        kinds: list[int] = []
        records: list[int] = []
        net_of: list[int] = []
        first_related: list[int] = [0]
        related: list[int] = []
        for card in self.cards:
            nets = card.nets()
            names = list(card.spots)
            for name in names:
                kinds.append(_KIND_OF_NAME[name.partition(":")[0]])
                records.append(_spot_record(card, name))
                net_of.append(_net_with(card, name))
                related += _touched(card, name)
                first_related.append(len(related))
            for net in nets:
                kinds.append(NET)
                records.append(_net_record(card, net))
                net_of.append(0)
                related += [names.index(name) for name in [*_linked_quarters(card, net), *_sites_of(card, net)]]
                first_related.append(len(related))
            first_part.append(len(kinds))
        self.first_part = vec[i16]([i16(part) for part in first_part])
        self.spots = vec[u8]([u8(len(card.spots)) for card in self.cards])
        self.kinds = vec[u8]([u8(kind) for kind in kinds])
        self.records = vec[i64]([i64(record) for record in records])
        self.net_of = vec[u8]([u8(net) for net in net_of])
        self.first_related = vec[i16]([i16(first) for first in first_related])
        self.related = vec[u8]([u8(part) for part in related])
        parts = [len(card.spots) + len(card.nets()) for card in self.cards]
        self.nodes = sum([card.copies * count for card, count in zip(self.cards, parts, strict=True)])
        self.most_parts = max(parts)
        self._tabulate_quarters()

    def _tabulate_quarters(self) -> None:
        plain: list[int] = []
        graded: list[int] = []
        symbols: list[int] = []
        for card in self.cards:
            others = [0] * (len(card.spots) + len(card.nets()) - len(card.quarters))
            plain += [1 for _ in card.quarters] + others
            graded += [_grade(quarter.kind) for quarter in card.quarters] + others
            symbols += [1 if quarter.urbanism else 0 for quarter in card.quarters] + others
        self.plain_values = vec[u8]([u8(value) for value in plain])
        self.graded_values = vec[u8]([u8(value) for value in graded])
        self.symbols = vec[u8]([u8(symbol) for symbol in symbols])

    def place_at(self, x: int, y: int) -> int:
        """The number of a place."""
        return int((x + int(self.row) * y) % int(self.places))


# Cards turned and fitted.


def _edge_code(kind: str) -> int:
    return EDGE_KINDS.index(kind) + COUNTRY_EDGE


def _fitting_turns(card: Card, turns: int) -> list[int]:
    """Return the turns in which the card fits, as bits, by gap."""
    edges = [_edge_code(kind) for kind in card.edges]
    fitting: list[int] = []
    for gap in range(GAPS):
        mask = 0
        for turn in range(turns):
            fits = [(gap >> 2 * side) & 3 in (NO_CARD_YET, edges[(side - turn) % 4]) for side in range(4)]
            if False not in fits:
                mask += 2**turn
        fitting.append(mask)
    return fitting


def _different_turns(card: Card) -> int:
    """Return the number of turns that look different: 1, 2 or 4."""
    for turns in (1, 2):
        if _looks_the_same(card, turns):
            return turns
    return 4


def _looks_the_same(card: Card, turn: int) -> bool:
    """Whether the card, turned, is the same card again, but for the numbers of its tracks, stations and sites."""
    same = _picture(card, 0, {})
    kinds: dict[str, list[str]] = {}
    for name in [*card.site_names, *[f"station:{i}" for i in range(len(card.stations))]]:
        kinds.setdefault(name.partition(":")[0], []).append(name)
    for renamed in product(*[permutations(names) for names in kinds.values()]):
        names: dict[str, str] = {}
        for before, after in zip(kinds.values(), renamed, strict=True):
            names.update(zip(before, after, strict=True))
        if _picture(card, turn, names) == same:
            return True
    return False


def _picture(card: Card, turn: int, names: dict[str, str]) -> list[str]:
    """All that the rules see of a turned card, quarters and patches identified by the edges they reach."""

    def sides(unturned: tuple[int, ...]) -> str:
        return "".join([str(side) for side in sorted([(side + turn) % 4 for side in unturned])])

    def halves(unturned: tuple[int, ...]) -> str:
        return "".join([str(half) for half in sorted([(half + 2 * turn) % 8 for half in unturned])])

    def described(end: int | str) -> str:
        if isinstance(end, int):
            return sides((end,))
        if end.startswith("quarter"):
            return "quarter " + sides(card.quarters[int(end.partition(":")[2])].sides)
        return names.get(end, end)

    quarters = [f"{described(f'quarter:{i}')} {q.kind} {q.station} {q.urbanism}" for i, q in enumerate(card.quarters)]
    tracks = ["track " + " ".join(sorted([described(end) for end in track.ends])) for track in card.tracks]
    patches = [
        f"patch {halves(p.halves)} " + " ".join(sorted([described(name) for name in p.touches])) for p in card.patches
    ]
    return sorted([*quarters, *tracks, *patches])


def _face(card: Card, side: int) -> list[int]:
    """The eight bytes for a side of a card that is not turned."""
    names = list(card.spots)
    patches = [_patch_at(card, 2 * side), _patch_at(card, 2 * side + 1)]
    face = [_edge_code(card.edges[side]), patches[0], 0, patches[0], patches[1], 0, 0, 0]
    for i, quarter in enumerate(card.quarters):
        if side in quarter.sides:
            face[FEATURE] = names.index(f"quarter:{i}")
    for i, track in enumerate(card.tracks):
        if side in track.ends:
            face[FEATURE] = names.index(f"track:{i}")
            face[RAIL_NET] = _net_with(card, f"track:{i}")
    return face


def _patch_at(card: Card, half: int) -> int:
    """The patch, as a part, at a half edge; 0 where there is none."""
    for i, patch in enumerate(card.patches):
        if half in patch.halves:
            return card.spots.index(f"country:{i}")
    return 0


def _holds(card: Card) -> int:
    kinds = [site.kind for site in card.sites]
    town = HOLDS_TOWN if card.quarters else 0
    mine = HOLDS_MINE if "mine" in kinds else 0
    return town + mine


# Parts of cards.


def _spot_record(card: Card, name: str) -> int:
    kind, _, number = name.partition(":")
    if kind == "quarter":
        quarter = card.quarters[int(number)]
        return (
            len(quarter.sides) * _OPEN_END
            + int(BIT[QUARTERS_FROM])
            + (int(BIT[STATIONS_FROM]) if quarter.station else 0)
        )
    if kind == "track":
        return len([end for end in card.tracks[int(number)].ends if isinstance(end, int)]) * _OPEN_END
    if kind == "country":
        return _openings(card, card.patches[int(number)].halves) * _OPEN_END
    return 0


def _openings(card: Card, halves: tuple[int, ...]) -> int:
    """In how many places a patch goes on beyond the card: over country edges, and over each half of rail edges."""
    rails = [half for half in halves if card.edges[half // 2] == RAIL]
    meadows = {half // 2 for half in halves if card.edges[half // 2] != RAIL}
    return len(rails) + len(meadows)


def _net_with(card: Card, name: str) -> int:
    """The net, as a part, that a spot belongs to; 0 for quarters and patches, which belong to none."""
    for i, net in enumerate(card.nets()):
        if name in net:
            return len(card.spots) + i
    return 0


def _net_record(card: Card, net: set[str]) -> int:
    sites = [name.partition(":")[0] for name in _sites_of(card, net)]
    open_ends = len([name for name in net if name.isdigit()])
    return (
        len(_linked_quarters(card, net))
        + open_ends * _OPEN_END
        + sites.count("mine") * int(BIT[MINES_FROM])
        + sites.count("factory") * int(BIT[FACTORIES_FROM])
        + sites.count("port") * int(BIT[PORTS_FROM])
    )


def _sites_of(card: Card, net: set[str]) -> list[str]:
    return [name for name in card.site_names if name in net]


def _linked_quarters(card: Card, net: set[str]) -> list[str]:
    """The quarters in which tracks of the net end."""
    ends = [str(end) for i, track in enumerate(card.tracks) if f"track:{i}" in net for end in track.ends]
    return sorted({end for end in ends if end.startswith("quarter")})


def _touched(card: Card, name: str) -> list[int]:
    """The quarters and sites, as parts, that a patch touches; nothing for other spots."""
    kind, _, number = name.partition(":")
    if kind != "country":
        return []
    return [card.spots.index(touched) for touched in card.patches[int(number)].touches]


def _grade(kind: str) -> int:
    """Return the points for a quarter in the variant: 2 for a bourgeois one, 1 for corons, 0 for a slum."""
    return 2 if kind == BOURGEOIS else 1 if kind == CORONS else 0
