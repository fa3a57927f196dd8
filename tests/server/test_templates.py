"""Pages from templates."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from ludotheque.server.http import templates
from ludotheque.show.language import Reader
from ludotheque.web import WEB


def test_an_update_on_disk_is_for_the_next_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A running server rendered new templates with old code, and answered 500."""
    shutil.copytree(WEB / "templates", tmp_path / "templates")
    page = tmp_path / "templates" / "error.html"
    page.write_text("before")
    monkeypatch.setattr(templates, "WEB", tmp_path)
    templates._templates.cache_clear()
    try:
        assert templates.page("error.html", Reader("en")).content == "before"
        page.write_text("{{ unknown }}")
        os.utime(page, (0, 0))
        assert templates.page("error.html", Reader("en")).content == "before"
    finally:
        templates._templates.cache_clear()
