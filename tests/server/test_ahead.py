"""Deciding ahead of one's turn: unseen by the others, played as an ordinary move, over with the situation."""

from __future__ import annotations

from typing import Any

from tests.server.harness import Browser, Opened, wait_until


def bidding(ann: Browser, bob: Browser) -> Opened:
    table = ann.open("chicago-express", "me link")
    bob.join(table.links[1])
    return table


def decide(browser: Browser, table: Opened, seat: int, key: str, amount: int = 0, **more: Any) -> Any:
    ahead = browser.view(table.id)["ahead"] or {"situation": ""}
    body = {"seat": seat, "situation": ahead["situation"], "key": key, "amount": amount} | more
    return browser.post(f"/api/tables/{table.id}/ahead", body)


def bid(browser: Browser, table: Opened, seat: int, text: str) -> None:
    body = {"seat": seat, "version": browser.view(table.id)["version"], "text": text}
    answer = browser.post(f"/api/tables/{table.id}/moves", body)
    assert answer.status_code == 200, answer.text


def test_a_limit_is_bid_by_the_table_as_ordinary_moves(ann: Browser, bob: Browser) -> None:
    table = bidding(ann, bob)
    assert decide(bob, table, 1, "bid", 9).status_code == 200
    bid(ann, table, 0, "bid 7")
    wait_until(lambda: ann.view(table.id)["ply"] == 2)
    assert ann.view(table.id)["to_move"] == 0
    assert "bids $8" in ann.view(table.id)["log"][-1]["text"]
    bid(ann, table, 0, "bid 10")
    wait_until(lambda: ann.view(table.id)["ply"] == 4)
    ahead = [browser.view(table.id)["ahead"] for browser in (ann, bob)]
    assert all(each is None or each["key"] == "" for each in ahead), "it ended with the share"


def test_a_pass_ends_with_the_share(ann: Browser, bob: Browser) -> None:
    table = bidding(ann, bob)
    assert decide(bob, table, 1, "pass").status_code == 200
    bid(ann, table, 0, "bid 7")
    wait_until(lambda: ann.view(table.id)["ply"] == 2)
    view = bob.view(table.id)
    assert view["to_move"] == 0, "she opens the next auction"
    assert view["ahead"]["key"] == ""
    bid(ann, table, 0, "bid 10")
    assert bob.view(table.id)["to_move"] == 1
    assert bob.view(table.id)["ply"] == 3


def test_the_others_are_sent_nothing_and_see_nothing(ann: Browser, bob: Browser, eve: Browser) -> None:
    table = bidding(ann, bob)
    eve.join(table.watch)
    paths = ("", "?at=0", "/record", "/record?form=text")

    def all_that(browser: Browser) -> list[str]:
        return [browser.get(f"/api/tables/{table.id}{path}").text for path in paths]

    before = [all_that(browser) for browser in (ann, eve)]
    with ann.socket(table.id) as hers:
        hers.hear_until("chat")
        assert decide(bob, table, 1, "bid", 23).status_code == 200
        assert bob.view(table.id)["ahead"]["amount"] == 23
        hers.send(type="ping", id=7)
        while (message := hers.hear())["type"] != "pong":
            assert message["type"] == "seats", "only presence may have changed"
            assert "23" not in str(message)
    assert [all_that(browser) for browser in (ann, eve)] == before


def test_it_can_be_taken_back_and_only_what_is_offered_counts(ann: Browser, bob: Browser) -> None:
    table = bidding(ann, bob)
    assert decide(bob, table, 1, "bid", 100_000).json()["error"] == "not-now"
    assert decide(bob, table, 1, "sell").json()["error"] == "not-now"
    assert decide(ann, table, 1, "pass").status_code == 403
    assert decide(bob, table, 1, "pass", situation="other").json()["error"] == "stale-version"
    assert decide(bob, table, 1, "pass").status_code == 200
    assert decide(bob, table, 1, "").status_code == 200
    bid(ann, table, 0, "bid 7")
    assert (bob.view(table.id)["to_move"], bob.view(table.id)["ply"]) == (1, 1)
