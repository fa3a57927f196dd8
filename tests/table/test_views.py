"""What each viewer sees of a match, now and then."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, settings
from librt.random import Random

from ludotheque import SPECTATOR, TERMINAL, Choice, load_game
from ludotheque.core.game import Game
from ludotheque.errors import NoSuchSeat
from ludotheque.table import Dice, Match, View
from tests.speeds import pairs
from tests.table.matches import NAMES, SEED, cable_cars, numbers, orchard, play_on, random_match, toys, viewers
from tests.toy import Nim, Orchard


def log_lines(view: View) -> list[str]:
    return [line.phrase.render(names=view.names) for line in view.log]


def leaves(choices: tuple[Choice, ...]) -> list[int | None]:
    return [leaf.action for choice in choices for leaf in choice.leaves()]


def test_each_viewer_reads_a_log_of_their_own() -> None:
    match = orchard()
    match.play(0, "peek")
    match.play(0, "pick B")
    assert log_lines(match.view(0)) == [
        "Ann draws card 2",
        "Bob draws a card",
        "Ann peeks and sees card 1",
        "Ann: pick B",
    ]
    assert log_lines(match.view(1)) == ["Ann draws a card", "Bob draws card 1", "Ann: peek", "Ann: pick B"]
    assert log_lines(match.view()) == ["Ann draws a card", "Bob draws a card", "Ann: peek", "Ann: pick B"]
    assert [line.ply for line in match.view().log] == [1, 2, 3, 4]


def test_lines_that_the_caller_has_are_left_out() -> None:
    match = orchard()
    match.play(0, "peek")
    whole = match.view(0).log
    for known in range(len(whole) + 1):
        assert match.view(0, log_from=known).log == whole[known:]
    assert match.view(0, at=2, log_from=1).log == whole[1:2]


def test_a_ply_may_have_no_line_and_the_log_is_still_in_step() -> None:
    match = play_on(orchard(3), Random(4))
    winds = {line.ply for line in match.view().log if str(line.phrase).startswith("The wind")}
    silent = set(range(1, match.ply + 1)) - {line.ply for line in match.view().log}
    assert silent
    assert winds
    for ply in silent:
        assert match.view(0, ply).log == match.view(0, ply - 1).log


def test_only_the_seat_to_act_has_choices_and_only_now() -> None:
    match = orchard()
    assert leaves(match.view(0).choices) == [0, 1, 2, 5, 6]
    assert match.view(1).choices == match.view(SPECTATOR).choices == ()
    match.play(0, "pick A")
    assert leaves(match.view(0).choices) == [3, 4]
    assert match.view(0, at=2).choices == ()
    assert not match.view(0, at=2).can_undo


def test_the_seed_and_the_result_are_shown_at_the_end_and_not_before() -> None:
    match = orchard()
    rng = Random(1)
    while not match.is_over:
        for viewer in viewers(match):
            view = match.view(viewer)
            assert (view.seed, view.scores, view.returns) == ("", (), ())
            assert view.commitment == Dice(SEED).commitment
            assert SEED.hex() not in msgspec.json.encode(view).decode()
        play_on(match, rng, match.ply + 1)
    view = match.view()
    assert view.to_move == TERMINAL
    assert view.seed == SEED.hex()
    assert view.scores == tuple(match.state_at(match.ply).scores())
    assert sum(view.returns) == 1
    assert match.view(0, at=3).scores == ()


def test_a_match_without_the_seed_shows_none() -> None:
    match = random_match(Orchard(2), 1)
    blind = Match(match.game, match.names, None, [action for _, action in match.actions()])
    assert (blind.view().commitment, blind.view().seed) == ("", "")


def test_there_is_no_view_from_a_seat_that_is_not_there() -> None:
    match = orchard()
    for viewer in (-1, -4, 2, 99):
        with pytest.raises(NoSuchSeat):
            match.view(viewer)
        with pytest.raises(NoSuchSeat):
            match.viewing.saw(viewer, 1)
        with pytest.raises(NoSuchSeat):
            match.resampled(viewer, Random(1))


def check_past_views(game: Game, number: int) -> None:
    """The past looks as it looked when it was the present, but for what can be done there."""
    match = Match.start(game, NAMES[: game.players], Dice(number.to_bytes(32, "big")) if game.has_chance else None)
    rng = Random(number)
    seen: dict[tuple[int, int], View] = {}
    while not match.is_over:
        for viewer in viewers(match):
            seen[viewer, match.ply] = match.view(viewer)
        play_on(match, rng, match.ply + 1)
    for (viewer, ply), then in seen.items():
        now = match.view(viewer, ply)
        assert now == msgspec.structs.replace(
            then, choices=(), can_undo=False, last_ply=match.ply, seed=match.view().seed
        )


@given(toys(), numbers)
@settings(max_examples=20)
def test_the_past_looks_as_it_looked_then(game: Game, number: int) -> None:
    check_past_views(game, number)


@given(cable_cars(), numbers)
@settings(max_examples=4)
def test_the_past_of_cable_car_looks_as_it_looked_then(game: Game, number: int) -> None:
    check_past_views(game, number)


@pytest.mark.parametrize(("players", "companies"), pairs(range(2, 7), (False, True)))
def test_views_of_cable_car_count_plies_and_decisions(players: int, companies: bool) -> None:
    match = random_match(load_game("cable-car", players, companies=companies), 1)
    decisions = [who >= 0 for who, _ in match.actions()]
    for ply in range(match.ply + 1):
        view = match.view(0, ply)
        assert (view.ply, view.last_ply, view.decisions) == (ply, match.ply, sum(decisions[:ply]))
    assert match.decisions == match.view().decisions == sum(decisions)


def test_a_view_is_a_plain_value() -> None:
    match = orchard(3)
    match.comment(1, "A good card?")
    encoded = msgspec.json.decode(msgspec.json.encode(match.view(0)))
    assert encoded["comments"] == {"1": "A good card?"}
    assert encoded["observation"]["cards"][0] > 0
    assert match.view(0) == match.view(0)


def test_a_long_log_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    match = random_match(Orchard(2, {"rounds": 40}), 1)
    calls: list[int] = []
    describe = Orchard.describe

    def counted(game: Orchard, *rest: object) -> object:
        calls.append(1)
        return describe(game, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(Orchard, "describe", counted)
    for ply in range(match.ply + 1):
        match.view(0, ply)
    assert len(calls) == match.ply
    match.rewind(match.ply - 5)
    play_on(match, Random(1))
    match.view(0)
    assert len(calls) <= match.ply + 12


def test_a_game_without_chance_or_secrets_looks_alike_from_everywhere() -> None:
    match = random_match(Nim(2), 3)
    views = [msgspec.structs.replace(match.view(viewer), viewer=0, observation=None) for viewer in viewers(match)]
    assert views[0] == views[1] == views[2]
