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
    AmbiguousMove as AmbiguousMove,
    BadArena as BadArena,
    BadLesson as BadLesson,
    BadName as BadName,
    BadOption as BadOption,
    BadPosition as BadPosition,
    BadPuzzle as BadPuzzle,
    BadRecord as BadRecord,
    BadReview as BadReview,
    BotFailed as BotFailed,
    CannotServe as CannotServe,
    CannotUndo as CannotUndo,
    IllegalMove as IllegalMove,
    LudothequeError as LudothequeError,
    MoveError as MoveError,
    NoSuchBot as NoSuchBot,
    NoSuchPly as NoSuchPly,
    NoSuchSeat as NoSuchSeat,
    NotYourTurn as NotYourTurn,
    StaleVersion as StaleVersion,
    StillHidden as StillHidden,
    UnfairDice as UnfairDice,
    UnknownGame as UnknownGame,
    UnreadableMove as UnreadableMove,
)
