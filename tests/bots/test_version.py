"""The version of the bots: it changes with whatever changes how they play."""

from __future__ import annotations

from importlib import metadata

import msgspec
import pytest

from ludotheque.bots import tuning, version
from ludotheque.bots.tuning import Speed, settings_key
from ludotheque.bots.version import bots_version
from ludotheque.core.registry import load_game


def test_a_version_names_the_package_and_a_digest() -> None:
    package, digest = bots_version(load_game("passerelles", 2)).split("+")
    assert package == metadata.version("ludotheque")
    assert len(digest) == 12


def test_each_game_has_its_own_version() -> None:
    names = ["cable-car", "chicago-express", "passerelles", "pays-noir"]
    assert len({bots_version(load_game(name, 2)) for name in names}) == len(names)


def test_another_speed_changes_the_version_of_its_own_table_only(monkeypatch: pytest.MonkeyPatch) -> None:
    two, three, other = load_game("pays-noir", 2), load_game("pays-noir", 3), load_game("cable-car", 2)
    before = [bots_version(game) for game in (two, three, other)]
    tuned = tuning.tuning(type(three))
    key = settings_key(three, tuned.speed_options)
    quicker = {3: Speed(1_000_000, 4.0)}
    changed = msgspec.structs.replace(tuned, speeds=tuned.speeds | {key: tuned.speeds[key] | quicker})
    whole = tuning.tuning
    monkeypatch.setattr(tuning, "tuning", lambda kind: changed if kind is type(three) else whole(kind))
    after = [bots_version(game) for game in (two, three, other)]
    assert [then == now for then, now in zip(before, after, strict=True)] == [True, False, True]


def test_other_code_changes_the_version(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load_game("passerelles", 2)
    before = bots_version(game)
    monkeypatch.setattr(version, "SHARED", version.SHARED[1:])
    version._digest.cache_clear()
    try:
        assert bots_version(game) != before
    finally:
        version._digest.cache_clear()


def test_another_board_or_other_cards_change_the_version(monkeypatch: pytest.MonkeyPatch) -> None:
    games = [load_game(name, 2) for name in ("cable-car", "chicago-express", "passerelles", "pays-noir")]
    before = [bots_version(game) for game in games]
    monkeypatch.setattr(version, "DATA", ())
    version._digest.cache_clear()
    try:
        assert not set(before) & {bots_version(game) for game in games}
    finally:
        version._digest.cache_clear()
