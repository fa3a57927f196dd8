from __future__ import annotations

from tests.server.harness import Browser, wait_until


def test_a_table_starts_and_shows_its_first_position(ann: Browser) -> None:
    table = ann.open()
    view = ann.view(table.id)
    assert view["viewer"] == 0
    assert view["mine"] == [0]
    assert view["host"]
    assert view["to_move"] == 0
    assert view["choices"]
    assert view["version"] == 1


def test_a_move_is_answered_by_the_bot(ann: Browser) -> None:
    table = ann.open()
    assert ann.play(table.id, 0).status_code == 200
    assert ann.play(table.id, 0).status_code == 200
    wait_until(lambda: ann.view(table.id)["to_move"] == 0)
    assert ann.view(table.id)["version"] > 3
