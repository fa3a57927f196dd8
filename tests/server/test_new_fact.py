"""A new fact of a table takes four places: a migration, a column, a field, and the view that shows it.

A copy of the server gets one, a motto, and nothing else: it is stored, read, compared and shown by itself.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import ludotheque

ORIGINAL = Path(ludotheque.__file__).parent
VERSIONS = "storage/migrations/versions"

MIGRATION = """
import sqlalchemy as sql
from alembic import op

revision = "motto"
down_revision = "{head}"


def upgrade():
    op.add_column("tables", sql.Column("motto", sql.String(80), nullable=False, server_default=""))
"""

NEW_LINES = {
    "storage/schema.py": (
        '    Column("muted", JSON),\n',
        '    Column("motto", String(80), nullable=False, server_default=""),\n',
    ),
    "tables/facts.py": ("    muted: frozenset[int] = NO_SEATS\n", '    motto: str = ""\n'),
    "tables/view_shapes.py": ("    muted: tuple[int, ...]\n", "    motto: str\n"),
    "tables/views.py": (
        "        muted=tuple(sorted(table.facts.muted)),\n",
        "        motto=table.facts.motto,\n",
    ),
}
"""By module: a line that is there, and the one to put before it."""

USE = """
import asyncio, json, sys
from pathlib import Path

from msgspec import structs

from ludotheque.core.game import SPECTATOR
from ludotheque.server.config import Settings
from ludotheque.server.commands import NewSeat, NewTable
from ludotheque.server.storage.database import Storage
from ludotheque.server.table_bots import TableBots
from ludotheque.server.tables.cache import LiveTables
from ludotheque.server.tables.events import TableEvents
from ludotheque.server.tables.opening import TableOpener
from ludotheque.server.tables.reading import UntrustedReader
from ludotheque.server.tables.view_cache import ViewCache, shared_context
from ludotheque.server.tables.view_shapes import NOBODY
from ludotheque.server.tables.writing import TableWriter
from ludotheque.server.workers import LimitedWorkers
from ludotheque.show.language import Reader


async def use(folder):
    storage = Storage(Settings(data=folder))
    await storage.open()
    here, there, events, views = LiveTables(storage, 10), LiveTables(storage, 10), TableEvents(), ViewCache()
    opener = TableOpener(here, events, UntrustedReader(LimitedWorkers(1, 60)), TableBots())
    wanted = NewTable(game="cable-car", seats=[NewSeat(who="me"), NewSeat(who="me")])
    table = await here.table((await opener.open_new(wanted, bytes(32), Reader("en"), "")).id)
    copy = await there.table(table.id)

    def shown():
        cached = views.get(table, SPECTATOR, Reader("en"))
        rights = table.facts.rights([bytes(32)])
        message = cached.message(table, SPECTATOR, rights, shared_context(table, NOBODY), 0, None)
        return json.loads(message.text)["motto"]

    before = shown()
    law = lambda facts: structs.replace(facts, motto="No hurry")
    await TableWriter(here, events).change(table, law, "facts")
    is_seen = await there.reload(copy)
    await storage.close()
    print(json.dumps([before, shown(), copy.facts.motto, is_seen]))


asyncio.run(use(Path(sys.argv[1])))
"""


def test_a_new_fact_takes_four_places(tmp_path: Path) -> None:
    server = copied_server(tmp_path)
    (server / VERSIONS / "motto.py").write_text(MIGRATION.format(head=head(server / VERSIONS)), encoding="utf-8")
    for module, (known, new) in NEW_LINES.items():
        text = (server / module).read_text(encoding="utf-8")
        assert text.count(known) == 1, module
        (server / module).write_text(text.replace(known, new + known), encoding="utf-8")
    environment = os.environ | {"PYTHONPATH": str(tmp_path / "copy")}
    command = [sys.executable, "-c", USE, str(tmp_path / "data")]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    before, after, at_the_other_process, is_seen = json.loads(done.stdout)
    assert (before, after) == ("", "No hurry"), "a view in the cache is made again"
    assert at_the_other_process == "No hurry", "it is on disk"
    assert is_seen, "a process that missed the event shows it"


def copied_server(folder: Path) -> Path:
    """The server in a package of its own; all other parts are the original ones."""
    package = folder / "copy" / "ludotheque"
    package.mkdir(parents=True)
    for part in ORIGINAL.iterdir():
        if part.name not in ("server", "__pycache__"):
            (package / part.name).symlink_to(part)
    shutil.copytree(ORIGINAL / "server", package / "server", ignore=shutil.ignore_patterns("__pycache__"))
    return package / "server"


def head(versions: Path) -> str:
    """The latest migration: no other one follows it."""
    text = "".join(path.read_text(encoding="utf-8") for path in versions.glob("*.py"))
    names: set[str] = {*re.findall(r'^revision = "(\w+)"', text, re.MULTILINE)}
    (latest,) = names - {*re.findall(r'^down_revision = "(\w+)"', text, re.MULTILINE)}
    return latest
