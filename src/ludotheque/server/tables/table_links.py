"""Rules about the link of a table: each friend who follows it takes a free seat, or watches."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from msgspec import structs

from ludotheque.core.game import SPECTATOR
from ludotheque.core.phrases import phrase
from ludotheque.server.errors import Refused, forbidden
from ludotheque.server.storage.keys import NO_SEATS
from ludotheque.server.tables.facts import Rights, TableFacts, TableLink
from ludotheque.server.tables.joining import Newcomer, given_name, may_be_chosen
from ludotheque.server.tables.seats import take_seat
from ludotheque.table import Match
from ludotheque.table.names import is_unlike

MOST_LINKS: Final = 8
"""The most links of a table that are valid at once; the oldest ends first."""


def free_by_link(facts: TableFacts, match: Match) -> list[int]:
    """The seats that the link of a table leads to: first those whose invitation no one has declined."""
    seats = facts.link.seats if facts.link and not match.is_over else NO_SEATS
    free = [seat for seat in seats if may_be_chosen(facts, match, seat)]
    return sorted(free, key=lambda seat: (seat in facts.declined, seat))


def join_by_link(
    facts: TableFacts, match: Match, browser: bytes, newcomer: Newcomer, at: float
) -> tuple[TableFacts, int]:
    """Give a browser the free seat that it wants, or else the next one; return that seat too."""
    held = facts.keys.seats(browser)
    free = free_by_link(facts, match)
    if facts.keys.holds_seat(browser) or (held and not free):
        return facts, max(held)
    if not free:
        raise Refused(409, "seat-taken", phrase("All seats of this table are taken now."))
    wanted = newcomer.seat if newcomer.seat in free else free[0]
    return take_seat(
        facts, match, browser, _meant_for(facts, match, free, wanted, newcomer), wanted, newcomer, at
    ), wanted


def _meant_for(facts: TableFacts, match: Match, free: Collection[int], wanted: int, newcomer: Newcomer) -> int:
    """The free seat to which the host gave the name of a newcomer: who was meant for `wanted` gets it instead."""
    named = [seat for seat in free if not is_unlike(newcomer.name, [given_name(facts.names[seat], match.game, seat)])]
    return named[0] if newcomer.name and named else wanted


def decline_by_link(facts: TableFacts, match: Match) -> TableFacts:
    """Note that one of the friends has declined; the link still opens the seat."""
    awaited = [seat for seat in free_by_link(facts, match) if seat not in facts.declined]
    return structs.replace(facts, declined=facts.declined.union(awaited[-1:]))


def new_table_link(
    facts: TableFacts, match: Match, link: bytes, challenges: Collection[bytes], rights: Rights
) -> TableFacts:
    """Add a link to the free seats of a table, but not to those to which `challenges`, links too, invite someone."""
    rights.check_host()
    if facts.terms.tournament:
        raise forbidden(phrase("Nobody else can take a seat at a table whose result counts."))
    challenged = {seat for challenge in challenges for seat in facts.keys.seats(challenge)}
    free = {seat for seat in facts.people if seat not in challenged and may_be_chosen(facts, match, seat)}
    if not free or match.is_over:
        raise Refused(409, "not-now", phrase("No seat is free for a friend."))
    before = facts.link or TableLink((), NO_SEATS)
    digests = (*before.digests, link.hex())[-MOST_LINKS:]
    return structs.replace(facts, link=TableLink(digests, (before.seats - challenged) | free))


def is_settled(facts: TableFacts, match: Match, browser: bytes) -> bool:
    """Whether there is nothing to ask someone who follows the link: they hold a seat, or watch and none is free."""
    return facts.keys.holds_seat(browser) or (SPECTATOR in facts.keys.seats(browser) and not free_by_link(facts, match))
