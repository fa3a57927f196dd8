"""Recovery links: each moves the seats of a browser to another one, once."""

import sqlalchemy as sql
from alembic import op

revision = "a008"
down_revision = "a007"


def upgrade() -> None:
    op.create_table(
        "recoveries",
        sql.Column("digest", sql.LargeBinary(32), primary_key=True),
        sql.Column("browser", sql.LargeBinary(32), primary_key=True),
        sql.Column("stored", sql.JSON, nullable=False),
        sql.Column("expires", sql.DateTime(timezone=True), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("recoveries")
