"""Draw the positions shown in the rules, and the boards of the README, into files: `python -m scripts.pictures`.

The files are in English, for people who read the rules as files; the server draws its own in the reader's language.
"""

from __future__ import annotations

from pathlib import Path

from ludotheque.core.registry import house_games, rules_pictures
from ludotheque.show.art import lobby_picture, rules_picture

IMAGES = Path(__file__).parents[1] / "docs" / "images"
FOLDER = IMAGES / "rules"


def path_of(game: str, picture: str) -> Path:
    """The file of a picture; the pages of rules link to it."""
    return FOLDER / game / f"{picture}.svg"


def drawn() -> dict[Path, str]:
    """Return all pictures by path."""
    return {
        path_of(kind.name, picture): rules_picture(kind.name, picture, "en")
        for kind in house_games()
        for picture in rules_pictures(kind)
    }


def boards() -> dict[Path, str]:
    """Return the boards of the README, late in a match between bots, by path."""
    return {IMAGES / f"{kind.name}.svg": lobby_picture(kind.name) for kind in house_games()}


if __name__ == "__main__":
    for path, picture in (drawn() | boards()).items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(picture, encoding="utf-8")
        print(path.relative_to(IMAGES))
