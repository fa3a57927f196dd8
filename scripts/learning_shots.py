"""Take screenshots of lessons, puzzles and rules pages, to look at: `python -m scripts.learning_shots FOLDER`.

Every step of a lesson is shown, one that asks for a move also after a wrong one and between its parts; a puzzle before
a try, after a wrong one and solved. `--game`, `--what`, `--theme`, `--size` and `--language` choose some of them.
Contact sheets are written beside them.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from PIL import Image
from playwright.sync_api import Browser, expect, sync_playwright
from tests.browser.conftest import PATIENCE, chromium
from tests.browser.player import DRAWN, Player
from tests.browser.server import Server
from tests.browser.test_learning import PUZZLES, choose, play, way_to
from tests.ours import OURS

from ludotheque.core.registry import game_class
from ludotheque.study.lessons import Lesson, LessonRun, lessons
from ludotheque.study.puzzles import Puzzle, puzzles
from scripts.shots import SIZES, THEMES, new_player

WHAT: Final = ("lessons", "puzzles", "rules")
COLUMNS: Final = {"1280": 2, "375": 4}
ROWS: Final = 2
TOP: Final = 60
"""Height that the head of a page covers while it is scrolled."""
SHEET_WIDTH: Final = 1560
GAP: Final = 4


class Camera(NamedTuple):
    """A browser and the folder for its screenshots."""

    player: Player
    folder: Path
    suffix: str

    def shoot(self, name: str) -> Path:
        """Save what is on the screen."""
        self.player.page.wait_for_timeout(150)
        path = self.folder / f"{name}-{self.suffix}.png"
        self.player.page.screenshot(path=path)
        return path

    def lesson(self, lesson: Lesson) -> Iterator[Path]:
        """Play a lesson with the real controls, and show each step."""
        page, run = self.player.page, LessonRun(lesson)
        page.goto(f"/learn/{lesson.game}/{lesson.name}")
        area, played = page.locator("[data-part=play-area]"), 0
        while not run.is_over:
            expect(area).to_have_attribute("data-step", str(run.step_number))
            name = f"{lesson.game}-{lesson.name}-{run.step_number + 1:02}"
            yield self.shoot(name)
            if not run.is_waiting:
                self.player.press(page.locator("[data-part=next]"))
                run.next()
                continue
            if (wrong := typical_mistake(run)) is not None:
                choose(self.player, way_to(run.match().choices(run.seat), wrong))
                expect(area).to_have_attribute("data-state", "wrong")
                yield self.shoot(f"{name}-wrong")
                self.player.press(page.locator("[data-part=take-back]"))
                expect(area).to_have_attribute("data-state", "asking")
            for action in run.accepted()[0]:
                expect(area).to_have_attribute("data-played", str(played))
                choose(self.player, way_to(run.match().choices(run.seat), action))
                is_done = run.play(action).is_complete
                played += 1
                if not is_done:
                    expect(area).to_have_attribute("data-played", str(played))
                    yield self.shoot(f"{name}-{played}")
        expect(area).to_have_attribute("data-state", "over")
        yield self.shoot(f"{lesson.game}-{lesson.name}-over")

    def puzzle(self, puzzle: Puzzle) -> Iterator[Path]:
        """Try a puzzle: the next best move, then the best."""
        page = self.player.page
        page.goto(f"/puzzles/{puzzle.game}/{puzzle.id}")
        area, name = page.locator("[data-part=play-area]"), f"{puzzle.game}-puzzle-{puzzle.id}"
        expect(area).to_have_attribute("data-state", "asking")
        page.wait_for_function(DRAWN)
        yield self.shoot(f"{name}-1")
        tree = puzzle.match().choices(puzzle.seat)
        play(self.player, way_to(tree, puzzle.values[1].action))
        expect(area).to_have_attribute("data-state", "missed")
        yield self.shoot(f"{name}-2-wrong")
        self.player.press(page.locator("[data-part=again]"))
        play(self.player, way_to(tree, puzzle.best))
        expect(area).to_have_attribute("data-state", "solved")
        yield self.shoot(f"{name}-3-solved")
        page.mouse.wheel(0, 500)
        yield self.shoot(f"{name}-4-below")

    def rules(self, game: str) -> Iterator[Path]:
        """The rules page from top to bottom."""
        page = self.player.page
        page.goto(f"/rules/{game}")
        page.wait_for_load_state("networkidle")
        height, screen = page.evaluate("[document.documentElement.scrollHeight, innerHeight]")
        for number, top in enumerate(range(0, height, screen - TOP)):
            page.evaluate("top => window.scrollTo(0, top)", top)
            yield self.shoot(f"{game}-rules-{number:02}")


def typical_mistake(run: LessonRun) -> int | None:
    """A wrong first action that the step has an answer to, if there is one."""
    return next((action for action in run.wrong_actions() if run.answer_to(action)), None)


def sheets(paths: Sequence[Path], folder: Path, name: str, size: str) -> None:
    """Put screenshots side by side on sheets that stay readable."""
    columns = COLUMNS[size]
    width = SHEET_WIDTH // columns
    per_sheet = columns * ROWS
    for first in range(0, len(paths), per_sheet):
        pictures = [scaled(path, width) for path in paths[first : first + per_sheet]]
        sheet = Image.new("RGB", (SHEET_WIDTH, ROWS * pictures[0].height), "magenta")
        for place, picture in enumerate(pictures):
            sheet.paste(picture, (place % columns * width, place // columns * picture.height))
        sheet.save(folder / f"sheet-{name}-{first // per_sheet:02}.png")


def scaled(path: Path, width: int) -> Image.Image:
    """A picture of that width."""
    with Image.open(path) as picture:
        size = (width - GAP, picture.height * (width - GAP) // picture.width)
        return picture.convert("RGB").resize(size, Image.Resampling.LANCZOS)


def open_camera(browser: Browser, url: str, folder: Path, theme: str, size: str, language: str) -> Camera:
    return Camera(new_player(browser, url, theme, size, language), folder, f"{theme}-{size}-{language}")


def take(camera: Camera, game: str, what: Sequence[str], size: str, count: int) -> None:
    """All screenshots of one game on one screen."""
    kind = game_class(game)
    rows: dict[str, Iterator[Path]] = {}
    if "lessons" in what:
        rows |= {f"{game}-{lesson.name}": camera.lesson(lesson) for lesson in lessons(kind)}
    if "puzzles" in what:
        rows[f"{game}-puzzles"] = (path for puzzle in puzzles(kind)[:count] for path in camera.puzzle(puzzle))
    if "rules" in what:
        rows[f"{game}-rules"] = camera.rules(game)
    for name, row in rows.items():
        sheets(list(row), camera.folder, f"{name}-{camera.suffix}", size)
        print(name, camera.suffix, *camera.player.troubles, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description="Take screenshots of lessons, puzzles and rules pages, to look at.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--game", choices=OURS, action="append")
    parser.add_argument("--what", choices=WHAT, action="append")
    parser.add_argument("--theme", choices=THEMES, action="append")
    parser.add_argument("--size", choices=list(SIZES), action="append")
    parser.add_argument("--language", action="append")
    parser.add_argument("--puzzles", type=int, default=PUZZLES)
    chosen = parser.parse_args()
    chosen.folder.mkdir(parents=True, exist_ok=True)
    expect.set_options(timeout=PATIENCE)
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        server = Server(Path(data))
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        for theme in chosen.theme or THEMES:
            for size in chosen.size or SIZES:
                for language in chosen.language or ["en"]:
                    for game in chosen.game or OURS:
                        camera = open_camera(browser, server.url, chosen.folder, theme, size, language)
                        take(camera, game, chosen.what or WHAT, size, chosen.puzzles)
                        camera.player.page.context.close()
        browser.close()
        server.stop()


if __name__ == "__main__":
    main()
