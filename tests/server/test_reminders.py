"""Reminders by e-mail: only to confirmed addresses, one per turn, one until the person comes back, none in vain."""

from __future__ import annotations

import asyncio
import logging
import re
import smtplib
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sql
from msgspec import structs
from typer.testing import CliRunner

import tests.toy  # noqa: F401  (registers the toy games)
from ludotheque.cli import app
from ludotheque.errors import BadOption
from ludotheque.server.commands import NewSeat, NewTable
from ludotheque.server.config import Settings
from ludotheque.server.errors import Refused
from ludotheque.server.http.caller import Caller
from ludotheque.server.http.limits import Limits
from ludotheque.server.mail.addresses import check_address
from ludotheque.server.mail.emails import Recipient
from ludotheque.server.mail.smtp import SmtpServer, read_smtp_url
from ludotheque.server.storage.recoveries import add_recovery, use_recovery
from ludotheque.server.storage.reminders import WAITS
from ludotheque.server.storage.schema import TABLES
from ludotheque.server.waiting import WaitingTable
from ludotheque.show.language import Reader
from tests.server.harness import PATIENCE, Browser, Server, run_apart, wait_until
from tests.server.post_office import post_office
from tests.server.postgres import running_database, why_not
from tests.server.reminding import ADDRESS, ANN, BOB, LATER, PHONE, WRITER, Club, in_club, token_in


def test_an_address_gets_one_question_and_nothing_else_until_it_is_confirmed(tmp_path: Path) -> None:
    async def work(club: Club) -> None:
        assert await club.give()
        await club.play()
        assert await club.wait() == 1
        assert token_in(club.sent[0])
        assert "Bob" not in club.sent[0].as_string(), "nothing that a visitor wrote goes to a stranger"
        assert await club.wait() == 0
        assert not await club.reminders.confirm("x" * 32)
        assert await club.reminders.confirm(token_in(club.sent[0])) == club.table.id
        assert await club.wait() == 1
        reminder = club.sent[1]
        assert (reminder["To"], reminder["Subject"]) == (ADDRESS, "Your turn: Nim")
        assert f"https://club.example/t/{club.table.id}\n" in reminder.get_content()
        assert "with Ann:" in reminder.get_content()

    in_club(tmp_path, work)


def test_a_question_that_nobody_answers_is_forgotten_after_two_days(tmp_path: Path) -> None:
    async def work(club: Club) -> None:
        await club.give()
        await club.wait()
        await club.wait(timedelta(days=2))
        assert await club.stored() == 0
        assert not await club.reminders.confirm(token_in(club.sent[0]))

    in_club(tmp_path, work)


def test_one_message_per_turn_and_one_until_they_have_come_back(tmp_path: Path) -> None:
    async def work(club: Club) -> None:
        await club.subscribe()
        assert await club.wait() == 0, "it is Ann's turn"
        await club.play()
        assert await club.wait() == 1
        assert await club.wait() == 0
        await club.visit()
        assert await club.wait() == 0, "the same turn"
        await club.play()
        await club.play()
        assert await club.wait() == 1, "another turn, and he had come back"
        await club.play()
        await club.play()
        assert await club.wait() == 0, "he has not come back since: a bot or a friend played for him"

    in_club(tmp_path, work)


def test_nobody_is_reminded_with_a_page_open_nor_soon_after_closing_it(tmp_path: Path) -> None:
    async def work(club: Club) -> None:
        await club.subscribe()
        await club.play()
        club.present = {1}
        assert await club.wait() == 0
        club.present = {0}
        club.passed -= LATER
        await club.visit()
        club.present = {0}
        assert await club.wait(timedelta(seconds=200)) == 0
        assert await club.wait(timedelta(seconds=200)) == 1

    in_club(tmp_path, work)


def test_a_visit_between_two_looks_counts(tmp_path: Path) -> None:
    async def work(club: Club) -> None:
        await club.subscribe()
        await club.play()
        assert await club.wait() == 1
        club.passed += timedelta(seconds=1)
        club.present = {1}
        club.events.publish(club.table.id, "watched")
        club.present = set()
        await club.play()
        await club.play()
        assert await club.wait() == 0, "he was seen just now"
        assert await club.wait() == 1

    in_club(tmp_path, work)


def test_a_seat_that_a_bot_plays_for_gets_no_message(tmp_path: Path) -> None:
    async def work(club: Club) -> None:
        await club.subscribe()
        await club.play()
        seats = [{"who": "person", "taken": True}, {"who": "bot", "level": "random", "taken": True, "stands_in": True}]
        async with club.storage.writing() as connection:
            await connection.execute(sql.update(TABLES).values(seats=seats))
        assert await club.wait() == 0

    in_club(tmp_path, work)


def test_nobody_is_reminded_of_a_table_of_another_version_of_the_game(tmp_path: Path) -> None:
    async def work(club: Club) -> None:
        await club.subscribe()
        await club.play()
        async with club.storage.writing() as connection:
            await connection.execute(sql.update(TABLES).values(game_version=7))
        assert await club.wait() == 0
        async with club.storage.writing() as connection:
            await connection.execute(sql.update(TABLES).values(game_version=1))
        assert await club.wait() == 1

    in_club(tmp_path, work)


def test_what_cannot_be_sent_is_tried_again_ever_later_and_no_address_is_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def failures() -> int:
        return sum(record.levelno >= logging.WARNING for record in caplog.records)

    async def work(club: Club) -> None:
        await club.subscribe()
        await club.play()
        club.failure = smtplib.SMTPRecipientsRefused({ADDRESS: (550, b"no such user " + ADDRESS.encode())})
        await club.wait()
        for wait in WAITS:
            tries = failures()
            await club.wait(wait - timedelta(seconds=5))
            assert failures() == tries, "too early"
            await club.wait(timedelta(seconds=6))
            assert failures() == tries + 1
        assert await club.wait(timedelta(hours=3)) == 0
        assert failures() == 1 + len(WAITS)
        club.failure = None
        assert await club.wait() == 0, "given up until the next turn"
        await club.play()
        await club.play()
        assert await club.wait() == 1

    in_club(tmp_path, work)
    assert "SMTPRecipientsRefused" in caplog.text
    assert ADDRESS not in caplog.text


def test_a_question_that_cannot_be_sent_is_given_up_with_the_address(tmp_path: Path) -> None:
    async def work(club: Club) -> None:
        club.failure = OSError("no route to host")
        await club.give()
        for wait in (timedelta(), *WAITS):
            assert await club.stored() == 1
            await club.wait(wait + timedelta(seconds=1))
        assert await club.stored() == 0

    in_club(tmp_path, work)


def test_an_address_gets_few_questions_a_day_and_none_after_it_has_refused(tmp_path: Path) -> None:
    async def work(club: Club) -> None:
        for browser in (BOB, ANN, BOB):
            assert await club.give("stranger@example.org", browser)
        assert not await club.give("Stranger@EXAMPLE.org", ANN)
        assert await club.give("another@example.org", ANN)
        await club.wait(timedelta(hours=25))
        assert await club.give("stranger@example.org", BOB)
        await club.reminders.send_due()
        await club.reminders.unsubscribe(token_in(club.sent[-1]), all_tables=False)
        club.passed += timedelta(days=20)
        assert not await club.give("stranger@example.org", BOB), "its owner has refused"
        club.passed += timedelta(days=20)
        assert await club.give("stranger@example.org", BOB)

    in_club(tmp_path, work)


def test_an_address_is_confirmed_once_per_browser_and_stays_its_secret(tmp_path: Path) -> None:
    async def work(club: Club) -> None:
        await club.subscribe()
        first = club.table
        opened = await club.opener.open_new(
            NewTable(game="nim", seats=[NewSeat(who="me"), NewSeat(who="me")]), BOB, Reader("en"), ""
        )
        club.table = await club.live_tables.table(opened.id)
        assert await club.give()
        found = await club.reminders.given(club.table.id, BOB)
        assert found
        assert found.confirmed
        assert await club.reminders.given(first.id, ANN) is None

    in_club(tmp_path, work)


def test_an_address_goes_with_unsubscription_with_leaving_and_with_the_table(tmp_path: Path) -> None:
    async def work(club: Club) -> None:
        token = await club.subscribe()
        await club.reminders.unsubscribe(token, all_tables=False)
        assert await club.stored() == 0
        await club.subscribe()
        await club.seating.leave(club.table, [BOB])
        await club.reminders.send_due()
        assert await club.stored() == 0
        await club.subscribe(browser=ANN)
        async with club.storage.writing() as connection:
            await connection.execute(sql.delete(TABLES))
        assert await club.stored() == 0

    in_club(tmp_path, work)


def test_reminders_follow_to_the_rematch_and_to_another_browser(tmp_path: Path) -> None:
    async def work(club: Club) -> None:
        await club.subscribe()
        while not club.table.match.is_over:
            await club.play()
        rematch = await club.opener.open_rematch(club.table, Reader("en"), False)
        await club.reminders.send_due()
        assert await club.reminders.given(club.table.id, BOB) is None
        assert await club.reminders.given(rematch, BOB)
        await add_recovery(club.storage, b"link", [BOB], {}, club.clock())
        await use_recovery(club.storage, b"link", PHONE, club.clock())
        assert await club.reminders.given(rematch, PHONE)
        assert await club.wait() == 1, "Bob begins the rematch"

    in_club(tmp_path, work)


# Several tables.


async def three_tables(club: Club) -> None:
    """It is Bob's turn at three tables, and he wants to be reminded of all."""
    await club.subscribe()
    await club.play()
    for _ in range(2):
        await club.another_table()
        await club.give()
        await club.play()


def links_in(message: EmailMessage) -> set[str]:
    return set(re.findall(r"https://club.example/t/(\w+)\n", message.get_content()))


def test_several_tables_that_wait_make_one_message(tmp_path: Path) -> None:
    async def work(club: Club) -> None:
        await three_tables(club)
        assert await club.wait() == 1
        assert club.sent[0]["Subject"] == "Your turn at 3 tables"
        assert links_in(club.sent[0]) == {table.id for table in await club.tables()}
        assert club.sent[0].get_content().count("Nim, with Ann:") == 3
        assert await club.wait(timedelta(hours=2)) == 0

    in_club(tmp_path, work)


def test_a_message_is_in_the_language_in_which_the_address_was_given_last(tmp_path: Path) -> None:
    async def work(club: Club) -> None:
        await three_tables(club)
        club.passed += timedelta(seconds=1)
        await club.reminders.give(club.table.id, BOB, ADDRESS, "fr")
        await club.wait()
        assert club.sent[0]["Subject"] == "À vous de jouer à 3 tables"

    in_club(tmp_path, work)


def test_what_is_due_after_a_message_waits_for_an_hour_or_until_they_come_back(tmp_path: Path) -> None:
    async def work(club: Club) -> None:
        await club.subscribe()
        await club.play()
        first = club.table
        assert await club.wait() == 1
        await club.another_table()
        await club.give()
        await club.play()
        second = club.table
        assert await club.wait() == 0, "he has just got one"
        assert await club.wait(timedelta(hours=1)) == 1
        assert links_in(club.sent[1]) == {second.id}
        await club.another_table()
        await club.give()
        await club.play()
        third, club.table = club.table, first
        await club.visit()
        assert await club.wait() == 1, "he was at one of his tables meanwhile"
        assert links_in(club.sent[2]) == {third.id}

    in_club(tmp_path, work)


def test_a_table_that_becomes_due_joins_a_message_that_is_tried_again(tmp_path: Path) -> None:
    async def work(club: Club) -> None:
        await club.subscribe()
        await club.play()
        club.failure = OSError("no route to host")
        await club.wait()
        await club.another_table()
        await club.give()
        await club.play()
        await club.wait(WAITS[0] + timedelta(seconds=1))
        club.failure = None
        assert await club.wait(WAITS[1] + timedelta(seconds=1)) == 1
        assert club.sent[0]["Subject"] == "Your turn at 2 tables"

    in_club(tmp_path, work)


def test_one_press_ends_all_reminders_to_an_address(tmp_path: Path) -> None:
    async def work(club: Club) -> None:
        await three_tables(club)
        one_of_his = club.table.id
        await club.another_table()
        await club.subscribe("ann@example.org", ANN)
        await club.wait()
        (his,) = (message for message in club.sent if message["To"] == ADDRESS)
        found = re.search(r"all=true&token=(\S+)>", his["List-Unsubscribe"])
        assert found
        for unknown in ("", "x" * 32):
            await club.reminders.unsubscribe(unknown, all_tables=True)
        assert await club.stored() == 4
        async with club.storage.writing() as connection:
            await connection.execute(sql.delete(TABLES).where(TABLES.c.id == one_of_his))
        await club.reminders.unsubscribe(found[1], all_tables=True)
        assert await club.stored() == 1, "only Ann's is left"

    in_club(tmp_path, work)


def test_of_two_processes_one_sends_one_message_about_all_tables() -> None:
    if why_not():
        pytest.skip(why_not())

    async def run(address: str) -> None:
        settings = Settings(data=Path(), database=address)
        club = Club(settings)
        await club.open()
        await three_tables(club)
        others = [club.another_process(settings) for _ in range(3)]
        club.passed += LATER
        await asyncio.gather(*(process.send_due() for process in (club.reminders, *others)))
        assert [message["Subject"] for message in club.sent] == ["Your turn at 3 tables"]
        for process in (club.reminders, *others):
            await process._storage.close()

    with running_database() as database:
        run_apart(run(database.address))


def test_of_two_processes_one_sends() -> None:
    if why_not():
        pytest.skip(why_not())

    async def run(address: str) -> None:
        settings = Settings(data=Path(), database=address)
        club = Club(settings)
        await club.open()
        await club.subscribe()
        await club.play()
        others = [club.another_process(settings) for _ in range(3)]
        club.passed += LATER
        await asyncio.gather(*(process.send_due() for process in (club.reminders, *others)))
        assert len(club.sent) == 1
        async with club.storage.writing() as connection:
            await connection.execute(sql.text("INSERT INTO processes (id, seen) VALUES ('other', now())"))
            await connection.execute(sql.text(f"INSERT INTO presences VALUES ('other', '{club.table.id}', '[1]', 0)"))
        await club.visit()
        await club.play()
        await club.play()
        assert await club.wait() == 0, "he has the page open at another process"
        for process in (club.reminders, *others):
            await process._storage.close()

    with running_database() as database:
        run_apart(run(database.address))


# Addresses, e-mails and the mail server.


@pytest.mark.parametrize(
    "text",
    [
        "bob", "bob@", "@example.org", "bob@example", "bob@example..org", "bob@-example.org", "a b@example.org",
        "bob@example.org\r\nBcc: eve@example.org", "bob@example.org\n", "bob\0@example.org",
        "bob@example.org,eve@example.org", "Bob <bob@example.org>", '"bob"@example.org', "bob@[127.0.0.1]",
        "b\u200bob@example.org", "bob@exam\u00adple.org", "bob@example.org\u202e", "bób@example.org", "bob@éxample.org",
        "x" * 65 + "@example.org", "bob@" + "a." * 130 + "org",
    ],
)  # fmt: skip
def test_nothing_but_one_plain_address_is_taken(text: str) -> None:
    with pytest.raises(Refused) as refused:
        check_address(text)
    assert refused.value.error == "bad-address"


def test_a_plain_address_is_taken() -> None:
    assert check_address(" Bob.O'Neil+games@Mail.Example.ORG ") == "Bob.O'Neil+games@mail.example.org"


@pytest.mark.parametrize(
    ("language", "subject", "words"),
    [("en", "Your turn: Cable Car", "No more reminders"), ("fr", "À vous de jouer", "Plus de rappels"),
     ("nl", "Jij bent aan de beurt", "Geen herinneringen meer")],
)  # fmt: skip
def test_a_reminder_is_plain_text_in_the_readers_language_with_a_way_out(
    language: str, subject: str, words: str
) -> None:
    to = Recipient(ADDRESS, language, "t" * 32, "a" * 32)
    email = WRITER.reminder(to, [WaitingTable("abcdefghjk", "cable-car", ("A\u200bnn", "Zoë", "evil.example/x"))])
    text = email.get_content()
    assert email["Subject"].startswith(subject)
    assert email.get_content_type() == "text/plain"
    assert words in text
    assert "Ann, Zoë, evil. example/ x" in text, "without what cannot be seen, and without links"
    assert f"https://club.example/reminders/stop?token={to.token}\n" in text
    stop = f"https://club.example/reminders/stop?all=true&token={to.address_token}"
    assert (email["List-Unsubscribe"], email["List-Unsubscribe-Post"]) == (f"<{stop}>", "List-Unsubscribe=One-Click")
    assert f"\nList-Unsubscribe: <{stop}>\r\n".encode() in email.as_bytes(), "neither folded nor encoded"
    assert stop in text


def test_all_that_a_message_is_made_from_tells_nothing_of_a_position() -> None:
    """A push service and a mail server read it on its way, and so does whoever looks at the phone."""
    assert WaitingTable.__struct_fields__ == ("id", "game", "others")


def test_no_header_can_be_smuggled_into_an_email() -> None:
    with pytest.raises(ValueError, match="linefeed"):
        WRITER.confirmation(Recipient("bob@example.org\r\nBcc: eve@example.org", "en", "t" * 32, "a" * 32))


@pytest.mark.parametrize(
    ("url", "server"),
    [
        ("smtp://mail.example.org", SmtpServer("mail.example.org", 25)),
        ("smtp://u%40x:p%2Fw@mail.example.org", SmtpServer("mail.example.org", 587, "u@x", "p/w")),
        ("smtps://u:p@mail.example.org:1465", SmtpServer("mail.example.org", 1465, "u", "p", True)),
    ],
)
def test_a_mail_server_is_named_by_its_address(url: str, server: SmtpServer) -> None:
    assert read_smtp_url(url) == server


@pytest.mark.parametrize(
    "url", ["mail.example.org", "http://mail.example.org", "smtp://", "smtp://h:x", "smtp://h/path"]
)
def test_what_is_no_mail_server_is_refused(url: str) -> None:
    with pytest.raises(BadOption):
        read_smtp_url(url)


def test_a_password_is_not_sent_over_a_network_without_tls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SmtpServer, "is_local", property(lambda _: False))
    with post_office() as (office, url):
        server = read_smtp_url(url.replace("smtp://", "smtp://bob:secret@"))
        with pytest.raises(smtplib.SMTPNotSupportedError):
            server.send(WRITER.confirmation(Recipient(ADDRESS, "en", "t" * 32, "a" * 32)))
        assert not office.messages


@pytest.mark.parametrize(
    "flags",
    [["--smtp-url", "smtp://localhost"], ["--smtp-url", "smtp:secret@localhost", "--public-url", "https://club.example"],
     ["--smtp-url", "smtp://localhost", "--public-url", "https://club.example", "--mail-from", "nobody"]],
)  # fmt: skip
def test_serve_refuses_settings_with_which_no_reminder_could_be_sent(flags: list[str], tmp_path: Path) -> None:
    found = CliRunner().invoke(app, ["serve", "--data", str(tmp_path), "--port", "0", *flags])
    assert found.exit_code != 0
    assert "secret" not in found.output


# Over the network.


def test_from_the_address_to_the_last_message(tmp_path: Path) -> None:
    with post_office() as (office, url):
        server = Server(tmp_path, "--no-limits", f"--smtp={url}")
        with server.browser() as ann, server.browser() as bob, server.browser() as eve:
            table = ann.open("nim", "me open")
            bob.post(f"/api/tables/{table.id}/sit", {"seat": 1, "name": "Bob"})
            path = f"/api/tables/{table.id}/reminder"
            assert bob.get(path).json() == {"address": "", "confirmed": False}
            assert bob.post(path, {"address": "bob@example.org\r\nBcc: x@example.org"}).json()["error"] == "bad-address"
            office.is_open = False
            assert bob.post(path, {"address": ADDRESS}).json() == {"address": ADDRESS, "confirmed": False}
            check_that_the_address_is_bobs_alone(ann, bob, eve, table.id)
            confirm_and_be_reminded(office, ann, bob, table.id)
        server.stop()
        assert ADDRESS not in server.log.read_text()


def check_that_the_address_is_bobs_alone(ann: Browser, bob: Browser, eve: Browser, table: str) -> None:
    path = f"/api/tables/{table}/reminder"
    assert ann.get(path).json() == {"address": "", "confirmed": False}
    assert eve.get(path).status_code == 404
    assert eve.post(path, {"address": "eve@example.org"}).status_code == 404
    assert ADDRESS not in ann.get(f"/api/tables/{table}").text + ann.get(f"/t/{table}").text


def confirm_and_be_reminded(office: Any, ann: Browser, bob: Browser, table: str) -> None:
    wait_until(lambda: office.refused)
    bob.post(f"/api/tables/{table}/reminder", {"address": ""})
    office.is_open = True
    bob.post(f"/api/tables/{table}/reminder", {"address": ADDRESS})
    token = token_in(office.take())
    assert ann.play(table, 0).status_code == 200
    assert bob.get("/reminders").status_code == 200
    assert bob.post("/api/reminders/confirm", {"token": "x" * 32}).status_code == 403
    assert bob.post("/api/reminders/confirm", {"token": token}).json() == {"url": f"/t/{table}"}
    reminder = office.take()
    assert reminder["From"] == "Ludotheque <ludotheque@club.example>"
    stop = str(reminder["List-Unsubscribe"]).strip("<>").removeprefix("https://club.example")
    assert bob.get(stop).status_code == 200
    assert bob.get(f"/api/tables/{table}/reminder").json()["confirmed"], "a link that is merely opened ends nothing"
    cross = {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"}
    body = {"List-Unsubscribe": "One-Click"}
    assert httpx.post(f"{bob.server.url}{stop}", data=body, headers=cross, timeout=PATIENCE).status_code == 403
    assert httpx.post(f"{bob.server.url}{stop}", data=body, timeout=PATIENCE).status_code == 200
    assert bob.get(f"/api/tables/{table}/reminder").json() == {"address": "", "confirmed": False}


def test_a_server_without_mail_takes_no_addresses(ann: Browser) -> None:
    table = ann.open("nim", "me me")
    assert ann.post(f"/api/tables/{table.id}/reminder", {"address": ADDRESS}).status_code == 404
    assert ann.get("/reminders").status_code == 404
    assert "Players who allow notifications at the table" in ann.get("/").text
    assert 'data-part="reminder"' not in ann.get(f"/t/{table.id}").text


def test_one_visitor_can_give_few_addresses() -> None:
    limits, caller = Limits(True), Caller("", "", "192.0.2.7", True)
    for _ in range(10):
        limits.count("mail", caller)
    with pytest.raises(Refused) as refused:
        limits.count("mail", structs.replace(caller, browser="another"))
    assert refused.value.status == 429
