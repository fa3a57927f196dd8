"""What must hold at every table: secrecy, undo, two clicks at once, reconnecting, three languages, access for all."""

from __future__ import annotations

import json
import re
import sqlite3
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Request, WebSocketRoute, expect

from tests.browser.conftest import OpenBrowser, new_player
from tests.browser.player import Player
from tests.browser.server import Server
from tests.ours import OURS
from tests.speeds import few, pairs

AXE = Path(__file__).parent / "axe" / "axe.min.js"
VIOLATIONS = """async () => {
  const { violations } = await axe.run({ rules: { 'target-size': { enabled: true } }, resultTypes: ['violations'] });
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}"""
"""Without what is in order: of a table that is thousands of elements."""
PAGE_LIMIT = 150_000
COMPANIES = "companies"
"""Cable Car with its variant for companies, which has a table of its own."""


def offered_tile(player: Player) -> str:
    """The code of the tile in hand, at a table of Cable Car."""
    step = player.page.locator(".board g[data-step^='tile:']").first.get_attribute("data-step")
    return (step or "").removeprefix("tile:")


def without_keys(text: str) -> str:
    """Keys and the promise of the dice are long words by chance, in which any tile might be read."""
    return re.sub(r"[\w-]{30,}", "", text)


def frames(page: Page) -> list[str]:
    """What sockets will tell a page from now on."""
    heard: list[str] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: heard.append(str(frame))))
    return heard


def test_a_hidden_tile_never_reaches_the_other_browser(sit_down: OpenBrowser) -> None:
    for _ in range(6):
        ann, bob = sit_down(), sit_down()
        heard = frames(bob.page)
        ann.start("cable-car", "link")
        bob.join(ann.link_for(1), "Bob")
        mine, theirs = offered_tile(ann), offered_tile(bob)
        if mine != theirs:
            break
    assert mine != theirs, "six times the same two tiles"
    assert heard, "the socket has spoken"
    assert any(theirs in frame for frame in heard)
    assert not any(mine in without_keys(frame) for frame in heard)
    # The art holds every kind of tile; the pieces, the log and the words around it must not hold this one.
    shown = bob.page.evaluate("() => document.querySelector('.board').shadowRoot.querySelector('.pieces').outerHTML")
    assert mine not in without_keys(shown + bob.page.content())


def test_undo_takes_a_move_back(sit_down: OpenBrowser) -> None:
    ann = sit_down()
    ann.start("passerelles", "bot random")
    ann.wait()
    before = ann.log
    ann.move_by_pointer()
    ann.wait()
    assert len(ann.log) > len(before)
    ann.page.locator("[data-part=undo]").click()
    expect(ann.page.locator("[data-part=log] li")).to_have_count(len(before))
    ann.wait()


def test_others_are_asked_before_their_game_is_taken_back(sit_down: OpenBrowser) -> None:
    ann, bob = sit_down(), sit_down()
    ann.start("passerelles", "link")
    bob.join(ann.link_for(1), "Bob")
    ann.wait()
    before = len(ann.log)
    ann.move_by_pointer()
    bob.wait()
    ann.page.get_by_role("button", name="Ask to undo").click()
    bob.page.get_by_role("button", name="Agree").click()
    ann.wait()
    expect(bob.page.locator("[data-part=log] li")).to_have_count(before)


def is_view(text: str | bytes) -> bool:
    return bool(json.loads(text)["type"] == "view")


def test_of_two_clicks_at_once_one_wins_and_the_other_sees_the_new_position(sit_down: OpenBrowser) -> None:
    ann = sit_down()
    ann.start("cable-car", "bot random")
    ann.wait()
    ann.page.get_by_role("button", name="Pause").click()
    expect(ann.page.get_by_role("button", name="Resume")).to_be_visible()
    late = Player(ann.page.context.new_page(), ann.url)
    held: list[str | bytes] = []
    holding = [False]
    routes: list[WebSocketRoute] = []

    def deliver_late(route: WebSocketRoute) -> None:
        routes.append(route)
        server = route.connect_to_server()
        server.on_message(lambda text: held.append(text) if holding[0] and is_view(text) else route.send(text))

    late.page.route_web_socket(re.compile("/ws/"), deliver_late)
    late.page.goto(ann.page.url)
    late.wait()
    holding[0] = True
    before = ann.version
    ann.move_by_pointer()
    expect(ann.play_area).not_to_have_attribute("data-version", before)
    late.move_by_pointer()
    expect(late.page.locator(".toast")).to_contain_text("in the meantime")
    holding[0] = False
    for view in held:
        routes[0].send(view)
    expect(late.play_area).to_have_attribute("data-version", ann.version)
    assert late.log == ann.log


def test_a_lost_connection_is_shown_and_healed(browser: Browser, own_server: Server) -> None:
    ann = new_player(browser, own_server)
    ann.start("cable-car", "bot random")
    ann.wait()
    ann.move_by_pointer()
    ann.wait()
    log = ann.log
    own_server.kill()
    expect(ann.page.locator("[data-part=lost]")).to_be_visible()
    own_server.start()
    expect(ann.page.locator("[data-part=lost]")).to_be_hidden()
    ann.wait()
    assert ann.log == log, "all that was played is still there"
    ann.move_by_pointer()
    ann.page.context.close()


def test_a_table_of_another_version_is_forgotten_from_its_page(browser: Browser, own_server: Server) -> None:
    ann = new_player(browser, own_server)
    ann.start("passerelles", "me")
    address = ann.page.url
    ann.page.goto("about:blank")  # a table that is open would try to connect again
    own_server.stop()
    with sqlite3.connect(own_server.folder / "ludotheque.sqlite3") as database:
        database.execute("UPDATE tables SET game_version = 7")
    database.close()
    own_server.start()
    ann.page.goto(address)
    ann.page.get_by_role("button", name="Forget this table").click()
    ann.page.get_by_role("dialog").get_by_role("button", name="OK").click()
    ann.page.wait_for_url(f"{own_server.url}/")
    expect(ann.page.get_by_role("heading", name="My tables")).to_have_count(0)
    ann.page.context.close()
    assert not ann.troubles


def test_a_move_draws_again_only_what_it_changes(sit_down: OpenBrowser) -> None:
    ann = sit_down()
    ann.start("chicago-express", "bot random")
    ann.wait()
    ann.page.evaluate(
        "() => { window.kept = [...document.querySelectorAll('.gauges li, [data-part=tables] caption')]; }"
    )
    ann.move_by_pointer()
    ann.wait()
    assert ann.page.evaluate("() => kept.length > 4 && kept.every((element) => element.isConnected)")


def test_coming_back_finds_the_table_in_the_lobby(sit_down: OpenBrowser) -> None:
    ann = sit_down()
    ann.start("cable-car", "bot random")
    ann.wait()
    ann.page.goto("/")
    ann.page.locator("[data-part=mine] a").first.click()
    ann.wait()


def test_each_line_of_the_log_leads_to_its_moment(sit_down: OpenBrowser) -> None:
    ann = sit_down()
    ann.start("passerelles", "bot random")
    for _ in range(3):
        ann.wait()
        ann.move_by_pointer()
    ann.wait()
    ann.page.locator("[data-part=log] button").first.click()
    expect(ann.play_area).to_have_attribute("data-state", "past")
    expect(ann.page.locator(".board g[class*=last]").nth(1)).not_to_be_attached()
    ann.page.get_by_role("button", name="Back to live").click()
    expect(ann.play_area).to_have_attribute("data-state", "asking")


@pytest.mark.parametrize(
    ("locale", "question", "turn"),
    few(
        [
            ("fr-BE", "À quoi joue-t-on ?", "À vous de jouer : posez une carte, ou piochez-en une à poser"),
            ("nl-BE", "Wat gaan we spelen?", "Jij bent aan de beurt: leg een tegel, of trek er een om te leggen"),
        ]
    ),
)
def test_the_browser_s_language_is_spoken(sit_down: OpenBrowser, locale: str, question: str, turn: str) -> None:
    ann = sit_down(locale=locale)
    ann.page.goto("/")
    expect(ann.page.locator("h1")).to_have_text(question)
    ann.start_in_lobby("cable-car", "bot random")
    ann.wait()
    expect(ann.page.locator("[data-part=banner]")).to_have_text(turn)
    english = re.compile(r"\b(is dealt|draws|lays|tiles?|Points over|Your)\b")
    assert not [line for line in ann.log if english.search(line)]


def test_a_variant_starts_from_its_own_card(sit_down: OpenBrowser) -> None:
    ann = sit_down()
    ann.page.goto("/")
    card = ann.page.locator("article[data-game='cable-car/companies']")
    expect(card.get_by_role("heading")).to_have_text("The Companies")
    expect(card.get_by_role("link", name="Learn")).to_have_attribute("href", "/learn/cable-car/companies")
    ann.press(card.locator("[data-play]"))
    expect(ann.page.locator("[data-part=setup-title]")).to_have_text("The Companies")
    expect(ann.page.locator("[name='option companies']")).to_have_count(0)
    ann.press(ann.page.locator("[data-part=setup-start]"))
    ann.page.wait_for_url("**/t/*")
    ann.wait_for_table()
    expect(ann.page.locator("h1")).to_have_text("The Companies")
    expect(ann.page.get_by_role("table")).to_contain_text("brown")


def test_a_language_can_be_chosen(page: Page) -> None:
    page.goto("/")
    page.locator("[data-part=language]").select_option("nl")
    expect(page.locator("h1")).to_have_text("Wat gaan we spelen?")
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", "nl")


def violations(page: Page) -> list[str]:
    """What axe finds wrong with a page, targets that are too small or too close included."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found: list[str] = page.evaluate(VIOLATIONS)
    return found


@pytest.mark.parametrize("game", few(OURS))
def test_rules_fit_a_phone(sit_down: OpenBrowser, game: str) -> None:
    page = sit_down(phone=True).page
    page.goto(f"/rules/{game}")
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 375


@pytest.mark.parametrize("scheme", few(["light", "dark"]))
def test_axe_finds_nothing_on_pages(sit_down: OpenBrowser, scheme: str) -> None:
    page = sit_down(color_scheme=scheme, bypass_csp=True).page
    page.goto("/")
    assert violations(page) == []
    page.locator("[data-play]").first.click()
    expect(page.locator("[data-part=setup]")).to_be_visible()
    assert violations(page) == []
    for game in few(OURS):
        page.goto(f"/rules/{game}")
        assert violations(page) == []


@pytest.mark.parametrize(("game", "phone"), few(pairs((*OURS, COMPANIES), (False, True)), 2))
def test_axe_finds_nothing_at_a_table_in_both_themes(sit_down: OpenBrowser, game: str, phone: bool) -> None:
    ann = sit_down(phone=phone, bypass_csp=True)
    ann.start("cable-car" if game == COMPANIES else game, **({"companies": True} if game == COMPANIES else {}))
    ann.wait()
    if not phone:
        ann.unfold_all()
    ann.page.emulate_media(color_scheme="light")
    assert violations(ann.page) == []
    ann.page.emulate_media(color_scheme="dark")
    assert violations(ann.page) == []


@pytest.mark.parametrize("game", few(OURS))
def test_a_table_is_light_before_the_first_interaction(sit_down: OpenBrowser, game: str) -> None:
    ann = sit_down()
    ann.start(game)
    ann.wait()
    requests: list[Request] = []
    ann.page.on("requestfinished", lambda request: requests.append(request))
    heard = frames(ann.page)
    ann.page.reload()
    ann.wait()
    expect(ann.page.locator(".board .backdrop"), "the last that is loaded").to_be_attached()
    sizes = [request.sizes()["responseBodySize"] for request in requests]
    assert sum(sizes) + len("".join(heard)) < PAGE_LIMIT
