"""Migration of a database to the newest schema."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import sqlalchemy as sql
from alembic import command
from alembic.config import Config
from alembic.util import CommandError

from ludotheque.core.errors import CannotServe

_MIGRATIONS: Final = Path(__file__).with_name("migrations")


def migrate(connection: sql.Connection) -> None:
    """Migrate a database; `CannotServe` if a newer version has kept it."""
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS))
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        raise CannotServe(
            "These tables were kept by a newer version of Ludotheque; serve them with that one, or name another"
            " folder with --data."
        ) from error
