"""The events of Pays noir: cards drawn and laid, members, and everything that gives points."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import structs

from ludotheque.core.bits import places
from ludotheque.core.earnings import Earning, sources
from ludotheque.core.events import Event, GameEnded
from ludotheque.core.game import CHANCE
from ludotheque.core.phrases import phrase
from ludotheque.games.pays_noir.board import TURNED, Board
from ludotheque.games.pays_noir.cards import Card, Quarter
from ludotheque.games.pays_noir.deck import COUNT, FACTORY, PORT, QUARTER, STATIONS_FROM
from ludotheque.games.pays_noir.place_words import Landmark, landmark_beside
from ludotheque.games.pays_noir.rules import (
    CARD,
    DEAL,
    FOR_COUNTRY,
    FOR_FACTORY,
    FOR_LINE,
    FOR_MINE,
    FOR_PORT,
    FOR_QUARTER,
    FOR_URBANISM,
    PLACE,
    SPOT,
    TURN,
    Award,
    Journal,
    PaysNoirState,
)
from ludotheque.games.pays_noir.tabletop import card_places, held

_SOURCES: Final = {
    FOR_LINE: phrase("Railway lines"),
    FOR_PORT: phrase("Ports"),
    FOR_MINE: phrase("Mines"),
    FOR_FACTORY: phrase("Factories"),
    FOR_QUARTER: phrase("Towns"),
    FOR_URBANISM: phrase("Towns"),
    FOR_COUNTRY: phrase("Countries"),
}


class CardDrawn(Event, frozen=True, kw_only=True):
    """Chance drew a card for a seat."""

    card: Card | None
    """None if it is hidden."""
    dealt: bool
    """Whether it belongs to the first hand."""


class CardChosen(Event, frozen=True, kw_only=True):
    """A seat chose a card of its hand to lay."""

    card: Card | None
    """None if it is hidden."""


class CardDiscarded(Event, frozen=True, kw_only=True):
    """A seat showed a hand that fits nowhere and discarded a card of it."""

    card: Card
    hand: tuple[Card, ...]
    """The whole hand, with that card."""


class PlaceChosen(Event, frozen=True, kw_only=True):
    """A seat chose a place where its card fits in several ways."""


class CardLaid(Event, frozen=True, kw_only=True):
    """A seat laid a card."""

    card: Card
    beside: Landmark
    """The neighbour by which its place is found."""


class MemberPlaced(Event, frozen=True, kw_only=True):
    """A seat placed a member of its family on the card just laid."""

    card: Card
    turn: int
    """Clockwise quarter turns of the card."""
    spot: str


class NoMemberPlaced(Event, frozen=True, kw_only=True):
    """A seat could have placed a member on the card just laid."""


class Scored(Event, frozen=True, kw_only=True):
    """The families with most members on something got points."""

    points: int
    """The points of each."""
    seats: tuple[int, ...]


class LineFinished(Scored, frozen=True, kw_only=True):
    """A railway line has two ends, or is closed upon itself; a point for each card."""

    ends: tuple[str, ...]
    """The kinds of its stops: quarter, station, mine, factory or port."""


class PortCounted(Scored, frozen=True, kw_only=True):
    """A port has all its railways, or is counted as it is at the end; a point for itself and each site linked."""

    finished: bool


class MineFinished(Scored, frozen=True, kw_only=True):
    """A mine is linked by rail to a customer."""

    customer: str
    """Port, factory or quarter."""


class FactoryFinished(Scored, frozen=True, kw_only=True):
    """A factory touches a town and a mine."""


class QuarterLaid(Scored, frozen=True, kw_only=True):
    """A quarter was laid in a town."""

    kind: str
    station: bool
    """Whether the town has a station."""


class UrbanismLaid(Scored, frozen=True, kw_only=True):
    """A quarter with an urbanism symbol was laid; a point for each quarter built before."""

    symbol: str


class CountryCounted(Scored, frozen=True, kw_only=True):
    """A country was counted at the end; a point for each site and closed town."""


class TownClosed(Event, frozen=True, kw_only=True):
    """A town has no open edge any more; its members went home."""


class FinalCountChanged(Event, frozen=True, kw_only=True):
    """Ports and countries would give other points than before if the final count were made now."""


class TrackFull(Event, frozen=True, kw_only=True):
    """A marker has reached the last space of the score track, so there is no final count."""

    space: int


def events(before: PaysNoirState, action: int, after: PaysNoirState) -> list[Event]:
    """Find out what an action or a draw made happen."""
    found = events_without_prospects(before, action, after)
    if before.phase == SPOT or after.board.laid > before.board.laid or after.is_terminal():
        changes = tuple(_final_count_changes(before, after))
        found += [FinalCountChanged(earnings=changes)] if changes else []
    return found


def events_without_prospects(before: PaysNoirState, action: int, after: PaysNoirState) -> list[Event]:
    """All events but the change of what the final count would give, which takes long to find out."""
    found = [_moved(before, action, after)]
    if before.current_player() == CHANCE or after.phase in (PLACE, TURN, SPOT):  # the turn goes on
        return found
    awards = awards_of(before, action)
    found += [_scored(after.board, award) for award in awards]
    if before.phase != CARD:
        found += _closed_towns(before, action, after)
    if after.is_terminal():
        found += _ended(before, awards, after)
    return found


def _moved(before: PaysNoirState, action: int, after: PaysNoirState) -> Event:
    """The action or draw by itself."""
    seat = int(before.seat)
    if before.current_player() == CHANCE:
        return CardDrawn(seat=seat, card=before.deck.cards[action], dealt=before.phase == DEAL)
    if before.phase == CARD:
        return from_hand(before, action)
    if before.phase == SPOT:
        return _member(before, action, after)
    if after.board.laid > before.board.laid:
        return _laid(before, after)
    return PlaceChosen(seat=seat, places=("ghost",))


def from_hand(before: PaysNoirState, action: int) -> Event:
    """A card chosen to be laid or discarded, at its place in the hand."""
    seat, deck = int(before.seat), before.deck
    hand = [entry >> 1 for entry in held(before, seat)]
    is_discard = action >= deck.first_discard
    card = action - deck.first_discard if is_discard else action
    places = (f"hand:{hand.index(card)}",)
    if is_discard:
        shown = tuple(deck.cards[each] for each in hand)
        return CardDiscarded(seat=seat, places=places, card=deck.cards[card], hand=shown)
    return CardChosen(seat=seat, places=places, card=deck.cards[card])


def _member(before: PaysNoirState, action: int, after: PaysNoirState) -> Event:
    """A member, at the card if it has gone home again in the same turn."""
    seat, board, spot = int(before.seat), before.board, action - before.deck.first_member - 1
    if spot < 0:
        return NoMemberPlaced(seat=seat, places=("no-member",))
    number = int(board.laid) - 1
    x, y = card_places(board)[number]
    card, turn = board.deck.cards[board.type_of(number)], int(board.cards[4 * number + TURNED]) % 4
    id = f"member:{x},{y}" if after.board.member_node(number) >= 0 else f"card:{x},{y}"
    return MemberPlaced(seat=seat, places=(id,), card=card, turn=turn, spot=card.spots[spot])


def _laid(before: PaysNoirState, after: PaysNoirState) -> CardLaid:
    x, y = where = card_places(after.board)[-1]
    card = after.deck.cards[after.board.type_of(after.board.laid - 1)]
    beside = landmark_beside(before.board, where)
    return CardLaid(seat=int(before.seat), places=(f"card:{x},{y}",), card=card, beside=beside)


# Points.


def awards_of(before: PaysNoirState, action: int) -> list[Award]:
    """Return what an action gives points for, in the order of the log."""
    _, awards = _played(before, action)
    return sorted(awards, key=lambda award: award.reason)


def points_at_once(before: PaysNoirState, action: int) -> list[int]:
    """The points of each seat for what an action finishes or brings, without the final count."""
    after, awards = _played(before, action)
    points = [0] * int(before.players)
    for award in awards:
        for seat in places(award.families):
            points[seat] += 0 if _is_final(after.board, award) else award.points
    return points


def gain_by_member(laid: PaysNoirState, action: int) -> int:
    """The points that a member on the card just laid brings its family at once, beyond those of the turn without it."""
    seat, without = int(laid.seat), laid.deck.first_member
    return points_at_once(laid, action)[seat] - points_at_once(laid, without)[seat]


def _played(before: PaysNoirState, action: int) -> tuple[PaysNoirState, list[Award]]:
    """Play an action on a copy, and return it with what it gives points for."""
    after, journal = before.clone(), Journal()
    after.journal = journal
    after.apply(action)
    return after, journal.awards


def _scored(board: Board, award: Award) -> Event:
    """The event of an award, at the cards that it was given for; of a country, at all that has grown together."""
    if award.reason == FOR_COUNTRY:
        country = (f"country:{min(_whole(board, award.node))}",)
        return structs.replace(_kind_of(board, award), places=country, earnings=tuple(_shared([award])))
    nodes = [award.node] if award.reason in (FOR_QUARTER, FOR_URBANISM) else _whole(board, award.node)
    where = card_places(board)
    cards = [where[number] for number in sorted({board.card_of(node) for node in nodes})]
    ids = tuple(f"card:{x},{y}" for x, y in cards)
    return structs.replace(_kind_of(board, award), places=ids, earnings=tuple(_shared([award])))


def _kind_of(board: Board, award: Award) -> Scored:
    points, seats, node = award.points, tuple(places(award.families)), award.node
    if award.reason == FOR_LINE:
        return LineFinished(points=points, seats=seats, ends=tuple(_line_ends(board, node)))
    if award.reason == FOR_PORT:
        return PortCounted(points=points, seats=seats, finished=board.is_finished(node))
    if award.reason == FOR_MINE:
        return MineFinished(points=points, seats=seats, customer=_customer(board, node))
    if award.reason == FOR_FACTORY:
        return FactoryFinished(points=points, seats=seats)
    if award.reason == FOR_COUNTRY:
        return CountryCounted(points=points, seats=seats)
    quarter = _quarter(board, node)
    if award.reason == FOR_URBANISM:
        return UrbanismLaid(points=points, seats=seats, symbol=quarter.urbanism)
    station = bool((board.record(node) >> STATIONS_FROM) & COUNT)
    return QuarterLaid(points=points, seats=seats, kind=quarter.kind, station=station)


def _quarter(board: Board, node: int) -> Quarter:
    number = board.card_of(node)
    return board.deck.cards[board.type_of(number)].quarters[node - board.base(number)]


def _line_ends(board: Board, line: int) -> Iterator[str]:
    """The kinds of the stops of a finished line."""
    for track in sorted(_whole(board, line)):
        number = board.card_of(track)
        card = board.deck.cards[board.type_of(number)]
        for end in card.tracks[track - board.base(number) - len(card.quarters)].ends:
            if isinstance(end, str):
                yield end.partition(":")[0]


def _customer(board: Board, mine: int) -> str:
    """A port, else a factory, else a town in the network of a mine."""
    found: set[int] = set()
    for net in _whole(board, board.network(mine)):
        part = board.part(net)
        for other in board.deck.related[int(board.deck.first_related[part]) : int(board.deck.first_related[part + 1])]:
            found.add(board.kind(board.base(board.card_of(net)) + int(other)))
    names = {PORT: "port", FACTORY: "factory", QUARTER: "quarter"}
    return next(name for kind, name in names.items() if kind in found)


def _whole(board: Board, node: int) -> list[int]:
    """The nodes of a whole set."""
    found = [node]
    while board.following(found[-1]) != node:
        found.append(board.following(found[-1]))
    return found


def _closed_towns(before: PaysNoirState, action: int, after: PaysNoirState) -> Iterator[Event]:
    """The towns that the turn just ended has closed and whose members went home."""
    board, number = after.board, after.board.laid - 1
    first = board.base(number)
    places_member = before.phase == SPOT and action > before.deck.first_member
    own = first + action - before.deck.first_member - 1 if places_member else -1
    quarters = len(board.deck.cards[board.type_of(number)].quarters)
    for town in sorted({board.root(first + quarter) for quarter in range(quarters)}):
        whole = _whole(board, town)
        stood = [node for node in whole if node < before.board.used and _was_occupied(before.board, node)]
        if board.is_finished(town) and (stood or own in whole):
            where = card_places(board)
            cards = [where[each] for each in sorted({board.card_of(node) for node in whole})]
            yield TownClosed(places=tuple(f"card:{x},{y}" for x, y in cards))


def _was_occupied(board: Board, node: int) -> bool:
    return board.member_node(board.card_of(node)) == node


# The end.


def _ended(before: PaysNoirState, awards: Iterable[Award], after: PaysNoirState) -> Iterator[Event]:
    """The end by the score track, which comes before any final count, or by the last card."""
    points = [int(score) for score in before.points]
    for award in awards:
        for seat in places(award.families):
            points[seat] += 0 if _is_final(after.board, award) else award.points
    if max(points) >= after.last_space:
        yield TrackFull(space=int(after.last_space))
    yield GameEnded(scores=tuple(after.scores()), returns=tuple(after.returns()))


def _is_final(board: Board, award: Award) -> bool:
    """Whether points are given by the final count alone: for country, and for ports that are not finished."""
    return award.reason == FOR_COUNTRY or (award.reason == FOR_PORT and not board.is_finished(award.node))


def _final_count_changes(before: PaysNoirState, after: PaysNoirState) -> Iterator[Earning]:
    """Yield the changes of what the final count would add."""
    changes = [*_shared(after.final_count()), *_shared(before.final_count(), -1)]
    for source in sources(changes, int(after.players)):  # most ports and countries are the same before and after
        for seat, amount in enumerate(source.amounts):
            if amount:
                yield Earning(seat, source.name, amount, "end")


def _shared(awards: Iterable[Award], sign: int = 1) -> Iterator[Earning]:
    for award in awards:
        for seat in places(award.families):
            yield Earning(seat, _SOURCES[award.reason], sign * award.points)
