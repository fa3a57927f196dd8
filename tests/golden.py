"""Golden games: a whole game as a record in text, then what must have happened, ply by ply, in plain words.

    Expect:
      18: Line 13 runs 2 tiles to station 14: 2 points for Ann.
      40: scores 2 5 3

An expectation is a line of the log that everyone could read at that ply, or the scores after it.
"""

from __future__ import annotations

from pathlib import Path

from ludotheque.table import Match, read_record


def check_golden_game(path: Path) -> int:
    """Replay the game and check every expectation; how many there were."""
    record, found, expected = path.read_text(encoding="utf-8").partition("\nExpect:\n")
    assert found, f"{path.name} expects nothing"
    match = read_record(record).to_match()
    lines = [line for line in expected.splitlines() if line.strip()]
    for line in lines:
        ply, _, words = line.strip().partition(": ")
        _check(match, int(ply), words)
    return len(lines)


def _check(match: Match, ply: int, words: str) -> None:
    if words.startswith("scores "):
        assert match.state_at(ply).scores() == [int(score) for score in words.split()[1:]], f"ply {ply}: {words}"
        return
    view = match.view()
    said = [line.phrase.render(names=view.names) for line in view.log if line.ply == ply]
    assert words in said, f"ply {ply}: {words!r} was not said, but {said}"
