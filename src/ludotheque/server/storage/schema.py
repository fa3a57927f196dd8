"""The schema of the database; `migrations/` upgrades older ones to it."""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Date,
    DateTime,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    false,
    true,
)

METADATA: Final = MetaData()

TABLES: Final = Table(
    "tables",
    METADATA,
    Column("id", String(16), primary_key=True),
    Column("game", String(64), nullable=False),
    Column("game_version", Integer, nullable=False, server_default="1"),
    Column("settings", JSON, nullable=False),
    Column("names", JSON, nullable=False),
    Column("seats", JSON, nullable=False),
    Column("seed", LargeBinary(32)),
    Column("host", LargeBinary(32), nullable=False),
    Column("version", Integer, nullable=False),
    Column("ply", Integer, nullable=False),
    Column("to_move", Integer, nullable=False),
    Column("over", Boolean, nullable=False),
    Column("pace", JSON, nullable=False),
    Column("undo_request", JSON),
    Column("ending", JSON, nullable=False, server_default="{}"),
    Column("end_offer", JSON),
    Column("has_open_seat", Boolean, nullable=False),
    Column("kind", String(8), nullable=False),
    Column("branched_from", String(16), nullable=False),
    Column("branch_ply", Integer, nullable=False),
    Column("commitment", String(64), nullable=False),
    Column("dice_since", Integer, nullable=False),
    Column("revision", Integer, nullable=False, server_default="0"),
    Column("driver", String(16), nullable=False, server_default=""),
    Column("nonces", JSON),
    Column("link", JSON),
    Column("password", String(200), nullable=False, server_default=""),
    Column("muted", JSON),
    Column("declined", JSON, nullable=False, server_default="[]"),
    Column("closed", Boolean, nullable=False, server_default=false()),
    Column("watchable", Boolean, nullable=False, server_default=false()),
    Column("peeked", Integer, nullable=False, server_default="0"),
    Column("rematch", String(16), nullable=False, server_default=""),
    Column("rematch_request", JSON),
    Column("awaited", JSON, nullable=False, server_default="[]"),
    Column("redeals", Integer, nullable=False, server_default="0"),
    Column("late", JSON, nullable=False, server_default="[]"),
    Column("terms", JSON, nullable=False, server_default="{}"),
    Column("language", String(8), nullable=False, server_default=""),
    Column("hints", JSON, nullable=False, server_default="[]"),
    Column("clock", JSON),
    Column("seated_at", Float),
    Column("ahead", JSON, nullable=False, server_default="{}"),
    Column("created", DateTime(timezone=True), nullable=False),
    Column("updated", DateTime(timezone=True), nullable=False),
    Index("tables_open", "has_open_seat", "updated"),
    Index("tables_running", "over", "updated"),
    Index("tables_branched_from", "branched_from"),
)

SETTINGS: Final = Table(
    "settings",
    METADATA,
    Column("name", String(40), primary_key=True),
    Column("value", JSON, nullable=False),
)
"""The settings that the operator has changed while the server runs, and the key that signs push messages."""

PROCESSES: Final = Table(
    "processes",
    METADATA,
    Column("id", String(16), primary_key=True),
    Column("seen", DateTime(timezone=True), nullable=False),
)

PRESENCES: Final = Table(
    "presences",
    METADATA,
    Column("process", String(16), ForeignKey("processes.id", ondelete="CASCADE"), primary_key=True),
    Column("table_id", String(16), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("seats", JSON, nullable=False),
    Column("watchers", Integer, nullable=False),
    Index("presences_of_table", "table_id"),
)

PLIES: Final = Table(
    "plies",
    METADATA,
    Column("table_id", String(16), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("ply", Integer, primary_key=True, autoincrement=False),
    Column("who", Integer, nullable=False),
    Column("action", Integer, nullable=False),
)

KEYS: Final = Table(
    "keys",
    METADATA,
    Column("digest", LargeBinary(32), primary_key=True),
    Column("table_id", String(16), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("kind", String(8), nullable=False),
    Index("keys_of_table", "table_id"),
)

RECOVERIES: Final = Table(
    "recoveries",
    METADATA,
    Column("digest", LargeBinary(32), primary_key=True),
    Column("browser", LargeBinary(32), primary_key=True),
    Column("stored", JSON, nullable=False),
    Column("expires", DateTime(timezone=True), nullable=False),
)

PROFILES: Final = Table(
    "profiles",
    METADATA,
    Column("id", String(16), primary_key=True),
    Column("key", LargeBinary(32), nullable=False, unique=True),
    Column("name", String(40), nullable=False),
    Column("visible_to", String(8), nullable=False),
    Column("created", DateTime(timezone=True), nullable=False),
)
"""People who have named themselves. `key`: the digest of the secret that their browsers hold, as in `keys`, so the
seats of a profile are those that its key opens."""

PROFILE_LINKS: Final = Table(
    "profile_links",
    METADATA,
    Column("digest", LargeBinary(32), primary_key=True),
    Column("profile", String(16), ForeignKey("profiles.id", ondelete="CASCADE"), nullable=False),
    Column("sealed", LargeBinary(32), nullable=False),
    Column("expires", DateTime(timezone=True), nullable=False),
    Index("links_of_profile", "profile"),
)
"""Links that carry a profile to another browser. `sealed`: the browsers' secret, which only the link can read."""

RESTRICTIONS: Final = Table(
    "restrictions",
    METADATA,
    Column("profile", String(16), ForeignKey("profiles.id", ondelete="CASCADE"), primary_key=True),
    Column("other", String(16), ForeignKey("profiles.id", ondelete="CASCADE"), primary_key=True),
    Column("muted", Boolean, nullable=False),
    Column("blocked", Boolean, nullable=False),
    Index("restrictions_of_other", "other"),
)
"""The people whom someone has muted or blocked. Only `profile` may know of a row."""

CHALLENGES: Final = Table(
    "challenges",
    METADATA,
    Column("table_id", String(16), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("challenged", String(16), ForeignKey("profiles.id", ondelete="CASCADE"), primary_key=True),
    Column("challenger", String(16), ForeignKey("profiles.id", ondelete="CASCADE"), nullable=False),
    Column("link", LargeBinary(32), nullable=False),
    Column("created", DateTime(timezone=True), nullable=False),
    Index("challenges_to", "challenged", "created"),
    Index("challenges_by", "challenger", "created"),
)
"""Invitations to a seat of a table. `link`: the digest of the link to the seat; the invitation opens what it does."""

PASSKEYS: Final = Table(
    "passkeys",
    METADATA,
    Column("digest", LargeBinary(32), primary_key=True),
    Column("profile", String(16), ForeignKey("profiles.id", ondelete="CASCADE"), nullable=False),
    Column("credential", LargeBinary, nullable=False),
    Column("sealed", LargeBinary(32), nullable=False),
    Column("counter", BigInteger, nullable=False),
    Column("created", DateTime(timezone=True), nullable=False),
    Column("used", DateTime(timezone=True)),
    Index("passkeys_of_profile", "profile"),
)
"""Passkeys that carry a profile to another browser. `digest`: of the id of the credential; `credential`: its id and
public key (WebAuthn); `sealed`: the browsers' secret, which only the handle that the passkey holds can read."""

PASSKEY_CHALLENGES: Final = Table(
    "passkey_challenges",
    METADATA,
    Column("digest", LargeBinary(32), primary_key=True),
    Column("profile", String(16), nullable=False),
    Column("expires", DateTime(timezone=True), nullable=False),
)
"""Challenges for passkeys. `profile`: the one that gets a new passkey; empty to sign in."""

WISHES: Final = Table(
    "wishes",
    METADATA,
    Column("browser", LargeBinary(32), primary_key=True),
    Column("game", String(64), primary_key=True),
    Column("players", Integer, primary_key=True, autoincrement=False),
    Column("clock", String(32), primary_key=True),
    Column("rated", Boolean, nullable=False),
    Column("name", String(40), nullable=False),
    Column("asked", DateTime(timezone=True), nullable=False),
    Column("seen", DateTime(timezone=True), nullable=False),
    Index("wishes_alike", "game", "players", "clock", "rated", "asked"),
    Index("wishes_seen", "seen"),
)
"""The wishes of people who wait to be paired, a row for each combination. `seen`: when their page last asked."""

PAIRINGS: Final = Table(
    "pairings",
    METADATA,
    Column("browser", LargeBinary(32), primary_key=True),
    Column("table_id", String(16), ForeignKey("tables.id", ondelete="CASCADE"), nullable=False),
    Column("opened", DateTime(timezone=True), nullable=False),
    Index("pairings_of_table", "table_id"),
)
"""The tables that opened for people who waited."""

RATINGS: Final = Table(
    "ratings",
    METADATA,
    Column("profile", String(16), ForeignKey("profiles.id", ondelete="CASCADE"), primary_key=True),
    Column("game", String(64), primary_key=True),
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
    Column("played", Integer, nullable=False),
    Index("ratings_of_game", "game", "mu"),
)

RATED_GAMES: Final = Table(
    "rated_games",
    METADATA,
    Column("table_id", String(16), primary_key=True),
    Column("counted", Boolean, nullable=False),
)
"""Rated tables whose game is over, so that each counts once. `counted`: whether it changed ratings."""

BOT_GAMES: Final = Table(
    "bot_games",
    METADATA,
    Column("profile", String(16), ForeignKey("profiles.id", ondelete="CASCADE"), primary_key=True),
    Column("table_id", String(16), ForeignKey("tables.id", ondelete="CASCADE"), nullable=False),
    Index("bot_games_of_table", "table_id"),
)
"""The rated game against bots that someone has not finished: one at a time."""

PUZZLE_TRIES: Final = Table(
    "puzzle_tries",
    METADATA,
    Column("profile", String(16), ForeignKey("profiles.id", ondelete="CASCADE"), primary_key=True),
    Column("puzzle", String(16), primary_key=True),
    Column("game", String(64), nullable=False),
    Column("number", Integer, nullable=False),
    Column("surprise", Float),
    Column("solved", Boolean, nullable=False),
)
"""Puzzles that someone tried. `number`: their order; `surprise`: by how much the first try exceeded what was expected,
null if none has counted yet; `solved`: whether the best move was found at any try."""

PUZZLE_DAYS: Final = Table(
    "puzzle_days",
    METADATA,
    Column("profile", String(16), ForeignKey("profiles.id", ondelete="CASCADE"), primary_key=True),
    Column("day", Date, primary_key=True),
)
"""Days on which someone solved a puzzle of the day."""

CLUBS: Final = Table(
    "clubs",
    METADATA,
    Column("id", String(16), primary_key=True),
    Column("name", String(40), nullable=False),
    Column("link", LargeBinary(32), nullable=False),
    Column("created", DateTime(timezone=True), nullable=False),
)
"""`link`: the digest of the link by which people join."""

CLUB_MEMBERS: Final = Table(
    "club_members",
    METADATA,
    Column("club", String(16), ForeignKey("clubs.id", ondelete="CASCADE"), primary_key=True),
    Column("profile", String(16), ForeignKey("profiles.id", ondelete="CASCADE"), primary_key=True),
    Column("joined", DateTime(timezone=True), nullable=False),
    Index("clubs_of_member", "profile"),
)
"""The member who has been there for longest leads the club."""

REPORTS: Final = Table(
    "reports",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("digest", LargeBinary(32), nullable=False, unique=True),
    Column("club", String(16), ForeignKey("clubs.id", ondelete="CASCADE")),
    Column("profile", String(16), ForeignKey("profiles.id", ondelete="CASCADE")),
    Column("table_id", String(16), ForeignKey("tables.id", ondelete="CASCADE")),
    Column("seat", Integer),
    Column("line", Integer, ForeignKey("chat.id", ondelete="CASCADE")),
    Column("person", String(16), ForeignKey("profiles.id", ondelete="CASCADE")),
    Column("name", String(64), nullable=False),
    Column("text", Text, nullable=False),
    Column("time", DateTime(timezone=True), nullable=False),
    Index("reports_of_club", "club"),
    Index("reports_by_profile", "profile"),
    Index("reports_at_table", "table_id"),
    Index("reports_of_line", "line"),
    Index("reports_of_person", "person"),
)
"""Reports to the operator: words of a member (`profile`) about a `club`; a `line` of chat, or the name of a seat, at a
table; the name of a profile (`person`). Only reports about clubs hold who made them. `digest`: of what is reported, so
that it is reported once; `name`: of the club, of the writer of the line, or the name that is reported."""

TOURNAMENTS: Final = Table(
    "tournaments",
    METADATA,
    Column("id", String(16), primary_key=True),
    Column("title", String(40), nullable=False),
    Column("organiser", String(16), ForeignKey("profiles.id", ondelete="SET NULL")),
    Column("club", String(16), ForeignKey("clubs.id", ondelete="SET NULL")),
    Column("link", LargeBinary(32), nullable=False),
    Column("terms", JSON, nullable=False),
    Column("state", String(8), nullable=False),
    Column("round", Integer, nullable=False),
    Column("deadline", DateTime(timezone=True)),
    Column("created", DateTime(timezone=True), nullable=False),
    Column("updated", DateTime(timezone=True), nullable=False),
    Index("tournaments_of_organiser", "organiser"),
    Index("tournaments_of_club", "club"),
    Index("tournaments_in_state", "state", "updated"),
)
"""`link`: the digest of the link by which people join; `deadline`: when the games of the present round are decided."""

TOURNAMENT_PLAYERS: Final = Table(
    "tournament_players",
    METADATA,
    Column("tournament", String(16), ForeignKey("tournaments.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("profile", String(16), ForeignKey("profiles.id", ondelete="SET NULL")),
    Column("name", String(40), nullable=False),
    Column("gone", Boolean, nullable=False),
    Index("tournaments_of_player", "profile"),
)
"""`name` is empty once the profile is deleted; `gone`: whether they have withdrawn."""

TOURNAMENT_TABLES: Final = Table(
    "tournament_tables",
    METADATA,
    Column("tournament", String(16), ForeignKey("tournaments.id", ondelete="CASCADE"), primary_key=True),
    Column("round", Integer, primary_key=True, autoincrement=False),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("table_id", String(16), nullable=False),
    Column("players", JSON, nullable=False),
    Column("points", JSON, nullable=False),
    Column("decided", String(8), nullable=False),
    Index("tournament_of_table", "table_id"),
    Index("tournament_tables_undecided", "decided"),
)
"""The tables of a round. `table_id` is empty for byes; a table may be deleted before its tournament. `players`: their
numbers by seat."""

REMINDERS: Final = Table(
    "reminders",
    METADATA,
    Column("table_id", String(16), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("browser", LargeBinary(32), primary_key=True),
    Column("way", String(4), primary_key=True),
    Column("address", String(254), nullable=False),
    Column("language", String(8), nullable=False),
    Column("token", String(64), nullable=False, unique=True),
    Column("address_token", String(64), nullable=False),
    Column("confirmed", Boolean, nullable=False),
    Column("created", DateTime(timezone=True), nullable=False),
    Column("seen", DateTime(timezone=True), nullable=False),
    Column("sent_at", DateTime(timezone=True)),
    Column("sent_turn", Integer, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("next_try", DateTime(timezone=True), nullable=False),
    Index("reminders_of_browser", "browser"),
    Index("reminders_to_address", "address"),
)
"""Tables that someone wants to be reminded of. `way`: "mail" or "push", which has no address; `token` ends the
reminders of the table, `address_token` those of the address; `seen`: when a browser of the seat was connected last;
`sent_turn`: the turn that the last message was about; `next_try`: when its owner may get a message at the earliest."""

SUBSCRIPTIONS: Final = Table(
    "push_subscriptions",
    METADATA,
    Column("digest", LargeBinary(32), primary_key=True),
    Column("browser", LargeBinary(32), nullable=False),
    Column("endpoint", String(1000), nullable=False),
    Column("browser_key", LargeBinary(65), nullable=False),
    Column("auth_secret", LargeBinary(16), nullable=False),
    Column("language", String(8), nullable=False),
    Column("created", DateTime(timezone=True), nullable=False),
    Index("subscriptions_of_browser", "browser"),
)
"""Browsers that take push messages. `digest`: of the endpoint; `browser`: the key whose tables they are told of."""

MAILS: Final = Table(
    "mails",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("address", LargeBinary(32), nullable=False),
    Column("kind", String(12), nullable=False),
    Column("expires", DateTime(timezone=True), nullable=False),
    Index("mails_to_address", "address"),
)
"""The digests of addresses, and the keys of browsers, that have got a message lately or refuse them, so that no one
gets too many."""

CHAT: Final = Table(
    "chat",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("table_id", String(16), ForeignKey("tables.id", ondelete="CASCADE"), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("name", String(64), nullable=False),
    Column("text", Text, nullable=False),
    Column("ready", String(40), nullable=False, server_default=""),
    Column("time", DateTime(timezone=True), nullable=False),
    Index("chat_of_table", "table_id", "id"),
)

RESULTS: Final = Table(
    "results",
    METADATA,
    Column("table_id", String(16), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("game", String(64), nullable=False),
    Column("players", Integer, nullable=False),
    Column("moves", Integer, nullable=False),
    Column("who", String(8), nullable=False),
    Column("level", String(40), nullable=False),
    Column("score", Integer, nullable=False),
    Column("share", Float, nullable=False),
    Column("played_out", Boolean, nullable=False, server_default=true()),
    Index("results_of_game", "game", "players"),
)

REVIEWS: Final = Table(
    "reviews",
    METADATA,
    Column("table_id", String(16), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("simulations", Integer, nullable=False),
    Column("seconds", Float, nullable=False),
    Column("total", Integer, nullable=False),
    Column("version", Integer, nullable=False, server_default="1"),
    Column("started", DateTime(timezone=True), nullable=False),
    Column("bot", String(40), nullable=False, server_default=""),
)

DECISIONS: Final = Table(
    "review_decisions",
    METADATA,
    Column("table_id", String(16), ForeignKey("reviews.table_id", ondelete="CASCADE"), primary_key=True),
    Column("ply", Integer, primary_key=True, autoincrement=False),
    Column("decision", JSON, nullable=False),
)
