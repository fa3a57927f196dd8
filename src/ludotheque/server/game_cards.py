"""Facts about a game, for pages and programs that set up a table."""

from __future__ import annotations

from functools import cache
from typing import Any

from msgspec import Struct

from ludotheque.bots.fixed_points import known_fixed_points
from ludotheque.bots.tuning import ForTables, MergedLevels, tuning
from ludotheque.core.game import Game
from ludotheque.core.options import Option, Variant
from ludotheque.core.phrases import Translation, phrase
from ludotheque.core.registry import game_class, game_classes, game_names
from ludotheque.server.errors import Refused
from ludotheque.show.language import Reader, game_translator
from ludotheque.study.lessons import lessons
from ludotheque.study.puzzles import Puzzle, has_puzzles, puzzle_of_day, puzzle_variants, today


class OptionCard(Struct, frozen=True):
    """An option of a game."""

    name: str
    help: str
    kind: str
    default: Any
    choices: tuple[int | str, ...]
    sentences: tuple[str, ...]
    """Meanings of the choices."""


class LessonLink(Struct, frozen=True):
    """A lesson to choose."""

    name: str
    title: str
    url: str


class VariantCard(Struct, frozen=True):
    """A game with some options set, under its own title."""

    name: str
    title: str
    sentence: str
    picture: str
    settings: dict[str, Any]
    """Values of the options that it sets."""
    lessons: tuple[LessonLink, ...]
    puzzle: str
    """The path of today's puzzle; empty if the variant has none."""
    cover: str = ""


class StyleCard(Struct, frozen=True):
    """A style of the bots of a game, at the levels that have styles."""

    style: str
    name: str
    about: str


class MergedCard(Struct, frozen=True):
    """Levels of bots that some tables do not offer, because a weaker one plays as well there."""

    levels: tuple[str, ...]
    seats: tuple[int, ...]
    """Numbers of seats; empty for any number."""
    settings: dict[str, Any]
    """Values of options."""


class BotRating(Struct, frozen=True):
    """The rating of a level, which rated games do not change."""

    level: str
    rating: int
    margin: int
    """Half of its 95% interval."""


class FixedPointsCard(Struct, frozen=True):
    """The levels of bots against which a person can play rated games at some tables."""

    seats: tuple[int, ...]
    """Numbers of seats; empty for any number."""
    settings: dict[str, Any]
    """Values of options."""
    levels: tuple[BotRating, ...]


class GameCard(Struct, frozen=True):
    """A game that can be played."""

    name: str
    title: str
    sentence: str
    min_players: int
    max_players: int
    options: tuple[OptionCard, ...]
    has_hidden_information: bool
    picture: str
    rules: str
    lessons: tuple[LessonLink, ...]
    puzzle: str
    """The path of today's puzzle; empty if the game has none."""
    variants: tuple[VariantCard, ...] = ()
    cover: str = ""
    styles: tuple[StyleCard, ...] = ()
    """Styles of its bots, at the levels that have styles."""
    merged: tuple[MergedCard, ...] = ()
    fixed_points: tuple[FixedPointsCard, ...] = ()


class KeySymbol(Struct, frozen=True):
    """A symbol of the board and what it means."""

    picture: str
    words: str


def game_card(kind: type[Game], reader: Reader) -> GameCard:
    """A game, in the reader's language."""
    return _game_card(kind.name, reader)


@cache
def _game_card(name: str, reader: Reader) -> GameCard:
    kind = game_class(name)
    translate = reader.translate
    return GameCard(
        kind.name,
        translate(kind.title),
        translate(kind.sentence),
        kind.min_players,
        kind.max_players,
        tuple(_option_card(option, game_translator(kind.name, reader.language)) for option in kind.options),
        kind.has_hidden_information,
        f"/api/games/{kind.name}/picture.svg",
        f"/rules/{kind.name}",
        lesson_links(kind, reader),
        puzzle_path(kind.name) if has_puzzles(kind) else "",
        tuple(_variant_card(kind, variant, reader) for variant in kind.variants),
        f"/api/games/{kind.name}/cover.svg",
        _style_cards(kind, reader),
        tuple(_merged_card(kind, merged) for merged in tuning(kind).merged),
        fixed_point_cards(kind),
    )


def _merged_card(kind: type[Game], merged: MergedLevels) -> MergedCard:
    return MergedCard(tuple(map(str, merged.levels)), merged.seats, _settings(kind, merged))


def fixed_point_cards(kind: type[Game]) -> tuple[FixedPointsCard, ...]:
    """The bots of a game whose rating is known, by table."""
    return tuple(
        FixedPointsCard(each.seats, _settings(kind, each), tuple(
            BotRating(level, round(point.rating), round(point.margin)) for level, point in each.levels.items()
        ))
        for each in known_fixed_points(kind)
    )  # fmt: skip


def _settings(kind: type[Game], tables: ForTables) -> dict[str, Any]:
    options = {option.name: option for option in kind.options}
    return {name: options[name].read(value) for name, value in tables.options.items()}


def _style_cards(kind: type[Game], reader: Reader) -> tuple[StyleCard, ...]:
    translate = game_translator(kind.name, reader.language)
    by_name = {style.name: style for style in tuning(kind).styles}
    return tuple(
        StyleCard(name, translate(name).capitalize(), translate(style.about)) for name, style in by_name.items()
    )


def _variant_card(kind: type[Game], variant: Variant, reader: Reader) -> VariantCard:
    translate = game_translator(kind.name, reader.language)
    taught = [lesson.name for lesson in lessons(kind) if variant.describes(lesson.settings)]
    return VariantCard(
        variant.name,
        translate(variant.title),
        translate(variant.sentence),
        f"/api/games/{kind.name}/picture.svg?variant={variant.name}",
        dict(variant.settings),
        tuple(link for link in lesson_links(kind, reader) if link.name in taught),
        puzzle_path(kind.name, variant.name) if has_puzzles(kind, variant.name) else "",
        f"/api/games/{kind.name}/cover.svg?variant={variant.name}",
    )


def puzzle_path(game: str, variant: str = "", page: str = "") -> str:
    """The path of today's puzzle of a game or of one of its variants, or of another page of them: `/all`, `/rush`."""
    return f"/puzzles/{game}{page}" + (f"?variant={variant}" if variant else "")


def picture_path(puzzle: Puzzle, reader: Reader) -> str:
    """The path of the picture of a puzzle's position."""
    return f"/api/puzzles/{puzzle.game}/{puzzle.id}/picture.svg?lang={reader.language}"


def todays_pictures(reader: Reader) -> dict[str, str]:
    """The pictures of today's positions of all games and variants, by the path of the puzzle."""
    return {
        puzzle_path(kind.name, variant): picture_path(puzzle_of_day(kind, today(), variant), reader)
        for kind in game_classes()
        for variant in puzzle_variants(kind)
    }


def _option_card(option: Option, translate: Translation) -> OptionCard:
    sentences = tuple(option.meaning(choice).render(translate) for choice in option.choices)
    return OptionCard(option.name, translate(option.help), option.kind, option.default, option.choices, sentences)


def lesson_links(kind: type[Game], reader: Reader) -> tuple[LessonLink, ...]:
    """The lessons of a game, in the reader's language."""
    translate = game_translator(kind.name, reader.language)
    return tuple(
        LessonLink(each.name, translate(each.title), f"/learn/{kind.name}/{each.name}") for each in lessons(kind)
    )


def key_of(kind: type[Game], reader: Reader) -> list[KeySymbol]:
    """The key to a game's board, in the reader's language."""
    translate = game_translator(kind.name, reader.language)
    return [
        KeySymbol(f"/rules/{kind.name}/key/{number}?lang={reader.language}", entry.words.render(translate))
        for number, entry in enumerate(kind.key())
    ]


def known_game(name: str) -> type[Game]:
    """The class of a game that an address names."""
    if name not in game_names():
        raise Refused(404, "not-found", phrase("There is no such game."))
    return game_class(name)
