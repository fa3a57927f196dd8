"""Dice that nobody can choose: browsers add nonces, late ones are left out, and what was seen is not drawn again."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs
from sqlalchemy.exc import OperationalError

from ludotheque.core.errors import CannotUndo, StaleVersion, UnfairDice
from ludotheque.core.game import CHANCE, SPECTATOR
from ludotheque.core.phrases import phrase
from ludotheque.server.commands import NewSeat, NewTable
from ludotheque.server.config import Settings
from ludotheque.server.keys import digest
from ludotheque.server.storage.database import Storage
from ludotheque.server.storage.rows import Change
from ludotheque.server.table_bots import TableBots
from ludotheque.server.tables import dice_timer, nonces
from ludotheque.server.tables.actions import TableActions
from ludotheque.server.tables.cache import LiveTables
from ludotheque.server.tables.dice import is_peeked
from ludotheque.server.tables.dice_timer import TableDice
from ludotheque.server.tables.events import TableEvents
from ludotheque.server.tables.facts import Rights, UndoRequest
from ludotheque.server.tables.joining import Newcomer
from ludotheque.server.tables.live import LiveTable
from ludotheque.server.tables.nonces import NonceRound
from ludotheque.server.tables.opening import TableOpener
from ludotheque.server.tables.reading import UntrustedReader
from ludotheque.server.tables.seating import Seating
from ludotheque.server.tables.view_cache import ViewCache
from ludotheque.server.tables.view_shapes import NOBODY
from ludotheque.server.tables.writing import TableWriter
from ludotheque.server.workers import LimitedWorkers
from ludotheque.show.language import Reader
from ludotheque.table import Nonce, read_json
from ludotheque.table.clock import ClockRule
from ludotheque.table.dice import commitment_of
from tests.server.harness import Browser, Opened, first_action, run_apart, wait_until
from tests.server.test_clocks import ANN, BOB, ENGLISH, Club, played
from tests.toy import Orchard

NONCES = [f"{number:02}" * 32 for number in range(1, 5)]
COMMITMENTS = [commitment_of(bytes.fromhex(nonce)) for nonce in NONCES]


def open_shared(host: Browser, *seats: dict[str, str], game: str = Orchard.name) -> Opened:
    answer = host.post("/api/tables", {"game": game, "seats": list(seats), "pace": 0, "shared_dice": True})
    assert answer.status_code == 201, answer.text
    return Opened(host, answer.json())


def me(number: int = 0) -> dict[str, str]:
    return {"who": "me", "commitment": COMMITMENTS[number]}


BOT = {"who": "bot", "level": "random"}
LINK = {"who": "link"}


def join(browser: Browser, table: Opened, seat: int) -> None:
    secret = table.links[seat].partition("#")[2]
    body = {"secret": secret, "commitment": COMMITMENTS[seat]}
    assert browser.post(f"/api/tables/{table.id}/join", body).status_code == 200


def reveal(browser: Browser, table: Opened, seat: int, nonce: str | None = None) -> int:
    body = {"seat": seat, "nonce": nonce or NONCES[seat]}
    return browser.post(f"/api/tables/{table.id}/nonces", body).status_code


def commit(browser: Browser, table: Opened, seat: int, number: int | None = None) -> int:
    body = {"seat": seat, "commitment": COMMITMENTS[seat if number is None else number]}
    return browser.post(f"/api/tables/{table.id}/commitments", body).status_code


def play_to_the_end(table: Opened, *players: Browser) -> Any:
    """Let each browser play for the seat of its number."""
    while True:
        view = players[0].view(table.id)
        if view["over"]:
            return view
        if view["to_move"] >= len(players):
            continue
        seat = view["to_move"]
        assert players[seat].play(table.id, seat).status_code == 200


# With several people.


def test_the_dice_draw_once_all_sit_and_have_revealed(ann: Browser, bob: Browser) -> None:
    table = open_shared(ann, me(), LINK)
    waiting = ann.view(table.id)
    assert (waiting["ply"], waiting["to_move"], waiting["dice"]["state"]) == (0, CHANCE, "open")
    assert reveal(ann, table, 0) == 409, "nobody may reveal before all have committed"
    join(bob, table, 1)
    assert bob.view(table.id)["dice"]["state"] == "reveal"
    assert reveal(ann, table, 0) == 200
    shown = bob.get(f"/api/tables/{table.id}").text
    assert NONCES[0] not in shown, "what others revealed is hidden until all have"
    assert ann.view(table.id)["ply"] == 0
    assert reveal(bob, table, 1) == 200
    view = bob.view(table.id)
    assert (view["dice"]["state"], view["to_move"]) == ("closed", 0)
    assert view["dice"]["commitment"] == waiting["dice"]["commitment"], "the server committed before anyone revealed"
    assert [added["nonce"] for added in view["dice"]["nonces"]] == NONCES[:2]


def test_the_record_proves_the_draws_with_the_nonces(ann: Browser, bob: Browser) -> None:
    table = open_shared(ann, me(), LINK)
    join(bob, table, 1)
    reveal(ann, table, 0)
    reveal(bob, table, 1)
    play_to_the_end(table, ann, bob)
    record = read_json(ann.get(f"/api/tables/{table.id}/record", form="json").text)
    assert record.dice
    assert [added.nonce for added in record.dice.nonces] == NONCES[:2]
    assert record.to_match().verify_dice() > 0
    draws = ann.get(f"/api/tables/{table.id}/draws").json()
    assert draws["nonces"] == ann.view(table.id)["dice"]["nonces"]


def test_a_wrong_nonce_and_another_seats_are_refused(ann: Browser, bob: Browser) -> None:
    table = open_shared(ann, me(), LINK)
    join(bob, table, 1)
    assert reveal(ann, table, 0, NONCES[1]) == 409
    assert reveal(ann, table, 1) == 403
    assert reveal(ann, table, 0) == 200
    assert reveal(ann, table, 0) == 200, "a second time changes nothing"


def test_the_host_starts_without_those_who_are_missing(ann: Browser, bob: Browser) -> None:
    table = open_shared(ann, me(), LINK, LINK)
    join(bob, table, 1)
    assert bob.post(f"/api/tables/{table.id}/start").status_code == 403
    assert ann.post(f"/api/tables/{table.id}/start").status_code == 200
    assert ann.post(f"/api/tables/{table.id}/start").json()["error"] == "unfair-dice"
    reveal(ann, table, 0)
    reveal(bob, table, 1)
    assert ann.view(table.id)["ply"] > 0


def test_a_seat_taken_later_adds_nothing(ann: Browser, bob: Browser) -> None:
    table = open_shared(ann, me(), LINK)
    ann.post(f"/api/tables/{table.id}/start")
    reveal(ann, table, 0)
    assert ann.play(table.id, 0).status_code == 200
    join(bob, table, 1)
    assert reveal(bob, table, 1) == 409
    assert [added["seat"] for added in bob.view(table.id)["dice"]["nonces"]] == [0]


# People who are seated already.


def rematch(ann: Browser, bob: Browser) -> Opened:
    """A second game of Ann, who sits second now, and Bob."""
    first = ann.open("orchard", "me link")
    bob.join(first.links[1])
    play_to_the_end(first, ann, bob)
    url = ann.post(f"/api/tables/{first.id}/rematch", {"shared_dice": True, "now": True}).json()["url"]
    return Opened(ann, {"id": url.removeprefix("/t/"), "links": [], "watch": ""})


def test_the_browsers_of_all_people_add_to_the_dice_of_a_rematch(ann: Browser, bob: Browser) -> None:
    table = rematch(ann, bob)
    waiting = bob.view(table.id)
    assert (waiting["ply"], waiting["dice"]["state"], waiting["dice"]["nonces"]) == (0, "open", [])
    assert commit(ann, table, 0) == 403, "that seat is Bob's"
    assert commit(ann, table, 1) == 200
    assert reveal(ann, table, 1) == 409, "nobody may reveal before all have committed"
    assert commit(bob, table, 0) == 200
    assert ann.view(table.id)["dice"]["state"] == "reveal"
    assert commit(bob, table, 0, 2) == 409, "nobody may commit once others reveal"
    assert reveal(bob, table, 0) == reveal(ann, table, 1) == 200
    view = play_to_the_end(table, bob, ann)
    assert view["dice"]["commitment"] == waiting["dice"]["commitment"]
    record = read_json(ann.get(f"/api/tables/{table.id}/record", form="json").text)
    assert record.dice
    assert [added.nonce for added in record.dice.nonces] == NONCES[:2]
    assert record.to_match().verify_dice() > 0


def test_a_rematch_that_a_program_asks_for_starts_at_once(ann: Browser, bob: Browser) -> None:
    first = ann.open("orchard", "me bot")
    play_to_the_end(first, ann)
    url = ann.post(f"/api/tables/{first.id}/rematch", {"now": True}).json()["url"]
    assert ann.view(url.removeprefix("/t/"))["dice"]["state"] == "closed"


def test_who_does_not_commit_in_time_adds_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nonces, "COMMIT_SECONDS", 0.0)

    async def play() -> tuple[str, int]:
        process = Process(tmp_path)
        table = await process.open_shared(NonceRound.of_seated())
        process.events.publish(table.id, "watched")
        await until(lambda: table.match.ply > 0)
        await process.stop()
        return table.facts.nonce_round.state, len(table.facts.nonce_round.nonces)

    assert run_apart(play()) == ("closed", 0)


def test_a_seat_that_is_filled_does_not_cut_the_time_to_commit() -> None:
    waiting = NonceRound.of_seated().seated({1: COMMITMENTS[1]}, is_complete=True)
    assert (waiting.state, waiting.is_timed) == ("open", True)
    assert waiting.committed(0, COMMITMENTS[0], [0, 1]).state == "reveal"


# Alone, and without a browser.


def test_one_person_with_bots_commits_and_reveals_in_one_go(ann: Browser) -> None:
    answer = ann.post("/api/tables", {"game": "orchard", "seats": [me(), BOT], "pace": 0, "shared_dice": True}).json()
    table = Opened(ann, answer)
    assert reveal(ann, table, 0) == 200
    view = ann.view(table.id)
    assert answer["commitment"] == view["dice"]["commitment"]
    assert view["ply"] > 0
    assert [added["nonce"] for added in view["dice"]["nonces"]] == NONCES[:1]


@pytest.mark.parametrize("seats", [[{"who": "me"}, BOT], [BOT, BOT], [{"who": "me"}, {"who": "me"}]])
def test_without_a_commitment_the_game_starts_at_once(ann: Browser, seats: list[dict[str, str]]) -> None:
    table = open_shared(ann, *seats)
    view = ann.view(table.id)
    assert view["ply"] > 0
    assert (view["dice"]["state"], view["dice"]["nonces"]) == ("closed", [])


@pytest.mark.parametrize("commitment", ["\n", "0" * 63, "0" * 63 + "\n", "G" * 64])
def test_what_is_no_commitment_is_refused(ann: Browser, commitment: str) -> None:
    seats = [{"who": "me", "commitment": commitment}, LINK]
    answer = ann.post("/api/tables", {"game": "orchard", "seats": seats, "shared_dice": True})
    assert (answer.status_code, answer.json()["error"]) == (400, "malformed")


def test_a_commitment_of_another_seat_is_refused(ann: Browser) -> None:
    seats = [{"who": "me"}, {"who": "link", "commitment": COMMITMENTS[1]}]
    assert ann.post("/api/tables", {"game": "orchard", "seats": seats}).status_code == 400


def test_a_game_without_dice_does_not_wait(ann: Browser) -> None:
    table = open_shared(ann, me(), LINK, game="nim")
    assert ann.view(table.id)["dice"] is None
    assert ann.play(table.id, 0).status_code == 200


# Late, and after a crash.


class Process:
    """The parts of a server that close dice, in this process."""

    def __init__(self, folder: Path) -> None:
        self.live_tables = LiveTables(Storage(Settings(data=folder)), 10)
        self.events = TableEvents()
        self.actions = TableActions(TableWriter(self.live_tables, self.events))
        self.seating = Seating(self.actions.writer, self.actions.draw)
        self.dice = TableDice(self.live_tables, self.events, self.actions.writer, self.actions.draw)

    async def open_shared(self, state: NonceRound | None = None, seats: list[NewSeat] | None = None) -> LiveTable:
        """Open a table for two people; `state`: with dice in this state instead."""
        await self.live_tables.storage.open()
        reading = UntrustedReader(LimitedWorkers(1, 60))
        seats = seats or [NewSeat(who="me", commitment=commitment) for commitment in COMMITMENTS[:2]]
        wanted = NewTable(game="orchard", seats=seats, shared_dice=True)
        opener = TableOpener(self.live_tables, self.events, reading, TableBots())
        table = await self.live_tables.table((await opener.open_new(wanted, bytes(32), Reader("en"), "")).id)
        if state:
            await self.actions.writer.change(table, lambda facts: structs.replace(facts, nonce_round=state))
        return table

    async def stop(self) -> None:
        await self.dice.stop()
        await self.live_tables.storage.close()


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not condition():
            await asyncio.sleep(0.01)


def test_one_who_does_not_reveal_in_time_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> tuple[Nonce, ...]:
        process = Process(tmp_path)
        table = await process.open_shared()
        await process.dice.reveal(table, 1, NONCES[1])
        monkeypatch.setattr("ludotheque.server.tables.nonces.steady_time", lambda: table.facts.nonce_round.until + 1)
        with pytest.raises(UnfairDice):
            await process.dice.reveal(table, 0, NONCES[0])
        assert table.match.ply > 0
        await process.stop()
        assert table.match.dice
        for viewer in (0, 1, SPECTATOR):
            assert nonces_shown(table, viewer) == table.match.dice.nonces, "every view says who was left out"
        return table.match.dice.nonces

    assert run_apart(play()) == (Nonce(0, COMMITMENTS[0]), Nonce(1, COMMITMENTS[1], NONCES[1]))


def nonces_shown(table: LiveTable, viewer: int) -> tuple[Nonce, ...]:
    """What a viewer is shown of what people added to the dice."""
    cached = ViewCache().get(table, viewer, Reader("en"))
    view = cached.whole(table, viewer, Rights((), is_host=False), NOBODY)
    assert view.dice
    return view.dice.nonces


@pytest.mark.parametrize(
    "error",
    [StaleVersion(phrase("Another was quicker.")), OperationalError("", {}, Exception("the connection was lost"))],
)
def test_a_draw_that_fails_does_not_cost_a_newcomer_the_seat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    """The seat is stored before, so the browser must get its key; the draw is made later."""
    monkeypatch.setattr(dice_timer, "GRACE_SECONDS", 0.0)
    failures = [error]

    async def sit() -> set[bytes]:
        process = Process(tmp_path)
        table = await process.open_shared(seats=[NewSeat(who="me"), NewSeat(who="open")])
        write = process.live_tables.storage.change

        async def change(wanted: Change) -> None:
            if failures:
                raise failures.pop()
            await write(wanted)

        monkeypatch.setattr(process.live_tables.storage, "change", change)
        await process.seating.sit(table, 1, bytes([1] * 32), Newcomer(Reader("en")))
        assert not failures, "the draw was tried"
        await until(lambda: table.match.to_move != CHANCE)
        await process.stop()
        return set(table.facts.keys.browsers(1))

    assert run_apart(sit()) == {bytes([1] * 32)}


def test_the_dice_are_closed_when_the_time_is_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nonces, "REVEAL_SECONDS", 0.0)

    async def play() -> None:
        process = Process(tmp_path)
        table = await process.open_shared()
        await until(lambda: table.match.ply > 0)
        await process.stop()

    run_apart(play())


def test_after_a_crash_the_dice_are_closed_when_someone_looks(tmp_path: Path) -> None:
    async def open_and_crash() -> str:
        process = Process(tmp_path)
        table = await process.open_shared()
        await process.dice.reveal(table, 0, NONCES[0])
        await process.stop()
        return table.id

    async def crash_before_the_draws(id: str) -> None:
        """Close the dice on disk, and stop before the draws."""
        process = Process(tmp_path)
        await process.live_tables.storage.open()
        table = await process.live_tables.table(id)
        closed = table.facts.nonce_round.with_nonce(1, NONCES[1])
        await process.actions.writer.change(table, lambda facts: structs.replace(facts, nonce_round=closed))
        await process.stop()

    async def look(id: str) -> tuple[int, str]:
        process = Process(tmp_path)
        await process.live_tables.storage.open()
        table = await process.live_tables.table(id)
        process.events.publish(id, "watched")
        await until(lambda: table.match.ply > 0)
        await process.stop()
        return table.version, table.facts.nonce_round.state

    id = run_apart(open_and_crash())
    run_apart(crash_before_the_draws(id))
    assert run_apart(look(id)) == (2, "closed")


def test_who_leaves_before_the_draws_is_replaced() -> None:
    first = NonceRound("open").seated({0: COMMITMENTS[0], 1: COMMITMENTS[1]}, is_complete=False)
    second = first.seated({1: ""}, is_complete=True)
    assert [nonce.seat for nonce in second.nonces] == [0]
    assert second.state == "reveal"


# What someone has seen.


def test_a_host_alone_at_a_shared_table_cannot_peek(ann: Browser) -> None:
    table = ann.open("orchard", "me link")
    ann.play(table.id, 0)
    assert ann.view(table.id)["undo"] == "free", "nothing was drawn"
    ann.play(table.id, 0)
    view = ann.view(table.id)
    assert view["undo"] == ""
    answer = ann.post(f"/api/tables/{table.id}/undo", {"seat": 0, "version": view["version"]})
    assert (answer.status_code, answer.json()["error"]) == (409, "cannot-undo")


def test_where_nothing_is_drawn_the_host_takes_back_freely(ann: Browser) -> None:
    table = ann.open("nim", "me link")
    ann.play(table.id, 0)
    assert ann.view(table.id)["undo"] == "free"


def peeked(ann: Browser) -> Opened:
    """A table where Ann has seen a draw and taken it back."""
    table = ann.open("orchard", "me me")
    ann.play(table.id, 0)
    ann.play(table.id, 0)
    version = ann.view(table.id)["version"]
    undone = ann.post(f"/api/tables/{table.id}/undo", {"seat": 0, "version": version})
    assert undone.json()["outcome"] == "done"
    return table


def test_who_joins_after_a_peek_gets_fresh_dice(ann: Browser, bob: Browser) -> None:
    table = peeked(ann)
    before = ann.view(table.id)["dice"]
    link = ann.post(f"/api/tables/{table.id}/links", {"seat": 1}).json()["url"]
    assert bob.join(link) == 1
    view = bob.view(table.id)
    assert view["dice"]["commitment"] != before["commitment"]
    assert view["dice"]["since"] == view["ply"]
    play_to_the_end(table, ann, bob)
    record = read_json(ann.get(f"/api/tables/{table.id}/record", form="json").text)
    assert record.to_match().verify_dice() > 0


def test_the_browsers_of_all_people_add_to_the_fresh_dice_after_a_peek(ann: Browser, bob: Browser) -> None:
    table = peeked(ann)
    before = ann.view(table.id)["ply"]
    table.links[1] = ann.post(f"/api/tables/{table.id}/links", {"seat": 1}).json()["url"]
    join(bob, table, 1)
    view = ann.view(table.id)
    assert (view["dice"]["state"], view["dice"]["since"]) == ("open", before)
    assert ann.play(table.id, 0).status_code == 200, "the game goes on until something is drawn"
    assert ann.view(table.id)["to_move"] == CHANCE
    assert commit(ann, table, 0) == commit(bob, table, 1) == 200
    assert reveal(ann, table, 0) == reveal(bob, table, 1) == 200
    assert ann.view(table.id)["to_move"] != CHANCE
    play_to_the_end(table, ann, bob)
    record = read_json(ann.get(f"/api/tables/{table.id}/record", form="json").text)
    assert record.dice
    assert [added.nonce for added in record.dice.nonces] == NONCES[:2]
    assert record.to_match().verify_dice() > 0


def test_without_a_peek_the_dice_stay(ann: Browser, bob: Browser) -> None:
    table = ann.open("orchard", "me link")
    assert ann.play(table.id, 0).status_code == 200
    before = ann.view(table.id)["dice"]
    bob.join(table.links[1])
    assert ann.view(table.id)["dice"] == before


def late_seats(browser: Browser, table: Opened) -> list[int]:
    return [seat["seat"] for seat in browser.view(table.id)["seats"] if seat["late"]]


@pytest.mark.parametrize("shares", [False, True])
def test_who_sits_down_before_the_first_move_is_dealt_other_cards(ann: Browser, bob: Browser, shares: bool) -> None:
    """A host cannot open tables, or start alone, until the deal is good."""
    table = open_shared(ann, me(), LINK) if shares else ann.open("orchard", "me link")
    if shares:
        assert ann.post(f"/api/tables/{table.id}/start").status_code == 200
        assert reveal(ann, table, 0) == 200
    seen = ann.view(table.id)
    assert seen["ply"] > 0
    assert seen["dice"]["redeals"] == 0
    (join if shares else lambda guest, opened, seat: guest.join(opened.links[seat]))(bob, table, 1)
    if shares:
        assert commit(ann, table, 0) == 200
        assert reveal(ann, table, 0) == reveal(bob, table, 1) == 200
    view = bob.view(table.id)
    assert view["dice"]["commitment"] != seen["dice"]["commitment"]
    assert (view["dice"]["since"], view["dice"]["redeals"], view["ply"]) == (0, 1, seen["ply"])
    assert late_seats(ann, table) == []
    play_to_the_end(table, ann, bob)
    record = read_json(ann.get(f"/api/tables/{table.id}/record", form="json").text)
    assert record.to_match().verify_dice() > 0, "all draws of the game were made by the fresh dice"


def test_a_hand_that_another_browser_has_seen_is_dealt_again(ann: Browser, bob: Browser, eve: Browser) -> None:
    table = ann.open("orchard", "me link")
    eve.join(table.links[1])
    seen = ann.view(table.id)["dice"]["commitment"]
    link = ann.post(f"/api/tables/{table.id}/links", {"seat": 1, "replace": True}).json()["url"]
    bob.join(link)
    assert bob.view(table.id)["dice"]["commitment"] != seen


def test_a_deal_that_is_taken_back_stays_so_after_a_restart(tmp_path: Path) -> None:
    async def test(club: Club) -> None:
        table = await two_people(club)
        dealt = table.match.actions()
        assert (table.facts.redeals, table.match.ply) == (1, 2)
        await club.restart()
        table = await club.live_tables.table(table.id)
        assert table.match.actions() == dealt
        assert table.match.dice
        assert table.match.dice.commitment == table.facts.commitment

    played(tmp_path, test)


def test_who_sits_down_after_the_first_move_is_shown_as_late(ann: Browser, bob: Browser, eve: Browser) -> None:
    table = ann.open("orchard", "me link")
    ann.play(table.id, 0)
    assert late_seats(ann, table) == []
    eve.join(table.links[1])
    assert late_seats(eve, table) == late_seats(ann, table) == [1]


def test_who_shared_a_seat_with_another_browser_is_shown_as_late(ann: Browser, bob: Browser, eve: Browser) -> None:
    table = ann.open("orchard", "me link")
    eve.join(table.links[1])
    ann.play(table.id, 0)
    late_before = late_seats(ann, table)
    bob.join(eve.post(f"/api/tables/{table.id}/links", {"seat": 1}).json()["url"])
    shared = ann.view(table.id)["seats"][1]
    eve.post(f"/api/tables/{table.id}/leave")
    assert (late_before, shared["browsers"], late_seats(bob, table)) == ([], 2, [1])


def test_nobody_is_late_where_nothing_is_hidden(ann: Browser, bob: Browser) -> None:
    table = ann.open("nim", "me link")
    ann.play(table.id, 0)
    bob.join(table.links[1])
    assert late_seats(ann, table) == []


async def two_people(club: Club) -> LiveTable:
    """A table of Ann and Bob, with a clock."""
    table, opened = await club.open(ClockRule("move", 60), "me", "link", game="orchard")
    await club.seating.join(table, opened.links[0].url.partition("#")[2], BOB, Newcomer(ENGLISH))
    return table


async def let_a_bot_stand_in(club: Club) -> LiveTable:
    """A table where a bot plays for Bob, whose time is up."""
    table = await two_people(club)
    while table.match.to_move == 0:
        await club.move(table)
    club.time += 60
    await club.seating.substitute(table, 1, "1", table.facts.rights([ANN]))
    return table


@pytest.mark.parametrize("way", ["substitute", "replace_bot"])
def test_who_gets_a_seat_back_from_a_bot_after_a_peek_gets_fresh_dice(tmp_path: Path, way: str) -> None:
    async def test(club: Club) -> None:
        table = await let_a_bot_stand_in(club)
        for _ in range(4):
            await club.move(table)
        await club.actions.undo(table, 0, table.version, table.facts.rights([ANN]))
        await club.actions.answer_undo(table, 1, table.version, agrees=True)
        assert is_peeked(table.facts, table.match.ply)
        assert table.match.dice
        seen = table.match.dice.commitment
        await getattr(club.seating, way)(table, 1, "", table.facts.rights([ANN]))
        await club.restart()
        table = await club.live_tables.table(table.id)
        assert table.match.dice
        assert table.match.dice.commitment != seen
        assert table.match.branched_at == table.match.ply
        assert not is_peeked(table.facts, table.match.ply)
        assert table.facts.rights([BOB]).seats == (1,)
        assert (table.facts.seats[1].taken, table.facts.seats[1].open) == (True, False)

    played(tmp_path, test)


def test_another_bot_that_stands_in_gives_the_seat_back_too(tmp_path: Path) -> None:
    async def test(club: Club) -> None:
        table = await let_a_bot_stand_in(club)
        await club.seating.replace_bot(table, 1, "2", table.facts.rights([ANN]))
        rights = table.facts.rights([BOB])
        assert (table.facts.seats[1].level, rights.seats, rights.substituted) == ("2", (), (1,)), (
            "Bob does not move for the bot"
        )
        await club.seating.substitute(table, 1, "", rights)
        assert table.facts.rights([BOB]).seats == (1,)

    played(tmp_path, test)


async def ask_for_undo_then_renew(club: Club) -> tuple[LiveTable, UndoRequest]:
    """A table where Ann asked to take a move back, before someone came for whom it got fresh dice."""
    table = await two_people(club)
    while table.match.to_move == 0:
        await club.move(table)
    await club.actions.undo(table, 0, table.version, table.facts.rights([ANN]))
    request = table.facts.undo_request
    assert request
    peeked = table.match.ply + 1
    await club.actions.writer.change(table, lambda facts: structs.replace(facts, peeked=peeked))
    link = await club.seating.new_link(table, 1, table.facts.rights([BOB]))
    await club.seating.join(table, link, digest("Eve"), Newcomer(ENGLISH))
    assert table.match.branched_at == table.match.ply > request.to_ply
    return table, request


def test_fresh_dice_end_the_request_for_an_undo_before_them(tmp_path: Path) -> None:
    async def test(club: Club) -> None:
        table, _ = await ask_for_undo_then_renew(club)
        await club.restart()
        table = await club.live_tables.table(table.id)
        assert table.facts.undo_request is None
        with pytest.raises(CannotUndo, match="No undo request"):
            await club.actions.answer_undo(table, 1, table.version, agrees=True)

    played(tmp_path, test)


def test_an_undo_that_fails_is_not_stored(tmp_path: Path) -> None:
    async def test(club: Club) -> None:
        table, request = await ask_for_undo_then_renew(club)
        table.facts = structs.replace(table.facts, undo_request=request)
        before = table.version, table.match.ply
        with pytest.raises(CannotUndo, match="other dice"):
            await club.actions.answer_undo(table, 1, table.version, agrees=True)
        await club.restart()
        table = await club.live_tables.table(table.id)
        assert (table.version, table.match.ply) == before

    played(tmp_path, test)


def test_a_table_from_a_record_says_so_and_has_fresh_dice(ann: Browser, bob: Browser) -> None:
    source = ann.open("orchard", "me me")
    ann.play(source.id, 0)
    record = ann.get(f"/api/tables/{source.id}/record", form="json").json()
    plies = [ply for ply in record["plies"] if ply["move"] != "?"]
    assert len(plies) < len(record["plies"]), "a running game's record hides draws"
    finished = ann.open("orchard", "bot bot")
    wait_until(lambda: ann.view(finished.id)["over"])
    known = ann.get(f"/api/tables/{finished.id}/record", form="json").json()
    cut = known | {"plies": known["plies"][:3]}
    del cut["result"]
    opened = Opened(ann, ann.post("/api/records", {"record": json.dumps(cut)}).json())
    view = ann.view(opened.id)
    assert view["kind"] == "record"
    assert view["dice"]["commitment"] != known["dice"]["commitment"], "the host knows the seed of the record"
    assert view["dice"]["since"] == 3
    assert bob.join(opened.watch) == -5
    assert bob.view(opened.id)["kind"] == "record"
    assert ann.view(source.id)["kind"] == "played"
    assert first_action(ann.view(opened.id)["choices"]) >= 0


def test_a_record_whose_draws_were_made_elsewhere_goes_on_with_dice_of_the_table(ann: Browser) -> None:
    finished = ann.open("orchard", "bot bot")
    wait_until(lambda: ann.view(finished.id)["over"])
    known = ann.get(f"/api/tables/{finished.id}/record", form="json").json()
    cut = known | {"plies": known["plies"][:3]}
    del cut["result"], cut["dice"]
    opened = Opened(ann, ann.post("/api/records", {"record": json.dumps(cut)}).json())
    for _ in range(4):
        assert ann.play(opened.id, ann.view(opened.id)["to_move"]).status_code == 200
    assert ann.view(opened.id)["to_move"] >= 0, "no draw is due"


def test_the_dice_draw_when_a_bot_takes_the_last_free_seat(ann: Browser) -> None:
    table = open_shared(ann, {"who": "me"}, LINK)
    assert ann.view(table.id)["dice"]["state"] == "open"
    answer = ann.post(f"/api/tables/{table.id}/stand-in", {"seat": 1, "level": "random"})
    assert answer.status_code == 200, answer.text
    wait_until(lambda: ann.view(table.id)["ply"] > 0)
