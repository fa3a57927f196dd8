"""An observation of Pays noir: what one viewer knows, and how it is drawn in text."""

from __future__ import annotations

from msgspec import Struct

from ludotheque.core.game import TERMINAL
from ludotheque.core.observation import HIDDEN, Observation
from ludotheque.games.pays_noir.cards import COUNTRY, RAIL, TOWN

FAMILIES = ("blue", "red", "yellow", "green", "violet")
"""The colour of each seat's family."""
LETTERS = {"blue": "B", "red": "R", "yellow": "Y", "green": "G", "violet": "V"}

Place = tuple[int, int]
"""Steps to the east and to the north from the start card."""


def place_name(place: Place) -> str:
    return f"({place[0]},{place[1]})"


class LaidCard(Struct, frozen=True, gc=False):
    """A card on the table."""

    card: str
    x: int
    y: int
    turn: int
    """Clockwise quarter turns."""
    groups: tuple[str, ...]
    """Names of the whole town, line, site or country, by spot."""
    networks: tuple[str, ...]
    """Names of the rail network of a track or site, by spot; empty for the others."""
    member: int = -1
    """The seat whose member is on it."""
    spot: str = ""
    """The spot of that member."""


class Group(Struct, frozen=True, gc=False):
    """A whole town, line, mine, factory, port or country."""

    name: str
    """Its kind, and a number that it keeps while it grows: `town:12`."""
    x: int
    y: int
    """The place of its oldest part."""
    open_ends: int
    finished: bool
    members: tuple[int, ...]
    """Members by seat."""
    size: int
    """Quarters of a town, cards of a line, parts of a country; 1 for a site."""
    worth: int
    """Points: of a line by its length, of a port by its network, of a country by its sites, as things stand."""
    station: bool = False
    """Whether a town has a station."""

    @property
    def kind(self) -> str:
        return self.name.partition(":")[0]


class Fit(Struct, frozen=True, gc=False):
    """A place where the chosen card fits, and in which turns."""

    x: int
    y: int
    turns: tuple[int, ...]


class PaysNoirObservation(Observation, frozen=True, kw_only=True):
    """A position of Pays noir as one viewer knows it."""

    turn: int
    """The seat whose turn it is, also while chance draws for it."""
    phase: str
    cards: tuple[LaidCard, ...]
    """In the order of laying."""
    groups: tuple[Group, ...]
    points: tuple[int, ...]
    scores: tuple[int, ...]
    """The points with the final count, as if the game ended now."""
    last_space: int
    supply: tuple[int, ...]
    pile: int
    hands: tuple[tuple[str, ...], ...]
    shown: tuple[tuple[str, ...], ...]
    """Cards of a hand that all have seen, by seat."""
    discards: tuple[str, ...]
    chosen: str = ""
    """The card being placed."""
    place: Place | None = None
    """The place chosen for it."""
    fits: tuple[Fit, ...] = ()
    """Places where the viewer can lay it."""
    spots: tuple[str, ...] = ()
    """Spots on the card just laid where the seat may place a member."""
    edges: dict[str, tuple[str, str, str, str]]
    """Edges N, E, S, W, before it is turned, of each card that the viewer sees."""

    def __str__(self) -> str:
        return "\n".join([*_drawn_table(self), "", *_drawn_facts(self)])


# The position drawn in text.

_EDGE_SIGNS = {COUNTRY: ".", RAIL: "=", TOWN: "T"}


def edge_signs(edges: tuple[str, str, str, str], turn: int = 0) -> str:
    """Return what the sides N, E, S, W of a turned card show: `.` country, `=` rail, `T` town."""
    return "".join(_EDGE_SIGNS[edges[(side - turn) % 4]] for side in range(4))


def _drawn_table(seen: PaysNoirObservation) -> list[str]:
    """Each card is framed by its edges; inside, the seat and the spot of its member."""
    at = {(laid.x, laid.y): laid for laid in seen.cards}
    columns = range(min(x for x, _ in at), max(x for x, _ in at) + 1)
    rows = range(max(y for _, y in at), min(y for _, y in at) - 1, -1)
    lines = ["      " + "".join(f"{x:^8}" for x in columns).rstrip()]
    for y in rows:
        lines.append("     " + _frame(seen, at, columns, y))
        lines.append(f"{y:>4} " + _inside(seen, at, columns, y))
    lines.append("     " + _frame(seen, at, columns, rows[-1] - 1))
    return lines


def _frame(seen: PaysNoirObservation, at: dict[Place, LaidCard], columns: range, y: int) -> str:
    """The line between the rows y + 1 and y."""
    words = []
    for x in (*columns, columns[-1] + 1):
        around = [(x - 1, y), (x - 1, y + 1), (x, y), (x, y + 1)]
        words.append("+" if any(place in at for place in around) else " ")
        if (x, y) in at:
            words.append(f"---{_signs(seen, at[x, y])[0]}---")
        elif (x, y + 1) in at:
            words.append(f"---{_signs(seen, at[x, y + 1])[2]}---")
        else:
            words.append("       ")
    return "".join(words).rstrip()


def _inside(seen: PaysNoirObservation, at: dict[Place, LaidCard], columns: range, y: int) -> str:
    words = []
    for x in (*columns, columns[-1] + 1):
        if (x, y) in at:
            words.append(_signs(seen, at[x, y])[3])
            words.append(f"{_content(seen, at[x, y]):^7}")
        else:
            words.append(_signs(seen, at[x - 1, y])[1] if (x - 1, y) in at else " ")
            words.append("       ")
    return "".join(words).rstrip()


def _signs(seen: PaysNoirObservation, laid: LaidCard) -> str:
    return edge_signs(seen.edges[laid.card], laid.turn)


def _content(seen: PaysNoirObservation, laid: LaidCard) -> str:
    """The sites on a card, the seat and spot of its member, and a mark on the last one."""
    sites = "".join(group[0].upper() for group in laid.groups if group.partition(":")[0] in ("mine", "factory", "port"))
    member = f"{laid.member + 1}{laid.spot[0]}" if laid.spot else ""
    last = "*" if laid == seen.cards[-1] and len(seen.cards) > 1 else ""
    return " ".join(word for word in (sites, member, last) if word)


def _drawn_facts(seen: PaysNoirObservation) -> list[str]:
    lines = [f"Pile: {seen.pile}. Score track: {seen.last_space}. Discarded: {', '.join(seen.discards) or 'none'}."]
    for group in seen.groups:
        if any(group.members):
            owners = ", ".join(f"seat {seat + 1}: {count}" for seat, count in enumerate(group.members) if count)
            state = "" if group.kind == "country" or group.open_ends == 0 else f", open ends: {group.open_ends}"
            lines.append(f"{group.kind.capitalize()} at {place_name((group.x, group.y))}, {owners}{state}")
    for seat, hand in enumerate(seen.hands):
        cards = ", ".join(f"{card} {edge_signs(seen.edges[card])}" if card != HIDDEN else HIDDEN for card in hand)
        words = f"Seat {seat + 1}, {FAMILIES[seat]}, {seen.points[seat]} points, {seen.supply[seat]} members"
        lines.append(f"{'> ' if seat == seen.to_move else '  '}{words}, cards {cards or 'none'}")
    if seen.chosen:
        where = f" at {place_name(seen.place)}" if seen.place else ""
        lines.append(f"Seat {seen.turn + 1} places {seen.chosen}{where}.")
    if seen.to_move == TERMINAL:
        lines.append(seen.won_by)
    return lines
