"""Rules about the seats of a table: who sits down, leaves, or is substituted by a bot, and which links lead there."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final, TypeVar

from msgspec import structs

from ludotheque.core.game import SPECTATOR
from ludotheque.core.phrases import phrase
from ludotheque.server.errors import Refused, forbidden
from ludotheque.server.storage.keys import Key, KeyKind
from ludotheque.server.tables.dice import deal_again, is_only_dealt, is_peeked, renew_dice
from ludotheque.server.tables.facts import NO_HOST, Pace, Rights, Seat, TableFacts
from ludotheque.server.tables.joining import Newcomer, may_be_chosen, swapped_names
from ludotheque.server.tables.nonces import NonceRound
from ludotheque.table import Match, clock as clocks
from ludotheque.table.names import check_unlike

RATED_WAIT: Final = 600.0
"""Seconds that a rated table waits for someone who has not come."""
MOST_TO_WATCH: Final = 1000
"""The most keys to watch a table: every change of its keys looks at all of them, and whoever watches may bring more."""
T = TypeVar("T")


def check_may_leave(facts: TableFacts, digests: Collection[bytes], is_over: bool) -> None:
    """Raise if someone who plays would leave a game that counts."""
    if facts.terms.tournament and not is_over and any(facts.keys.holds_seat(key) for key in digests):
        raise counts_in_tournament()
    if facts.terms.rated and facts.is_full and not is_over and any(facts.keys.holds_seat(key) for key in digests):
        raise rated()


def rated() -> Refused:
    return Refused(409, "rated", phrase("A rated game counts only when it ends: play on, or resign."))


def counts_in_tournament() -> Refused:
    return Refused(409, "tournament", phrase("This game counts in a tournament: play on, or resign."))


def with_seats(facts: TableFacts, changed: Mapping[int, Seat], at: float) -> TableFacts:
    """Change seats; the clock stops while one is free. Who declined one, or has not come, no longer counts."""
    seats = tuple(changed.get(number, seat) for number, seat in enumerate(facts.seats))
    clock, seated, awaited = facts.clock, facts.seated_at, facts.awaited - changed.keys()
    if not all(seat.taken for seat in seats):
        if clock and seated is not None:
            clock = clocks.stop_clock(clock, at, seated)
        seated = None
    elif seated is None and not awaited:
        seated = at
    return structs.replace(
        facts, seats=seats, seated_at=seated, clock=clock, declined=facts.declined - changed.keys(), awaited=awaited
    )


def arrive(facts: TableFacts, seats: Collection[int], at: float) -> TableFacts:
    """Note that people have come to a table, or have moved; the clock runs once all are there."""
    awaited = facts.awaited - {*seats}
    if awaited == facts.awaited:
        return facts
    starts = not awaited and facts.is_full and facts.seated_at is None
    return structs.replace(facts, awaited=awaited, seated_at=at if starts else facts.seated_at)


def rename(facts: TableFacts, seat: int, name: str) -> TableFacts:
    """Give a seat a name that looks like none of the others."""
    check_unlike(name, facts.names[:seat] + facts.names[seat + 1 :])
    return structs.replace(facts, names=_replaced(facts.names, seat, name))


def count_hint(facts: TableFacts, seat: int) -> TableFacts:
    """Count a hint that a seat has used."""
    hints = facts.hints or (0,) * len(facts.seats)
    return structs.replace(facts, hints=_replaced(hints, seat, hints[seat] + 1))


def _replaced(values: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    return (*values[:place], value, *values[place + 1 :])


# Sitting down.


def seat_of_link(facts: TableFacts, link: bytes, browser: bytes) -> int:
    """The seat that a link is for; `not_found` for a client without any key."""
    opened = facts.keys.seats(link)
    if not opened:
        facts.rights([browser])
        raise forbidden(phrase("This link is not valid here; ask for a new one."))
    return max(opened)


def join(
    facts: TableFacts, match: Match, link: bytes, browser: bytes, newcomer: Newcomer, at: float
) -> tuple[TableFacts, int]:
    """Give a browser the seat that a link opens, or another free one that it wants; return that seat too."""
    seat = seat_of_link(facts, link, browser)
    if browser in facts.keys.browsers(seat):
        return facts, seat
    if not facts.keys.leads_to(link):
        raise forbidden(phrase("Another browser has used this link already; ask for a new one."))
    if seat >= 0 and not facts.seats[seat].taken:
        wanted = seat if newcomer.seat is None else newcomer.seat
        return take_seat(facts, match, browser, seat, wanted, newcomer, at), wanted
    facts = _renew_if_peeked(facts, match, seat, browser, newcomer)
    keys = facts.keys.without([link]) if facts.keys.kind(link) == "once" else facts.keys
    if seat < 0:
        return let_watch(structs.replace(facts, keys=keys), browser), seat
    return structs.replace(facts, keys=keys.adding(Key(browser, seat, "browser"))), seat


def let_watch(facts: TableFacts, browser: bytes) -> TableFacts:
    """Give a browser a key to watch, unless there are too many."""
    watching = facts.keys.holders(SPECTATOR)
    if len(watching) >= MOST_TO_WATCH and browser not in watching:
        raise Refused(429, "too-many", phrase("Too many people have come to watch this table."), retry_after=60)
    return structs.replace(facts, keys=facts.keys.adding(Key(browser, SPECTATOR, "browser")))


def watch_by_link(facts: TableFacts, link: bytes, browser: bytes) -> TableFacts:
    """Let a browser watch by the link to a seat, which stays as it is."""
    if not facts.keys.leads_to(link):
        raise forbidden(phrase("This link is not valid here; ask for a new one."))
    return let_watch(facts, browser)


def decline(facts: TableFacts, link: bytes) -> TableFacts:
    """Note that the invitation to a free seat was declined; the link still opens it."""
    free = [seat for seat in facts.keys.leads_to(link) if seat >= 0 and not facts.seats[seat].taken]
    if not free:
        raise forbidden(phrase("This link is not valid here; ask for a new one."))
    return structs.replace(facts, declined=facts.declined.union(free))


def sit(facts: TableFacts, match: Match, browser: bytes, seat: int, newcomer: Newcomer, at: float) -> TableFacts:
    """Give a browser an open seat."""
    if not facts.seats[seat].open:
        raise seat_taken()
    return take_seat(facts, match, browser, seat, seat, newcomer, at)


def take_seat(
    facts: TableFacts, match: Match, browser: bytes, first: int, wanted: int, newcomer: Newcomer, at: float
) -> TableFacts:
    """Give a browser with a link to the free seat `first` the one it wants; the two seats then change places."""
    if facts.terms.rated and facts.keys.holds_seat(browser):
        sentence = phrase("In a rated game each seat is for a different person.")
        raise Refused(409, "rated", sentence)
    if wanted != first and not (may_be_chosen(facts, match, first) and may_be_chosen(facts, match, wanted)):
        raise seat_taken()
    names = swapped_names(facts.names, match.game, first, wanted, newcomer)
    keys, seats = facts.keys, {first: facts.seats[wanted]} | {wanted: Seat("person", taken=True)}
    if wanted != first:
        to_first, to_wanted = keys.links(first), keys.links(wanted)
        keys = keys.without(to_first | to_wanted)
        keys = keys.adding(*_links(to_first, wanted), *_links(to_wanted, first))
        facts = structs.replace(facts, link=facts.link and facts.link.swapped(first, wanted))
    facts = _with_unseen_deal(facts, match, wanted, browser, newcomer)
    facts = structs.replace(facts, names=names, keys=keys.adding(Key(browser, wanted, "browser")))
    facts = with_seats(facts, seats, at)
    committed = facts.nonce_round.seated({wanted: newcomer.commitment}, facts.is_full)
    return without_host(structs.replace(facts, nonce_round=committed))


def without_host(facts: TableFacts) -> TableFacts:
    """A rated table has no host once all are seated, so that no one can end the game for the others."""
    is_complete = facts.terms.rated and facts.is_full
    return structs.replace(facts, host=NO_HOST) if is_complete else facts


def _links(digests: Collection[bytes], seat: int) -> list[Key]:
    return [Key(digest, seat, "link") for digest in digests]


def _with_unseen_deal(facts: TableFacts, match: Match, seat: int, browser: bytes, newcomer: Newcomer) -> TableFacts:
    """Deal again for a newcomer who sits down before the first move; note that they are late after it.

    Others may have looked at the hand of the seat, or have chosen among several deals.
    """
    if facts.keys.holds_seat(browser):
        return facts
    if is_only_dealt(facts, match):
        return deal_again(facts, NonceRound.of_seated() if facts.nonce_round.nonces else NonceRound())
    return _renew_if_peeked(_with_late(facts, match, [seat]), match, seat, browser, newcomer)


def _with_late(facts: TableFacts, match: Match, seats: Collection[int]) -> TableFacts:
    """Note that others may know what is hidden from the rest about these seats."""
    has_secrets = match.game.has_chance or match.game.has_hidden_information
    if not (has_secrets and match.ply) or match.is_over:
        return facts
    return structs.replace(facts, late=facts.late.union(seats))


def _renew_if_peeked(facts: TableFacts, match: Match, seat: int, browser: bytes, newcomer: Newcomer) -> TableFacts:
    """Give a table fresh dice if a newcomer sits down where others have seen what the old ones would draw."""
    if seat >= 0 and is_peeked(facts, match.ply) and not facts.keys.holds_seat(browser):
        return renew_dice(facts, match.ply, NonceRound.of_seated() if newcomer.commitment else NonceRound())
    return facts


def leave(facts: TableFacts, match: Match, digests: Collection[bytes], at: float) -> TableFacts:
    """Delete these keys; a seat that no one holds any more becomes free, and open if no link leads to it.

    A spectator link stays: others watch by it too. Whoever still holds a seat was not the only one to see its hand.
    """
    keys = facts.keys
    dropped = {key for key in digests if keys.kind(key) != "link" or keys.holds_seat(key)}
    left = {seat for key in dropped for seat in keys.seats(key) if seat >= 0}
    freed = [seat for seat in left if keys.browsers(seat) <= dropped and facts.seats[seat].who == "person"]
    may_open = not match.is_over and not facts.terms.tournament
    seats = {seat: Seat("person", open=may_open and keys.holders(seat) <= dropped) for seat in freed}
    shared = [seat for seat in left if not keys.browsers(seat) <= dropped]
    facts = _with_late(structs.replace(facts, keys=keys.without(dropped)), match, shared)
    return with_seats(facts, seats, at)


def free_seat(facts: TableFacts, seat: int, at: float) -> TableFacts:
    """End all keys to a seat, and the table's link; who held it may chat again, and sit down only with a new link."""
    keys = facts.keys.without(facts.keys.holders(seat), seat)
    freed = structs.replace(facts, keys=keys, link=None, muted=facts.muted - {seat})
    return with_seats(freed, {seat: Seat("person")}, at)


def close(facts: TableFacts) -> TableFacts:
    """Nobody can sit down at a closed table, and only those with a key can look at it."""
    seats = tuple(structs.replace(seat, open=False) for seat in facts.seats)
    return structs.replace(facts, closed=True, watchable=False, link=None, seats=seats)


# Links.


def add_link(
    facts: TableFacts, seat: int, link: bytes, kind: KeyKind, replaced: Collection[bytes], at: float
) -> TableFacts:
    """Add a link to a seat, in place of other keys to it; if there were any, no one sits there any more."""
    keys = facts.keys.without(replaced, seat).adding(Key(link, seat, kind))
    seats = {seat: Seat("person", open=facts.seats[seat].open)} if replaced else {}
    return with_seats(structs.replace(facts, keys=keys), seats, at)


def new_link(facts: TableFacts, seat: int, link: bytes, rights: Rights, at: float) -> TableFacts:
    """Add a spectator link; for a holder, a link for one more browser; for the host, the link to a free seat."""
    if seat == SPECTATOR:
        rights.check_seated()
        return add_link(facts, seat, link, "link", (), at)
    if facts.terms.tournament or (facts.terms.rated and facts.seats[seat].taken):
        raise forbidden(phrase("Nobody else can take a seat at a table whose result counts."))
    if seat in rights.seats:
        return add_link(facts, seat, link, "once", (), at)
    if not (rights.is_host and facts.seats[seat].who == "person" and not facts.seats[seat].taken):
        raise forbidden(phrase("A link to a seat is for its holder, or for the host while nobody sits there."))
    return add_link(facts, seat, link, "link", facts.keys.links(seat), at)


def replace_link(facts: TableFacts, seat: int, link: bytes, rights: Rights, at: float) -> TableFacts:
    """Add a link to a seat in place of all its keys, so that no one holds it any more; for the host. The table's link
    ends too: who held the seat may have come by it."""
    rights.check_host()
    if facts.seats[seat].who != "person" or seat in rights.seats:
        raise forbidden(phrase("Only the link of another person's seat can be replaced."))
    return add_link(structs.replace(facts, link=None), seat, link, "link", facts.keys.holders(seat), at)


def end_spectator_links(facts: TableFacts) -> TableFacts:
    """End all links by which people may watch for as long as they like, and the browsers that came by one."""
    spectators = facts.keys.holders(SPECTATOR) - {facts.host}
    ended = [key for key in spectators if facts.keys.seats(key) == {SPECTATOR}]
    return structs.replace(facts, keys=facts.keys.without(ended), link=None)


# Bots.


def set_pace(facts: TableFacts, pace: Pace) -> TableFacts:
    """Set the speed of the bots. In a game that counts nobody can let them pause: to think without a clock, or to put
    off a result."""
    if pace.paused and facts.terms.is_binding:
        raise counts_in_tournament() if facts.terms.tournament else rated()
    return structs.replace(facts, pace=pace)


def replace_bot(facts: TableFacts, seat: int, level: str, is_over: bool, at: float) -> TableFacts:
    """Give the seat of a bot to another bot; without a level, to the first person who sits down."""
    bot = facts.seats[seat]
    if bot.who != "bot" or is_over:
        raise Refused(409, "no-bot", phrase("There is no bot at that seat."))
    return with_seats(facts, {seat: structs.replace(bot, level=level) if level else Seat("person", open=True)}, at)


def may_substitute(facts: TableFacts, seat: int, is_over: bool, at: float) -> bool:
    """Whether a bot may play on for a person: no one holds the seat, or they do not come, or their time is up. In a
    tournament the server says when someone has not come."""
    player = facts.seats[seat]
    is_gone = not player.taken or _does_not_come(facts, seat, at) or facts.time_left(seat, at) == 0
    return player.who == "person" and not is_over and is_gone


def _does_not_come(facts: TableFacts, seat: int, at: float) -> bool:
    """Whether the others need not wait for someone: at a rated table they do for a while, since a bot costs rating."""
    if seat not in facts.awaited or facts.terms.tournament:
        return False
    return not facts.terms.rated or (facts.clock is not None and at >= facts.clock.since + RATED_WAIT)


def substitute(facts: TableFacts, seat: int, level: str, is_over: bool, at: float) -> TableFacts:
    """Let a bot play on for a person who has left or whose time is up."""
    if not may_substitute(facts, seat, is_over, at):
        sentence = phrase("A bot can take over only for someone who has left, has not come, or whose time is up.")
        raise Refused(409, "not-now", sentence)
    return change_player(facts, seat, Seat("bot", level, taken=True, substitutes=True), at)


def give_back(facts: TableFacts, seat: int, ply: int, is_over: bool, at: float) -> TableFacts:
    """Give a seat back to the person whom a bot plays for; it is open if no one holds it."""
    if not facts.seats[seat].substitutes or is_over:
        raise Refused(409, "not-now", phrase("No bot plays for a person there."))
    if seat in facts.ending.seats:
        raise Refused(409, "not-now", phrase("Someone who has resigned cannot come back."))
    is_held = bool(facts.keys.browsers(seat))
    if is_held and is_peeked(facts, ply):
        facts = renew_dice(facts, ply, NonceRound.of_seated() if facts.nonce_round.nonces else NonceRound())
    return change_player(facts, seat, Seat("person", taken=is_held, open=not is_held), at)


def change_player(facts: TableFacts, seat: int, player: Seat, at: float) -> TableFacts:
    """Let someone else play on for a seat, with a new time for the move or what is left of the game's."""
    changed = with_seats(facts, {seat: player}, at)
    if not facts.terms.clock or not changed.clock:
        return changed
    return structs.replace(
        changed, clock=clocks.change_player(facts.terms.clock, changed.clock, seat, at, facts.seated_at)
    )


def seat_taken() -> Refused:
    return Refused(409, "seat-taken", phrase("That seat is not open, or someone has just sat down there."))
