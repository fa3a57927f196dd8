"""The log of Pays noir: what each action did, and what each point was given for; places by what lies beside them."""

from __future__ import annotations

from collections.abc import Iterator

from ludotheque.core.bits import places
from ludotheque.core.game import CHANCE
from ludotheque.core.phrases import Phrase, phrase, plural, points, seat_name, winners
from ludotheque.games.pays_noir.board import Board
from ludotheque.games.pays_noir.deck import COUNT, FACTORY, PORT, QUARTER, STATIONS_FROM
from ludotheque.games.pays_noir.notation import card_name, last_card, last_spot_name
from ludotheque.games.pays_noir.observe import card_places, gap_places, held, sees
from ludotheque.games.pays_noir.place_words import beside, gap_words
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
    SPOT,
    TURN,
    Award,
    Journal,
    PaysNoirState,
)


def describe(before: PaysNoirState, action: int, after: PaysNoirState, viewer: int) -> list[Phrase]:
    """The lines of the log for an action or a draw; a chosen card and place are named once the card is laid."""
    if before.current_player() == CHANCE:
        return [_describe_draw(before, action, viewer)]
    seat = seat_name(before.seat)
    lines: list[Phrase] = []
    if before.phase == CARD and action >= before.deck.first_discard:
        lines.append(_describe_discard(before, action))
    if after.board.laid > before.board.laid:
        where = beside(before.board, card_places(after.board)[-1])
        lines.append(
            phrase("{seat} lays a card {where}: {card}.", seat=seat, where=where, card=card_name(last_card(after)))
        )
    if before.phase == SPOT and action > before.deck.first_member:
        spot = last_card(after).spots[action - before.deck.first_member - 1]
        lines.append(phrase("{seat} places a member on {spot}.", seat=seat, spot=last_spot_name(after, spot)))
    lines += [_describe_award(after, award) for award in awards(before, action)]
    lines += _describe_closed_towns(before, action, after)
    if after.is_terminal():
        lines += _describe_end(after)
    return lines


def describe_decision(state: PaysNoirState, action: int) -> Phrase:
    """What an action of a turn decides, in one sentence of its own."""
    seat, deck = seat_name(state.seat), state.deck
    if state.phase == CARD and action >= deck.first_discard:
        return _describe_discard(state, action)
    if state.phase == CARD:
        return phrase("{seat} chooses a card to lay: {card}.", seat=seat, card=card_name(deck.cards[action]))
    if state.phase == SPOT:
        if action == deck.first_member:
            return phrase("{seat} places no member on the card just laid.", seat=seat)
        spot = last_spot_name(state, last_card(state).spots[action - deck.first_member - 1])
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


def awards(before: PaysNoirState, action: int) -> list[Award]:
    """What an action gives points for, in the order of the log."""
    again = before.clone()
    journal = Journal()
    again.journal = journal
    again.apply(action)
    return sorted(journal.awards, key=lambda award: award.reason)


def _describe_draw(state: PaysNoirState, card: int, viewer: int) -> Phrase:
    seat = seat_name(state.seat)
    is_dealt = state.phase == DEAL
    if not sees(state, card, viewer):
        return phrase("{seat} is dealt a card.", seat=seat) if is_dealt else phrase("{seat} draws a card.", seat=seat)
    name = card_name(state.deck.cards[card])
    if is_dealt:
        return phrase("{seat} is dealt: {card}.", seat=seat, card=name)
    return phrase("{seat} draws: {card}.", seat=seat, card=name)


def _describe_discard(state: PaysNoirState, action: int) -> Phrase:
    cards = state.deck.cards
    hand = [card_name(cards[entry >> 1]) for entry in held(state, state.seat)]
    return phrase(
        "{seat} shows a hand that fits nowhere ({hand}) and discards: {card}.",
        seat=seat_name(state.seat), hand=_list(hand), card=card_name(cards[action - state.deck.first_discard]),
    )  # fmt: skip


def _describe_award(state: PaysNoirState, award: Award) -> Phrase:
    """`Mine linked by rail to the port: 4 points to Seat 2.`"""
    texts = {
        FOR_LINE: _line_text,
        FOR_PORT: _port_text,
        FOR_MINE: _mine_text,
        FOR_FACTORY: _factory_text,
        FOR_QUARTER: _quarter_text,
        FOR_URBANISM: _urbanism_text,
        FOR_COUNTRY: _country_text,
    }
    seats = [seat_name(seat) for seat in places(award.families)]
    what = texts[award.reason](state, award)
    return phrase("{what}: {points} to {seats}.", what=what, points=points(award.points), seats=_and(seats))


def _line_text(state: PaysNoirState, award: Award) -> Phrase:
    ends = list(_line_ends(state.board, award.node))
    cards = plural(award.points, "{count} card", "{count} cards")
    if len(ends) < 2:
        return phrase("Railway line closed upon itself, over {cards}", cards=cards)
    return phrase("Railway line from {one} to {other}, over {cards}", one=ends[0], other=ends[1], cards=cards)


def _line_ends(board: Board, line: int) -> Iterator[Phrase]:
    """The stops of a finished line."""
    for track in sorted(_whole(board, line)):
        number = board.card_of(track)
        card = board.deck.cards[board.type_of(number)]
        for end in card.tracks[track - board.base(number) - len(card.quarters)].ends:
            if isinstance(end, str):
                yield _stop_name(end)


def _stop_name(stop: str) -> Phrase:
    kind = stop.partition(":")[0]
    return {
        "quarter": phrase("the town"),
        "station": phrase("the station"),
        "mine": phrase("the mine"),
        "factory": phrase("the factory"),
        "port": phrase("the port"),
    }[kind]


def _whole(board: Board, node: int) -> list[int]:
    """The nodes of a whole set."""
    found = [node]
    while board.following(found[-1]) != node:
        found.append(board.following(found[-1]))
    return found


def _port_text(state: PaysNoirState, award: Award) -> Phrase:
    sites = plural(award.points - 1, "{count} other site", "{count} other sites")
    if state.board.is_finished(award.node):
        return phrase("Port, its railways complete, with {sites} linked", sites=sites)
    return phrase("Port, unfinished, with {sites} linked", sites=sites)


def _mine_text(state: PaysNoirState, award: Award) -> Phrase:
    return phrase("Mine linked by rail to {stop}", stop=_customer(state.board, award.node))


def _customer(board: Board, mine: int) -> Phrase:
    """A port, else a factory, else a town in the network of a mine."""
    found: set[int] = set()
    for net in _whole(board, board.network(mine)):
        part = board.part(net)
        for tie in board.deck.ties[int(board.deck.first_tie[part]) : int(board.deck.first_tie[part + 1])]:
            found.add(board.kind(board.base(board.card_of(net)) + int(tie)))
    names = {PORT: "port", FACTORY: "factory", QUARTER: "quarter"}
    return _stop_name(next(name for kind, name in names.items() if kind in found))


def _factory_text(state: PaysNoirState, award: Award) -> Phrase:
    return phrase("Factory touches a town and a mine")


def _quarter_text(state: PaysNoirState, award: Award) -> Phrase:
    board = state.board
    card = board.deck.cards[board.type_of(board.card_of(award.node))]
    quarter = card.quarters[award.node - board.base(board.card_of(award.node))]
    kinds = {"bourgeois": phrase("Bourgeois quarter"), "corons": phrase("Corons"), "slum": phrase("Slum")}
    if (board.record(award.node) >> STATIONS_FROM) & COUNT:
        return phrase("{quarter} laid in a town with a station", quarter=kinds[quarter.kind])
    return phrase("{quarter} laid in a town", quarter=kinds[quarter.kind])


def _urbanism_text(state: PaysNoirState, award: Award) -> Phrase:
    board = state.board
    card = board.deck.cards[board.type_of(board.card_of(award.node))]
    symbols = {"water": phrase("Water supply"), "sewers": phrase("Sewers"), "lighting": phrase("Street lighting")}
    symbol = symbols[card.quarters[award.node - board.base(board.card_of(award.node))].urbanism]
    quarters = plural(award.points, "{count} quarter", "{count} quarters")
    return phrase("{symbol} for {quarters} built before", symbol=symbol, quarters=quarters)


def _country_text(state: PaysNoirState, award: Award) -> Phrase:
    things = plural(award.points, "{count} site or closed town", "{count} sites and closed towns")
    return phrase("Country with {things}", things=things)


def _describe_closed_towns(before: PaysNoirState, action: int, after: PaysNoirState) -> Iterator[Phrase]:
    """The towns that the turn just ended has closed and whose members went home."""
    if before.phase == CARD or after.phase in (SPOT, TURN):
        return
    board = after.board
    first = board.base(board.laid - 1)
    own = first + action - before.deck.first_member - 1 if before.phase == SPOT else -1
    towns = {board.root(first + i) for i in range(len(last_card(after).quarters))}
    for town in sorted(towns):
        whole = _whole(board, town)
        stood = [node for node in whole if node < before.board.used and _was_occupied(before.board, node)]
        if board.is_finished(town) and (stood or own in whole):
            yield phrase("A town is closed; its members go home.")


def _was_occupied(board: Board, node: int) -> bool:
    return board.member_node(board.card_of(node)) == node


def _describe_end(state: PaysNoirState) -> Iterator[Phrase]:
    if state.track_is_full():
        yield phrase("The score track ends at {space}: the game is over.", space=state.last_space)
    yield from winners(state.scores(), state.returns())


def _and(names: list[Phrase]) -> Phrase:
    if len(names) == 1:
        return names[0]
    return phrase("{some} and {last}", some=_list(names[:-1]), last=names[-1])


def _list(names: list[Phrase]) -> Phrase:
    listed = names[0]
    for name in names[1:]:
        listed = phrase("{some}, {last}", some=listed, last=name)
    return listed
