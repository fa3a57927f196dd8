"""Steps that someone might pick on the board or in the tray, legal together or not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from librt.random import Random

from ludotheque import load_game
from ludotheque.core.choices import Choice, choices, refusal
from ludotheque.core.game import State


def positions(name: str, seed: int, players: int = 0, options: Mapping[str, object] | None = None) -> Iterator[State]:
    """The positions of a random game in which a seat is to act."""
    rng = Random(seed)
    state = load_game(name, players, **(options or {})).new_initial_state()
    while not state.is_terminal():
        if state.current_player() >= 0:
            yield state.clone()
        state.apply_action(state.sample(rng))


def paths(tree: tuple[Choice, ...], before: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The keys of the steps of each legal move."""
    for choice in tree:
        path = (*before, choice.step.key)
        if choice.action is not None:
            yield path
        yield from paths(choice.children, path)


def steps_on_show(state: State) -> dict[str, list[str]]:
    """The steps that the seat to act sees or is offered, by kind."""
    game = state.game
    scene = game.scene(game.observe(state, int(state.current_player())))
    keys = [piece.step for piece in scene.pieces if piece.step]
    keys += [key for path in paths(choices(state)) for key in path]
    by_kind: dict[str, list[str]] = {}
    for key in dict.fromkeys(keys):
        by_kind.setdefault(kind_of(key), []).append(key)
    return by_kind


def some_picks(state: State, count: int, rng: Random) -> list[tuple[str, ...]]:
    """Every step by itself, then so many of them after random steps of a legal move, at most one of a kind."""
    by_kind = steps_on_show(state)
    shown = [key for keys in by_kind.values() for key in keys]
    legal = list(paths(choices(state)))
    together = []
    for _ in range(count):
        last = shown[rng.randrange(len(shown))]
        before = [key for key in legal[rng.randrange(len(legal))] if kind_of(key) != kind_of(last) and rng.randrange(2)]
        together.append((*before, last))
    return [(key,) for key in shown] + together


def kind_of(key: str) -> str:
    return key.partition(":")[0]


def refused(state: State, count: int, rng: Random) -> Iterator[tuple[tuple[str, ...], str]]:
    """Steps that are refused, with the reasons."""
    for picks in some_picks(state, count, rng):
        if reason := refusal(state, picks):
            yield picks, str(reason)
