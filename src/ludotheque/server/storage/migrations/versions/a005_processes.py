"""Several server processes: a revision for seats, names and bot delay, the process that plays for the bots of a table,
the processes that are alive, and who is present at each of them."""

import sqlalchemy as sql
from alembic import op

revision = "a005"
down_revision = "a004"


def upgrade() -> None:
    op.add_column("tables", sql.Column("revision", sql.Integer, nullable=False, server_default="0"))
    op.add_column("tables", sql.Column("driver", sql.String(16), nullable=False, server_default=""))
    op.create_table(
        "processes",
        sql.Column("id", sql.String(16), primary_key=True),
        sql.Column("seen", sql.DateTime(timezone=True), nullable=False),
    )
    op.create_table(
        "presences",
        sql.Column("process", sql.String(16), sql.ForeignKey("processes.id", ondelete="CASCADE"), primary_key=True),
        sql.Column("table_id", sql.String(16), sql.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sql.Column("seats", sql.JSON, nullable=False),
        sql.Column("watchers", sql.Integer, nullable=False),
    )
    op.create_index("presences_of_table", "presences", ["table_id"])


def downgrade() -> None:
    op.drop_table("presences")
    op.drop_table("processes")
    with op.batch_alter_table("tables") as tables:
        tables.drop_column("driver")
        tables.drop_column("revision")
