"""The digests that wheels are checked against are those of the sources."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludotheque.testing import wheel

DIGESTS = Path(__file__).parents[1] / "wheel.json"


@pytest.mark.both
def test_the_sources_play_the_games_that_wheels_must_play(capsys: pytest.CaptureFixture[str]) -> None:
    assert wheel.main(DIGESTS) == 0
    assert "no game differs" in capsys.readouterr().out


def test_a_package_that_is_not_compiled_is_refused_where_it_should_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wheel, "digests", dict)
    monkeypatch.setattr("ludotheque.COMPILED", False)
    assert (wheel.main(DIGESTS), wheel.main(DIGESTS, compiled=True)) == (0, 1)


def test_another_game_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = tmp_path / "wheel.json"
    other.write_text(DIGESTS.read_text().replace('"cable-car": [', '"cable-car": ["",'))
    assert wheel.main(other) == 1
    assert "cable-car differs" in capsys.readouterr().out
