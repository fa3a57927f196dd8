"""Event cards rendered in a reader's language."""

from __future__ import annotations

from msgspec import Struct

from ludotheque.core.colours import Mark, seat_letter
from ludotheque.core.event_cards import CardRow
from ludotheque.core.game import Game
from ludotheque.core.phrases import seat_name
from ludotheque.core.scene import Renderer
from ludotheque.show.scenes import RenderedMark, render_mark
from ludotheque.table.viewing import SeenCard


class RenderedCardRow(Struct, frozen=True):
    """A line of a card: a player or a company, words, and an amount."""

    mark: RenderedMark
    words: str
    amount: str
    places: tuple[str, ...]
    """The ids of pieces that belong to it, to be lit in the colour of the mark."""


class RenderedEventCard(Struct, frozen=True):
    """An event that all at the table should notice."""

    ply: int
    title: str
    text: str
    rows: tuple[RenderedCardRow, ...]
    places: tuple[str, ...]
    """The ids of the pieces where it happened."""
    before: bool = False
    """Whether they are on the board before this ply."""


def render_event_card(seen: SeenCard, game: Game, render: Renderer) -> RenderedEventCard:
    """Put a card into words, with the players' names and colours."""
    card = seen.card
    rows = tuple(_render_row(row, game, render) for row in card.rows)
    return RenderedEventCard(seen.ply, render(card.title), render(card.text), rows, card.places, card.before)


def _render_row(row: CardRow, game: Game, render: Renderer) -> RenderedCardRow:
    mark = row.who if isinstance(row.who, Mark) else _seat_mark(row.who, game)
    return RenderedCardRow(render_mark(mark, render), render(row.words), render(row.amount), row.places)


def _seat_mark(seat: int, game: Game) -> Mark:
    colour = game.seat_colours()[seat]
    return Mark(colour, seat_letter(colour, seat), seat_name(seat))
