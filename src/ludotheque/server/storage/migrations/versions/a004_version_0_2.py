"""What came after version 0.1.0: branches, several processes, shared dice, clocks, moderation, recovery links,
reminders, profiles, challenges, puzzles, clubs and tournaments."""

from typing import Any

import sqlalchemy as sql
from alembic import op

from ludotheque.core.known_games import names_of_other_games
from ludotheque.core.registry import find_game

revision = "a004"
down_revision = "a003"

_TABLES = sql.table("tables", sql.column("kind", sql.String), sql.column("game"), sql.column("game_version"))
_NEW_TABLES = (
    "presences",
    "processes",
    "recoveries",
    "settings",
    "reminders",
    "mails",
    "push_subscriptions",
    "puzzle_tries",
    "puzzle_days",
    "bot_games",
    "ratings",
    "rated_games",
    "tournament_tables",
    "tournament_players",
    "tournaments",
    "reports",
    "club_members",
    "clubs",
    "challenges",
    "restrictions",
    "profile_links",
    "passkeys",
    "passkey_challenges",
    "profiles",
    "wishes",
    "pairings",
)


def upgrade() -> None:
    _rename({"origin": "branched_from", "origin_ply": "branch_ply"}, "tables_origin", "tables_branched_from")
    _replace_kind("side", "branch")
    for column in _new_columns():
        op.add_column("tables", column)
    op.add_column("reviews", sql.Column("bot", sql.String(40), nullable=False, server_default=""))
    op.add_column("results", sql.Column("played_out", sql.Boolean, nullable=False, server_default=sql.true()))
    op.add_column("chat", sql.Column("ready", sql.String(40), nullable=False, server_default=""))
    _set_versions_of_games()
    _add_tables_of_processes()
    _add_recoveries_and_settings()
    _add_tables_of_reminders()
    _add_push_subscriptions()
    _add_tables_of_profiles()
    _add_tables_of_people()
    _add_tables_of_passkeys()
    _add_tables_of_pairing()
    _add_tables_of_ratings()
    _add_tables_of_puzzles()
    _add_tables_of_clubs()
    _add_reports()
    _add_tables_of_tournaments()


def downgrade() -> None:
    for name in _NEW_TABLES:
        op.drop_table(name)
    for table, name in (("reviews", "bot"), ("results", "played_out"), ("chat", "ready")):
        with op.batch_alter_table(table) as changed:
            changed.drop_column(name)
    with op.batch_alter_table("tables") as tables:
        for column in _new_columns():
            tables.drop_column(column.name)
    _replace_kind("branch", "side")
    _rename({"branched_from": "origin", "branch_ply": "origin_ply"}, "tables_branched_from", "tables_origin")


def _new_columns() -> list[sql.Column[Any]]:
    return [
        sql.Column("revision", sql.Integer, nullable=False, server_default="0"),
        sql.Column("driver", sql.String(16), nullable=False, server_default=""),
        sql.Column("nonces", sql.JSON),
        sql.Column("peeked", sql.Integer, nullable=False, server_default="0"),
        sql.Column("rematch", sql.String(16), nullable=False, server_default=""),
        sql.Column("rematch_request", sql.JSON),
        sql.Column("awaited", sql.JSON, nullable=False, server_default="[]"),
        sql.Column("redeals", sql.Integer, nullable=False, server_default="0"),
        sql.Column("late", sql.JSON, nullable=False, server_default="[]"),
        sql.Column("terms", sql.JSON, nullable=False, server_default="{}"),
        sql.Column("language", sql.String(8), nullable=False, server_default=""),
        sql.Column("hints", sql.JSON, nullable=False, server_default="[]"),
        sql.Column("clock", sql.JSON),
        sql.Column("seated_at", sql.Float),
        sql.Column("ahead", sql.JSON, nullable=False, server_default="{}"),
        sql.Column("password", sql.String(200), nullable=False, server_default=""),
        sql.Column("link", sql.JSON),
        sql.Column("muted", sql.JSON),
        sql.Column("declined", sql.JSON, nullable=False, server_default="[]"),
        sql.Column("closed", sql.Boolean, nullable=False, server_default=sql.false()),
        sql.Column("game_version", sql.Integer, nullable=False, server_default="1"),
        sql.Column("watchable", sql.Boolean, nullable=False, server_default=sql.false()),
        sql.Column("ending", sql.JSON, nullable=False, server_default="{}"),
        sql.Column("end_offer", sql.JSON),
    ]


def _rename(columns: dict[str, str], old_index: str, new_index: str) -> None:
    op.drop_index(old_index, "tables")
    for old, new in columns.items():
        op.alter_column("tables", old, new_column_name=new)
    op.create_index(new_index, "tables", [next(iter(columns.values()))])


def _replace_kind(old: str, new: str) -> None:
    op.execute(_TABLES.update().where(_TABLES.c.kind == old).values(kind=new))


def _set_versions_of_games() -> None:
    """Older tables count as of the version of now: 1 of our games, the installed one of games of other packages."""
    for name in names_of_other_games():
        kind = find_game(name)
        if kind and kind.version != 1:
            op.execute(_TABLES.update().where(_TABLES.c.game == kind.name).values(game_version=kind.version))


def _add_tables_of_processes() -> None:
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
        sql.Index("presences_of_table", "table_id"),
    )


def _add_recoveries_and_settings() -> None:
    op.create_table(
        "recoveries",
        sql.Column("digest", sql.LargeBinary(32), primary_key=True),
        sql.Column("browser", sql.LargeBinary(32), primary_key=True),
        sql.Column("stored", sql.JSON, nullable=False),
        sql.Column("expires", sql.DateTime(timezone=True), nullable=False),
    )
    op.create_table(
        "settings",
        sql.Column("name", sql.String(40), primary_key=True),
        sql.Column("value", sql.JSON, nullable=False),
    )


def _add_tables_of_reminders() -> None:
    op.create_table(
        "reminders",
        sql.Column("table_id", sql.String(16), sql.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sql.Column("browser", sql.LargeBinary(32), primary_key=True),
        sql.Column("way", sql.String(4), primary_key=True),
        sql.Column("address", sql.String(254), nullable=False),
        sql.Column("language", sql.String(8), nullable=False),
        sql.Column("token", sql.String(64), nullable=False, unique=True),
        sql.Column("address_token", sql.String(64), nullable=False),
        sql.Column("confirmed", sql.Boolean, nullable=False),
        sql.Column("created", sql.DateTime(timezone=True), nullable=False),
        sql.Column("seen", sql.DateTime(timezone=True), nullable=False),
        sql.Column("sent_at", sql.DateTime(timezone=True)),
        sql.Column("sent_turn", sql.Integer, nullable=False),
        sql.Column("tries", sql.Integer, nullable=False),
        sql.Column("next_try", sql.DateTime(timezone=True), nullable=False),
        sql.Index("reminders_of_browser", "browser"),
        sql.Index("reminders_to_address", "address"),
    )
    op.create_table(
        "mails",
        sql.Column("id", sql.Integer, primary_key=True),
        sql.Column("address", sql.LargeBinary(32), nullable=False),
        sql.Column("kind", sql.String(12), nullable=False),
        sql.Column("expires", sql.DateTime(timezone=True), nullable=False),
        sql.Index("mails_to_address", "address"),
    )


def _add_push_subscriptions() -> None:
    op.create_table(
        "push_subscriptions",
        sql.Column("digest", sql.LargeBinary(32), primary_key=True),
        sql.Column("browser", sql.LargeBinary(32), nullable=False),
        sql.Column("endpoint", sql.String(1000), nullable=False),
        sql.Column("browser_key", sql.LargeBinary(65), nullable=False),
        sql.Column("auth_secret", sql.LargeBinary(16), nullable=False),
        sql.Column("language", sql.String(8), nullable=False),
        sql.Column("created", sql.DateTime(timezone=True), nullable=False),
        sql.Index("subscriptions_of_browser", "browser"),
    )


def _add_tables_of_profiles() -> None:
    op.create_table(
        "profiles",
        sql.Column("id", sql.String(16), primary_key=True),
        sql.Column("key", sql.LargeBinary(32), nullable=False, unique=True),
        sql.Column("name", sql.String(40), nullable=False),
        sql.Column("visible_to", sql.String(8), nullable=False),
        sql.Column("created", sql.DateTime(timezone=True), nullable=False),
    )
    op.create_table(
        "profile_links",
        sql.Column("digest", sql.LargeBinary(32), primary_key=True),
        sql.Column("profile", sql.String(16), sql.ForeignKey("profiles.id", ondelete="CASCADE"), nullable=False),
        sql.Column("sealed", sql.LargeBinary(32), nullable=False),
        sql.Column("expires", sql.DateTime(timezone=True), nullable=False),
        sql.Index("links_of_profile", "profile"),
    )


def _add_tables_of_people() -> None:
    op.create_table(
        "restrictions",
        sql.Column("profile", sql.String(16), sql.ForeignKey("profiles.id", ondelete="CASCADE"), primary_key=True),
        sql.Column("other", sql.String(16), sql.ForeignKey("profiles.id", ondelete="CASCADE"), primary_key=True),
        sql.Column("muted", sql.Boolean, nullable=False),
        sql.Column("blocked", sql.Boolean, nullable=False),
        sql.Index("restrictions_of_other", "other"),
    )
    op.create_table(
        "challenges",
        sql.Column("table_id", sql.String(16), sql.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sql.Column("challenged", sql.String(16), sql.ForeignKey("profiles.id", ondelete="CASCADE"), primary_key=True),
        sql.Column("challenger", sql.String(16), sql.ForeignKey("profiles.id", ondelete="CASCADE"), nullable=False),
        sql.Column("link", sql.LargeBinary(32), nullable=False),
        sql.Column("created", sql.DateTime(timezone=True), nullable=False),
        sql.Index("challenges_to", "challenged", "created"),
        sql.Index("challenges_by", "challenger", "created"),
    )


def _add_tables_of_passkeys() -> None:
    op.create_table(
        "passkeys",
        sql.Column("digest", sql.LargeBinary(32), primary_key=True),
        sql.Column("profile", sql.String(16), sql.ForeignKey("profiles.id", ondelete="CASCADE"), nullable=False),
        sql.Column("credential", sql.LargeBinary, nullable=False),
        sql.Column("sealed", sql.LargeBinary(32), nullable=False),
        sql.Column("counter", sql.BigInteger, nullable=False),
        sql.Column("created", sql.DateTime(timezone=True), nullable=False),
        sql.Column("used", sql.DateTime(timezone=True)),
        sql.Index("passkeys_of_profile", "profile"),
    )
    op.create_table(
        "passkey_challenges",
        sql.Column("digest", sql.LargeBinary(32), primary_key=True),
        sql.Column("profile", sql.String(16), nullable=False),
        sql.Column("expires", sql.DateTime(timezone=True), nullable=False),
    )


def _add_tables_of_pairing() -> None:
    op.create_table(
        "wishes",
        sql.Column("browser", sql.LargeBinary(32), primary_key=True),
        sql.Column("game", sql.String(64), primary_key=True),
        sql.Column("players", sql.Integer, primary_key=True, autoincrement=False),
        sql.Column("clock", sql.String(32), primary_key=True),
        sql.Column("rated", sql.Boolean, nullable=False),
        sql.Column("name", sql.String(40), nullable=False),
        sql.Column("asked", sql.DateTime(timezone=True), nullable=False),
        sql.Column("seen", sql.DateTime(timezone=True), nullable=False),
        sql.Index("wishes_alike", "game", "players", "clock", "rated", "asked"),
        sql.Index("wishes_seen", "seen"),
    )
    op.create_table(
        "pairings",
        sql.Column("browser", sql.LargeBinary(32), primary_key=True),
        sql.Column("table_id", sql.String(16), sql.ForeignKey("tables.id", ondelete="CASCADE"), nullable=False),
        sql.Column("opened", sql.DateTime(timezone=True), nullable=False),
        sql.Index("pairings_of_table", "table_id"),
    )


def _add_tables_of_ratings() -> None:
    op.create_table(
        "ratings",
        sql.Column("profile", sql.String(16), sql.ForeignKey("profiles.id", ondelete="CASCADE"), primary_key=True),
        sql.Column("game", sql.String(64), primary_key=True),
        sql.Column("mu", sql.Float, nullable=False),
        sql.Column("sigma", sql.Float, nullable=False),
        sql.Column("played", sql.Integer, nullable=False),
        sql.Index("ratings_of_game", "game", "mu"),
    )
    op.create_table(
        "rated_games",
        sql.Column("table_id", sql.String(16), primary_key=True),
        sql.Column("counted", sql.Boolean, nullable=False),
    )
    op.create_table(
        "bot_games",
        sql.Column("profile", sql.String(16), sql.ForeignKey("profiles.id", ondelete="CASCADE"), primary_key=True),
        sql.Column("table_id", sql.String(16), sql.ForeignKey("tables.id", ondelete="CASCADE"), nullable=False),
        sql.Index("bot_games_of_table", "table_id"),
    )


def _add_tables_of_puzzles() -> None:
    op.create_table(
        "puzzle_tries",
        sql.Column("profile", sql.String(16), sql.ForeignKey("profiles.id", ondelete="CASCADE"), primary_key=True),
        sql.Column("puzzle", sql.String(16), primary_key=True),
        sql.Column("game", sql.String(64), nullable=False),
        sql.Column("number", sql.Integer, nullable=False),
        sql.Column("surprise", sql.Float),
        sql.Column("solved", sql.Boolean, nullable=False),
    )
    op.create_table(
        "puzzle_days",
        sql.Column("profile", sql.String(16), sql.ForeignKey("profiles.id", ondelete="CASCADE"), primary_key=True),
        sql.Column("day", sql.Date, primary_key=True),
    )


def _add_tables_of_clubs() -> None:
    op.create_table(
        "clubs",
        sql.Column("id", sql.String(16), primary_key=True),
        sql.Column("name", sql.String(40), nullable=False),
        sql.Column("link", sql.LargeBinary(32), nullable=False),
        sql.Column("created", sql.DateTime(timezone=True), nullable=False),
    )
    op.create_table(
        "club_members",
        sql.Column("club", sql.String(16), sql.ForeignKey("clubs.id", ondelete="CASCADE"), primary_key=True),
        sql.Column("profile", sql.String(16), sql.ForeignKey("profiles.id", ondelete="CASCADE"), primary_key=True),
        sql.Column("joined", sql.DateTime(timezone=True), nullable=False),
        sql.Index("clubs_of_member", "profile"),
    )


def _add_reports() -> None:
    op.create_table(
        "reports",
        sql.Column("id", sql.Integer, primary_key=True),
        sql.Column("digest", sql.LargeBinary(32), nullable=False, unique=True),
        sql.Column("club", sql.String(16), sql.ForeignKey("clubs.id", ondelete="CASCADE")),
        sql.Column("profile", sql.String(16), sql.ForeignKey("profiles.id", ondelete="CASCADE")),
        sql.Column("table_id", sql.String(16), sql.ForeignKey("tables.id", ondelete="CASCADE")),
        sql.Column("seat", sql.Integer),
        sql.Column("line", sql.Integer, sql.ForeignKey("chat.id", ondelete="CASCADE")),
        sql.Column("person", sql.String(16), sql.ForeignKey("profiles.id", ondelete="CASCADE")),
        sql.Column("name", sql.String(64), nullable=False),
        sql.Column("text", sql.Text, nullable=False),
        sql.Column("time", sql.DateTime(timezone=True), nullable=False),
        sql.Index("reports_of_club", "club"),
        sql.Index("reports_by_profile", "profile"),
        sql.Index("reports_at_table", "table_id"),
        sql.Index("reports_of_line", "line"),
        sql.Index("reports_of_person", "person"),
    )


def _add_tables_of_tournaments() -> None:
    op.create_table(
        "tournaments",
        sql.Column("id", sql.String(16), primary_key=True),
        sql.Column("title", sql.String(40), nullable=False),
        sql.Column("organiser", sql.String(16), sql.ForeignKey("profiles.id", ondelete="SET NULL")),
        sql.Column("club", sql.String(16), sql.ForeignKey("clubs.id", ondelete="SET NULL")),
        sql.Column("link", sql.LargeBinary(32), nullable=False),
        sql.Column("terms", sql.JSON, nullable=False),
        sql.Column("state", sql.String(8), nullable=False),
        sql.Column("round", sql.Integer, nullable=False),
        sql.Column("deadline", sql.DateTime(timezone=True)),
        sql.Column("created", sql.DateTime(timezone=True), nullable=False),
        sql.Column("updated", sql.DateTime(timezone=True), nullable=False),
        sql.Index("tournaments_of_organiser", "organiser"),
        sql.Index("tournaments_of_club", "club"),
        sql.Index("tournaments_in_state", "state", "updated"),
    )
    op.create_table(
        "tournament_players",
        sql.Column(
            "tournament", sql.String(16), sql.ForeignKey("tournaments.id", ondelete="CASCADE"), primary_key=True
        ),
        sql.Column("number", sql.Integer, primary_key=True, autoincrement=False),
        sql.Column("profile", sql.String(16), sql.ForeignKey("profiles.id", ondelete="SET NULL")),
        sql.Column("name", sql.String(40), nullable=False),
        sql.Column("gone", sql.Boolean, nullable=False),
        sql.Index("tournaments_of_player", "profile"),
    )
    op.create_table(
        "tournament_tables",
        sql.Column(
            "tournament", sql.String(16), sql.ForeignKey("tournaments.id", ondelete="CASCADE"), primary_key=True
        ),
        sql.Column("round", sql.Integer, primary_key=True, autoincrement=False),
        sql.Column("number", sql.Integer, primary_key=True, autoincrement=False),
        sql.Column("table_id", sql.String(16), nullable=False),
        sql.Column("players", sql.JSON, nullable=False),
        sql.Column("points", sql.JSON, nullable=False),
        sql.Column("decided", sql.String(8), nullable=False),
        sql.Index("tournament_of_table", "table_id"),
        sql.Index("tournament_tables_undecided", "decided"),
    )
