"""The table that another comes from, the results of finished games, and their reviews."""

import sqlalchemy as sql
from alembic import op

revision = "a002"
down_revision = "a001"


def upgrade() -> None:
    with op.batch_alter_table("tables") as tables:
        tables.add_column(sql.Column("kind", sql.String(8), nullable=False, server_default="played"))
        tables.add_column(sql.Column("origin", sql.String(16), nullable=False, server_default=""))
        tables.add_column(sql.Column("origin_ply", sql.Integer, nullable=False, server_default="0"))
        tables.add_column(sql.Column("commitment", sql.String(64), nullable=False, server_default=""))
        tables.add_column(sql.Column("dice_since", sql.Integer, nullable=False, server_default="0"))
        tables.create_index("tables_origin", ["origin"])
    op.create_table(
        "results",
        sql.Column("table_id", sql.String(16), sql.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sql.Column("seat", sql.Integer, primary_key=True, autoincrement=False),
        sql.Column("game", sql.String(64), nullable=False),
        sql.Column("players", sql.Integer, nullable=False),
        sql.Column("moves", sql.Integer, nullable=False),
        sql.Column("who", sql.String(8), nullable=False),
        sql.Column("level", sql.String(40), nullable=False),
        sql.Column("score", sql.Integer, nullable=False),
        sql.Column("share", sql.Float, nullable=False),
        sql.Index("results_of_game", "game", "players"),
    )
    op.create_table(
        "reviews",
        sql.Column("table_id", sql.String(16), sql.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sql.Column("simulations", sql.Integer, nullable=False),
        sql.Column("seconds", sql.Float, nullable=False),
        sql.Column("total", sql.Integer, nullable=False),
        sql.Column("started", sql.DateTime(timezone=True), nullable=False),
    )
    op.create_table(
        "review_decisions",
        sql.Column(
            "table_id", sql.String(16), sql.ForeignKey("reviews.table_id", ondelete="CASCADE"), primary_key=True
        ),
        sql.Column("ply", sql.Integer, primary_key=True, autoincrement=False),
        sql.Column("decision", sql.JSON, nullable=False),
    )


def downgrade() -> None:
    for name in ("review_decisions", "reviews", "results"):
        op.drop_table(name)
    with op.batch_alter_table("tables") as tables:
        tables.drop_index("tables_origin")
        for name in ("kind", "origin", "origin_ply", "commitment", "dice_since"):
            tables.drop_column(name)
