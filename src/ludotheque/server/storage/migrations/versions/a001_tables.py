"""Tables, plies, keys and chat: the first shape."""

import sqlalchemy as sql
from alembic import op

revision = "a001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "tables",
        sql.Column("id", sql.String(16), primary_key=True),
        sql.Column("game", sql.String(64), nullable=False),
        sql.Column("settings", sql.JSON, nullable=False),
        sql.Column("names", sql.JSON, nullable=False),
        sql.Column("seats", sql.JSON, nullable=False),
        sql.Column("seed", sql.LargeBinary(32)),
        sql.Column("host", sql.LargeBinary(32), nullable=False),
        sql.Column("version", sql.Integer, nullable=False),
        sql.Column("ply", sql.Integer, nullable=False),
        sql.Column("to_move", sql.Integer, nullable=False),
        sql.Column("over", sql.Boolean, nullable=False),
        sql.Column("pace", sql.JSON, nullable=False),
        sql.Column("undo_request", sql.JSON),
        sql.Column("has_open_seat", sql.Boolean, nullable=False),
        sql.Column("created", sql.DateTime(timezone=True), nullable=False),
        sql.Column("updated", sql.DateTime(timezone=True), nullable=False),
        sql.Index("tables_open", "has_open_seat", "updated"),
        sql.Index("tables_running", "over", "updated"),
    )
    op.create_table(
        "plies",
        sql.Column("table_id", sql.String(16), sql.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sql.Column("ply", sql.Integer, primary_key=True, autoincrement=False),
        sql.Column("who", sql.Integer, nullable=False),
        sql.Column("action", sql.Integer, nullable=False),
    )
    op.create_table(
        "keys",
        sql.Column("digest", sql.LargeBinary(32), primary_key=True),
        sql.Column("table_id", sql.String(16), sql.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sql.Column("seat", sql.Integer, primary_key=True, autoincrement=False),
        sql.Column("kind", sql.String(8), nullable=False),
        sql.Index("keys_of_table", "table_id"),
    )
    op.create_table(
        "chat",
        sql.Column("id", sql.Integer, primary_key=True),
        sql.Column("table_id", sql.String(16), sql.ForeignKey("tables.id", ondelete="CASCADE"), nullable=False),
        sql.Column("seat", sql.Integer, nullable=False),
        sql.Column("name", sql.String(64), nullable=False),
        sql.Column("text", sql.Text, nullable=False),
        sql.Column("time", sql.DateTime(timezone=True), nullable=False),
        sql.Index("chat_of_table", "table_id", "id"),
    )


def downgrade() -> None:
    for name in ("chat", "keys", "plies", "tables"):
        op.drop_table(name)
