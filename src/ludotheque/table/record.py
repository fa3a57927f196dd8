"""The record of a match: all that is needed to play it again, as one plain document.

`record_json` writes it for programs, `record_text` for people, and either can be turned into the other without loss.
Moves and draws are in the game's notation. What the dice committed to is there if the match had any dice, the seed once
it may be known, the result once the game is over.

A record made for one viewer of a running game says so, has `?` for each ply that this viewer has not seen, then or
since, and holds no seed: it can be read and printed, but not played again.

Reading is strict. A record that is taken follows the rules from the first ply to the last, and its result is right.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct

from ludotheque.core.errors import BadRecord, LudothequeError, UnfairDice
from ludotheque.core.game import CHANCE, SPECTATOR
from ludotheque.core.observation import HIDDEN
from ludotheque.core.options import OptionValue
from ludotheque.core.phrases import short_repr
from ludotheque.core.registry import game_class
from ludotheque.table.dice import Dice
from ludotheque.table.match import Match
from ludotheque.table.names import check_comment

FORMAT: Final = "ludotheque-record"
VERSION: Final = 1

Seat = Annotated[int, Meta(ge=0)]


class Ply(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A move of a seat, or a draw."""

    who: Seat | Literal["chance"]
    """A seat from 0, or chance."""
    move: str
    """In the game's notation; `?` if the viewer of the record did not see it."""
    comment: str = ""

    @property
    def is_hidden(self) -> bool:
        return self.move == HIDDEN


class RecordedDice(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What is known of the dice, in hexadecimal."""

    commitment: str
    seed: str = ""
    since: Annotated[int, Meta(ge=0)] = 0
    """The ply up to which draws were made elsewhere: the match goes on from the middle of another."""


class Result(Struct, frozen=True, forbid_unknown_fields=True):
    """How it ended, seat by seat."""

    scores: tuple[int, ...]
    returns: tuple[float, ...]


class Record(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A match written down."""

    format: Literal["ludotheque-record"]
    version: Literal[1]
    game: str
    players: Annotated[int, Meta(ge=1)]
    settings: dict[str, OptionValue]
    seats: tuple[str, ...]
    viewer: Seat | Literal["spectator"] | None = None
    """Whose eyes the record was made for, while the game was running; None if it holds everything."""
    dice: RecordedDice | None = None
    plies: tuple[Ply, ...]
    result: Result | None = None

    @property
    def is_redacted(self) -> bool:
        """Whether plies are hidden, so that the match cannot be played again."""
        return any(ply.is_hidden for ply in self.plies)

    @classmethod
    def full(cls, match: Match) -> Record:
        """Everything, the seed of the dice included: for storage, and for people once the game is over."""
        return _record_of(match, None)

    @classmethod
    def seen_by(cls, match: Match, viewer: int = SPECTATOR) -> Record:
        """The match as a seat or a spectator may have it: without what they did not see, until the game is over."""
        return _record_of(match, None if match.is_over else viewer)

    def to_match(self) -> Match:
        """Play the record again; `BadRecord` says where it breaks the rules."""
        return replay(self, place_in_document)


def _record_of(match: Match, viewer: int | None) -> Record:
    return Record(
        format="ludotheque-record",
        version=1,
        game=match.game.name,
        players=match.game.players,
        settings=dict(match.game.settings),
        seats=match.names,
        viewer="spectator" if viewer == SPECTATOR else viewer,
        dice=_dice_note(match.dice, with_seed=viewer is None),
        plies=_plies(match, viewer),
        result=_result_of(match),
    )


def _plies(match: Match, viewer: int | None) -> tuple[Ply, ...]:
    plies: list[Ply] = []
    state = match.game.new_initial_state()
    for number, (mover, action) in enumerate(match.actions(), 1):
        who: int | Literal["chance"] = "chance" if mover == CHANCE else mover
        if viewer is None or match.saw(viewer, number):
            plies.append(Ply(who, state.action_to_string(action), match.comments.get(number, "")))
        else:
            plies.append(Ply(who, HIDDEN))
        state.apply(action)
    return tuple(plies)


def _dice_note(dice: Dice | None, with_seed: bool) -> RecordedDice | None:
    if dice is None:
        return None
    return RecordedDice(dice.commitment, dice.seed.hex() if with_seed and dice.seed else "", dice.since)


def _result_of(match: Match) -> Result | None:
    if not match.is_over:
        return None
    view = match.view()
    return Result(view.scores, view.returns)


# Reading. Each check says where it was broken off, in words that fit the form the record came in.

Place = Callable[[str], str]
"""From a path in the document, such as `players` or `plies[3]`, to the words for the place; an empty path is all."""


def place_in_document(path: str) -> str:
    """Where something is in a document without lines of its own."""
    ply = re.fullmatch(r"plies\[(\d+)\]", path)
    if ply:
        return f"Ply {int(ply[1]) + 1}"
    return f"The field {path}" if path else "The record"


def record_from(document: object, place: Place) -> Record:
    """The record that plain values make up; only their form is checked."""
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
        raise bad(place((found and found[1]) or ""), what) from error


def check(record: Record, place: Place) -> None:
    """Check all that can be checked: a whole record by playing it again, a redacted one by its form."""
    if record.is_redacted:
        _set_up(record, place)
        _check_redacted(record, place)
    else:
        replay(record, place)


def replay(record: Record, place: Place) -> Match:
    """The match that a record tells of."""
    if record.is_redacted:
        raise BadRecord("This record was made for one viewer and hides what they did not see: it cannot be replayed.")
    match = _set_up(record, place)
    for number, ply in enumerate(record.plies, 1):
        try:
            match.add(CHANCE if ply.who == "chance" else ply.who, ply.move)
            match.comment(number, ply.comment)
        except LudothequeError as error:
            raise bad(f"{place(f'plies[{number - 1}]')}, {short_repr(ply.move)}", error) from error
    _check_result(record.result, _result_of(match), place)
    return match


def _set_up(record: Record, place: Place) -> Match:
    """The match before its first ply."""
    path = "game"
    try:
        kind = game_class(record.game)
        path = "settings" if kind.min_players <= record.players <= kind.max_players else "players"
        game = kind(record.players, record.settings)
        path = "dice"
        dice = _dice(record.dice, len(record.plies)) if record.dice else None
        path = "seats"
        match = Match(game, record.seats, dice)
    except LudothequeError as error:
        raise bad(place(path), error) from error
    _check_viewer(record, place)
    return match


def _dice(note: RecordedDice, plies: int) -> Dice:
    if note.since > plies:
        raise UnfairDice(f"The dice are thrown since ply {note.since}, but the record ends with ply {plies}.")
    return Dice.from_text(note.commitment, note.seed, note.since)


def _check_viewer(record: Record, place: Place) -> None:
    """A record for one viewer is of a running game, and gives nothing away."""
    if record.viewer is None:
        return
    if record.viewer != "spectator" and record.viewer >= record.players:
        raise bad(place("viewer"), f"There is no seat {record.viewer + 1} to have seen the game from.")
    if record.dice and record.dice.seed:
        raise bad(place("dice"), "A record made for one viewer must not hold the seed.")
    if record.result:
        raise bad(place("result"), "A record made for one viewer is of a running game, which has no result.")


def _check_redacted(record: Record, place: Place) -> None:
    for index, ply in enumerate(record.plies):
        where = f"{place(f'plies[{index}]')}, {short_repr(ply.move)}"
        if ply.is_hidden and record.viewer is None:
            raise bad(where, "Only a record made for one viewer may hide a ply.")
        if ply.is_hidden and ply.comment:
            raise bad(where, "A hidden ply must not have a comment.")
        if ply.who != "chance" and ply.who >= record.players:
            raise bad(where, f"There is no seat {ply.who + 1}.")
        try:
            check_comment(ply.comment)
        except LudothequeError as error:
            raise bad(where, error) from error


def _check_result(given: Result | None, due: Result | None, place: Place) -> None:
    if given is None and due is not None:
        raise BadRecord("The game is over after the last ply, but the record has no result.")
    if given is not None and due is None:
        raise bad(place("result"), "The game is not over after the last ply, so there is no result yet.")
    if given != due and due is not None:
        raise bad(place("result"), f"The game ends with the scores {list(due.scores)}, wins {list(due.returns)}.")


def bad(where: str, what: object) -> BadRecord:
    """One sentence that names the place and the reason."""
    reason = " ".join(str(what).split()).rstrip(".")
    if len(reason) > 300:
        reason = reason[:297] + "..."
    shown_whole = "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in reason)
    return BadRecord(f"{where}: {shown_whole}.")
