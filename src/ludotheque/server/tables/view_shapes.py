"""The shapes of what a viewer is sent about a table."""

from __future__ import annotations

from typing import Any, Final, Literal

from msgspec import UNSET, Struct, UnsetType

from ludotheque.server.storage.rows import Kind
from ludotheque.server.tables.facts import EndOffer, Pace, RematchRequest, TournamentRound, UndoRequest
from ludotheque.show.event_cards import RenderedEventCard
from ludotheque.show.played import PlayedMove
from ludotheque.show.scenes import RenderedChoice, RenderedLine, RenderedScene
from ludotheque.table import Nonce


class ClockView(Struct, frozen=True):
    """The clock of a table, as of when it was sent."""

    kind: Literal["move", "game", "days"]
    seconds: float
    increment: float
    left: tuple[float, ...]
    """Seconds, by seat."""
    running: int
    """The seat whose time runs; negative if none does."""


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
    """The reason why the bot of the seat has stopped; empty if it has not."""
    browsers: int
    """The number of browsers that hold the seat."""
    colour: str
    """In English, for styles."""
    colour_name: str
    letter: str
    """The letter of the colour."""
    hints: int
    """The number of hints that the seat has used."""
    stands_in: bool
    """Whether a bot plays for a person, who may come back."""
    lent: bool
    """Whether that person is the viewer."""
    held: bool
    """Whether the viewer holds the seat, also where a bot plays for them."""
    resigned: int | None
    """The last ply before its person resigned or lost on time; null if they have not."""
    timed_out: bool
    """Whether they lost on time."""
    declined: bool
    """Whether the person who was invited has declined; the link still opens the seat."""
    late: bool
    """Whether the person sat down after the first move, so that others may have seen what was dealt to the seat."""


class ResultView(Struct, frozen=True):
    """The result of a finished game."""

    scores: tuple[int, ...]
    score_texts: tuple[str, ...]
    """The scores as people read them: `$12`."""
    returns: tuple[float, ...]


class DiceView(Struct, frozen=True):
    """The commitment of the dice, what people added to them and, at the end, their seed."""

    commitment: str
    seed: str
    since: int
    """Other dice made the draws up to this ply."""
    state: Literal["open", "reveal", "closed"]
    """Whether the dice wait for people to sit down, or for browsers to reveal their nonces, or draw."""
    nonces: tuple[Nonce, ...]
    """In the order of the seats; without the nonces themselves until the dice draw. A seat without one was left out."""
    redeals: int
    """Number of times the game was dealt again because someone sat down."""


class PositionView(Struct, frozen=True, kw_only=True, tag="view"):
    """The part of a table's view that each move changes."""

    version: int
    ply: int
    last_ply: int
    to_move: int
    over: bool
    viewer: int
    hand_over: int | None
    scene: RenderedScene
    choices: tuple[RenderedChoice, ...]
    log_from: int
    log: tuple[RenderedLine, ...]
    since: int | None
    """The ply before the viewer's last turn, so that what happened since can be shown; null for a spectator."""
    cards: tuple[RenderedEventCard, ...]
    """The cards of what happened since the view before; in a whole view, those of the latest plies."""
    comments: dict[str, str]
    undo: Literal["free", "ask", ""]
    undo_request: UndoRequest | None
    end_offer: EndOffer | None
    """The offer to end the game without a winner, while it stands."""
    result: ResultView | None
    clock: ClockView | None
    ahead: PremovesView | None
    """The viewer's choices ahead of their turn, and their decision; only for that viewer."""
    played: tuple[PlayedMove, ...] | UnsetType = UNSET
    """The moves since the viewer's last turn, drawn on the board; only for a viewer who is to move now."""


class TableView(PositionView, frozen=True, kw_only=True, tag="view"):
    """A table at one ply, as one viewer may know it."""

    table: str
    game: str
    title: str
    kind: Kind
    """`record`: the game was opened from a record, so the host may have known it."""
    mine: tuple[int, ...]
    host: bool
    closed: bool
    """Whether the table is closed: it can be looked at, and nothing else."""
    locked: bool
    """Whether one needs a password to enter."""
    watchable: bool
    """Whether everyone may watch, and the home page lists the game."""
    muted: tuple[int, ...]
    """The seats that may not chat; -5: spectators."""
    seats: tuple[SeatView, ...]
    watchers: int
    pace: Pace
    dice: DiceView | None
    backdrop: str
    styles: str
    rated: bool
    """Whether the result changes ratings."""
    tournament: TournamentRound | None
    """The round of a tournament that the table is for."""
    hints: bool
    """Whether a player may ask a bot for advice."""
    abandoned: bool
    """Whether the players agreed to end the game without a winner."""
    rematch: str
    """The address of the rematch; empty if there is none."""
    rematch_request: RematchRequest | None
    begins_rematch: bool
    """Whether this is a rematch at which no one has moved yet."""
    awaited: tuple[int, ...]
    """The seats whose people have not come yet; the clock waits for them."""
    observation: dict[str, Any] | UnsetType = UNSET
    """For programs, over HTTP only."""


class PremoveChoice(Struct, frozen=True):
    """Something to decide ahead; without amounts if `highest` is 0."""

    key: str
    label: str
    lowest: int
    highest: int


class PremovesView(Struct, frozen=True):
    """A seat's choices ahead of its turn, and its decision."""

    situation: str
    choices: tuple[PremoveChoice, ...]
    key: str
    """The choice that was decided on; empty if none was."""
    amount: int


class Presence(Struct, frozen=True):
    """The people who have a table open now."""

    seats: frozenset[int] = frozenset()
    watchers: int = 0


NOBODY: Final = Presence()
