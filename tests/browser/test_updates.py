"""What a page shows anew, and what stays: focus, clocks, and keys that scroll."""

from __future__ import annotations

import json

from playwright.sync_api import Page

from ludotheque.show.static import STATIC
from tests.browser.conftest import OpenBrowser

UPDATE = """([before, after]) => {
  const host = document.createElement('div');
  const made = (keys) => keys.map((key) => {
    const table = document.createElement('p');
    table.tabIndex = 0;
    if (key) table.dataset.key = key;
    table.textContent = key || 'no key';
    return table;
  });
  document.body.replaceChildren(host);
  const old = made(before);
  host.append(...old);
  old.at(-1).focus();
  updateContent(host, ...made(after));
  return {
    texts: [...host.children].map(({ textContent }) => textContent),
    kept: [...host.children].map((child) => old.includes(child)),
    focus: document.activeElement.textContent,
  };
}"""
CLOCKS = "() => document.querySelectorAll('.cards .card [data-clock]').length"


def test_content_that_moves_down_or_up_stays_itself_and_keeps_the_focus(page: Page) -> None:
    script = (STATIC / "lib" / "dom.js").read_text(encoding="utf-8")
    page.add_script_tag(content=f"{script}\nwindow.updateContent = updateContent;", type="module")
    for before, after in (("AB", "NAB"), ("NAB", "AB"), ("AB", "ANB"), ("AB", "AB")):
        seen = page.evaluate(UPDATE, [list(before), list(after)])
        assert seen["texts"] == list(after)
        assert seen["kept"] == [key in before for key in after]
        assert seen["focus"] == "B"
    swapped = page.evaluate(UPDATE, [list("AB"), list("BA")])
    assert swapped["texts"] == list("BA")
    assert swapped["focus"] == "B"
    assert page.evaluate(UPDATE, [["", "A", ""], ["A", "B"]])["texts"] == ["A", "B"]


def test_clocks_stay_on_the_cards_while_someone_looks_back(sit_down: OpenBrowser) -> None:
    ann = sit_down()
    seats = [{"who": "me"}, {"who": "bot", "level": "random"}]
    body = {"game": "pays-noir", "seats": seats, "clock": {"kind": "game", "seconds": 1800, "increment": 15}}
    opened = ann.page.request.post(f"{ann.url}/api/tables", data=body)
    assert opened.status == 201, opened.text()
    ann.open(json.loads(opened.text())["url"])
    ann.wait()
    ann.move_by_pointer()
    ann.wait()
    assert ann.page.evaluate(CLOCKS) == 2
    counted = "() => { document.querySelector('[data-part=time-back]').click(); return (" + CLOCKS + ")(); }"
    assert ann.page.evaluate(counted) == 2
    ann.page.wait_for_selector("[data-part=play-area][data-state=past]")
    assert ann.page.evaluate(CLOCKS) == 2


def test_arrows_scroll_what_has_the_focus_and_do_not_leave_the_present(sit_down: OpenBrowser) -> None:
    ann = sit_down()
    ann.start("chicago-express", "bot random")
    ann.wait()
    ann.move_by_pointer()
    ann.wait()
    table = ann.page.locator("[data-part=tables] .wide-table").first
    table.evaluate("element => { element.style.width = '80px'; }")
    table.focus()
    ann.page.keyboard.press("ArrowLeft")
    assert ann.page.evaluate("() => document.querySelector('[data-part=play-area]').dataset.state") == "asking"
    ann.page.locator("[data-part=banner]").evaluate("() => document.activeElement.blur()")
    ann.page.keyboard.press("ArrowLeft")
    ann.page.wait_for_selector("[data-part=play-area][data-state=past]")
