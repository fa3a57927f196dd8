"""The clock of a table: the time that each seat has left, and since when all are seated."""

import sqlalchemy as sql
from alembic import op

revision = "a010"
down_revision = "a009"


def upgrade() -> None:
    op.add_column("tables", sql.Column("clock", sql.JSON))
    op.add_column("tables", sql.Column("seated_at", sql.Float))


def downgrade() -> None:
    with op.batch_alter_table("tables") as tables:
        tables.drop_column("seated_at")
        tables.drop_column("clock")
