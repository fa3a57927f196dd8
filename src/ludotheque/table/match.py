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
    NoSuchPly,
    NoSuchSeat,
    NotYourTurn,
    StaleVersion,
    StillHidden,
    UnfairDice,
)
from ludotheque.core.game import CHANCE, SPECTATOR, Game, State
from ludotheque.core.ghosts import Ghost, ghost, shift_between
from ludotheque.core.numbers import as_int
from ludotheque.core.phrases import Phrase, phrase
from ludotheque.core.premoves import Premove, PremoveOffer
from ludotheque.core.scene import Scene
from ludotheque.core.turn import Event, Turn
from ludotheque.table.dice import Dice, verify
from ludotheque.table.log import Log
from ludotheque.table.names import check_comment, check_name, resolve_names
from ludotheque.table.view import View

SNAPSHOT_EVERY: Final = 32
POSSIBLE: Final = 4
"""In how many positions a move is tried if something is hidden."""


class Plan(Struct, frozen=True):
    """A move that `Match.play` would make, the draws after it, and the positions they lead to."""

    before: State
    """The position in which the move was planned."""
    plies: tuple[tuple[int, int], ...]
    """By ply: the seat, or `CHANCE` for a draw, and the action."""
    states: tuple[State, ...]
    """The position after each ply; not to be changed."""

    @property
    def to_move(self) -> int:
        """Who acts next: a seat, `CHANCE` or `TERMINAL`."""
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
        self.game: Final = game
        self.dice = dice
        self._names = resolve_names(names, game.players)
        self._history: list[int] = []
        self._movers: list[int] = []
        self._comments: dict[int, str] = {}
        # States are never changed once they are stored here, so they can be shared.
        self._present: State = game.new_initial_state()
        self._previous: State = self._present
        """The position before the last ply."""
        self._snapshots: list[State] = [self._present]
        self._logs: dict[int, Log] = {}
        self._events: dict[int, list[Event]] = {}
        """By seat: the plies as it saw them."""
        history = list(history)
        if known:
            self._take_over(known, history)
        for action in history[self.ply :]:
            self._advance(action)

    def _take_over(self, known: Match, history: Sequence[int]) -> None:
        """Take the plies that both histories begin with from a match that is given up."""
        pairs = enumerate(zip(known._history, history, strict=False))
        common = next((ply for ply, (old, new) in pairs if old != new), min(known.ply, len(history)))
        if common < known.ply:
            known._truncate(common)
        self._history, self._movers, self._snapshots = known._history, known._movers, known._snapshots
        self._present, self._previous = known._present, known._previous
        self._logs, self._events = known._logs, known._events

    @classmethod
    def start(cls, game: Game, names: Sequence[str] | None = None, dice: Dice | None = None) -> Match:
        """Start a match, with random dice if none are given, and make the draws before the first move."""
        if dice is None and game.has_chance:
            dice = Dice.fresh()
        match = cls(game, names, dice)
        match.roll()
        return match

    def branch(self, ply: int, then: Sequence[int] = ()) -> Match:
        """Return a new match with the plies of this one up to `ply`, then other plies, and its own dice from there on.

        The players of a branch know the whole position, so a game with hidden information must be over.
        """
        self._check_nothing_hidden()
        self._check_ply(ply)
        dice = Dice.fresh(since=ply + len(then)) if self.game.has_chance else None
        match = Match(self.game, self._names, dice, [*self._history[:ply], *then])
        if match.is_over:
            raise IllegalMove(phrase("The game is over at that ply; choose an earlier one to play on from."))
        match.roll()
        return match

    def copy(self) -> Match:
        """The same match, to be looked at in another thread while this one goes on."""
        copy = Match(self.game, self._names, self.dice, self._history)
        copy._comments = dict(self._comments)
        return copy

    def __repr__(self) -> str:
        return f"<Match of {self.game.name} between {', '.join(self._names)} at ply {self.ply}>"

    # What everybody may know.

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the seats."""
        return tuple(self._names)

    @property
    def ply(self) -> int:
        """How many plies there are so far, moves and draws."""
        return len(self._history)

    @property
    def branched_at(self) -> int:
        """The ply at which this match branched off another; 0 if it did not."""
        return self.dice.since if self.dice else 0

    @property
    def decisions(self) -> int:
        """How many plies were moves of a seat."""
        return self._decisions_up_to(self.ply)

    @property
    def to_move(self) -> int:
        """The seat to act; `CHANCE` at a draw, `TERMINAL` after the end."""
        return int(self._present.current_player())

    @property
    def is_over(self) -> bool:
        return self._present.is_terminal()

    @property
    def comments(self) -> Mapping[int, str]:
        """The comments, by ply."""
        return MappingProxyType(self._comments)

    def rename(self, seat: int, name: str) -> None:
        """Give a seat another name."""
        self._check_seat(seat)
        self._names[seat] = check_name(name)

    def comment(self, ply: int, text: str) -> None:
        """Comment on a ply, for everybody who saw it; an empty text deletes the comment."""
        self._check_played(ply)
        self._comments[ply] = check_comment(text)
        if not text:
            del self._comments[ply]

    # Playing.

    def play(self, seat: int, move: int | str, at_ply: int | None = None) -> None:
        """Play a seat's move, an action or text in the game's notation, and make the draws that follow.

        A text may stand for several actions of the same seat; either all of them are played or none. With `at_ply`,
        the move is refused (`StaleVersion`) unless the match is still at that ply.
        """
        self._check_seat(seat)
        self._check_current(at_ply)
        self._check_turn(seat)
        for action in self.game.string_to_actions(self._present, move) if isinstance(move, str) else [move]:
            self.add(seat, action)
        self.roll()

    def plan(self, seat: int, move: int | str | Sequence[int]) -> Plan:
        """Return what `play` would add, without playing it; a sequence is several decisions of the same turn.

        A server stores the plan first, and applies it (`apply`) once it is on disk.
        """
        self._check_seat(seat)
        self._check_turn(seat)
        actions = self._decisions(move)
        return self._with_draws([(seat, action) for action in actions], decided(self._present, seat, actions))

    def plan_draws(self) -> Plan:
        """Return the draws that `roll` would make, without making them."""
        return self._with_draws([], [])

    def _with_draws(self, plies: list[tuple[int, int]], states: list[State]) -> Plan:
        """Return these plies and the draws after them."""
        state = states[-1] if states else self._present
        while self.dice and self.dice.can_draw and state.is_chance_node():
            draw = self.dice.draw(self.ply + len(plies) + 1, state.weighted_outcomes())
            state = state.child(draw)
            plies.append((CHANCE, draw))
            states.append(state)
        return Plan(self._present, tuple(plies), tuple(states))

    def _decisions(self, move: int | str | Sequence[int]) -> Sequence[int]:
        if isinstance(move, str):
            return self.game.string_to_actions(self._present, move)
        moves = move if isinstance(move, Sequence) else [move]
        return [as_int(action, "An action", IllegalMove) for action in moves]

    def apply(self, plan: Plan) -> None:
        """Add the plies of a plan. Its positions are taken as they are; the rules do not play them a second time."""
        if plan.before is not self._present:
            raise StaleVersion(phrase("The table has changed in the meantime; look again."))
        for (_, action), state in zip(plan.plies, plan.states, strict=True):
            self._append(action, state)

    def add(self, who: int, move: int | str) -> None:
        """Add the next ply, a seat's move or a draw (`CHANCE`) made elsewhere, without making the draws that follow."""
        self._check_turn(who)
        if isinstance(move, str):
            move = self.game.string_to_action(self._present, move)
        self._advance(as_int(move, "An action", IllegalMove))

    def roll(self) -> None:
        """Make the draws that are due, if the dice can draw; `start` and `play` call this themselves."""
        while self.dice and self.dice.can_draw and self._present.is_chance_node():
            self._advance(self.dice.draw(self.ply + 1, self._present.weighted_outcomes()))

    def _advance(self, action: int) -> None:
        self._append(action, self._present.child(action))

    def _append(self, action: int, after: State) -> None:
        before = self._present
        for log in self._logs.values():
            # A log that is up to date gets the ply here, where both positions are available.
            if log.plies == self.ply:
                log.add(before, action, after)
        self._movers.append(self.to_move)
        self._history.append(action)
        self._previous, self._present = before, after
        if self.ply % SNAPSHOT_EVERY == 0:
            self._snapshots.append(after)

    # Undo.

    def undo(self, seat: int, at_ply: int | None = None) -> None:
        """Undo a seat's latest move, if the seat is still to act and nobody has learnt anything since."""
        self._check_seat(seat)
        self._check_current(at_ply)
        reason = self.why_not_undo(seat)
        if reason:
            raise CannotUndo(reason)
        self.rewind(self.ply - 1)

    def why_not_undo(self, seat: int) -> Phrase | None:
        """Return why a seat may not undo its latest move; None if it may."""
        if self.is_over:
            return phrase("The game is over, so no move can be taken back.")
        if self.to_move != seat:
            return phrase("{turn}, so the move can no longer be taken back.", turn=self._whose_turn())
        if seat not in self._movers:
            return phrase("There is no move of yours to take back.")
        if self._movers[-1] == CHANCE:
            return phrase("A draw has been made since your last move, so it cannot be taken back.")
        if self._movers[-1] != seat:
            name = self._names[self._movers[-1]]
            return phrase("{name} has moved since your last move, so it cannot be taken back.", name=name)
        if self.game.reveals(self._state_at(self.ply - 1), self._history[-1]):
            return phrase("Your last move showed something hidden, so it cannot be taken back.")
        if self.ply <= self.branched_at:
            return phrase("Your last move was made with other dice, so it cannot be taken back.")
        return None

    def learnt_since(self, ply: int) -> bool:
        """Return whether a draw was made, or something hidden was shown, after a ply."""
        return CHANCE in self._movers[ply:] or any(
            self.game.reveals(self._state_at(later), self._history[later]) for later in range(ply, self.ply)
        )

    def ply_before_latest_move(self, seat: int) -> int | None:
        """Return the ply before a seat's latest move; None if it has not moved in this match."""
        for ply in range(self.ply - 1, self.branched_at - 1, -1):
            if self._movers[ply] == seat:
                return ply
        return None

    def rewind(self, to_ply: int) -> None:
        """Go back to a ply. The caller must have made sure that all players agree.

        The dice give the same draws for the same plies, so going back to a draw goes forward again to the next move.
        """
        self.check_rewind(to_ply)
        self._truncate(to_ply)
        self.roll()

    def check_rewind(self, to_ply: int) -> None:
        """Raise unless `rewind` can go back to a ply: a server asks before it stores that it did."""
        self._check_ply(to_ply)
        if to_ply < self.branched_at:
            raise CannotUndo(phrase("Moves made with other dice cannot be taken back."))

    def rewind_without_draws(self, to_ply: int) -> None:
        """Go back to a ply, as another match of the same table did; the draws after it come from there too."""
        self._check_ply(to_ply)
        self._truncate(to_ply)

    def _truncate(self, to_ply: int) -> None:
        present, previous = self._state_at(to_ply), self._state_at(max(0, to_ply - 1))
        self._previous, self._present = previous, present
        del self._history[to_ply:]
        del self._movers[to_ply:]
        del self._snapshots[to_ply // SNAPSHOT_EVERY + 1 :]
        self._comments = {ply: text for ply, text in self._comments.items() if ply <= to_ply}
        for log in self._logs.values():
            log.truncate(to_ply)
        for events in self._events.values():
            del events[to_ply:]

    # Views.

    def view(self, viewer: int = SPECTATOR, at: int | None = None, log_from: int = 0) -> View:
        """Return what a seat or a spectator may know of the match, now or at an earlier ply.

        `log_from`: how many lines of the log the caller has already; they are left out.
        """
        self._check_viewer(viewer)
        ply = self.ply if at is None else at
        self._check_ply(ply)
        state = self._state_at(ply)
        log = self._log(viewer)
        is_present = ply == self.ply
        acts = is_present and viewer == self.to_move
        ended = state.is_terminal()
        return View(
            viewer=viewer,
            names=self.names,
            ply=ply,
            last_ply=self.ply,
            decisions=self._decisions_up_to(ply),
            to_move=int(state.current_player()),
            observation=self.game.observe(state, viewer),
            log=log.lines(ply, log_from),
            comments={of: text for of, text in sorted(self._comments.items()) if of <= ply and log.saw(of)},
            choices=self.choices(viewer) if acts else (),
            can_undo=acts and not self.why_not_undo(viewer),
            scores=tuple(state.scores()) if ended else (),
            returns=tuple(state.returns()) if ended else (),
            commitment=self.dice.commitment if self.dice else "",
            seed=self.dice.seed.hex() if self.is_over and self.dice and self.dice.seed else "",
        )

    def choices(self, seat: int) -> tuple[Choice, ...]:
        """Return what a seat can do now; empty if it is not its turn. For that seat only: choices may show its hand."""
        return choices(self._present) if seat == self.to_move else ()

    @property
    def premove_context(self) -> str:
        """The situation that seats may decide about ahead of their turn; empty: none."""
        return "" if self.is_over else self.game.premove_context(self._present)

    def premove_offers(self, seat: int) -> tuple[PremoveOffer, ...]:
        """Return what a seat may decide ahead of its turn. For that seat only."""
        return () if self.is_over or seat == self.to_move else tuple(self.game.premove_offers(self._present, seat))

    def premove_action(self, order: Premove) -> int:
        """Return the action of the seat to move that follows from what it decided ahead."""
        return self.game.premove_action(self._present, order.key, order.amount)

    def saw(self, viewer: int, ply: int) -> bool:
        """Return whether a viewer has seen what was played or drawn at a ply, then or since."""
        self._check_viewer(viewer)
        self._check_played(ply)
        if self._log(viewer).saw(ply):
            return True
        return self.game.seen_by_now(self._state_at(ply - 1), self._history[ply - 1], self._present, viewer)

    def ghost(self, viewer: int, ply: int, at: int | None = None) -> Ghost:
        """Return what was played at a ply, as a viewer saw it, to be drawn on the board of ply `at` (the present)."""
        return self.ghosts(viewer, [ply], at)[0]

    def ghosts(self, viewer: int, plies: Iterable[int], at: int | None = None) -> list[Ghost]:
        """Return the same for several plies."""
        self._check_viewer(viewer)
        shown = self._scene(self._state_at(self.ply if at is None else at), viewer)
        return [self._ghost(viewer, ply, shown) for ply in plies]

    def _ghost(self, viewer: int, ply: int, shown: Scene) -> Ghost:
        self._check_played(ply)
        before, action = self._state_at(ply - 1), self._history[ply - 1]
        drawn = ghost(before, action, self._state_at(ply), viewer)
        return drawn.moved(*shift_between(self._scene(before, viewer), shown))

    def _scene(self, state: State, viewer: int) -> Scene:
        return self.game.scene(self.game.observe(state, viewer))

    def movers(self) -> tuple[int, ...]:
        """Return who acted at each ply: a seat, or `CHANCE`."""
        return tuple(self._movers)

    def last_turn(self, seat: int) -> int:
        """Return the ply before the latest turn that a seat has ended; 0 if it has not ended one.

        A turn is what a seat does until another seat acts; draws belong to the turn before them.
        """
        self._check_seat(seat)
        end = self._start_of_turn(seat, self.ply) if self.to_move == seat else self.ply
        while end > 0 and self._movers[end - 1] != seat:
            end -= 1
        start = self._start_of_turn(seat, end)
        return self._movers.index(seat, start) if start < end else 0

    def _start_of_turn(self, seat: int, ply: int) -> int:
        """Go back as long as a seat, or chance, acts."""
        while ply > 0 and self._movers[ply - 1] in (seat, CHANCE):
            ply -= 1
        return ply

    def _log(self, viewer: int) -> Log:
        """Return the log of a viewer, brought up to date."""
        log = self._logs.get(viewer) or self._logs.setdefault(viewer, Log(self.game, viewer))
        if log.plies == self.ply:
            return log
        before = self._state_at(log.plies)
        for action in self._history[log.plies :]:
            after = before.clone()
            after.apply(action)
            log.add(before, action, after)
            before = after
        return log

    def _decisions_up_to(self, ply: int) -> int:
        return ply - self._movers[:ply].count(CHANCE)

    # Positions: for bots, for storage and for the review of finished games.

    def resampled(self, seat: int, rng: Random) -> State:
        """Return a position that a seat cannot tell from the true one, for its bot."""
        self._check_viewer(seat)
        return self._present.resample_from_infostate(seat, rng)

    def possible_positions(self, seat: int, seed: int) -> list[State]:
        """Return some positions that a seat cannot tell from the true one: one if nothing is hidden, else several."""
        count = POSSIBLE if self.game.has_hidden_information else 1
        return [self.resampled(seat, Random(POSSIBLE * seed + number)) for number in range(count)]

    def turn(self, seat: int, rng: Random, clock: float) -> Turn:
        """Return what the bot of a seat that is to move gets: all that the seat may know, and nothing else."""
        self._check_seat(seat)
        self._check_turn(seat)
        return Turn(self.resampled(seat, rng), seat, self.events(seat), clock)

    def events(self, viewer: int) -> list[Event]:
        """Return every ply as a seat, or a spectator, saw it: who acted, and the action, or None if it was hidden."""
        self._check_viewer(viewer)
        if not self.game.has_hidden_information:
            return list(zip(self._movers, self._history, strict=True))
        events = self._events.setdefault(viewer, [])
        if len(events) < self.ply:
            state = self._state_at(len(events)).clone()
            for ply in range(len(events), self.ply):
                action = self._history[ply]
                events.append((self._movers[ply], action if self.game.sees(state, action, viewer) else None))
                state.apply(action)
        return list(events)

    def state_at(self, ply: int) -> State:
        """Return a copy of the whole position at a ply; a game with hidden information must be over."""
        self._check_nothing_hidden()
        self._check_ply(ply)
        return self._state_at(ply).clone()

    def actions(self) -> list[tuple[int, int]]:
        """Return every ply as (seat or `CHANCE`, action), hidden ones too: for storage, never for players."""
        return list(zip(self._movers, self._history, strict=True))

    def verify_dice(self) -> int:
        """Check that every draw follows from the seed, and return how many there were; `UnfairDice` names the first
        that does not. Draws from before the match branched off (`branched_at`) are not counted."""
        if self.dice is None and CHANCE in self._movers:
            raise UnfairDice("The draws of this match were made elsewhere: there is no seed to check them by.")
        return verify(self.game, self._history, self.dice) if self.dice else 0

    def _state_at(self, ply: int) -> State:
        """Return the position at a ply: shared, so not to be changed, and never shown to a person."""
        if ply == self.ply:
            return self._present
        if ply == self.ply - 1:
            return self._previous
        start = ply - ply % SNAPSHOT_EVERY
        state = self._snapshots[start // SNAPSHOT_EVERY]
        if ply > start:
            state = state.clone()
        for action in self._history[start:ply]:
            state.apply(action)
        return state

    # Checks.

    def _check_seat(self, seat: int) -> None:
        if not 0 <= seat < self.game.players:
            raise NoSuchSeat(
                phrase("There is no seat {seat}; the seats are 1 to {last}.", seat=seat + 1, last=self.game.players)
            )

    def _check_viewer(self, viewer: int) -> None:
        if viewer != SPECTATOR:
            self._check_seat(viewer)

    def _check_ply(self, ply: int) -> None:
        if not 0 <= ply <= self.ply:
            raise NoSuchPly(phrase("There is no ply {ply}; the last is ply {last}.", ply=ply, last=self.ply))

    def _check_played(self, ply: int) -> None:
        self._check_ply(ply)
        if ply == 0:
            raise NoSuchPly(phrase("Nothing was played or drawn at ply 0; the first is ply 1."))

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
            raise NotYourTurn(phrase("{turn}; nothing is drawn now.", turn=self._whose_turn()))
        self._check_seat(who)
        raise NotYourTurn(phrase("{turn}; {name} has to wait.", turn=self._whose_turn(), name=self._names[who]))

    def _whose_turn(self) -> Phrase:
        if self.to_move == CHANCE:
            return phrase("A draw comes first")
        return phrase("It is {name}'s turn", name=self._names[self.to_move])


def decided(before: State, seat: int, actions: Sequence[int]) -> list[State]:
    """The positions after each of several decisions of a seat, with nothing and nobody between them."""
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
