"""The facts of a table and the rules about them, without a database."""

from __future__ import annotations

import json

import pytest
from msgspec import structs

from ludotheque.core.errors import CannotUndo
from ludotheque.core.game import SPECTATOR
from ludotheque.core.premoves import Premove
from ludotheque.server.errors import Refused
from ludotheque.server.keys import digest
from ludotheque.server.storage.keys import Key, Keys
from ludotheque.server.tables import seats
from ludotheque.server.tables.dice import is_peeked, renew_dice
from ludotheque.server.tables.facts import (
    SECRET,
    EndOffer,
    Pace,
    RematchRequest,
    Seat,
    TableFacts,
    TableLink,
    TableTerms,
    UndoRequest,
    changed_columns,
    read_facts,
)
from ludotheque.server.tables.joining import Newcomer
from ludotheque.server.tables.moderation import mute
from ludotheque.server.tables.nonces import NonceRound
from ludotheque.server.tables.undo import agree, check_waiting, undo_offer
from ludotheque.show.language import Reader
from ludotheque.table import Ending, Match, Nonce, Resignation
from ludotheque.table.clock import Clock, ClockRule
from tests.toy import Nim

HOST, ANN, BOB, LINK, OTHER_LINK = (digest(name) for name in ("host", "Ann", "Bob", "link", "other link"))
PERSON, FREE, BOT = Seat("person", taken=True), Seat("person"), Seat("bot", "1", taken=True)
ENGLISH = Reader("en")


def facts(*players: Seat, keys: tuple[Key, ...] = (), **more: object) -> TableFacts:
    names = tuple(f"Player {number}" for number in range(1, len(players) + 1))
    plain = TableFacts(host=HOST, names=names, seats=players, keys=Keys(frozenset(keys)))
    return structs.replace(plain, **more)


# Storing.

FULL = facts(
    PERSON, Seat("bot", "2", taken=True, substitutes=True),
    keys=(Key(ANN, 0, "browser"), Key(BOB, 1, "browser")),
    kind="branch", branched_from="k3v9x2m4qa", branch_ply=3, terms=TableTerms(True, ClockRule("game", 60.0)),
    language="fr", password="a hash", closed=True, watchable=True, muted=frozenset([1, SPECTATOR]),
    link=TableLink((LINK.hex(),), frozenset([0])), declined=frozenset([0]), pace=Pace(2.0, True), hints=(1, 0),
    rematch="k3v9x2m4qb", rematch_request=RematchRequest((0,), (1,)), awaited=frozenset([1]),
    clock=Clock((10.0, 20.0), 1, 5.0), seated_at=4.0, undo_request=UndoRequest(0, 2, (), (1,)),
    ending=Ending((Resignation(1, 3),), abandoned=True), end_offer=EndOffer((0,), (1,), 3),
    seed=bytes(32), commitment="c" * 64, dice_since=2, nonce_round=NonceRound("reveal", 9.0, (Nonce(0, "d" * 64),)),
    peeked=7, redeals=1, late=frozenset([1]), ahead={1: Premove("pass", "a share", 0)},
)  # fmt: skip


def test_all_facts_come_back_from_their_columns() -> None:
    defaults = TableFacts(host=b"", names=(), seats=())
    for name in FULL.__struct_fields__:
        assert getattr(FULL, name) != getattr(defaults, name), f"{name} would come back even if it was not stored"
    columns = {name: through_json(value) for name, value in changed_columns(FULL).items()}
    assert read_facts(columns, FULL.keys.rows) == FULL


def through_json(value: object) -> object:
    return value if isinstance(value, bytes) else json.loads(json.dumps(value))


def test_only_columns_that_differ_are_written() -> None:
    before = facts(FREE, BOT)
    assert changed_columns(before, before) == {}
    assert changed_columns(seats.rename(before, 1, "Rob"), before) == {"names": ("Player 1", "Rob")}
    opened = structs.replace(before, seats=(Seat("person", open=True), BOT))
    assert changed_columns(opened, before).keys() == {"seats", "has_open_seat"}


def test_a_column_without_a_value_has_the_default_of_its_field() -> None:
    columns = {"host": HOST, "names": ["Ann"], "seats": [{"who": "person"}], "muted": None, "nonces": None}
    assert read_facts(columns, ()) == TableFacts(host=HOST, names=("Ann",), seats=(FREE,))


def test_all_but_premoves_is_compared_for_what_people_see() -> None:
    before = facts(PERSON, PERSON)
    premoved = structs.replace(before, ahead={1: Premove("pass", "a share", 0)})
    assert premoved.values(except_for=SECRET) == before.values(except_for=SECRET)
    for changed in (mute(before, 1, True), seats.rename(before, 0, "Ann"), seats.count_hint(before, 0)):
        assert changed.values(except_for=SECRET) != before.values(except_for=SECRET)


def test_a_seed_is_not_printed() -> None:
    assert repr(FULL) == "<TableFacts of Player 1, Player 2>"


@pytest.mark.parametrize(
    ("change", "outdates"),
    [
        ({"clock": Clock((1.0, 2.0), 0, 5.0)}, True),
        ({"undo_request": UndoRequest(0, 2)}, True),
        ({"seed": bytes(32)}, True),
        ({"seats": (PERSON, Seat("bot", "1", taken=True, substitutes=True))}, True),
        ({"seats": (PERSON, BOT)}, False),
        ({"names": ("Ann", "Bob")}, False),
        ({"peeked": 3}, False),
    ],
)
def test_a_change_of_clock_dice_or_player_outdates_moves(change: dict[str, object], outdates: bool) -> None:
    before = facts(PERSON, PERSON)
    assert structs.replace(before, **change).outdates_moves(before) == outdates


# Seats.


def test_the_clock_stops_while_a_seat_is_free() -> None:
    before = facts(PERSON, PERSON, clock=Clock((60.0, 60.0), 1, 0.0), seated_at=0.0)
    left = seats.with_seats(before, {1: FREE}, at=10.0)
    assert left.seated_at is None
    assert left.time_left(1, at=99.0) == 50.0
    back = seats.with_seats(left, {1: PERSON}, at=100.0)
    assert back.seated_at == 100.0
    assert back.time_left(1, at=105.0) == 45.0


def test_one_who_leaves_frees_only_seats_that_nobody_else_holds() -> None:
    keys = (Key(ANN, 0, "browser"), Key(ANN, 1, "browser"), Key(BOB, 1, "browser"))
    left = seats.leave(facts(PERSON, PERSON, keys=keys), Match(Nim(2)), [ANN], at=0.0)
    assert left.seats == (Seat("person", open=True), PERSON)
    assert left.keys.rows == {Key(BOB, 1, "browser")}


def test_a_seat_to_which_a_link_leads_is_not_open_to_all() -> None:
    keys = Key(ANN, 0, "browser"), Key(LINK, 0, "link")
    assert seats.leave(facts(PERSON, keys=keys), Match(Nim(2)), [ANN], at=0.0).seats == (FREE,)


def test_a_newcomer_who_wants_another_seat_swaps_it_with_the_other_guest() -> None:
    keys = Key(LINK, 0, "link"), Key(OTHER_LINK, 1, "link")
    before = facts(FREE, FREE, keys=keys, names=("Rob", "Eve"))
    after, seat = seats.join(before, Match(Nim(2)), LINK, BOB, Newcomer(ENGLISH, "Bob", seat=1), at=0.0)
    assert (seat, after.names, after.seats) == (1, ("Eve", "Bob"), (FREE, PERSON))
    assert after.keys.browsers(1) == {BOB}
    assert (after.keys.links(0), after.keys.links(1)) == ({OTHER_LINK}, {LINK})
    assert not after.keys.leads_to(LINK), "a browser holds the seat"


def test_a_link_for_one_more_browser_works_once() -> None:
    before = facts(PERSON, keys=(Key(ANN, 0, "browser"), Key(LINK, 0, "once")))
    after, _ = seats.join(before, Match(Nim(2)), LINK, BOB, Newcomer(ENGLISH), at=0.0)
    assert after.keys.browsers(0) == {ANN, BOB}
    assert LINK not in after.keys


def test_a_seat_is_given_once() -> None:
    with pytest.raises(Refused) as refused:
        seats.sit(facts(PERSON, PERSON), Match(Nim(2)), BOB, 1, Newcomer(ENGLISH), at=0.0)
    assert refused.value.body(ENGLISH).error == "seat-taken"


def test_a_link_in_place_of_all_keys_leaves_the_holder_their_other_seats() -> None:
    keys = Key(BOB, 0, "browser"), Key(BOB, 1, "browser")
    before = facts(PERSON, PERSON, keys=keys)
    after = seats.replace_link(before, 1, LINK, before.rights([HOST]), at=0.0)
    assert after.keys.rows == {Key(BOB, 0, "browser"), Key(LINK, 1, "link")}
    assert after.seats == (PERSON, FREE)


def test_the_host_ends_spectator_links_but_no_seat() -> None:
    keys = (
        Key(HOST, SPECTATOR, "browser"),
        Key(LINK, SPECTATOR, "link"),
        Key(ANN, 0, "browser"),
        Key(ANN, -5, "browser"),
    )
    after = seats.end_spectator_links(facts(PERSON, keys=keys))
    assert after.keys.rows == {*keys} - {Key(LINK, SPECTATOR, "link")}


def test_a_bot_substitutes_until_the_person_takes_the_seat_back() -> None:
    before = facts(PERSON, FREE, keys=(Key(ANN, 0, "browser"), Key(BOB, 1, "browser")))
    with pytest.raises(Refused):
        seats.substitute(before, 0, "1", is_over=False, at=0.0)
    substituted = seats.substitute(before, 1, "1", is_over=False, at=0.0)
    rights = substituted.rights([BOB])
    assert (rights.seats, rights.substituted, rights.held) == ((), (1,), (1,))
    back = seats.give_back(substituted, 1, ply=0, is_over=False, at=0.0)
    assert back.seats == (PERSON, PERSON)
    with pytest.raises(Refused):
        seats.give_back(back, 1, ply=0, is_over=False, at=0.0)


# Dice, undo and moderation.


def test_fresh_dice_end_a_peek_and_a_request_for_an_undo() -> None:
    before = facts(PERSON, PERSON, seed=bytes(32), peeked=5, undo_request=UndoRequest(0, 2))
    assert is_peeked(before, ply=4)
    after = renew_dice(before, 4, NonceRound())
    assert not is_peeked(after, ply=4)
    assert (after.undo_request, after.dice_since) == (None, 4)
    assert after.seed != before.seed


LENT = Seat("bot", "1", taken=True, substitutes=True)


def nim_after(*takes: str) -> Match:
    match = Match(Nim(2))
    for take in takes:
        match.play(match.to_move, take)
    return match


@pytest.mark.parametrize(
    ("keys", "way"),
    [((Key(ANN, 0, "browser"), Key(BOB, 1, "browser")), "ask"), ((Key(ANN, 0, "browser"),), "free")],
)
def test_one_whose_seat_is_lent_to_a_bot_has_to_agree_to_an_undo(keys: tuple[Key, ...], way: str) -> None:
    """Otherwise the opponent takes back the whole game, their own moves included. One who has left does not mind."""
    at = facts(PERSON, LENT, keys=keys)
    offer = undo_offer(nim_after("(1)", "(1)"), at, 0, at.rights([ANN]))
    assert (offer.way, offer.others) == (way, (1,) if way == "ask" else ())


def test_a_spectator_who_leaves_does_not_end_the_link_for_others() -> None:
    keys = Key(LINK, SPECTATOR, "link"), Key(BOB, SPECTATOR, "browser"), Key(OTHER_LINK, 1, "link")
    left = seats.leave(facts(PERSON, FREE, keys=keys), Match(Nim(2)), [LINK, BOB, OTHER_LINK], at=0.0)
    assert left.keys.rows == {Key(LINK, SPECTATOR, "link")}


def test_an_undo_waits_until_all_have_agreed() -> None:
    request = UndoRequest(0, 3, (), (1, 2))
    assert agree(agree(request, 2), 1) == UndoRequest(0, 3, (2, 1), ())
    with pytest.raises(CannotUndo):
        check_waiting(request, 0)
    with pytest.raises(CannotUndo):
        check_waiting(None, 1)


def test_nobody_sits_down_at_a_closed_table() -> None:
    after = seats.close(facts(Seat("person", open=True), PERSON))
    assert not after.has_open_seat
    with pytest.raises(Refused):
        after.check_not_closed()


def test_with_a_password_a_link_alone_opens_nothing() -> None:
    keys = Key(LINK, 1, "link"), Key(ANN, 0, "browser")
    locked = facts(PERSON, FREE, keys=keys, password="a hash")
    assert locked.rights([ANN]).seats == (0,)
    assert not locked.admits([LINK])
    assert structs.replace(locked, password="").admits([LINK])
