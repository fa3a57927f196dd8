"""Arena and ladder: fair seats, the same dice, the same results wherever it runs, and no game played twice."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from ludotheque import load_game
from ludotheque.arena import play, sprt
from ludotheque.bots.levels import level
from ludotheque.bots.players import RandomBot
from ludotheque.core.game import Game
from ludotheque.core.turn import Turn
from ludotheque.errors import LudothequeError
from ludotheque.study.arena import (
    Contest,
    GameTask,
    Outcome,
    make_report,
    on_cores,
    on_ray,
    play_game,
    play_in_process,
    rankings_of,
    run_contest,
)
from ludotheque.study.ladder import HEAD, custom_pairings, pairings, play_ladder, section, with_section
from ludotheque.study.pairing import Pairing, wilson
from ludotheque.study.ratings import MIDDLE, Ranking, Rating, ranks_of, rate
from ludotheque.study.sprt import expected_share, log_likelihood_ratio
from ludotheque.table import read_record

SETTINGS = load_game("cable-car").settings
CONTEST = Contest("cable-car", 2, SETTINGS, ("policy", "greedy", "random"))


def timeless(outcomes: list[Outcome]) -> list[Outcome]:
    return [msgspec.structs.replace(game, seconds=()) for game in outcomes]


def test_every_group_sits_at_every_seat() -> None:
    lineups = CONTEST.lineups()
    assert sorted(lineups) == sorted([(one, two) for one in CONTEST.bots for two in CONTEST.bots if one != two])
    three = Contest("cable-car", 3, SETTINGS, ("policy", "greedy", "greedy")).lineups()
    assert [lineup.index("policy") for lineup in three] == [0, 2, 1]


def test_the_games_of_a_deal_have_the_same_dice(tmp_path: Path) -> None:
    contest = Contest("cable-car", 2, SETTINGS, ("random", "greedy"))
    run_contest(contest, 4, records=tmp_path)
    records = [read_record(path) for path in sorted(tmp_path.iterdir())]
    seeds = [record.dice.seed for record in records if record.dice]
    assert seeds[0] == seeds[1] != seeds[2] == seeds[3]
    assert records[0].plies[:2] == records[1].plies[:2]
    assert records[0].seats == ("random", "greedy")
    assert records[1].seats == ("greedy", "random")


def test_a_game_follows_from_the_contest_and_its_number() -> None:
    outcomes = run_contest(CONTEST, 6)
    assert timeless([play_game(CONTEST, 4)]) == timeless(outcomes)[4:5]


def test_two_processes_give_the_same_results_as_one() -> None:
    assert timeless(run_contest(CONTEST, 8, on_cores(2))) == timeless(run_contest(CONTEST, 8))


def test_a_stopped_contest_goes_on_where_it_stopped(tmp_path: Path) -> None:
    results = tmp_path / "results.jsonl"
    run_contest(CONTEST, 3, results=results)
    with results.open("ab") as file:
        file.write(b'{"number": 3, "cut off')
    played: list[int] = []

    def counting(tasks: Sequence[GameTask], records: Path | None) -> Iterator[tuple[GameTask, Outcome]]:
        played.extend(number for _, number in tasks)
        return play_in_process(tasks, records)

    outcomes = run_contest(CONTEST, 5, counting, results)
    assert played == [3, 4]
    reported: list[Outcome] = []
    assert timeless(run_contest(CONTEST, 4, counting, results, on_outcome=reported.append)) == timeless(outcomes)[:4]
    assert len(reported) == 4
    assert timeless(outcomes) == timeless(run_contest(CONTEST, 5))
    assert timeless(run_contest(CONTEST, 5, counting, results)) == timeless(outcomes)
    assert played == [3, 4]


def test_results_of_another_contest_or_other_bots_are_not_mixed_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = tmp_path / "results.jsonl"
    run_contest(CONTEST, 1, results=results)
    with pytest.raises(LudothequeError, match="another contest"):
        run_contest(msgspec.structs.replace(CONTEST, seed=2), 1, results=results)
    monkeypatch.setattr("ludotheque.study.arena.bots_version", lambda game: "0.1.0+other")
    with pytest.raises(LudothequeError, match=r"of another version: \d.*; these are 0\.1\.0\+other"):
        run_contest(CONTEST, 1, results=results)
    results.write_text("nonsense\n")
    with pytest.raises(LudothequeError, match="does not hold arena results"):
        run_contest(CONTEST, 1, results=results)


@pytest.mark.parametrize("bots", [("random",), ("random", "random"), ("random", "nobody")])
def test_a_contest_that_cannot_be_played_gets_a_sentence(bots: tuple[str, ...]) -> None:
    with pytest.raises(LudothequeError):
        run_contest(Contest("cable-car", 2, SETTINGS, bots), 1)


def test_ray_gives_the_same_results(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stand-in with the few functions of Ray that are used, because Ray itself is too big for a test."""

    def remote(function: Callable[..., Outcome]) -> SimpleNamespace:
        return SimpleNamespace(remote=lambda *words: partial(function, *words))

    def wait(waiting: list[Any]) -> tuple[list[Any], list[Any]]:
        return waiting[-1:], waiting[:-1]

    ray = SimpleNamespace(init=lambda **how: None, remote=remote, wait=wait, get=lambda game: game())
    monkeypatch.setitem(sys.modules, "ray", ray)
    assert timeless(run_contest(CONTEST, 4, on_ray)) == timeless(run_contest(CONTEST, 4))


def test_without_ray_a_sentence_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(LudothequeError, match="pip install"):
        run_contest(CONTEST, 1, on_ray)


def test_a_report_adds_everything_up() -> None:
    games = [
        Outcome(0, 0, ("b", "a"), (10, 4), (1.0, 0.0), (5, 5), (1.0, 0.5)),
        Outcome(1, 0, ("a", "b"), (6, 6), (0.5, 0.5), (5, 5), (0.5, 1.0)),
    ]
    found = make_report(Contest("cable-car", 2, SETTINGS, ("a", "b")), games)
    best = found.bots[0]
    assert (best.name, best.games, best.wins, best.win_rate, best.mean_score) == ("b", 2, 1.5, 0.75, 8.0)
    assert best.seconds_per_move == 0.2
    assert best.rating_low <= best.rating <= best.rating_high
    assert found.beats == {"a": {"b": 0.25}, "b": {"a": 0.75}}


def test_the_games_of_a_deal_are_those_of_a_group_turned_round_the_table() -> None:
    games = [Outcome(number, 0, ("a", "b", "c"), (1, 2, 3), (0, 0, 1), (), ()) for number in range(7)]
    assert [ranking.deal for ranking in rankings_of(games)] == [0, 0, 0, 1, 1, 1, 2]


@pytest.mark.parametrize(("name", "hears"), [("passerelles", True), ("cable-car", False)])
def test_bots_see_all_that_was_done_where_nothing_is_hidden(
    name: str, hears: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    listeners: list[Listener] = []

    class Listener(RandomBot):
        def __init__(self, game: Game, seed: int) -> None:
            super().__init__(game, seed)
            self.actions: list[int | None] = []
            listeners.append(self)

        def choose(self, turn: Turn) -> int:
            self.actions = [action for _, action in turn.events]
            return super().choose(turn)

    monkeypatch.setattr("ludotheque.bots.registry.bot_named", lambda name, game, seed: Listener(game, seed))
    play_game(Contest(name, 2, load_game(name).settings, ("random", "greedy")), 0, tmp_path)
    done = [action for _, action in read_record(next(tmp_path.iterdir())).to_match().actions()]
    for bot in listeners:
        assert len(bot.actions) > 10
        assert (None not in bot.actions) == hears
        assert all(heard in (None, action) for heard, action in zip(bot.actions, done, strict=False))


def test_places_are_by_share_of_the_win_then_by_points() -> None:
    assert ranks_of((0.5, 0.5, 0.0, 0.0), (9, 9, 3, 5)) == (0, 0, 2, 1)


def test_ratings_say_how_much_stronger_and_how_sure() -> None:
    games = [Ranking(deal, ("weak", "strong"), (float(deal % 5 != 0), 0.5)) for deal in range(60)]
    rated = rate(games)
    assert rated["strong"].rating > rated["weak"].rating
    assert rated["strong"].low < rated["strong"].rating < rated["strong"].high
    few = rate(games[:10])
    assert few["strong"].high - few["strong"].low > 0
    assert rate(games) == rated


BOTH_SEATS = ((("weak", "strong"), (1.0, 0.0)), (("strong", "weak"), (0.0, 1.0)))


@pytest.mark.parametrize("deals", [1, 2, 20])
def test_the_interval_of_one_who_won_every_game_has_a_width_that_shrinks(deals: int) -> None:
    won = [Ranking(deal, *game) for deal in range(4 * deals) for game in BOTH_SEATS]
    rated, more = rate(won[: 2 * deals]), rate(won)
    for name in ("weak", "strong"):
        assert rated[name].low < rated[name].rating < rated[name].high
    assert more["strong"].rating > rated["strong"].rating


def test_an_interval_leaves_out_a_fortieth_on_each_side() -> None:
    rated = Rating.of([float(points) for points in reversed(range(100))])
    assert (rated.rating, rated.low, rated.high) == (49.5, 2.0, 97.0)


def test_a_player_with_two_seats_is_rated_by_both() -> None:
    """By the mean of both, whichever of them came out ahead."""
    one, other = (
        rate([Ranking(deal, ("a", "b", "a"), ranks) for deal in range(20)]) for ranks in ((0, 1, 2), (2, 1, 0))
    )
    assert one["a"].rating == pytest.approx(other["a"].rating)
    single = rate([Ranking(0, ("a", "b", "a"), (0, 1, 2))])
    lost, won = MIDDLE - single["a"].rating, single["b"].rating - MIDDLE
    assert 2 * lost == pytest.approx(won, rel=0.05), "what the one wins the two seats of the other lose"


def test_a_player_with_two_seats_gets_one_rating() -> None:
    games = [Ranking(deal, ("a", "b", "b"), (0.0, 1.0, 2.0)) for deal in range(20)]
    rated = rate(games)
    assert set(rated) == {"a", "b"}
    assert rated["a"].rating > rated["b"].rating


def test_the_interval_of_a_win_rate() -> None:
    low, high = wilson(95, 100)
    assert (round(low, 3), round(high, 3)) == (0.888, 0.978)
    assert wilson(0, 10)[0] == 0
    assert wilson(10, 10)[1] == 1


def pairing(*wins: float) -> Pairing:
    """Games of two bots, the first at each seat in turn, with these shares of the win."""
    contest = Contest("cable-car", 2, SETTINGS, ("a", "b"))
    return Pairing(contest, [
        Outcome(number, number // 2, names, (0, 0), (won, 1 - won) if names[0] == "a" else (1 - won, won), (), ())
        for number, won in enumerate(wins) for names in [("a", "b") if number % 2 == 0 else ("b", "a")]
    ])  # fmt: skip


def test_the_interval_of_a_pairing_counts_games_of_one_deal_together() -> None:
    """If the draws decide, both games of a deal go the same way, and say no more than one."""
    apart, together = pairing(*[1.0, 0.0] * 20), pairing(*[1.0, 1.0, 0.0, 0.0] * 10)
    assert apart.win_rate == together.win_rate == apart.even == 0.5
    assert apart.interval() == wilson(20, 40)
    assert together.interval() == wilson(10, 20)
    assert together.shares_by_deal() == [1.0, 0.0] * 10
    assert pairing(1.0, 1.0).interval() == wilson(2, 2)


def test_a_sequential_test_finds_out_which_bot_is_stronger() -> None:
    found = sprt("cable-car", "greedy", "random", high=100)
    assert (found.decision, found.even_win_rate, found.games < 100) == ("stronger", 0.5, True)
    assert found.log_likelihood_ratio >= found.bounds[1]
    assert found.interval[0] < found.win_rate
    assert sprt("cable-car", "random", "greedy", high=100).decision == "not stronger"
    few = sprt("cable-car", "policy", "greedy", high=1, max_games=6)
    assert (few.decision, few.games) == ("undecided", 6)


def test_the_ratio_of_a_test_rises_with_wins_and_is_careful_with_few_games() -> None:
    assert log_likelihood_ratio([0.5] * 10, 0.5, 0, 50) < 0 < log_likelihood_ratio([0.75] * 10, 0.5, 0, 50)
    assert log_likelihood_ratio([1.0] * 2, 0.5, 0, 50) < 2.94 < log_likelihood_ratio([1.0] * 8, 0.5, 0, 50)
    assert expected_share(0.5, 400) == pytest.approx(10 / 11)
    assert expected_share(1 / 3, 0) == pytest.approx(1 / 3)


def test_a_test_that_means_nothing_is_refused() -> None:
    for wrong in ({"low": 50}, {"alpha": 0.0}, {"beta": 0.5}, {"max_games": 0}):
        with pytest.raises(LudothequeError):
            sprt("cable-car", "greedy", "random", **wrong)


def test_more_bots_than_seats_meet_in_groups() -> None:
    report = play("cable_car(players=2)", ["greedy", "policy", "random"], games=6)
    assert [bot.games for bot in report.bots] == [4, 4, 4]


def test_the_ladder_is_a_page_with_a_part_for_each_game(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(
        "ludotheque.study.ladder.pairings", lambda top, divisor: [("policy", "myopic"), ("policy", "bot:1")]
    )
    monkeypatch.setattr("ludotheque.bots.levels.Level.simulations", lambda level, game, divisor=1: 8)
    rated: list[Ranking] = []

    def rate_and_keep(games: Sequence[Ranking]) -> dict[str, Rating]:
        rated.extend(games)
        return rate(games)

    monkeypatch.setattr("ludotheque.study.ladder.rate", rate_and_keep)
    game = load_game("cable-car")
    text = section(game, play_ladder(game, 4, plain=2, folder=tmp_path))
    assert "| bot:1, beginner |" in text
    assert "| policy | myopic | 2 | 100.0% |" in text
    assert "| policy | bot:1 | 4 |" in text
    assert len({ranking.deal for ranking in rated}) == 3, "the pairings had deals of their own"
    page = with_section("", text)
    assert page.startswith(HEAD)
    other = "## A game\n\nOther words.\n"
    both = with_section(page + "\n" + other, text)
    assert with_section(both, text) == both
    assert both.index("## A game") < both.index("## Cable Car")
    assert both.count("## Cable Car") == 1


def test_tables_with_other_options_share_a_folder_of_results(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("ludotheque.study.ladder.pairings", lambda top, divisor: [("policy", "random")])
    for companies in (False, True):
        play_ladder(load_game("cable-car", companies=companies), 1, folder=tmp_path)
    names = ["cable-car-2-companies-on-policy-random.jsonl", "cable-car-2-policy-random.jsonl"]
    assert sorted(path.name for path in tmp_path.iterdir()) == names


def test_with_three_seats_one_bot_meets_two_of_the_other_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludotheque.study.ladder.pairings", lambda top, divisor: [("policy", "random")])
    game = load_game("cable-car", 3)
    played = play_ladder(game, 3)
    assert [outcome.bots.count("policy") for outcome in played[0].outcomes] == [1, 1, 1]
    text = section(game, played)
    assert text.startswith("## Cable Car, 3 seats\n")
    assert "| 33% |" in text


def test_an_own_bot_is_measured_on_the_ladder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("ludotheque.study.ladder.pairings", lambda top, divisor: [])
    game = load_game("cable-car")
    text = section(game, play_ladder(game, 2, top=0, custom=["mine=policy"], folder=tmp_path))
    assert "| mine | random | 2 | 100.0% |" in text
    assert "| mine | greedy | 2 |" in text
    assert "=" not in "".join(path.name for path in tmp_path.iterdir())
    assert custom_pairings(["mine"], 2)[-2:] == [("mine", "bot:1"), ("mine", "bot:2")]


def test_the_ladder_pairs_each_level_with_the_one_below() -> None:
    steps = [pair for pair in pairings() if all(name.startswith("bot") for name in pair)]
    assert steps == [(f"bot:{n + 1}", f"bot:{n}") for n in range(1, 6)]
    assert not any("bot:5" in pair for pair in pairings(4))


def test_a_ladder_in_a_part_of_the_time_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    assert ("bot:2/10", "bot:1/10") in pairings(2, 10)
    monkeypatch.setattr("ludotheque.study.ladder.pairings", lambda top, divisor: [("bot:2/1000", "bot:1/1000")])
    game = load_game("passerelles")
    text = section(game, play_ladder(game, 2, divisor=1000))
    assert text.startswith("## Passerelles, 2 seats, 1/1000 of the time\n")
    assert f"| bot:2/1000, casual | {level(2).simulations(game, 1000)} |" in text
