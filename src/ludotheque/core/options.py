"""The options of a game: what can be set before it starts, with types, defaults and help."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn, cast

from msgspec import Struct

from ludotheque.core.errors import BadOption
from ludotheque.core.phrases import Phrase, short_repr

OptionValue = bool | int | str | dict[str, Any] | None
"""The value of a setting; a `document` is the content of a file (so that a record carries it along), or None."""

_ON = {"on", "yes", "true", "1"}
_OFF = {"off", "no", "false", "0"}
_LONGEST_DOCUMENT = 1_000_000
"""In bytes: more than any board needs, less than would exhaust the memory."""


class Option(Struct, frozen=True, kw_only=True):
    """A setting that can be chosen before a game starts."""

    name: str
    help: str
    default: OptionValue
    choices: tuple[int, ...] | tuple[str, ...] = ()
    meanings: tuple[str, ...] = ()
    """Meanings of the choices, in their order; `{choice}` stands for the choice. Empty if the choices speak
    for themselves."""

    @property
    def kind(self) -> str:
        """`flag`, `number`, `choice` or `document`."""
        if isinstance(self.default, bool):
            return "flag"
        if isinstance(self.default, int):
            return "number"
        return "choice" if isinstance(self.default, str) else "document"

    @property
    def takes(self) -> str:
        """The values that the option takes, for a sentence."""
        if self.kind == "flag":
            return "on or off"
        if self.kind == "document":
            return "the path of a JSON or TOML file"
        return "one of " + ", ".join(str(choice) for choice in self.choices)

    def meaning(self, choice: int | str) -> Phrase:
        """Return what a choice means, for people who set up a game."""
        meanings = dict(zip(self.choices, self.meanings, strict=True)) if self.meanings else {}
        return Phrase(meanings.get(choice, "{choice}"), {"choice": choice})

    def check(self, value: object) -> OptionValue:
        """Return `value` if the option takes it; `BadOption` otherwise."""
        if self.kind == "document":
            fits = value is None or isinstance(value, dict)
        else:
            fits = type(value) is type(self.default) and (self.kind == "flag" or value in self.choices)
        if fits:
            return cast(OptionValue, value)
        raise BadOption(f"The option {self.name} takes {self.takes}, not {short_repr(value)}.")

    def read(self, text: str) -> OptionValue:
        """Parse a value."""
        word = text.strip()
        if self.kind == "document":
            return read_document(word)
        if self.kind == "flag" and word.lower() in _ON | _OFF:
            return word.lower() in _ON
        for choice in self.choices:
            if str(choice) == word.lower():
                return choice
        raise BadOption(f"The option {self.name} takes {self.takes}, not {short_repr(text)}.")

    def write(self, value: OptionValue) -> str:
        """Write a value as `read` parses it; for a document, only that there is one."""
        if isinstance(value, bool):
            return "on" if value else "off"
        if isinstance(value, dict):
            return "a document"
        return "none" if value is None else str(value)


class Variant(Struct, frozen=True, kw_only=True):
    """A game with some of its options set, offered under its own title."""

    name: str
    """The name in addresses: `companies`."""
    title: str
    sentence: str
    """The subject, in one sentence."""
    settings: Mapping[str, OptionValue]
    """Values of the options that it sets."""

    def describes(self, settings: Mapping[str, OptionValue]) -> bool:
        """Whether a game with these settings is this variant."""
        return all(settings.get(name) == value for name, value in self.settings.items())


def read_document(path: str) -> dict[str, Any]:
    """Read a JSON or TOML file."""
    text = _content(path)
    try:
        document = tomllib.loads(text) if path.endswith(".toml") else json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadOption(f"The file {short_repr(path)} is not well formed: {error}.") from error
    if not isinstance(document, dict):
        raise BadOption(f"The file {short_repr(path)} must hold one object at its top.")
    return document


def _content(path: str) -> str:
    try:
        with Path(path).open("rb") as file:
            content = file.read(_LONGEST_DOCUMENT + 1)
        text = content[:_LONGEST_DOCUMENT].decode("utf-8-sig")  # editors of Windows mark UTF-8 so
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is not a text file"
        raise BadOption(f"The file {short_repr(path)} cannot be read: {reason}.") from error
    if len(content) > _LONGEST_DOCUMENT:
        raise BadOption(f"The file {short_repr(path)} is longer than {_LONGEST_DOCUMENT:,} bytes.")
    return text


class Settings(dict[str, OptionValue]):
    """The value of every option of a game that is set up, which cannot be changed. (A `dict`: it can be stored.)"""

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("The settings of a game cannot be changed: load another game.")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[type[Settings], tuple[dict[str, OptionValue]]]:
        return Settings, (dict(self),)


def resolve_settings(options: Sequence[Option], given: Mapping[str, object]) -> dict[str, OptionValue]:
    """The value of every option: given and checked, or the default."""
    known = {option.name: option for option in options}
    for name in given:
        if name not in known:
            raise _unknown(name, known)
    return Settings({name: option.check(given.get(name, option.default)) for name, option in known.items()})


def _unknown(name: str, known: Iterable[str]) -> BadOption:
    return BadOption(f"There is no option {short_repr(name)}; the options are: {', '.join(known) or 'none'}.")


def read_settings(options: Sequence[Option], words: Sequence[str]) -> dict[str, OptionValue]:
    """Parse settings such as `rotation=on`."""
    known = {option.name: option for option in options}
    settings: dict[str, OptionValue] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise BadOption(f"An option is written name=value, not {short_repr(word)}.")
        if name not in known:
            raise _unknown(name, known)
        if name in settings:
            raise BadOption(f"The option {name} is given twice.")
        settings[name] = known[name].read(value)
    return settings


def holds_document(settings: Mapping[str, object]) -> bool:
    """Whether settings hold a board, a landscape or cards of somebody's own: these take time and memory."""
    return any(isinstance(value, dict) for value in settings.values())
