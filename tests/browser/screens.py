"""The screens that tests are repeated on. Not in `conftest.py`, which may be loaded before the speed is chosen."""

from __future__ import annotations

import pytest

from tests.speeds import chosen

on_a_phone = pytest.mark.parametrize("phone", chosen((False, True), True), ids=chosen(["desk", "phone"], "phone"))
"""On a phone, and with `--all` at a desk: what people press is the same, and each layout has tests of its own."""
