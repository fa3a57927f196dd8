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
)
from ludotheque.core.errors import (
    BadArena as BadArena,
)
from ludotheque.core.errors import (
    BadLesson as BadLesson,
)
from ludotheque.core.errors import (
    BadName as BadName,
)
from ludotheque.core.errors import (
    BadOption as BadOption,
)
from ludotheque.core.errors import (
    BadPosition as BadPosition,
)
from ludotheque.core.errors import (
    BadPuzzle as BadPuzzle,
)
from ludotheque.core.errors import (
    BadRecord as BadRecord,
)
from ludotheque.core.errors import (
    BadReview as BadReview,
)
from ludotheque.core.errors import (
    BotFailed as BotFailed,
)
from ludotheque.core.errors import (
    CannotServe as CannotServe,
)
from ludotheque.core.errors import (
    CannotUndo as CannotUndo,
)
from ludotheque.core.errors import (
    IllegalMove as IllegalMove,
)
from ludotheque.core.errors import (
    LudothequeError as LudothequeError,
)
from ludotheque.core.errors import (
    MoveError as MoveError,
)
from ludotheque.core.errors import (
    NoSuchBot as NoSuchBot,
)
from ludotheque.core.errors import (
    NoSuchPly as NoSuchPly,
)
from ludotheque.core.errors import (
    NoSuchSeat as NoSuchSeat,
)
from ludotheque.core.errors import (
    NotYourTurn as NotYourTurn,
)
from ludotheque.core.errors import (
    StaleVersion as StaleVersion,
)
from ludotheque.core.errors import (
    StillHidden as StillHidden,
)
from ludotheque.core.errors import (
    UnfairDice as UnfairDice,
)
from ludotheque.core.errors import (
    UnknownGame as UnknownGame,
)
from ludotheque.core.errors import (
    UnreadableMove as UnreadableMove,
)
