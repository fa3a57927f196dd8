"""Moderation: the password of a table, mutes, closing, and what the operator has switched."""

import sqlalchemy as sql
from alembic import op

revision = "a012"
down_revision = "a011"


def upgrade() -> None:
    op.add_column("tables", sql.Column("password", sql.String(200), nullable=False, server_default=""))
    op.add_column("tables", sql.Column("muted", sql.JSON))
    op.add_column("tables", sql.Column("closed", sql.Boolean, nullable=False, server_default=sql.false()))
    op.create_table(
        "settings",
        sql.Column("name", sql.String(40), primary_key=True),
        sql.Column("value", sql.JSON, nullable=False),
    )


def downgrade() -> None:
    op.drop_table("settings")
    with op.batch_alter_table("tables") as tables:
        tables.drop_column("closed")
        tables.drop_column("muted")
        tables.drop_column("password")
