"""Notices of events, rendered in a reader's language as the cards that pages show."""

from __future__ import annotations

from msgspec import Struct

from ludotheque.core.colours import Mark, seat_letter
from ludotheque.core.event_notices import NoticeRow
from ludotheque.core.game import Game
from ludotheque.core.phrases import seat_name
from ludotheque.core.scene import Renderer
from ludotheque.show.scenes import RenderedMark, RenderedScene, render_mark, render_scene
from ludotheque.table.viewing import SeenNotice


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
    board: RenderedScene | None = None
    """The board that it tells of, if that has been cleared since."""


def render_event_card(seen: SeenNotice, game: Game, render: Renderer) -> RenderedEventCard:
    """Put a notice into words, with the players' names and colours."""
    notice = seen.notice
    title, text = render(notice.title), render(notice.text)
    rows = tuple(_render_row(row, game, render) for row in notice.rows)
    board = render_scene(seen.board, render) if seen.board else None
    return RenderedEventCard(seen.ply, title, text, rows, notice.places, board)


def _render_row(row: NoticeRow, game: Game, render: Renderer) -> RenderedCardRow:
    mark = row.who if isinstance(row.who, Mark) else _seat_mark(row.who, game)
    return RenderedCardRow(render_mark(mark, render), render(row.words), render(row.amount), row.places)


def _seat_mark(seat: int, game: Game) -> Mark:
    colour = game.seat_colours()[seat]
    return Mark(colour, seat_letter(colour, seat), seat_name(seat))
