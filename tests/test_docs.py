"""What the documents say is true: examples are run, tests that are named exist."""

from __future__ import annotations

import doctest
import importlib
import re
import shlex
import tomllib
from collections import Counter
from pathlib import Path

import pytest
from scripts import command_page, docs_site
from typer.testing import CliRunner

import ludotheque
from ludotheque import game_class
from ludotheque.cli import app
from ludotheque.core.registry import rules_language, rules_page
from tests.ours import OURS

ROOT = Path(__file__).parent.parent
PAGES = [
    page.relative_to(ROOT).as_posix()
    for pattern in ("*.md", "docs/*.md", "research/**/*.md")
    for page in sorted(ROOT.glob(pattern))
]
COMMANDS = [
    line
    for page in ("docs/command-line.md", "docs/write-a-bot.md")
    for block in re.findall(r"```sh\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL)
    for line in block.splitlines()
]


@pytest.mark.parametrize("page", ["README.md", "docs/research.md", "docs/write-a-bot.md"])
def test_the_examples_of_a_page_run(page: str) -> None:
    failed, tried = doctest.testfile(str(ROOT / page), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert (failed, tried > 3) == (0, True)


@pytest.mark.parametrize("module", ["", ".arena", ".errors", ".prompts", ".search", ".selfplay", ".table", ".testing"])
def test_the_examples_of_a_module_run(module: str) -> None:
    failed, tried = doctest.testmod(importlib.import_module(f"ludotheque{module}"), optionflags=doctest.ELLIPSIS)
    assert (failed, tried > 0) == (0, True)


def test_the_commands_of_the_pages_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(COMMANDS) > 4
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs" / "write-a-bot.md").read_text(encoding="utf-8")
    for name, text in re.findall(r'```python title="([^"]+)"\n(.*?)```', page, re.DOTALL):
        Path(name).write_text(text, encoding="utf-8")
    for command in COMMANDS:
        answer = CliRunner().invoke(app, shlex.split(command)[1:])
        assert answer.exit_code == 0, f"{command}: {answer.exception}"
        assert answer.stdout
        assert "was lost" not in answer.stdout


@pytest.mark.parametrize("page", PAGES)
def test_the_links_of_a_page_lead_somewhere(page: str) -> None:
    text = re.sub(r"```.*?```|`[^`\n]*`", "", (ROOT / page).read_text(encoding="utf-8"), flags=re.DOTALL)
    links = [link for link in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text) if not link.startswith("https://")]
    assert [link for link in links if not (ROOT / page).parent.joinpath(link).exists()] == []


def test_every_command_and_option_is_documented() -> None:
    text = command_page.reference()
    page = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    assert [name for name, _, _ in command_page.commands() if f"`{name}`" not in page] == []
    assert all(f"`{words}`" in text for words in ("ludotheque new-game", "--log-format", "ludotheque cards check"))


def test_the_readme_has_at_most_500_words() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").split()) <= 500


def test_all_files_name_the_same_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["version"] == ludotheque.__version__
    assert f"\nversion: {ludotheque.__version__}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\n## [{ludotheque.__version__}]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_every_promise_of_the_server_names_tests_that_exist() -> None:
    page = (ROOT / "docs" / "reliability.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(test_\w+\.py|\w+\.test\.js)`", page))
    assert len(named) > 20
    assert named <= {path.name for path in (ROOT / "tests").rglob("*")}


@pytest.mark.parametrize("name", OURS)
def test_every_ruling_names_a_test_that_exists(name: str) -> None:
    tests = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("*.py"))
    page = (ROOT / "docs" / "rulings" / f"{name}.md").read_text(encoding="utf-8")
    named = re.findall(r"`(test_\w+)`", page)
    assert named
    assert [test for test in named if f"def {test}(" not in tests] == []


@pytest.mark.parametrize("name", OURS)
def test_every_ruling_of_the_rules_has_its_tests_in_the_documents(name: str) -> None:
    rulings = rules_page(game_class(name)).partition("## Our rulings")[2].partition("\n## ")[0]
    listed = re.findall(r"^\| (.+?) \|", rulings, re.MULTILINE)[1:]
    page = (ROOT / "docs" / "rulings" / f"{name}.md").read_text(encoding="utf-8")
    assert len(listed) > 10
    assert [ruling for ruling in listed if f"| {ruling} | `test_" not in page] == []


def _bones(page: str) -> dict[str, Counter[str]]:
    """What is the same in every language: how the page is built, its numbers, and words of moves, options and tests."""
    prose = re.sub(r"```.*?```", "", page, flags=re.DOTALL)
    return {
        "marks": Counter(re.findall(r"^(?:#+|\||-|\d\.|!)", prose, re.MULTILINE)),
        "numbers": Counter(re.findall(r"\d+", page)),
        "words": Counter(re.findall(r"`([^`]+)`", prose)),
    }


@pytest.mark.parametrize("language", ["fr", "nl"])
@pytest.mark.parametrize("name", OURS)
def test_the_rules_say_the_same_in_every_language(name: str, language: str) -> None:
    assert rules_language(game_class(name), language) == language
    assert _bones(rules_page(game_class(name), language)) == _bones(rules_page(game_class(name)))


@pytest.mark.parametrize("name", OURS)
def test_every_option_of_a_game_stands_in_its_rules(name: str) -> None:
    page = rules_page(game_class(name))
    assert [option.name for option in game_class(name).options if f"`{option.name}`" not in page] == []


def test_every_page_has_a_place_on_the_site() -> None:
    listed = re.findall(r"(\S+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE)
    pages = {place.as_posix() for source, place in docs_site.places().items() if place.suffix == ".md"}
    below = {f"rulings/{name}.md" for name in OURS}
    toys = {page for page in pages if page.startswith("rules/") and page[6:-3] not in OURS}
    assert sorted([*listed, *below]) == sorted({*pages - toys, "api.md", "routes.md"})


@pytest.mark.parametrize("name", OURS)
def test_every_game_has_a_match_with_its_whole_review_and_story(name: str) -> None:
    match, decisions = docs_site.reviewed_match(docs_site.MATCHES / f"{name}.json")
    assert (match.game.name, match.is_over) == (name, True)
    story = (ROOT / "docs" / "matches.md").read_text(encoding="utf-8").partition(f"(matches/{name}.json)")[2]
    result = story.partition("\n\n")[0]
    for seat, score in zip(match.names, match.view().scores, strict=True):
        assert f"{seat} {score}" in result
    moves = {int(move) for move in re.findall(r"\bmoves? (\d+)", story.partition("\n## ")[0])}
    assert moves <= {decision.ply for decision in decisions}
