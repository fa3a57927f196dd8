"""A game being played: seats, history, views, undo, fair dice and records.

For example:

    >>> from ludotheque import load_game
    >>> from ludotheque.table import Match, Record, write_text
    >>> match = Match.start(load_game("cable-car", players=2), ["Ann", "Bob"])
    >>> match.play(0, "draw")
    >>> print(write_text(Record.seen_by(match)))  # doctest: +ELLIPSIS
    [Format "ludotheque-record"]
    ...
         (?) (?)
      1. Ann: draw (?)
    <BLANKLINE>
    Result: unfinished
    <BLANKLINE>
"""

from ludotheque.table.dice import Dice, Nonce, verify
from ludotheque.table.ending import Ending, Resignation
from ludotheque.table.log import LogLine
from ludotheque.table.match import Match, Plan
from ludotheque.table.record import Ply, Record, RecordedDice, Result
from ludotheque.table.record_file import read_record
from ludotheque.table.record_json import read_json, write_json
from ludotheque.table.record_text import read_text, write_text
from ludotheque.table.view import View

__all__ = [
    "Dice",
    "Ending",
    "LogLine",
    "Match",
    "Nonce",
    "Plan",
    "Ply",
    "Record",
    "RecordedDice",
    "Resignation",
    "Result",
    "View",
    "read_json",
    "read_record",
    "read_text",
    "verify",
    "write_json",
    "write_text",
]
