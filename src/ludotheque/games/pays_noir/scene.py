"""The picture of a game of Pays noir: cards, what has grown together on them, members, places and the viewer's hand.

Whole towns, lines, networks, sites and countries are separate pieces, invisible until they are hovered over or lit
up by another piece (class `lit`): a line or a site lights its rail network.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from math import inf
from pathlib import Path
from typing import Final, NamedTuple

from ludotheque.core.colours import colour_mark, drawn_letter
from ludotheque.core.game import SPECTATOR
from ludotheque.core.memo import cached_by_identity
from ludotheque.core.observation import HIDDEN
from ludotheque.core.phrases import NOTHING, Phrase, hand_of, listed, phrase, plural, points, seat_name
from ludotheque.core.scene import Piece, Row, Scene, ScoreTable, art
from ludotheque.games.pays_noir.card_art import CARD_SIDE, HALF, card_symbol, distance, drawn, moved, turned
from ludotheque.games.pays_noir.cards import SITE_KINDS, Card
from ludotheque.games.pays_noir.notation import card_name, spot_name, way_round
from ludotheque.games.pays_noir.observation import FAMILIES, Group, LaidCard, PaysNoirObservation, place_name
from ludotheque.games.pays_noir.outlines import outline
from ludotheque.games.pays_noir.pictures import Picture, Pictures
from ludotheque.games.pays_noir.place_words import distinct_words

MARGIN: Final = 10
TRAY: Final = 126
"""Height of the tray with the viewer's cards and the pile."""
SLOT: Final = CARD_SIDE + 10
LEAST_WIDE: Final = 7
LEAST_HIGH: Final = 5
"""The least number of cards that the picture shows each way, so that it does not resize with each early card."""

_LENSES: Final = (1.4, 1.7, 2, 2.4)
"""Scales of the card on which a member is placed. The smallest one is taken that keeps its spots apart, so that what
surrounds the card stays in view; each has a class in the art."""
_APART: Final = 61.5
"""Distance of two spots for a finger, on the card enlarged."""

_LOW: Final = 20
"""A spot so far below the middle of its card has its tag above it, so that the edge of the board does not cut it."""

_QUESTIONS: Final = {
    "card": phrase("choose a card from your hand"),
    "place": phrase("where does the card go?"),
    "turn": phrase("which way round?"),
    "spot": phrase("place a member of your family on the card, or none"),
}
"""Questions by phase of a turn."""
_MIDDLE: Final = HALF + 5
"""Vertical position of the pieces in the tray."""
_FRAME: Final = "M-48.5-48.5H48.5V48.5H-48.5Z"


# The backdrop.


def backdrop(cards: Sequence[Card]) -> str:
    """Symbols and styles: the cards of the set, the members, the table."""
    symbols = [*(card_symbol(card) for card in cards), *(_family_symbols(colour) for colour in FAMILIES)]
    drawings = art(Path(__file__).with_name("art.svg"))
    return f'{drawings}<defs>{"".join(symbols)}</defs><g class="backdrop"></g>'


def _family_symbols(colour: str) -> str:
    """A member of a family, a spot for one, and a spot that one has taken."""
    figure = f'<use href="#member-{colour}" transform="scale(1.3)"'
    return (
        f'{_member_symbol(colour)}<symbol id="spot-{colour}" overflow="visible"><circle class="pn-target" r="28"/>'
        f'<circle class="pn-stand" r="23"/>{figure} class="pn-faint"/></symbol>'
        f'<symbol id="taken-{colour}" overflow="visible"><circle class="pn-target" r="28"/>'
        f'{figure}/><path class="pn-taken" d="M-16-16L16 16M16-16L-16 16"/></symbol>'
    )


def _member_symbol(colour: str) -> str:
    """A standing figure in the colour of a family, with its hat and its letter."""
    return (
        f'<symbol id="member-{colour}" overflow="visible"><ellipse class="pn-cast" cx="3" cy="13.5" rx="12" ry="3.4"/>'
        f'<g class="pn-figure family-{colour}"><path d="{_BODY}"/><circle cy="-10.5" r="5.6"/></g>'
        f'<path class="pn-dark-side" d="{_SHADED}"/>{_HATS[colour]}'
        f"{drawn_letter(colour, f'pn-letter ink-{colour}', 10)}</symbol>"
    )


_BODY: Final = "M-9.5 13.5C-9.5 3-9-3.2-4-5H4C9-3.2 9.5 3 9.5 13.5Z"
_SHADED: Final = "M4-5C9-3.2 9.5 3 9.5 13.5H5.5C6.5 4 6-2 2-5Z"
_HATS: Final = {
    "blue": (
        '<path class="pn-cap" d="M-6.2-11.5C-6.2-18 6.2-18 6.2-11.5L-8.6-11.2Z"/>'
        '<circle class="pn-lamp" cx="-3.4" cy="-14.2" r="2"/>'
    ),
    "red": '<path class="pn-scarf" d="M-6.6-8.4C-8-19 8-19 6.6-8.4L9-5.2 4.2-6.4C6-13.6-6-13.6-4.2-6.4L-9-5.2Z"/>',
    "yellow": (
        '<path class="pn-straw" d="M-11-11.6Q-7-13.4-5.6-13.2C-5.2-19.6 5.2-19.6 5.6-13.2Q7-13.4 11-11.6Q0-9-11-11.6"/>'
    ),
    "green": (
        '<path class="pn-cap" d="M-8.6-12.2Q-6.6-11.8-5.8-12.6C-6-20 6-20 5.8-12.6Q6.6-11.8 8.6-12.2Q0-9.4-8.6-12.2Z"/>'
    ),
    "violet": '<path class="pn-cap" d="M-8.6-12.4H-5.2L-5.6-21.5H5.6L5.2-12.4H8.6Q0-10-8.6-12.4Z"/>',
}
"""The hats of the families, which differ by more than colour: a miner's cap with its lamp, a headscarf, a straw hat, a
bowler, a top hat."""


# The pieces.


class _View:
    """From places of the table to points of the picture, with room for a card on each side while some are laid."""

    def __init__(self, cards: tuple[LaidCard, ...], *, has_room: bool) -> None:
        room = int(has_room)
        xs, ys = [laid.x for laid in cards], [laid.y for laid in cards]
        self.left, self.right = _widened(min(xs) - room, max(xs) + room, LEAST_WIDE)
        self.bottom, self.top = _widened(min(ys) - room, max(ys) + room, LEAST_HIGH)
        self.width = 2 * MARGIN + CARD_SIDE * (self.right - self.left + 1)
        self.height = 2 * MARGIN + CARD_SIDE * (self.top - self.bottom + 1)

    def middle(self, x: int, y: int) -> tuple[float, float]:
        """The middle of a place."""
        return _middle(x - self.left), _middle(self.top - y)


def _middle(place: int) -> float:
    """The middle of a place, counted from the left or from the top."""
    return MARGIN + HALF + CARD_SIDE * place


def _widened(low: int, high: int, least: int) -> tuple[int, int]:
    missing = max(0, least - (high - low + 1))
    return low - missing // 2, high + (missing + 1) // 2


def scene(seen: PaysNoirObservation, pictures: Pictures) -> Scene:
    """The picture of what a viewer knows."""
    is_over = seen.phase == "over"
    shared = _shared(seen.cards, seen.groups, not is_over, pictures)
    view = shared.view
    pieces = [
        *shared.pieces,
        *_places(seen, view, pictures),
        *_spots(seen, view, pictures),
        *(() if is_over else _tray(seen, pictures)),
    ]
    return Scene(
        title=phrase("Pays noir, {players} players", players=seen.players),
        width=view.width,
        height=view.height,
        origin=view.middle(0, 0),
        tray_width=_tray_width(seen),
        tray_height=TRAY,
        legible=CARD_SIDE,
        pieces=tuple(pieces),
        shared=shared.pieces,
        tables=(_seats(seen), _facts(seen)),
        prompt=_QUESTIONS.get(seen.phase, NOTHING) if seen.to_move >= 0 else NOTHING,
        continues=seen.to_move >= 0 and seen.phase in ("card", "place", "turn"),
    )


class _Shared(NamedTuple):
    """The public part of a table, drawn once for all viewers."""

    view: _View
    pieces: tuple[Piece, ...]


@cached_by_identity(512)
def _shared(cards: tuple[LaidCard, ...], groups: tuple[Group, ...], has_room: bool, pictures: Pictures) -> _Shared:
    view = _View(cards, has_room=has_room)
    grown = _groups(cards, groups, view.middle(0, 0), pictures)
    pieces = (
        *_land(cards, view),
        *_tints(groups, {piece.id: piece.path for piece in grown}),
        *_cards(cards, view, pictures),
        *grown,
        *_holdings(cards, groups, view, pictures),
        *_last(cards, view),
        *_members(cards, view, pictures),
        *_smoke(cards, view, pictures),
    )
    return _Shared(view, pieces)


def _land(cards: tuple[LaidCard, ...], view: _View) -> Iterator[Piece]:
    """Draw the country, in mist where no card lies: its fields go on from card to card."""
    x, y = view.middle(0, 0)
    yield Piece(id="land", symbol="pn-land", x=x, y=y, classes="ground")
    squares = "".join(_square(laid.x, laid.y) for laid in cards)
    yield Piece(id="fields", path=squares, x=x, y=y, classes="ground fields")


@lru_cache(maxsize=4096)
def _square(column: int, row: int) -> str:
    """The square of a place, from the middle of the start card."""
    return f"M{CARD_SIDE * column - HALF},{-CARD_SIDE * row - HALF}h{CARD_SIDE}v{CARD_SIDE}h-{CARD_SIDE}z"


def _cards(cards: tuple[LaidCard, ...], view: _View, pictures: Pictures) -> Iterator[Piece]:
    for laid in cards:
        yield _card(laid.card, laid.turn, laid.x, laid.y, *view.middle(laid.x, laid.y), pictures)


@lru_cache(maxsize=20_000)
def _card(card: str, turn: int, column: int, row: int, x: float, y: float, pictures: Pictures) -> Piece:
    label = card_name(pictures[card].card)
    where = place_name((column, row))
    return Piece(id=f"card:{column},{row}", symbol=f"card-{card}", x=x, y=y, turn=90 * turn,
                 classes=f"mapped {_lies(turn)}", label=label, where=where)  # fmt: skip


def _lies(turn: int) -> str:
    """The class of a card that is turned: its houses stay upright."""
    return f"turned-{90 * turn}"


def _last(cards: tuple[LaidCard, ...], view: _View) -> Iterator[Piece]:
    if len(cards) > 1:
        x, y = view.middle(cards[-1].x, cards[-1].y)
        yield Piece(id="last", path=_FRAME, x=x, y=y, classes="last", label=phrase("the last card"))


_PUFFS: Final = ((18.5, -27.5, 3.8), (23, -31.5, 3.2), (27, -36, 2.4))
"""The smoke above a factory: puffs from its middle, with their radii."""


def _smoke(cards: tuple[LaidCard, ...], view: _View, pictures: Pictures) -> Iterator[Piece]:
    """Draw the smoke of all factories, above everything."""
    path = "".join(_puffs(pictures[laid.card], laid.turn, laid.x, laid.y) for laid in cards)
    if path:
        x, y = view.middle(0, 0)
        yield Piece(id="smoke", path=path, x=x, y=y, classes="ground smoke")


@lru_cache(maxsize=4096)
def _puffs(picture: Picture, turn: int, column: int, row: int) -> str:
    """The smoke of the factories of a card, from the middle of the start card."""
    factories = [site for site in picture.card.site_names if site.startswith("factory")]
    places = [turned(picture.middle(site), turn) for site in factories]
    left, top = CARD_SIDE * column, -CARD_SIDE * row
    return "".join(_circle(left + a + x, top + b + y, radius) for a, b in places for x, y, radius in _PUFFS)


def _circle(x: float, y: float, radius: float) -> str:
    half = f"{radius} {radius} 0 1 0"
    return f"M{x - radius:g},{y:g}a{half} {2 * radius:g} 0a{half} {-2 * radius:g} 0"


# Groups.


_PAINTED: Final = {kind: rank for rank, kind in enumerate(("country", "town", "network", "line", *SITE_KINDS))}
"""The order of painting: countries below, then towns, networks, lines and sites."""


def _groups(
    cards: tuple[LaidCard, ...], groups: tuple[Group, ...], start: tuple[float, float], pictures: Pictures
) -> tuple[Piece, ...]:
    """Draw what has grown together; `start` is the middle of the start card."""
    paths: dict[str, list[str]] = {}
    network_of: dict[str, str] = {}
    for laid in cards:
        picture = pictures[laid.card]
        x, y = start[0] + CARD_SIDE * laid.x, start[1] - CARD_SIDE * laid.y
        for spot, group, network in zip(picture.card.spots, laid.groups, laid.networks, strict=True):
            path = _spot_path(picture, spot, laid.turn, x, y)
            paths.setdefault(group, []).append(path)
            if network:
                paths.setdefault(network, []).append(path)
                network_of[group] = network
    labels = {group.name: group_label(group) for group in groups} | _network_labels(network_of)
    where = {group.name: place_name((group.x, group.y)) for group in groups}
    finished = {group.name for group in groups if group.finished}
    pieces = []
    for name in sorted(paths, key=lambda name: _PAINTED[name.partition(":")[0]]):
        kind = name.partition(":")[0]
        classes = f"group {'site ' if kind in SITE_KINDS else ''}{kind}{' finished' if name in finished else ''}"
        path, lights = "".join(paths[name]), network_of.get(name, "")
        pieces.append(
            Piece(id=name, path=path, classes=classes, label=labels[name], where=where.get(name, ""), lights=lights)
        )
    return tuple(pieces)


@lru_cache(maxsize=20_000)
def _spot_path(picture: Picture, spot: str, turn: int, x: float, y: float) -> str:
    """The shape of a spot where it lies in the table's picture, which stays the same from move to move."""
    path = moved(picture.paths[spot], turn, x, y)
    return drawn(path, closed=not spot.startswith("track"))


@lru_cache(maxsize=4096)
def group_label(group: Group) -> Phrase:
    """Describe a town, line, site or country, how far it has come, and who is there."""
    label = group_state(group)
    members = [
        phrase("{seat} ({count})", seat=seat_name(seat), count=count)
        for seat, count in enumerate(group.members)
        if count
    ]
    return phrase("{group}; members: {members}", group=label, members=listed(members)) if members else label


def group_state(group: Group) -> Phrase:
    """Describe a town, line, site or country, and how far it has come."""
    label = _kind_words(group)
    if group.station:
        label = phrase("{group}, with a station", group=label)
    return phrase("{group}, finished", group=label) if group.finished else label


def _kind_words(group: Group) -> Phrase:
    """Describe its kind, its size, its open ends and its worth so far."""
    size, open, worth = group.size, group.open_ends, points(group.worth)
    if group.kind == "town":
        quarters = plural(size, "{count} quarter", "{count} quarters")
        town = phrase("Town of {quarters}", quarters=quarters)
        edges = plural(open, "{count} open edge", "{count} open edges")
        return listed([town, edges]) if open else town
    if group.kind == "line":
        cards = plural(size, "{count} card", "{count} cards")
        line = phrase("Railway line over {cards}", cards=cards)
        ends = plural(open, "{count} open end", "{count} open ends")
        return listed([line, ends]) if open else line
    if group.kind == "port":
        return phrase("Port, worth {points} so far", points=worth)
    if group.kind == "country":
        if not group.worth:
            return phrase("Country, worth nothing yet")
        return phrase("Country, worth {points} so far", points=worth)
    return phrase("Mine") if group.kind == "mine" else phrase("Factory")


def _network_labels(network_of: dict[str, str]) -> dict[str, Phrase]:
    """Describe each network: how many lines and sites it joins."""
    lines = Counter(network for group, network in network_of.items() if group.startswith("line"))
    return {
        network: phrase(
            "Rail network (lines: {lines}, sites: {sites})", lines=lines[network], sites=all - lines[network]
        )
        for network, all in Counter(network_of.values()).items()
    }


# Holdings.


_SIDES: Final = ((0, 1), (1, 0), (0, -1), (-1, 0))
"""From a card to the places north, east, south and west of it."""


def holders(group: Group) -> list[int]:
    """The seats with most members on a town, line, site or country, which score it."""
    most = max(group.members)
    return [seat for seat, count in enumerate(group.members) if count == most > 0]


def tint_name(country: str, seat: int) -> str:
    """The piece that tints a country for one of the seats that hold it."""
    return f"tint:{country}:{seat}"


def _tints(groups: tuple[Group, ...], paths: Mapping[str, str]) -> Iterator[Piece]:
    """Tint held countries below the cards, so that nothing on these changes its colour; striped for all but the first
    of several families that hold as much."""
    for group in groups:
        for rank, seat in enumerate(holders(group) if group.kind == "country" else ()):
            yield Piece(id=tint_name(group.name, seat), path=paths[group.name],
                        classes=f"ground tint {FAMILIES[seat]}{' shared' if rank else ''}")  # fmt: skip


def _holdings(
    cards: tuple[LaidCard, ...], groups: tuple[Group, ...], view: _View, pictures: Pictures
) -> Iterator[Piece]:
    """Draw the outline of all that is held: dark, and over it the colours and lines of the families that hold it."""
    paths = _outlines(cards, {group.name for group in groups if any(group.members)}, view, pictures)
    for group in groups:
        for rank, seat in enumerate(holders(group)):
            path, family = "".join(paths[group.name]), FAMILIES[seat]
            classes = f"holding {group.kind} {family}"
            if rank == 0:
                yield Piece(id=f"edge:{group.name}", path=path, classes=f"{classes} edge")
            yield Piece(id=f"held:{group.name}:{seat}", path=path, classes=f"{classes} shared" if rank else classes)


def _outlines(cards: tuple[LaidCard, ...], held: set[str], view: _View, pictures: Pictures) -> dict[str, list[str]]:
    """The outlines of the groups that are held, card by card."""
    paths: dict[str, list[str]] = {name: [] for name in held}
    taken = {(laid.x, laid.y) for laid in cards}
    for laid in cards:
        x, y = view.middle(laid.x, laid.y)
        edges = tuple(side for side, (a, b) in enumerate(_SIDES) if (laid.x + a, laid.y + b) not in taken)
        picture = pictures[laid.card]
        is_frontier = len({group for group in laid.groups if group.startswith("country")}) > 1
        for spot, group in zip(picture.card.spots, laid.groups, strict=True):
            if group in held:
                on_card = is_frontier or not group.startswith("country")
                paths[group].append(outline(picture, spot, laid.turn, x, y, edges, on_card=on_card))
    return paths


# Members and choices.


def _members(cards: tuple[LaidCard, ...], view: _View, pictures: Pictures) -> Iterator[Piece]:
    for laid in cards:
        if laid.spot:
            x, y = _spot_place(laid, pictures[laid.card], laid.spot, view)
            label = _member_label(laid.member, laid.card, laid.turn, laid.spot, pictures)
            yield Piece(id=f"member:{laid.x},{laid.y}", symbol=f"member-{FAMILIES[laid.member]}", x=x, y=y,
                        classes="member", label=label)  # fmt: skip


@lru_cache(maxsize=20_000)
def _member_label(seat: int, card: str, turn: int, spot: str, pictures: Pictures) -> Phrase:
    where = spot_name(pictures[card].card, turn, spot)
    return phrase("A member of {seat} on {spot}", seat=seat_name(seat), spot=where)


def _spot_place(laid: LaidCard, picture: Picture, spot: str, view: _View, scale: float = 1) -> tuple[float, float]:
    """The place of a spot on a card, or on the card enlarged about its middle."""
    x, y = view.middle(laid.x, laid.y)
    a, b = turned(picture.points[spot], laid.turn)
    return x + scale * a, y + scale * b


def _places(seen: PaysNoirObservation, view: _View, pictures: Pictures) -> Iterator[Piece]:
    """Yield the places beside the cards while the viewer places one, also those where it does not fit, so that they can
    say why; or the place chosen, by anyone."""
    if seen.place is not None:
        x, y = view.middle(*seen.place)
        symbol = "pn-card-back" if seen.chosen == HIDDEN else f"card-{seen.chosen}"
        turn = seen.fits[0].turns[0] if seen.fits else 0
        yield Piece(id="ghost", symbol=symbol, x=x, y=y, turn=90 * turn, classes=f"ghost subject {_lies(turn)}",
                    label=phrase("the place chosen"))  # fmt: skip
        return
    if not seen.fits:
        return
    words = distinct_words({(laid.x, laid.y): pictures[laid.card].card for laid in seen.cards})
    fitting = {(fit.x, fit.y) for fit in seen.fits}
    for (column, row), where in words.items():
        x, y = view.middle(column, row)
        fits = (column, row) in fitting
        label = (
            phrase("Lay the card {where}", where=where)
            if fits
            else phrase("The card does not fit {where}", where=where)
        )
        yield Piece(id=f"place:{column},{row}", symbol="pn-place", x=x, y=y, step=f"place:{column},{row}",
                    classes="spot place" if fits else "spot place refused", label=label)  # fmt: skip


@lru_cache(maxsize=256)
def lens(picture: Picture) -> float:
    """The scale of a card on which a member is placed: its spots are then far enough apart for a finger."""
    least = min((distance(*pair) for pair in combinations(picture.points.values(), 2)), default=inf)
    return next((scale for scale in _LENSES if scale * least >= _APART), _LENSES[-1])


def _lens_edge(scale: float) -> str:
    """The frame of the card enlarged."""
    side = HALF * scale + 2
    return f"M{-side:g}{-side:g}H{side:g}V{side:g}H{-side:g}Z"


def _spots(seen: PaysNoirObservation, view: _View, pictures: Pictures) -> Iterator[Piece]:
    """Yield the card just laid once more, enlarged, with the spots where the viewer can place a member and those that
    are taken."""
    if seen.viewer != seen.turn or not seen.spots:
        return
    laid = seen.cards[-1]
    picture = pictures[laid.card]
    scale, (x, y) = lens(picture), view.middle(laid.x, laid.y)
    yield Piece(id="lens-edge", path=_lens_edge(scale), x=x, y=y, classes="ground lens-edge enlarged")
    yield Piece(id="lens", symbol=f"card-{laid.card}", x=x, y=y, turn=90 * laid.turn,
                classes=f"ground lens by-{10 * scale:g} {_lies(laid.turn)}")  # fmt: skip
    for spot, group in zip(picture.card.spots, laid.groups, strict=True):
        yield _spot(seen, spot, group, _spot_place(laid, picture, spot, view, scale), picture)


def _spot(seen: PaysNoirObservation, spot: str, group: str, place: tuple[float, float], picture: Picture) -> Piece:
    """A spot on the enlarged card: free, or with the family that bars it."""
    name = spot_name(picture.card, seen.cards[-1].turn, spot)
    x, y = place
    if spot in seen.spots:
        _, down = turned(picture.points[spot], seen.cards[-1].turn)
        classes = "spot tag-above" if down > _LOW else "spot"
        return Piece(id=f"spot:{spot}", symbol=f"spot-{FAMILIES[seen.turn]}", x=x, y=y, classes=classes,
                     step=f"spot:{spot}", lights=group, label=phrase("A member on {spot}", spot=name))  # fmt: skip
    owner = _owner(seen, group)
    return Piece(id=f"taken:{spot}", symbol=f"taken-{FAMILIES[owner]}", x=x, y=y, classes="taken", lights=group,
                 step=f"spot:{spot}",
                 label=phrase("Not on {spot}: {seat} is there", spot=name, seat=seat_name(owner)))  # fmt: skip


def _owner(seen: PaysNoirObservation, name: str) -> int:
    """Return who bars the viewer from a town, line or country: another family, or the viewer's own on a line."""
    members = next(group.members for group in seen.groups if group.name == name)
    there = [seat for seat, count in enumerate(members) if count]
    return min(there, key=lambda seat: seat == seen.viewer)


def _tray(seen: PaysNoirObservation, pictures: Pictures) -> Iterator[Piece]:
    """The hand of the viewer (a spectator sees the hand of the seat to move as the others do) or the turns to choose
    from, then the pile."""
    seat = seen.turn if seen.viewer == SPECTATOR else seen.viewer
    if seat == seen.turn and seen.phase == "turn" and seen.fits:
        caption = phrase("Which way round?")
        yield from _turns(seen)
    else:
        caption = hand_of(seat, seen.viewer) if seen.hands[seat] else NOTHING
        yield from _hand(seen, seat, pictures)
    yield Piece(id="tray-caption", text=caption, x=14, y=TRAY - 4, classes="caption", in_tray=True)
    x = _slot(_slots(seen) - 1)
    if seen.spots and seen.viewer == seen.turn:
        yield from _member_to_place(seen, x - SLOT)
        yield Piece(id="no-member", symbol="pn-no-member", x=x, y=_MIDDLE, step="spot:none", label=phrase("No member"),
                    in_tray=True)  # fmt: skip
        yield Piece(id="no-member-name", text=phrase("No member"), x=x, y=_MIDDLE + 48, classes="under", in_tray=True)
    if seen.pile:
        label = phrase("The pile (cards: {count})", count=seen.pile)
        yield Piece(id="pile", symbol="pn-card-back", x=x + SLOT, y=_MIDDLE, label=label, in_tray=True)
        yield Piece(id="pile-count", text=str(seen.pile), x=x + SLOT, y=_MIDDLE + 42, classes="count", in_tray=True)


def _member_to_place(seen: PaysNoirObservation, x: float) -> Iterator[Piece]:
    """A member that can be dragged onto the card, where the card was in the hand, and how many are left."""
    left = seen.supply[seen.turn]
    yield Piece(id="member-to-place", symbol=f"member-{FAMILIES[seen.turn]}", x=x, y=_MIDDLE - 6, classes="held carry",
                label=phrase("Your members to place: {count}; drag one onto the card", count=left),
                in_tray=True)  # fmt: skip
    yield Piece(id="members-left", text=str(left), x=x, y=_MIDDLE + 46, classes="left", in_tray=True)


def _slots(seen: PaysNoirObservation) -> int:
    """Return the number of cards that the tray has room for, and one more thing to choose."""
    return max(4, *map(len, seen.hands)) + 1


def _tray_width(seen: PaysNoirObservation) -> float:
    return _slot(_slots(seen)) + HALF + 14


def _slot(place: int) -> float:
    """The middle of a place in the tray."""
    return 14 + HALF + SLOT * place


def _hand(seen: PaysNoirObservation, seat: int, pictures: Pictures) -> Iterator[Piece]:
    for number, card in enumerate(seen.hands[seat]):
        x = _slot(number)
        if card == HIDDEN:
            yield Piece(id=f"hand:{number}", symbol="pn-card-back", x=x, y=_MIDDLE, label=phrase("a hidden card"),
                        in_tray=True)  # fmt: skip
            continue
        # Another card can still be chosen while the turn is composed.
        step = f"card:{card}" if seen.phase in ("card", "place") and seen.viewer == seen.turn else ""
        yield Piece(id=f"hand:{number}", symbol=f"card-{card}", x=x, y=_MIDDLE, step=step, in_tray=True,
                    label=card_name(pictures[card].card))  # fmt: skip
        if seen.chosen == card and seat == seen.turn and card not in seen.hands[seat][:number]:
            yield Piece(id="chosen", path=_FRAME, x=x, y=_MIDDLE, classes="last", label=phrase("chosen"), in_tray=True)


def _turns(seen: PaysNoirObservation) -> Iterator[Piece]:
    for number, turn in enumerate(seen.fits[0].turns):
        degrees = 90 * turn
        yield Piece(id=f"turn:{degrees}", symbol=f"card-{seen.chosen}", x=_slot(number), y=_MIDDLE, turn=degrees,
                    step=f"turn:{degrees}", classes=_lies(turn), in_tray=True,
                    label=way_round(degrees))  # fmt: skip


# The tables.


def _seats(seen: PaysNoirObservation) -> ScoreTable:
    head = (phrase("Seat"), phrase("Members"), phrase("If it ended now"), phrase("Points"))
    rows = tuple(_seat_row(seen, seat) for seat in range(seen.players))
    marked = -1 if seen.phase == "over" else seen.turn
    return ScoreTable(phrase("Players"), head, rows, lists_seats=True, marked=marked)


def _seat_row(seen: PaysNoirObservation, seat: int) -> Row:
    return (colour_mark(FAMILIES[seat], seat_name(seat)),), seen.supply[seat], seen.scores[seat], seen.points[seat]


def _facts(seen: PaysNoirObservation) -> ScoreTable:
    rows: tuple[Row, ...] = (
        (phrase("Score track ends at"), seen.last_space),
        (phrase("Cards in the pile"), seen.pile),
        (phrase("Discarded"), len(seen.discards)),
    )
    return ScoreTable(phrase("Game"), (), rows)
