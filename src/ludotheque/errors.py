"""The errors that this package raises for mistakes that a person can correct. Each message is one clear sentence.

For example:

    >>> from ludotheque import load_game
    >>> from ludotheque.errors import LudothequeError
    >>> try:
    ...     load_game("cable-car", players=9)
    ... except LudothequeError as error:
    ...     print(error)
    Cable Car is for 2 to 6 players, not 9.
"""

from ludotheque.core.errors import (
    AmbiguousMove,
    BadArena,
    BadLesson,
    BadName,
    BadOption,
    BadPosition,
    BadPuzzle,
    BadRecord,
    BadReview,
    BotFailed,
    CannotServe,
    CannotUndo,
    IllegalMove,
    LudothequeError,
    MoveError,
    NoSuchBot,
    NoSuchPly,
    NoSuchSeat,
    NotYourTurn,
    StaleVersion,
    StillHidden,
    UnfairDice,
    UnknownGame,
    UnreadableMove,
)

__all__ = [
    "AmbiguousMove",
    "BadArena",
    "BadLesson",
    "BadName",
    "BadOption",
    "BadPosition",
    "BadPuzzle",
    "BadRecord",
    "BadReview",
    "BotFailed",
    "CannotServe",
    "CannotUndo",
    "IllegalMove",
    "LudothequeError",
    "MoveError",
    "NoSuchBot",
    "NoSuchPly",
    "NoSuchSeat",
    "NotYourTurn",
    "StaleVersion",
    "StillHidden",
    "UnfairDice",
    "UnknownGame",
    "UnreadableMove",
]
