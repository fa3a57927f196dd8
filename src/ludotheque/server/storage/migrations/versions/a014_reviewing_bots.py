"""The custom bot that proposes the better moves of a review; empty for search."""

import sqlalchemy as sql
from alembic import op

revision = "a014"
down_revision = "a013"


def upgrade() -> None:
    with op.batch_alter_table("reviews") as reviews:
        reviews.add_column(sql.Column("bot", sql.String(40), nullable=False, server_default=""))


def downgrade() -> None:
    with op.batch_alter_table("reviews") as reviews:
        reviews.drop_column("bot")
