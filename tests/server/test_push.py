"""Push messages: encrypted for one browser, signed by the server, to public addresses only, for those who asked."""

from __future__ import annotations

import asyncio
import socket
import ssl
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import httpcore
import pytest
import sqlalchemy as sql
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric import ec

from ludotheque.server.config import Settings
from ludotheque.server.errors import Refused, Undelivered
from ludotheque.server.http.caller import Caller
from ludotheque.server.http.limits import RULES, Limits
from ludotheque.server.push import sender as sending
from ludotheque.server.push.encryption import encrypt
from ludotheque.server.push.endpoints import Endpoint, check_endpoint, is_safe_address
from ludotheque.server.push.messages import push_message
from ludotheque.server.push.network import PublicNetwork, is_public, public_addresses
from ludotheque.server.push.sender import PushSender
from ludotheque.server.push.vapid import VapidKey, new_private_key
from ludotheque.server.reminders.pusher import Pusher
from ludotheque.server.storage.database import Storage
from ludotheque.server.storage.schema import SUBSCRIPTIONS
from ludotheque.server.storage.subscriptions import MOST, of_browser, signing_key
from ludotheque.server.waiting import WaitingTable
from tests.server.harness import Browser, Server, run_apart
from tests.server.postgres import running_database, why_not
from tests.server.push_service import HOST, LoopbackNetwork, PushService, Receiver, decode, push_service
from tests.server.reminding import ANN, BOB, LATER, Club, in_club

AT = datetime(2026, 11, 18, tzinfo=UTC)


# The encryption and the signature.


def test_a_message_is_encrypted_as_the_example_of_rfc_8291() -> None:
    private = ec.derive_private_key(
        int.from_bytes(decode("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")), ec.SECP256R1()
    )
    body = encrypt(
        b"When I grow up, I want to be a watermelon",
        decode("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"),
        decode("BTBZMqHH6r4Tts7J_aSIgg"),
        sender=private,
        salt=decode("DGv6ra1nlYgDCS1FRnbzlw"),
        block=1,
    )
    assert body == decode(
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )


def test_the_length_of_a_message_tells_nothing_about_a_name() -> None:
    bob = Receiver()
    sizes = set()
    for name in ("Al", "Wilhelmina of the Very Long Name"):
        text = push_message([WaitingTable("abcdefghjk", "nim", (name,))], "en")
        sizes.add(len(encrypt(text, bob.public, bob.secret)))
    assert len(sizes) == 1


def test_a_message_that_no_service_would_take_is_not_sent() -> None:
    bob = Receiver()
    with pytest.raises(ValueError, match="too long"):
        encrypt(bytes(4000), bob.public, bob.secret)


@pytest.mark.parametrize(("language", "title"), [("en", "Your turn"), ("fr", "À vous"), ("nl", "Jij bent")])
def test_the_longest_names_fit_into_a_message(language: str, title: str) -> None:
    tables = [WaitingTable("abcdefghjk", "pays-noir", ("字" * 40,) * 63)] * 1
    bob = Receiver()
    text = push_message(tables, language)
    assert bob.read(encrypt(text, bob.public, bob.secret))["title"].startswith(title)


def test_several_tables_are_one_message_that_leads_to_the_lobby() -> None:
    tables = [
        WaitingTable("a", "nim", ("Ann",)),
        WaitingTable("b", "cable-car", ("Zoë",)),
        WaitingTable("c", "nim", ()),
    ]
    bob = Receiver()
    message = bob.read(encrypt(push_message(tables, "en"), bob.public, bob.secret))
    assert message == {"title": "Your turn at 3 tables", "body": "Nim, Cable Car", "url": "/", "count": 3}


# Addresses that strangers give.


@pytest.mark.parametrize(
    "url",
    [
        "http://push.example.org/x", "https://push.example.org:8443/x", "https://127.0.0.1/x", "https://localhost/x",
        "https://[::1]/x", "https://10.0.0.1/x", "https://2130706433/x", "https://0x7f.1/x", "https://internal/x",
        "https://user@push.example.org/x", "https://push.example.org\\@internal/x", "https://push.example.org/x y",
        "https://push.example.org/\r\nHost: internal", "file:///etc/passwd", "https:///x", "https://", "",
        "//push.x.org",
        "https://push.example.org/#x", "https://push.example.org:x/", "https://push_.example.org/", "gopher://a.example/",
        "https://push.example.org./x", "https://127.0.0.1.:443/x", "https://" + "a" * 1000 + ".org/",
        "https://ex\u00e4mple.org/x",
        "javascript:alert(1)", "https://[fe80::1%25eth0]/",
    ],
)  # fmt: skip
def test_only_public_names_over_https_are_taken(url: str) -> None:
    assert not is_safe_address(url)
    with pytest.raises(Refused) as refused:
        check_endpoint(url, Receiver().subscription["p256dh"], Receiver().subscription["auth"])
    assert refused.value.error == "bad-endpoint"


def test_the_addresses_of_push_services_are_taken() -> None:
    for host in (
        "fcm.googleapis.com",
        "updates.push.services.mozilla.com",
        "web.push.apple.com",
        "x.notify.windows.com",
    ):
        assert is_safe_address(f"https://{host}/wpush/v2/gAAA-_%3D?x=1")
        assert is_safe_address(f"https://{host}:443/x")


@pytest.mark.parametrize(("key", "secret"), [("AAAA", "AAAA"), ("!", "?"), ("B" * 87, "A" * 22), ("é", "A" * 22)])
def test_keys_that_are_none_are_refused(key: str, secret: str, tmp_path: Path) -> None:
    async def work(club: Club) -> None:
        with pytest.raises(Refused) as refused:
            await Pusher(club.storage, PushSender("")).subscribe(
                BOB, check_endpoint(f"https://{HOST}/x", key, secret), "en"
            )
        assert refused.value.error == "bad-endpoint"

    in_club(tmp_path, work)


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.0.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1",
        "255.255.255.255", "192.0.0.8", "198.18.0.1", "::1", "::", "fe80::1", "fd00::1", "::ffff:127.0.0.1",
        "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::1", "2002:7f00:1::", "2002:a00:1::", "ff02::1",
        "2001:db8::1", "fe80::1%eth0", "fec0::1", "::10.0.0.1", "::ffff:0:10.0.0.1", "nonsense",
    ],
)  # fmt: skip
def test_private_addresses_are_no_push_services(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["8.8.8.8", "142.250.74.106", "2606:4700::1111", "64:ff9b::808:808"])
def test_public_addresses_may_be(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize("addresses", [["127.0.0.1"], ["8.8.8.8", "10.0.0.1"], ["::ffff:10.0.0.1"], []])
def test_a_public_name_that_leads_inside_is_not_connected_to(
    addresses: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        with pytest.raises(httpcore.ConnectError):
            await PublicNetwork().connect_tcp("rebinding.example.org", 443)

    found = [(0, 0, 0, "", (address, 443)) for address in addresses]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
    run_apart(run())


def test_nothing_but_push_messages_waits_for_a_slow_name_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """The threads of the event loop check passwords, open records and send e-mails."""
    answered = threading.Event()

    def resolve(*_: Any, **__: Any) -> list[Any]:
        answered.wait()
        return []

    async def run() -> None:
        lookups = [asyncio.create_task(public_addresses("slow.example.org", 443)) for _ in range(64)]
        try:
            await asyncio.sleep(0)
            assert await asyncio.wait_for(asyncio.to_thread(lambda: True), 10)
        finally:
            answered.set()
            await asyncio.gather(*lookups, return_exceptions=True)

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    run_apart(run())


# Sending.


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[PushService]:
    with push_service(tmp_path) as (service, certificate):
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        yield service


def endpoint_of(receiver: Receiver) -> Endpoint:
    given = receiver.subscription
    return check_endpoint(given["endpoint"], given["p256dh"], given["auth"])


def send(service: PushService, receiver: Receiver, contact: str = "https://club.example") -> tuple[str, VapidKey]:
    async def run() -> str:
        sender = PushSender(contact, LoopbackNetwork(service.port))
        return await sender.send(endpoint_of(receiver), b'{"title": "x"}', key, AT)

    key = VapidKey.read(new_private_key())
    return run_apart(run()), key


def test_a_message_is_signed_and_read_by_its_browser_alone(service: PushService) -> None:
    bob = Receiver()
    outcome, key = send(service, bob)
    request = service.take()
    assert outcome == "sent"
    assert request.path == bob.path
    assert request.claims(key.public) == {
        "aud": f"https://{HOST}",
        "exp": int((AT + timedelta(hours=12)).timestamp()),
        "sub": "https://club.example",
    }
    assert (request.headers["content-encoding"], request.headers["ttl"]) == ("aes128gcm", "86400")
    assert bob.read(request.body) == {"title": "x"}
    assert b"title" not in request.body
    with pytest.raises(InvalidTag):
        Receiver().read(request.body)


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_wants_no_more_is_gone(service: PushService, status: int) -> None:
    service.status = status
    assert send(service, Receiver())[0] == "gone"


@pytest.mark.parametrize("status", [301, 307, 400, 403, 413, 429, 500, 503])
def test_other_responses_are_failures_and_lead_nowhere_else(service: PushService, status: int) -> None:
    service.status = status
    with pytest.raises(Undelivered, match=f"status {status}"):
        send(service, Receiver())
    assert len(service.requests) == 1


def test_a_service_that_cannot_prove_its_name_gets_nothing(
    service: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(ssl.get_default_verify_paths().openssl_cafile))
    with pytest.raises(Undelivered, match="ConnectError"):
        send(service, Receiver())
    assert not service.requests


def test_a_service_that_never_answers_is_given_up(service: PushService, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sending, "TIMEOUT", 0.0)
    with pytest.raises(Undelivered, match="TimeoutError"):
        send(service, Receiver())


# Who is told of what.


def pusher_to(service: PushService, storage: Storage) -> Pusher:
    return Pusher(storage, PushSender("", LoopbackNetwork(service.port)))


def with_push(tmp_path: Path, service: PushService, work: Any) -> None:
    """Work in a club at which Bob, who has given an address nowhere, has subscribed."""

    async def subscribed(club: Club) -> None:
        bob = Receiver()
        await pusher_to(service, club.storage).subscribe(BOB, endpoint_of(bob), "en")
        await club.reminders.send_due()
        await work(club, bob)

    in_club(tmp_path, subscribed, partial(pusher_to, service))


async def pushed(club: Club, service: PushService, how_long: timedelta = LATER) -> int:
    """Let time pass, and return how many messages have come."""
    before = len(service.requests)
    await club.wait(how_long)
    return len(service.requests) - before


def test_a_subscriber_is_told_of_their_turns_at_all_tables_in_one_message(tmp_path: Path, service: PushService) -> None:
    async def work(club: Club, bob: Receiver) -> None:
        assert await pushed(club, service) == 0, "it is Ann's turn"
        await club.play()
        assert await pushed(club, service) == 1
        message = bob.read(service.take().body)
        assert message == {"title": "Your turn: Nim", "body": "With Ann", "url": f"/t/{club.table.id}", "count": 1}
        for _ in range(2):
            await club.another_table()
            await club.play()
        await club.reminders.send_due()
        assert await pushed(club, service) == 0, "he has just got one"
        assert await pushed(club, service, timedelta(hours=1)) == 1
        assert bob.read(service.take().body)["title"] == "Your turn at 2 tables"
        assert not club.sent, "no e-mail"

    with_push(tmp_path, service, work)


def test_those_who_play_with_bots_alone_are_not_disturbed(tmp_path: Path, service: PushService) -> None:
    async def work(club: Club, bob: Receiver) -> None:
        before = await club.stored()
        await club.table_against_bots(BOB)
        await pushed(club, service)
        assert await club.stored() == before
        assert not service.requests

    with_push(tmp_path, service, work)


def test_mail_and_push_both_say_it(tmp_path: Path, service: PushService) -> None:
    async def work(club: Club, bob: Receiver) -> None:
        await club.subscribe()
        await club.play()
        assert await pushed(club, service) == 1
        assert len(club.sent) == 1

    with_push(tmp_path, service, work)


def test_a_subscription_that_has_ended_is_deleted(tmp_path: Path, service: PushService) -> None:
    async def work(club: Club, bob: Receiver) -> None:
        service.status = 410
        await club.play()
        assert await pushed(club, service) == 1
        assert await of_browser(club.storage, BOB) == []
        await club.reminders.send_due()
        assert await club.stored() == 0, "and nothing about his tables is kept for it"

    with_push(tmp_path, service, work)


def test_a_failure_is_tried_again_and_logs_no_address(
    tmp_path: Path, service: PushService, caplog: pytest.LogCaptureFixture
) -> None:
    async def work(club: Club, bob: Receiver) -> None:
        service.status = 503
        await club.play()
        assert await pushed(club, service) == 1
        assert await pushed(club, service, timedelta(seconds=30)) == 0, "too early"
        service.status = 201
        assert await pushed(club, service) == 1
        assert await pushed(club, service) == 0

    with_push(tmp_path, service, work)
    assert "status 503" in caplog.text
    assert HOST not in caplog.text


def test_a_browser_that_fails_does_not_silence_the_other(tmp_path: Path, service: PushService) -> None:
    async def work(club: Club, bob: Receiver) -> None:
        pusher = pusher_to(service, club.storage)
        nowhere = Endpoint("https://nowhere.example.org/", bob.public, bob.secret)
        await pusher.subscribe(BOB, nowhere, "en")
        await club.play()
        assert await pushed(club, service) == 1, "the certificate is that of the other one"
        assert await pushed(club, service) == 0

    with_push(tmp_path, service, work)


def test_a_key_has_few_subscriptions_and_each_browser_one(tmp_path: Path, service: PushService) -> None:
    async def work(club: Club, bob: Receiver) -> None:
        pusher = pusher_to(service, club.storage)
        for number in range(MOST + 3):
            await pusher.subscribe(BOB, endpoint_of(Receiver(f"phone{number}")), "en")
        assert len(await of_browser(club.storage, BOB)) == MOST
        await pusher.subscribe(ANN, endpoint_of(Receiver("phone7")), "nl")
        assert len(await of_browser(club.storage, BOB)) == MOST - 1, "this browser is Ann's now"
        await pusher.unsubscribe(BOB, Receiver("phone7").subscription["endpoint"])
        assert [found.language for found in await of_browser(club.storage, ANN)] == ["nl"], "Bob cannot end hers"

    with_push(tmp_path, service, work)


def test_all_processes_sign_with_one_key_and_one_of_them_sends(tmp_path: Path, service: PushService) -> None:
    if why_not():
        pytest.skip(why_not())

    async def run(address: str) -> None:
        settings = Settings(data=Path(), database=address)
        club = Club(settings, partial(pusher_to, service))
        await club.open()
        others = [club.another_process(settings) for _ in range(3)]
        keys = await asyncio.gather(*(signing_key(process._storage, new_private_key()) for process in others))
        assert len(set(keys)) == 1
        bob = Receiver()
        await pusher_to(service, club.storage).subscribe(BOB, endpoint_of(bob), "fr")
        for _ in range(3):
            await club.play()
            await club.another_table()
        await club.reminders.send_due()
        club.passed += LATER
        await asyncio.gather(*(process.send_due() for process in (club.reminders, *others)))
        request = service.take()
        assert request.claims(VapidKey.read(keys[0]).public)
        assert bob.read(request.body)["title"] == "À vous de jouer à 3 tables"
        assert not service.requests
        for process in (club.reminders, *others):
            await process._storage.close()

    with running_database() as database:
        run_apart(run(database.address))


# Over the network.


def start(browser: Browser, receiver: Receiver) -> Any:
    return browser.post("/api/push", receiver.subscription)


def test_from_the_subscription_to_the_message_and_its_end(tmp_path: Path) -> None:
    with push_service(tmp_path) as (service, certificate):
        server = Server(tmp_path / "data", "--no-limits", f"--push={service.port}:{certificate}")
        receiver = Receiver()
        with server.browser() as ann, server.browser() as bob, server.browser() as eve:
            assert start(eve, receiver).status_code == 403, "she sits nowhere"
            table = ann.open("nim", "me open")
            bob.post(f"/api/tables/{table.id}/sit", {"seat": 1, "name": "Bob"})
            key = bob.get("/api/push").json()["key"]
            assert len(decode(key)) == 65
            assert start(bob, receiver).json() == {"done": True}
            assert ann.play(table.id, 0).status_code == 200
            request = service.take()
            assert "sub" not in request.claims(key)
            assert receiver.read(request.body)["url"] == f"/t/{table.id}"
            end = {"endpoint": receiver.subscription["endpoint"]}
            assert eve.post("/api/push/end", end).status_code == 200
            assert stored(server) == 1
            assert bob.post("/api/push/end", end).status_code == 200
            assert stored(server) == 0
        server.stop()
        assert HOST not in server.log.read_text()


def stored(server: Server) -> int:
    engine = sql.create_engine(f"sqlite:///{server.folder / 'ludotheque.sqlite3'}")
    with engine.connect() as connection:
        count = connection.execute(sql.select(sql.func.count()).select_from(SUBSCRIPTIONS)).scalar_one()
    engine.dispose()
    return int(count)


def test_a_subscription_is_exported_and_goes_with_the_profile(ann: Browser, server: Server) -> None:
    ann.post("/api/profile", {"name": "Ann"})
    receiver, before = Receiver("export"), stored(server)
    start(ann, receiver)
    (found,) = ann.get("/api/profile/export").json()["push"]
    assert found["endpoint"] == receiver.subscription["endpoint"]
    ann.post("/api/profile/delete")
    assert stored(server) == before


def test_other_browsers_are_told_no_more_after_a_new_key(ann: Browser, server: Server) -> None:
    ann.post("/api/profile", {"name": "Ann"})
    before = stored(server)
    start(ann, Receiver("lost-phone"))
    ann.post("/api/profile/renew")
    assert stored(server) == before


def test_a_subscription_joins_a_profile_with_its_browser(ann: Browser, bob: Browser) -> None:
    ann.post("/api/profile", {"name": "Ann"})
    bob.open("nim", "me me")
    start(bob, Receiver("joining"))
    secret = ann.post("/api/profile/link").json()["url"].partition("#")[2]
    bob.post("/api/profile/link/use", {"secret": secret, "merge": True})
    assert len(ann.get("/api/profile/export").json()["push"]) == 1


def test_a_recovery_link_leaves_the_old_browser_without_messages(ann: Browser, bob: Browser, server: Server) -> None:
    ann.open("nim", "me me")
    before = stored(server)
    start(ann, Receiver("old"))
    url = ann.post("/api/recovery", {}).json()["url"]
    bob.post("/api/recovery/use", {"secret": url.partition("#")[2]})
    assert stored(server) == before


def test_a_server_without_push_offers_none(tmp_path: Path) -> None:
    server = Server(tmp_path, "--no-limits", "--without=push")
    with server.browser() as ann:
        table = ann.open("nim", "me me")
        assert ann.get("/api/push").status_code == 404
        assert start(ann, Receiver()).status_code == 404
        assert 'data-part="push"' not in ann.get(f"/t/{table.id}").text
        assert "Nobody is reminded while the page is closed" in ann.get("/").text
    server.stop()


def test_a_page_that_browsers_do_not_trust_offers_no_push(tmp_path: Path) -> None:
    server = Server(tmp_path, "--no-limits", "--public=http://192.0.2.7:8000")
    with server.browser() as ann:
        table = ann.open("nim", "me me")
        assert 'data-part="push"' not in ann.get(f"/t/{table.id}").text
    server.stop()


def test_one_visitor_can_subscribe_few_browsers() -> None:
    limits, caller = Limits(True), Caller("", "", "192.0.2.7", True)
    for _ in range(int(RULES["push"].burst)):
        limits.count("push", caller)
    with pytest.raises(Refused) as refused:
        limits.count("push", Caller("another", "", "192.0.2.7", True))
    assert refused.value.status == 429
