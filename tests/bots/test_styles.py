"""Styles of the middle levels: who leans to what, and who may be asked for."""

from __future__ import annotations

from statistics import mean

import msgspec
import pytest
from librt.random import Random

from ludotheque import load_game
from ludotheque.bots.levels import level_bot
from ludotheque.bots.names import bot_named, is_builtin
from ludotheque.bots.players import SearchBot
from ludotheque.bots.styles import STYLED_LEVELS, lean, style_named, turn_end
from ludotheque.bots.tuning import Style, Tuning, styles, tuning, tuning_file, write_tuning
from ludotheque.core.errors import NoSuchBot
from ludotheque.core.game import Game, State
from ludotheque.core.policy import policy_of
from ludotheque.core.turn import Turn
from tests.ours import OURS
from tests.toy import Nim

STYLES = ["careful", "greedy", "aggressive", "patient"]


def decision(game: Game, least: int, seed: int = 1) -> State:
    """A position of a random game, not at its beginning, in which a seat has at least so many moves."""
    rng, state = Random(seed), game.new_initial_state()
    while state.is_chance_node() or len(state.legal_actions()) < least or sum(state.scores()) == 0:
        state.apply(state.sample(rng))
    return state


@pytest.mark.parametrize("name", OURS)
def test_every_table_of_a_game_offers_its_four_styles(name: str) -> None:
    kind = type(load_game(name))
    for players in range(kind.min_players, kind.max_players + 1):
        for variant in ({}, *(dict(variant.settings) for variant in kind.variants)):
            assert [style.name for style in styles(load_game(name, players, **variant))] == STYLES
    assert all(style.about.endswith(".") and len(style.about.split()) <= 12 for style in tuning(kind).styles)


@pytest.mark.parametrize("name", OURS)
def test_tuning_is_written_as_it_was_read(name: str) -> None:
    kind = type(load_game(name))
    text = write_tuning(tuning(kind))
    assert msgspec.toml.decode(text, type=Tuning, strict=False) == tuning(kind)
    assert text == tuning_file(kind).read_text(encoding="utf-8")


def test_a_bot_is_named_by_its_level_and_style() -> None:
    game = load_game("passerelles", 2)
    patient = bot_named("bot:3-patient", game, 1)
    assert isinstance(patient, SearchBot)
    assert patient.style == style_named("patient", game)
    assert patient.error_scale == pytest.approx(level_bot(3, game, 1).error_scale * patient.style.error)
    assert is_builtin("bot:3-patient/10")
    assert level_bot(3, game, 1, divisor=10, style="patient").simulations == level_bot(3, game, 1, 10).simulations


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("bot:3-sleepy", "Passerelles has no style 'sleepy'; the styles are: careful, greedy, aggressive, patient"),
        ("bot:5-patient", "The levels 2 to 4 have styles; level 5 has none"),
        ("bot:2.5-patient", "The levels 2 to 4 have styles; level 2.5 has none"),
        ("search:100-patient", "There is no bot"),
    ],
)
def test_a_style_that_is_not_there_is_refused(name: str, reason: str) -> None:
    with pytest.raises(NoSuchBot, match=reason):
        bot_named(name, load_game("passerelles", 2), 1)


def test_a_game_without_tuning_has_no_styles() -> None:
    game = Nim(2, {"matches": 7})
    assert styles(game) == []
    with pytest.raises(NoSuchBot, match="Nim has no style 'patient'; it has no styles"):
        level_bot(STYLED_LEVELS[0], game, 1, style="patient")


def test_a_style_leans_to_the_moves_that_have_most_of_what_it_likes() -> None:
    state = decision(load_game("cable-car", 2), least=10)
    policy, alike = policy_of(state.game), dict.fromkeys(state.legal_actions(), 0.0)
    liked = lean(Style(name="x", about="", prospects=3.0), policy, state, alike)
    assert (min(liked.values()), max(liked.values())) == (0.0, 3.0)
    assert max(liked, key=liked.__getitem__) == max(alike, key=lambda each: turn_end(policy, state, each).prospects)
    avoided = lean(Style(name="x", about="", prospects=-3.0), policy, state, alike)
    assert avoided == {action: -more for action, more in liked.items()}


def test_a_style_that_likes_nothing_changes_nothing_and_no_style_tries_what_its_level_would_not() -> None:
    state = decision(load_game("chicago-express", 3), least=5)
    policy, (first, second, third, *_) = policy_of(state.game), state.legal_actions()
    likely = {first: 0.0, second: -2.5}
    assert lean(Style(name="x", about=""), policy, state, likely | {third: -40.0}) == likely


@pytest.mark.parametrize("name", ["cable-car", "passerelles", "chicago-express"])
def test_a_styled_level_chooses_what_it_leans_to(name: str) -> None:
    game = load_game(name)
    state = decision(game, least=8)
    seat, policy = int(state.current_player()), policy_of(game)

    def left_to_the_rival(style: Style | None) -> float:
        bots = [SearchBot(game, seed, 40, error_scale=0.5, slips_unseen=True, style=style) for seed in range(30)]
        return mean(turn_end(policy, state, bot.choose(Turn(state, seat))).rival for bot in bots)

    assert left_to_the_rival(Style(name="x", about="", rival=-6.0)) < left_to_the_rival(None)
