"""With others, by the real controls: joining by a link, deciding ahead, a clock that runs out, a rematch."""

from __future__ import annotations

import json
import re
from typing import Any

from playwright.sync_api import Locator, WebSocketRoute, expect

from tests.browser.conftest import DESKTOP, PHONE, OpenBrowser
from tests.browser.player import Player
from tests.browser.screens import on_a_phone
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
    bob.press(question.get_by_role("button", name="Sit down"))
    names = ann.page.locator("[data-part=seats] > li .name")
    expect(names.nth(2)).to_have_text("Bob")
    expect(names.nth(1)).not_to_have_text("Bob")
    expect(bob.page).not_to_have_url("#")
    expect(bob.page.locator("[data-part=seats] > li").nth(2)).to_contain_text("you")
    expect(ann.page.locator("[data-part=seats] > li").nth(1).get_by_role("button", name="Invite link")).to_be_visible()


def test_a_link_can_be_used_again_until_the_newcomer_has_joined(sit_down: OpenBrowser) -> None:
    ann, bob = sit_down(), sit_down()
    ann.start("passerelles", "link")
    link = ann.link_for(1)
    lost, again = bob.page.locator("[data-part=lost]"), bob.page.get_by_role("button", name="Join the table")
    bob.page.route("**/invitation", lambda route: route.abort())
    bob.page.goto(link)
    expect(bob.page.locator("[data-part=toasts]")).to_contain_text("The server does not answer.")
    expect(lost).to_contain_text("There is no such table, or you need a link to it.")
    bob.page.set_viewport_size(PHONE)
    for part in ("asking", "tabs"):
        expect(bob.page.locator(f"[data-part={part}]"), "nothing of a table, on a phone either").to_be_hidden()
    bob.page.set_viewport_size(DESKTOP)
    bob.page.unroute("**/invitation")
    again.click()
    question = bob.page.get_by_role("dialog", name="Join the table")
    expect(question).to_be_visible()
    bob.page.keyboard.press("Escape")
    expect(question).to_be_hidden()
    again.click()
    question.get_by_label("Your name").fill("Bob")
    question.get_by_role("button", name="Sit down").click()
    bob.page.wait_for_url(re.compile(r"/t/\w+$"))
    expect(lost).to_be_hidden()
    expect(bob.page.locator("[data-part=seats] > li").nth(1)).to_contain_text("you")


@on_a_phone
def test_a_table_for_a_friend_begins_with_the_invitation_and_closes_it_when_they_come(
    sit_down: OpenBrowser, phone: bool
) -> None:
    ann, bob = sit_down(phone=phone), sit_down(phone=not phone)
    ann.start_in_lobby("passerelles", "link")
    sheet = ann.page.get_by_role("dialog", name="Invite")
    expect(sheet).to_contain_text("Waiting for your friend")
    expect(sheet.get_by_role("img", name="QR code of the link")).to_be_in_viewport(ratio=1)
    with ann.page.expect_response("**/name"):
        sheet.get_by_label("Your name").fill("Ann")
        sheet.get_by_label("Your name").press("Tab")
    link = sheet.get_by_label("Link", exact=True).input_value()
    assert "#invite" not in ann.page.url, "another visit does not open it again"
    bob.page.goto(link)
    question = bob.page.get_by_role("dialog", name="Join the table")
    expect(question).to_contain_text("Ann invites you to Passerelles")
    expect(question).to_contain_text("Empty squares that they enclose are your points")
    question.get_by_label("Your name").fill("Bob")
    bob.press(question.get_by_role("button", name="Sit down"))
    bob.wait_for_table()
    expect(sheet).to_be_hidden()
    expect(ann.page.locator(".toast")).to_have_text("Bob is here")
    expect(ann.page.locator("[data-part=invite]")).to_be_hidden()


def test_a_friend_declines_or_watches_and_the_same_link_still_works(sit_down: OpenBrowser) -> None:
    ann, bob = sit_down(), sit_down()
    ann.start_in_lobby("passerelles", "link")
    sheet = ann.page.get_by_role("dialog", name="Invite")
    link = sheet.get_by_label("Link", exact=True).input_value()
    question = bob.page.get_by_role("dialog", name="Join the table")
    bob.page.goto(link)
    question.get_by_role("button", name="No, thanks").click()
    expect(sheet).to_contain_text("Your friend has declined")
    expect(bob.page.locator("[data-part=lost]")).to_contain_text("You have declined, and the host can see it.")
    expect(bob.page.get_by_text("There is no such table")).to_have_count(0)
    sheet.get_by_role("button", name="Close").click()
    ann.page.locator("[data-part=invite]").get_by_role("button", name="Invite").click()
    assert ann.link_shown() == link, "a link that was sent is not replaced"
    bob.page.reload()
    question.get_by_role("button", name="Watch").click()
    bob.wait_for_table()
    expect(ann.page.locator("[data-part=seats]")).to_contain_text("Spectators: 1")
    bob.page.get_by_role("button", name="Take this seat").click()
    question.get_by_label("Your name").fill("Bob")
    question.get_by_role("button", name="Sit down").click()
    bob.wait_for_table()
    expect(ann.page.locator("[data-part=seats] > li").nth(1)).to_contain_text("Bob")
    bob.page.wait_for_url(re.compile(r"/t/\w+$"))


@on_a_phone
def test_one_link_seats_two_friends_and_lets_a_third_watch(sit_down: OpenBrowser, phone: bool) -> None:
    ann, bob, cleo, dan = sit_down(phone=phone), sit_down(), sit_down(phone=not phone), sit_down(phone=phone)
    ann.start_in_lobby("cable-car", "link", "link")
    sheet = ann.page.get_by_role("dialog", name="Invite")
    expect(sheet).to_contain_text("each friend who opens it takes a free seat")
    link = sheet.get_by_label("Link", exact=True).input_value()
    question = dan.page.get_by_role("dialog", name="Join the table")
    dan.page.goto(link)
    question.get_by_label("Your name").fill("Dan")
    bob.join(link, "Bob")
    expect(ann.page.locator(".toast").last).to_have_text("Bob is here")
    expect(sheet).to_contain_text("Waiting for your friend")
    expect(sheet.get_by_label("Link", exact=True)).to_have_value(link)
    cleo.join(link, "Cleo")
    expect(sheet).to_be_hidden()
    assert ann.page.locator("[data-part=seats] > li .name").all_inner_texts()[1:3] == ["Bob", "Cleo"]
    dan.press(question.get_by_role("button", name="Sit down"))
    expect(question).to_contain_text("All seats are taken now, but you can watch.")
    dan.press(question.get_by_role("button", name="Watch"))
    dan.wait_for_table()
    expect(ann.page.locator("[data-part=seats]")).to_contain_text("Spectators: 1")


def test_each_seat_has_a_link_of_its_own_also_after_a_friend_has_taken_another_colour(sit_down: OpenBrowser) -> None:
    ann, bob, cleo = sit_down(), sit_down(), sit_down()
    ann.start_in_lobby("cable-car", "link", "link")
    sheet = ann.page.get_by_role("dialog", name="Invite")
    shared = sheet.get_by_label("Link", exact=True).input_value()
    sheet.locator("[data-key='1']").click()
    expect(sheet).to_contain_text("This link is for one friend only.")
    expect(sheet.get_by_label("Link", exact=True)).not_to_have_value(shared)
    link = sheet.get_by_label("Link", exact=True).input_value()
    bob.page.goto(link)
    question = bob.page.get_by_role("dialog", name="Join the table")
    question.get_by_role("radio").nth(1).check()
    question.get_by_label("Your name").fill("Bob")
    question.get_by_role("button", name="Sit down").click()
    expect(ann.page.locator(".toast")).to_have_text("Bob is here")
    left = sheet.get_by_label("Link", exact=True)
    expect(left).not_to_have_value(link)
    expect(sheet.get_by_text("This link is for one friend only.")).to_have_count(0)
    cleo.join(left.input_value(), "Cleo")
    expect(sheet).to_be_hidden()
    expect(ann.page.locator("[data-part=seats] > li .name").nth(1)).to_have_text("Cleo")


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


def bid(player: Player, table: str, seat: int, amount: int) -> None:
    version = call(player, table)["version"]
    call(player, f"{table}/moves", {"seat": seat, "version": version, "text": f"bid {amount}"})


def test_the_focus_comes_back_to_the_question_but_is_not_taken_from_the_chat(sit_down: OpenBrowser) -> None:
    ann, bob = sit_down(), sit_down()
    table = open_table(ann, bob, "chicago-express")
    ann.open(f"/t/{table}")
    log, message = ann.page.locator("[data-part=log]"), ann.page.get_by_placeholder("Your message")
    ann.question.get_by_role("button", name="Bid $7").click()
    expect(log).to_contain_text("bids $7")
    bid(bob, table, 1, 8)
    expect(ann.question.get_by_role("button", name="Pass")).to_be_focused()
    ann.question.get_by_role("button", name="Bid $9").click()
    expect(log).to_contain_text("bids $9")
    ann.page.locator("[data-part=chat-fold] > summary").click()
    message.press_sequentially("Good")
    bid(bob, table, 1, 10)
    ann.wait()
    ann.page.keyboard.type(" luck")
    expect(message).to_have_value("Good luck")


def test_a_bid_that_is_being_typed_stays_when_a_player_is_renamed(sit_down: OpenBrowser) -> None:
    ann, bob = sit_down(), sit_down()
    table = open_table(ann, bob, "chicago-express")
    ann.open(f"/t/{table}")
    ann.question.get_by_role("spinbutton").press("Control+a")
    ann.page.keyboard.type("1")
    call(bob, f"{table}/name", {"seat": 1, "name": "Robert"})
    expect(ann.page.locator("[data-part=seats]")).to_contain_text("Robert")
    ann.page.keyboard.type("2")
    ann.page.keyboard.press("Enter")
    expect(ann.page.locator("[data-part=log]")).to_contain_text("bids $12")


def refuse_a_move(route: WebSocketRoute) -> None:
    """Refuse the first move, as a server in trouble does."""
    server, refused = route.connect_to_server(), list[int]()

    def pass_on(text: str | bytes) -> None:
        message = json.loads(text)
        if message["type"] == "move" and not refused:
            refused.append(message["id"])
            answer = {"type": "error", "reply_to": message["id"], "error": "busy", "sentence": "Please try again."}
            route.send(json.dumps(answer))
        else:
            server.send(text)

    route.on_message(pass_on)


def test_a_bid_that_was_refused_is_offered_again(sit_down: OpenBrowser) -> None:
    ann, bob = sit_down(), sit_down()
    table = open_table(ann, bob, "chicago-express")
    ann.page.route_web_socket(re.compile("/ws/"), refuse_a_move)
    ann.open(f"/t/{table}")
    ann.question.get_by_role("spinbutton").fill("12")
    ann.page.keyboard.press("Enter")
    expect(ann.page.locator(".toast")).to_have_text("Please try again.")
    expect(ann.question.get_by_role("button", name="Bid $12")).to_be_focused()
    ann.page.keyboard.press("Enter")
    expect(ann.page.locator("[data-part=log]")).to_contain_text("bids $12")


def test_a_move_that_is_refused_while_someone_looks_back_leaves_them_in_the_past(sit_down: OpenBrowser) -> None:
    ann, bob = sit_down(), sit_down()
    table = open_table(ann, bob, "chicago-express")
    bid(ann, table, 0, 7)
    bid(bob, table, 1, 8)
    moves: list[tuple[WebSocketRoute, int]] = []

    def hold_moves(route: WebSocketRoute) -> None:
        def pass_on(text: str | bytes) -> None:
            message = json.loads(text)
            moves.append((route, message["id"])) if message["type"] == "move" else server.send(text)

        server = route.connect_to_server()
        route.on_message(pass_on)

    ann.page.route_web_socket(re.compile("/ws/"), hold_moves)
    ann.open(f"/t/{table}")
    ann.question.get_by_role("button", name="Bid $9").click()
    expect(ann.play_area).to_have_attribute("data-state", "waiting")
    ann.page.locator("[data-part=time-back]").click()
    lowest = ann.page.locator("[data-part=sheet] dl div", has_text="Lowest bid")
    expect(lowest).to_contain_text("$8")
    ((route, id),) = moves
    route.send(json.dumps({"type": "error", "reply_to": id, "error": "busy", "sentence": "Please try again."}))
    expect(ann.page.locator(".toast")).to_have_text("Please try again.")
    expect(lowest).to_contain_text("$8")
    expect(ann.page.locator("[data-part=banner]")).to_contain_text("Viewing move")
    expect(ann.play_area).to_have_attribute("data-state", "past")
    expect(ann.question.get_by_role("button")).to_have_count(0)
    ann.page.locator("[data-part=time-now]").click()
    expect(lowest).to_contain_text("$9")
    expect(ann.question.get_by_role("button", name="Bid $9")).to_be_visible()


def test_a_view_that_comes_before_the_answer_to_a_move_asks_nothing(sit_down: OpenBrowser) -> None:
    ann, bob = sit_down(), sit_down()
    table = open_table(ann, bob, "chicago-express")
    held: list[str | bytes] = []
    servers: list[WebSocketRoute] = []

    def hold_moves(route: WebSocketRoute) -> None:
        servers.append(route.connect_to_server())
        route.on_message(lambda text: held.append(text) if '"move"' in str(text) else servers[0].send(text))

    ann.page.route_web_socket(re.compile("/ws/"), hold_moves)
    ann.open(f"/t/{table}")
    ann.question.get_by_role("button", name="Bid $7").click()
    expect(ann.play_area).to_have_attribute("data-state", "waiting")
    call(bob, f"{table}/name", {"seat": 1, "name": "Robert"})
    expect(ann.page.locator("[data-part=cards]"), "a view has come").to_contain_text("Robert")
    expect(ann.play_area).to_have_attribute("data-state", "waiting")
    expect(ann.question.get_by_role("button")).to_have_count(0)
    (bid,) = held
    servers[0].send(bid)
    expect(ann.page.locator("[data-part=log]")).to_contain_text("bids $7")


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
    her_card = bob.page.locator("[data-part=cards] .who").first
    expect(her_card).to_contain_text("Ann (bot)")
    expect(bob.page.locator("[data-part=log]")).to_contain_text("Ann lays")
    ann.page.locator("[data-part=seats] > li").first.get_by_role("button", name="Take my seat back").click()
    expect(hers).not_to_contain_text("bot")
    expect(her_card).not_to_contain_text("bot")
    expect(hers).to_contain_text("online")
    expect(bob.play_area).to_have_attribute("data-version", str(call(bob, table)["version"]))
    bob.move_by_pointer()
    ann.wait()


@on_a_phone
def test_a_rematch_asks_and_everyone_moves_one_seat_further(sit_down: OpenBrowser, phone: bool) -> None:
    ann, bob = sit_down(), sit_down(phone=phone)
    table = open_table(ann, bob, "passerelles")
    while not (view := call(ann, table))["over"]:
        play((ann, bob)[view["to_move"]], table)
    for player in (ann, bob):
        player.page.goto(f"/t/{table}")
    asked = bob.page.locator("[data-part=rematch-request]")
    for player in (ann, bob):
        expect(player.page.get_by_role("button", name="Rematch")).to_be_in_viewport()
    ann.page.get_by_role("button", name="Rematch").click()
    expect(ann.page.locator("[data-part=rematch-request]")).to_contain_text("waiting for Bob")
    expect(asked).to_contain_text("Ann: a rematch?")
    expect(asked).to_be_in_viewport()
    bob.press(asked.get_by_role("button", name="No, thanks"))
    expect(ann.page.locator(".toast")).to_have_text("No rematch for now: Bob")
    expect(asked).to_contain_text("You declined the rematch.")
    for way_on in ("Back to lobby", "Review"):
        expect(asked.locator("a, button", has_text=way_on)).to_be_in_viewport()
    expect(bob.page.locator(".toast", has_text="No rematch")).to_have_count(0)  # who refuses knows it
    bob.press(bob.page.get_by_role("button", name="Rematch"))
    ann.page.locator("[data-part=rematch-request]").get_by_role("button", name="Play again").click()
    expect(bob.page).not_to_have_url(re.compile(table))
    bob.wait()
    names = ann.page.locator("[data-part=seats] > li .name")
    expect(names).to_have_text(["Bob", "Ann"])
    expect(bob.page.locator("[data-part=seats] > li").first).to_contain_text("you")
    assert bob.page.url == ann.page.url != f"{bob.url}/t/{table}"
    expect(bob.page.locator("[data-part=awaited]")).to_have_text("A rematch: you begin.")
    expect(ann.page.locator("[data-part=awaited]")).to_have_text("A rematch: Bob begins.")


@on_a_phone
def test_everyone_at_the_old_table_reads_who_asked_for_a_rematch(sit_down: OpenBrowser, phone: bool) -> None:
    ann, bob, eve = sit_down(), sit_down(phone=phone), sit_down(phone=phone)
    table = open_table(ann, bob, "passerelles", watchable=True)
    eve.open(f"/t/{table}")
    expect(eve.page.locator("[data-part=watching]")).to_have_text("You are watching.")
    while not (view := call(ann, table))["over"]:
        play((ann, bob)[view["to_move"]], table)
    bob.open(f"/t/{table}")
    expect(eve.page.locator("[data-part=watching]")).to_be_hidden()
    notice = eve.page.locator("[data-part=rematch-request]")
    call(ann, f"{table}/rematch", {})
    expect(notice).to_have_text("Ann: a rematch? Waiting for Bob")
    call(ann, f"{table}/rematch", {"now": True})
    for player in (bob, eve):
        expect(player.page.locator("[data-part=rematch-request]")).to_have_text(
            "The rematch has begun. Ann asked for it."
        )
        expect(player.page.locator(".toast", has_text="The rematch has begun.")).to_be_visible()
    expect(bob.page.get_by_role("link", name="Go to the rematch")).to_be_in_viewport()
    eve.press(eve.page.get_by_role("link", name="Watch the rematch"))
    eve.wait_for_table()
    expect(eve.page.locator("[data-part=watching]")).to_have_text("You are watching.")
    expect(eve.page.locator("[data-part=awaited]")).to_have_text("A rematch: Bob begins.")


def test_the_list_of_tables_says_that_someone_asks_for_a_rematch(sit_down: OpenBrowser) -> None:
    ann, bob = sit_down(), sit_down()
    table = open_table(ann, bob, "passerelles")
    while not (view := call(ann, table))["over"]:
        play((ann, bob)[view["to_move"]], table)
    call(ann, f"{table}/rematch", {})
    bob.page.goto("/")
    bob.page.get_by_role("link", name="rematch?").click()
    bob.page.get_by_role("button", name="Play again").click()
    expect(bob.page).not_to_have_url(re.compile(table))
    bob.wait()


def hand(player: Player, table: str, seat: int) -> str:
    """The tile in the hand of a seat at this screen."""
    pieces = call(player, f"{table}?viewer={seat}")["scene"]["pieces"]
    (tile,) = [step for piece in pieces if (step := piece.get("step") or "").startswith("tile:")]
    return str(tile)


def test_the_next_player_at_a_screen_sees_nothing_of_the_one_before_who_looked_back(sit_down: OpenBrowser) -> None:
    ann, bob = sit_down(), sit_down()
    ann.page.route("**/review?*", lambda route: route.fulfill(body=route.request.url))  # a real one takes seconds
    ann.start("cable-car", "link", "me")
    table = ann.table_id
    bob.join(ann.link_for(1), "Bob")
    ann.wait()
    anns, cleos = hand(ann, table, 0), hand(ann, table, 2)
    held = ann.page.locator(".board .tray-below g[data-step^='tile:']")
    expect(held).to_have_attribute("data-step", anns)
    described, summary = ann.page.locator("[data-part=text-description] li"), ann.page.locator("[data-part=summary]")
    ann.page.get_by_text("Game summary").click()
    expect(summary).to_contain_text("viewer=0")
    ann.page.get_by_text("Text description").click()
    expect(described.first).to_be_visible()
    ann.page.get_by_text("Text description").click()
    before = str(call(ann, table)["ply"])
    play(ann, table)
    expect(ann.play_area).to_have_attribute("data-state", "waiting")
    ann.page.locator("[data-part=time]").fill(before)
    expect(held).to_have_attribute("data-step", anns)
    expect(ann.play_area).to_have_attribute("data-state", "past")
    play(bob, table)
    ann.wait_or_cover()
    assert ann.is_covered
    expect(summary).to_be_empty()
    ann.take_the_screen()
    expect(ann.play_area).to_have_attribute("data-state", "asking")
    expect(ann.play_area).not_to_have_class("past")
    expect(held).to_have_attribute("data-step", cleos)
    expect(described).to_have_count(0)
    expect(summary).to_contain_text("viewer=2")


def test_a_turn_is_composed_on_whatever_else_happens_at_the_table(sit_down: OpenBrowser) -> None:
    ann, bob = sit_down(), sit_down()
    table = open_table(ann, bob, "pays-noir")
    for seat, player in enumerate((ann, bob)):
        while call(player, table)["to_move"] == seat:
            play(player, table)
    for player in (ann, bob):
        player.page.goto(f"/t/{table}")
    ann.wait()
    ann.page.get_by_text("Text description").click()
    banner, trail = ann.page.locator("[data-part=banner]"), ann.page.locator(".trail")
    described = ann.page.locator("[data-part=text-description] li")
    first_question = banner.inner_text()
    ann.page.locator(".board .tray-below g.choice").first.click()
    expect(trail).to_be_visible()
    expect(banner).not_to_have_text(first_question)
    composed = (banner.inner_text(), trail.inner_text(), described.all_inner_texts())

    ann.page.get_by_role("button", name="Previous move").click()
    expect(ann.play_area).to_contain_class("past")
    ann.page.get_by_role("button", name="Back to live").click()
    expect(ann.play_area).not_to_contain_class("past")
    assert (banner.inner_text(), trail.inner_text(), described.all_inner_texts()) == composed

    bob.page.goto("/")
    expect(ann.page.locator("[data-part=seats] > li").nth(1)).to_contain_text("away")
    assert banner.inner_text() == composed[0]

    bob.page.goto(f"/t/{table}")
    bob.page.get_by_role("button", name="Ask to undo").click()
    expect(ann.page.locator("[data-part=undo-request]")).to_contain_text("Do you agree?")
    assert (banner.inner_text(), trail.inner_text()) == composed[:2]
    ann.page.get_by_role("button", name="Refuse").click()
    expect(ann.page.locator("[data-part=undo-request]")).to_be_hidden()
    ann.page.locator(".board g.spot.choice").first.click()
    expect(trail).to_contain_text("Lay it")


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
    ann.show_tab("overview")
    stays(page.locator("[data-part=tables] .wide-table").first, "Bert")
    stays(page.locator(".cards-toggle"), "Bill")
    ann.show_tab("more")
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
