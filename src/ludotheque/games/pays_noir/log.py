"""The log of Pays noir: what each action did, and what each point was given for; places by what lies beside them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ludotheque.core.events import Event, GameEnded
from ludotheque.core.phrases import Phrase, detailed, listed, phrase, plural, points, seat_name, winners
from ludotheque.games.pays_noir.events import (
    CardDiscarded,
    CardDrawn,
    CardLaid,
    CountryCounted,
    FactoryFinished,
    LineFinished,
    MemberPlaced,
    MineFinished,
    PortCounted,
    QuarterLaid,
    Scored,
    TownClosed,
    TrackFull,
    UrbanismLaid,
    events_without_prospects,
    from_hand,
)
from ludotheque.games.pays_noir.notation import card_name, is_country, kind_name, last_card, last_spot_name, spot_name
from ludotheque.games.pays_noir.observe import seen_event
from ludotheque.games.pays_noir.place_words import beside, gap_words
from ludotheque.games.pays_noir.rules import CARD, SPOT, TURN, PaysNoirState
from ludotheque.games.pays_noir.tabletop import gap_places

_STOPS: Final = {
    "quarter": phrase("the town"),
    "station": phrase("the station"),
    "mine": phrase("the mine"),
    "factory": phrase("the factory"),
    "port": phrase("the port"),
}
_QUARTERS: Final = {"bourgeois": phrase("Bourgeois quarter"), "corons": phrase("Corons"), "slum": phrase("Slum")}
_SYMBOLS: Final = {
    "water": phrase("Water supply"),
    "sewers": phrase("Sewers"),
    "lighting": phrase("Street lighting"),
}


def describe(before: PaysNoirState, action: int, after: PaysNoirState, viewer: int) -> list[Phrase]:
    """The lines of the log for an action or a draw; a chosen card and place are named once the card is laid."""
    found = events_without_prospects(before, action, after)
    return [line for event in found for line in describe_event(seen_event(event, viewer))]


def describe_event(event: Event) -> Iterator[Phrase]:
    """The lines of the log for an event."""
    seat = seat_name(event.seat)
    match event:
        case CardDrawn():
            yield detailed(_drawn(event, seat))
        case CardDiscarded():
            hand = listed([card_name(card) for card in event.hand])
            line = phrase(
                "{seat} shows a hand that fits nowhere ({hand}) and discards: {card}.",
                seat=seat, hand=hand, card=card_name(event.card),
            )  # fmt: skip
            yield detailed(line, phrase("{seat} has no card that fits and discards one.", seat=seat))
        case CardLaid():
            where, card = beside(event.beside), card_name(event.card)
            line = phrase("{seat} lays a card {where}: {card}.", seat=seat, where=where, card=card)
            yield detailed(line, phrase("{seat} lays a card.", seat=seat))
        case MemberPlaced():
            yield _member_placed(event, seat)
        case Scored():
            seats = _and([seat_name(each) for each in event.seats])
            what = reason(event)
            line = phrase("{what}: {points} to {seats}.", what=what, points=points(event.points), seats=seats)
            yield detailed(line)
        case TownClosed():
            yield detailed(phrase("A town is closed; its members go home."), phrase("A town is closed."))
        case TrackFull():
            yield phrase("The score track ends at {space}: the game is over.", space=event.space)
        case GameEnded():
            yield from winners(event.scores, event.returns)


def _member_placed(event: MemberPlaced, seat: Phrase) -> Phrase:
    """In a country, or on anything else."""
    spot, kind = spot_name(event.card, event.turn, event.spot), kind_name(event.spot)
    if is_country(event.spot):
        line = phrase("{seat} places a member in {spot}.", seat=seat, spot=spot)
        return detailed(line, phrase("Member in {spot}.", spot=kind))
    line = phrase("{seat} places a member on {spot}.", seat=seat, spot=spot)
    return detailed(line, phrase("Member on {spot}.", spot=kind))


def describe_decision(state: PaysNoirState, action: int) -> Phrase:
    """Describe the decision of an action, in a sentence unlike the others."""
    seat, deck = seat_name(state.seat), state.deck
    if state.phase == CARD and action >= deck.first_discard:
        return next(describe_event(from_hand(state, action)))
    if state.phase == CARD:
        return phrase("{seat} chooses a card to lay: {card}.", seat=seat, card=card_name(deck.cards[action]))
    if state.phase == SPOT:
        if action == deck.first_member:
            return phrase("{seat} places no member on the card just laid.", seat=seat)
        name = last_card(state).spots[action - deck.first_member - 1]
        spot = last_spot_name(state, name)
        if is_country(name):
            return phrase("{seat} places a member in {spot} of the card just laid.", seat=seat, spot=spot)
        return phrase("{seat} places a member on {spot} of the card just laid.", seat=seat, spot=spot)
    card = card_name(deck.cards[state.chosen])
    if state.phase == TURN:
        where, degrees = _gap_words(state, state.place), 90 * (action - deck.first_turn)
        return phrase("{seat} lays a card {where}, turned by {degrees}°: {card}.",
                   seat=seat, where=where, degrees=degrees, card=card)  # fmt: skip
    where = _gap_words(state, action - deck.first_place)
    return phrase("{seat} lays a card {where}: {card}.", seat=seat, where=where, card=card)


def _gap_words(state: PaysNoirState, gap: int) -> Phrase:
    """The empty place of a number, in words."""
    return gap_words(state.board, state.board.laid)[gap_places(state.board)[gap]]


def _drawn(event: CardDrawn, seat: Phrase) -> Phrase:
    if event.card is None:
        return (
            phrase("{seat} is dealt a card.", seat=seat) if event.dealt else phrase("{seat} draws a card.", seat=seat)
        )
    card = card_name(event.card)
    if event.dealt:
        return phrase("{seat} is dealt: {card}.", seat=seat, card=card)
    return phrase("{seat} draws: {card}.", seat=seat, card=card)


def reason(event: Scored) -> Phrase:
    """The thing that points are given for: `Mine linked by rail to the port`."""
    count = event.points
    match event:
        case LineFinished():
            return _line(event)
        case PortCounted():
            sites = plural(count - 1, "{count} other site", "{count} other sites")
            if event.finished:
                return phrase("Port, its railways complete, with {sites} linked", sites=sites)
            return phrase("Port, unfinished, with {sites} linked", sites=sites)
        case MineFinished():
            return phrase("Mine linked by rail to {stop}", stop=_STOPS[event.customer])
        case FactoryFinished():
            return phrase("Factory touches a town and a mine")
        case QuarterLaid():
            if event.station:
                return phrase("{quarter} laid in a town with a station", quarter=_QUARTERS[event.kind])
            return phrase("{quarter} laid in a town", quarter=_QUARTERS[event.kind])
        case UrbanismLaid():
            quarters = plural(count, "{count} quarter", "{count} quarters")
            return phrase("{symbol} for {quarters} built before", symbol=_SYMBOLS[event.symbol], quarters=quarters)
        case CountryCounted():
            things = plural(count, "{count} site or closed town", "{count} sites and closed towns")
            return phrase("Country with {things}", things=things)
    raise TypeError(event)


def _line(event: LineFinished) -> Phrase:
    cards = plural(event.points, "{count} card", "{count} cards")
    if len(event.ends) < 2:
        return phrase("Railway line closed upon itself, over {cards}", cards=cards)
    one, other = _STOPS[event.ends[0]], _STOPS[event.ends[1]]
    return phrase("Railway line from {one} to {other}, over {cards}", one=one, other=other, cards=cards)


def _and(names: Sequence[Phrase]) -> Phrase:
    if len(names) == 1:
        return names[0]
    return phrase("{some} and {last}", some=listed(names[:-1]), last=names[-1])
