r"""Records as readable text, with the same content as in JSON.

First the header, one tag per line with its value as JSON; then the moves, each with its number, the player, and in
parentheses what was drawn after it; comments in braces; the result last::

    [Format "ludotheque-record"]
    [Version 1]
    [Game "cable-car"]
    [Players 2]
    [Option hand 1]
    [Seat 1 "Ann"]
    [Seat 2 "Bob"]
    [Dice "64 hexadecimal digits"]
    [Seed "64 more"]

      (aacb) (bbcd)
      1. Ann: aacb D1 {Towards the power station.} (adcb)
      2. Bob: draw (aaca)
      3. Bob: aaca H4

    Result: Ann 101 (1), Bob 97 (0)

The draws before the first move have their own lines, and a long line may continue on the next one. Each score is
followed by the share of the win; a running game ends with `Result: unfinished`. Where names are equal, or hold a colon
and a space, the moves label the seats `Seat 1`, `Seat 2`. A move with odd spaces or any of ``( ) { } " \`` in it is
written as a JSON string. In comments, ``\{ \} \\ \n \t`` are braces, backslash, new line and tab. A record for one
viewer has `[Viewer 1]` (a seat, from 1) or `[Viewer "spectator"]` in its header. The record of a branch has
`[Since 17]`: the draws up to ply 17 were made by other dice. What people added to the dice is in
`[Nonce 1 ["commitment", "nonce"]]`, by seat; a seat that was left out has only its commitment. `[Resigned 2 17]`: seat
2 resigned after ply 17; `[TimedOut 2 17]`: it lost on time. A match that its players agreed to end has
`Result: abandoned`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, Final

import msgspec

from ludotheque.core.errors import BadRecord
from ludotheque.core.phrases import short_repr
from ludotheque.table.record import Ply, Record, bad_record, check, parse_record

WIDTH: Final = 100
LINES: Final = 50_000
"""The most lines that a record may have."""
LINE_LENGTH: Final = 20_000
"""The longest line of moves; a line of the header may hold a whole board."""
_INDENT: Final = "    "
_UNFINISHED: Final = "unfinished"
_ABANDONED: Final = "abandoned"

_PLAIN: Final = r"""[^(){}"\\\s]+(?: [^(){}"\\\s]+)*"""
_QUOTED: Final = r'"(?:[^"\\]|\\.)*"'
_MOVE: Final = re.compile(rf"{_PLAIN}|{_QUOTED}")
_DRAW_OR_COMMENT: Final = re.compile(rf" *(?:\((?P<draw>{_MOVE.pattern})\)|\{{(?P<comment>(?:[^{{}}\\]|\\.)*)\}}) *")
_TAG: Final = re.compile(r"\[(?P<tag>\w+) (?P<value>.*)\]")

_ESCAPES: Final = {"\\": "\\\\", "{": "\\{", "}": "\\}", "\n": "\\n", "\t": "\\t"}
_UNESCAPES: Final = {escape: character for character, escape in _ESCAPES.items()}
_PATHS: Final = {
    "Format": "format",
    "Version": "version",
    "Game": "game",
    "GameVersion": "game_version",
    "Players": "players",
    "Option": "settings",
    "Seat": "seats",
    "Viewer": "viewer",
    "Dice": "dice",
    "Seed": "dice",
    "Since": "dice",
    "Nonce": "dice",
    "Resigned": "ending",
    "TimedOut": "ending",
}
"""Fields of the document by header tag."""
_DICE: Final = {"Dice": "commitment", "Seed": "seed", "Since": "since"}


def _labels(names: Sequence[str]) -> list[str]:
    """Return the labels of the seats in the moves: their names, or numbers where names would be ambiguous."""
    if len(set(names)) == len(names) and not any(": " in name for name in names):
        return list(names)
    return [f"Seat {seat + 1}" for seat in range(len(names))]


# Writing.


def write_text(record: Record) -> str:
    """Write a record as text."""
    lines = [*_header(record), "", *_moves(record), "", f"Result: {_result(record)}"]
    return "\n".join(lines) + "\n"


def _header(record: Record) -> Iterator[str]:
    yield _tag("Format", record.format)
    yield _tag("Version", record.version)
    yield _tag("Game", record.game)
    if record.game_version != 1:
        yield _tag("GameVersion", record.game_version)
    yield _tag("Players", record.players)
    for name, value in record.settings.items():
        yield _tag(f"Option {name}", value)
    for seat, name in enumerate(record.seats):
        yield _tag(f"Seat {seat + 1}", name)
    if record.viewer is not None:
        yield _tag("Viewer", record.viewer if record.viewer == "spectator" else record.viewer + 1)
    if record.dice:
        yield _tag("Dice", record.dice.commitment)
        if record.dice.seed:
            yield _tag("Seed", record.dice.seed)
        if record.dice.since:
            yield _tag("Since", record.dice.since)
        for added in record.dice.nonces:
            yield _tag(f"Nonce {added.seat + 1}", [text for text in (added.commitment, added.nonce) if text])
    for each in record.ending.resigned:
        yield _tag(f"{'TimedOut' if each.timed_out else 'Resigned'} {each.seat + 1}", each.ply)


def _tag(name: str, value: object) -> str:
    return f"[{name} {_json(value)}]"


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _moves(record: Record) -> Iterator[str]:
    labels = _labels(record.seats)
    column = max(len(label) for label in labels) + 1
    decisions = 0
    start, words = _INDENT, list[str]()
    for ply in record.plies:
        if ply.who == "chance":
            words.append(f"({_move(ply)})")
        else:
            yield from _wrapped(start, words)
            decisions += 1
            start, words = f"{decisions:>3}. {labels[ply.who] + ':':<{column}} {_move(ply)}", []
        if ply.comment:
            words.append("{" + _escaped(ply.comment) + "}")
    yield from _wrapped(start, words)


def _wrapped(start: str, words: Sequence[str]) -> Iterator[str]:
    """Yield the start and the words, wrapped at `WIDTH`, with the later lines indented."""
    line = start
    for word in words:
        if line != _INDENT and len(line) + 1 + len(word) > WIDTH:
            yield line
            line = _INDENT
        line += " " + word
    if line != _INDENT:
        yield line


def _move(ply: Ply) -> str:
    return ply.move if re.fullmatch(_PLAIN, ply.move) else _json(ply.move)


def _escaped(comment: str) -> str:
    return "".join(_ESCAPES.get(character, character) for character in comment)


def _result(record: Record) -> str:
    if record.result is None:
        return _ABANDONED if record.ending.abandoned else _UNFINISHED
    seats = zip(_labels(record.seats), record.result.scores, record.result.returns, strict=True)
    return ", ".join(f"{label} {score} ({_number(share)})" for label, score, share in seats)


def _number(share: float) -> str:
    return str(int(share)) if share == int(share) else repr(share)


# Reading.


def read_text(text: str) -> Record:
    """Read a record from text, and check it against the rules."""
    lines = text.split("\n", LINES)
    if len(lines) > LINES:
        raise BadRecord(f"This is too long for a record: one has at most {LINES:,} lines.")
    reader = _TextReader()
    for number, line in enumerate(lines, 1):
        reader.read(number, line.strip())
    if reader.result is None:
        raise BadRecord("The record is incomplete: its last line must be the result.")
    record = parse_record(reader.document(), reader.locate)
    check(record, reader.locate)
    return record


class _TextReader:
    """Parses the text of a record, line by line."""

    def __init__(self) -> None:
        self.tags: dict[str, Any] = {}
        self.settings: dict[str, Any] = {}
        self.seats: list[str] = []
        self.nonces: list[dict[str, Any]] = []
        self.resigned: list[dict[str, Any]] = []
        self.plies: list[dict[str, Any]] = []
        self.decisions = 0
        self.result: dict[str, Any] | str | None = None
        self.line = 0
        self.lines: dict[str, int] = {}
        """Lines of the text by path in the document."""

    @cached_property
    def seats_by_label(self) -> dict[str, int]:
        """Seats by their labels in the moves; final, since no header line can follow a move."""
        return {label: seat for seat, label in enumerate(_labels(self.seats))}

    def document(self) -> dict[str, Any]:
        """Return what was read as plain values, in the shape of the JSON document."""
        dice = {name: self.tags[tag] for tag, name in _DICE.items() if tag in self.tags}
        if self.nonces:
            dice["nonces"] = self.nonces
        document = {_PATHS[tag]: value for tag, value in self.tags.items()}
        document |= {"settings": self.settings, "seats": self.seats, "plies": self.plies}
        if dice:
            document["dice"] = dice
        if type(document.get("viewer")) is int:
            document["viewer"] -= 1
        ending: dict[str, Any] = {"resigned": self.resigned} if self.resigned else {}
        if self.result == _ABANDONED:
            ending["abandoned"] = True
        elif self.result != _UNFINISHED:
            document["result"] = self.result
        return document | ({"ending": ending} if ending else {})

    def locate(self, path: str) -> str:
        """Describe where in the text a path of the document is."""
        if path not in self.lines:
            return "The header"
        ply = re.fullmatch(r"plies\[(\d+)\]", path)
        return f"Line {self.lines[path]} (ply {int(ply[1]) + 1})" if ply else f"Line {self.lines[path]}"

    def fail(self, reason: str) -> BadRecord:
        return bad_record(f"Line {self.line}", reason)

    def read(self, number: int, line: str) -> None:
        self.line = number
        if not line:
            return
        if self.result is not None:
            raise self.fail("Nothing can follow the result.")
        if line.startswith("["):
            self.read_header(line)
        elif len(line) > LINE_LENGTH:
            raise self.fail(f"A line of moves has at most {LINE_LENGTH:,} characters.")
        elif line.startswith("Result:"):
            self.read_result(line.removeprefix("Result:").strip())
        elif line[0] in "({":
            self.read_draws(line)
        else:
            self.read_decision(line)

    # The header.

    def read_header(self, line: str) -> None:
        found = _TAG.fullmatch(line)
        if not found or found["tag"] not in _PATHS:
            raise self.fail(f"{short_repr(line)} is not a header line.")
        if self.plies:
            raise self.fail("The header must come before the moves.")
        tag, value = found["tag"], found["value"]
        self.lines[_PATHS[tag]] = self.line
        if tag == "Option":
            self.read_option(*value.split(" ", 1))
        elif tag == "Seat":
            self.read_seat(*value.split(" ", 1))
        elif tag == "Nonce":
            self.read_nonce(*value.split(" ", 1))
        elif tag in ("Resigned", "TimedOut"):
            self.read_resignation(tag, *value.split(" ", 1))
        elif tag in self.tags:
            raise self.fail(f"{tag} is given twice.")
        else:
            self.tags[tag] = self.value(value)

    def read_nonce(self, number: str, value: str = "") -> None:
        texts = self.value(value)
        if not re.fullmatch("[1-9][0-9]{0,2}", number) or not isinstance(texts, list) or len(texts) not in (1, 2):
            raise self.fail("A nonce has the number of its seat, and in brackets its commitment and its text.")
        self.nonces.append({"seat": int(number) - 1, **dict(zip(("commitment", "nonce"), texts, strict=False))})

    def read_resignation(self, tag: str, number: str, ply: str = "") -> None:
        if not re.fullmatch("[1-9][0-9]{0,2}", number):
            raise self.fail("A resignation has the number of a seat, and the last ply before it.")
        timed_out = {"timed_out": True} if tag == "TimedOut" else {}
        self.resigned.append({"seat": int(number) - 1, "ply": self.value(ply), **timed_out})

    def read_option(self, name: str, value: str = "") -> None:
        if name in self.settings:
            raise self.fail(f"The option {short_repr(name)} is given twice.")
        self.settings[name] = self.value(value)

    def read_seat(self, number: str, value: str = "") -> None:
        if number != str(len(self.seats) + 1):
            raise self.fail(f"Seat {len(self.seats) + 1} comes next, not {short_repr(number)}.")
        name = self.value(value)
        if not isinstance(name, str):
            raise self.fail("The name of a seat must be in quotation marks.")
        self.seats.append(name)

    def value(self, text: str) -> Any:
        """Decode a JSON value."""
        try:
            return msgspec.json.decode(text)
        except (msgspec.DecodeError, RecursionError) as error:
            raise self.fail(f"{short_repr(text)} is not a value: {error}.") from error

    # The moves.

    def read_decision(self, line: str) -> None:
        number, label, rest = self.split_decision(line)
        if number != self.decisions + 1:
            raise self.fail(f"Move {self.decisions + 1} comes next, not {number}.")
        if label not in self.seats_by_label:
            raise self.fail(f"Nobody here is called {short_repr(label)}.")
        self.decisions += 1
        move = _MOVE.match(rest)
        if not move:
            raise self.fail(f"{short_repr(rest)} does not begin with a move.")
        self.add_ply(self.seats_by_label[label], move[0])
        self.read_draws(rest[move.end() :].lstrip())

    def split_decision(self, line: str) -> tuple[int, str, str]:
        """Split `1. Ann: pass` into its number, the player and the rest, in linear time."""
        number, point, after = line.partition(". ")
        label, colon, rest = after.lstrip(" ").partition(": ")
        if not (point and colon and len(number) <= 9 and number.isascii() and number.isdigit()):
            raise self.fail(
                f"{short_repr(line)} is neither a move, such as '1. Ann: pass', nor a draw, nor the result."
            )
        return int(number), label, rest.lstrip(" ")

    def read_draws(self, text: str) -> None:
        """Read draws in parentheses and comments in braces, to the end of the line."""
        position = 0
        while position < len(text):
            found = _DRAW_OR_COMMENT.match(text, position)
            if not found:
                raise self.fail(
                    f"{short_repr(text[position:])} is neither a draw in parentheses nor a comment in braces."
                )
            if found["draw"] is not None:
                self.add_ply("chance", found["draw"])
            else:
                self.add_comment(found["comment"])
            position = found.end()

    def add_ply(self, who: int | str, move: str) -> None:
        self.lines[f"plies[{len(self.plies)}]"] = self.line
        self.plies.append({"who": who, "move": self.value(move) if move[0] == '"' else move})

    def add_comment(self, text: str) -> None:
        if not self.plies or "comment" in self.plies[-1]:
            raise self.fail("A comment must follow a move or a draw, at most one each.")
        for escape in re.findall(r"\\.", text):
            if escape not in _UNESCAPES:
                raise self.fail(f"{escape} is not an escape of a comment; a backslash is written twice.")
        self.plies[-1]["comment"] = re.sub(r"\\.", lambda escape: _UNESCAPES[escape[0]], text)

    # The result.

    def read_result(self, text: str) -> None:
        self.lines["result"] = self.line
        if text in (_UNFINISHED, _ABANDONED):
            self.result = text
            return
        parts = [rf"{re.escape(label)} (-?[0-9]{{1,18}}) \(([^()]*)\)" for label in _labels(self.seats)]
        found = re.fullmatch(", ".join(parts), text)
        if not found or not parts:
            raise self.fail(f"The result names each seat with its score and its share of the win, or {_UNFINISHED!r}.")
        scores, shares = found.groups()[::2], found.groups()[1::2]
        self.result = {"scores": [int(score) for score in scores], "returns": [self.value(share) for share in shares]}
