"""The version of its game that a table was opened with, whose rules alone can replay it."""

import sqlalchemy as sql
from alembic import op

from ludotheque.core.known_games import names_of_other_games
from ludotheque.core.registry import find_game

revision = "a015"
down_revision = "a014"

_TABLES = sql.table("tables", sql.column("game"), sql.column("game_version"))


def upgrade() -> None:
    """Older tables count as of the version of now: 1 of our games, the installed one of games of other packages."""
    op.add_column("tables", sql.Column("game_version", sql.Integer, nullable=False, server_default="1"))
    for name in names_of_other_games():
        kind = find_game(name)
        if kind and kind.version != 1:
            op.execute(_TABLES.update().where(_TABLES.c.game == kind.name).values(game_version=kind.version))


def downgrade() -> None:
    with op.batch_alter_table("tables") as tables:
        tables.drop_column("game_version")
