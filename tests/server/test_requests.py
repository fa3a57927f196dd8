"""Requests and their texts: encodings, names, HEAD, content types."""

from __future__ import annotations

import pytest

from ludotheque.core.errors import BadName
from ludotheque.table.names import check_new_name
from tests.server.harness import Browser


def test_invalid_utf8_in_a_body_is_malformed(ann: Browser) -> None:
    table = ann.open("orchard", "me me")
    for path in ("tables", "records", f"tables/{table.id}/moves", f"tables/{table.id}/chat", f"tables/{table.id}/name"):
        body = b'{"game": "\xff", "record": "\xff", "text": "\xff", "name": "\xff"}'
        answer = ann.http.post(f"/api/{path}", content=body, headers={"Content-Type": "application/json"})
        assert (path, answer.status_code, answer.json()["error"]) == (path, 400, "malformed")


def test_invalid_utf8_in_an_address_breaks_nothing(ann: Browser) -> None:
    table = ann.open("orchard", "me me")
    for path in ("/%ff", "/t/%ff", "/api/tables/%ff", f"/api/tables/{table.id}?viewer=%ff", "/?lang=%ff", "/rules/%ff"):
        assert ann.get(path).status_code in (200, 400, 404), path
    assert ann.http.get("/", headers={b"Cookie": b"ludotheque=\xff"}).status_code == 200


def test_invalid_utf8_over_the_socket_closes_it(ann: Browser) -> None:
    table = ann.open("orchard", "me me")
    with ann.socket(table.id) as socket:
        socket.hear_until("view")
        socket.connection.send(b'{"type": "chat", "text": "\xff"}', text=True)
        assert socket.hear_to_the_end() == 1007
    assert ann.view(table.id)["version"] == 1


@pytest.mark.parametrize(
    "name", ["An\u200bn", "Ann\u200e", "\u202eAnn", "A\u00adnn", "\u3164\u3164", "A\u2800", "Ann\ufe0f", "Ann\u200d"]
)
def test_names_with_invisible_characters_are_refused(ann: Browser, name: str) -> None:
    table = ann.open("orchard", "me me")
    answer = ann.post(f"/api/tables/{table.id}/name", {"seat": 0, "name": name})
    assert (answer.status_code, answer.json()["error"]) == (400, "bad-name")
    seats = [{"who": "me", "name": name}, {"who": "me"}]
    assert ann.post("/api/tables", {"game": "orchard", "seats": seats}).json()["error"] == "bad-name"


@pytest.mark.parametrize("name", ["Zoë", "Åsa", "王秀英", "עדי", "Ann \u2764\ufe0f", "\U0001f469\u200d\U0001f680"])
def test_names_in_any_script_and_with_emoji_are_taken(name: str) -> None:
    assert check_new_name(name) == name


def test_a_joiner_alone_is_no_name() -> None:
    with pytest.raises(BadName):
        check_new_name("\u200d\ufe0f")


def test_head_answers_like_get_without_a_body(ann: Browser) -> None:
    table = ann.open("orchard", "me me").id
    paths = ["/", "/health", "/ready", "/metrics", "/api/games", "/rules/cable-car", "/static/styles/tokens.css"]
    paths += [f"/t/{table}", f"/api/tables/{table}", f"/api/tables/{table}/record", f"/api/tables/{table}/backdrop.svg"]
    for path in (*paths, "/nothing", "/api/tables/zzzzzzzzzz"):
        head, get = ann.http.head(path), ann.get(path)
        assert (path, head.status_code, head.content) == (path, get.status_code, b"")
        assert head.headers["content-type"] == get.headers["content-type"]


def test_head_changes_nothing(ann: Browser) -> None:
    table = ann.open("orchard", "me me")
    assert ann.http.head(f"/api/tables/{table.id}/moves").status_code == 405
    assert ann.view(table.id)["version"] == 1


def test_every_text_names_its_charset_once(ann: Browser) -> None:
    table = f"/api/tables/{ann.open('orchard', 'me me').id}"
    texts = [
        "/",
        "/rules/cable-car",
        "/statistics",
        "/metrics",
        "/nothing",
        "/static/styles/tokens.css",
        "/static/table.js",
        "/static/icon.svg",
    ]
    texts += [f"{table}/record?form=text", f"{table}/backdrop.css", f"{table}/backdrop.svg", f"{table}/picture.svg"]
    for path in texts:
        assert ann.get(path).headers["content-type"].count("charset=utf-8") == 1, path


def test_the_schema_names_both_forms_of_a_record(ann: Browser) -> None:
    paths = ann.get("/api/schema/openapi.json").json()["paths"]
    content = paths["/api/tables/{table_id}/record"]["get"]["responses"]["200"]["content"]
    assert set(content) == {"application/json", "text/plain; charset=utf-8"}
    table = ann.open("orchard", "me me")
    for form in ("json", "text"):
        assert ann.get(f"/api/tables/{table.id}/record", form=form).headers["content-type"] in content
