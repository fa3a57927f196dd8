"""A person at a browser: what they click, tap and type, and nothing else."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Final
from urllib.parse import urlsplit

from playwright.sync_api import ConsoleMessage, Locator, Page, Request, expect

from ludotheque.core.registry import game_class

AIM = """([board, place]) => {
  const area = document.querySelector('[data-part=play-area]');
  const middle = (element) => {
    element.scrollIntoView({ block: 'nearest', behavior: 'instant' });
    const { x, y, width, height } = element.getBoundingClientRect();
    return { state: area.dataset.state, at: [x + width / 2, y + height / 2] };
  };
  const curtain = document.querySelector('[data-part=hand-over][open] button');
  if (curtain) return { ...middle(curtain), isCurtain: true };
  if (area.dataset.state !== 'asking') return { state: area.dataset.state, at: null };
  const question = document.querySelector('[data-part=question]');
  const play = question.querySelector('[data-play]');
  if (play) return middle(play);
  const root = document.querySelector('.board').shadowRoot;
  const [drawn] = root.querySelectorAll('svg');
  const isInView = (place) => {
    if (!drawn.contains(place)) return true;
    const [box, seen] = [place.getBoundingClientRect(), drawn.getBoundingClientRect()];
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    return x > seen.left && x < seen.right && y > seen.top && y < seen.bottom;
  };
  const target = (element) => {
    element.scrollIntoView({ block: 'nearest', behavior: 'instant' });
    const { x, y, width, height } = element.getBoundingClientRect();
    for (const across of [0.5, 0.25, 0.75, 0.1, 0.9]) for (const down of [0.5, 0.25, 0.75, 0.1, 0.9]) {
      const at = [x + across * width, y + down * height];
      const over = root.elementFromPoint(...at)?.closest('[data-step]');
      if (over?.dataset.step === element.dataset.step) return { state: area.dataset.state, at };
    }
    return middle(element);
  };
  const places = [...root.querySelectorAll('g.choice')].filter(isInView);
  const listed = [...question.querySelectorAll('button.choice')].filter((choice) => choice.checkVisibility());
  const onBoard = places.length && (board || !listed.length);
  const choices = onBoard ? places : listed;
  const aim = choices[Math.floor(place * choices.length)];
  return aim ? (onBoard ? target : middle)(aim) : { state: area.dataset.state, at: null };
}"""
"""Where someone would point next: at the button that plays, else at a choice, on the board or beside it."""
SAID = """(items) => items.map((item) => {
  const said = item.cloneNode(true);
  for (const picture of said.querySelectorAll('[role=img]')) picture.replaceWith(picture.getAttribute('aria-label'));
  return said.innerText;
})"""
"""What the lines of the log say to someone who listens."""
FOCUS = """() => ({
  state: document.querySelector('[data-part=play-area]')?.dataset.state,
  ready: Boolean(document.activeElement?.closest('[data-part=question]:not(:has(details[open] > summary:focus))')),
})"""
# A page that is being left or loaded lacks elements, so that scripts that wait for something must not rely on them.
# The board moves into its place when its backdrop has been loaded.
DRAWN = "document.querySelector('[data-part=board]')?.shadowRoot?.querySelector('.backdrop')"
THERE = f"() => document.querySelector('[data-part=play-area]:not([data-state=gone])')?.dataset.version && {DRAWN}"
READY = f"() => document.querySelector('[data-part=play-area]:is([data-state=asking], [data-state=over])') && {DRAWN}"
READY_OR_COVERED = f"() => ({READY})() || document.querySelector('[data-part=hand-over]')?.open"
LOOK: Final = 20
"""Milliseconds between looks at a page that is waited for: a look at each frame would make the page draw frames."""
MOMENT: Final = f"() => new Promise((done) => setTimeout(done, {LOOK}))"
"""Until the next look of someone who has nothing to point at, so that the others have the time to play."""
DECIDING = """(area, version) => area.dataset.version === version
  && ['asking', 'drafting'].includes(area.dataset.state)"""


class Player:
    def __init__(self, page: Page, url: str, phone: bool = False) -> None:
        self.page = page
        self.url = url
        self.phone = phone
        self.rng = random.Random(7)
        self.taps = 0
        """How often this person has pointed, the button that takes the screen over apart."""
        self.troubles: list[str] = []
        """What went wrong in the browser: errors of scripts, of the page policy, requests to other places."""
        page.on("pageerror", lambda error: self.troubles.append(f"error: {error}"))
        page.on("console", self._hear)
        page.on("requestfailed", self._watch)

    def _hear(self, message: ConsoleMessage) -> None:
        # What the server refuses is shown to the person; the browser writes it to its console too.
        if message.type == "error" and "Failed to load resource" not in message.text:
            self.troubles.append(f"console: {message.text}")

    def _watch(self, request: Request) -> None:
        # To be told of every request would take a tenth of the time; all to other places fail: see `conftest.py`.
        if not request.url.startswith((self.url, "data:", "blob:")):
            self.troubles.append(f"a request to another place: {request.url}")

    # Where tables start.

    def start(self, game: str, *seats: str, **options: bool | int) -> None:
        """Start a table without the lobby, which takes twice as long; seats as there, none: bots."""
        others = seats or ("bot 1",) * (game_class(game).min_players - 1)
        body = {"game": game, "seats": [new_seat(who) for who in ("me", *others)], "options": options}
        self.open(self._post("/api/tables", body))

    def open_record(self, record: str) -> None:
        """Open a record as a table."""
        self.open(self._post("/api/records", {"record": record}))

    def _post(self, path: str, body: dict[str, Any]) -> str:
        """Send a command in the name of this browser; the address of the table that it opens."""
        answer = self.page.request.post(f"{self.url}{path}", data=body)
        assert answer.status == 201, answer.text()
        return str(answer.json()["url"])

    def open(self, address: str) -> None:
        self.page.goto(address)
        self.wait_for_table()

    def wait_for_table(self) -> None:
        """Until a table is shown."""
        self.page.wait_for_function(THERE, polling=LOOK)

    def start_in_lobby(self, game: str, *seats: str, **options: bool | int) -> None:
        """Start a table from the lobby; seats after the first as their choice is called, none: as offered."""
        self.page.goto("/")
        self.press(self.page.locator(f"[data-play={game}]"))
        setup = self.page.locator("[data-part=setup]")
        expect(setup).to_be_visible()
        if seats and setup.locator("[name=players]").is_visible():
            setup.locator("[name=players]").select_option(str(1 + len(seats)))
        for number, who in enumerate(seats, 1):
            setup.locator("[data-part=setup-seats] li > select").nth(number).select_option(who)
        if options:
            self.press(setup.locator("[data-part=setup-more] > summary"))
        for name, value in options.items():
            field = setup.locator(f'[name="option {name}"]')
            field.set_checked(value) if isinstance(value, bool) else field.select_option(str(value))
        self.press(setup.locator("[data-part=setup-start]"))
        self.page.wait_for_url("**/t/*")
        self.wait_for_table()

    def show_tab(self, name: str) -> None:
        """Choose what a small screen shows below the board; a large one shows all of it."""
        if self.phone:
            self.page.locator(f"[data-part=tabs] [data-tab={name}]").tap()

    def link_for(self, seat: int) -> str:
        """The link to a free seat."""
        self.show_tab("more")
        self.page.locator("[data-part=seats] > li").nth(seat).get_by_role("button", name="Invite link").click()
        link = self.link_shown()
        self.show_tab("table")
        return link

    def link_shown(self) -> str:
        """The link of the invitation that is open, which is closed."""
        sheet = self.page.get_by_role("dialog", name="Invite")
        link = sheet.get_by_label("Link", exact=True).input_value()
        sheet.get_by_role("button", name="Close").click()
        return link

    def join(self, link: str, name: str = "") -> None:
        """Open a link; to a free seat, give a name."""
        self.page.goto(link)
        if name:
            question = self.page.get_by_role("dialog", name="Join the table")
            question.get_by_label("Your name").fill(name)
            question.get_by_role("button", name="Sit down").click()
        self.wait_for_table()

    # At the table.

    @property
    def table_id(self) -> str:
        """The id in the address of the table, which may end in a ply or the name of an open sheet."""
        return urlsplit(self.page.url).path.rpartition("/")[2]

    @property
    def play_area(self) -> Locator:
        return self.page.locator("[data-part=play-area]")

    @property
    def state(self) -> str:
        return self.play_area.get_attribute("data-state") or ""

    @property
    def is_covered(self) -> bool:
        return self.page.locator("[data-part=hand-over]").is_visible()

    @property
    def version(self) -> str:
        return self.play_area.get_attribute("data-version") or ""

    @property
    def log(self) -> list[str]:
        """Its lines, with what its pictures show; spaces that do not break are plain ones here."""
        return [line.replace("\xa0", " ") for line in self.page.locator("[data-part=log] li").evaluate_all(SAID)]

    @property
    def question(self) -> Locator:
        return self.page.locator("[data-part=question]")

    def hurry_bots(self) -> None:
        """As fast as the slider goes."""
        self.show_tab("more")
        slider = self.page.locator("[data-part=pace] input")
        slider.focus()
        with self.page.expect_response("**/pace"):
            slider.press("Home")
        slider.evaluate("element => element.blur()")
        self.show_tab("table")

    def press(self, target: Locator) -> None:
        """Press a button once it is there and the scripts of its page, which make it work, have run."""
        target.wait_for()
        self.page.wait_for_load_state()
        target.tap() if self.phone else target.click()

    def tap_once(self, target: Locator) -> None:
        """Tap where something lies, once it stands still. `Locator.tap` taps again when the first tap has laid a ghost
        over it, and a tap on a ghost confirms."""
        target.element_handle().wait_for_element_state("stable")
        box = target.bounding_box()
        assert box
        self.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    def wait(self) -> None:
        """Until it is this person's turn, or the end."""
        self.page.wait_for_function(READY, polling=LOOK)

    def wait_or_cover(self) -> None:
        """Until it is the turn of someone at this screen, who may have to take it over first, or the end."""
        self.page.wait_for_function(READY_OR_COVERED, polling=LOOK)

    def move_by_pointer(self) -> None:
        """Choose at random, on the board where there is something to choose, until the move is made."""
        version = self.version
        while self.play_area.evaluate(DECIDING, version):
            self.point()

    def unfold_all(self) -> None:
        """Unfold all that is beside the board."""
        folded = self.page.locator(".side details:not([open]) > summary:visible")
        while folded.count():
            folded.first.click()

    def point(self) -> str:
        """One click or tap on the way to a move, if it is this person's turn; whether it is, or the game is over."""
        aim = self._aim([self.rng.random() < 0.8, self.rng.random()])
        if aim["at"]:
            x, y = aim["at"]
            self.taps += not aim.get("isCurtain")
            self.page.touchscreen.tap(x, y) if self.phone else self.page.mouse.click(x, y)
        elif aim["state"] != "over":
            self.page.evaluate(MOMENT)
        return str(aim["state"])

    def _aim(self, choice: list[object]) -> dict[str, Any]:
        """Where to point, once it stands still."""
        aim: dict[str, Any] = self.page.evaluate(AIM, choice)
        while (again := self.page.evaluate(AIM, choice)) != aim:
            aim = again
        return aim

    def type(self) -> str:
        """The same with the keyboard alone: Tab to the question, arrows among the choices, Enter."""
        focus = self.page.evaluate(FOCUS)
        if focus["state"] == "asking":
            if not focus["ready"]:
                self.tab_to("[data-part=question] :is(button, details:not([open]) > summary)")
            for _ in range(self.rng.randrange(3)):
                self.page.keyboard.press("ArrowRight")
            self.page.keyboard.press("Enter")
        return str(focus["state"])

    def tab_to(self, selector: str) -> None:
        """Press Tab until the focus is there."""
        for _ in range(150):
            if self.page.evaluate("selector => document.activeElement?.matches(selector)", selector):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"the focus never came to {selector}")

    def take_the_screen(self) -> None:
        """Someone else sits down before the screen."""
        curtain = self.page.locator("[data-part=hand-over]")
        if curtain.is_visible():
            self.press(self.page.locator("[data-part=hand-over-go]"))
            expect(curtain).to_be_hidden()
            self.wait()

    def see_the_end(self) -> str:
        """The headline of the result."""
        headline = self.page.locator("[data-part=result] h2")
        expect(headline).not_to_be_empty()
        return headline.inner_text()


def new_seat(who: str) -> dict[str, str]:
    """A seat as the lobby sends it, from the name of its choice there."""
    kind, _, level = who.partition(" ")
    return {"who": kind, "level": level} if level else {"who": kind}


def play_to_the_end(*steps: Callable[[], str]) -> None:
    """A whole game by real clicks, taps and keys: each person takes one step after the other until it is over."""
    states = [""]
    while set(states) != {"over"}:
        states = [step() for step in steps]
