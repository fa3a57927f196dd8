"""The description of a board of Chicago Express, from `board.toml` or a custom file, read and validated.

A player's file has the form of `board.toml`, and what it leaves out is as printed; only `hexes` replaces the whole map,
and `corrections` changes values of single hexes. Everything is checked here, so that tables and rules can trust it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from msgspec import Struct, structs

from ludotheque.core.errors import BadOption
from ludotheque.games.chicago_express.landmarks import Landmark, landmarks

TERRAINS: Final = ("plain", "forest", "mountain", "city", "industrial", "start")
COMPANY_IDS: Final = ("PRR", "B&O", "C&O", "NYC", "WAB")
INDUSTRY_NAMES: Final = ("Detroit", "Wheeling", "Pittsburgh")
DIAL_NAMES: Final = ("auction", "expansion", "development")
COLOURS: Final = ("red", "blue", "yellow", "green", "black", "orange", "purple", "brown")

MOST_HEXES: Final = 180
_HEX_ID: Final = re.compile(r"[A-Z](0|[1-9][0-9]?)")
_LAST_ROW: Final = 25
_FLAGS: Final = {"name", "name_is_a_guess", "doubt"}
_FIELDS: Final = {
    "plain": {"cost"},
    "forest": {"cost"},
    "mountain": {"cost", "income", "development"},
    "city": {"cost", "income", "development"},
    "industrial": {"cost"},
    "start": set[str](),
}
"""Numbers that a hex has, by terrain."""


def place(id: str) -> tuple[int, int]:
    """Column and row of a hex, from 0."""
    return ord(id[0]) - ord("A"), int(id[1:])


class Hex(Struct, frozen=True):
    """One hex of the map; numbers that its terrain does not have are 0."""

    id: str
    terrain: str
    cost: int = 0
    income: int = 0
    development: int = 0
    name: str = ""
    name_is_a_guess: bool = False
    doubt: str = ""
    landmark: Landmark | None = None
    """The town by which it is found, if it has no name and one is near."""

    @property
    def place(self) -> tuple[int, int]:
        return place(self.id)

    @property
    def title(self) -> str:
        """The name if it has one, else the id."""
        return self.name or self.id


class Company(Struct, frozen=True):
    id: str
    name: str
    colour: str
    shares: int
    locomotives: int
    start: str
    income: int
    opening_bid: int = 0
    """None for the Wabash, which has no opening auction."""
    income_if_start_developed: int = 0
    """For the Wabash, whose start is a city."""


class Industry(Struct, frozen=True):
    """An industrial city and its track."""

    name: str
    hex: str
    track: tuple[int, ...]


class Facts(Struct, frozen=True):
    """The description of a board, validated."""

    cash: int
    houses: int
    chicago: str
    forest_development_cash: int
    expansion_limit: int
    opening_auctions: tuple[str, ...]
    dials: tuple[int, ...]
    """Auction, expansion, development: how many times until the red."""
    industry: tuple[Industry, ...]
    """Detroit, Wheeling, Pittsburgh."""
    companies: tuple[Company, ...]
    hexes: tuple[Hex, ...]
    """Hexes by column, then by row."""

    def hex(self, id: str) -> Hex:
        return next(hex for hex in self.hexes if hex.id == id)


PRINTED_DOCUMENT: Final[dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("board.toml").read_text(encoding="utf-8")
)


def read_board(document: Mapping[str, Any]) -> Facts:
    """Read a user's document; what it leaves out is as printed. `BadOption` says what is wrong with it."""
    _check_keys(document, {*PRINTED_DOCUMENT, "corrections"}, "the board")
    whole = _laid_over(PRINTED_DOCUMENT, document)
    facts = Facts(
        cash=_number(whole, "cash", 60, 6000, "the board"),
        houses=_number(whole, "houses", 4, 100, "the board"),
        chicago=_text(whole, "chicago", "the board"),
        forest_development_cash=_number(whole, "forest_development_cash", 0, 99, "the board"),
        expansion_limit=_number(whole, "expansion_limit", 1, 9, "the board"),
        opening_auctions=_opening_auctions(whole["opening_auctions"]),
        dials=_dials(_table(whole, "dials", "the board")),
        industry=_industries(_table(whole, "industry", "the board")),
        companies=_companies(_table(whole, "companies", "the board")),
        hexes=_hexes(whole),
    )
    _check_map(facts)
    return facts


def _laid_over(printed: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Merge the given values into the printed ones, table by table; a map replaces the whole map."""
    whole = {**printed, **given}
    for key, value in given.items():
        if isinstance(value, dict) and isinstance(printed.get(key), dict) and key != "hexes":
            whole[key] = _laid_over(printed[key], value)
    return whole


# Single values.


def _wrong(sentence: str) -> BadOption:
    return BadOption(f"This board cannot be played: {sentence}")


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."


def _check_keys(table: Mapping[str, Any], known: set[str], of: str) -> None:
    for key in table:
        if key not in known:
            raise _wrong(f"{of} has no {_shown(key)}; it may have {', '.join(sorted(known))}.")


def _number(table: Mapping[str, Any], key: str, low: int, high: int, of: str) -> int:
    value = table.get(key)
    if type(value) is not int or not low <= value <= high:
        found = "it is missing" if value is None else f"not {_shown(value)}"
        raise _wrong(f"the {key} of {of} must be a whole number from {low} to {high}, {found}.")
    return value


def _text(table: Mapping[str, Any], key: str, of: str) -> str:
    value = table.get(key)
    if not isinstance(value, str) or not value.strip() or not value.isprintable() or len(value) > 200:
        found = "it is missing" if value is None else f"not {_shown(value)}"
        raise _wrong(f"the {key} of {of} must be a short text, {found}.")
    return value


def _table(table: Mapping[str, Any], key: str, of: str) -> dict[str, Any]:
    value = table.get(key)
    if not isinstance(value, dict):
        raise _wrong(f"the {key} of {of} must be a table.")
    return value


# The parts of the board.


def _opening_auctions(order: object) -> tuple[str, ...]:
    if not isinstance(order, list) or sorted(map(str, order)) != sorted(COMPANY_IDS[:-1]):
        raise _wrong(f"the opening_auctions must name each of {', '.join(COMPANY_IDS[:-1])} once, in their order.")
    return tuple(order)


def _dials(table: dict[str, Any]) -> tuple[int, ...]:
    _check_keys(table, {*DIAL_NAMES}, "the table of dials")
    return tuple(_number(table, dial, 1, 9, "the dials") for dial in DIAL_NAMES)


def _industries(table: dict[str, Any]) -> tuple[Industry, ...]:
    _check_keys(table, {*INDUSTRY_NAMES}, "the table of industry")
    return tuple(_industry(name, _table(table, name, "the industry")) for name in INDUSTRY_NAMES)


def _industry(name: str, table: dict[str, Any]) -> Industry:
    _check_keys(table, {"hex", "track"}, name)
    track = table.get("track")
    if not isinstance(track, list) or not _is_track(track):
        raise _wrong(f"the track of {name} must be 2 to 16 rising whole numbers from 0 to 50.")
    return Industry(name, _text(table, "hex", name), tuple(track))


def _is_track(values: list[Any]) -> bool:
    numbers = all(type(value) is int and 0 <= value <= 50 for value in values)
    return numbers and 2 <= len(values) <= 16 and all(low < high for low, high in pairwise(values))


def _companies(table: dict[str, Any]) -> tuple[Company, ...]:
    _check_keys(table, {*COMPANY_IDS}, "the table of companies")
    return tuple(_company(id, _table(table, id, "the companies")) for id in COMPANY_IDS)


def _company(id: str, table: dict[str, Any]) -> Company:
    opens = "income_if_start_developed" if id == "WAB" else "opening_bid"
    _check_keys(table, {"name", "colour", "shares", "locomotives", "start", "income", opens}, id)
    return Company(
        id=id,
        name=_text(table, "name", id),
        colour=_colour(table.get("colour"), id),
        shares=_number(table, "shares", 1, 9, id),
        locomotives=_number(table, "locomotives", 2, 60, id),
        start=_text(table, "start", id),
        income=_number(table, "income", 1, 50, id),
        **{opens: _number(table, opens, 1, 99, id)},
    )


def _colour(colour: object, id: str) -> str:
    if colour not in COLOURS:
        raise _wrong(f"the colour of {id} must be one of {', '.join(COLOURS)}, not {_shown(colour)}.")
    return str(colour)


def _hexes(whole: dict[str, Any]) -> tuple[Hex, ...]:
    tables = {id: _table(whole["hexes"], id, "the map") for id in _table(whole, "hexes", "the board")}
    if not 0 < len(tables) <= MOST_HEXES:
        raise _wrong(f"the map must have 1 to {MOST_HEXES} hexes, not {len(tables)}.")
    corrections = _table(whole, "corrections", "the board") if "corrections" in whole else {}
    for id in corrections:
        if id not in tables:
            raise _wrong(f"the corrections name the hex {_shown(id)}, which is not on the map.")
        tables[id] = _corrected(tables[id], _table(corrections, id, "the corrections"))
    chicago = whole["chicago"]
    if tables.get(chicago, {}).get("terrain") != "city":
        raise _wrong(f"Chicago must be a city on the map, and {_shown(chicago)} is not.")
    hexes = [_hex(id, table, is_chicago=id == chicago) for id, table in tables.items()]
    return _with_landmarks(sorted(hexes, key=lambda hex: hex.place))


def _with_landmarks(hexes: list[Hex]) -> tuple[Hex, ...]:
    """The hexes, those without a name with the town by which they are found."""
    towns = [(hex.place, hex.name) for hex in hexes if hex.name]
    found = iter(landmarks([(hex.place, hex.terrain) for hex in hexes if not hex.name], towns))
    return tuple([hex if hex.name else structs.replace(hex, landmark=next(found)) for hex in hexes])


def _corrected(hex: dict[str, Any], correction: dict[str, Any]) -> dict[str, Any]:
    """A hex with an owner's values: its doubt is settled, and so is a name that the owner gives."""
    settled = {"doubt"} | ({"name_is_a_guess"} if "name" in correction else set())
    kept = {key: value for key, value in hex.items() if key not in settled}
    if correction.get("terrain", hex.get("terrain")) != hex.get("terrain"):
        kept = {key: value for key, value in kept.items() if key in _FLAGS}
    return {**kept, **correction}


def _hex(id: str, table: dict[str, Any], is_chicago: bool) -> Hex:
    if not _HEX_ID.fullmatch(str(id)) or int(id[1:]) > _LAST_ROW:
        raise _wrong(f"{_shown(id)} is not a hex: write a letter A to Z and a row from 0 to {_LAST_ROW}.")
    terrain = table.get("terrain")
    if terrain not in TERRAINS:
        raise _wrong(f"the terrain of hex {id} must be one of {', '.join(TERRAINS)}, not {_shown(terrain)}.")
    needed = _FIELDS[terrain] - ({"development"} if is_chicago else set())
    _check_keys(table, {"terrain", *needed, *_FLAGS}, f"the {terrain} hex {id}")
    guess = table.get("name_is_a_guess", False)
    if not isinstance(guess, bool):
        raise _wrong(f"the name_is_a_guess of hex {id} must be true or false, not {_shown(guess)}.")
    return Hex(
        id=id,
        terrain=terrain,
        cost=_number(table, "cost", 1, 9, f"hex {id}") if "cost" in needed else 0,
        income=_number(table, "income", 0, 20, f"hex {id}") if "income" in needed else 0,
        development=_number(table, "development", 0, 20, f"hex {id}") if "development" in needed else 0,
        name=_text(table, "name", f"hex {id}") if "name" in table else "",
        name_is_a_guess=guess,
        doubt=_text(table, "doubt", f"hex {id}") if "doubt" in table else "",
    )


# The map as a whole.


def neighbours(column: int, row: int) -> list[tuple[int, int]]:
    """The six places around one; every second column lies half a hex further south."""
    north = row - 1 if column % 2 == 0 else row
    beside = [(column + step, north + down) for step in (-1, 1) for down in (0, 1)]
    return [(column, row - 1), (column, row + 1), *beside]


def _check_map(facts: Facts) -> None:
    if facts.cash % 60:
        raise _wrong(f"the cash must be a multiple of 60, to be shared out by 2 to 6 players, not {facts.cash}.")
    terrain = {hex.id: hex.terrain for hex in facts.hexes}
    _check_starts(facts, terrain)
    _check_industry(facts, terrain)
    _check_connected(facts)


def _check_starts(facts: Facts, terrain: dict[str, str]) -> None:
    *four, wabash = facts.companies
    for company in four:
        if terrain.get(company.start) != "start":
            raise _wrong(f"{company.id} must start on a start hex of the map, and {_shown(company.start)} is not.")
    if len({company.start for company in four}) < len(four):
        raise _wrong("each of the four companies must have a start hex of its own.")
    for id, kind in terrain.items():
        if kind == "start" and id not in [company.start for company in four]:
            raise _wrong(f"no company starts on the start hex {id}.")
    if terrain.get(wabash.start) != "city" or wabash.start == facts.chicago:
        raise _wrong(f"the Wabash must start on a city that is not Chicago, and {_shown(wabash.start)} is not.")
    developed = wabash.income + facts.hex(wabash.start).development
    if wabash.income_if_start_developed != developed:
        raise _wrong(f"the income_if_start_developed of WAB must be {developed}, as {wabash.start} develops.")


def _check_industry(facts: Facts, terrain: dict[str, str]) -> None:
    places = [industry.hex for industry in facts.industry]
    for industry in facts.industry:
        if terrain.get(industry.hex) != "industrial" or places.count(industry.hex) > 1:
            raise _wrong(f"{industry.name} must be an industrial hex of its own, and {_shown(industry.hex)} is not.")
    for id, kind in terrain.items():
        if kind == "industrial" and id not in places:
            raise _wrong(f"the industrial hex {id} belongs to none of {', '.join(INDUSTRY_NAMES)}.")


def _check_connected(facts: Facts) -> None:
    """Check that every hex can be reached from every start: no one builds on start hexes, so they connect nothing."""
    ground = {hex.place: hex for hex in facts.hexes if hex.terrain != "start"}
    reached = {facts.hex(facts.chicago).place}
    edge = set(reached)
    while edge:
        edge = {place for reach in edge for place in neighbours(*reach) if place in ground} - reached
        reached |= edge
    for place, hex in ground.items():
        if place not in reached:
            raise _wrong(f"the map is not connected: no track can lead from {hex.title} to Chicago.")
    for company in facts.companies:
        if not any(place in ground for place in neighbours(*facts.hex(company.start).place)):
            raise _wrong(f"the map is not connected: no track can leave the start of {company.id}, {company.start}.")


PRINTED: Final = read_board({})
