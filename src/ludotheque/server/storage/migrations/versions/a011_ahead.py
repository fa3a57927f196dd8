"""Decisions of seats ahead of their turn."""

import sqlalchemy as sql
from alembic import op

revision = "a011"
down_revision = "a010"


def upgrade() -> None:
    op.add_column("tables", sql.Column("ahead", sql.JSON, nullable=False, server_default="{}"))


def downgrade() -> None:
    with op.batch_alter_table("tables") as tables:
        tables.drop_column("ahead")
