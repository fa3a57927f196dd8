"""Fixed points of ratings: levels whose strength is known from enough games."""

from __future__ import annotations

import pytest
from research.bots import fixed_points

from ludotheque.bots.fixed_points import WIDEST_MARGIN, fixed_points as fixed_points_at, known_fixed_points
from ludotheque.bots.tuning import error_scales
from ludotheque.core.options import OptionValue
from ludotheque.core.registry import game_classes, house_games, load_game


def test_fixed_points_are_those_of_the_error_scales_of_today_and_narrow_enough() -> None:
    for kind in game_classes():
        options = {option.name: option for option in kind.options}
        for each in known_fixed_points(kind):
            settings = {name: options[name].read(value) for name, value in each.options.items()}
            for count in each.seats or range(max(2, kind.min_players), kind.max_players + 1):
                assert each.scales == tuple(error_scales(kind(count, settings)))
            assert all(0 <= point.margin <= WIDEST_MARGIN for point in each.levels.values())


def test_fixed_points_are_for_the_tables_that_were_measured() -> None:
    def levels(**settings: OptionValue) -> list[str]:
        return [*fixed_points_at(load_game("passerelles", 2, **settings))]

    assert levels()[:2] == ["1", "2"]
    assert levels(landscape="europe") == levels(rounds=1) == levels(landscape_file={"pieces": ["3h D3"]}) == []


def test_fixed_points_are_those_of_the_games_that_were_played() -> None:
    steps = fixed_points.read_steps()
    assert steps
    for kind in house_games():
        tables = fixed_points.fixed_points_of(kind.name, steps)
        file = fixed_points.file_of(kind)
        assert file.is_file() == bool(tables)
        assert not tables or file.read_text(encoding="utf-8") == fixed_points.page(tables)


def test_a_level_that_is_not_known_well_enough_is_no_fixed_point() -> None:
    def step(higher: int, results: str) -> fixed_points.Step:
        return fixed_points.Step("nim", 2, "", "", f"bot:{higher}", f"bot:{higher - 1}", "", 1, results)

    def levels(*steps: fixed_points.Step) -> list[str]:
        return [*fixed_points.levels_above({(each.bot, each.against): each for each in steps})]

    known, better = step(2, "1101" * 20), step(3, "1011" * 20)
    assert known.rise.rating == pytest.approx(190, abs=15)
    assert levels(known, better) == ["1", "2", "3"]
    assert levels(better) == ["1"], "not without the step between"
    assert levels(step(2, "1101" * 4)) == ["1"], "too few games"
    assert levels(known, step(3, "1" * 40)) == ["1", "2"], "nobody knows how much stronger it is"


def test_games_of_several_seeds_count_together_and_those_at_other_error_scales_not_at_all() -> None:
    scales = error_scales(load_game("passerelles"))

    def step(seed: int, results: str, *changed: float) -> fixed_points.Step:
        then = " ".join(map(str, [*changed, *scales[len(changed) :]]))
        options = "rounds=2 landscape=none diagonal=closed"
        return fixed_points.Step("passerelles", 2, options, then, "bot:3", "bot:2", "", seed, results)

    def counted(*steps: fixed_points.Step) -> list[str]:
        return [each.results for each in fixed_points.pooled(steps)]

    assert counted(step(1, "1101"), step(2, "01")) == ["110101"]
    assert counted(step(1, "1101"), step(2, "01", 2 * scales[0])) == ["110101"], "level 1 did not play"
    assert counted(step(1, "1101"), step(2, "01", scales[0], 2 * scales[1])) == ["1101"]
