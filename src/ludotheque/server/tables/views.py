"""What one viewer is shown of a table, in their language. All of it is made from their `View`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Any, Final, Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType, structs

from ludotheque.core.game import SPECTATOR
from ludotheque.core.scene import Piece, Scene
from ludotheque.server.tables.live import LiveTable, Pace, Rights, UndoRequest, undo_target
from ludotheque.show.art import Art
from ludotheque.show.language import Reader
from ludotheque.show.scenes import (
    RenderedChoice,
    RenderedLine,
    RenderedScene,
    RenderedTable,
    Renderer,
    difference,
    render_choices,
    render_lines,
    render_piece,
    render_scene,
    render_tables,
    renderer,
)
from ludotheque.table import LogLine, View

_SERIALS: Final = count(1)


class SeatView(Struct, frozen=True, kw_only=True):
    """A seat, for all to see."""

    seat: int
    name: str
    who: Literal["person", "bot"]
    level: str
    open: bool
    taken: bool
    present: bool
    mine: bool
    thinking: bool


class ResultView(Struct, frozen=True):
    """How it ended."""

    scores: tuple[int, ...]
    returns: tuple[float, ...]


class DiceView(Struct, frozen=True):
    """The dice: their promise and, at the end, their seed."""

    commitment: str
    seed: str


class TableView(Struct, frozen=True, kw_only=True, tag="view"):
    """A table at one ply, as one viewer may know it."""

    table: str
    game: str
    title: str
    version: int
    ply: int
    last_ply: int
    to_move: int
    over: bool
    viewer: int
    mine: tuple[int, ...]
    host: bool
    hand_over: int | None
    seats: tuple[SeatView, ...]
    watchers: int
    scene: RenderedScene
    choices: tuple[RenderedChoice, ...]
    log_from: int
    log: tuple[RenderedLine, ...]
    comments: dict[str, str]
    undo: Literal["free", "ask", ""]
    undo_request: UndoRequest | None
    pace: Pace
    result: ResultView | None
    dice: DiceView | None
    backdrop: str
    styles: str
    observation: dict[str, Any] | UnsetType = UNSET
    """For programs, over HTTP only."""


class Presence(Struct, frozen=True):
    """Who is looking at a table now."""

    seats: frozenset[int] = frozenset()
    watchers: int = 0


NOBODY: Final = Presence()


class Drawing:
    """The present position as it is shown, kept so that the next one can be told as a change."""

    def __init__(
        self, table: LiveTable, viewer: int, reader: Reader, before: Drawing | None, beside: Drawing | None
    ) -> None:
        """`before`: the viewer's last one; `beside`: another viewer's of the same position, in the same words."""
        self.serial = next(_SERIALS)
        self.version = table.version
        self.view = table.match.view(viewer)
        if before is not None and before.view.names != self.view.names:
            before = None  # every sentence may be another one
        self.renderer: Renderer = renderer(reader, self.view.names)
        self.base = before.serial if before else 0
        self.base_version = before.version if before else 0
        self.messages: dict[tuple[object, ...], str] = {}
        """What has been sent of this drawing, by what else the message depends on: many look with the same eyes."""
        self._scene: Scene = table.game.scene(self.view.observation)
        self._paint(before, beside)
        self._tables = self._render_tables(before, beside)
        self._continue_log(before)
        can_do = self.view.choices if table.game.has_hidden_information else table.match.choices(self.view.to_move)
        self.choices = render_choices(can_do, self.renderer)
        """Of the seat to move, if it is its viewer's, or if nothing is hidden."""

    def shows(self, table: LiveTable) -> bool:
        """Whether this is how the table is now."""
        return self.version == table.version and self.view.names == table.match.names

    @property
    def pieces(self) -> dict[str, Piece]:
        return self._shared.pieces | self._own.pieces

    def _paint(self, before: Drawing | None, beside: Drawing | None) -> None:
        """Find what is new, different and gone, first where all see the same, then where this viewer does not."""
        shared = self._scene.shared
        old = before._shared if before else None
        known = beside._shared if beside and beside._shared.is_from(old, shared) else None
        self._shared: Layer = known or Layer(old, shared, self.renderer)
        own = self._scene.pieces[len(shared) :]
        self._own: Layer = Layer(before._own if before else None, own, self.renderer)

    def _render_tables(self, *others: Drawing | None) -> tuple[RenderedTable, ...]:
        for other in others:
            if other and other._scene.tables == self._scene.tables:
                return other._tables
        return render_tables(self._scene.tables, self.renderer)

    def _continue_log(self, before: Drawing | None) -> None:
        old = before.view.log if before else ()
        self.log_kept = _common(old, self.view.log)
        kept = before.log[: self.log_kept] if before else ()
        self.log: tuple[RenderedLine, ...] = (*kept, *render_lines(self.view.log[self.log_kept :], self.renderer))

    def scene(self, whole: bool) -> RenderedScene:
        """All of it for those who come in new, or what it changes in the one before."""
        if whole:
            return render_scene(self._scene, self.renderer)
        return RenderedScene(
            title=self.renderer(self._scene.title),
            width=self._scene.width,
            height=self._scene.height,
            base=self.base_version,
            pieces=self._shared.told + self._own.told,
            gone=self._shared.gone + self._own.gone,
            order=self._order(),
            tables=self._tables,
            asks=self.renderer(self._scene.asks),
        )

    def _order(self) -> tuple[str, ...] | None:
        shared, own = self._shared, self._own
        if shared.is_in_order and own.is_in_order and not (shared.has_grown and own.pieces):
            return None
        return (*shared.pieces, *own.pieces)


class Layer:
    """Pieces that are painted one after the other, and what they change in those that were there before.

    A piece stays in its layer as long as it is on the board.
    """

    def __init__(self, before: Layer | None, pieces: tuple[Piece, ...], render: Renderer) -> None:
        old = before.pieces if before else {}
        self._source = pieces
        self._base = before._source if before else None
        self.pieces: dict[str, Piece] = {piece.id: piece for piece in pieces}
        found = difference(old, self.pieces)
        self.told = tuple([render_piece(piece, render) for piece in found.changed])
        self.gone = found.gone
        self.is_in_order = found.order is None
        self.has_grown = len(self.pieces) > len(old) - len(self.gone)

    def is_from(self, before: Layer | None, pieces: tuple[Piece, ...]) -> bool:
        """Whether this layer tells the same change."""
        return self._source is pieces and self._base is (before._source if before else None)


def draw(table: LiveTable, viewer: int, reader: Reader) -> Drawing:
    """The present position for a viewer, drawn once for all who may know the same."""
    if not table.game.has_hidden_information:
        viewer = SPECTATOR
    key = viewer, reader.language
    drawn = table.drawings.get(key)
    if drawn is None or not drawn.shows(table):
        beside = next((d for (_, language), d in table.drawings.items() if language == key[1] and d.shows(table)), None)
        drawn = table.drawings[key] = Drawing(table, viewer, reader, drawn, beside)
    return drawn


def present_view(
    table: LiveTable,
    viewer: int,
    drawing: Drawing,
    art: Art,
    rights: Rights,
    presence: Presence,
    seen: int = 0,
    hand_over: int | None = None,
) -> TableView:
    """The present position; only what has changed if the client has `seen` the drawing before this one."""
    whole = not seen or seen != drawing.base
    log_from = 0 if whole else drawing.log_kept
    return _table_view(
        table, viewer, drawing.view, art, rights, presence,
        scene=drawing.scene(whole), choices=drawing.choices if viewer == drawing.view.to_move else (),
        log_from=log_from, log=drawing.log[log_from:], hand_over=hand_over,
    )  # fmt: skip


def past_view(table: LiveTable, viewer: int, at: int, reader: Reader, art: Art, rights: Rights) -> TableView:
    """An earlier position, drawn for this once."""
    view = table.match.view(viewer, at)
    render = renderer(reader, view.names)
    shown = _table_view(
        table, viewer, view, art, rights, NOBODY,
        scene=render_scene(table.game.scene(view.observation), render), choices=render_choices(view.choices, render),
        log_from=0, log=render_lines(view.log, render), hand_over=None,
    )  # fmt: skip
    return structs.replace(shown, observation=plain_observation(view))


def _table_view(
    table: LiveTable,
    viewer: int,
    view: View,
    art: Art,
    rights: Rights,
    presence: Presence,
    *,
    scene: RenderedScene,
    choices: tuple[RenderedChoice, ...],
    log_from: int,
    log: tuple[RenderedLine, ...],
    hand_over: int | None,
) -> TableView:
    undo: Literal["free", "ask", ""] = ""
    if viewer in rights.seats and view.ply == view.last_ply:
        undo, _, _ = undo_target(table, viewer, rights)
    return TableView(
        table=table.id,
        game=table.game.name,
        title=table.game.title,
        version=table.version,
        ply=view.ply,
        last_ply=view.last_ply,
        to_move=view.to_move,
        over=table.match.is_over,
        viewer=viewer,
        mine=rights.seats,
        host=rights.is_host,
        hand_over=hand_over,
        seats=seat_views(table, rights, presence),
        watchers=presence.watchers,
        scene=scene,
        choices=choices,
        log_from=log_from,
        log=log,
        comments={str(ply): text for ply, text in view.comments.items()},
        undo=undo,
        undo_request=table.undo_request,
        pace=table.pace,
        result=ResultView(view.scores, view.returns) if view.scores else None,
        dice=DiceView(view.commitment, view.seed) if view.commitment else None,
        backdrop=art.backdrop_url(table.id),
        styles=art.styles_url(table.id),
    )


def seat_views(table: LiveTable, rights: Rights, presence: Presence) -> tuple[SeatView, ...]:
    return tuple(
        SeatView(
            seat=number,
            name=table.match.names[number],
            who=seat.who,
            level=seat.level,
            open=seat.open,
            taken=seat.taken,
            present=seat.who == "bot" or number in presence.seats,
            mine=number in rights.seats,
            thinking=number in table.thinking,
        )
        for number, seat in enumerate(table.seats)
    )


# Words.


def _common(old: Sequence[LogLine], new: Sequence[LogLine]) -> int:
    """How many lines at the start are the same."""
    if new[: len(old)] == old:
        return len(old)
    for number, (before, after) in enumerate(zip(old, new, strict=False)):
        if before is not after and before != after:
            return number
    return min(len(old), len(new))


def plain_observation(view: View) -> dict[str, Any]:
    """The game's own value of what the viewer knows."""
    plain: dict[str, Any] = msgspec.to_builtins(view.observation)
    return plain
