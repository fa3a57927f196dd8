"""What is refused: foreign keys, foreign sites, malformed and oversized messages, too many of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from ludotheque.server.commands import NewSeat, NewTable
from ludotheque.server.config import Settings
from ludotheque.server.errors import Refused, not_found
from ludotheque.server.http.caller import Caller
from ludotheque.server.http.limits import Limits
from ludotheque.server.http.templates import static
from ludotheque.server.keys import new_table_id
from ludotheque.server.routes.moves import played
from ludotheque.server.routes.socket import _handle
from ludotheque.server.storage.database import Storage
from ludotheque.server.table_bots import TableBots
from ludotheque.server.tables.cache import LiveTables
from ludotheque.server.tables.events import TableEvents
from ludotheque.server.tables.messages import ErrorMessage, PongMessage, ToClient
from ludotheque.server.tables.opening import TableOpener
from ludotheque.server.tables.presence import Presences
from ludotheque.server.tables.reading import UntrustedReader
from ludotheque.server.tables.sockets import Broadcast, Connection
from ludotheque.server.tables.view_cache import ViewCache
from ludotheque.server.workers import LimitedWorkers
from ludotheque.show.language import Reader
from tests.server.harness import Browser, Server, run_apart
from tests.server.test_protocol import routes

ACTS = {
    "moves": {"seat": 0, "version": 1, "action": 0},
    "undo": {"seat": 0, "version": 1},
    "undo/answer": {"seat": 0, "version": 1, "agree": True},
    "name": {"seat": 0, "name": "Eve"},
    "pace": {"seconds": 1},
    "chat": {"text": "hello"},
    "chat/report": {"line": 1},
    "names/report": {"name": "Ann"},
    "hint": {"seat": 0, "version": 1},
    "links": {"seat": 0},
    "sit": {"seat": 0},
    "leave": {},
    "branch": {"ply": 1, "seat": 0, "level": "random"},
    "review": {"simulations": 16},
    "join": {"secret": "x" * 32},
    "invitation": {"secret": "x" * 32},
    "decline": {"secret": "x" * 32},
    "enter": {"password": "sesame"},
    "end": {},
    "end/answer": {"agree": True},
    "resign": {"seat": 0},
    "watchable": {"watchable": True},
    "links/end": {},
    "rematch": {},
    "rematch/refuse": {},
    "ahead": {"seat": 0, "situation": "", "key": ""},
    "bot": {"seat": 0, "level": "1"},
    "stand-in": {"seat": 0, "level": "1"},
    "commitments": {"seat": 0, "commitment": "0" * 64},
    "nonces": {"seat": 0, "nonce": "0" * 64},
    "start": {},
    "free": {"seat": 0},
    "mute": {"seat": 0},
    "password": {"password": "sesame"},
    "close": {},
    "reminder": {"address": "eve@example.org"},
}
"""The body of every request that acts on a table."""
LOOKS = (
    "",
    "/record",
    "/summary",
    "/draws",
    "/branches",
    "/review",
    "/review/progress",
    "/replay.html",
    "/picture.svg",
    "/backdrop.svg",
    "/backdrop.css",
    "/preview?seat=0&version=1&action=0",
    "/why-not?seat=0&version=1&steps=draw",
    "/overlay",
)


# Keys.


def test_every_request_that_acts_on_a_table_is_tried_without_a_key() -> None:
    start = "/api/tables/{table_id:str}/"
    acts = [path.removeprefix(start) for method, path in routes() if method == "POST" and path.startswith(start)]
    assert sorted(ACTS) == sorted(acts)


@pytest.mark.parametrize("act", ACTS)
def test_without_a_key_a_table_is_not_there(ann: Browser, eve: Browser, act: str) -> None:
    table = ann.open("orchard", "me me")
    answer = eve.post(f"/api/tables/{table.id}/{act}", ACTS[act])
    assert (answer.status_code, answer.json()["error"]) == (404, "not-found")
    assert answer.json() == eve.post(f"/api/tables/nosuchtable/{act}", ACTS[act]).json()


def test_without_a_key_there_is_nothing_to_see(ann: Browser, eve: Browser) -> None:
    table = ann.open("orchard", "me me")
    for look in LOOKS:
        assert eve.get(f"/api/tables/{table.id}{look}").status_code == 404, look
    with eve.socket(table.id) as socket:
        assert socket.hear_to_the_end() == 4404
        assert not socket.traffic


def test_a_key_opens_its_own_seat_and_table_alone(ann: Browser, bob: Browser) -> None:
    table, other = ann.open("orchard", "me link"), ann.open("orchard", "me link")
    bob.join(table.links[1])
    assert bob.get(f"/api/tables/{other.id}").status_code == 404
    secret = table.links[1].partition("#")[2]
    assert bob.post(f"/api/tables/{other.id}/join", {"secret": secret}).status_code == 404
    for act in ("moves", "undo", "undo/answer", "name", "hint", "links"):
        assert bob.post(f"/api/tables/{table.id}/{act}", ACTS[act]).status_code == 403, act
    assert bob.get(f"/api/tables/{table.id}", viewer=0).status_code == 403
    assert bob.get(f"/api/tables/{table.id}/record", viewer=0).status_code == 403
    assert bob.get(f"/api/tables/{table.id}/picture.svg", viewer=0).status_code == 403
    assert bob.get(f"/api/tables/{table.id}/preview", seat=0, version=1, action=0).status_code == 403
    assert bob.get(f"/api/tables/{table.id}/why-not", seat=0, version=1, steps="draw").status_code == 403
    assert bob.get(f"/api/tables/{table.id}/overlay", viewer=0).status_code == 403


def test_over_the_socket_too(ann: Browser, bob: Browser) -> None:
    table = ann.open("orchard", "me link")
    bob.join(table.links[1])
    with bob.socket(table.id) as socket:
        socket.hear_until("view")
        socket.send(type="move", id=1, seat=0, version=1, action=0)
        assert socket.hear_until("error", reply_to=1)["error"] == "forbidden"
        socket.send(type="look", id=2, seat=0)
        assert socket.hear_until("error", reply_to=2)["error"] == "forbidden"
    for seat in ("0", "9" * 5000, "x"):
        with bob.socket(table.id, f"?viewer={seat}") as socket:
            assert socket.hear_to_the_end() == 4403
            assert not socket.traffic


def test_only_digests_of_keys_are_stored(server: Server, ann: Browser, bob: Browser) -> None:
    table = ann.open("orchard", "me link")
    bob.join(table.links[1])
    kept = b"".join(path.read_bytes() for path in server.folder.iterdir())
    secrets = [table.links[1].partition("#")[2], table.watch.partition("#")[2], *ann.http.cookies.values()]
    assert all(len(secret) == 32 for secret in secrets)
    for secret in secrets:
        assert secret.encode() not in kept


def test_the_cookie_is_for_this_site_and_not_for_scripts(ann: Browser) -> None:
    answer = ann.post("/api/tables", {"game": "nim", "seats": [{"who": "me"}]})
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie


# Foreign sites.


@pytest.mark.parametrize(
    "headers",
    [{"Origin": "https://evil.example"}, {"Origin": "null"}, {"Origin": "http://["}, {"Sec-Fetch-Site": "cross-site"},
     {"Sec-Fetch-Site": "same-site"}],
)  # fmt: skip
def test_another_site_cannot_act(ann: Browser, headers: dict[str, str]) -> None:
    table = ann.open("orchard", "me me")
    answer = ann.post(f"/api/tables/{table.id}/moves", ACTS["moves"], **headers)
    assert (answer.status_code, answer.json()["error"]) == (403, "forbidden")
    assert ann.view(table.id)["version"] == 1


def test_a_form_of_another_site_cannot_act(ann: Browser) -> None:
    table = ann.open("orchard", "me me")
    body = json.dumps(ACTS["moves"])
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""):
        answer = ann.http.post(f"/api/tables/{table.id}/moves", content=body, headers={"Content-Type": kind})
        assert answer.status_code == 415, kind


def test_another_site_cannot_open_a_socket(ann: Browser) -> None:
    table = ann.open("orchard", "me me")
    with pytest.raises(InvalidStatus), ann.socket(table.id, origin="https://evil.example"):
        pass
    with ann.socket(table.id, origin=ann.server.url) as socket:
        assert socket.hear_until("view")


# Malformed and oversized.


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[]", b"null", b'"x"', b"\xff\xfe", b'{"seat": 0}', b'{"seat": "0", "version": 1, "action": 0}',
     b'{"seat": 0, "version": 1, "action": 0, "more": 1}', b'{"seat": 0, "version": 1}',
     b'{"seat": 0, "version": 1, "action": 0, "text": "pick A"}', b'{"seat": -1, "version": 1, "action": 0}',
     b'{"seat": 0, "version": 1e400, "action": 0}', b'{"seat": 0, "version": 1, "action": 99999999999999999999}',
     b'{"seat": 0, "version": 1, "text": ""}', b"[" * 5000],
)  # fmt: skip
def test_a_malformed_move_gets_a_sentence(ann: Browser, body: bytes) -> None:
    table = ann.open("orchard", "me me")
    answer = ann.http.post(f"/api/tables/{table.id}/moves", content=body, headers={"Content-Type": "application/json"})
    assert (answer.status_code, answer.json()["error"]) == (400, "malformed"), answer.text
    assert "Traceback" not in answer.text
    assert ann.view(table.id)["version"] == 1


@pytest.mark.parametrize(
    "body",
    [{"game": "chess", "seats": [{"who": "me"}]}, {"game": "nim", "seats": []},
     {"game": "nim", "seats": [{"who": "me"}] * 3}, {"game": "nim", "seats": [{"who": "bot", "level": "genius"}]},
     {"game": "nim", "seats": [{"who": "me", "level": "random"}]}, {"game": "nim", "seats": [{"who": "king"}]},
     {"game": "nim", "seats": [{"who": "me", "name": "x" * 41}]},
     {"game": "nim", "seats": [{"who": "me", "name": " "}]},
     {"game": "nim", "seats": [{"who": "me", "name": "\u202eb"}]},
     {"game": "nim", "seats": [{"who": "me"}], "options": {"speed": 1}},
     {"game": "nim", "seats": [{"who": "me"}], "options": {"matches": "many"}},
     {"game": "nim", "seats": [{"who": "me"}], "pace": -1}, {"game": "nim", "seats": [{"who": "me"}], "pace": 1e9}],
)  # fmt: skip
def test_a_table_that_cannot_be_is_not_started(ann: Browser, body: object) -> None:
    before = len(ann.get("/api/mine").json())
    answer = ann.post("/api/tables", body)
    assert answer.status_code == 400, answer.text
    assert answer.json()["sentence"].endswith(".")
    assert len(ann.get("/api/mine").json()) == before


def test_a_body_can_be_too_large(ann: Browser) -> None:
    table = ann.open("orchard", "me me")
    answer = ann.post(f"/api/tables/{table.id}/chat", {"text": "x" * 100_000})
    assert (answer.status_code, answer.json()["error"]) == (413, "too-large")
    assert ann.post(f"/api/tables/{table.id}/chat", {"text": "x" * 501}).status_code == 400
    record = ann.post("/api/records", {"record": "[" * 1_000_001})
    assert (record.status_code, record.json()["error"]) == (400, "bad-record")
    assert "at most 1,000,000 characters" in record.json()["sentence"]
    assert ann.post("/api/records", {"record": "[" * 2_000_001}).status_code == 413


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", "1", '{"type": "fly"}', '{"type": "move"}', '{"type": "chat", "text": "  "}',
     '{"type": "chat", "text": 5}', '{"type": "ping", "id": -1}', '{"type": "ping", "id": "x"}', "[" * 10_000,
     '{"type": "look", "seat": 99}', '{"type": "move", "seat": 0, "version": 1, "action": 0, "cheat": true}'],
)  # fmt: skip
def test_a_malformed_message_gets_an_error_and_the_socket_stays_open(ann: Browser, text: str) -> None:
    table = ann.open("orchard", "me me")
    with ann.socket(table.id) as socket:
        socket.hear_until("chat")
        socket.connection.send(text)
        assert socket.hear_until("error")["error"] in ("malformed", "forbidden")
        socket.send(type="ping")
        assert socket.hear_until("pong")
    assert ann.view(table.id)["version"] == 1


def test_bytes_are_no_message(ann: Browser) -> None:
    table = ann.open("orchard", "me me")
    with ann.socket(table.id) as socket:
        socket.hear_until("chat")
        socket.connection.send(b"\x00\xff")
        assert socket.hear_until("error")["error"] == "malformed"


def test_a_message_can_be_too_large(ann: Browser) -> None:
    table = ann.open("orchard", "me me")
    with ann.socket(table.id) as socket:
        socket.connection.send('{"type": "chat", "text": "' + "x" * 20_000 + '"}')
        assert socket.hear_to_the_end() == 1009


def test_unknown_addresses_get_a_sentence(ann: Browser) -> None:
    assert ann.get("/api/nothing").json()["error"] == "not-found"
    page = ann.get("/t/nosuchtable")
    assert page.status_code == 404
    assert page.headers["content-type"].startswith("text/html")
    assert ann.get("/static/../../../etc/passwd").status_code == 404
    assert ann.get("/static/%2e%2e/%2e%2e/pyproject.toml").status_code == 404
    for name in ("%00", "x" * 5000, "%ff", "con"):
        assert ann.get(f"/static/{name}").status_code == 404
    assert ann.get("/rules/chess").status_code == 404


def test_every_answer_carries_the_headers_that_protect_the_page(ann: Browser) -> None:
    table = ann.open("orchard", "me me")
    for path in ("/", f"/t/{table.id}", "/api/games", "/api/nothing", "/health", f"/api/tables/{table.id}"):
        headers = ann.get(path).headers
        assert "script-src 'self'" in headers["content-security-policy"], path
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["x-content-type-options"] == "nosniff"
        assert "server" not in headers


def test_files_that_may_be_opened_or_run_by_themselves_carry_the_policy(ann: Browser) -> None:
    for path in ("/static/icon.svg", "/service-worker.js"):
        assert "script-src 'self'" in ann.get(path).headers["content-security-policy"], path
    script = ann.get("/static/table.js").headers
    assert "content-security-policy" not in script
    assert script["x-content-type-options"] == "nosniff"


def test_static_files_are_kept_by_their_content(ann: Browser) -> None:
    fresh = ann.get("/static/icon.svg")
    assert (fresh.status_code, fresh.headers["cache-control"]) == (200, "no-cache")
    version = static("icon.svg").partition("?v=")[2]
    assert "immutable" in ann.get("/static/icon.svg", v=version).headers["cache-control"]
    assert ann.get("/static/icon.svg", v="of-another-process").headers["cache-control"] == "no-cache"
    again = ann.http.get("/static/icon.svg", headers={"If-None-Match": fresh.headers["etag"]})
    assert again.status_code == 304


# Too many.


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that counts."""
    server = Server(tmp_path_factory.mktemp("strict"))
    yield server
    server.stop()


def test_who_asks_too_often_has_to_wait(strict: Server) -> None:
    with strict.browser() as eve:
        table = eve.open("orchard", "me me")
        answers = [eve.post(f"/api/tables/{table.id}/join", {"secret": "guess"}) for _ in range(40)]
        assert answers[0].status_code == 403
        assert (answers[-1].status_code, answers[-1].json()["error"]) == (429, "too-many")
        assert int(answers[-1].headers["retry-after"]) >= 1


def test_made_up_keys_do_not_let_anyone_ask_more_often() -> None:
    def ask_often(bearer: str) -> None:
        limits = Limits(True)
        for number in range(10_000):
            limits.count("chat", Caller(f"{number:032}", bearer, "192.0.2.1", False))

    for bearer in ("b" * 32, ""):
        with pytest.raises(Refused):
            ask_often(bearer)


def test_moves_that_are_drawn_again_count_as_actions() -> None:
    """They are drawn on the event loop."""
    counted: list[str] = []

    async def enter_as(*_: object) -> None:
        raise not_found()

    context = cast(Any, SimpleNamespace(limit=counted.append, enter_as=enter_as))
    with pytest.raises(Refused):
        run_apart(cast(Any, played.fn)("a table", context, since=0))
    assert counted == ["act"]


def test_chat_is_counted_over_the_socket_too(strict: Server) -> None:
    with strict.browser() as ann:
        table = ann.open("orchard", "me me")
        with ann.socket(table.id) as socket:
            for number in range(20):
                socket.send(type="chat", id=number, text="hello")
            assert socket.hear_until("error")["error"] == "too-many"


def test_more_sockets_do_not_let_an_address_send_more_messages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludotheque.server.http.limits.time", SimpleNamespace(monotonic=lambda: 0.0))
    limits, sent, shown = Limits(on=True), list[ToClient](), list[bool]()

    def show(whole: bool) -> None:
        shown.append(whole)

    async def send(address: str, message: str) -> None:
        caller, reader = Caller("", "", address, False), Reader("en")
        client = SimpleNamespace(caller=caller, reader=reader, send=sent.append, show=show, table=None, rights=None)
        await _handle(cast(Any, client), cast(Any, SimpleNamespace(limits=limits)), message)

    async def chatter() -> None:
        for _ in range(60 * 11):
            await send("192.0.2.1", '{"type": "refresh", "id": 7}')
        await send("192.0.2.2", '{"type": "refresh"}')

    run_apart(chatter())
    assert len(shown) == 60 * 10 + 1
    assert {(error.reply_to, error.error) for error in sent if isinstance(error, ErrorMessage)} == {(7, "too-many")}
    run_apart(send("192.0.2.1", '{"type": "ping", "id": 8}'))
    assert sent[-1] == PongMessage(8), "a page whose ping fails would reconnect"


def test_tables_that_are_not_there_take_no_memory(tmp_path: Path) -> None:
    async def look_for_tables() -> LiveTables:
        live_tables = LiveTables(Storage(Settings(data=tmp_path)), 10)
        await live_tables.storage.open()
        for name in (new_table_id(), new_table_id(), "\0", "x" * 10_000):
            with pytest.raises(Refused):
                await live_tables.table(name)
        await live_tables.storage.close()
        return live_tables

    live_tables = run_apart(look_for_tables())
    assert [name for name, kept in vars(live_tables).items() if isinstance(kept, dict) and kept] == []


def test_nothing_piles_up_for_a_client_that_does_not_listen(tmp_path: Path) -> None:
    async def send_much() -> Connection:
        live_tables = LiveTables(Storage(Settings(data=tmp_path)), 10)
        await live_tables.storage.open()
        wanted = NewTable(game="passerelles", seats=[NewSeat(who="me")] * 2)
        reading = UntrustedReader(LimitedWorkers(1, 60))
        opener = TableOpener(live_tables, TableEvents(), reading, TableBots())
        opened = await opener.open_new(wanted, bytes(32), Reader("en"), "")
        table = await live_tables.table(opened.id)
        events = TableEvents()
        broadcast = Broadcast(ViewCache(), Presences(live_tables, events), events)
        caller = Caller("", "", "192.0.2.1", False)
        connection = Connection(cast(Any, SimpleNamespace(scope={})), table, caller, Reader("en"), broadcast)
        for number in range(1000):
            connection.send(PongMessage(number))
        await live_tables.storage.close()
        return connection

    connection = run_apart(send_much())
    assert connection.closing == (4429, "too slow")
    assert connection.waiting == 0


def test_a_socket_that_chatters_is_closed(strict: Server) -> None:
    with strict.browser() as ann:
        table = ann.open("orchard", "me me")
        with ann.socket(table.id) as socket:
            with suppress(ConnectionClosed):  # perhaps before the last one is sent
                for _ in range(100):
                    socket.send(type="ping")
            assert socket.hear_to_the_end() == 4429
