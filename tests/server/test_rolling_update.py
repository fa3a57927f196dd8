"""Two processes of an older version on one PostgreSQL are replaced by new ones, one after the other."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.server.harness import Browser, Server, wait_until
from tests.server.postgres import Database
from tests.server.test_postgres import is_ready

SCHEMA = "src/ludotheque/server/storage/migrations/versions/a004_version_0_2.py"
"""The commit that added it is the oldest version that can go on beside the present schema: later ones only add."""
ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.full


@pytest.fixture
def old_source(tmp_path: Path) -> Path:
    git = shutil.which("git")
    if git is None:
        pytest.skip("git is not installed here")
    find = [git, "log", "--diff-filter=A", "--format=%H", "--", SCHEMA]
    found = subprocess.run(find, cwd=ROOT, capture_output=True, text=True, check=False).stdout.split()
    if not found:
        pytest.skip("this checkout has no history")
    packed = subprocess.run([git, "archive", found[-1], "src", "tests"], cwd=ROOT, capture_output=True, check=True)
    old = tmp_path / "old"
    old.mkdir()
    subprocess.run(["tar", "--extract", "--directory", str(old)], input=packed.stdout, check=True)
    return old


def play_at_each(servers: list[Server], cookies: dict[str, str], table: str) -> int:
    """Play a move at each server; the other one shows it. Return the last version that was acknowledged."""
    for here, there in (servers, servers[::-1]):
        with here.browser() as browser, there.browser() as other:
            for each in (browser, other):
                each.http.cookies.update(cookies)
            view = browser.view(table)
            answer = browser.play(table, view["to_move"])
            assert answer.status_code == 200, answer.text
            version = int(answer.json()["version"])
            wait_until(lambda other=other, version=version: shown_version(other, table) == version)
    return version


def shown_version(browser: Browser, table: str) -> int:
    return int(browser.view(table)["version"])


def test_two_processes_of_an_older_version_are_replaced_one_after_the_other(
    tmp_path: Path, old_source: Path, database: Database
) -> None:
    flags = ("--no-limits", database.address)
    servers = [Server(tmp_path / name, *flags, source=old_source) for name in ("first", "second")]
    with servers[0].browser() as ann:
        table = ann.open("orchard", "me me", options={"rounds": 40}).id
        bots = ann.open("orchard", "bot bot", pace=0.2, options={"rounds": 40}).id
        shared = ann.open("orchard", "me open").id
        cookies = dict(ann.http.cookies)
    version = play_at_each(servers, cookies, table)
    for number in range(2):
        servers[number].stop()
        servers[number].source = None
        servers[number].start()
        wait_until(lambda: all(is_ready(server) for server in servers))
        with servers[number].browser() as browser:
            browser.http.cookies.update(cookies)
            assert shown_version(browser, table) == version, "nothing acknowledged is lost"
            before = shown_version(browser, bots)
            wait_until(
                lambda browser=browser, before=before: (
                    browser.view(bots)["over"] or shown_version(browser, bots) > before + 1
                )
            )
        version = play_at_each(servers, cookies, table)
    with servers[0].browser() as bob, servers[1].browser() as eve:
        answers = [each.post(f"/api/tables/{shared}/sit", {"seat": 1}).status_code for each in (bob, eve)]
        assert answers[0] == 200
        assert answers[1] in (404, 409), "409 as long as the other process shows the seat as open"
    for server in servers:
        server.stop()
