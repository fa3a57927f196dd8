"""Tables that branched from another one: plain names for the columns and for their kind."""

import sqlalchemy as sql
from alembic import op

revision = "a004"
down_revision = "a003"

_KIND = sql.table("tables", sql.column("kind", sql.String))


def upgrade() -> None:
    _rename({"origin": "branched_from", "origin_ply": "branch_ply"}, "tables_origin", "tables_branched_from")
    _replace_kind("side", "branch")


def downgrade() -> None:
    _replace_kind("branch", "side")
    _rename({"branched_from": "origin", "branch_ply": "origin_ply"}, "tables_branched_from", "tables_origin")


def _rename(columns: dict[str, str], old_index: str, new_index: str) -> None:
    op.drop_index(old_index, "tables")
    for old, new in columns.items():
        op.alter_column("tables", old, new_column_name=new)
    op.create_index(new_index, "tables", [next(iter(columns.values()))])


def _replace_kind(old: str, new: str) -> None:
    op.execute(_KIND.update().where(_KIND.c.kind == old).values(kind=new))
