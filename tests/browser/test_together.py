"""With others, by the real controls: joining by a link, deciding ahead, a clock that runs out, a rematch."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Locator, expect

from tests.browser.conftest import OpenBrowser
from tests.browser.player import Player
from tests.server.harness import first_action


def call(player: Player, path: str, body: Any = None) -> Any:
    """Ask the server something, as this person."""
    request = player.page.request
    answer = request.get(f"/api/tables/{path}") if body is None else request.post(f"/api/tables/{path}", data=body)
    assert answer.ok, answer.text()
    return answer.json()


def open_table(host: Player, guest: Player, game: str, **more: Any) -> str:
    """Open a table for two people, without any page; return its id."""
    seats = [{"who": "me", "name": "Ann"}, {"who": "link"}]
    opened = call(host, "", {"game": game, "seats": seats, **more})
    secret = opened["links"][0]["url"].partition("#")[2]
    call(guest, f"{opened['id']}/join", {"secret": secret, "name": "Bob"})
    return str(opened["id"])


def play(player: Player, table: str) -> None:
    view = call(player, table)
    seat = view["to_move"]
    call(player, f"{table}/moves", {"seat": seat, "version": view["version"], "action": first_action(view["choices"])})


def test_a_link_asks_for_a_name_and_one_of_the_free_colours(sit_down: OpenBrowser) -> None:
    ann, bob = sit_down(), sit_down(phone=True)
    ann.start("cable-car", "link", "link")
    bob.page.goto(ann.link_for(1))
    question = bob.page.get_by_role("dialog", name="Join the table")
    colours = question.get_by_role("radio")
    expect(colours).to_have_count(2)
    expect(colours.first).to_be_checked()
    wanted = ann.page.locator("[data-part=seats] > li .name").nth(2).inner_text()
    bob.press(question.locator("label.colour", has_text=wanted))
    question.get_by_label("Your name").fill("Bob")
    bob.press(question.get_by_role("button", name="Join"))
    names = ann.page.locator("[data-part=seats] > li .name")
    expect(names.nth(2)).to_have_text("Bob")
    expect(names.nth(1)).not_to_have_text("Bob")
    expect(bob.page).not_to_have_url("#")
    expect(bob.page.locator("[data-part=seats] > li").nth(2)).to_contain_text("you")
    expect(ann.page.locator("[data-part=seats] > li").nth(1).get_by_role("button", name="Invite link")).to_be_visible()


def test_a_limit_that_is_set_ahead_is_bid_by_itself_and_unseen_by_the_others(sit_down: OpenBrowser) -> None:
    ann, bob = sit_down(), sit_down()
    table = open_table(ann, bob, "chicago-express")
    for player in (ann, bob):
        player.page.goto(f"/t/{table}")
    ahead = bob.page.locator("[data-part=ahead]")
    ahead.get_by_role("spinbutton", name="Bid up to").fill("9")
    ahead.get_by_role("button", name="Bid up to").click()
    expect(ahead).to_contain_text("Bid up to $9")
    ann.wait()
    expect(ann.page.locator("[data-part=ahead]")).to_be_hidden()
    assert "$9" not in ann.page.locator("[data-part=play-area]").inner_text()
    assert call(ann, table)["ahead"] is None
    version = call(ann, table)["version"]
    call(ann, f"{table}/moves", {"seat": 0, "version": version, "text": "bid 7"})
    expect(ann.page.locator("[data-part=log]")).to_contain_text("Bob bids $8")
    expect(ann.play_area).to_have_attribute("data-state", "asking")
    expect(ahead, "it holds as long as the share is not sold").to_contain_text("Bid up to $9")
    ahead.get_by_role("button", name="Cancel").click()
    expect(ahead.get_by_role("button", name="Bid up to")).to_be_visible()


def test_when_the_time_is_up_the_others_hand_the_seat_to_a_bot_and_back(sit_down: OpenBrowser) -> None:
    ann, bob = sit_down(), sit_down()
    table = open_table(ann, bob, "passerelles", clock={"kind": "move", "seconds": 5}, pace=0)
    for player in (bob, ann):
        player.page.goto(f"/t/{table}")
    hers = bob.page.locator("[data-part=seats] > li").first
    hers.get_by_role("button", name="Let a bot play").click()
    choice = bob.page.locator("dialog[open]")
    choice.get_by_role("combobox").select_option("random")
    choice.get_by_role("button", name="OK").click()
    bob.wait()
    expect(hers).to_contain_text("bot")
    expect(bob.page.locator("[data-part=log]")).to_contain_text("Ann lays")
    ann.page.locator("[data-part=seats] > li").first.get_by_role("button", name="Take my seat back").click()
    expect(hers).not_to_contain_text("bot")
    expect(hers).to_contain_text("online")
    expect(bob.play_area).to_have_attribute("data-version", str(call(bob, table)["version"]))
    bob.move_by_pointer()
    ann.wait()


def test_a_rematch_is_one_press_and_everybody_moves_one_seat_further(sit_down: OpenBrowser) -> None:
    ann, bob = sit_down(), sit_down()
    table = open_table(ann, bob, "passerelles")
    while not (view := call(ann, table))["over"]:
        play((ann, bob)[view["to_move"]], table)
    for player in (ann, bob):
        player.page.goto(f"/t/{table}")
    ann.page.get_by_role("button", name="Rematch").click()
    names = ann.page.locator("[data-part=seats] > li .name")
    expect(names).to_have_text(["Bob", "Ann"])
    bob.page.get_by_role("link", name="Go to the rematch").click()
    bob.wait()
    expect(bob.page.locator("[data-part=seats] > li").first).to_contain_text("you")
    assert bob.page.url == ann.page.url != f"{bob.url}/t/{table}"


def test_what_the_others_do_leaves_what_is_typed_and_the_focus(sit_down: OpenBrowser) -> None:
    ann, bob = sit_down(phone=True), sit_down()
    table = open_table(ann, bob, "chicago-express")
    play(ann, table)
    play(bob, table)
    ann.page.goto(f"/t/{table}")
    call(bob, f"{table}/undo", {"seat": 1, "version": call(bob, table)["version"]})
    page = ann.page

    def stays(target: Locator, name: str) -> None:
        """Bob takes another name while this has the focus."""
        target.focus()
        call(bob, f"{table}/name", {"seat": 1, "name": name})
        expect(page.locator("[data-part=seats] .name").nth(1)).to_have_text(name)
        expect(page.locator("[data-part=cards]")).to_contain_text(name)
        expect(target).to_be_focused()

    stays(page.get_by_role("button", name="Agree"), "Ben")
    stays(page.locator("[data-part=news]").get_by_role("button", name="Ann").first, "Bea")
    stays(page.locator("[data-part=tables] .wide-table").first, "Bert")
    stays(page.locator(".cards-toggle"), "Bill")
    stays(page.get_by_role("button", name="Replace link"), "Bess")
    page.get_by_role("button", name="Manage table").click()
    manage = page.get_by_role("dialog", name="Manage table")
    stays(manage.get_by_role("button", name="Mute B"), "Beth")
    password = manage.get_by_label("Password for newcomers")
    password.fill("sesame")
    stays(password, "Bela")
    expect(password).to_have_value("sesame")
    manage.get_by_role("button", name="Set").click()
    expect(manage).to_contain_text("A password is set")
    expect(password, "it was sent").to_have_value("")
