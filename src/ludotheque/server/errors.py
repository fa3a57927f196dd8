"""Errors for clients: a status, a short name for programs and a sentence for people."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from ludotheque.core import errors
from ludotheque.core.errors import LudothequeError
from ludotheque.core.phrases import Phrase, phrase
from ludotheque.show.language import Reader


class ErrorBody(Struct, frozen=True):
    """An error as it is sent."""

    error: str
    sentence: str


class Refused(Exception):
    """A request that is refused. A sentence for people is a phrase; one for programs is plain English."""

    def __init__(self, status: int, error: str, sentence: str | Phrase, retry_after: int = 0) -> None:
        super().__init__(str(sentence))
        self.status = status
        self.error = error
        self.sentence = sentence
        self.retry_after = retry_after

    def body(self, reader: Reader) -> ErrorBody:
        """The error in the reader's language."""
        sentence = self.sentence
        return ErrorBody(self.error, sentence.render(reader.translate) if isinstance(sentence, Phrase) else sentence)


class Undelivered(Exception):
    """A message that could not be sent now. Its text names no address."""


class Unplayable(Refused):
    """A table that cannot be replayed: its game is not installed, or in another version."""

    def __init__(self, sentence: Phrase) -> None:
        super().__init__(409, "unplayable", sentence)


_MEANINGS: Final[dict[type[LudothequeError], tuple[int, str]]] = {
    errors.UnreadableMove: (422, "unreadable-move"),
    errors.AmbiguousMove: (422, "ambiguous-move"),
    errors.IllegalMove: (422, "illegal-move"),
    errors.NotYourTurn: (409, "not-your-turn"),
    errors.StaleVersion: (409, "stale-version"),
    errors.CannotUndo: (409, "cannot-undo"),
    errors.StillHidden: (409, "still-hidden"),
    errors.UnfairDice: (409, "unfair-dice"),
    errors.BadOption: (400, "bad-option"),
    errors.NoSuchBot: (400, "bad-option"),
    errors.BadName: (400, "bad-name"),
    errors.BadRecord: (400, "bad-record"),
    errors.BadReview: (400, "bad-review"),
    errors.UnknownGame: (400, "unknown-game"),
    errors.NoSuchSeat: (404, "no-such-seat"),
    errors.NoSuchPly: (404, "no-such-ply"),
}


def refusal(error: LudothequeError) -> Refused:
    """Translate an error of the layers below."""
    status, name = _MEANINGS.get(type(error), (400, "malformed"))
    return Refused(status, name, error.sentence)


def malformed(message: str) -> Refused:
    """Turn a message of msgspec about a wrong field into a sentence."""
    what, _, where = message.rstrip(".").partition(" - at `$")
    where = where.rstrip("`").lstrip(".")
    return Refused(400, "malformed", (f"{where}: {what}" if where else what)[:300] + ".")


def not_found() -> Refused:
    """The same error whether there is no such table or it is not for this client, so that no one learns which."""
    return Refused(404, "not-found", phrase("There is no such table, or you have no link to it."))


def forbidden(sentence: Phrase) -> Refused:
    return Refused(403, "forbidden", sentence)


def no_profile() -> Refused:
    return Refused(403, "no-profile", phrase("You need a profile for that: choose a name first."))


def has_profile() -> Refused:
    return Refused(409, "has-profile", phrase("This browser has a profile already; delete it first."))


def password_needed() -> Refused:
    return Refused(403, "password-needed", phrase("This table has a password; enter it to go on."))


def stale_version() -> Refused:
    return Refused(409, "stale-version", phrase("The table has changed in the meantime; look again."))


def too_many(seconds: int) -> Refused:
    return Refused(429, "too-many", phrase("Too many requests; wait a moment."), retry_after=max(1, seconds))


def unavailable() -> Refused:
    """The database cannot be used: the disk is full, another program keeps it locked, or it does not respond."""
    sentence = phrase("The server cannot use its database now; try again soon.")
    return Refused(503, "unavailable", sentence, retry_after=5)


def internal_error() -> Refused:
    return Refused(500, "internal", phrase("Something went wrong on our side; try again."))
