"""Passkeys carry a profile to another browser: for this site and challenge alone, once, by a person who was there."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from ludotheque.server.club.webauthn import challenge_in
from ludotheque.server.config import Settings
from ludotheque.server.errors import Refused
from ludotheque.server.storage.database import Storage
from ludotheque.server.storage.passkeys import MOST, VALID_FOR, add_challenge, use_challenge
from ludotheque.server.storage.rows import now
from tests.server.harness import Browser, Server, run_apart
from tests.server.passkey import ORIGIN, PRESENT, SoftPasskey, encode


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that people reach over https by a name."""
    server = Server(tmp_path_factory.mktemp("site"), "--no-limits", f"--public={ORIGIN}")
    yield server
    server.stop()


@pytest.fixture
def ann(site: Server) -> Iterator[Browser]:
    """Someone with a profile."""
    with site.browser() as browser:
        assert browser.post("/api/profile", {"name": "Ann"}).status_code == 200
        yield browser


@pytest.fixture
def phone(site: Server) -> Iterator[Browser]:
    with site.browser() as browser:
        yield browser


def add(browser: Browser, passkey: SoftPasskey) -> Any:
    return browser.post("/api/passkeys", passkey.make(browser.post("/api/passkeys/new").json()))


def added(browser: Browser) -> SoftPasskey:
    passkey = SoftPasskey()
    answer = add(browser, passkey)
    assert answer.status_code == 200, answer.text
    return passkey


def use(browser: Browser, passkey: SoftPasskey, **changed: Any) -> Any:
    signed = passkey.sign(browser.post("/api/passkeys/challenge").json())
    return browser.post("/api/passkeys/use", signed | changed)


def test_a_passkey_shares_profile_and_seats_with_another_browser(ann: Browser, phone: Browser) -> None:
    passkey, table = added(ann), ann.open("nim", "me me")
    answer = use(phone, passkey)
    assert answer.json()["id"] == ann.get("/api/profile").json()["id"]
    assert phone.play(table.id, 0).status_code == 200
    assert ann.play(table.id, 1).status_code == 200, "and both hold them"


def test_a_passkey_works_again_and_several_do(ann: Browser, site: Server) -> None:
    for passkey in (added(ann), added(ann)):
        for _ in range(2):
            with site.browser() as other:
                assert use(other, passkey).status_code == 200


def test_a_challenge_is_signed_once_and_for_one_purpose(ann: Browser, phone: Browser, site: Server) -> None:
    passkey = added(ann)
    challenge = phone.post("/api/passkeys/challenge").json()
    signed = passkey.sign(challenge)
    with site.browser() as first:
        assert first.post("/api/passkeys/use", signed).status_code == 200
    assert phone.post("/api/passkeys/use", signed).status_code == 403, "it was used"
    to_add = ann.post("/api/passkeys/new").json()
    assert phone.post("/api/passkeys/use", passkey.sign(to_add)).status_code == 403, "it was made to add a passkey"
    assert phone.post("/api/passkeys/use", passkey.sign({"challenge": encode(b"x" * 32)})).status_code == 403
    fresh = phone.post("/api/passkeys/challenge").json() | {"handle": encode(b"h" * 32)}
    assert ann.post("/api/passkeys", SoftPasskey().make(fresh)).status_code == 403, "it was made to sign in"


def test_a_passkey_is_added_to_the_profile_that_asked_for_it(ann: Browser, phone: Browser) -> None:
    phone.post("/api/profile", {"name": "Eve"})
    asked = ann.post("/api/passkeys/new").json()
    assert phone.post("/api/passkeys", SoftPasskey().make(asked)).status_code == 403


def test_a_challenge_expires(tmp_path: Path) -> None:
    async def run() -> None:
        storage, at = Storage(Settings(data=tmp_path)), now()
        await storage.open()
        await add_challenge(storage, b"late", "", at - VALID_FOR * 2)
        assert not await use_challenge(storage, b"late", "", at)
        await storage.close()

    run_apart(run())


@pytest.mark.parametrize(
    "lie",
    [
        {"origin": "https://evil.example"},
        {"origin": "https://club.example.evil.example"},
        {"origin": "http://club.example"},
        {"origin": "https://club.example:8443"},
        {"host": "evil.example"},
        {"flags": PRESENT},
        {"flags": 0},
        {"more": {"crossOrigin": True}},
        {"more": {"type": "payment.get"}},
    ],
)
def test_what_was_signed_elsewhere_or_by_nobody_is_refused(ann: Browser, phone: Browser, lie: dict[str, Any]) -> None:
    new, passkey = SoftPasskey(), added(ann)
    for device in (new, passkey):
        for name, value in lie.items():
            setattr(device, name, value)
    assert add(ann, new).status_code == 403
    assert use(phone, passkey).status_code == 403


def test_a_copied_passkey_is_noticed_by_its_counter(ann: Browser, site: Server) -> None:
    passkey = added(ann)
    with site.browser() as first, site.browser() as second:
        assert use(first, passkey).status_code == 200
        passkey.counter = 2
        assert use(second, passkey).status_code == 403, "not more than last time"
        passkey.counter = 0
        assert use(second, passkey).status_code == 403
    shared = SoftPasskey()
    shared.counter = 0
    add(ann, shared)
    for _ in range(2):
        with site.browser() as other:
            assert use(other, shared).status_code == 200, "passkeys that devices share do not count"


def test_another_key_signature_or_handle_opens_nothing(ann: Browser, phone: Browser) -> None:
    passkey, forged = added(ann), SoftPasskey()
    forged.id, forged.handle = passkey.id, passkey.handle
    assert use(phone, forged).status_code == 403
    assert use(phone, passkey, handle=encode(b"h" * 32)).status_code == 403
    assert use(phone, passkey, id=encode(b"i" * 32)).status_code == 403
    assert use(phone, SoftPasskey(), handle=passkey.handle).status_code == 403
    assert phone.get("/api/profile").status_code == 403


@pytest.mark.parametrize("junk", ["A", "é", "{}", "AAAA", encode(b"{}"), encode(b"[" * 3000), encode(b"\xff" * 40)])
def test_junk_is_refused(ann: Browser, phone: Browser, junk: str) -> None:
    passkey = added(ann)
    for name in ("id", "client_data", "authenticator_data", "signature", "handle"):
        assert use(phone, passkey, **{name: junk}).status_code in (400, 403), name
    for name in ("client_data", "attestation"):
        made = SoftPasskey().make(ann.post("/api/passkeys/new").json())
        assert ann.post("/api/passkeys", made | {name: junk}).status_code in (400, 403), name
    with pytest.raises(Refused):
        challenge_in(junk)


def test_a_known_passkey_is_not_added_again_nor_to_another_profile(ann: Browser, phone: Browser) -> None:
    passkey = added(ann)
    assert encode(passkey.id) in ann.post("/api/passkeys/new").json()["known"]
    phone.post("/api/profile", {"name": "Eve"})
    for browser in (ann, phone):
        assert add(browser, passkey).json()["error"] == "too-many"


def test_a_profile_has_few_passkeys(ann: Browser) -> None:
    for _ in range(MOST):
        added(ann)
    assert ann.post("/api/passkeys/new").json()["error"] == "too-many"


def test_seats_join_a_profile_only_if_their_holder_agrees(ann: Browser, phone: Browser) -> None:
    passkey, table = added(ann), phone.open("nim", "me me")
    signed = passkey.sign(phone.post("/api/passkeys/challenge").json())
    assert phone.post("/api/passkeys/use", signed).json()["error"] == "has-seats"
    assert phone.post("/api/passkeys/use", signed | {"merge": True}).status_code == 200, "the same signature serves"
    assert ann.view(table.id)["mine"] == [0, 1]
    assert use(ann, passkey).json()["error"] == "has-profile"


def test_a_removed_passkey_opens_nothing_and_only_its_owner_removes_it(ann: Browser, phone: Browser) -> None:
    passkey = added(ann)
    page = ann.get("/me").text
    id = page.partition('data-passkey="')[2].partition('"')[0]
    phone.post("/api/profile", {"name": "Eve"})
    assert phone.post("/api/passkeys/remove", {"id": id}).status_code == 200
    assert id in ann.get("/me").text
    assert ann.post("/api/passkeys/remove", {"id": id}).status_code == 200
    assert id not in ann.get("/me").text
    phone.post("/api/profile/delete")
    assert use(phone, passkey).status_code == 403


@pytest.mark.parametrize("path", ["/api/profile/renew", "/api/profile/delete"])
def test_passkeys_end_with_the_profile_and_with_its_key(ann: Browser, phone: Browser, path: str) -> None:
    passkey = added(ann)
    assert len(ann.get("/api/profile/export").json()["passkeys"]) == 1
    assert ann.post(path).status_code == 200
    assert use(phone, passkey).status_code == 403


def test_passkeys_end_when_a_recovery_link_moves_the_profile(ann: Browser, phone: Browser, site: Server) -> None:
    passkey = added(ann)
    url = ann.post("/api/recovery", {}).json()["url"]
    phone.post("/api/recovery/use", {"secret": url.partition("#")[2]})
    assert phone.get("/api/profile").json()["name"] == "Ann"
    with site.browser() as other:
        assert use(other, passkey).status_code == 403


def test_the_database_holds_neither_secret_nor_handle(tmp_path: Path) -> None:
    server = Server(tmp_path, "--no-limits", f"--public={ORIGIN}")
    with server.browser() as ann:
        ann.post("/api/profile", {"name": "Ann"})
        passkey, secret = added(ann), str(ann.http.cookies["ludotheque"])
    server.stop()
    with closing(sqlite3.connect(tmp_path / "ludotheque.sqlite3")) as database:
        rows = [*database.execute("SELECT * FROM passkeys"), *database.execute("SELECT * FROM passkey_challenges")]
    stored = b"".join(value if isinstance(value, bytes) else str(value).encode() for row in rows for value in row)
    assert len(rows) == 1
    assert secret.encode() not in stored
    assert passkey.handle.encode() not in stored


def test_without_https_and_a_name_there_are_no_passkeys(server: Server) -> None:
    with server.browser() as browser:
        assert "passkey-use" not in browser.get("/me").text
        assert browser.post("/api/passkeys/challenge").status_code == 404
        browser.post("/api/profile", {"name": "Ann"})
        assert browser.post("/api/passkeys/new").status_code == 404
        assert "passkey-add" not in browser.get("/me").text


def test_an_operator_can_switch_them_off(tmp_path: Path) -> None:
    server = Server(tmp_path, f"--public={ORIGIN}", "--without=passkeys")
    with server.browser() as browser:
        assert "passkey-use" not in browser.get("/me").text
        assert browser.post("/api/passkeys/challenge").status_code == 404
    server.stop()
