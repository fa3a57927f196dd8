"""Random matches for the tests, played through the interface that bots use."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import strategies as st
from librt.random import Random

from ludotheque import CHANCE, SPECTATOR, load_game
from ludotheque.core.game import Game
from ludotheque.table import Dice, Match
from tests.toy import Nim, Orchard

SEED = bytes(range(32))
NAMES = ("Ann", "Bob", "Cleo", "Dirk", "Eva", "Finn")


def viewers(match: Match) -> list[int]:
    return [*range(match.game.players), SPECTATOR]


def orchard(players: int = 2, **options: object) -> Match:
    """A match of Orchard before its first move, with fixed dice."""
    return Match.start(Orchard(players, options), NAMES[:players], Dice(SEED))


def play_on(match: Match, rng: Random, plies: int = 10**9) -> Match:
    """Play at random until the match has this many plies, or is over."""
    while not match.is_over and match.ply < plies:
        match.play(match.to_move, int(match.resampled(match.to_move, rng).sample(rng)))
    return match


def random_match(game: Game, number: int, plies: int = 10**9) -> Match:
    """A match played at random, the same for the same number."""
    dice = Dice(number.to_bytes(32, "big")) if game.has_chance else None
    return play_on(Match.start(game, NAMES[: game.players], dice), Random(number), plies)


def first_action(match: Match) -> int:
    """The first action that the rules list."""
    return int(match.resampled(match.to_move, Random(0)).legal_actions()[0])


def twins(match: Match, viewer: int, attempts: int = 10) -> Iterator[Match]:
    """Yield matches with another hidden draw that `viewer` cannot tell from this one by anything it observed."""
    dice = Dice(commitment=match.dice.commitment) if match.dice else None
    plies = match.actions()
    history = [action for _, action in plies]
    for index in reversed(range(len(history))):
        if plies[index][0] != CHANCE or match.game.sees(match._timeline.state_at(index), history[index], viewer):
            continue
        for outcome in range(match.game.max_chance_outcomes()):
            changed = [*history[:index], outcome, *history[index + 1 :]]
            if outcome == history[index] or not is_legal(match.game, changed):
                continue
            attempts -= 1
            if attempts < 0:
                return
            twin = Match(match.game, match.names, dice, changed)
            if all(observed(twin, viewer, ply) == observed(match, viewer, ply) for ply in range(match.ply + 1)):
                yield twin


def is_legal(game: Game, history: list[int]) -> bool:
    state = game.new_initial_state()
    for action in history:
        if action not in state.legal_actions():
            return False
        state.apply(action)
    return True


def observed(match: Match, viewer: int, ply: int) -> object:
    return match.view(viewer, ply).observation


numbers = st.integers(0, 2**32)


@st.composite
def toys(draw: st.DrawFn) -> Game:
    """A toy game with any options."""
    if draw(st.integers(0, 4)) == 0:
        return Nim(draw(st.integers(1, 2)), {"matches": draw(st.sampled_from([1, 7, 300]))})
    deck = {"cards": draw(st.lists(st.integers(1, 9), min_size=6, max_size=6)), "print": draw(json_values)}
    options = {
        "rounds": draw(st.sampled_from([1, 2, 3])),
        "season": draw(st.sampled_from(["summer", "winter"])),
        "peeking": draw(st.booleans()),
        "deck": draw(st.none() | st.just(deck)),
    }
    return Orchard(draw(st.integers(2, 5)), options)


@st.composite
def cable_cars(draw: st.DrawFn) -> Game:
    """Cable Car with any options."""
    return load_game(
        "cable-car",
        draw(st.integers(2, 6)),
        companies=draw(st.booleans()),
        rotation=draw(st.booleans()),
        hand=draw(st.integers(1, 3)),
    )


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
