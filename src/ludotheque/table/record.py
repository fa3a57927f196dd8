"""The record of a match: everything needed to replay it, as one plain document.

`record_json` writes it for programs, `record_text` for people; each can be converted into the other without loss.
Moves and draws are in the game's notation. If the match has dice, the record holds their commitment and, once the game
is over, their seed. A finished match has a result, unless the players agreed to end it before its last move.

A record made for one viewer of a running game names that viewer, has `?` for each ply that the viewer has not seen, and
holds no seed: it can be read and printed, but not replayed.

Reading is strict: every ply must follow the rules, and the result must be right. A record of another version of the
game than the installed one is refused: its rules may differ.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct

from ludotheque.core.errors import BadRecord, LudothequeError, UnfairDice
from ludotheque.core.game import CHANCE, SPECTATOR, Game
from ludotheque.core.observation import HIDDEN
from ludotheque.core.options import OptionValue
from ludotheque.core.phrases import printable, short_repr
from ludotheque.core.registry import game_class
from ludotheque.table.dice import Dice, Nonce
from ludotheque.table.ending import PLAYED_TO_THE_END, Ending
from ludotheque.table.match import Match
from ludotheque.table.names import check_comment

FORMAT: Final = "ludotheque-record"
VERSION: Final = 1

SeatIndex = Annotated[int, Meta(ge=0)]


class Ply(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A move of a seat, or a draw."""

    who: SeatIndex | Literal["chance"]
    """A seat from 0, or chance."""
    move: str
    """In the game's notation; `?` if the viewer of the record did not see it."""
    comment: str = ""

    @property
    def is_hidden(self) -> bool:
        return self.move == HIDDEN


class RecordedDice(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The dice of a recorded match: commitment, seed and nonces in hexadecimal."""

    commitment: str
    seed: str = ""
    since: Annotated[int, Meta(ge=0)] = 0
    """The draws up to this ply were made by other dice: the match branched off another there."""
    nonces: tuple[Nonce, ...] = ()
    """The players' additions to the dice, by seat."""


class Result(Struct, frozen=True, forbid_unknown_fields=True):
    """The result of a match, by seat."""

    scores: tuple[int, ...]
    returns: tuple[float, ...]


class Record(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A recorded match."""

    format: Literal["ludotheque-record"]
    version: Literal[1]
    game: str
    game_version: Annotated[int, Meta(ge=1)] = 1
    """The `Game.version` that the match was played with; not written while it is 1."""
    players: Annotated[int, Meta(ge=1)]
    settings: dict[str, OptionValue]
    seats: tuple[str, ...]
    viewer: SeatIndex | Literal["spectator"] | None = None
    """The viewer it was made for while the game was running; None if it holds everything."""
    dice: RecordedDice | None = None
    plies: tuple[Ply, ...]
    ending: Ending = PLAYED_TO_THE_END
    """The resignations, and whether the match was abandoned; not written where there is nothing of the kind."""
    result: Result | None = None

    @property
    def is_redacted(self) -> bool:
        """Whether plies are hidden, so that the match cannot be replayed."""
        return any(ply.is_hidden for ply in self.plies)

    @classmethod
    def full(cls, match: Match) -> Record:
        """Record everything, the seed included: for storage, and for players once the game is over."""
        return _record_of(match, None)

    @classmethod
    def seen_by(cls, match: Match, viewer: int = SPECTATOR) -> Record:
        """Record what a seat or a spectator may know; everything once the game is over."""
        return _record_of(match, None if match.is_over else viewer)

    def to_match(self) -> Match:
        """Replay the record; `BadRecord` says where it breaks the rules."""
        return replay(self, locate_in_json)


def _record_of(match: Match, viewer: int | None) -> Record:
    return Record(
        format="ludotheque-record",
        version=1,
        game=match.game.name,
        game_version=match.game.version,
        players=match.game.players,
        settings=dict(match.game.settings),
        seats=match.names,
        viewer="spectator" if viewer == SPECTATOR else viewer,
        dice=_recorded_dice(match.dice, with_seed=viewer is None),
        plies=_plies(match, viewer),
        ending=match.ending,
        result=_result_of(match),
    )


def _plies(match: Match, viewer: int | None) -> tuple[Ply, ...]:
    plies: list[Ply] = []
    state = match.game.new_initial_state()
    for number, (mover, action) in enumerate(match.actions(), 1):
        who: int | Literal["chance"] = "chance" if mover == CHANCE else mover
        if viewer is None or match.viewing.saw(viewer, number):
            plies.append(Ply(who, state.action_to_string(action), match.comments.get(number, "")))
        else:
            plies.append(Ply(who, HIDDEN))
        state.apply(action)
    return tuple(plies)


def _recorded_dice(dice: Dice | None, with_seed: bool) -> RecordedDice | None:
    if dice is None:
        return None
    seed = dice.seed.hex() if with_seed and dice.seed else ""
    return RecordedDice(dice.commitment, seed, dice.since, dice.nonces)


def _result_of(match: Match) -> Result | None:
    view = match.view()
    return Result(view.scores, view.returns) if view.returns else None


# Reading. Each error says where it is, in the terms of the format that the record was read from.

Locate = Callable[[str], str]
"""Describes a place in the source, such as "Line 7", by its path in the document: `players`, `plies[3]`, or empty."""


def locate_in_json(path: str) -> str:
    """Describe a place in a JSON document."""
    ply = re.fullmatch(r"plies\[(\d+)\]", path)
    if ply:
        return f"Ply {int(ply[1]) + 1}"
    return f"The field {path}" if path else "The record"


def parse_record(document: object, locate: Locate) -> Record:
    """Convert plain values into a record; only their form is checked."""
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise BadRecord(f"This is not a record: its format is not given as {FORMAT!r}.")
    version = document.get("version")
    if type(version) is not int or version != VERSION:
        raise BadRecord(f"The version of this record is {short_repr(version)}; this program reads version {VERSION}.")
    try:
        return msgspec.convert(document, Record)
    except msgspec.ValidationError as error:
        message = str(error)
        found = re.search(r"(?s) - at `(?:key` in `)?\$\.?(plies\[\d+\]|\w+)?[^`]*`\Z", message)
        what = message[: found.start()] if found else message
        raise bad_record(locate((found and found[1]) or ""), what) from error


def check(record: Record, locate: Locate) -> None:
    """Check a record: a whole one by replaying it, a redacted one by its form."""
    if record.is_redacted:
        _set_up(record, locate)
        _check_redacted(record, locate)
    else:
        replay(record, locate)


def replay(record: Record, locate: Locate) -> Match:
    """Return the match of a record, replayed by the rules."""
    if record.is_redacted:
        raise BadRecord("This record was made for one viewer and hides what they did not see: it cannot be replayed.")
    match = _set_up(record, locate)
    for number, ply in enumerate(record.plies, 1):
        try:
            match.add(CHANCE if ply.who == "chance" else ply.who, ply.move)
            match.comment(number, ply.comment)
        except LudothequeError as error:
            raise bad_record(f"{locate(f'plies[{number - 1}]')}, {short_repr(ply.move)}", error) from error
    if match.is_over and record.ending.ends(record.players):
        raise bad_record(locate("ending"), "The game was over before, by its last move.")
    match.ending = record.ending
    _check_result(record.result, _result_of(match), locate)
    return match


def _set_up(record: Record, locate: Locate) -> Match:
    """Return the match before its first ply."""
    path = "game"
    try:
        kind = game_class(record.game)
        path = "game_version"
        _check_version(record, kind)
        path = "settings" if kind.min_players <= record.players <= kind.max_players else "players"
        game = kind(record.players, record.settings)
        path = "dice"
        dice = _dice(record.dice, len(record.plies), record.players) if record.dice else None
        path = "seats"
        match = Match(game, record.seats, dice)
    except LudothequeError as error:
        raise bad_record(locate(path), error) from error
    _check_viewer(record, locate)
    _check_ending(record, locate)
    return match


def _check_version(record: Record, kind: type[Game]) -> None:
    """Check that the installed rules are those that the match was played by: others may give another game."""
    if record.game_version != kind.version:
        raise BadRecord(
            f"The match was played with version {record.game_version} of {kind.title}, but version {kind.version} is"
            " installed, whose rules may differ."
        )


def _dice(dice: RecordedDice, plies: int, players: int) -> Dice:
    if dice.since > plies:
        raise UnfairDice(f"The dice draw after ply {dice.since}, but the record ends with ply {plies}.")
    if any(nonce.seat >= players for nonce in dice.nonces):
        raise UnfairDice("A nonce of the dice belongs to a seat that does not exist.")
    return Dice.from_text(dice.commitment, dice.seed, dice.since, dice.nonces)


def _check_viewer(record: Record, locate: Locate) -> None:
    """Check that a record for one viewer is of a running game and holds no seed."""
    if record.viewer is None:
        return
    if record.viewer != "spectator" and record.viewer >= record.players:
        raise bad_record(locate("viewer"), f"There is no seat {record.viewer + 1} to have seen the game from.")
    if record.dice and record.dice.seed:
        raise bad_record(locate("dice"), "A record made for one viewer must not hold the seed.")
    if record.result:
        raise bad_record(locate("result"), "A record made for one viewer is of a running game, which has no result.")


def _check_ending(record: Record, locate: Locate) -> None:
    """Check that those who resigned had a seat, one after the other, and that no ply follows the end of the match."""
    plies = [each.ply for each in record.ending.resigned]
    if any(seat >= record.players for seat in record.ending.seats):
        raise bad_record(locate("ending"), "A seat that does not exist cannot resign.")
    if len(record.ending.seats) < len(plies) or len(plies) >= record.players:
        raise bad_record(locate("ending"), "Each seat resigns at most once, and one is left.")
    if plies != sorted(plies) or record.ending.last_ply > len(record.plies):
        raise bad_record(locate("ending"), "The resignations must be in the order of their plies.")
    if record.ending.winner(record.players) is not None and plies[-1] != len(record.plies):
        raise bad_record(locate("ending"), f"The match ended after ply {plies[-1]}, but the record goes on.")


def _check_redacted(record: Record, locate: Locate) -> None:
    for index, ply in enumerate(record.plies):
        where = f"{locate(f'plies[{index}]')}, {short_repr(ply.move)}"
        if ply.is_hidden and record.viewer is None:
            raise bad_record(where, "Only a record made for one viewer may hide a ply.")
        if ply.is_hidden and ply.comment:
            raise bad_record(where, "A hidden ply must not have a comment.")
        if ply.who != "chance" and ply.who >= record.players:
            raise bad_record(where, f"There is no seat {ply.who + 1}.")
        try:
            check_comment(ply.comment)
        except LudothequeError as error:
            raise bad_record(where, error) from error


def _check_result(given: Result | None, correct: Result | None, locate: Locate) -> None:
    if given is None and correct is not None:
        raise BadRecord("The game is over after the last ply, but the record has no result.")
    if given is not None and correct is None:
        raise bad_record(locate("result"), "The game is not over after the last ply, so there is no result yet.")
    if given != correct and correct is not None:
        raise bad_record(
            locate("result"), f"The game ends with the scores {list(correct.scores)}, wins {list(correct.returns)}."
        )


def bad_record(where: str, what: object) -> BadRecord:
    """Make an error of one sentence that names the place and the reason."""
    reason = " ".join(str(what).split()).rstrip(".")
    if len(reason) > 300:
        reason = reason[:297] + "..."
    return BadRecord(f"{where}: {printable(reason)}.")
