"""Tournaments: rounds open by themselves and once, at any process; strangers, forged links and floods get nowhere."""

from __future__ import annotations

import asyncio
import csv
import io
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sql
from msgspec import structs

from ludotheque.core.errors import BadOption
from ludotheque.core.phrases import phrase, seat_name
from ludotheque.server.club import tournament_rules
from ludotheque.server.club.director import COME_WITHIN, MOST_JOINED, TournamentDirector
from ludotheque.server.club.ratings import RatingLog, ratings_of
from ludotheque.server.club.tournament_rules import MOST_PLAYERS
from ludotheque.server.club.tournament_views import results_csv, safe_cell, tournament_view
from ludotheque.server.config import Most, Settings
from ludotheque.server.errors import Refused
from ludotheque.server.keys import digest
from ludotheque.server.storage.profiles import Profile, delete_profile, find_profile, set_profile
from ludotheque.server.storage.schema import TABLES, TOURNAMENTS
from ludotheque.server.storage.tournaments import (
    Tournament,
    TournamentTerms,
    forget_deleted,
    forget_in_tournaments,
    read_tournament,
)
from ludotheque.server.tables.actions import TableActions
from ludotheque.server.tables.events import TableEvents
from ludotheque.server.tables.facts import Pace
from ludotheque.server.tables.live import LiveTable
from ludotheque.server.tables.seats import arrive
from ludotheque.server.tables.writing import TableWriter
from ludotheque.show.language import Reader
from ludotheque.table import Ending, Resignation
from ludotheque.table.clock import ClockRule
from tests.server.club_process import ClubProcess, running
from tests.server.harness import Browser, Server, run_apart, wait_until
from tests.server.postgres import Database
from tests.server.test_profiles import named
from tests.toy import Nim, Orchard

SWISS = TournamentTerms(Nim.name, "swiss", 2, 3, ClockRule("move", 60), hours=2)
BY_DAYS = TournamentTerms(Nim.name, "swiss", 2, 3, ClockRule("days", 86_400), hours=24 * 7)
GROUPS = TournamentTerms(Orchard.name, "groups", 3, 2, ClockRule("days", 86_400), hours=24 * 7)
WANTED = {"title": "Club cup", "game": "nim", "system": "swiss", "rounds": 2, "clock": "move 60 0", "hours": 2}


# Over HTTP.


def created(browser: Browser, **more: Any) -> tuple[str, str]:
    """The id of a new tournament, and the secret of its link."""
    answer = browser.post("/api/tournaments", WANTED | more)
    assert answer.status_code == 201, answer.text
    path, _, secret = answer.json()["url"].partition("#")
    return path.removeprefix("/tournaments/"), secret


def join(browser: Browser, id: str, secret: str) -> Any:
    return browser.post(f"/api/tournaments/{id}/join", Authorization=f"Bearer {secret}")


def state(browser: Browser, id: str) -> Any:
    answer = browser.get(f"/api/tournaments/{id}")
    assert answer.status_code == 200, answer.text
    return answer.json()


def play_round(id: str, number: int, *browsers: Browser) -> None:
    """Play all games of a round to their ends, by whoever sits there."""
    for table in state(browsers[0], id)["tables"][0]["tables"]:
        seated = {
            browser.view(table["table"])["mine"][0]: browser
            for browser in browsers
            if state(browser, id)["me"] in table["players"] and table["table"]
        }
        while seated and not (view := seated[0].view(table["table"]))["over"]:
            seated[view["to_move"]].play(table["table"], view["to_move"])
    wait_until(lambda: state(browsers[0], id)["round"] > number or state(browsers[0], id)["state"] == "over")


def test_people_join_by_link_and_rounds_follow_each_other(ann: Browser, bob: Browser, eve: Browser) -> None:
    for browser, name in ((ann, "Ann"), (bob, "Bob"), (eve, "Eve")):
        named(browser, name)
    id, secret = created(ann, rounds=3)
    for browser in (bob, eve, bob):
        assert join(browser, id, secret).status_code == 200
    assert [player["name"] for player in state(ann, id)["players"]] == ["Ann", "Bob", "Eve"]
    assert ann.post(f"/api/tournaments/{id}/start").status_code == 200
    first = state(bob, id)
    assert (first["state"], first["round"], first["rounds"]) == ("running", 1, 3)
    (table,) = [table for table in first["tables"][0]["tables"] if table["table"]]
    view = next(b for b in (ann, bob, eve) if state(b, id)["me"] in table["players"]).view(table["table"])
    assert view["tournament"] == {"id": id, "title": "Club cup", "round": 1}
    for number in (1, 2, 3):
        play_round(id, number, ann, bob, eve)
    last = state(eve, id)
    assert last["state"] == "over"
    assert sum(each["points"] for each in last["standings"]) == 3 + 3, "three games and three byes"
    assert last["standings"][0]["rank"] == 1
    rows = list(csv.DictReader(io.StringIO(ann.get(f"/api/tournaments/{id}/results.csv").text)))
    assert {row["name"] for row in rows} == {"Ann", "Bob", "Eve"}
    assert join(ann, id, secret).status_code == 200, "they have joined already"


def test_strangers_learn_and_change_nothing(ann: Browser, bob: Browser, eve: Browser) -> None:
    for browser, name in ((ann, "Ann"), (bob, "Bob"), (eve, "Eve")):
        named(browser, name)
    id, secret = created(ann, title="A secret evening")
    assert join(bob, id, secret).status_code == 200
    forged = secret[:-1] + ("A" if secret[-1] != "A" else "B")
    assert eve.get(f"/api/tournaments/{id}").status_code == 404
    assert join(eve, id, forged).status_code == 404
    assert join(eve, id, "x").status_code == 404
    assert "A secret evening" not in eve.get(f"/tournaments/{id}").text
    assert eve.get(f"/tournaments/{id}/live").status_code == 404
    assert eve.get(f"/api/tournaments/{id}/results.csv").status_code == 404
    for command in ("start", "withdraw", "link", "delete"):
        assert eve.post(f"/api/tournaments/{id}/{command}").status_code == 404
        if command != "withdraw":
            assert bob.post(f"/api/tournaments/{id}/{command}").status_code == 403
    assert bob.post(f"/api/tournaments/{id}/forfeit", {"table": 1, "player": 1}).status_code == 403
    assert eve.post(f"/api/tournaments/{id}/watch", {"table": "abcdefghij"}).status_code == 404
    assert state(ann, id)["state"] == "open"


def test_a_link_that_was_replaced_opens_nothing(ann: Browser, bob: Browser) -> None:
    named(ann, "Ann"), named(bob, "Bob")
    id, old = created(ann)
    url = ann.post(f"/api/tournaments/{id}/link").json()["url"]
    assert join(bob, id, old).status_code == 404
    assert join(bob, id, url.partition("#")[2]).status_code == 200


def test_others_of_a_tournament_may_watch_and_strangers_may_not(ann: Browser, bob: Browser, eve: Browser) -> None:
    for browser, name in ((ann, "Ann"), (bob, "Bob"), (eve, "Eve")):
        named(browser, name)
    id, secret = created(ann)
    join(bob, id, secret), ann.post(f"/api/tournaments/{id}/start")
    (table,) = [table["table"] for table in state(ann, id)["tables"][0]["tables"]]
    assert eve.post(f"/api/tournaments/{id}/watch", {"table": table}).status_code == 404
    assert eve.get(f"/api/tables/{table}").status_code == 404
    by_link = eve.post(f"/api/tournaments/{id}/watch", {"table": table}, Authorization=f"Bearer {secret}")
    assert by_link.status_code == 200
    assert eve.view(table)["mine"] == []
    assert bob.post(f"/api/tables/{table}/leave").json()["error"] == "tournament"
    seat = bob.view(table)["mine"][0]
    assert bob.post(f"/api/tables/{table}/links", {"seat": seat}).status_code == 403


@pytest.mark.parametrize(
    "wrong",
    [
        {"game": "chess"},
        {"clock": ""},
        {"clock": "move 1 0"},
        {"system": "lottery"},
        {"system": "groups"},
        {"seats": 3},
        {"seats": 60},
        {"rounds": 0},
        {"hours": 0},
        {"title": "\u202e"},
        {"title": ""},
    ],
)
def test_impossible_terms_are_refused(ann: Browser, wrong: dict[str, Any]) -> None:
    named(ann, "Ann")
    assert ann.post("/api/tournaments", WANTED | wrong).status_code in (400, 404)


def test_tournaments_need_profiles(eve: Browser) -> None:
    with eve.server.browser() as nobody:
        assert nobody.post("/api/tournaments", WANTED).json()["error"] == "no-profile"


def test_one_person_organises_only_a_few(tmp_path: Path) -> None:
    server = Server(tmp_path)
    with server.browser() as ann:
        named(ann, "Ann")
        statuses = [ann.post("/api/tournaments", WANTED).status_code for _ in range(Most().tournaments + 1)]
    server.stop()
    assert statuses == [201] * Most().tournaments + [409]


def test_an_operator_switches_tournaments_off_and_deletes_one(tmp_path: Path) -> None:
    token = "an operator's token"
    server = Server(tmp_path, f"--operator={token}")
    with server.browser() as ann, server.browser(token) as operator:
        named(ann, "Ann")
        id, _ = created(ann)
        assert ann.get("/api/operator/tournaments").status_code == 403
        listed = operator.get("/api/operator/tournaments").json()["tournaments"]
        assert [each["id"] for each in listed] == [id]
        assert operator.post(f"/api/operator/tournaments/{id}/delete").status_code == 200
        assert ann.get(f"/api/tournaments/{id}").status_code == 404
    server.stop()
    server = Server(tmp_path, "--without=tournaments")
    with server.browser() as ann:
        assert ann.get("/tournaments").status_code == 404
        assert ann.post("/api/tournaments", WANTED).status_code == 404
    server.stop()


# The director.


class Process(ClubProcess):
    """A server process with a clock of its own."""

    def __init__(self, settings: Settings, later: timedelta = timedelta()) -> None:
        super().__init__(settings)
        self.later = later
        self.writer = TableWriter(self.live_tables, self.events, lambda: self.now().timestamp())
        self.actions = TableActions(self.writer)
        # No event tells the director: the tests say when it learns of a result.
        self.director = TournamentDirector(self.live_tables, self.opener, self.writer, TableEvents(), self.now)

    def now(self) -> datetime:
        return datetime.now(UTC) + self.later

    async def person(self, name: str) -> Profile:
        await set_profile(self.storage, digest(name), name, "all")
        found = await find_profile(self.storage, digest(name))
        assert found
        return found

    async def started(self, players: int, terms: TournamentTerms = SWISS) -> str:
        """The id of a tournament whose first round has begun."""
        people = [await self.person(f"Person {number}") for number in range(players)]
        made, _ = await self.director.create(people[0], "Cup", terms, plays=True)
        for person in people[1:]:
            await self.director.join(made.id, person)
        await self.director.start(made.id, people[0])
        return made.id

    async def read(self, id: str) -> Tournament:
        async with self.storage.reading() as connection:
            found = await read_tournament(connection, id)
        assert found
        return found

    async def tables(self, id: str) -> list[LiveTable]:
        """The tables of the present round that are not decided."""
        now = await self.read(id)
        return [await self.live_tables.table(t.table) for t in now.tables if not t.meeting.is_decided]

    async def play_out(self, table: LiveTable) -> None:
        while not table.match.is_over:
            await self.play(table)

    async def play(self, table: LiveTable) -> None:
        """Play the first move there is."""
        seat = table.match.to_move
        leaf = next(table.match.choices(seat)[0].leaves())
        await self.actions.move(table, seat, table.version, leaf.action or 0)

    async def stop(self) -> None:
        await self.director.stop()
        await super().stop()


def run_here(tmp_path: Path, work: Any, later: timedelta = timedelta()) -> None:
    async def play() -> None:
        async with running(Process(Settings(data=tmp_path), later)) as here:
            await work(here)

    run_apart(play())


async def last_games_at_once(first: Process, second: Process) -> None:
    """The last games of every round end at once, at two processes."""
    id = await first.started(6)
    for number in (1, 2, 3):
        assert (await first.read(id)).round == number
        tables = await first.tables(id)
        assert len(tables) == 3
        for table in tables:
            await first.play_out(table)
        records = [first.director.record(table) for table in tables]
        await asyncio.gather(*records, second.director.look(), first.director.look())
    over = await second.read(id)
    assert over.state == "over"
    assert tournament_rules.tables_of(over) == 9
    assert await first.count(TABLES) == 9
    assert len(over.tables) == 9
    assert len({table.table for table in over.tables}) == 9


def test_rounds_open_once_when_the_last_games_end_at_once(tmp_path: Path) -> None:
    async def play(here: Process) -> None:
        await last_games_at_once(here, here)

    run_here(tmp_path, play)


def test_rounds_open_once_at_two_processes_of_postgresql(tmp_path: Path, database: Database) -> None:
    async def play() -> None:
        settings = Settings(data=tmp_path, database=database.address)
        async with running(Process(settings)) as first, running(Process(settings)) as second:
            await last_games_at_once(first, second)

    run_apart(play())


def test_people_who_join_at_once_are_all_there_once(tmp_path: Path, database: Database) -> None:
    async def play(first: Process, second: Process) -> None:
        people = [await first.person(f"Person {number}") for number in range(12)]
        made, _ = await first.director.create(people[0], "Cup", SWISS, plays=True)
        joins = [process.director.join(made.id, person) for person in people for process in (first, second)]
        await asyncio.gather(*joins)
        found = await first.read(made.id)
        assert sorted(each.profile for each in found.entrants) == sorted(person.id for person in people)
        assert found.numbers == tuple(range(1, 13))

    async def at_two() -> None:
        settings = Settings(data=tmp_path, database=database.address)
        async with running(Process(settings)) as first, running(Process(settings)) as second:
            await play(first, second)

    run_here(tmp_path, lambda here: play(here, here))
    run_apart(at_two())


def test_a_result_that_was_not_recorded_before_a_kill_is_found_later(tmp_path: Path) -> None:
    ids: list[str] = []

    async def play(here: Process) -> None:
        ids.append(await here.started(4))
        for table in await here.tables(ids[0]):
            await here.play_out(table)
        assert (await here.read(ids[0])).round == 1

    async def find(here: Process) -> None:
        await asyncio.gather(here.director.look(), here.director.look())
        assert (await here.read(ids[0])).round == 2
        assert await here.count(TABLES) == 4

    run_here(tmp_path, play)
    run_here(tmp_path, find)


def test_one_who_does_not_come_loses(tmp_path: Path) -> None:
    async def play(here: Process) -> None:
        id = await here.started(2)
        (table,) = await here.tables(id)
        await here.writer.change(table, lambda facts: arrive(facts, [0], here.now().timestamp()))
        await here.director.look()
        assert (await here.read(id)).round == 1
        here.later = COME_WITHIN
        await here.director.look()
        found = await here.read(id)
        assert (found.tables[0].meeting.points, found.tables[0].meeting.decided) == ((1.0, 0.0), "forfeit")
        assert table.facts.closed

    run_here(tmp_path, play)


def test_one_whose_time_is_up_loses(tmp_path: Path) -> None:
    async def play(here: Process) -> None:
        id = await here.started(2, BY_DAYS)
        (table,) = await here.tables(id)
        here.later = timedelta(days=1, minutes=1)
        await here.director.look()
        found = await here.read(id)
        meeting = found.tables[0].meeting
        assert meeting.points[table.match.to_move] == 0
        assert (sum(meeting.points), meeting.decided) == (1, "forfeit")

    run_here(tmp_path, play)


def test_one_whose_time_is_up_in_a_rated_game_loses_rating(tmp_path: Path) -> None:
    async def play(here: Process) -> None:
        ratings = RatingLog(here.live_tables, here.events)
        id = await here.started(2, structs.replace(BY_DAYS, rated=True, options={"matches": 300}))
        (table,) = await here.tables(id)
        for _ in range(3):
            await here.play(table)
        loser = table.match.to_move
        here.later = timedelta(days=1, minutes=1)
        await here.director.look()
        await ratings.stop()
        assert table.facts.ending == Ending((Resignation(loser, table.match.ply, timed_out=True),))
        assert table.match.view().log[-1].phrase == phrase("{seat} loses on time.", seat=seat_name(loser))
        players = (await here.read(id)).tables[0].meeting.players
        people = {each.number: each.profile for each in (await here.read(id)).entrants}
        mu = [(await ratings_of(here.storage, people[number]))[0].skill.mu for number in players]
        assert mu[loser] < mu[1 - loser]

    run_here(tmp_path, play)


def test_a_game_that_was_never_played_and_a_ruling_of_the_organiser_cost_no_rating(tmp_path: Path) -> None:
    async def play(here: Process) -> None:
        rated = structs.replace(BY_DAYS, rated=True, options={"matches": 300})
        never_played = await here.started(2, rated)
        (table,) = await here.tables(never_played)
        await here.play(table)
        here.later = timedelta(days=1, minutes=1)
        await here.director.look()
        assert (table.facts.closed, table.match.is_over) == (True, False)
        ruled = await here.started(2, rated)
        (table,) = await here.tables(ruled)
        for _ in range(3):
            await here.play(table)
        await here.director.forfeit(ruled, await here.person("Person 0"), 1, 1)
        assert (table.facts.closed, table.match.is_over) == (True, False)

    run_here(tmp_path, play)


def test_a_table_is_closed_later_if_the_process_that_decided_it_is_killed(tmp_path: Path) -> None:
    tables: list[str] = []

    async def decide(here: Process) -> None:
        id = await here.started(2)
        tables.extend(table.id for table in await here.tables(id))
        killed = TournamentDirector(here.live_tables, here.opener, Killed(here.live_tables, here.events), here.events)
        with pytest.raises(asyncio.CancelledError):
            await killed.forfeit(id, await here.person("Person 0"), 1, 1)

    async def find(here: Process) -> None:
        table = await here.live_tables.table(tables[0])
        assert not table.facts.closed
        await here.director.look()
        assert table.facts.closed

    run_here(tmp_path, decide)
    run_here(tmp_path, find)


class Killed(TableWriter):
    """The writer of a process that is killed before it changes a table."""

    async def change(self, *_: Any, **__: Any) -> None:
        raise asyncio.CancelledError


def test_no_one_is_late_because_the_server_was_down(tmp_path: Path) -> None:
    ids: list[str] = []

    async def begin(here: Process) -> None:
        ids.extend([await here.started(2), await here.started(2, BY_DAYS)])

    async def come_back(here: Process) -> None:
        await here.director.look()
        assert [len(await here.tables(id)) for id in ids] == [1, 1]
        here.later += COME_WITHIN
        await here.director.look()
        decided = [(await here.read(id)).tables[0].meeting.decided for id in ids]
        assert decided == ["forfeit", "forfeit"]

    run_here(tmp_path, begin)
    run_here(tmp_path, come_back, later=timedelta(days=8))


def test_a_bot_plays_on_for_the_absent_of_a_larger_table_and_they_come_last(tmp_path: Path) -> None:
    async def play(here: Process) -> None:
        id = await here.started(3, GROUPS)
        (table,) = await here.tables(id)
        absent = table.match.to_move
        here.later = timedelta(days=1, minutes=1)
        await here.director.look()
        assert table.facts.seats[absent].substitutes
        await here.play_out(table)
        await here.director.look()
        meeting = (await here.read(id)).tables[0].meeting
        assert meeting.points[absent] == 0
        assert meeting.decided == "played"

    run_here(tmp_path, play)


def test_nobody_puts_off_a_result_by_letting_a_bot_pause(tmp_path: Path) -> None:
    """At the deadline all but the bot would be equal, also those about to lose."""

    async def play(here: Process) -> None:
        id = await here.started(3, GROUPS)
        (table,) = await here.tables(id)
        here.later = timedelta(days=1, minutes=1)
        await here.director.look()
        assert table.facts.substitutes
        with pytest.raises(Refused, match="counts in a tournament"):
            await here.actions.set_pace(table, Pace(1.0, paused=True))
        await here.actions.set_pace(table, Pace(3.0))
        assert table.facts.pace == Pace(3.0)

    run_here(tmp_path, play)


def test_at_the_deadline_of_a_round_one_whose_turn_it_is_loses(tmp_path: Path) -> None:
    async def play(here: Process) -> None:
        id = await here.started(3, GROUPS)
        (table,) = await here.tables(id)
        to_move = table.match.to_move
        here.later = timedelta(hours=GROUPS.hours, minutes=1)
        await here.director.look()
        found = await here.read(id)
        points = found.tables[0].meeting.points
        assert (points[to_move], sum(points)) == (0, 1.5)
        assert found.round == 2

    run_here(tmp_path, play)


def test_a_table_that_was_deleted_is_a_tie(tmp_path: Path) -> None:
    async def play(here: Process) -> None:
        id = await here.started(2)
        (table,) = await here.tables(id)
        async with here.storage.writing() as connection:
            await connection.execute(sql.delete(TABLES).where(TABLES.c.id == table.id))
        here.live_tables.drop(table.id)
        await here.director.look()
        assert (await here.read(id)).tables[0].meeting.points == (0.5, 0.5)

    run_here(tmp_path, play)


def test_the_organiser_decides_a_game_of_the_present_round(tmp_path: Path) -> None:
    async def play(here: Process) -> None:
        id = await here.started(4)
        organiser, other = await here.person("Person 0"), await here.person("Person 1")
        meeting = (await here.read(id)).tables[0].meeting
        with pytest.raises(Refused):
            await here.director.forfeit(id, other, 1, meeting.players[0])
        await here.director.forfeit(id, organiser, 1, meeting.players[0])
        assert (await here.read(id)).tables[0].meeting.points == (0.0, 1.0)
        with pytest.raises(Refused):
            await here.director.forfeit(id, organiser, 1, meeting.players[1])

    run_here(tmp_path, play)


def test_one_who_withdraws_is_paired_no_more(tmp_path: Path) -> None:
    async def play(here: Process) -> None:
        id = await here.started(4)
        await here.director.withdraw(id, await here.person("Person 3"))
        for table in await here.tables(id):
            await here.play_out(table)
        await here.director.look()
        found = await here.read(id)
        gone = next(each.number for each in found.entrants if each.gone)
        second = [table.meeting for table in found.tables if table.meeting.round == 2]
        assert all(gone not in meeting.players for meeting in second)
        assert sorted(len(meeting.players) for meeting in second) == [1, 2]

    run_here(tmp_path, play)


def test_one_who_deletes_their_profile_leaves_a_number(tmp_path: Path) -> None:
    async def play(here: Process) -> None:
        id = await here.started(4)
        gone = await here.person("Person 3")
        async with here.storage.writing() as connection:
            await forget_in_tournaments(connection, gone.id)
        found = await here.read(id)
        (left,) = [each for each in found.entrants if each.gone]
        assert (left.name, left.profile) == ("", "")
        shown = tournament_view(found, "", Reader("en"))
        assert shown.player(left.number).name == f"Player {left.number}"
        organiser = await here.person("Person 0")
        await here.director.create(organiser, "Not begun", SWISS, plays=True)
        async with here.storage.writing() as connection:
            await forget_in_tournaments(connection, organiser.id)
        assert await here.count(TOURNAMENTS) == 1

    run_here(tmp_path, play)


def test_one_who_joins_while_their_profile_is_deleted_does_not_play(tmp_path: Path) -> None:
    async def play(here: Process) -> None:
        people = [await here.person(f"Person {number}") for number in range(3)]
        made, _ = await here.director.create(people[0], "Cup", SWISS, plays=True)
        for person in people[1:]:
            await here.director.join(made.id, person)
        async with here.storage.writing() as connection:
            await delete_profile(connection, digest("Person 2"))
        assert [each.gone for each in (await here.read(made.id)).entrants] == [False, False, True]
        with pytest.raises(Refused) as refused:
            await here.director.join(made.id, people[2])
        assert refused.value.error == "no-profile"
        await here.director.start(made.id, people[0])
        found = await here.read(made.id)
        assert {each.name for each in found.entrants} == {"Person 0", "Person 1"}
        assert found.tables[0].table

    run_here(tmp_path, play)


def test_no_name_is_left_of_one_who_joined_while_their_profile_was_deleted(tmp_path: Path) -> None:
    async def play(here: Process) -> None:
        people = [await here.person(f"Person {number}") for number in range(2)]
        made, _ = await here.director.create(people[0], "Cup", SWISS, plays=True)
        await here.director.join(made.id, people[1])
        async with here.storage.writing() as connection:
            await delete_profile(connection, digest("Person 1"))
            await forget_deleted(connection)
        assert [each.name for each in (await here.read(made.id)).entrants] == ["Person 0", ""]

    run_here(tmp_path, play)


def test_someone_joins_only_so_many_also_at_once(tmp_path: Path) -> None:
    async def play(here: Process) -> None:
        keen = await here.person("Keen")
        organisers = [await here.person(f"Organiser {number}") for number in range(5)]
        made = [
            (await here.director.create(each, "Cup", SWISS, plays=False))[0].id
            for each in organisers
            for _ in range(Most().tournaments)
        ]
        joins = [here.director.join(id, keen) for id in made]
        refused = [each for each in await asyncio.gather(*joins, return_exceptions=True) if each]
        assert len(refused) == len(made) - MOST_JOINED

    run_here(tmp_path, play)


def test_options_must_fit_every_table_that_may_open(monkeypatch: pytest.MonkeyPatch) -> None:
    class ForManyOnly(Orchard):
        def __init__(self, players: int = 0, settings: Any = None) -> None:
            super().__init__(players, settings)
            if self.players == 2 and self.settings["rounds"] == 40:
                raise BadOption("Two would play for ever.")

    monkeypatch.setattr(tournament_rules, "find_game", lambda _: ForManyOnly)
    tournament_rules.check_terms(GROUPS)
    with pytest.raises(BadOption):
        tournament_rules.check_terms(structs.replace(GROUPS, options={"rounds": 40}))


def test_a_tournament_takes_only_so_many_and_no_names_that_look_alike(tmp_path: Path) -> None:
    async def play(here: Process) -> None:
        organiser = await here.person("Robin")
        terms = TournamentTerms(Nim.name, "round-robin", 2, 1, ClockRule("move", 60), hours=2)
        made, _ = await here.director.create(organiser, "Cup", terms, plays=True)
        with pytest.raises(Refused) as refused:
            await here.director.join(made.id, await here.person("R\u043ebin"))  # with a Cyrillic letter
        assert refused.value.error == "name-taken"
        for number in range(1, MOST_PLAYERS["round-robin"]):
            await here.director.join(made.id, await here.person(f"Person {number}"))
        with pytest.raises(Refused) as refused:
            await here.director.join(made.id, await here.person("One more"))
        assert refused.value.error == "full"

    run_here(tmp_path, play)


def test_no_name_is_a_formula_in_a_spreadsheet(tmp_path: Path) -> None:
    assert safe_cell("=1+1") == "'=1+1"

    async def play(here: Process) -> None:
        made, _ = await here.director.create(await here.person("=HYPERLINK(1)"), "Cup", SWISS, plays=True)
        text = results_csv(tournament_view(await here.read(made.id), "", Reader("en")))
        assert "'=HYPERLINK(1)" in text

    run_here(tmp_path, play)
