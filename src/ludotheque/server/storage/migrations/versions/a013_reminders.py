"""Reminders by e-mail: confirmed addresses by table and browser, and how many messages an address has got lately."""

import sqlalchemy as sql
from alembic import op

revision = "a013"
down_revision = "a012"


def upgrade() -> None:
    op.create_table(
        "reminders",
        sql.Column("table_id", sql.String(16), sql.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sql.Column("browser", sql.LargeBinary(32), primary_key=True),
        sql.Column("address", sql.String(254), nullable=False),
        sql.Column("language", sql.String(8), nullable=False),
        sql.Column("token", sql.String(64), nullable=False, unique=True),
        sql.Column("confirmed", sql.Boolean, nullable=False),
        sql.Column("created", sql.DateTime(timezone=True), nullable=False),
        sql.Column("seen", sql.DateTime(timezone=True), nullable=False),
        sql.Column("sent_at", sql.DateTime(timezone=True)),
        sql.Column("sent_turn", sql.Integer, nullable=False),
        sql.Column("tries", sql.Integer, nullable=False),
        sql.Column("next_try", sql.DateTime(timezone=True), nullable=False),
    )
    op.create_table(
        "mails",
        sql.Column("id", sql.Integer, primary_key=True),
        sql.Column("address", sql.LargeBinary(32), nullable=False),
        sql.Column("kind", sql.String(12), nullable=False),
        sql.Column("expires", sql.DateTime(timezone=True), nullable=False),
        sql.Index("mails_to_address", "address"),
    )


def downgrade() -> None:
    op.drop_table("mails")
    op.drop_table("reminders")
