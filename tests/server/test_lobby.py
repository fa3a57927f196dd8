"""The lobby: one's own tables first, then the open ones, each with what one needs to choose."""

from __future__ import annotations

import re
from typing import Any

from ludotheque import game_class
from ludotheque.study.puzzles import puzzle_of_day, today
from tests.server.harness import Browser, Opened

FIRST_LESSON = '<a class="button main" data-part="learn-first"'


def tables_of(browser: Browser, language: str = "en") -> str:
    answer = browser.http.get("/lobby/tables", params={"lang": language})
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.text))


def open_table(host: Browser, name: str, **more: Any) -> Opened:
    seats = [{"who": "me", "name": name}, {"who": "open"}, {"who": "bot", "level": "random", "name": "Robot"}]
    return Opened(host, host.post("/api/tables", {"game": "cable-car", "seats": seats, **more}).json())


def test_an_open_table_says_who_is_there_how_many_play_by_which_clock_and_in_which_language(
    ann: Browser, bob: Browser
) -> None:
    ann.http.headers["Accept-Language"] = "fr"
    table = open_table(ann, "Ann Example", clock={"kind": "days", "seconds": 3 * 86_400})
    (listed,) = [each for each in bob.get("/api/tables").json() if each["id"] == table.id]
    assert (listed["seated"], listed["open"], listed["language"]) == (["Ann Example", "Robot"], [1], "fr")
    assert listed["clock"]["kind"] == "days"
    assert "Ann Example, Robot 2 of 3 players · 3 days per move · Français" in tables_of(bob)


def test_an_open_table_says_about_how_long_the_game_takes(ann: Browser, bob: Browser) -> None:
    table = open_table(ann, "Ann in a hurry", clock={"kind": "move", "seconds": 60})
    (listed,) = [each for each in bob.get("/api/tables").json() if each["id"] == table.id]
    assert listed["minutes"] == 15, "60 turns, of which 20 are a bot's"
    assert "1 min per move · about 15 min" in tables_of(bob)
    invited = ann.open("cable-car", "me link")
    secret = invited.links[1].partition("#")[2]
    described = bob.post(f"/api/tables/{invited.id}/invitation", {"secret": secret}).json()
    assert described["minutes"] == 20
    days = open_table(ann, "Ann at leisure", clock={"kind": "days", "seconds": 86_400})
    (listed,) = [each for each in bob.get("/api/tables").json() if each["id"] == days.id]
    assert "minutes" not in listed


def test_the_seat_that_is_free_is_no_player(ann: Browser, bob: Browser) -> None:
    open_table(ann, "Ann Seated")
    assert "Ann Seated, Blue" not in tables_of(bob)


def test_one_press_takes_the_free_seat_and_the_table_is_no_longer_open(
    ann: Browser, bob: Browser, eve: Browser
) -> None:
    table = open_table(ann, "Ann Waiting")
    assert f'data-join="{table.id}" data-seat="1"' in bob.http.get("/lobby/tables").text
    assert f'data-join="{table.id}"' not in ann.http.get("/lobby/tables").text, "she sits there already"
    assert bob.post(f"/api/tables/{table.id}/sit", {"seat": 1, "name": "Bob"}).status_code == 200
    assert table.id not in eve.http.get("/lobby/tables").text
    assert eve.post(f"/api/tables/{table.id}/sit", {"seat": 1}).status_code == 404, "he was quicker"


def test_private_tables_are_listed_for_those_who_sit_there_alone(ann: Browser, bob: Browser) -> None:
    table = ann.open("nim", "me link")
    mine = ann.http.get("/lobby/tables").text
    assert f"/api/tables/{table.id}/picture.svg?at=0" in mine
    assert table.id not in bob.http.get("/lobby/tables").text


def test_the_thumbnail_of_a_screen_that_several_share_shows_no_hand(ann: Browser) -> None:
    table = ann.open("nim", "me me")
    assert f"/api/tables/{table.id}/picture.svg?at=0&amp;viewer=-5&amp;board=true" in ann.http.get("/lobby/tables").text


def test_a_thumbnail_is_the_board_without_tables(ann: Browser) -> None:
    table = ann.open("passerelles", "me bot")
    whole, board = (ann.get(f"/api/tables/{table.id}/picture.svg", board=board).text for board in (False, True))
    assert "Pieces left" in whole
    assert "Pieces left" not in board
    assert "</svg>" in board


def test_names_are_escaped(ann: Browser, bob: Browser) -> None:
    open_table(ann, "<b>Ann</b>")
    assert "<b>Ann" not in bob.http.get("/lobby/tables").text


def test_a_variant_is_listed_by_its_title(ann: Browser) -> None:
    plain, companies = (ann.open("cable-car", "me me", options={"companies": wanted}) for wanted in (False, True))
    titles = {listed["id"]: listed["title"] for listed in ann.get("/api/mine").json()}
    assert (titles[plain.id], titles[companies.id]) == ("Cable Car", "The Companies")


def test_the_card_of_a_variant_links_to_its_own_lesson_and_puzzle(ann: Browser) -> None:
    page = ann.http.get("/").text
    (card,) = re.findall(r'<article class="game" data-game="cable-car/companies">.*?</article>', page, re.DOTALL)
    assert re.findall(r'href="(/learn/[^"]+)"', card) == ["/learn/cable-car/companies"]
    (puzzle,) = re.findall(r'href="(/puzzles/[^"]+)"', card)
    assert puzzle == "/puzzles/cable-car?variant=companies"
    of_day = puzzle_of_day(game_class("cable-car"), today(), "companies")
    assert f'<img src="/api/puzzles/cable-car/{of_day.id}/picture.svg?lang=en"' in page, "its position, not the cover"
    shown = ann.http.get(puzzle).text
    assert f'data-puzzle="{of_day.id}"' in shown
    assert "Puzzle: The Companies" in shown
    assert of_day.settings["companies"]
    assert ann.http.get("/puzzles/cable-car?variant=nothing").status_code == 404


def test_a_finished_game_says_whether_one_has_won(ann: Browser, bob: Browser) -> None:
    table = ann.open("passerelles", "me link")
    bob.post(f"/api/tables/{table.id}/join", {"secret": table.links[1].partition("#")[2], "name": "Bob"})
    assert bob.post(f"/api/tables/{table.id}/resign", {"seat": 1}).status_code == 200
    ann.get("/api/statistics")  # which waits until results are recorded
    for reader, word in ((ann, "won"), (bob, "lost")):
        page = reader.http.get("/").text
        (listed,) = re.findall(rf'<a href="/t/{table.id}".*?</a>', page, re.DOTALL)
        assert f'<span class="badge">{word}</span>' in listed


def test_the_first_lesson_is_offered_until_a_game_is_finished(ann: Browser, bob: Browser) -> None:
    table = ann.open("passerelles", "me link")
    bob.post(f"/api/tables/{table.id}/join", {"secret": table.links[1].partition("#")[2], "name": "Bob"})
    assert FIRST_LESSON in bob.http.get("/").text
    assert bob.post(f"/api/tables/{table.id}/resign", {"seat": 1}).status_code == 200
    assert FIRST_LESSON not in bob.http.get("/").text
