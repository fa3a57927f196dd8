"""News for the people at a table: chat, names, whose turn it is, moves of the others, requests to undo."""

from __future__ import annotations

import re

from playwright.sync_api import Route, WebSocketRoute, expect

from tests.browser.conftest import OpenBrowser
from tests.browser.player import Player
from tests.browser.screens import on_a_phone

NOTES = """() => {
  globalThis.notes = [];
  globalThis.Notification = class {
    constructor(title, { body }) { globalThis.notes.push(`${title}: ${body}`); }
    static async requestPermission() { return 'granted'; }
  };
  Object.defineProperty(document, 'hidden', { get: () => true });
  navigator.setAppBadge = async () => { globalThis.badge = true; };
  navigator.clearAppBadge = async () => { globalThis.badge = false; };
}"""
"""Notes and badges that can be read, in a page that nobody looks at."""


def unfold(player: Player, name: str) -> None:
    player.page.locator(".side summary", has_text=name).click()


def test_what_is_said_reaches_the_others_once_even_after_a_lost_connection(sit_down: OpenBrowser) -> None:
    ann, bob = sit_down(), sit_down()
    lines: list[WebSocketRoute] = []

    def connect(line: WebSocketRoute) -> None:
        lines.append(line)
        line.connect_to_server()

    bob.page.route_web_socket(re.compile("/ws/"), connect)
    ann.start("passerelles", "link")
    bob.join(ann.link_for(1), "Bob")
    unfold(ann, "Chat")
    ann.page.get_by_placeholder("Your message").fill("Good luck!")
    ann.page.get_by_role("button", name="Send").click()
    expect(bob.page.locator("[data-part=unread]")).to_have_text("1")
    unfold(bob, "Chat")
    expect(bob.page.locator("[data-part=unread]")).to_be_hidden()
    lines[0].close(code=1012, reason="the line is cut")
    expect(bob.page.locator("[data-part=lost]")).to_be_visible()
    expect(bob.page.locator("[data-part=lost]")).to_be_hidden()
    assert len(lines) == 2
    # A new message comes after the old ones, which the server sends again.
    ann.page.get_by_placeholder("Your message").fill("Are you back?")
    ann.page.get_by_role("button", name="Send").click()
    expect(bob.page.locator("[data-part=chat] li")).to_have_text(["Blue Good luck!", "Blue Are you back?"])


def test_a_screen_reader_hears_messages_and_requests_to_undo(sit_down: OpenBrowser) -> None:
    ann, bob = sit_down(), sit_down()
    ann.start("passerelles", "link")
    unfold(ann, "Chat")
    ann.page.get_by_placeholder("Your message").fill("Before Bob came")
    ann.page.get_by_role("button", name="Send").click()
    expect(ann.page.get_by_role("log").get_by_role("listitem")).to_contain_text("Before Bob came")
    bob.join(ann.link_for(1), "Bob")
    expect(bob.page.locator("[data-part=unread]")).to_have_text("1")
    ann.wait()
    ann.move_by_pointer()
    bob.wait()
    spoken = bob.page.locator("[data-part=spoken]")
    ann.page.get_by_role("button", name="Ask to undo").click()
    expect(spoken.get_by_text("Blue asks to undo a move. Do you agree?")).to_have_count(1)
    expect(ann.page.get_by_text("Blue asks to undo a move. Waiting for the others.").first).to_be_visible()
    ann.page.get_by_placeholder("Your message").fill("Sorry!")
    ann.page.get_by_role("button", name="Send").click()
    expect(spoken).to_contain_text("Blue: Sorry!")
    expect(spoken).not_to_contain_text("Before Bob came")
    expect(ann.page.locator("[data-part=chat]")).to_be_visible()
    expect(ann.page.locator("[data-part=spoken]")).not_to_contain_text("Sorry!")


def test_a_ready_phrase_is_one_press_and_read_in_the_language_of_each(sit_down: OpenBrowser) -> None:
    ann, bob = sit_down(), sit_down(phone=True, locale="fr-FR")
    ann.start("passerelles", "link")
    bob.page.goto(ann.link_for(1))
    bob.page.get_by_label("Votre nom").fill("Bob")
    bob.press(bob.page.get_by_role("button", name="S'asseoir"))
    bob.wait_for_table()
    unfold(ann, "Chat")
    ann.page.get_by_role("button", name="Nice move!").click()
    expect(ann.page.locator("[data-part=chat] li")).to_have_text("Blue Nice move!")
    expect(bob.page.locator("[data-part=spoken]")).to_contain_text("Joli coup")
    bob.show_tab("chat")
    expect(bob.page.locator("[data-part=chat] li")).to_contain_text("Joli coup")


def test_one_who_watches_can_talk_and_is_called_a_spectator(sit_down: OpenBrowser) -> None:
    ann, eve = sit_down(), sit_down()
    ann.start("passerelles", "me")
    ann.page.get_by_role("button", name="Spectator link", exact=True).click()
    link = ann.page.locator("dialog[open] input").input_value()
    ann.page.locator("dialog[open]").get_by_role("button", name="Close").click()
    eve.join(link)
    expect(ann.page.locator("[data-part=seats]")).to_contain_text("Spectators: 1")
    unfold(eve, "Chat")
    eve.page.get_by_placeholder("Your message").fill("Nice move")
    eve.page.get_by_role("button", name="Send").click()
    unfold(ann, "Chat")
    expect(ann.page.locator("[data-part=chat] li")).to_have_text("Spectator Nice move")


def test_a_new_name_is_seen_by_all(sit_down: OpenBrowser) -> None:
    ann, bob = sit_down(), sit_down()
    ann.start("passerelles", "link")
    bob.join(ann.link_for(1), "Bob")
    bob.page.get_by_role("button", name="Rename").click()
    bob.page.locator("dialog[open] input").fill("Bob")
    bob.page.locator("dialog[open]").get_by_role("button", name="OK").click()
    expect(ann.page.locator("[data-part=seats] .name").nth(1)).to_have_text("Bob")
    expect(ann.page.locator("[data-part=cards]")).to_contain_text("Bob")


def test_one_who_does_not_agree_keeps_the_game_as_it_is(sit_down: OpenBrowser) -> None:
    ann, bob = sit_down(), sit_down()
    ann.start("passerelles", "link")
    bob.join(ann.link_for(1), "Bob")
    ann.wait()
    ann.move_by_pointer()
    bob.wait()
    log = bob.log
    ann.page.get_by_role("button", name="Ask to undo").click()
    bob.page.get_by_role("button", name="Refuse").click()
    expect(bob.page.locator("[data-part=undo-request]")).to_be_hidden()
    expect(ann.page.locator("[data-part=undo-request]")).to_be_hidden()
    assert bob.log == log


def test_the_news_have_their_pictures_also_where_the_board_is_drawn_later(sit_down: OpenBrowser) -> None:
    ann = sit_down()
    ann.start("passerelles", "me")
    ann.wait()
    ann.move_by_pointer()
    held: list[Route] = []
    ann.page.route("**/backdrop.svg*", lambda route: held.append(route))
    ann.page.reload()
    news = ann.page.locator("[data-part=news] li")
    expect(news).to_have_count(1)
    for route in held:
        route.continue_()
    expect(news.locator(".picture use")).to_have_count(1)


def test_one_who_is_elsewhere_is_told_by_the_title_the_icon_a_badge_and_a_note(sit_down: OpenBrowser) -> None:
    ann, bob = sit_down(), sit_down()
    bob.page.add_init_script(f"({NOTES})()")
    ann.start("passerelles", "link")
    bob.join(ann.link_for(1), "Bob")
    unfold(bob, "More")
    bob.page.get_by_label("Notify me when it is my turn").check()
    ann.wait()
    expect(ann.page).to_have_title(re.compile("Your turn"))
    expect(bob.page).not_to_have_title(re.compile("Your turn"))
    icon = bob.page.locator("link[rel=icon]")
    expect(icon).to_have_attribute("href", re.compile("/icon.svg"))
    assert bob.page.evaluate("badge") is False
    ann.move_by_pointer()
    expect(bob.page).to_have_title(re.compile("Your turn"))
    bob.page.wait_for_function("notes.length")
    assert bob.page.evaluate("notes") == ["Passerelles: It is your turn."]
    expect(icon).to_have_attribute("href", re.compile("/icon_marked.svg"))
    bob.page.wait_for_function("badge === true")


def test_bots_pause_and_resume_and_keep_the_delay_that_was_set(sit_down: OpenBrowser) -> None:
    ann = sit_down()
    ann.start("passerelles", "bot random")
    ann.hurry_bots()
    pace = ann.page.locator("[data-part=pace]")
    with ann.page.expect_request("**/pace") as paused:
        pace.get_by_role("button", name="Pause").click()
    assert paused.value.post_data_json == {"seconds": 0, "paused": True}
    with ann.page.expect_request("**/pace") as resumed:
        pace.get_by_role("button", name="Resume").click()
    assert resumed.value.post_data_json == {"seconds": 0, "paused": False}
    expect(pace.get_by_role("button", name="Pause")).to_be_focused()


def test_what_the_others_did_meanwhile_is_told_beside_the_board(sit_down: OpenBrowser) -> None:
    ann, bob = sit_down(), sit_down()
    ann.start("passerelles", "link")
    bob.join(ann.link_for(1), "Bob")
    ann.wait()
    expect(ann.page.locator("[data-part=banner]")).to_have_text("Your turn: lay one of your pieces")
    ann.move_by_pointer()
    bob.wait()
    bob.move_by_pointer()
    ann.wait()
    news = ann.page.locator("[data-part=news]")
    expect(news.locator("li").first, "the newest comes first").to_contain_text("Bob lays")
    expect(news.locator("li").last, "one's own move and its consequences come last").to_contain_text("Blue lays")
    expect(ann.page.locator("[data-part=log] .fresh").first).to_contain_text("Blue lays")
    expect(ann.page.locator(".board .mark .badge")).to_have_text("1")
    expect(ann.page.locator(".card.to-move.mine")).to_contain_text("Blue")
    ann.page.get_by_role("button", name="Previous move").click()
    expect(news).to_contain_text("Blue lays")


def test_the_news_leave_out_the_details_that_the_log_keeps(sit_down: OpenBrowser) -> None:
    ann = sit_down()
    ann.start("cable-car", "me")
    ann.move_by_pointer()
    laid = re.compile(r"lays a tile on \w\d\.$")
    expect(ann.page.locator("[data-part=news] .words").filter(has_text=laid)).to_have_count(1)
    expect(ann.page.locator("[data-part=log] button").filter(has_text=laid)).to_have_count(0)
    log = ann.page.locator("[data-part=log]")
    drawn = log.locator("button", has_text="lays a tile on").locator(".inline-picture")
    expect(drawn, "a screen reader reads the tracks").to_have_attribute(
        "aria-label", re.compile("[1-4] (straight|bend|loop)")
    )
    drawn.scroll_into_view_if_needed()
    expect(drawn.locator("svg use").first, "others see them").to_be_attached()


def test_a_phone_begins_with_the_newest_move_and_shows_that_the_news_go_on(sit_down: OpenBrowser) -> None:
    ann, bob = sit_down(phone=True), sit_down()
    ann.start("pays-noir", "link")
    bob.join(ann.link_for(1), "Bob")
    for player in (ann, bob):
        player.wait()
        player.move_by_pointer()
    ann.wait()
    news, more = (ann.page.locator(f"[data-part={part}]") for part in ("news", "news-more"))
    expect(news.locator("li"), "one line for each turn").to_have_count(2)
    expect(news.locator(".number"), "the newest first, and one's own last").to_have_text(["1", ""])
    assert news.evaluate("news => news.scrollTop") == 0
    expect(news.locator(".picture pattern#pn-corons").first, "with what its styles paint").to_be_attached()
    expect(more).to_be_visible()
    for _ in range(news.evaluate(PRESSES_TO_THE_END)):
        above = news.evaluate("news => news.scrollTop")
        ann.press(more)
        ann.page.wait_for_function("([news, above]) => news.scrollTop > above", arg=[news.element_handle(), above])
    expect(more, "all has been read").to_be_hidden()


def test_a_line_of_the_news_shows_its_move_in_small_and_on_the_board(sit_down: OpenBrowser) -> None:
    ann, bob = sit_down(phone=True), sit_down()
    ann.start("passerelles", "link")
    bob.join(ann.link_for(1), "Bob")
    for player in (ann, bob):
        player.wait()
        player.move_by_pointer()
    ann.wait()
    lines, marked = ann.page.locator("[data-part=news] button"), ann.page.locator(".board .pieces > .marked")
    for place in (0, 1):
        expect(lines.nth(place).locator(".picture use")).to_have_attribute("href", re.compile("^#bar-"))
    [his, hers] = [lines.nth(place).locator(".picture .pieces > g").first for place in (0, 1)]
    expect(his).to_have_class(re.compile("yellow"))
    expect(hers).to_have_class(re.compile("blue"))
    expect(marked).to_have_class(re.compile("yellow"))
    lines.last.focus()
    expect(marked).to_have_class(re.compile("blue"))
    lines.last.evaluate("line => line.blur()")
    expect(marked).to_have_class(re.compile("yellow"))


PRESSES_TO_THE_END = "news => Math.ceil((news.scrollHeight - news.clientHeight - 6) / news.clientHeight)"


@on_a_phone
def test_a_guest_reads_whom_the_game_waits_for(sit_down: OpenBrowser, phone: bool) -> None:
    ann, bob = sit_down(), sit_down(phone=phone)
    opened = ann.page.request.post(
        "/api/tables", data={"game": "cable-car", "seats": [{"who": "me"}, *[{"who": "link"}] * 2], "shared_dice": True}
    ).json()
    bob.join(opened["links"][0]["url"], "Bob")
    waiting = bob.page.locator("[data-part=dice-wait]")
    expect(waiting).to_be_visible()
    expect(waiting).to_contain_text("Still missing:")
    expect(waiting.get_by_role("button")).to_have_count(0)


def test_the_browsers_of_all_players_add_to_the_dice(sit_down: OpenBrowser) -> None:
    ann, bob = sit_down(), sit_down()
    ann.start_in_lobby("cable-car", "link")
    expect(ann.page.locator("[data-part=banner]")).to_have_text("Waiting for players")
    expect(ann.page.locator("[data-part=dice-wait]")).to_contain_text("Still missing:")
    bob.join(ann.link_shown(), "Bob")
    ann.wait()
    expect(ann.page.locator("[data-part=dice-wait]")).to_be_hidden()
    view = ann.page.evaluate("async () => (await fetch(`/api${location.pathname.replace('t', 'tables')}`)).json()")
    assert [added["seat"] for added in view["dice"]["nonces"] if added["nonce"]] == [0, 1]


def test_a_move_made_offline_says_that_it_waits_and_is_played_when_the_line_is_back(sit_down: OpenBrowser) -> None:
    ann = sit_down()
    ann.start("passerelles", "me")
    ann.wait()
    banner, line = ann.page.locator("[data-part=banner]"), ann.page.locator("[data-part=log] li")
    ann.page.context.set_offline(True)
    for step in ("piece:3", "cell:D4"):
        ann.page.locator(f".board g[data-step='{step}']").click()
    expect(banner).to_have_text("You are offline: your move waits for the connection.")
    expect(line).to_have_count(0)
    ann.page.context.set_offline(False)
    expect(line).to_have_count(1)
    expect(banner).to_contain_text("Your turn")


def test_an_unread_line_of_the_chat_is_told_above_the_board(sit_down: OpenBrowser) -> None:
    ann, bob = sit_down(), sit_down()
    ann.start("passerelles", "link")
    bob.join(ann.link_for(1), "Bob")
    opener, chat = bob.page.locator("[data-part=chat-open]"), ann.page.locator("[data-part=chat-fold]")
    expect(opener).to_be_hidden()
    chat.locator("summary").click()
    chat.locator("input").fill("Hello")
    chat.get_by_role("button", name="Send").click()
    expect(opener).to_have_text("✉ 1 · Blue: Hello")
    expect(opener).to_be_in_viewport()
    bob.press(opener)
    expect(bob.page.locator("[data-part=chat] li")).to_be_in_viewport()
    expect(opener).to_be_hidden()
