"""Draw the positions shown in the rules into files of the documentation: `python -m scripts.pictures`.

The files are in English, for people who read the rules as files; the server draws its own in the reader's language.
"""

from __future__ import annotations

from pathlib import Path

from ludotheque.core.registry import house_games, rules_pictures
from ludotheque.show.art import rules_picture

FOLDER = Path(__file__).parents[1] / "docs" / "images" / "rules"


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


if __name__ == "__main__":
    for path, picture in drawn().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(picture, encoding="utf-8")
        print(path.relative_to(FOLDER))
