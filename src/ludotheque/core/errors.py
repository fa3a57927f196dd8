"""The errors for mistakes that a person can correct. Every message is one sentence to that person.

A sentence that players can see is a `Phrase`, so that it can be translated; `str()` gives English.
"""

from __future__ import annotations

from ludotheque.core.phrases import ENGLISH, Phrase, Translation


class LudothequeError(ValueError):
    """The base class of all errors that a person caused and can correct."""

    @property
    def sentence(self) -> str | Phrase:
        """The message, as a phrase if it can be translated."""
        return self.args[0] if self.args and isinstance(self.args[0], Phrase) else str(self)

    def render(self, translate: Translation = ENGLISH) -> str:
        """The message in the language of `translate`."""
        sentence = self.sentence
        return sentence.render(translate) if isinstance(sentence, Phrase) else sentence


class MoveError(LudothequeError):
    """A move that cannot be played; the game has not changed."""


class UnreadableMove(MoveError):
    """A text that names no move of this game."""


class IllegalMove(MoveError):
    """A move that the rules do not allow now."""


class AmbiguousMove(MoveError):
    """A text that could mean several legal moves."""


class NotYourTurn(MoveError):
    """A move by a player who is not to act."""


class StaleVersion(MoveError):
    """A move for a position that is no longer current."""


class BadLesson(LudothequeError):
    """A lesson that does not exist or cannot be read, or moves that do not lead through it."""


class BadPuzzle(LudothequeError):
    """A puzzle that does not exist or cannot be read."""


class BadPosition(LudothequeError):
    """A position string that cannot be read, or names an impossible position."""


class BadOption(LudothequeError):
    """An unknown option of a game or a command, or a value that the option does not take."""


class BadRecord(LudothequeError):
    """A record of a game that cannot be read, or does not follow the rules."""


class UnknownGame(LudothequeError):
    """No game of that name is installed."""


class NoSuchBot(LudothequeError):
    """No bot of that name, or no such level."""


class BotFailed(LudothequeError):
    """A bot that made an illegal move, crashed or took too long; its game ends."""


class BadArena(LudothequeError):
    """A contest of bots that cannot be played, or results that belong to another one."""


class BadReview(LudothequeError):
    """A review that cannot be made, or a file of one that belongs to another game or other settings."""


class CannotUndo(LudothequeError):
    """A move that cannot be undone."""


class BadName(LudothequeError):
    """A name of a seat, or a comment, that cannot be shown and stored."""


class NoSuchSeat(LudothequeError):
    """A seat that this table does not have."""


class NoSuchPly(LudothequeError):
    """A ply that has not been played."""


class StillHidden(LudothequeError):
    """Something that stays hidden until the game is over."""


class CannotServe(LudothequeError):
    """A database or setting with which the server cannot start."""


class UnfairDice(LudothequeError):
    """A draw that does not follow from the seed, or a seed that is not the one committed to."""
