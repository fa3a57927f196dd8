"""The agreements of the people at a table (hints, the clock), and the number of hints that each seat has used."""

import sqlalchemy as sql
from alembic import op

revision = "a009"
down_revision = "a008"


def upgrade() -> None:
    op.add_column("tables", sql.Column("terms", sql.JSON, nullable=False, server_default="{}"))
    op.add_column("tables", sql.Column("hints", sql.JSON, nullable=False, server_default="[]"))


def downgrade() -> None:
    with op.batch_alter_table("tables") as tables:
        tables.drop_column("hints")
        tables.drop_column("terms")
