"""The facts of a match, for playing, undo and viewing: its set-up, its plies, and the positions they lead to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, final

from ludotheque.core.errors import NoSuchPly, NoSuchSeat
from ludotheque.core.game import CHANCE, SPECTATOR, TERMINAL, Game, State
from ludotheque.core.phrases import Phrase, phrase
from ludotheque.table.dice import Dice
from ludotheque.table.ending import PLAYED_TO_THE_END, Ending

SNAPSHOT_EVERY: Final = 32


@final
class Timeline:
    """The plies of a match and the position after each. Positions are shared: never change one, never show it to a
    person."""

    def __init__(self, game: Game, names: list[str], dice: Dice | None) -> None:
        self.game = game
        self.names = names
        self.dice = dice
        self.ending: Ending = PLAYED_TO_THE_END
        """The resignations, and whether the match was abandoned."""
        self.actions: list[int] = []
        self.movers: list[int] = []
        """The seat that acted at each ply, or `CHANCE`."""
        self.comments: dict[int, str] = {}
        """The comments, by ply."""
        self.present: State = game.new_initial_state()
        self.previous: State = self.present
        """The position before the last ply."""
        self.snapshots: list[State] = [self.present]

    @property
    def ply(self) -> int:
        """The number of plies so far, moves and draws."""
        return len(self.actions)

    @property
    def to_move(self) -> int:
        """The seat to act; `CHANCE` at a draw, `TERMINAL` after the end."""
        return TERMINAL if self.is_ended_early else int(self.present.current_player())

    @property
    def is_over(self) -> bool:
        return self.is_ended_early or self.present.is_terminal()

    @property
    def is_ended_early(self) -> bool:
        """Whether people ended the match before its last move."""
        return self.ending is not PLAYED_TO_THE_END and self.ending.ends(self.game.players)

    def result(self) -> tuple[tuple[int, ...], tuple[float, ...]]:
        """Return scores and shares of the win, by seat; empty while there is no result."""
        if not self.is_over:
            return (), ()
        returns = self.ending.returns(self.game.players) if self.is_ended_early else tuple(self.present.returns())
        return (tuple(self.present.scores()), returns) if returns else ((), ())

    @property
    def branched_at(self) -> int:
        """The ply at which the match branched off another; 0 if it did not."""
        return self.dice.since if self.dice else 0

    def decisions(self, ply: int) -> int:
        """Return how many of the plies up to this one were moves of a seat."""
        return ply - self.movers[:ply].count(CHANCE)

    def state_at(self, ply: int) -> State:
        """Return the position at a ply."""
        if ply == self.ply:
            return self.present
        if ply == self.ply - 1:
            return self.previous
        start = ply - ply % SNAPSHOT_EVERY
        state = self.snapshots[start // SNAPSHOT_EVERY]
        if ply > start:
            state = state.clone()
        for action in self.actions[start:ply]:
            state.apply(action)
        return state

    def append(self, action: int, after: State) -> None:
        """Add a ply and the position after it."""
        self.movers.append(self.to_move)
        self.actions.append(action)
        self.previous, self.present = self.present, after
        if self.ply % SNAPSHOT_EVERY == 0:
            self.snapshots.append(after)

    def truncate(self, to_ply: int) -> None:
        """Drop the plies after this one."""
        self.previous, self.present = self.state_at(max(0, to_ply - 1)), self.state_at(to_ply)
        del self.actions[to_ply:]
        del self.movers[to_ply:]
        del self.snapshots[to_ply // SNAPSHOT_EVERY + 1 :]
        self.comments = {ply: text for ply, text in self.comments.items() if ply <= to_ply}

    def take_over(self, known: Timeline) -> None:
        """Take the plies of an earlier copy, which is given up."""
        self.actions, self.movers, self.snapshots = known.actions, known.movers, known.snapshots
        self.present, self.previous = known.present, known.previous

    def common_plies(self, actions: Sequence[int]) -> int:
        """Return how many plies this and another history begin with alike."""
        pairs = enumerate(zip(self.actions, actions, strict=False))
        return next((ply for ply, (mine, other) in pairs if mine != other), min(self.ply, len(actions)))

    def whose_turn(self) -> Phrase:
        """Return the beginning of a sentence that refuses a move."""
        if self.to_move == CHANCE:
            return phrase("A draw comes first")
        return phrase("It is {name}'s turn", name=self.names[self.to_move])

    def check_seat(self, seat: int) -> None:
        """Raise unless the game has this seat."""
        if not 0 <= seat < self.game.players:
            raise NoSuchSeat(
                phrase("There is no seat {seat}; the seats are 1 to {last}.", seat=seat + 1, last=self.game.players)
            )

    def check_viewer(self, viewer: int) -> None:
        """Raise unless this is a seat or `SPECTATOR`."""
        if viewer != SPECTATOR:
            self.check_seat(viewer)

    def check_ply(self, ply: int) -> None:
        """Raise unless the match has come to this ply; 0 is the initial position."""
        if not 0 <= ply <= self.ply:
            raise NoSuchPly(phrase("There is no ply {ply}; the last is ply {last}.", ply=ply, last=self.ply))

    def check_played(self, ply: int) -> None:
        """Raise unless something was played or drawn at this ply."""
        self.check_ply(ply)
        if ply == 0:
            raise NoSuchPly(phrase("Nothing was played or drawn at ply 0; the first is ply 1."))
