"""Rated tables: for profiles with a clock; each game counts once, and no one slips out of a lost one."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sql

from ludotheque.server.after.results import final_ranks
from ludotheque.server.club.bot_games import AFTER_START, BotGames
from ludotheque.server.club.ratings import LEAST_GAMES, Rated, RatingLog, ranking, ratings_of
from ludotheque.server.commands import NewSeat, NewTable
from ludotheque.server.config import Settings
from ludotheque.server.keys import digest
from ludotheque.server.storage.database import Storage
from ludotheque.server.storage.profiles import delete_profile, find_profile, set_profile
from ludotheque.server.storage.schema import RATED_GAMES, RATINGS
from ludotheque.server.table_bots import TableBots
from ludotheque.server.tables import seats
from ludotheque.server.tables.actions import TableActions
from ludotheque.server.tables.cache import LiveTables
from ludotheque.server.tables.events import TableEvents
from ludotheque.server.tables.facts import Seat, TableTerms
from ludotheque.server.tables.live import LiveTable
from ludotheque.server.tables.opening import SeatedPerson, TableOpener
from ludotheque.server.tables.reading import UntrustedReader
from ludotheque.server.tables.writing import TableWriter
from ludotheque.server.workers import LimitedWorkers
from ludotheque.show.language import Reader
from ludotheque.study.ratings import Skill, rate_game
from ludotheque.table.clock import ClockRule
from tests.server.harness import Browser, run_apart, wait_until
from tests.server.postgres import Database
from tests.server.test_pairing import wishes
from tests.server.test_profiles import named
from tests.toy import Nim

RATED = TableTerms(clock=ClockRule("move", 60), rated=True)


def rated_table(ann: Browser, bob: Browser) -> str:
    for browser in (ann, bob):
        answer = browser.post("/api/pairing", wishes(clocks="move 60 0", rated=True))
        assert answer.status_code == 200, answer.text
    return str(answer.json()["url"]).removeprefix("/t/")


def holders(table: str, *browsers: Browser) -> dict[int, Browser]:
    return {browser.view(table)["mine"][0]: browser for browser in browsers}


def test_rated_games_need_profiles_and_a_clock(ann: Browser) -> None:
    assert ann.post("/api/pairing", wishes(rated=True)).json()["error"] == "no-profile"
    named(ann, "Ann")
    assert ann.post("/api/pairing", wishes(clocks="", rated=True)).status_code == 400
    ann.post("/api/pairing/cancel")


def test_a_rated_game_changes_the_ratings_and_no_one_slips_out_of_it(ann: Browser, bob: Browser, eve: Browser) -> None:
    named(ann, "Ann of the rated table"), named(bob, "Bob")
    table = rated_table(ann, bob)
    seated = holders(table, ann, bob)
    view = ann.view(table)
    assert (view["rated"], view["hints"], view["host"]) == (True, False, False)
    assert ann.post(f"/api/tables/{table}/leave").json()["error"] == "rated"
    mine = view["mine"][0]
    assert ann.post(f"/api/tables/{table}/links", {"seat": mine}).status_code == 403
    first = seated[0]
    first.play(table, 0)
    answer = first.post(f"/api/tables/{table}/undo", {"seat": 0, "version": first.view(table)["version"]})
    assert answer.status_code != 200
    for command in ("close", "free"):
        body = {"seat": 1 - mine} if command == "free" else {}
        assert ann.post(f"/api/tables/{table}/{command}", body).status_code == 403
    while not (view := ann.view(table))["over"]:
        seated[view["to_move"]].play(table, view["to_move"])
    wait_until(lambda: ann.get("/api/profile/export").json()["ratings"])
    hers, his = (browser.get("/api/profile/export").json()["ratings"][0] for browser in (ann, bob))
    assert (hers["played"], his["played"]) == (1, 1)
    won = ann.view(table)["result"]["returns"][mine] == 1
    assert (hers["skill"]["mu"] > his["skill"]["mu"]) == won
    assert ann.post(f"/api/tables/{table}/leave").status_code == 200
    assert "Ann of the rated table" not in eve.get("/ratings").text, "only those who want it are listed"
    assert eve.get("/api/ratings/nim").json() == []


def test_one_who_deletes_their_profile_resigns_the_games_that_count(ann: Browser, bob: Browser) -> None:
    named(ann, "Ann, who goes"), named(bob, "Bob")
    table = rated_table(ann, bob)
    mine = bob.view(table)["mine"][0]
    assert ann.post("/api/profile/delete").status_code == 200
    view = bob.view(table)
    assert view["over"]
    assert view["result"]["returns"][mine] == 1
    wait_until(lambda: bob.get("/api/profile/export").json()["ratings"])
    [his] = bob.get("/api/profile/export").json()["ratings"]
    assert his["played"] == 1, "the game counts for the opponent"


def test_one_who_watches_and_deletes_their_profile_resigns_for_nobody(ann: Browser, bob: Browser, eve: Browser) -> None:
    named(ann, "Ann"), named(bob, "Bob"), named(eve, "Eve, who watches")
    table = rated_table(ann, bob)
    link = ann.post(f"/api/tables/{table}/links", {"seat": -5}).json()["url"]
    eve.join(link)
    assert eve.post("/api/profile/delete").status_code == 200
    view = bob.view(table)
    assert not view["over"]
    assert [seat["who"] for seat in view["seats"]] == ["person", "person"]
    assert eve.get(f"/api/tables/{table}").status_code == 404


def test_a_rematch_is_rated_only_if_all_agree_and_no_bot_takes_a_seat_at_once(ann: Browser, bob: Browser) -> None:
    """Or someone could begin one alone, let a bot play for the other, and win rating from it."""
    named(ann, "Ann of the rematch"), named(bob, "Bob of the rematch")

    def rematch(now: bool, *browsers: Browser) -> str:
        table = rated_table(ann, bob)
        seat = ann.view(table)["mine"][0]
        assert ann.post(f"/api/tables/{table}/resign", {"seat": seat}).status_code == 200
        for browser in browsers:
            url = browser.post(f"/api/tables/{table}/rematch", {"now": now}).json()["url"]
        return str(url).removeprefix("/t/")

    assert not ann.view(rematch(True, ann))["rated"]
    agreed = rematch(False, ann, bob)
    view = ann.view(agreed)
    assert view["rated"]
    other = 1 - view["mine"][0]
    assert ann.post(f"/api/tables/{agreed}/stand-in", {"seat": other, "level": "1"}).json()["error"] == "not-now"


class Club:
    """A process with two people who have profiles."""

    def __init__(self, settings: Settings) -> None:
        self.storage, events = Storage(settings), TableEvents()
        self.live_tables = LiveTables(self.storage, 10)
        self.opener = TableOpener(self.live_tables, events, UntrustedReader(LimitedWorkers(1, 60)), TableBots())
        self.writer = TableWriter(self.live_tables, events)
        self.actions = TableActions(self.writer)
        self.log = RatingLog(self.live_tables, TableEvents())

    async def finished(self, *names: str) -> LiveTable:
        people = [SeatedPerson(digest(name), name) for name in names]
        table = self.opener.prepare(Nim(2), people, RATED, Reader("en"))
        async with self.storage.writing() as connection:
            await self.opener.insert(connection, table)
        self.live_tables.add(table)
        while not table.match.is_over:
            seat = table.match.to_move
            action = next(iter(table.match.state_at(table.match.ply).legal_actions()))
            await self.actions.move(table, seat, table.version, action)
        return table

    async def begun(self, name: str, game: str = "nim", seats: int = 2) -> LiveTable:
        """Begin a rated game against bots; the person has the first seat."""
        profile = await find_profile(self.storage, digest(name))
        assert profile
        wanted = NewTable(
            game=game,
            seats=[NewSeat(who="me"), *[NewSeat(who="bot", level="1")] * (seats - 1)],
            clock=ClockRule("move", 60),
            rated=True,
        )
        opened = await self.opener.open_new(wanted, digest(name), Reader("en"), "192.0.2.1", profile.id)
        return await self.live_tables.table(opened.id)


async def with_club(settings: Settings, work: Any) -> None:
    here = Club(settings)
    await here.storage.open()
    try:
        for name in ("Ann", "Bob"):
            await set_profile(here.storage, digest(name), name, "all")
        await work(here)
    finally:
        await here.storage.close()


async def played(here: Club, name: str) -> int:
    profile = await find_profile(here.storage, digest(name))
    assert profile
    return sum(each.played for each in await ratings_of(here.storage, profile.id))


def test_a_game_counts_once_however_many_processes_learn_of_it(tmp_path: Path, database: Database) -> None:
    async def count(here: Club) -> None:
        table = await here.finished("Ann", "Bob")
        other = RatingLog(here.live_tables, TableEvents())
        await asyncio.gather(*(log.rate(table) for log in (here.log, other) * 4))
        other.catch_up()
        await other.stop()
        assert (await played(here, "Ann"), await played(here, "Bob")) == (1, 1)

    run_apart(with_club(Settings(data=tmp_path), count))
    run_apart(with_club(Settings(data=tmp_path, database=database.address), count))


def test_a_game_that_ended_before_the_server_stopped_is_counted_at_the_next_start(tmp_path: Path) -> None:
    async def count(here: Club) -> None:
        await here.finished("Ann", "Bob")
        here.log.catch_up()
        await here.log.stop()
        assert await played(here, "Ann") == 1

    run_apart(with_club(Settings(data=tmp_path), count))


def test_a_game_without_all_profiles_counts_for_no_one(tmp_path: Path) -> None:
    async def count(here: Club) -> None:
        table = await here.finished("Ann", "Bob")
        async with here.storage.writing() as connection:
            await delete_profile(connection, digest("Bob"))
        await here.log.rate(table)
        assert await played(here, "Ann") == 0
        async with here.storage.reading() as connection:
            assert (await connection.execute(sql.select(RATED_GAMES.c.counted))).scalars().all() == [False]

    run_apart(with_club(Settings(data=tmp_path), count))


def test_one_for_whom_a_bot_played_comes_last(tmp_path: Path) -> None:
    async def count(here: Club) -> None:
        table = await here.finished("Ann", "Bob")
        winner = list(table.match.view().returns).index(max(table.match.view().returns))
        bot = Seat("bot", "1", taken=True, substitutes=True)
        table.take_over(seats.with_seats(table.facts, {winner: bot}, 0))
        ranks = final_ranks(table)
        assert ranks[winner] > ranks[1 - winner]

    run_apart(with_club(Settings(data=tmp_path), count))


def test_a_ranking_takes_a_least_number_of_games(tmp_path: Path) -> None:
    async def count(here: Club) -> None:
        table = await here.finished("Ann", "Bob")
        for number in range(LEAST_GAMES):
            assert not await ranking(here.storage, "nim")
            table.id = f"table {number}"
            await here.log.rate(table)
        listed = await ranking(here.storage, "nim")
        assert len(listed) == 2
        assert listed[0].skill.points > listed[1].skill.points
        assert listed[0].skill.margin < Skill().margin

    run_apart(with_club(Settings(data=tmp_path), count))


def test_the_model_takes_any_number_of_seats() -> None:
    for players in range(2, 7):
        after = rate_game([Skill()] * players, range(players))
        assert [skill.mu for skill in after] == sorted((skill.mu for skill in after), reverse=True)
        assert all(skill.sigma < Skill().sigma for skill in after)


# Rated tables that people set up.


def rated_setup(*who: str, **more: Any) -> dict[str, Any]:
    seats = [{"who": word} for word in who]
    return {"game": "nim", "seats": seats, "rated": True, "clock": {"kind": "move", "seconds": 60}} | more


def test_a_rated_table_is_for_people_with_profiles_and_a_clock(ann: Browser, bob: Browser) -> None:
    assert ann.post("/api/tables", rated_setup("me", "link")).json()["error"] == "no-profile"
    named(ann, "Ann")
    wrong = [rated_setup("me", "me"), rated_setup("link", "link"), rated_setup("me", "link", clock=None),
             rated_setup("me", "link", hints=True)]  # fmt: skip
    assert [ann.post("/api/tables", body).json()["error"] for body in wrong] == ["bad-option"] * len(wrong)
    table = ann.open("nim", "me link", rated=True, clock={"kind": "move", "seconds": 60})
    secret = table.links[1].partition("#")[2]
    assert bob.post(f"/api/tables/{table.id}/join", {"secret": secret}).json()["error"] == "no-profile"
    named(bob, "Bob")
    assert bob.post(f"/api/tables/{table.id}/invitation", {"secret": secret}).json()["rated"] is True
    assert bob.join(table.links[1]) == 1
    assert [seat["name"] for seat in ann.view(table.id)["seats"]] == ["Ann", "Bob"]


def test_the_host_of_a_rated_table_is_one_until_all_are_seated(ann: Browser, bob: Browser, eve: Browser) -> None:
    for browser, name in ((ann, "Ann"), (bob, "Bob"), (eve, "Eve")):
        named(browser, name)
    table = ann.open("chicago-express", "me open link", rated=True, clock={"kind": "move", "seconds": 60})
    assert bob.post(f"/api/tables/{table.id}/sit", {"seat": 1}).status_code == 200
    assert bob.post(f"/api/tables/{table.id}/leave").status_code == 200, "no one is bound before it begins"
    assert bob.post(f"/api/tables/{table.id}/sit", {"seat": 1}).status_code == 200
    second = bob.post(f"/api/tables/{table.id}/join", {"secret": table.links[2].partition("#")[2]})
    assert second.json()["error"] == "rated", "each seat is for a different person"
    link = ann.post(f"/api/tables/{table.id}/links", {"seat": 2}).json()["url"]
    assert (ann.view(table.id)["host"], eve.join(link)) == (True, 2)
    assert ann.view(table.id)["host"] is False
    assert ann.post(f"/api/tables/{table.id}/close").status_code == 403
    assert bob.post(f"/api/tables/{table.id}/leave").json()["error"] == "rated"


# Rated games against bots.


def against_bots(*levels: str, **more: Any) -> dict[str, Any]:
    seats = [{"who": "me"}, *({"who": "bot", "level": level} for level in levels)]
    return {"game": "nim", "seats": seats, "rated": True, "clock": {"kind": "move", "seconds": 60}} | more


def test_a_rated_game_against_bots_is_for_one_person_and_bots_of_known_rating(ann: Browser) -> None:
    assert ann.post("/api/tables", against_bots("1")).json()["error"] == "no-profile"
    named(ann, "Ann")
    mixed = [{"who": "me"}, {"who": "link"}, {"who": "bot", "level": "1"}]
    wrong = [against_bots("3"), against_bots("random"), against_bots("1.5"), against_bots("1", clock=None),
             against_bots("1", hints=True), against_bots(game="orchard", seats=mixed)]  # fmt: skip
    assert [ann.post("/api/tables", body).json()["error"] for body in wrong] == ["bad-option"] * len(wrong)


def test_no_one_slips_out_of_a_rated_game_against_bots(ann: Browser) -> None:
    named(ann, "Ann")
    table = ann.post("/api/tables", against_bots("2", pace=10)).json()["id"]
    view = ann.view(table)
    assert (view["rated"], view["hints"], view["host"], view["mine"]) == (True, False, False, [0])
    at = f"/api/tables/{table}"
    assert ann.post(f"{at}/leave").json()["error"] == "rated"
    assert ann.post(f"{at}/branch", {"ply": 0, "seat": 0, "level": "1"}).json()["error"] == "forbidden"
    assert ann.get(f"{at}/branches").json()["open"] is False
    assert ann.post(f"{at}/pace", {"seconds": 1, "paused": True}).json()["error"] == "rated"
    assert ann.post(f"{at}/pace", {"seconds": 1}).status_code == 200
    assert ann.post(f"{at}/end").json()["error"] == "rated"
    assert ann.post(f"{at}/close").status_code == 403
    assert ann.post(f"{at}/hint", {"seat": 0, "version": view["version"]}).status_code == 403
    assert ann.post(f"{at}/bot", {"seat": 1, "level": "1"}).status_code == 403
    assert ann.post("/api/tables", against_bots("1")).json()["error"] == "unfinished"
    assert ann.post(f"{at}/resign", {"seat": 0}).status_code == 200
    wait_until(lambda: ann.get("/api/profile/export").json()["ratings"])
    (rating,) = ann.get("/api/profile/export").json()["ratings"]
    assert rating["played"] == 1
    assert rating["skill"]["mu"] < Skill().mu
    again = str(ann.post(f"{at}/rematch").json()["url"]).removeprefix("/t/")
    assert not ann.view(again)["rated"]
    assert ann.post("/api/tables", against_bots("1")).status_code == 201


def test_a_person_begins_one_rated_game_against_bots_at_a_time(tmp_path: Path, database: Database) -> None:
    async def count(here: Club) -> None:
        begun = await asyncio.gather(*(here.begun("Ann") for _ in range(4)), return_exceptions=True)
        assert sorted(type(each).__name__ for each in begun) == ["LiveTable", "Refused", "Refused", "Refused"]
        assert (await here.begun("Bob")).facts.is_rated_against_bots, "others may"

    run_apart(with_club(Settings(data=tmp_path), count))
    run_apart(with_club(Settings(data=tmp_path, database=database.address), count))


def test_a_game_against_bots_that_is_left_is_lost_by_its_clock(tmp_path: Path) -> None:
    async def count(here: Club, game: str, players: int) -> None:
        at = here.writer.now()
        games = BotGames(here.live_tables, here.writer, lambda: at)
        table = await here.begun("Ann", game, players)
        assert table.match.to_move == 0
        at += AFTER_START - 1
        await games.look()
        assert not over(table), "people come back after a start of the server"
        at += 2
        await games.look()
        assert over(table)
        assert any(each.timed_out for each in table.facts.ending.resigned)
        await here.log.rate(table)
        (rating,) = await ratings(here, "Ann")
        assert rating.played == 1
        assert rating.skill.mu < Skill().mu
        assert (await here.begun("Ann", game, players)).id != table.id, "the next one may begin"

    for game, players in (("nim", 2), ("orchard", 3)):
        run_apart(with_club(Settings(data=tmp_path / game), partial(count, game=game, players=players)))


def test_a_game_against_bots_moves_the_person_and_not_the_bot(tmp_path: Path) -> None:
    async def count(here: Club) -> None:
        table = await here.begun("Ann")
        while not table.match.is_over:
            action = next(iter(table.match.state_at(table.match.ply).legal_actions()))
            await here.actions.move(table, table.match.to_move, table.version, action)
        await here.log.rate(table)
        won = table.match.view().returns[0] == 1
        (rating,) = await ratings(here, "Ann")
        expected, _ = rate_game([Skill(), Skill.at(1200, 0)], [float(not won), float(won)])
        assert rating.skill == expected
        async with here.storage.reading() as connection:
            assert (await connection.execute(sql.select(sql.func.count()).select_from(RATINGS))).scalar_one() == 1

    run_apart(with_club(Settings(data=tmp_path), count))


def over(table: LiveTable) -> bool:
    return table.match.is_over


async def ratings(here: Club, name: str) -> list[Rated]:
    profile = await find_profile(here.storage, digest(name))
    assert profile
    return await ratings_of(here.storage, profile.id)


@pytest.mark.parametrize("fixed", [1100, 1900])
@pytest.mark.parametrize("players", [2, 3])
def test_one_as_strong_as_a_bot_comes_to_its_fixed_point(fixed: int, players: int) -> None:
    bot, person, margins = Skill.at(fixed, 60), Skill(), [Skill().margin]
    for number in range(20 * players):
        place = (number * 7 // 3) % players
        others = [rank for rank in range(players) if rank != place]
        person = rate_game([person, *[bot] * (players - 1)], [float(place), *map(float, others)])[0]
        margins.append(person.margin)
    assert abs(person.points - fixed) < 80
    assert margins == sorted(margins, reverse=True)
    assert person.margin < 200


def test_a_fixed_point_is_where_it_says() -> None:
    skill = Skill.at(1730, 90)
    assert (round(skill.points), round(skill.margin)) == (1730, 90)
