"""Names in messages, where an old table may still hold what cannot be seen."""

from __future__ import annotations

import pytest

from ludotheque.table.names import visible_name


@pytest.mark.parametrize(
    ("stored", "shown"),
    [("Ann", "Ann"), ("A\u200bnn\u202e", "Ann"), ("\u3164Bob\n", "Bob"), ("👩\u200d🚀", "👩\u200d🚀")],
)
def test_a_stored_name_is_shown_without_what_cannot_be_seen(stored: str, shown: str) -> None:
    assert visible_name(stored) == shown
