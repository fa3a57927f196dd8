"""A table in memory: its stored list of plies, replayed, and the people and bots at its seats.

A live table holds only what is on disk already: a change is written first (`actions`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct

from ludotheque.core.game import CHANCE, SPECTATOR, Game
from ludotheque.core.phrases import Phrase, phrase
from ludotheque.core.premoves import Premove
from ludotheque.core.registry import find_game
from ludotheque.server.errors import Refused, Unplayable, forbidden, not_found, password_needed
from ludotheque.server.storage.rows import Change, Kind, ListedTable, StoredKey, StoredTable
from ludotheque.server.tables.gathering import Gathering
from ludotheque.table import Dice, Match
from ludotheque.table.clock import Clock, ClockRule, pass_turn, stop_clock, time_left

_SEEN_FACTS: Final = (
    "version",
    "host",
    "seats",
    "pace",
    "undo_request",
    "keys",
    "kinds",
    "rematch",
    "hints",
    "clock",
    "seated_at",
    "gathering",
    "peeked",
    "password",
    "muted",
    "closed",
)
"""What another process may have changed and people may see, besides the position and names."""


class Seat(Struct, frozen=True):
    """The person or bot at a seat."""

    who: Literal["person", "bot"]
    level: str = ""
    """The bot's level."""
    open: bool = False
    """Whether anybody may sit down."""
    taken: bool = False
    """Whether somebody has sat down; always true of bots."""
    stands_in: bool = False
    """Of a bot: whether it plays for a person, who may come back."""


class Pace(Struct, frozen=True):
    """How fast the bots of a table play."""

    seconds: float = 1.0
    """The shortest time that a bot's move takes."""
    paused: bool = False


class Terms(Struct, frozen=True):
    """What the people at a table agreed on before the game."""

    hints: bool = False
    """Whether bots may advise people who play against people."""
    clock: ClockRule | None = None


class UndoRequest(Struct, frozen=True):
    """A request to take moves back that other seats have to agree to."""

    seat: int
    to_ply: int
    agreed: tuple[int, ...] = ()
    waiting: tuple[int, ...] = ()


class UndoOffer(Struct, frozen=True):
    """What a seat may take back."""

    way: Literal["free", "ask", ""]
    """At once, after asking others, or not at all."""
    to_ply: int = 0
    others: tuple[int, ...] = ()
    """The seats that have to agree."""


NO_UNDO = UndoOffer("")


class Rights(Struct, frozen=True):
    """What a client may do at a table."""

    seats: tuple[int, ...]
    """The seats that it holds."""
    is_host: bool
    lent: tuple[int, ...] = ()
    """The seats that it holds but a bot plays for."""

    @property
    def held(self) -> tuple[int, ...]:
        """The seats that it holds, also those that a bot plays for."""
        return (*self.seats, *self.lent)

    def check_seat(self, seat: int) -> None:
        if seat not in self.seats:
            raise forbidden(phrase("You do not hold that seat."))

    def check_host(self) -> None:
        if not self.is_host:
            raise forbidden(phrase("Only the host of the table can do that."))

    def check_seated(self) -> None:
        """Raise unless the client may decide how the table runs."""
        if not self.seats and not self.is_host and not self.lent:
            raise forbidden(phrase("Only those who sit at the table can do that."))


class LiveTable:
    """A table in memory."""

    def __init__(
        self,
        stored: StoredTable,
        history: Iterable[int],
        keys: Iterable[StoredKey],
        known: LiveTable | None = None,
    ) -> None:
        """`known`: the same table as it was before, to be replaced by this one."""
        game: Game = known.game if known else _game(stored)
        self.id = stored.id
        self.gathering = msgspec.convert(stored.nonces or {}, Gathering)
        """What people add to the dice."""
        self.peeked = stored.peeked
        self.password = stored.password
        self.muted = frozenset(stored.muted or ())
        self.closed = stored.closed
        dice, before = _dice(stored, self.gathering), known.match if known else None
        self.match: Match = Match(game, stored.names, dice, history, before)
        self.kind = stored.kind
        self.branched_from = stored.branched_from
        self.branch_ply = stored.branch_ply
        self.version = stored.version
        self.revision = stored.revision
        self.driver = stored.driver
        """The process that played for the bots when the table was read."""
        self.host = stored.host
        self.seats = msgspec.convert(stored.seats, list[Seat])
        self.pace = msgspec.convert(stored.pace, Pace)
        self.rematch = stored.rematch
        self.terms = msgspec.convert(stored.terms, Terms)
        self.clock = msgspec.convert(stored.clock, Clock | None)
        self.seated_at = stored.seated_at
        self.ahead = msgspec.convert(stored.ahead, dict[int, Premove], strict=False)
        """By seat: what it has decided ahead of its turn. Secret."""
        self.hints = [*stored.hints] or [0] * len(self.seats)
        """How many hints each seat has used."""
        self.undo_request = msgspec.convert(stored.undo_request, UndoRequest | None)
        self.keys: dict[bytes, set[int]] = {}
        self.kinds: dict[bytes, str] = {}
        """By digest of a key: `browser`, `link`, or `once`."""
        for key in keys:
            self.add_key(key)
        self.thinking: set[int] = set()
        self.stopped: dict[int, str | Phrase] = {}
        """By seat: why its bot has stopped. It plays again when the host says who, or when the server starts anew."""
        self.lock = asyncio.Lock()

    @property
    def game(self) -> Game:
        return self.match.game

    @property
    def has_open_seat(self) -> bool:
        return any(seat.open for seat in self.seats)

    @property
    def has_own_document(self) -> bool:
        """Whether the game has a board or cards of its own, which take much memory."""
        return any(isinstance(value, dict) for value in self.game.settings.values())

    @property
    def has_people(self) -> bool:
        """Whether a seat is for a person."""
        return bool(self.people)

    @property
    def people(self) -> list[int]:
        """The seats for people."""
        return [number for number, seat in enumerate(self.seats) if seat.who == "person"]

    @property
    def allows_hints(self) -> bool:
        """Whether a player may ask a bot for advice: not against people, unless they agreed on it."""
        return len(self.people) < 2 or self.terms.hints or self.kind != "played" or self.match.is_over

    def clock_after(self, to_move: int, at: float) -> Clock | None:
        """The clock once a seat is to act next."""
        rule = self.terms.clock
        return pass_turn(rule, self.clock, to_move, at, self.seated_at) if rule and self.clock else None

    def clock_if_seated(self, seated: float | None, at: float) -> Clock | None:
        """The clock once everybody is seated since a time; None: it stops, because a seat is free."""
        stops = seated is None and self.seated_at is not None
        return stop_clock(self.clock, at, self.seated_at) if self.clock and stops else self.clock

    def time_left(self, seat: int, at: float) -> float | None:
        """Seconds that a seat has left; None without a clock."""
        return time_left(self.clock, seat, at, self.seated_at) if self.clock else None

    def clock_view(self, at: float) -> ClockView | None:
        """The clock as it is sent."""
        rule, clock = self.terms.clock, self.clock
        if rule is None or clock is None:
            return None
        left = tuple(round(time_left(clock, seat, at, self.seated_at), 1) for seat in range(len(self.seats)))
        running = clock.seat if self.seated_at is not None and not self.match.is_over else -1
        return ClockView(rule.kind, rule.seconds, rule.increment, left, running)

    def may_stand_in(self, seat: int, at: float) -> bool:
        """Whether a bot may play on for a person: nobody holds the seat, or its time is up."""
        if self.seats[seat].who != "person" or self.match.is_over:
            return False
        return not self.seats[seat].taken or self.time_left(seat, at) == 0

    def order_of(self, seat: int) -> Premove | None:
        """What a seat has decided ahead about the present situation."""
        order = self.ahead.get(seat)
        return order if order and order.situation == self.match.premove_context else None

    @property
    def order_due(self) -> Premove | None:
        """What the person to move has decided ahead."""
        seat = self.match.to_move
        return self.order_of(seat) if seat >= 0 and self.seats[seat].who == "person" else None

    @property
    def bot_to_move(self) -> bool:
        seat = self.match.to_move
        return seat >= 0 and self.seats[seat].who == "bot" and seat not in self.stopped and not self.closed

    @property
    def is_full(self) -> bool:
        """Whether no seat waits for a person."""
        return all(seat.taken for seat in self.seats)

    @property
    def is_draw_due(self) -> bool:
        """Whether a draw is due that the dice can make."""
        dice = self.match.dice
        return self.match.to_move == CHANCE and dice is not None and dice.can_draw

    @property
    def is_peeked(self) -> bool:
        """Whether draws that are still to come have been seen: moves were taken back."""
        return self.match.dice is not None and self.peeked > self.match.ply

    def holds_seat(self, browser: bytes) -> bool:
        """Whether a browser holds a seat."""
        return any(seat >= 0 for seat in self.keys.get(browser, ()))

    def set_dice(self, gathering: Gathering) -> None:
        """Take over what people have added to the dice."""
        self.gathering = gathering
        if self.match.dice and self.match.dice.is_open and gathering.state == "closed":
            self.match.dice = self.match.dice.closed(gathering.nonces)

    def replace(self, fresh: LiveTable) -> bool:
        """Take over the state of a copy that was loaded later; return whether anybody may see a difference.

        What a seat has decided ahead is secret, and so is the time at which it did.
        """
        before = self._seen_facts()
        for field in ("match", "revision", "driver", "ahead", *_SEEN_FACTS):
            setattr(self, field, getattr(fresh, field))
        return self._seen_facts() != before

    def _seen_facts(self) -> list[object]:
        return [self.match.names, *(getattr(self, field) for field in _SEEN_FACTS)]

    def follow(self, change: Change) -> bool:
        """Carry out a change of the position that another process has stored; false if this table is not at the
        version that the change is for, or the change does not fit."""
        if self.version != change.version or change.keep > self.match.ply:
            return self.version > change.version
        if change.keep < self.match.ply:
            self.match.rewind_without_draws(change.keep)
        for who, action in change.plies:
            self.match.add(who, action)
        self.version += 1
        self.undo_request = msgspec.convert(change.undo_request, UndoRequest | None)
        self.clock = msgspec.convert(change.clock, Clock | None)
        return True

    # Who may do what.

    def rights(self, digests: Iterable[bytes]) -> Rights:
        """What the holder of these keys may do; `not_found` for a client that may not know of the table."""
        opened: set[int] = set()
        is_host = False
        for digest in digests:
            opened |= self.opened_by(digest)
            is_host = is_host or digest == self.host
        if not opened and not is_host:
            self.check_visitor()
        held = sorted(seat for seat in opened if seat >= 0)
        lent = tuple(seat for seat in held if self.seats[seat].stands_in)
        return Rights(tuple(seat for seat in held if seat not in lent), is_host, lent)

    def admits(self, digests: Iterable[bytes]) -> bool:
        """Whether the holder of these keys may know of the table."""
        is_public = self.has_open_seat and not self.password
        return is_public or any(digest == self.host or self.opened_by(digest) for digest in digests)

    def check_visitor(self) -> None:
        """Raise unless a client without any key may look at the table."""
        if not self.has_open_seat:
            raise not_found()
        if self.password:
            raise password_needed()

    def check_not_closed(self) -> None:
        if self.closed:
            raise Refused(409, "table-closed", phrase("This table is closed."))

    def add_key(self, key: StoredKey) -> None:
        self.keys.setdefault(key.digest, set()).add(key.seat)
        self.kinds[key.digest] = key.kind

    def opened_by(self, digest: bytes) -> set[int]:
        """The seats that a key opens. At a table with a password a link alone opens nothing."""
        return set() if self.password and self.kinds.get(digest) != "browser" else self.leads_to(digest)

    def leads_to(self, digest: bytes) -> set[int]:
        """The seats of a key. A seat's link leads to it only as long as no browser holds the seat."""
        seats = self.keys.get(digest, set())
        if self.kinds.get(digest) != "link":
            return seats
        return {seat for seat in seats if seat < 0 or not self.browsers(seat)}

    def browsers(self, seat: int) -> set[bytes]:
        """The digests of the browsers that hold a seat."""
        return {digest for digest in self.holders(seat) if self.kinds[digest] == "browser"}

    def links(self, seat: int) -> set[bytes]:
        """The digests of the links to a seat."""
        return self.holders(seat) - self.browsers(seat)

    def holders(self, seat: int) -> set[bytes]:
        """The digests of the keys to a seat."""
        return {digest for digest, seats in self.keys.items() if seat in seats}

    def choose_viewer(self, rights: Rights, requested: int | None = None) -> tuple[int, int | None]:
        """The seat whose view a client gets, and the seat that has to be given the screen first, if any.

        A client with one seat gets that seat's view. Where several people share a screen, the view follows the seat to
        move; in a game with hidden information the next person first confirms that they are looking.
        """
        if not rights.seats:
            return SPECTATOR, None
        to_move = self.match.to_move
        may_move = to_move in rights.seats
        viewer = self._starting_viewer(rights, may_move) if requested not in (*rights.seats, SPECTATOR) else requested
        assert viewer is not None
        if len(rights.seats) == 1 or viewer in (SPECTATOR, to_move) or not may_move:
            return viewer, None
        if self.game.has_hidden_information:
            return viewer, to_move
        return to_move, None

    def _starting_viewer(self, rights: Rights, may_move: bool) -> int:
        follows = may_move and len(rights.seats) > 1 and not self.game.has_hidden_information
        return self.match.to_move if follows else rights.seats[0]

    def chat_seat(self, rights: Rights, viewer: int | None = None) -> int:
        """The seat under whose name a client chats: one of its own if it has any, even while it looks on."""
        chosen, _ = self.choose_viewer(rights, None if viewer == SPECTATOR else viewer)
        return rights.held[0] if chosen == SPECTATOR and rights.held else chosen

    def undo_offer(self, seat: int, rights: Rights) -> UndoOffer:
        """How a seat may take back its latest move, to which ply, and which other seats have to agree."""
        match = self.match
        if match.is_over:
            return NO_UNDO
        if match.to_move == seat and not match.undo_rules.why_not(seat):
            return UndoOffer("free", match.ply - 1)
        to_ply = match.undo_rules.ply_before_latest_move(seat)
        if to_ply is None:
            return NO_UNDO
        others = [
            number
            for number, other in enumerate(self.seats)
            if other.who == "person" and number not in (seat, *rights.seats)
        ]
        seated = tuple(number for number in others if self.seats[number].taken)
        if len(seated) < len(others) and match.undo_rules.learnt_since(to_ply):
            return NO_UNDO  # a seat that is still free cannot agree to a look at what comes
        return UndoOffer("ask" if seated else "free", to_ply, seated)


def seated_at(seats: Iterable[Seat], before: float | None, at: float) -> float | None:
    """Since when everybody is seated; None if somebody is missing."""
    if not all(seat.taken for seat in seats):
        return None
    return at if before is None else before


def _game(stored: StoredTable) -> Game:
    """The game of a table; `Unplayable` unless it is installed in the version that the table was opened with."""
    kind = find_game(stored.game)
    if kind is None:
        raise Unplayable(
            phrase("This server does not have the game {game}, so the table cannot be shown.", game=stored.game)
        )
    if kind.version != stored.game_version:
        raise Unplayable(
            phrase(
                "This table was opened with version {opened} of {game}. This server has version {installed}, whose"
                " rules may differ, so the position cannot be shown and nobody can play on.",
                opened=stored.game_version,
                game=phrase(kind.title),
                installed=kind.version,
            )
        )
    return kind(len(stored.seats), stored.settings)


def _dice(stored: StoredTable, gathering: Gathering) -> Dice | None:
    if not stored.seed and not stored.commitment:
        return None
    is_open = gathering.state != "closed"
    commitment = "" if stored.seed else stored.commitment
    return Dice(stored.seed, commitment, stored.dice_since, () if is_open else gathering.nonces, is_open)


def as_plain(value: object) -> Any:
    """Convert a value to what the database stores as JSON."""
    return msgspec.to_builtins(value)


Problem = Literal["", "not-installed", "other-version"]
"""Why a table cannot be replayed here; empty: it can."""


class Summary(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A table in a list."""

    id: str
    url: str
    game: str
    title: str
    names: tuple[str, ...]
    seats: tuple[int, ...]
    host: bool
    ply: int
    to_move: int
    my_turn: bool
    over: bool
    updated: datetime
    kind: Kind = "played"
    open: tuple[int, ...] = ()
    problem: Problem = ""
    locked: bool = False
    """Whether one needs a password to enter."""
    closed: bool = False


def summary(stored: ListedTable, seats: Sequence[int], digests: Sequence[bytes]) -> Summary:
    """Summarise a stored table for a client that holds these seats."""
    mine = tuple(seat for seat in seats if seat != SPECTATOR)
    kind = find_game(stored.game)
    problem = _problem(stored, kind)
    return Summary(
        id=stored.id,
        url=f"/t/{stored.id}",
        game=stored.game,
        title=kind.title if kind else stored.game,
        names=tuple(stored.names),
        seats=mine,
        host=stored.host in digests,
        ply=stored.ply,
        to_move=stored.to_move,
        my_turn=stored.to_move in mine and not problem,
        over=stored.over,
        updated=stored.updated,
        kind=stored.kind,
        open=tuple(number for number, seat in enumerate(stored.seats) if seat.get("open")),
        problem=problem,
        locked=bool(stored.password),
        closed=stored.closed,
    )


def _problem(stored: ListedTable, kind: type[Game] | None) -> Problem:
    if kind is None:
        return "not-installed"
    return "" if kind.version == stored.game_version else "other-version"


class ClockView(Struct, frozen=True):
    """The clock of a table, as of when it was sent."""

    kind: Literal["move", "game", "days"]
    seconds: float
    increment: float
    left: tuple[float, ...]
    """Seconds, by seat."""
    running: int
    """Whose time runs; negative: nobody's."""


class SeatView(Struct, frozen=True, kw_only=True):
    """A seat, as all may see it."""

    seat: int
    name: str
    who: Literal["person", "bot"]
    level: str
    open: bool
    taken: bool
    present: bool
    mine: bool
    thinking: bool
    stopped: str
    """Why the bot of the seat has stopped; empty: it has not."""
    browsers: int
    """How many browsers hold the seat."""
    colour: str
    """In English, for styles."""
    colour_name: str
    letter: str
    """The letter of the colour."""
    hints: int
    """How many hints the seat has used."""
    stands_in: bool
    """Whether a bot plays for a person, who may come back."""
    lent: bool
    """Whether that person is the viewer."""
