"""Starting, finding, joining and leaving tables."""

from __future__ import annotations

import re

from tests.ours import OURS
from tests.server.harness import Browser, Server, wait_until


def test_every_game_is_on_the_shelf(ann: Browser) -> None:
    cards = {card["name"]: card for card in ann.get("/api/games").json()}
    assert {*OURS, "orchard", "nim"} <= set(cards)
    assert [option["kind"] for option in cards["orchard"]["options"]] == ["number", "choice", "flag", "document"]


def test_every_game_has_a_picture_without_scripts(ann: Browser) -> None:
    for card in ann.get("/api/games").json():
        picture = ann.get(card["picture"])
        assert picture.headers["content-type"].startswith("image/svg+xml")
        assert picture.text.startswith("<svg")
        assert "<script" not in picture.text
        assert "sandbox" in picture.headers["content-security-policy"]


def test_every_game_can_be_opened_and_drawn(ann: Browser) -> None:
    for card in ann.get("/api/games").json():
        table = ann.open(card["name"], " ".join(["me"] * max(card["min_players"], 1)))
        view = ann.view(table.id)
        assert view["scene"]["pieces"] or card["name"] == "nim"
        backdrop, styles = ann.get(view["backdrop"]), ann.get(view["styles"])
        assert "<style" not in backdrop.text
        assert "immutable" in backdrop.headers["cache-control"]
        assert styles.headers["content-type"].startswith("text/css")


def test_a_table_starts_and_shows_its_first_position(ann: Browser) -> None:
    table = ann.open()
    view = ann.view(table.id)
    assert (view["viewer"], view["mine"], view["host"], view["to_move"]) == (0, [0], True, 0)
    assert view["choices"]
    assert view["observation"]["viewer"] == 0


def test_a_move_is_answered_by_the_bot(ann: Browser) -> None:
    table = ann.open()
    assert ann.play(table.id, 0).status_code == 200
    assert ann.play(table.id, 0).status_code == 200
    wait_until(lambda: ann.view(table.id)["to_move"] == 0)
    assert ann.view(table.id)["last_ply"] > 5


def test_a_game_goes_to_its_end_and_tells_its_result_and_its_seed(ann: Browser) -> None:
    table = ann.open("orchard", "me me")
    while not (view := ann.view(table.id))["over"]:
        assert view["dice"]["seed"] == ""
        assert ann.play(table.id, view["to_move"]).status_code == 200
    assert sum(view["result"]["returns"]) == 1
    assert view["result"]["score_texts"] == [str(score) for score in view["result"]["scores"]]
    assert len(view["dice"]["seed"]) == 64
    moments = ann.get(f"/api/tables/{table.id}/summary").json()["moments"]
    assert len(moments) == view["last_ply"] + 1
    assert moments[-1]["scores"] == view["result"]["scores"]


def test_a_friend_sits_down_by_link(ann: Browser, bob: Browser) -> None:
    table = ann.open("orchard", "me link")
    assert not ann.view(table.id)["seats"][1]["taken"]
    assert bob.get(f"/api/tables/{table.id}").status_code == 404
    assert bob.join(table.links[1]) == 1
    assert bob.view(table.id)["viewer"] == 1
    assert ann.view(table.id)["seats"][1]["taken"]


def test_a_link_to_watch_opens_no_seat(ann: Browser, bob: Browser) -> None:
    table = ann.open("orchard", "me me")
    assert bob.join(table.watch) == -5
    view = bob.view(table.id)
    assert (view["viewer"], view["mine"], view["choices"]) == (-5, [], [])


def test_a_program_carries_the_key_of_a_link(server: Server, ann: Browser) -> None:
    table = ann.open("orchard", "me link")
    with server.browser(bearer=table.links[1].partition("#")[2]) as program:
        assert program.view(table.id)["viewer"] == 1
        with program.socket(table.id) as socket:
            assert socket.hear_until("view")["viewer"] == 1


def test_an_open_seat_is_listed_and_goes_to_the_first_who_sits_down(ann: Browser, bob: Browser, eve: Browser) -> None:
    table = ann.open("orchard", "me open")
    assert table.id in {item["id"] for item in bob.get("/api/tables").json()}
    assert bob.view(table.id)["viewer"] == -5
    assert bob.post(f"/api/tables/{table.id}/sit", {"seat": 1, "name": "Bob"}).status_code == 200
    late = eve.post(f"/api/tables/{table.id}/sit", {"seat": 1})
    assert late.status_code == 404, "nobody may even know of it once no seat is open"
    assert table.id not in {item["id"] for item in bob.get("/api/tables").json()}
    assert bob.view(table.id)["seats"][1]["name"] == "Bob"


def test_a_seat_that_is_not_open_is_taken(ann: Browser, bob: Browser) -> None:
    table = ann.open("orchard", "me open open")
    assert bob.post(f"/api/tables/{table.id}/sit", {"seat": 0}).json()["error"] == "seat-taken"


def test_a_browser_finds_its_tables_again(ann: Browser, bob: Browser) -> None:
    table = ann.open("orchard", "me link")
    bob.join(table.links[1])
    mine = {item["id"]: item for item in ann.get("/api/mine").json()}[table.id]
    his = {item["id"]: item for item in bob.get("/api/mine").json()}[table.id]
    assert (mine["seats"], mine["host"], mine["my_turn"]) == ([0], True, True)
    assert (his["seats"], his["host"], his["my_turn"]) == ([1], False, False)


def test_the_host_can_make_a_new_link_until_the_seat_is_taken(ann: Browser, bob: Browser) -> None:
    table = ann.open("orchard", "me link")
    link = ann.post(f"/api/tables/{table.id}/links", {"seat": 1}).json()["url"]
    assert bob.join(link) == 1
    assert ann.post(f"/api/tables/{table.id}/links", {"seat": 1}).status_code == 403
    assert bob.post(f"/api/tables/{table.id}/links", {"seat": 1}).status_code == 200


def test_who_leaves_frees_the_seat(ann: Browser, bob: Browser) -> None:
    table = ann.open("orchard", "me open")
    bob.post(f"/api/tables/{table.id}/sit", {"seat": 1})
    assert bob.post(f"/api/tables/{table.id}/leave").status_code == 200
    assert bob.get("/api/mine").json() == []
    assert ann.view(table.id)["seats"][1]["open"]


def test_a_seat_takes_a_name_and_the_log_uses_it(ann: Browser) -> None:
    table = ann.open("orchard", "me me")
    assert ann.post(f"/api/tables/{table.id}/name", {"seat": 0, "name": "Zoë"}).status_code == 200
    view = ann.view(table.id)
    assert view["seats"][0]["name"] == "Zoë"
    assert any("Zoë" in line["text"] for line in view["log"])


def test_several_at_one_screen_hand_it_over_where_there_are_secrets(ann: Browser) -> None:
    table = ann.open("orchard", "me me")
    with ann.socket(table.id) as socket:
        view = socket.hear_until("view")
        assert (view["viewer"], view["hand_over"]) == (0, None)
        while view["to_move"] == 0:
            socket.send(type="move", seat=0, version=view["version"], action=view["choices"][0]["action"])
            view = socket.hear_until("view")
        assert (view["viewer"], view["hand_over"], view["choices"]) == (0, 1, [])
        socket.send(type="look", seat=1)
        view = socket.hear_until("view")
        assert (view["viewer"], view["hand_over"]) == (1, None)
        assert view["choices"]
        assert view["scene"]["base"] is None


def test_without_secrets_the_screen_follows_the_turn(ann: Browser) -> None:
    table = ann.open("nim", "me me")
    assert ann.view(table.id)["viewer"] == 0
    ann.play(table.id, 0)
    view = ann.view(table.id)
    assert (view["viewer"], view["hand_over"]) == (1, None)


def test_the_past_can_be_looked_at(ann: Browser) -> None:
    table = ann.open("orchard", "me me")
    early = ann.view(table.id)
    for _ in range(4):
        ann.play(table.id, ann.view(table.id)["to_move"])
    view = ann.view(table.id, at=early["ply"])
    assert view["scene"] == early["scene"]
    assert (view["ply"], view["choices"], view["log"]) == (early["ply"], [], early["log"])
    assert view["last_ply"] > early["ply"]
    assert ann.get(f"/api/tables/{table.id}", params={"at": 999}).status_code in (200, 404)
    assert ann.get(f"/api/tables/{table.id}", at=999).json()["error"] == "no-such-ply"


def test_a_record_can_be_taken_along_and_taken_up_again(ann: Browser, bob: Browser) -> None:
    table = ann.open("orchard", "me me")
    while not (view := ann.view(table.id))["over"]:
        ann.play(table.id, view["to_move"])
    for form in ("json", "text"):
        record = ann.get(f"/api/tables/{table.id}/record", form=form)
        assert "attachment" in record.headers["content-disposition"]
        answer = bob.post("/api/records", {"record": record.text})
        assert answer.status_code == 201, answer.text
        again = bob.view(answer.json()["id"])
        assert again["result"] == view["result"]
        assert again["seats"][0]["mine"]


def test_a_hint_is_the_best_few_moves_with_what_to_expect_and_why(ann: Browser) -> None:
    table = ann.open("passerelles", "me bot")
    view = ann.view(table.id)
    ask = {"seat": 0, "version": view["version"]}
    hint = ann.post(f"/api/tables/{table.id}/hint", ask).json()
    assert 1 <= len(hint["moves"]) <= 3
    for move in hint["moves"]:
        assert move["keys"][0] in {choice["key"] for choice in view["choices"]}
        assert 0 <= move["share"] <= 1
        assert move["result"].endswith(("point", "points"))
        assert re.search(r"\d of 100 games", move["reason"])
        assert move["ghost"]["pieces"][0]["id"].startswith("piece:")
    assert ann.post(f"/api/tables/{table.id}/hint", ask).json() == hint, "the same position gives the same hint"


def test_a_hint_draws_the_tile_that_it_names(ann: Browser) -> None:
    table = ann.open("cable-car", "me bot")
    view = ann.view(table.id)
    moves = ann.post(f"/api/tables/{table.id}/hint", {"seat": 0, "version": view["version"]}).json()["moves"]
    laid = [move for move in moves if move["keys"] != ["draw"]]
    assert laid
    for move in laid:
        before, tile, after = move["drawn"]
        assert before + tile["words"] + after == move["words"]
        assert tile["symbol"] == move["ghost"]["pieces"][0]["symbol"]


def test_played_moves_are_drawn_as_their_viewer_saw_them(ann: Browser) -> None:
    table = ann.open("cable-car", "me me")
    start = ann.view(table.id)["last_ply"]
    assert [ann.play(table.id, seat).status_code for seat in (0, 1)] == [200, 200]
    played = ann.get(f"/api/tables/{table.id}/played", since=start).json()
    assert [move["seat"] for move in played] == [0, 1]
    tiles = {piece["id"] for piece in ann.view(table.id)["scene"]["pieces"] if piece["id"].startswith("tile:")}
    assert {move["ghost"]["pieces"][0]["id"] for move in played} == tiles
    assert ann.view(table.id)["since"] == start
    first = ann.get(f"/api/tables/{table.id}/played", since=played[0]["ply"] - 1, until=played[0]["ply"]).json()
    assert first == played[:1], "a single one"


def test_the_view_of_ones_turn_has_what_was_played_since_the_last_one(ann: Browser, bob: Browser) -> None:
    table = ann.open("cable-car", "me link")
    bob.join(table.links[1])
    with ann.socket(table.id) as at_ann, bob.socket(table.id) as at_bob:
        for seat, browser in ((0, ann), (1, bob), (0, ann)):
            browser.play(table.id, seat)
        view = at_bob.hear_until("view", to_move=1, ply=bob.view(table.id)["ply"])
        asked = bob.get(f"/api/tables/{table.id}/played", since=view["since"], until=view["ply"]).json()
        assert [move["seat"] for move in asked] == [1, 0]
        assert view["played"] == asked
        assert "played" not in at_ann.hear_until("view", version=view["version"]), "nor for one who waits"
    assert "played" not in bob.view(table.id, at=view["ply"] - 1), "nor at an earlier position"


def test_a_preview_shows_what_a_move_would_do_and_plays_nothing(ann: Browser) -> None:
    table = ann.open("cable-car", "me me")
    view = ann.view(table.id)
    lay = next(node for node in view["choices"] if node.get("children"))["children"][0]
    query = {"seat": 0, "version": view["version"], "action": lay["action"]}
    preview = ann.get(f"/api/tables/{table.id}/preview", **query).json()
    assert [piece["id"].partition(":")[0] for piece in preview["ghost"]["pieces"]] == ["tile"]
    assert preview["lines"]
    assert ann.view(table.id)["version"] == view["version"]


def test_a_refused_place_gets_its_reason_and_a_legal_one_none(ann: Browser) -> None:
    table = ann.open("cable-car", "me me")
    view = ann.view(table.id)
    tile = next(node for node in view["choices"] if node.get("children"))
    path, query = f"/api/tables/{table.id}/why-not", {"seat": 0, "version": view["version"]}
    refused = ann.get(path, **query, steps=[tile["key"], "cell:C3"]).json()
    assert refused == {"reason": "C3 is neither at the edge nor next to a tile."}
    assert ann.get(path, **query, steps=[tile["key"], tile["children"][0]["key"]]).json() == {"reason": ""}
    assert ann.get(path, **query, steps=["x"]).json() == {"reason": "The rules do not allow this."}
    for steps in ({}, {"steps": ["x" * 65]}, {"steps": ["draw"] * 17}):
        assert ann.get(path, **query, **steps).status_code == 400, steps


def test_a_game_draws_on_demand_what_it_has_to_show(ann: Browser) -> None:
    table = ann.open("passerelles", "me me")
    assert 'data-part="overlay"' in ann.get(f"/t/{table.id}").text
    told = ann.get(f"/api/tables/{table.id}/overlay").json()
    assert told == {"ghost": {}, "lines": ["No piece would enclose more squares now."]}
    assert ann.get(f"/api/tables/{table.id}/overlay", at=1).status_code == 404
    other = ann.open("cable-car", "me me")
    assert 'data-part="overlay"' not in ann.get(f"/t/{other.id}").text
    assert ann.get(f"/api/tables/{other.id}/overlay").json() == {"ghost": {}, "lines": []}


def test_a_place_is_refused_after_the_decisions_before_it(ann: Browser) -> None:
    table = ann.open("chicago-express", "me me me")
    view = ann.view(table.id)
    path = f"/api/tables/{table.id}/why-not?seat={view['to_move']}&version={view['version']}&steps=pass"
    assert ann.get(path).json() == {"reason": ""}
    assert ann.get(f"{path}&after=1000000").status_code == 422


def test_words_come_in_the_readers_language(ann: Browser) -> None:
    table = ann.open("cable-car", "me me")
    assert ann.http.get("/", headers={"Accept-Language": "nl-BE,nl;q=0.9"}).text.count('lang="nl"') >= 1
    assert ann.view(table.id, lang="fr")["viewer"] == 0


def test_the_rules_are_read_in_the_readers_language_with_pictures(ann: Browser) -> None:
    page = ann.get("/rules/cable-car", lang="fr").text
    assert '<article lang="fr" ' in page
    assert "Pas de ligne d&#39;une seule carte" in page or "Pas de ligne d'une seule carte" in page
    assert "/rules/cable-car/pictures/lines.svg?lang=fr" in page
    picture = ann.get("/rules/cable-car/pictures/lines.svg", lang="fr")
    assert picture.headers["content-type"].startswith("image/svg+xml")
    assert "En main\u00a0:" in picture.text, "its words are French too"
    assert ann.get("/rules/cable-car/pictures/none.svg").status_code == 404


def test_pages_and_pictures_are_compressed_and_answers_with_secrets_are_not(ann: Browser) -> None:
    for path in ("/", "/static/styles/base.css", "/api/games/cable-car/picture.svg", "/rules/cable-car"):
        assert ann.get(path).headers.get("content-encoding") == "gzip", path
    table = ann.open("cable-car", "me me")
    assert ann.get(f"/api/tables/{table.id}/backdrop.svg").headers.get("content-encoding") == "gzip"
    puzzle = f"/api/puzzles/passerelles/{ann.get('/api/puzzles/passerelles').json()[0]['id']}"
    assert ann.get(f"{puzzle}/picture.svg").headers.get("content-encoding") == "gzip", "a list has a hundred"
    for path in (f"/api/tables/{table.id}", "/api/mine", f"/api/tables/{table.id}/record", puzzle):
        assert "content-encoding" not in ann.get(path).headers, path
