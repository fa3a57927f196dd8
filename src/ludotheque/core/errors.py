"""What can be wrong with what a person gave us. Every message is one sentence to that person.

A sentence that people meet at the table is a `Phrase`, so that it can be told in their language; `str()` gives English.
"""

from __future__ import annotations

from collections.abc import Callable

from ludotheque.core.phrases import Phrase


class LudothequeError(ValueError):
    """The root of all errors that a person caused and can mend."""

    @property
    def sentence(self) -> str | Phrase:
        """What is wrong."""
        return self.args[0] if self.args and isinstance(self.args[0], Phrase) else str(self)

    def render(self, translate: Callable[[str], str] = str) -> str:
        """The sentence for a reader."""
        sentence = self.sentence
        return sentence.render(translate) if isinstance(sentence, Phrase) else sentence


class MoveError(LudothequeError):
    """A move that cannot be played; the game is untouched."""


class UnreadableMove(MoveError):
    """The words do not name any move of this game."""


class IllegalMove(MoveError):
    """A move of this game, but not one the rules allow now."""


class AmbiguousMove(MoveError):
    """The words could mean several legal moves."""


class NotYourTurn(MoveError):
    """Somebody moved who is not to act."""


class StaleVersion(MoveError):
    """A move meant for a position that is no longer the present one."""


class BadLesson(LudothequeError):
    """A lesson that there is not, that cannot be read, or a way that does not lead through it."""


class BadPuzzle(LudothequeError):
    """A puzzle that there is not, or that cannot be read."""


class BadPosition(LudothequeError):
    """A position string that cannot be read, or names an impossible position."""


class BadOption(LudothequeError):
    """An option of a game or a command that there is not, or a value it cannot take."""


class BadRecord(LudothequeError):
    """A record of a game that cannot be read, or does not follow the rules."""


class UnknownGame(LudothequeError):
    """No game of that name is installed."""


class NoSuchBot(LudothequeError):
    """No bot of that name, or no such level."""


class BadArena(LudothequeError):
    """A contest of bots that cannot be played, or results that belong to another one."""


class BadReview(LudothequeError):
    """A review that cannot be made, or a file of one that belongs to another game or other settings."""


class CannotUndo(LudothequeError):
    """A move that may not be taken back."""


class BadName(LudothequeError):
    """A name of a seat, or a comment, that cannot be shown and stored."""


class NoSuchSeat(LudothequeError):
    """A seat that this table does not have."""


class NoSuchPly(LudothequeError):
    """A ply that has not been played."""


class StillHidden(LudothequeError):
    """Something that stays hidden until the game is over."""


class CannotServe(LudothequeError):
    """Tables that this server cannot open."""


class UnfairDice(LudothequeError):
    """A draw that does not follow from the seed, or a seed that is not the one committed to."""
