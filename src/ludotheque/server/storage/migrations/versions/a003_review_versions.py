"""The version of the program's judgement in a review."""

import sqlalchemy as sql
from alembic import op

revision = "a003"
down_revision = "a002"


def upgrade() -> None:
    with op.batch_alter_table("reviews") as reviews:
        reviews.add_column(sql.Column("version", sql.Integer, nullable=False, server_default="1"))


def downgrade() -> None:
    with op.batch_alter_table("reviews") as reviews:
        reviews.drop_column("version")
