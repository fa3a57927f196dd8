"""A table in memory: its game, replayed from the stored list of plies, and its facts.

A live table holds only what is on disk already: a change is written first (`writing`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

import msgspec
from msgspec import structs

from ludotheque.core.game import CHANCE, SPECTATOR, Game
from ludotheque.core.options import holds_document
from ludotheque.core.phrases import Phrase, phrase
from ludotheque.core.premoves import Premove
from ludotheque.core.registry import find_game
from ludotheque.server.errors import Unplayable
from ludotheque.server.storage.keys import Key
from ludotheque.server.storage.rows import Change, StoredTable
from ludotheque.server.tables.facts import SECRET, Rights, TableFacts, UndoRequest, read_facts
from ludotheque.table import Match
from ludotheque.table.clock import Clock


class LiveTable:
    """A table in memory."""

    def __init__(
        self, id: str, match: Match, facts: TableFacts, version: int = 1, revision: int = 0, driver: str = ""
    ) -> None:
        self.id = id
        self.match = match
        self.facts = facts
        """Changed by `take_over` only, which lets the match follow."""
        self.version = version
        """Counts the changes of the position."""
        self.revision = revision
        """Counts the changes of facts."""
        self.driver = driver
        """The process that played for the bots when the table was read."""
        self.thinking: set[int] = set()
        self.stopped: dict[int, str | Phrase] = {}
        """Why a bot has stopped, by seat. It plays again when the host says who, or when the server starts anew."""
        self.lock = asyncio.Lock()

    @property
    def game(self) -> Game:
        return self.match.game

    # Changes.

    def take_over(self, facts: TableFacts) -> None:
        """Take over facts that are on disk; names, dice, draws and ending of the match follow them."""
        kept = self.plies_kept(facts)
        if kept < self.match.ply:
            self.match.rewind_without_draws(kept)
        before, self.facts = self.facts, facts
        if facts.names != before.names:
            for seat, name in enumerate(facts.names):
                self.match.rename(seat, name)
        if facts.ending != before.ending:
            self.match.ending = facts.ending
        if facts.seed != before.seed or facts.nonce_round != before.nonce_round:
            self.match.dice = facts.dice()

    def plies_kept(self, facts: TableFacts) -> int:
        """The plies that stay once the table has these facts: fresh dice draw everything after `dice_since` again."""
        has_fresh_dice = facts.seed != self.facts.seed
        return min(self.match.ply, facts.dice_since) if has_fresh_dice else self.match.ply

    def replace(self, fresh: LiveTable) -> bool:
        """Take over the state of a copy that was loaded later; return whether anyone may see a difference.

        What a seat has decided ahead is secret, and so is the time at which it did.
        """
        before = self.version, self.facts.values(except_for=SECRET)
        self.match, self.facts = fresh.match, fresh.facts
        self.version, self.revision, self.driver = fresh.version, fresh.revision, fresh.driver
        return (self.version, self.facts.values(except_for=SECRET)) != before

    def follow(self, change: Change) -> bool:
        """Carry out a change of the position that another process has stored; return whether the table has it now, also
        because it had it before. If not, the table must be read again."""
        if self.version != change.version or change.keep > self.match.ply:
            return self.version > change.version
        if change.keep < self.match.ply:
            self.match.rewind_without_draws(change.keep)
        for who, action in change.plies:
            self.match.add(who, action)
        request = msgspec.convert(change.undo_request, UndoRequest | None)
        self.next_version(request, msgspec.convert(change.clock, Clock | None))
        return True

    def next_version(self, request: UndoRequest | None, clock: Clock | None) -> None:
        """Take over what a change of the position stores besides the plies."""
        self.version += 1
        if request != self.facts.undo_request or clock != self.facts.clock:
            self.facts = structs.replace(self.facts, undo_request=request, clock=clock)

    # Facts that follow from the match and the table's facts together.

    @property
    def has_custom_document(self) -> bool:
        """Whether the game has a custom board or cards, which take much memory."""
        return holds_document(self.game.settings)

    @property
    def allows_hints(self) -> bool:
        """Whether a player may ask a bot for advice: not against people, unless they agreed on it."""
        facts = self.facts
        if facts.terms.rated and not self.match.is_over:
            return False
        return len(facts.people) < 2 or facts.terms.hints or facts.kind != "played" or self.match.is_over

    def order_of(self, seat: int) -> Premove | None:
        """The decision that a seat has made ahead about the present situation."""
        order = self.facts.ahead.get(seat)
        return order if order and order.situation == self.match.premove_context else None

    @property
    def order_due(self) -> Premove | None:
        """The decision that the person to move has made ahead."""
        seat = self.match.to_move
        return self.order_of(seat) if seat >= 0 and self.facts.seats[seat].who == "person" else None

    @property
    def bot_to_move(self) -> bool:
        seat, facts = self.match.to_move, self.facts
        return seat >= 0 and facts.seats[seat].who == "bot" and seat not in self.stopped and not facts.closed

    @property
    def is_draw_due(self) -> bool:
        """Whether a draw is due that the dice can make."""
        dice = self.match.dice
        return self.match.to_move == CHANCE and dice is not None and dice.can_draw

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
        """Return the seat under whose name a client chats: one that it holds, if any, even while it looks on."""
        chosen, _ = self.choose_viewer(rights, None if viewer == SPECTATOR else viewer)
        return rights.held[0] if chosen == SPECTATOR and rights.held else chosen


def load(stored: StoredTable, history: Iterable[int], keys: Iterable[Key], known: Match | None = None) -> LiveTable:
    """Make a live table of what is on disk; `known`: the match as it was before, given up for this one."""
    game = known.game if known else _game(stored)
    facts = read_facts(stored.facts, keys)
    match = Match(game, facts.names, facts.dice(), history, known)
    match.ending = facts.ending
    return LiveTable(stored.id, match, facts, stored.version, stored.revision, stored.driver)


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
    return kind(len(stored.facts["seats"]), stored.settings)
