"""Tables that wait for someone, in the words that all kinds of reminders share."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from ludotheque.core.phrases import Phrase, phrase, plural
from ludotheque.core.registry import find_game
from ludotheque.show.language import game_translator
from ludotheque.table.names import unlinked_name


class WaitingTable(Struct, frozen=True):
    """A table at which it is someone's turn."""

    id: str
    game: str
    others: tuple[str, ...]
    """The names of the other players."""

    @property
    def path(self) -> str:
        """The address of its page on this server."""
        return f"/t/{self.id}"

    def title(self, language: str) -> str:
        """The name of the game."""
        kind = find_game(self.game)
        return game_translator(self.game, language)(kind.title) if kind else self.game

    @property
    def names(self) -> str:
        """The others, safe to read outside of the site."""
        return ", ".join(unlinked_name(name) for name in self.others)


def subject(tables: Sequence[WaitingTable], language: str) -> Phrase:
    """Say in a few words that it is someone's turn."""
    if len(tables) == 1:
        return phrase("Your turn: {game}", game=tables[0].title(language))
    return plural(len(tables), "Your turn at {count} table", "Your turn at {count} tables")
