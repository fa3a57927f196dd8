"""The table at which the same people play again."""

import sqlalchemy as sql
from alembic import op

revision = "a007"
down_revision = "a006"


def upgrade() -> None:
    op.add_column("tables", sql.Column("rematch", sql.String(16), nullable=False, server_default=""))


def downgrade() -> None:
    with op.batch_alter_table("tables") as tables:
        tables.drop_column("rematch")
