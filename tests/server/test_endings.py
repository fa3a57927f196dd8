"""Games that end before their last move: someone resigns, or all agree to end it."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from functools import partial
from typing import Any

import httpx
import pytest
from msgspec import structs

from ludotheque.server.errors import Refused
from ludotheque.server.storage.keys import Key, Keys
from ludotheque.server.tables.endings import SUCCESSOR, answer_offer, offer_end, resign
from ludotheque.server.tables.facts import Rights, Seat, TableFacts, TableTerms, TournamentRound
from ludotheque.server.tables.proposals import standing_offer
from ludotheque.server.tables.seats import give_back
from ludotheque.server.tables.undo import undo_offer
from ludotheque.table import Ending, Match, Record, Resignation, read_json
from tests.apart import in_a_thread
from tests.server.harness import NO_TLS, PATIENCE, Browser, Opened, Server, wait_until
from tests.server.test_profiles import named
from tests.server.test_rated import holders, rated_table
from tests.table.matches import first_action, random_match
from tests.toy import Orchard

PEOPLE = b"ann", b"bob", b"cleo"


def facts_of(match: Match, people: int) -> TableFacts:
    """The facts of a table whose first seats are people's, and the others bots'."""
    seats = [Seat("person" if seat < people else "bot", taken=True) for seat in range(match.game.players)]
    keys = frozenset(Key(PEOPLE[seat], seat, "browser") for seat in range(people))
    return TableFacts(host=b"ann", names=match.names, seats=tuple(seats), keys=Keys(keys))


def running(players: int, people: int | None = None, rounds: int = 2) -> tuple[Match, TableFacts]:
    match = random_match(Orchard(players, {"rounds": rounds}), 2, 12)
    return match, facts_of(match, players if people is None else people)


# The rules.


def test_in_a_game_of_two_resigning_ends_it() -> None:
    match, facts = running(2)
    after = resign(facts, match, 0, at=0.0)
    assert after.ending == Ending((Resignation(0, match.ply),))
    assert after.seats == facts.seats, "nobody plays on"


def test_with_more_seats_a_bot_plays_on_and_the_person_cannot_come_back() -> None:
    match, facts = running(3)
    after = resign(facts, match, 0, at=0.0)
    assert after.seats[0] == Seat("bot", SUCCESSOR, taken=True, substitutes=True)
    assert not after.ending.ends(3)
    assert after.rights([b"ann"]).seats == ()
    with pytest.raises(Refused, match="cannot come back"):
        give_back(after, 0, match.ply, is_over=False, at=0.0)
    with pytest.raises(Refused):
        resign(after, match, 0, at=0.0)


def test_the_last_seat_left_wins() -> None:
    match, facts = running(3)
    after = resign(resign(facts, match, 0, at=0.0), match, 2, at=0.0)
    assert after.ending.winner(3) == 1
    assert after.seats[2].who == "person", "nobody needs to play on for the last one"


def test_without_any_person_left_the_game_is_abandoned() -> None:
    match, facts = running(3, people=1)
    assert resign(facts, match, 0, at=0.0).ending.abandoned


def test_nobody_resigns_in_favour_of_a_free_seat() -> None:
    match, facts = running(2)
    facts = structs.replace(facts, seats=(facts.seats[0], Seat("person")))
    with pytest.raises(Refused, match="There is no opponent left"):
        resign(facts, match, 0, at=0.0)


def test_a_resignation_can_complete_an_agreement() -> None:
    match, facts = running(3)
    facts = answer_offer(offer_end(facts, match, [0]), match, [1], agrees=True)
    assert not facts.ending.abandoned
    assert resign(facts, match, 2, at=0.0).ending.abandoned


def test_all_must_agree_to_end_a_game() -> None:
    match, facts = running(3)
    facts = offer_end(facts, match, [0])
    assert facts.end_offer
    assert facts.end_offer.agreed == (0,)
    facts = answer_offer(facts, match, [1], agrees=True)
    assert not facts.ending.abandoned
    facts = answer_offer(facts, match, [2], agrees=True)
    assert (facts.ending, facts.end_offer) == (Ending(abandoned=True), None)


def test_those_who_resigned_and_bots_are_not_asked() -> None:
    match, facts = running(3)
    facts = resign(facts, match, 0, at=0.0)
    facts = answer_offer(offer_end(facts, match, [1]), match, [2], agrees=True)
    assert facts.ending.abandoned
    match, facts = running(3, people=1)
    assert offer_end(facts, match, [0]).ending.abandoned, "no one else plays"


def test_a_refused_offer_can_be_made_again_after_a_move() -> None:
    match, facts = running(2)
    facts = answer_offer(offer_end(facts, match, [0]), match, [1], agrees=False)
    assert facts.end_offer
    assert facts.end_offer.refused == (1,)
    for seat in (0, 1):
        with pytest.raises(Refused, match="after the next move"):
            offer_end(facts, match, [seat])
    with pytest.raises(Refused, match="No one has asked"):
        answer_offer(facts, match, [0], agrees=True)
    match.play(match.to_move, first_action(match))
    assert offer_end(facts, match, [0]).end_offer


def test_a_game_of_a_tournament_needs_a_result() -> None:
    match, facts = running(2)
    terms = TableTerms(tournament=TournamentRound("t1", "The cup", 1))
    with pytest.raises(Refused, match="counts in a tournament"):
        offer_end(structs.replace(facts, terms=terms), match, [0])
    assert resign(structs.replace(facts, terms=terms), match, 0, at=0.0).ending.ends(2)


def test_an_offer_lapses_when_the_one_who_asked_moves_in_a_later_turn() -> None:
    match, facts = running(2, rounds=40)
    asker = match.to_move
    facts = offer_end(facts, match, [asker])
    while match.to_move == asker:
        match.play(asker, first_action(match))
    assert standing_offer(facts, match), "their turn went on"
    while match.to_move != asker:
        match.play(match.to_move, first_action(match))
    assert standing_offer(facts, match), "the other one has played on, but may still agree"
    match.play(asker, first_action(match))
    assert standing_offer(facts, match) is None
    with pytest.raises(Refused, match="No one has asked"):
        answer_offer(facts, match, [1 - asker], agrees=True)
    again = offer_end(facts, match, [1 - asker]).end_offer
    assert again
    assert again.agreed == (1 - asker,), "a new offer, to which the first one has not agreed"


def test_an_agreement_that_has_lapsed_is_not_completed_by_a_resignation() -> None:
    match, facts = running(3, rounds=40)
    asker = match.to_move
    second, third = ((asker + step) % 3 for step in (1, 2))
    facts = answer_offer(offer_end(facts, match, [asker]), match, [second], agrees=True)
    for seat in (asker, second, third):
        while match.to_move == seat:
            match.play(seat, first_action(match))
    assert resign(facts, match, third, at=0.0).ending.abandoned
    match.play(asker, first_action(match))
    assert not resign(facts, match, third, at=0.0).ending.abandoned


def test_one_whose_seat_is_lent_to_a_bot_is_asked_too() -> None:
    match, facts = running(2)
    lent = structs.replace(facts, seats=(Seat("bot", "1", taken=True, substitutes=True), facts.seats[1]))
    rights = lent.rights([b"ann"])
    assert (rights.seats, rights.held) == ((), (0,))
    offered = offer_end(lent, match, [1])
    assert not offered.ending.abandoned
    assert answer_offer(offered, match, rights.held, agrees=True).ending.abandoned


def test_one_who_has_resigned_is_not_asked() -> None:
    match, facts = running(3)
    facts = offer_end(resign(facts, match, 0, at=0.0), match, [1])
    with pytest.raises(Refused, match="Only those who play"):
        answer_offer(facts, match, facts.rights([b"ann"]).held, agrees=False)


def test_an_offer_can_be_withdrawn() -> None:
    match, facts = running(2)
    facts = answer_offer(offer_end(facts, match, [0]), match, [0], agrees=False)
    assert facts.end_offer is None


def test_moves_from_before_a_resignation_are_not_taken_back() -> None:
    match, facts = running(3)
    rights = Rights((0, 1, 2), is_host=True)
    before = match.undo_rules.ply_before_latest_move(1)
    assert before is not None
    assert undo_offer(match, facts, 1, rights).way
    facts = structs.replace(facts, ending=Ending((Resignation(0, before + 1),)))
    assert undo_offer(match, facts, 1, rights).way == ""


# At a table.


def resigns(browser: Browser, table: str, seat: int) -> httpx.Response:
    return browser.post(f"/api/tables/{table}/resign", {"seat": seat})


def offers(browser: Browser, table: str) -> httpx.Response:
    return browser.post(f"/api/tables/{table}/end")


def answers(browser: Browser, table: str, agree: bool) -> httpx.Response:
    return browser.post(f"/api/tables/{table}/end/answer", {"agree": agree})


def duel(ann: Browser, bob: Browser, **more: Any) -> Opened:
    table = ann.open("orchard", "me link", **more)
    bob.join(table.links[1])
    return table


def trio(ann: Browser, bob: Browser, eve: Browser) -> Opened:
    table = ann.open("orchard", "me link link")
    bob.join(table.links[1])
    eve.join(table.links[2])
    return table


def test_the_others_are_told_at_once_and_the_record_tells_it(ann: Browser, bob: Browser) -> None:
    table = duel(ann, bob, clock={"kind": "move", "seconds": 600})
    with bob.socket(table.id) as at_bob, ann.socket(table.id) as at_ann:
        at_ann.hear_until("view", over=False)
        at_ann.send(type="resign", seat=0, id=1)
        at_ann.hear_until("done", reply_to=1)
        view = at_bob.hear_until("view", over=True)
        assert view["result"]["returns"] == [0.0, 1.0]
        assert view["seats"][0]["resigned"] == view["last_ply"]
        assert view["log"][-1]["text"].endswith("resigns.")
        assert view["clock"]["running"] == -1
        assert not view["choices"]
        assert not view["undo"]
    record = read_json(bob.get(f"/api/tables/{table.id}/record").text)
    assert record.ending == Ending((Resignation(0, view["last_ply"]),))
    assert record.result
    assert record.result.returns == (0.0, 1.0)
    move = {"seat": 1, "version": view["version"], "action": 0}
    assert bob.post(f"/api/tables/{table.id}/moves", move).status_code == 422


def test_a_finished_game_has_its_summary_review_and_rematch(ann: Browser, bob: Browser) -> None:
    table = duel(ann, bob)
    ann.play(table.id, 0)
    assert resigns(bob, table.id, 1).status_code == 200
    assert ann.get(f"/api/tables/{table.id}/summary").json()["over"]
    assert ann.get(f"/api/tables/{table.id}/draws").status_code == 200
    assert ann.get(f"/api/tables/{table.id}/replay.html").status_code == 200
    assert ann.post(f"/api/tables/{table.id}/review", {"simulations": 64}).status_code == 200
    wait_until(lambda: ann.get(f"/api/tables/{table.id}/review/progress").json()["state"] == "done")
    ann.post(f"/api/tables/{table.id}/rematch")
    assert bob.post(f"/api/tables/{table.id}/rematch").json()["url"]


def test_a_bot_plays_on_and_the_person_watches(ann: Browser, bob: Browser, eve: Browser) -> None:
    table = trio(ann, bob, eve)
    ann.post(f"/api/tables/{table.id}/pace", {"seconds": 0})
    assert resigns(ann, table.id, 0).status_code == 200
    wait_until(lambda: bob.view(table.id)["to_move"] == 1)
    view = ann.view(table.id)
    assert (view["mine"], view["viewer"], view["over"]) == ([], -5, False)
    assert view["seats"][0]["stands_in"]
    assert not view["seats"][0]["lent"]
    back = ann.post(f"/api/tables/{table.id}/stand-in", {"seat": 0, "level": ""})
    assert back.json()["error"] == "not-now"
    move = {"seat": 0, "version": view["version"], "action": 0}
    assert ann.post(f"/api/tables/{table.id}/moves", move).status_code == 403
    assert not next(each for each in ann.get("/api/mine").json() if each["id"] == table.id)["my_turn"]
    assert resigns(bob, table.id, 1).status_code == 200
    assert eve.view(table.id)["result"]["returns"] == [0.0, 0.0, 1.0]


def test_an_agreement_ends_the_game_without_a_result(ann: Browser, bob: Browser) -> None:
    table = duel(ann, bob)
    with bob.socket(table.id) as at_bob:
        assert offers(ann, table.id).status_code == 200
        at_bob.hear_until("view", end_offer={"agreed": [0], "refused": [], "ply": ann.view(table.id)["ply"]})
        at_bob.send(type="answer_end_offer", agree=True, id=3)
        view = at_bob.hear_until("view", over=True)
    assert (view["abandoned"], view["result"]) == (True, None)
    assert read_json(ann.get(f"/api/tables/{table.id}/record").text).ending.abandoned
    assert ann.get(f"/api/tables/{table.id}/summary").status_code == 200
    assert ann.get(f"/api/tables/{table.id}/replay.html").status_code == 200


def test_an_offer_that_has_lapsed_is_shown_no_more(ann: Browser, bob: Browser) -> None:
    table = ann.open("nim", "me link", options={"matches": 300})
    bob.join(table.links[1])
    with bob.socket(table.id) as at_bob:
        assert offers(ann, table.id).status_code == 200
        for seat, browser in ((0, ann), (1, bob)):
            browser.play(table.id, seat)
            assert at_bob.hear_until("view", to_move=1 - seat)["end_offer"]
        ann.play(table.id, 0)
        assert at_bob.hear_until("view", to_move=1)["end_offer"] is None


def test_only_those_who_play_can_end_a_game(ann: Browser, bob: Browser, eve: Browser) -> None:
    table = duel(ann, bob)
    eve.join(table.watch)
    assert resigns(eve, table.id, 0).status_code == 403
    assert resigns(bob, table.id, 0).status_code == 403, "the seat of someone else"
    assert offers(eve, table.id).status_code == 403
    offers(ann, table.id)
    assert answers(eve, table.id, True).status_code == 403
    host_of_bots = ann.open("orchard", "bot bot")
    assert resigns(ann, host_of_bots.id, 0).status_code == 403
    assert offers(ann, host_of_bots.id).status_code == 403
    assert not ann.view(table.id)["over"]


def test_a_finished_or_closed_game_cannot_be_ended(ann: Browser, bob: Browser) -> None:
    table = duel(ann, bob)
    assert answers(bob, table.id, True).json()["error"] == "not-now", "nobody asks"
    resigns(ann, table.id, 0)
    for refused in (resigns(bob, table.id, 1), offers(bob, table.id), answers(bob, table.id, True)):
        assert (refused.status_code, refused.json()["error"]) == (409, "over")
    closed = duel(ann, bob)
    ann.post(f"/api/tables/{closed.id}/close")
    assert resigns(bob, closed.id, 1).json()["error"] == "table-closed"


def at_once(server: Server, *requests: tuple[Browser, str, Any]) -> list[httpx.Response]:
    """Send requests of several browsers at the same time."""

    async def send(browser: Browser, path: str, body: Any) -> httpx.Response:
        jar = browser.http.cookies
        async with httpx.AsyncClient(base_url=server.url, cookies=jar, timeout=PATIENCE, verify=NO_TLS) as client:
            return await client.post(path, json=body)

    async def all_of_them() -> list[httpx.Response]:
        sending: list[Coroutine[Any, Any, httpx.Response]] = [send(*request) for request in requests]
        return await asyncio.gather(*sending)

    return in_a_thread(lambda: asyncio.run(all_of_them()))


def test_of_two_resignations_at_once_the_first_counts(ann: Browser, bob: Browser, server: Server) -> None:
    table = duel(ann, bob)
    path = f"/api/tables/{table.id}/resign"
    found = at_once(server, (ann, path, {"seat": 0}), (bob, path, {"seat": 1}))
    assert sorted(answer.status_code for answer in found) == [200, 409]
    winner = next(seat for seat, answer in enumerate(found) if answer.status_code == 409)
    assert ann.view(table.id)["result"]["returns"][winner] == 1.0


def test_a_move_and_a_resignation_at_once_leave_one_history(ann: Browser, bob: Browser, server: Server) -> None:
    table = duel(ann, bob)
    view = ann.view(table.id)
    move = {"seat": 0, "version": view["version"], "action": view["choices"][0]["action"]}
    ended, _ = at_once(
        server,
        (bob, f"/api/tables/{table.id}/resign", {"seat": 1}),
        (ann, f"/api/tables/{table.id}/moves", move),
    )
    assert ended.status_code == 200
    after = ann.view(table.id)
    assert (after["over"], after["seats"][1]["resigned"]) == (True, after["last_ply"])
    assert read_json(ann.get(f"/api/tables/{table.id}/record").text).to_match().is_over


def test_an_end_survives_a_restart(server: Server, tmp_path: Any) -> None:
    own = Server(tmp_path, "--no-limits")
    with own.browser() as ann:
        table = ann.open("orchard", "me me me")
        assert resigns(ann, table.id, 1).status_code == 200
        over = ann.open("orchard", "me me")
        assert resigns(ann, over.id, 1).status_code == 200
        own.kill()
        own.start()
        ann.http.base_url = httpx.URL(own.url)
        assert ann.view(table.id)["seats"][1]["resigned"] is not None
        assert ann.view(over.id)["result"]["returns"] == [1.0, 0.0]
    own.stop()


def test_a_record_of_an_ended_game_opens_ended(ann: Browser, bob: Browser) -> None:
    table = duel(ann, bob)
    resigns(ann, table.id, 0)
    record = ann.get(f"/api/tables/{table.id}/record").text
    opened = ann.post("/api/records", {"record": record}).json()["id"]
    assert ann.view(opened)["result"]["returns"] == [0.0, 1.0]
    assert ann.get(f"/api/tables/{opened}/record").text == record
    assert isinstance(read_json(record), Record)


# Results and ratings.


def results_of(browser: Browser) -> Any:
    return browser.get("/api/profile/results").json()


def test_profiles_count_a_resignation_and_no_abandoned_game(ann: Browser, bob: Browser) -> None:
    named(ann, "Ann who resigns"), named(bob, "Bob who stays")
    played = partial(lambda browser: results_of(browser)["tally"]["played"])
    table = duel(ann, bob)
    offers(ann, table.id), answers(bob, table.id, True)
    table = duel(ann, bob)
    resigns(ann, table.id, 0)
    wait_until(lambda: played(bob) == 1 and played(ann) == 1)
    assert (results_of(ann)["tally"]["wins"], results_of(bob)["tally"]["wins"]) == (0, 1)


def test_someone_who_resigned_has_lost_whatever_the_bot_makes_of_it(ann: Browser, bob: Browser, eve: Browser) -> None:
    for browser, name in ((ann, "Ann of three"), (bob, "Bob of three"), (eve, "Eve of three")):
        named(browser, name)
    table = trio(ann, bob, eve)
    ann.post(f"/api/tables/{table.id}/pace", {"seconds": 0})
    resigns(ann, table.id, 0)
    seated = {1: bob, 2: eve}
    while not (view := bob.view(table.id))["over"]:
        if view["to_move"] in seated:
            seated[view["to_move"]].play(table.id, view["to_move"])
    wait_until(lambda: results_of(ann)["tally"]["played"] == 1)
    assert results_of(ann)["tally"]["wins"] == 0


def test_statistics_count_only_games_that_were_played_out(ann: Browser, bob: Browser) -> None:
    def counted() -> int:
        games = ann.get("/api/statistics").json()["games"]
        return int(sum(game["played"] for game in games if game["game"] == "orchard"))

    before = counted()
    table = duel(ann, bob)
    resigns(ann, table.id, 0)
    assert counted() == before


def test_resigning_costs_rating_and_an_agreement_does_not(ann: Browser, bob: Browser) -> None:
    named(ann, "Ann the rated"), named(bob, "Bob the rated")

    def rating(browser: Browser) -> Any:
        return browser.get("/api/profile/export").json()["ratings"]

    table = rated_table(ann, bob)
    offers(ann, table), answers(bob, table, True)
    assert ann.view(table)["abandoned"]
    table = rated_table(ann, bob)
    seat = next(seat for seat, browser in holders(table, ann, bob).items() if browser is ann)
    assert resigns(ann, table, seat).status_code == 200
    wait_until(lambda: rating(ann) and rating(bob))
    assert (rating(ann)[0]["played"], rating(bob)[0]["played"]) == (1, 1), "the abandoned one does not count"
    assert rating(ann)[0]["skill"]["mu"] < rating(bob)[0]["skill"]["mu"]
