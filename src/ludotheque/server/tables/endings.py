"""Rules about ending a game before its last move: someone resigns, or all who are left agree to end it.

An offer to end a game stands until the one who asked moves in a later turn: by then everyone has had a turn to answer,
and who has played on instead wants to play on.
"""

from __future__ import annotations

import logging
from collections.abc import Collection
from typing import Final

from msgspec import structs

from ludotheque.core.phrases import phrase
from ludotheque.server.errors import Refused
from ludotheque.server.tables import proposals
from ludotheque.server.tables.facts import EndOffer, Rights, Seat, TableFacts
from ludotheque.server.tables.live import LiveTable
from ludotheque.server.tables.proposals import standing_offer
from ludotheque.server.tables.seats import change_player, counts_in_tournament, rated
from ludotheque.server.tables.writing import TableWriter
from ludotheque.table import Match

SUCCESSOR: Final = "3"
"""The level of the bot that plays on for someone who has resigned; the host may choose another."""
_LOG: Final = logging.getLogger("ludotheque.server.tables.endings")


class Endings:
    """Ends games before their last move."""

    def __init__(self, writer: TableWriter) -> None:
        self._writer = writer

    async def resign(self, table: LiveTable, seat: int) -> None:
        """Give a seat up: the game ends, or a bot plays on."""

        def law(facts: TableFacts) -> TableFacts:
            return resign(facts, table.match, seat, self._writer.now())

        await self._writer.change(table, law, "seats")
        _LOG.info("someone has resigned", extra={"table": table.id, "seat": seat, "over": table.match.is_over})

    async def offer(self, table: LiveTable, rights: Rights) -> None:
        """Ask the others to end the game without a winner; it ends at once where no one else plays."""
        await self._writer.change(table, lambda facts: offer_end(facts, table.match, rights.held), "facts")

    async def answer(self, table: LiveTable, rights: Rights, agrees: bool) -> None:
        """Agree to end the game, refuse, or withdraw one's offer."""

        def law(facts: TableFacts) -> TableFacts:
            return answer_offer(facts, table.match, rights.held, agrees)

        await self._writer.change(table, law, "facts")


def resign(facts: TableFacts, match: Match, seat: int, at: float) -> TableFacts:
    """Give a seat up. The last seat left wins; until then a bot plays on, unless no person is left."""
    _check_running(match)
    if seat in facts.ending.seats or facts.seats[seat].who != "person":
        raise Refused(409, "not-now", phrase("This player has already resigned, or a bot plays for them."))
    ending = facts.ending.resign(seat, match.ply)
    winner = ending.winner(match.game.players)
    if winner is not None and not facts.seats[winner].taken:
        sentence = phrase("There is no opponent left who could win. End the game instead, or leave the table.")
        raise Refused(409, "not-now", sentence)
    ahead = {other: order for other, order in facts.ahead.items() if other != seat}
    facts = structs.replace(facts, ending=ending, undo_request=None, ahead=ahead)
    if winner is not None:
        return structs.replace(facts, end_offer=None)
    if not asked(facts) or proposals.is_agreed(standing_offer(facts, match), asked(facts)):
        return _abandon(facts)
    return change_player(facts, seat, Seat("bot", SUCCESSOR, taken=True, substitutes=True), at)


def lose_on_time(facts: TableFacts, match: Match, seat: int) -> TableFacts:
    """Let a seat lose whose time is up; the game ends, unless other people play on."""
    ending = facts.ending.time_out(seat, match.ply)
    facts = structs.replace(facts, ending=ending, undo_request=None, end_offer=None, awaited=facts.awaited - {seat})
    return facts if ending.ends(match.game.players) or asked(facts) else _abandon(facts)


def asked(facts: TableFacts) -> frozenset[int]:
    """The seats that have to agree to end the game: those whose people have not resigned."""
    return proposals.holders(facts) - facts.ending.seats


def offer_end(facts: TableFacts, match: Match, held: Collection[int]) -> TableFacts:
    """Ask to end the game, for someone who holds these seats; after a refusal, again only once someone has moved."""
    _check_running(match)
    seats = _playing(facts, held)
    if facts.terms.tournament:
        raise counts_in_tournament()
    if facts.is_rated_against_bots:
        raise rated()
    before = standing_offer(facts, match)
    if before and not before.refused:
        return _agree(facts, before, seats)
    if before and before.ply == match.ply:
        raise Refused(409, "not-now", phrase("The others want to play on. You can ask again after the next move."))
    return _agree(facts, EndOffer((), ply=match.ply), seats)


def answer_offer(facts: TableFacts, match: Match, held: Collection[int], agrees: bool) -> TableFacts:
    """Agree to end the game, for someone who holds these seats; or refuse, or withdraw what they asked."""
    _check_running(match)
    seats = _playing(facts, held)
    before = standing_offer(facts, match)
    if before is None or before.refused:
        raise Refused(409, "not-now", phrase("No one has asked to end the game."))
    if agrees:
        return _agree(facts, before, seats)
    refused = proposals.refuse(structs.replace(before, ply=match.ply), seats)
    return structs.replace(facts, end_offer=refused)


def _agree(facts: TableFacts, offer: EndOffer, seats: Collection[int]) -> TableFacts:
    agreed = proposals.agree(offer, seats)
    facts = structs.replace(facts, end_offer=agreed)
    return _abandon(facts) if proposals.is_agreed(agreed, asked(facts)) else facts


def _abandon(facts: TableFacts) -> TableFacts:
    return structs.replace(facts, ending=facts.ending.abandon(), end_offer=None, undo_request=None)


def _check_running(match: Match) -> None:
    if match.is_over:
        raise Refused(409, "over", phrase("The game is over."))


def _playing(facts: TableFacts, held: Collection[int]) -> list[int]:
    """Those of these seats that have not resigned; at least one, or it is refused."""
    seats = [seat for seat in held if seat not in facts.ending.seats]
    if not seats:
        raise Refused(403, "forbidden", phrase("Only those who play can do that."))
    return seats
