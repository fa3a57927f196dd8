"""The network edge: slow requests, host names, proxies and cookies."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from litestar.connection import ASGIConnection
from websockets.exceptions import InvalidStatus
from websockets.frames import Frame, Opcode
from websockets.sync.client import connect

from ludotheque.server.http.addresses import limited_address
from ludotheque.server.http.caller import caller_of
from ludotheque.server.http.connection import HEADER_BYTES, text_frame
from ludotheque.server.http.guard import allowed_hosts
from ludotheque.server.keys import COOKIE, SECURE_COOKIE
from tests.server.harness import PATIENCE, Browser, Server, wait_until


@pytest.fixture(scope="module")
def behind_proxy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("proxy"), "--proxy")
    yield server
    server.stop()


def answer_to(server: Server, *parts: bytes) -> bytes:
    """Send bytes, and return what comes until the server closes the connection."""
    with socket.create_connection(("127.0.0.1", server.port), PATIENCE) as connection:
        for part in parts:
            connection.sendall(part)
        answer = b""
        while data := connection.recv(65536):
            answer += data
        return answer


def test_unfinished_headers_are_not_waited_for(impatient: Server) -> None:
    assert answer_to(impatient, b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ") == b""


@pytest.mark.parametrize(
    "start", [b"GET /health HTTP/1.1\r\nHost: localhost\r\nX-Large: ", b"GET /health?"], ids=["header", "address"]
)
@pytest.mark.parametrize("end", [b" HTTP/1.1\r\n", b""], ids=["whole", "unfinished"])
def test_large_headers_are_refused(impatient: Server, start: bytes, end: bytes) -> None:
    """The parser copies all of a header that has not ended whenever more of it arrives."""
    assert answer_to(impatient, start, b"a" * HEADER_BYTES, end).startswith(b"HTTP/1.1 400")


def test_many_headers_are_refused(impatient: Server) -> None:
    head = b"GET /health HTTP/1.1\r\nHost: localhost\r\n"
    headers = b"X: a\r\n" * (HEADER_BYTES // 6)
    assert answer_to(impatient, head + headers + b"\r\n").startswith(b"HTTP/1.1 400")


def test_headers_after_a_body_are_limited_too(impatient: Server) -> None:
    head = (
        b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nX-Large: "
    )
    try:
        answer = answer_to(impatient, head, b"a" * 16 * HEADER_BYTES)
    except ConnectionError:  # the server has not read all
        answer = b""
    assert answer == b"", "it is not waited for"


def test_a_large_body_in_small_chunks_is_read(impatient: Server) -> None:
    head = (
        b"POST /api/records HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        b"Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
    )
    body = b'{"record": "' + b"a" * 2 * HEADER_BYTES + b'"}'
    chunks = b"".join(b"1\r\n%c\r\n" % byte for byte in body)
    assert b"bad-record" in answer_to(impatient, head + chunks + b"0\r\n\r\n")


def test_a_silent_connection_is_closed(impatient: Server) -> None:
    assert answer_to(impatient) == b""


def test_unfinished_headers_after_a_request_are_not_waited_for(impatient: Server) -> None:
    answer = answer_to(impatient, b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\nGET /hea")
    assert answer.startswith(b"HTTP/1.1 200")


def test_a_client_that_does_not_read_its_responses_is_disconnected(impatient: Server) -> None:
    files = Path(f"/proc/{impatient.process.pid}/fd")
    before = len(list(files.iterdir()))
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        connection.connect(("127.0.0.1", impatient.port))
        connection.sendall(b"GET /api/schema/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n" * 200)
        wait_until(lambda: len(list(files.iterdir())) > before)
        wait_until(lambda: len(list(files.iterdir())) <= before)


def test_an_unfinished_body_is_not_waited_for(impatient: Server) -> None:
    head = (
        b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n"
    )
    answer = answer_to(impatient, head, b'{"game"')
    assert answer.startswith(b"HTTP/1.1 408")
    assert b"too-slow" in answer


def test_an_unknown_host_is_refused(ann: Browser) -> None:
    answer = ann.http.get("/", headers={"Host": "evil.example"})
    assert (answer.status_code, answer.json()["error"]) == (421, "unknown-host")
    assert ann.http.get("/health", headers={"Host": "localhost:1234"}).status_code == 200


def test_a_socket_for_an_unknown_host_is_refused(ann: Browser) -> None:
    table = ann.open("nim", "me me")
    address = f"ws://evil.example/ws/tables/{table.id}"
    with pytest.raises(InvalidStatus), connect(address, address=("127.0.0.1", ann.server.port)):
        pass


@pytest.mark.parametrize(
    ("host", "public_url", "header", "allowed"),
    [
        ("127.0.0.1", "", "localhost:8000", True),
        ("127.0.0.1", "", "[::1]:8000", True),
        ("127.0.0.1", "", "192.168.1.5:8000", False),
        ("127.0.0.1", "", "", False),
        ("127.0.0.1", "", "[", False),
        ("0.0.0.0", "", "192.168.1.5:8000", True),
        ("0.0.0.0", "", "rebound.example", False),
        ("192.168.1.5", "", "192.168.1.5", True),
        ("127.0.0.1", "https://Club.example/games", "club.example", True),
        ("127.0.0.1", "https://club.example", "club.example.evil.example", False),
    ],
)
def test_hosts_are_those_of_the_options(host: str, public_url: str, header: str, allowed: bool) -> None:
    assert allowed_hosts(host, public_url).allows(header) is allowed


def test_forwarded_addresses_are_believed_only_from_a_trusted_proxy(ann: Browser, behind_proxy: Server) -> None:
    forwarded = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.7"}
    body = {"game": "nim", "seats": [{"who": "me"}] * 2}
    assert COOKIE in ann.http.post("/api/tables", json=body, headers=forwarded).cookies
    with behind_proxy.browser() as bob:
        answer = bob.http.post("/api/tables", json=body, headers=forwarded)
        cookie = answer.headers["set-cookie"]
        assert cookie.startswith(f"{SECURE_COOKIE}=")
        assert "Secure" in cookie
        assert "Path=/;" in cookie + ";"
        assert "Domain" not in cookie


@pytest.mark.parametrize(
    ("host", "limited"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", ""),
        ("testclient", "testclient"),
        ("unix:/run/server", "unix:/run/server"),
    ],
)
def test_limits_count_the_64_of_an_ipv6_address(host: str, limited: str) -> None:
    assert limited_address(host) == limited


def test_a_caller_is_known_by_the_address_that_limits_count() -> None:
    scope: Any = {"type": "http", "scheme": "http", "path": "/", "query_string": b"", "headers": []}
    assert caller_of(ASGIConnection(scope | {"client": ("2001:db8::1", 5000)})).address == "2001:db8::/64"
    assert caller_of(ASGIConnection(scope | {"client": None})).address == ""


def test_a_cookie_without_the_prefix_opens_old_tables_only(behind_proxy: Server) -> None:
    with behind_proxy.browser() as ann:
        table = ann.open("nim", "me me")  # over http: the cookie has no prefix
        https = {"X-Forwarded-Proto": "https"}
        assert ann.http.get(f"/api/tables/{table.id}", headers=https).json()["mine"] == [0, 1]
        answer = ann.http.post("/api/tables", json={"game": "nim", "seats": [{"who": "me"}] * 2}, headers=https)
        assert answer.headers["set-cookie"].startswith(f"{SECURE_COOKIE}=")
        assert ann.http.cookies[COOKIE] not in answer.headers["set-cookie"]


def test_the_server_alone_makes_session_cookies(ann: Browser) -> None:
    invented = "x" * 32
    ann.http.cookies.set(COOKIE, invented)
    answer = ann.post("/api/tables", {"game": "nim", "seats": [{"who": "me"}] * 2})
    assert answer.status_code == 201
    made = answer.cookies[COOKIE]
    assert made != invented
    ann.http.cookies.clear()
    ann.http.cookies.set(COOKIE, made)
    assert ann.post("/api/tables", {"game": "nim", "seats": [{"who": "me"}] * 2}).cookies[COOKIE] == made


@pytest.mark.parametrize("length", [0, 125, 126, 65_535, 65_536])
def test_a_frame_is_the_one_that_the_library_makes(length: int) -> None:
    data = b"x" * length
    assert text_frame(data) == Frame(Opcode.TEXT, data).serialize(mask=False)
