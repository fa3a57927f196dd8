"""The board and the tiles of Cable Car."""

from __future__ import annotations

import pytest

from ludotheque.core.bits import places
from ludotheque.core.registry import rules_page
from ludotheque.games.cable_car import CableCar, board
from ludotheque.games.cable_car.observation import LETTERS

pytestmark = pytest.mark.both


def test_sixty_tiles_of_twenty_four_types() -> None:
    assert len(board.TYPE_OF_TILE) == 60
    assert len(board.CODES) == len(set(board.CODES)) == 24
    assert [board.CODES[tile] for tile in board.TYPE_OF_TILE].count("aaaa") == 4
    assert [board.CODES[tile] for tile in board.TYPE_OF_TILE].count("dddd") == 2
    assert [board.CODES[tile] for tile in board.TYPE_OF_TILE].count("bcbc") == 3


@pytest.mark.parametrize("code", board.CODES)
def test_a_tile_maps_the_even_ports_one_to_one_to_the_odd_ones(code: str) -> None:
    assert sorted(board.exit_port(code, port) for port in (0, 2, 4, 6)) == [1, 3, 5, 7]


def test_the_copies_of_all_types_are_all_tiles() -> None:
    together = [tile for copies in board.COPIES for tile in places(copies)]
    assert together == list(range(60))


def test_a_quarter_turn_moves_the_last_letter_to_the_front() -> None:
    assert board.turned_code("aacb", 1) == "baac"
    assert board.turned_code("aacb", 2) == "cbaa"
    assert board.turned_code("aacb", 0) == "aacb"


@pytest.mark.parametrize("code", board.CODES)
def test_a_turned_tile_has_its_tracks_two_ports_on(code: str) -> None:
    turned = board.turned_code(code, 1)
    for port in (0, 2, 4, 6):
        assert board.exit_port(turned, (port + 2) % 8) == (board.exit_port(code, port) + 2) % 8


@pytest.mark.parametrize(("code", "turns"), [("aaaa", 1), ("adad", 2), ("aacb", 4)])
def test_turns_that_give_the_same_tracks_are_one(code: str, turns: int) -> None:
    assert board.TURNS[board.TYPE_OF_CODE[code]] == turns


def test_sixty_cells_around_the_power_station() -> None:
    assert len(board.PLACE_OF_CELL) == 60
    assert not {(3, 3), (3, 4), (4, 3), (4, 4)} & set(board.PLACE_OF_CELL)
    assert len(places(board.EDGE)) == 28


@pytest.mark.parametrize(
    ("station", "cell", "entry"),
    [
        (1, (0, 0), 0), (8, (0, 7), 0), (9, (0, 7), 2), (16, (7, 7), 2),
        (17, (7, 7), 4), (24, (7, 0), 4), (25, (7, 0), 6), (32, (0, 0), 6),
    ],
)  # fmt: skip
def test_stations_run_clockwise_from_the_top_left(station: int, cell: tuple[int, int], entry: int) -> None:
    way_in = board.WAY_IN_OF_STATION[station - 1]
    assert board.PLACE_OF_CELL[way_in // 4] == cell
    assert way_in % 4 * 2 == entry


@pytest.mark.parametrize(("port", "across"), [(1, 4), (3, 6), (5, 0), (7, 2)])
def test_a_track_crosses_to_the_port_behind(port: int, across: int) -> None:
    assert board.leads_to(board.CELL_AT[1, 1], port) % 4 * 2 == across


def test_eight_tracks_lead_into_the_power_station() -> None:
    entries = {(board.PLACE_OF_CELL[cell], port) for cell, port in board.POWER_ENTRIES}
    assert entries == {
        ((2, 3), 5), ((2, 4), 5), ((3, 5), 7), ((4, 5), 7), ((5, 4), 1), ((5, 3), 1), ((4, 2), 3), ((3, 2), 3),
    }  # fmt: skip


def test_every_end_is_reached_by_one_track() -> None:
    ends = [board.leads_to(cell, port) for cell in range(60) for port in (1, 3, 5, 7)]
    assert sorted(ends) == sorted(set(ends))
    assert len([end for end in ends if board.ARRIVALS <= end < board.POWER_STATION]) == 32
    assert len([end for end in ends if end >= board.POWER_STATION]) == 8


@pytest.mark.parametrize(("players", "cars"), [(2, 16), (3, 10), (4, 8), (5, 6), (6, 5)])
def test_the_tables_give_each_player_as_many_cars_each_station_at_most_one(players: int, cars: int) -> None:
    table = board.FACTS["cars"][str(players)]
    assert [len(stations) for stations in table.values()] == [cars] * players
    stations = [station for row in table.values() for station in row]
    assert len(stations) == len(set(stations))
    assert list(table) == board.COLOURS[:players]


@pytest.mark.parametrize("players", [3, 5, 6])
def test_stations_16_and_17_carry_no_car_with_3_5_and_6_players(players: int) -> None:
    owners = board.cars(players, companies=False)
    assert [station + 1 for station in range(32) if owners[station] == board.NOBODY] == [16, 17]


def test_the_companies_have_four_cars_each() -> None:
    owners = board.cars(4, companies=True)
    assert [owners.count(company) for company in range(8)] == [4] * 8


@pytest.mark.parametrize(
    ("players", "clockwise"),
    [
        (2, "YBYBYBYB YBYBYBYB YBYBYBYB YBYBYBYB"),
        (3, "YBOYOYBO BOYBOBY. .OBYOBYO YOBYBOYB"),
        (4, "OGBYGOYB GOYBOGBY GOBYOGYB OGYBGOBY"),
        (5, "YGOPYBOP GYPBGYO. .BOPGYBP OGBYOGPB"),
        (6, "YBPOYGKO PYBKPOG. .BYGOKPG BOYKBPGK"),
    ],
)
def test_the_cars_stand_where_the_table_of_the_number_of_players_says(players: int, clockwise: str) -> None:
    assert cars_clockwise(board.cars(players, companies=False)) == clockwise


def test_the_cars_of_the_companies_stand_where_their_table_says() -> None:
    for players in range(2, 7):
        assert cars_clockwise(board.cars(players, companies=True)) == "YBOGPKRN BGYOKNPR OYGBRPNK GOBYNRKP"


def cars_clockwise(owners: list[int]) -> str:
    """The letters of the cars from station 1 on: top, right, bottom, left."""
    letters = ["." if owner == board.NOBODY else LETTERS[board.COLOURS[owner]] for owner in owners]
    return " ".join("".join(letters[side : side + 8]) for side in range(0, 32, 8))


@pytest.mark.parametrize("language", ["en", "fr", "nl"])
def test_the_rules_page_says_where_the_cars_are(language: str) -> None:
    page = " ".join(rules_page(CableCar, language).split())
    tables = [board.FACTS["companies"], *(board.FACTS["cars"][str(players)] for players in (3, 4, 5, 6))]
    for stations in (stations for table in tables for stations in table.values()):
        assert f" {', '.join(map(str, stations))}" in page
