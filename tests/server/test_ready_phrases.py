"""Ready phrases of the chat: stored by key, read by everyone in their own language."""

from __future__ import annotations

import re

from ludotheque.server.tables.ready_phrases import READY_PHRASES
from tests.server.harness import Browser


def test_a_ready_phrase_is_sent_by_its_key_and_read_in_english_by_programs(ann: Browser) -> None:
    table = ann.open("nim", "me me")
    with ann.socket(table.id) as socket:
        socket.hear_until("chat")
        assert ann.post(f"/api/tables/{table.id}/chat", {"ready": "well-played"}).status_code == 200
        (line,) = socket.hear_until("chat")["messages"]
    assert (line["ready"], line["text"]) == ("well-played", "Well played!")
    with ann.socket(table.id) as again:
        assert again.hear_until("chat")["messages"][0]["ready"] == "well-played", "it is stored"


def test_what_a_person_writes_has_no_key(ann: Browser) -> None:
    table = ann.open("nim", "me me")
    with ann.socket(table.id) as socket:
        socket.hear_until("chat")
        ann.post(f"/api/tables/{table.id}/chat", {"text": "Well played!"})
        assert socket.hear_until("chat")["messages"][0]["ready"] == ""


def test_unknown_keys_and_mixed_messages_are_refused(ann: Browser) -> None:
    table = ann.open("nim", "me me")
    for body in ({"ready": "rude"}, {"ready": "hello", "text": "Hello"}, {}, {"ready": "x" * 41}):
        assert ann.post(f"/api/tables/{table.id}/chat", body).status_code == 400, body


def test_a_muted_person_says_no_ready_phrase(ann: Browser, bob: Browser) -> None:
    table = ann.open("nim", "me link")
    bob.join(table.links[1])
    ann.post(f"/api/tables/{table.id}/mute", {"seat": 1})
    assert bob.post(f"/api/tables/{table.id}/chat", {"ready": "hello"}).status_code == 403


def test_the_page_has_each_phrase_in_the_language_of_its_reader(ann: Browser) -> None:
    table = ann.open("nim", "me me")
    for language, words in {"en": "Well played!", "fr": "Bien joué\u00a0!", "nl": "Goed gespeeld!"}.items():
        page = ann.http.get(f"/t/{table.id}", params={"lang": language}).text
        found = dict(re.findall(r'data-ready="([\w-]+)">([^<]+)<', page))
        assert found.keys() == READY_PHRASES.keys()
        assert found["well-played"] == words
