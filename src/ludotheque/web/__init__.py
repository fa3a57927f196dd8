"""The pages: templates, styles, scripts, and the texts of all layers in every language."""

from __future__ import annotations

from pathlib import Path
from typing import Final

WEB: Final = Path(__file__).parent
LANGUAGES: Final = ("en", *sorted(path.name for path in (WEB / "locale").iterdir() if path.is_dir()))
"""English, in which all texts are written, and the languages that have a catalogue."""


def catalogue_path(language: str) -> Path:
    """The file that translators write; English has none."""
    return WEB / "locale" / language / "LC_MESSAGES" / "ludotheque.po"
