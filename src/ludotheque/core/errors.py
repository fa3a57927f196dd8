"""What can be wrong with what a person gave us. Every message is one sentence to that person."""


class LudothequeError(ValueError):
    """The root of all errors that a person caused and can mend."""


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


class BadPosition(LudothequeError):
    """A position string that cannot be read, or names an impossible position."""


class BadOption(LudothequeError):
    """An option that the game does not have, or a value it cannot take."""


class BadRecord(LudothequeError):
    """A record of a game that cannot be read, or does not follow the rules."""


class UnknownGame(LudothequeError):
    """No game of that name is installed."""


class CannotUndo(LudothequeError):
    """A move that may not be taken back."""
