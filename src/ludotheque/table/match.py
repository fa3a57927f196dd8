"""A game being played: its seats and its history.

A match is its set-up and a list of actions, draws included. Every position follows from that list by the rules;
snapshots only make replaying it fast. *Plies* are counted from 1: ply 7 is the seventh action, and the position at
ply 7 is the one after it. Ply 0 is the initial position.

A `State` holds everything, so code that talks to a person gets a `View`; a bot gets a position that its seat cannot
tell from the true one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

import msgspec
from librt.random import Random
from msgspec import Struct

from ludotheque.core.choices import Choice, choices
from ludotheque.core.errors import (
    BadOption,
    CannotUndo,
    IllegalMove,
    NotYourTurn,
    StaleVersion,
    StillHidden,
    UnfairDice,
)
from ludotheque.core.game import CHANCE, SPECTATOR, Game, State
from ludotheque.core.numbers import as_int
from ludotheque.core.phrases import phrase
from ludotheque.core.premoves import Premove, PremoveOffer
from ludotheque.core.turn import Turn
from ludotheque.table.dice import Dice, verify
from ludotheque.table.ending import PLAYED_TO_THE_END, Ending
from ludotheque.table.names import check_comment, check_name, resolve_names
from ludotheque.table.timeline import Timeline
from ludotheque.table.undo import UndoRules
from ludotheque.table.view import View
from ludotheque.table.viewing import Viewing

POSSIBLE: Final = 4
"""In how many positions a move is tried if something is hidden."""


class Plan(Struct, frozen=True):
    """A move that `Match.play` would make, the draws after it, and the positions they lead to."""

    before: State
    """The position in which the move was planned."""
    plies: tuple[tuple[int, int], ...]
    """The plies in order: the seat, or `CHANCE` for a draw, and the action."""
    states: tuple[State, ...]
    """The position after each ply; not to be changed."""

    @property
    def to_move(self) -> int:
        """The next to act: a seat, `CHANCE` or `TERMINAL`."""
        return int((self.states or (self.before,))[-1].current_player())


class Match:
    """A game, its seats, its dice and its history.

    `Match.start` starts one with fair dice. The plain constructor makes no draws: use it for a stored history, or for
    a game whose draws are made elsewhere and added one by one (`add`).
    """

    def __init__(
        self,
        game: Game,
        names: Sequence[str] | None = None,
        dice: Dice | None = None,
        history: Iterable[int] = (),
        known: Match | None = None,
    ) -> None:
        """`known`: an earlier copy of the match, given up for this one; plies that both have are not played again."""
        _check_storable(game)
        history = list(history)
        self.game: Final = game
        self._timeline: Final = Timeline(game, resolve_names(names, game.players), dice)
        self.undo_rules: Final = UndoRules(self._timeline)
        self.viewing: Final = Viewing(self._timeline, self.undo_rules)
        """The match as each viewer saw it."""
        if known:
            known._truncate(known._timeline.common_plies(history))
            self._timeline.take_over(known._timeline)
            self.viewing.take_over(known.viewing)
        for action in history[self.ply :]:
            self._advance(action)

    @classmethod
    def start(cls, game: Game, names: Sequence[str] | None = None, dice: Dice | None = None) -> Match:
        """Start a match, with random dice if none are given, and make the draws before the first move."""
        if dice is None and game.has_chance:
            dice = Dice.fresh()
        match = cls(game, names, dice)
        match.roll()
        return match

    def branch(self, ply: int, then: Sequence[int] = ()) -> Match:
        """Return a new match with the plies of this one up to `ply`, then other plies, and new dice from there on.

        The players of a branch know the whole position, so a game with hidden information must be over.
        """
        self._check_nothing_hidden()
        self._timeline.check_ply(ply)
        dice = Dice.fresh(since=ply + len(then)) if self.game.has_chance else None
        match = Match(self.game, self.names, dice, [*self._timeline.actions[:ply], *then])
        if match.is_over:
            raise IllegalMove(phrase("The game is over at that move; choose an earlier one to play on from."))
        match.roll()
        return match

    def copy(self) -> Match:
        """The same match, to be looked at in another thread while this one goes on."""
        copy = Match(self.game, self.names, self.dice, self._timeline.actions)
        copy._timeline.comments = dict(self.comments)
        copy.ending = self.ending
        return copy

    def __repr__(self) -> str:
        return f"<Match of {self.game.name} between {', '.join(self.names)} at ply {self.ply}>"

    # Facts that everyone may know.

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the seats."""
        return tuple(self._timeline.names)

    @property
    def dice(self) -> Dice | None:
        """The dice that make the draws; None if they are made elsewhere, or there are none."""
        return self._timeline.dice

    @dice.setter
    def dice(self, dice: Dice | None) -> None:
        self._timeline.dice = dice

    @property
    def ply(self) -> int:
        """The number of plies so far, moves and draws."""
        return self._timeline.ply

    @property
    def branched_at(self) -> int:
        """The ply at which this match branched off another; 0 if it did not."""
        return self._timeline.branched_at

    @property
    def decisions(self) -> int:
        """Number of plies that were moves of a seat."""
        return self._timeline.decisions(self.ply)

    @property
    def movers(self) -> tuple[int, ...]:
        """The seat that acted at each ply, or `CHANCE`."""
        return tuple(self._timeline.movers)

    @property
    def to_move(self) -> int:
        """The seat to act; `CHANCE` at a draw, `TERMINAL` after the end."""
        return self._timeline.to_move

    @property
    def is_over(self) -> bool:
        return self._timeline.is_over

    @property
    def is_played_out(self) -> bool:
        """Whether the match came to its last move by the rules."""
        return self.is_over and not self._timeline.is_ended_early

    @property
    def ending(self) -> Ending:
        """The resignations, and whether the match was abandoned."""
        return self._timeline.ending

    @ending.setter
    def ending(self, ending: Ending) -> None:
        # One object for nothing of the kind: records leave out a default by its identity.
        self._timeline.ending = PLAYED_TO_THE_END if ending == PLAYED_TO_THE_END else ending
        self.viewing.notes = ending.lines(self.game.players, self.ply)

    @property
    def comments(self) -> Mapping[int, str]:
        """The comments, by ply."""
        return MappingProxyType(self._timeline.comments)

    def rename(self, seat: int, name: str) -> None:
        """Give a seat another name."""
        self._timeline.check_seat(seat)
        self._timeline.names[seat] = check_name(name)

    def comment(self, ply: int, text: str) -> None:
        """Comment on a ply, for everyone who saw it; an empty text deletes the comment."""
        self._timeline.check_played(ply)
        self._timeline.comments[ply] = check_comment(text)
        if not text:
            del self._timeline.comments[ply]

    def view(self, viewer: int = SPECTATOR, at: int | None = None, log_from: int = 0) -> View:
        """Return what a seat or a spectator may know of the match, now or at an earlier ply.

        `log_from`: how many lines of the log the caller has already; they are left out.
        """
        return self.viewing.view(viewer, at, log_from)

    def choices(self, seat: int, ahead: bool = False) -> tuple[Choice, ...]:
        """Return what a seat can do now; empty if it is not its turn. For that seat only: choices may show its hand.

        `ahead`: with the next decisions of its turn where the game asks for them at once.
        """
        return choices(self._timeline.present, ahead) if seat == self.to_move and not self.is_over else ()

    # Playing.

    def play(self, seat: int, move: int | str, at_ply: int | None = None) -> None:
        """Play a seat's move, an action or text in the game's notation, and make the draws that follow.

        A text may stand for several actions of the same seat; either all of them are played or none. With `at_ply`,
        the move is refused (`StaleVersion`) unless the match is still at that ply.
        """
        self._timeline.check_seat(seat)
        self._check_current(at_ply)
        self._check_turn(seat)
        for action in self.game.string_to_actions(self._timeline.present, move) if isinstance(move, str) else [move]:
            self.add(seat, action)
        self.roll()

    def plan(self, seat: int, move: int | str | Sequence[int]) -> Plan:
        """Return what `play` would add, without playing it; a sequence is several decisions of the same turn.

        A server stores the plan first, and applies it (`apply`) once it is on disk.
        """
        self._timeline.check_seat(seat)
        self._check_turn(seat)
        actions = self._decisions(move)
        return self._with_draws([(seat, action) for action in actions], decided(self._timeline.present, seat, actions))

    def plan_draws(self) -> Plan:
        """Return the draws that `roll` would make, without making them."""
        return self._with_draws([], [])

    def _with_draws(self, plies: list[tuple[int, int]], states: list[State]) -> Plan:
        """Return these plies and the draws after them."""
        state = states[-1] if states else self._timeline.present
        while self.dice and self.dice.can_draw and state.is_chance_node() and not self.is_over:
            draw = self.dice.draw(self.ply + len(plies) + 1, state.weighted_outcomes())
            state = state.child(draw)
            plies.append((CHANCE, draw))
            states.append(state)
        return Plan(self._timeline.present, tuple(plies), tuple(states))

    def _decisions(self, move: int | str | Sequence[int]) -> Sequence[int]:
        if isinstance(move, str):
            return self.game.string_to_actions(self._timeline.present, move)
        moves = move if isinstance(move, Sequence) else [move]
        return [as_int(action, "An action", IllegalMove) for action in moves]

    def apply(self, plan: Plan) -> None:
        """Add the plies of a plan. Its positions are taken as they are; the rules do not play them a second time."""
        if plan.before is not self._timeline.present:
            raise StaleVersion(phrase("The table has changed in the meantime; look again."))
        for (_, action), state in zip(plan.plies, plan.states, strict=True):
            self._append(action, state)

    def add(self, who: int, move: int | str) -> None:
        """Add the next ply, a seat's move or a draw (`CHANCE`) made elsewhere, without making the draws that follow."""
        self._check_turn(who)
        if isinstance(move, str):
            move = self.game.string_to_action(self._timeline.present, move)
        self._advance(as_int(move, "An action", IllegalMove))

    def roll(self) -> None:
        """Make the draws that are due, if the dice can draw; `start` and `play` call this themselves."""
        while self.dice and self.dice.can_draw and self.to_move == CHANCE:
            self._advance(self.dice.draw(self.ply + 1, self._timeline.present.weighted_outcomes()))

    def _advance(self, action: int) -> None:
        self._append(action, self._timeline.present.child(action))

    def _append(self, action: int, after: State) -> None:
        self.viewing.add(action, after)
        self._timeline.append(action, after)

    # Undo.

    def undo(self, seat: int, at_ply: int | None = None) -> None:
        """Undo a seat's latest move, if the seat is still to act and no one has learnt anything since."""
        self._timeline.check_seat(seat)
        self._check_current(at_ply)
        reason = self.undo_rules.why_not(seat)
        if reason:
            raise CannotUndo(reason)
        self.rewind(self.ply - 1)

    def rewind(self, to_ply: int) -> None:
        """Go back to a ply. The caller must have made sure that all players agree.

        The dice give the same draws for the same plies, so going back to a draw goes forward again to the next move.
        """
        self.undo_rules.check_rewind(to_ply)
        self._truncate(to_ply)
        self.roll()

    def rewind_without_draws(self, to_ply: int) -> None:
        """Go back to a ply, as another match of the same table did; the draws after it come from there too."""
        self._timeline.check_ply(to_ply)
        self._truncate(to_ply)

    def _truncate(self, to_ply: int) -> None:
        self._timeline.truncate(to_ply)
        self.viewing.truncate(to_ply)

    # Premoves.

    @property
    def premove_context(self) -> str:
        """The name of the situation in which seats may decide ahead of their turn; empty if there is none."""
        return "" if self.is_over else self.game.premove_context(self._timeline.present)

    def premove_offers(self, seat: int) -> tuple[PremoveOffer, ...]:
        """Return the premoves that a seat may make. For that seat only."""
        if self.is_over or seat == self.to_move:
            return ()
        return tuple(self.game.premove_offers(self._timeline.present, seat))

    def premove_action(self, premove: Premove) -> int:
        """Return the action of the seat to move that follows from its premove."""
        return self.game.premove_action(self._timeline.present, premove.key, premove.amount)

    # Positions: for bots, for storage and for the review of finished games.

    def resampled(self, seat: int, rng: Random) -> State:
        """Return a position that a seat cannot tell from the true one, for its bot."""
        self._timeline.check_viewer(seat)
        return self._timeline.present.resample_from_infostate(seat, rng)

    def possible_positions(self, seat: int, seed: int) -> list[State]:
        """Return some positions that a seat cannot tell from the true one: one if nothing is hidden, else several."""
        count = POSSIBLE if self.game.has_hidden_information else 1
        return [self.resampled(seat, Random(POSSIBLE * seed + number)) for number in range(count)]

    def turn(self, seat: int, rng: Random, clock: float) -> Turn:
        """Return what the bot of a seat that is to move gets: all that the seat may know, and nothing else."""
        self._timeline.check_seat(seat)
        self._check_turn(seat)
        return Turn(self.resampled(seat, rng), seat, self.viewing.events(seat), clock)

    def state_at(self, ply: int) -> State:
        """Return a copy of the whole position at a ply; a game with hidden information must be over."""
        self._check_nothing_hidden()
        self._timeline.check_ply(ply)
        return self._timeline.state_at(ply).clone()

    def actions(self) -> list[tuple[int, int]]:
        """Return every ply as (seat or `CHANCE`, action), hidden ones too: for storage, never for players."""
        return list(zip(self._timeline.movers, self._timeline.actions, strict=True))

    def verify_dice(self) -> int:
        """Check that every draw follows from the seed, and return how many there were; `UnfairDice` names the first
        that does not. Draws from before the match branched off (`branched_at`) are not counted."""
        if self.dice is None and CHANCE in self._timeline.movers:
            raise UnfairDice("The draws of this match were made elsewhere: there is no seed to check them by.")
        return verify(self.game, self._timeline.actions, self.dice) if self.dice else 0

    # Checks.

    def _check_current(self, at_ply: int | None) -> None:
        if at_ply is not None and at_ply != self.ply:
            raise StaleVersion(
                phrase("The match has moved on from ply {old} to ply {new}; reload it.", old=at_ply, new=self.ply)
            )

    def _check_nothing_hidden(self) -> None:
        if self.game.has_hidden_information and not self.is_over:
            raise StillHidden(phrase("The whole position stays hidden until the game is over."))

    def _check_turn(self, who: int) -> None:
        if self.is_over:
            raise IllegalMove(phrase("The game is over."))
        if who == self.to_move:
            return
        if who == CHANCE:
            raise NotYourTurn(phrase("{turn}; nothing is drawn now.", turn=self._timeline.whose_turn()))
        self._timeline.check_seat(who)
        raise NotYourTurn(phrase("{turn}; {name} has to wait.", turn=self._timeline.whose_turn(), name=self.names[who]))


def decided(before: State, seat: int, actions: Sequence[int]) -> list[State]:
    """Return the positions after each of several decisions of a seat, with no draw or other seat between them."""
    states: list[State] = []
    for action in actions:
        now = states[-1] if states else before
        if now.current_player() != seat:
            raise IllegalMove(phrase("The turn is over before the last of these decisions."))
        states.append(now.child(action))
    return states


def _check_storable(game: Game) -> None:
    """Check that the settings survive a round trip through JSON, so that the match can be stored."""
    for name, value in game.settings.items():
        try:
            storable = msgspec.json.decode(msgspec.json.encode(value)) == value
        except (TypeError, ValueError, RecursionError):
            storable = False
        if not storable:
            raise BadOption(f"The document of the option {name} holds something that JSON cannot write.")
