"""The facts of a table: all that is stored about it besides its game and its moves, as one value.

A field is a column of the same name, so a new fact takes a migration, a column, a field here, and whatever shows it.
Rules about facts are pure functions from facts to facts (`seats`, `dice`, `moderation`, ...); `TableWriter.change`
stores their result and shows it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cache
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct, field, structs

from ludotheque.core.phrases import phrase
from ludotheque.core.premoves import Premove
from ludotheque.server.errors import Refused, forbidden, not_found, password_needed
from ludotheque.server.storage.keys import NO_SEATS, Key, Keys
from ludotheque.server.storage.rows import Kind
from ludotheque.server.tables.nonces import NonceRound
from ludotheque.table import Dice
from ludotheque.table.clock import Clock, ClockRule, end_clock, pass_turn, time_left
from ludotheque.table.ending import PLAYED_TO_THE_END, Ending

SECRET: Final = frozenset({"ahead"})
"""Fields that no one else may see, nor when they change."""
WRITTEN_BY_MOVES: Final = frozenset({"clock", "undo_request"})
"""Fields that each move writes too."""
NO_HOST: Final = bytes(32)
"""The key of the host where there is none: no secret has this digest."""
_DECIDE_MOVES: Final = (*WRITTEN_BY_MOVES, "seed", "commitment", "dice_since", "ending")
"""Fields whose change makes moves that were sent before it out of date."""


class Seat(Struct, frozen=True):
    """The person or bot at a seat."""

    who: Literal["person", "bot"]
    level: str = ""
    """The bot's level."""
    open: bool = False
    """Whether anyone may sit down."""
    taken: bool = False
    """Whether someone has sat down; always true of bots."""
    substitutes: bool = field(default=False, name="stands_in")
    """Whether a bot plays for a person, who may come back."""


class Pace(Struct, frozen=True):
    """The speed of a table's bots."""

    seconds: float = 1.0
    """The shortest time that a bot's move takes."""
    paused: bool = False


class TournamentRound(Struct, frozen=True):
    """The round of a tournament that a table is for."""

    id: str
    title: str
    round: int


class TableTerms(Struct, frozen=True):
    """The terms that the people at a table agreed on before the game."""

    hints: bool = False
    """Whether bots may advise people who play against people."""
    clock: ClockRule | None = None
    rated: bool = False
    """Whether the result changes ratings: every person has a profile, and no one can undo further or leave."""
    tournament: TournamentRound | None = None
    rematch: bool = False
    """Whether the people of an earlier table play again."""

    @property
    def is_binding(self) -> bool:
        """Whether the result counts beyond the table, so that no one may leave or undo further."""
        return self.rated or self.tournament is not None


class TableLink(Struct, frozen=True):
    """The link of a table: each friend who follows it takes a free one of its seats, or watches.

    It is no key, and opens nothing by itself: two people with the same key would see the same hands.
    """

    digests: tuple[str, ...]
    """In hexadecimal: several, since a host who has lost the link gets another one; those sent before go on."""
    seats: frozenset[int]
    """Those that are for whoever comes first, also while someone holds them."""

    def swapped(self, one: int, other: int) -> TableLink:
        """The same once the people for whom two seats are change places."""
        places = {one: other, other: one}
        return structs.replace(self, seats=frozenset(places.get(seat, seat) for seat in self.seats))


class UndoRequest(Struct, frozen=True):
    """A request to take moves back that other seats have to agree to."""

    seat: int
    to_ply: int
    agreed: tuple[int, ...] = ()
    waiting: tuple[int, ...] = ()


class Proposal(Struct, frozen=True):
    """A question that everyone must agree to."""

    agreed: tuple[int, ...]
    """The seats that want to, in the order in which they agreed: the first has asked."""
    refused: tuple[int, ...] = ()


class RematchRequest(Proposal, frozen=True):
    """A request to play again."""


class EndOffer(Proposal, frozen=True):
    """An offer to end the game without a winner."""

    ply: int = 0
    """The ply at which it was made, or refused."""


class Rights(Struct, frozen=True):
    """The rights of a client at a table."""

    seats: tuple[int, ...]
    """The seats that it holds."""
    is_host: bool
    substituted: tuple[int, ...] = ()
    """The seats that it holds but a bot plays for."""

    @property
    def held(self) -> tuple[int, ...]:
        """The seats that it holds, also those that a bot plays for."""
        return (*self.seats, *self.substituted)

    def check_seat(self, seat: int) -> None:
        if seat not in self.seats:
            raise forbidden(phrase("You do not hold that seat."))

    def check_host(self) -> None:
        if not self.is_host:
            raise forbidden(phrase("Only the host of the table can do that."))

    def check_seated(self) -> None:
        """Raise unless the client may decide how the table runs."""
        if not self.held and not self.is_host:
            raise forbidden(phrase("Only those who sit at the table can do that."))


class TableFacts(Struct, frozen=True, kw_only=True):
    """All that is stored about a table besides its game and its moves."""

    kind: Kind = "played"
    branched_from: str = ""
    """The table that a branch started from."""
    branch_ply: int = 0
    """The ply at which a branch started."""
    terms: TableTerms = TableTerms()
    language: str = ""
    """The language of the host, for those who look for a table."""
    host: bytes
    """The digest of the host's key."""
    names: tuple[str, ...]
    seats: tuple[Seat, ...]
    keys: Keys = Keys()
    """Stored in a separate table of the database."""
    link: TableLink | None = None
    """The link for several friends, if the host has one."""
    password: str = ""
    """The hash of the password; empty without one."""
    closed: bool = False
    """Whether the host or the operator has closed the table."""
    watchable: bool = False
    """Whether the host lets everyone watch, and the home page lists the game."""
    muted: frozenset[int] = NO_SEATS
    """The seats, or -5 for spectators, that the host does not let chat."""
    declined: frozenset[int] = NO_SEATS
    """The free seats whose invitation someone has declined."""
    pace: Pace = Pace()
    hints: tuple[int, ...] = ()
    """Hints used, by seat; empty if no one has used any."""
    rematch: str = ""
    """The table at which the same people play again."""
    rematch_request: RematchRequest | None = None
    awaited: frozenset[int] = NO_SEATS
    """The seats whose people have not come yet, nor moved; the clock waits for them."""
    clock: Clock | None = None
    seated_at: float | None = None
    """Since when everyone is seated and has come, so that the clock runs, in seconds since 1970; None if someone is
    missing."""
    undo_request: UndoRequest | None = None
    ending: Ending = PLAYED_TO_THE_END
    """The resignations, and whether the game was abandoned."""
    end_offer: EndOffer | None = None
    seed: bytes | None = None
    """The secret seed of the dice."""
    commitment: str = ""
    """The commitment of the dice; a record may hold it without their seed."""
    dice_since: int = 0
    """The ply up to which other dice made the draws."""
    nonce_round: NonceRound = field(default=NonceRound(), name="nonces")
    """The nonces that people add to the dice."""
    peeked: int = 0
    """The last ply with a draw that was seen and taken back."""
    redeals: int = 0
    """Number of times the game was dealt again because someone sat down."""
    late: frozenset[int] = NO_SEATS
    """The seats whose people sat down after the first move: others may have seen what was dealt to them."""
    ahead: Mapping[int, Premove] = {}
    """Decisions ahead of a turn, by seat. Secret."""

    def __repr__(self) -> str:
        """The names only: a seed or a key must not be printed by accident."""
        return f"<{type(self).__name__} of {', '.join(self.names)}>"

    # The seats.

    @property
    def has_open_seat(self) -> bool:
        return any(seat.open for seat in self.seats)

    @property
    def is_open_to_all(self) -> bool:
        """Whether anyone may look: a seat is open, or the host lets everyone watch. A password may still be asked."""
        return self.has_open_seat or self.watchable

    @property
    def people(self) -> list[int]:
        """The seats for people."""
        return [number for number, seat in enumerate(self.seats) if seat.who == "person"]

    @property
    def is_rated_against_bots(self) -> bool:
        """Whether the result changes the rating of the only person, by the fixed points of the bots."""
        return self.terms.rated and any(seat.who == "bot" and not seat.substitutes for seat in self.seats)

    @property
    def substitutes(self) -> tuple[int, ...]:
        """The seats where a bot plays for a person."""
        return tuple([number for number, seat in enumerate(self.seats) if seat.substitutes])

    @property
    def lent_seats(self) -> list[int]:
        """The seats where a bot plays for a person who still holds a key."""
        return [number for number in self.substitutes if self.keys.browsers(number)]

    @property
    def is_full(self) -> bool:
        """Whether no seat waits for a person."""
        return all(seat.taken for seat in self.seats)

    def hints_used(self, seat: int) -> int:
        return self.hints[seat] if self.hints else 0

    # The rights of clients.

    def has_link(self, link: bytes) -> bool:
        """Whether this is the table's link for several friends."""
        return self.link is not None and link.hex() in self.link.digests

    def rights(self, digests: Iterable[bytes]) -> Rights:
        """The rights of a client that holds these keys; `not_found` for a client that may not know of the table."""
        opened: set[int] = set()
        is_host = False
        for digest in digests:
            opened |= self.opened_by(digest)
            is_host = is_host or digest == self.host
        if not opened and not is_host:
            self.check_visitor()
        held = sorted(seat for seat in opened if seat >= 0)
        substituted = tuple(seat for seat in held if self.seats[seat].substitutes)
        return Rights(tuple(seat for seat in held if seat not in substituted), is_host, substituted)

    def opened_by(self, digest: bytes) -> frozenset[int]:
        """The seats that a key opens. At a table with a password a link alone opens nothing."""
        return NO_SEATS if self.password and self.keys.kind(digest) != "browser" else self.keys.leads_to(digest)

    def admits(self, digests: Iterable[bytes]) -> bool:
        """Whether the holder of these keys may know of the table."""
        is_public = self.is_open_to_all and not self.password
        return is_public or any(digest == self.host or self.opened_by(digest) for digest in digests)

    def check_visitor(self) -> None:
        """Raise unless a client without any key may look at the table."""
        if not self.is_open_to_all:
            raise not_found()
        if self.password:
            raise password_needed()

    def check_not_closed(self) -> None:
        if self.closed:
            raise Refused(409, "table-closed", phrase("This table is closed."))

    # The clock and the dice.

    def clock_after(self, to_move: int, at: float) -> Clock | None:
        """The clock once a seat is to act next."""
        rule = self.terms.clock
        return pass_turn(rule, self.clock, to_move, at, self.seated_at) if rule and self.clock else None

    def with_clock_ended(self, at: float) -> TableFacts:
        """These facts, with a clock that runs no more."""
        return structs.replace(self, clock=end_clock(self.clock, at, self.seated_at)) if self.clock else self

    def time_left(self, seat: int, at: float) -> float | None:
        """Seconds that a seat has left; None without a clock."""
        return time_left(self.clock, seat, at, self.seated_at) if self.clock else None

    @property
    def has_dice(self) -> bool:
        return bool(self.seed or self.commitment)

    def dice(self) -> Dice | None:
        """The dice of the table; None in a game without chance."""
        if not self.has_dice:
            return None
        commitment = "" if self.seed else self.commitment
        awaits_nonces = self.nonce_round.state != "closed"
        nonces = () if awaits_nonces else self.nonce_round.nonces
        return Dice(self.seed, commitment, self.dice_since, nonces, awaits_nonces)

    # Comparing facts.

    def values(self, except_for: Collection[str] = ()) -> tuple[object, ...]:
        """The values of all fields but those named, so that a new field is compared too."""
        return tuple([getattr(self, name) for name in self.__struct_fields__ if name not in except_for])

    def outdates_moves(self, before: TableFacts) -> bool:
        """Whether moves that were sent before this change of facts must be refused: they knew another clock or other
        dice, or a bot has begun or ceased to play for a person."""
        return self.substitutes != before.substitutes or any(
            getattr(self, name) != getattr(before, name) for name in _DECIDE_MOVES
        )


@cache
def _columns(kind: type[TableFacts]) -> dict[str, str]:
    """The column of each field."""
    return {each.name: each.encode_name for each in structs.fields(kind) if each.name != "keys"}


def read_facts(columns: Mapping[str, Any], keys: Iterable[Key]) -> TableFacts:
    """Decode facts; a column without a value takes the default of its field."""
    known = {name: value for name, value in columns.items() if value is not None}
    return msgspec.convert(known | {"keys": Keys(frozenset(keys))}, TableFacts, str_keys=True)


def changed_columns(after: TableFacts, before: TableFacts | None = None) -> dict[str, Any]:
    """Encode the columns that differ from the facts before; all of them if there are none before."""
    changed = {
        column: _encoded(getattr(after, name))
        for name, column in _columns(type(after)).items()
        if before is None or getattr(after, name) != getattr(before, name)
    }
    if "seats" in changed:
        changed["has_open_seat"] = after.has_open_seat
    return changed


def _encoded(value: object) -> Any:
    """A value as its column holds it: numbers, text and bytes as they are, all else as JSON."""
    return msgspec.to_builtins(value, builtin_types=(bytes,), str_keys=True, order="deterministic")


def as_plain(value: object) -> Any:
    """Convert a value to what the database stores as JSON."""
    return msgspec.to_builtins(value)
