"""Dice that people add to, and the draws that were seen and taken back."""

import sqlalchemy as sql
from alembic import op

revision = "a006"
down_revision = "a005"


def upgrade() -> None:
    op.add_column("tables", sql.Column("nonces", sql.JSON))
    op.add_column("tables", sql.Column("peeked", sql.Integer, nullable=False, server_default="0"))


def downgrade() -> None:
    with op.batch_alter_table("tables") as tables:
        tables.drop_column("peeked")
        tables.drop_column("nonces")
