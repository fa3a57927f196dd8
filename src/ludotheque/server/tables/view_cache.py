"""The latest views of live tables, rendered once for all who may know the same, and sent as changes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import count
from typing import Final
from weakref import WeakKeyDictionary

from msgspec import UNSET, Struct, structs

from ludotheque.core.game import SPECTATOR
from ludotheque.core.scene import Piece, Renderer, Scene, ScoreTable
from ludotheque.server.tables.facts import SECRET, WRITTEN_BY_MOVES, Rights
from ludotheque.server.tables.live import LiveTable
from ludotheque.server.tables.messages import Message, encoded, encoded_fields
from ludotheque.server.tables.undo import undo_offer
from ludotheque.server.tables.view_shapes import PositionView, Presence, TableView
from ludotheque.server.tables.views import make_table_view, position_view, premoves_view, present_renderer
from ludotheque.show.art import Art, art_of
from ludotheque.show.event_cards import RenderedEventCard, render_event_card
from ludotheque.show.language import Reader
from ludotheque.show.played import PlayedMove, draw_played, played_moves
from ludotheque.show.scenes import (
    NO_PIECE,
    RenderedLine,
    RenderedScene,
    RenderedTable,
    difference,
    render_choices,
    render_gauges,
    render_line,
    render_lines,
    render_piece,
    render_scene,
    render_sheet,
    render_table,
    renderer,
)
from ludotheque.table import LogLine, Match, View
from ludotheque.table.steady_time import steady_time

_SERIALS: Final = count(1)
_MOST_RIGHTS: Final = 32
"""For how many kinds of rights the fields of a table are cached."""
_CARD_PLIES: Final = 24
"""Number of the latest plies whose cards a whole view has: a connection that was lost missed no more."""
_FACTS: Final = tuple(
    name for name in TableView.__struct_fields__ if name not in (*PositionView.__struct_fields__, "observation")
)
"""The fields that most moves do not change."""
_CHANGED_BY_MOVES: Final = SECRET | WRITTEN_BY_MOVES


class SharedContext(Struct, frozen=True):
    """All that the views of a table show besides its position, the same for all viewers."""

    presence: Presence
    lasting: tuple[object, ...]
    """All that the fields depend on which most moves do not change, besides rights and language."""
    clock: tuple[object, ...] | None
    """All that the view of the clock depends on."""


def shared_context(table: LiveTable, presence: Presence) -> SharedContext:
    """The present context of a table's views."""
    facts, match = table.facts, table.match
    lasting = (
        presence, match.is_over, match.dice, *facts.values(except_for=_CHANGED_BY_MOVES),
        tuple(table.thinking), tuple(table.stopped),
    )  # fmt: skip
    return SharedContext(presence, lasting, (facts.seated_at, int(steady_time())) if facts.clock else None)


class ViewerLog:
    """The log of one viewer in their language; it grows with the match."""

    def __init__(self, render: Renderer) -> None:
        self._render = render
        self._known: list[LogLine] = []
        self.lines: list[RenderedLine] = []
        self.kept = 0
        """The number of lines before the latest change."""

    def follow(self, match: Match, viewer: int, peer: ViewerLog | None) -> View:
        """Return the present view, and render the new lines of its log."""
        known = len(self._known)
        view = match.view(viewer, log_from=max(0, known - 1))
        added = view.log[1:] if known else view.log
        if known and not (view.log and view.log[0] is self._known[-1]):  # moves were taken back
            view = match.view(viewer)
            known = _common(self._known, view.log)
            added = view.log[known:]
        self.kept = known
        self._known[known:] = added
        self.lines[known:] = (peer.rendered if peer else render_lines)(added, self._render)
        return view

    def rendered(self, lines: tuple[LogLine, ...], render: Renderer) -> Iterable[RenderedLine]:
        """Render lines, except those that end this log too."""
        start = len(self.lines) - len(lines)
        if start < 0:
            return render_lines(lines, render)
        others = zip(lines, self._known[start:], self.lines[start:], strict=True)
        return [words if line == same else render_line(line, render) for line, same, words in others]


def _new_log(table: LiveTable, reader: Reader) -> ViewerLog:
    return ViewerLog(renderer(table.game.name, reader, table.match.names))


class CachedView:
    """The present position, rendered for one viewer in one language; the next one is sent as a change to it."""

    def __init__(
        self, table: LiveTable, viewer: int, reader: Reader, before: CachedView | None, peer: CachedView | None
    ) -> None:
        """`before`: the viewer's last one; `peer`: another viewer's of the same position in the same language."""
        self.serial = next(_SERIALS)
        self.version = table.version
        if before is not None and not before.has_names_of(table):
            before = None  # a new name may change every sentence
        self.render: Renderer = before.render if before else present_renderer(table, reader)
        self._substitutes = table.facts.substitutes
        self.base = before.serial if before else 0
        self.base_version = before.version if before else 0
        self._messages: dict[tuple[object, ...], tuple[SharedContext, Message]] = {}
        """The encoded messages of this view, by who gets them: many clients share one."""
        self.art: Art = before.art if before else art_of(table.game, reader.language)
        self._facts: dict[Rights, tuple[tuple[object, ...], bytes]] = before._facts if before else {}
        """The values that lasting fields depend on, and these fields encoded, by rights."""
        self.log: ViewerLog = before.log if before else _new_log(table, reader)
        view = self.log.follow(table.match, viewer, peer.log if peer else None)
        self._scene: Scene = table.match.viewing.scene(viewer)
        self._compare_pieces(before, peer)
        self._tables = self._render_tables(before, peer)
        available = view.choices if table.game.has_hidden_information else table.match.choices(view.to_move, ahead=True)
        self.choices = encoded(render_choices(available, self.render)) if available else ()
        """The choices of the seat to move, if that is the viewer, or if nothing is hidden."""
        self.view: View = structs.replace(view, log=(), choices=())
        """Without what is rendered already."""
        self._played: dict[int, tuple[PlayedMove, ...]] = {}
        """The moves since the last turn of the viewer who is to move, by viewer."""
        self._lines = len(self.log.lines)
        self._follow_cards(table, viewer, before)
        if before and (viewer != SPECTATOR or not table.game.has_hidden_information):
            draw_played(table.match, viewer, before.view.ply, self.view.ply)

    def is_current(self, table: LiveTable) -> bool:
        """Whether the table has not changed since."""
        return self.version == table.version and self.has_names_of(table)

    def has_names_of(self, table: LiveTable) -> bool:
        """Whether the players are called as they are now, and bots play for the same people."""
        return self.view.names == table.match.names and self._substitutes == table.facts.substitutes

    @property
    def pieces(self) -> tuple[Piece, ...]:
        return self._scene.pieces

    def _compare_pieces(self, before: CachedView | None, peer: CachedView | None) -> None:
        """Find new, changed and removed pieces, first those that all viewers see, then this viewer's."""
        shared = self._scene.shared
        old = before._shared if before else None
        known = peer._shared if peer and peer._shared.is_same_change(old, shared) else None
        self._shared: Layer = known or Layer(old, shared, self.render)
        own = self._scene.pieces[len(shared) :]
        self._own: Layer = Layer(before._own if before else None, own, self.render, shared[-1] if shared else NO_PIECE)

    def _follow_cards(self, table: LiveTable, viewer: int, before: CachedView | None) -> None:
        """Render the cards of the plies since the view before; of the latest plies if some were taken back."""
        ply, first = self.view.ply, max(0, self.view.ply - _CARD_PLIES)
        continues = before is not None and before._lines == self.log.kept and before.view.ply <= ply
        known, since = (before._cards, before.view.ply) if before and continues else ((), first)
        found = table.match.viewing.notices(viewer, max(first, since))
        self._new_cards = tuple([render_event_card(seen, table.game, self.render) for seen in found])
        self._cards: tuple[RenderedEventCard, ...] = (
            *(card for card in known if card.ply > first),
            *self._new_cards,
        )

    def _render_tables(self, *others: CachedView | None) -> tuple[RenderedTable, ...]:
        """Render the tables that differ from those of the views before this one and of a peer."""
        known = [pair for other in others if other for pair in zip(other._scene.tables, other._tables, strict=True)]
        return tuple(
            [_known(table, known) or encoded(render_table(table, self.render)) for table in self._scene.tables]
        )

    def scene(self, whole: bool) -> RenderedScene:
        """The whole scene, or only its changes to the scene before."""
        if whole:
            return render_scene(self._scene, self.render)
        return RenderedScene(
            title=self.render(self._scene.title),
            width=self._scene.width,
            height=self._scene.height,
            tray_width=self._scene.tray_width,
            tray_height=self._scene.tray_height,
            legible=self._scene.legible,
            thickness=self._scene.thickness,
            base=self.base_version,
            pieces=self._shared.changed + self._own.changed,
            gone=self._shared.gone + self._own.gone,
            follows=self._shared.follows | self._own.follows,
            tables=self._tables,
            gauges=render_gauges(self._scene.gauges, self.render),
            sheet=render_sheet(self._scene.sheet, self.render),
            asks=self.render(self._scene.prompt),
            continues=self._scene.continues,
        )

    def position(
        self, table: LiveTable, viewer: int, rights: Rights, seen: int = 0, hand_over: int | None = None
    ) -> PositionView:
        """The present position; only its changes if the client has `seen` the view before this one."""
        whole = not seen or seen != self.base
        log_from = 0 if whole else self.log.kept
        acts = viewer in rights.seats and viewer == self.view.to_move
        return position_view(
            table, viewer, self.view,
            scene=self.scene(whole), choices=self.choices if viewer == self.view.to_move else (),
            log_from=log_from, log=tuple(self.log.lines[log_from:]),
            cards=self._cards if whole else self._new_cards, hand_over=hand_over,
            undo=undo_offer(table.match, table.facts, viewer, rights).way if viewer in rights.seats else "",
            ahead=premoves_view(table, viewer, self.render) if viewer in rights.seats else None,
            render=self.render, played=self._played_for(table, viewer) if acts else UNSET,
        )  # fmt: skip

    def _played_for(self, table: LiveTable, viewer: int) -> tuple[PlayedMove, ...]:
        """The moves since the last turn of a viewer who is to move."""
        if viewer not in self._played:
            since, ply = table.match.viewing.last_turn(viewer), self.view.ply
            moves = played_moves(table.match, self.view.viewer, since, ply, ply, self.render)
            self._played[viewer] = encoded(tuple(moves))
        return self._played[viewer]

    def whole(
        self, table: LiveTable, viewer: int, rights: Rights, presence: Presence, hand_over: int | None = None
    ) -> TableView:
        """The whole table at the present position."""
        position = self.position(table, viewer, rights, hand_over=hand_over)
        return make_table_view(position, table, self.view, self.art, rights, presence, self.render)

    def message(
        self, table: LiveTable, viewer: int, rights: Rights, now: SharedContext, seen: int, hand_over: int | None
    ) -> Message:
        """The view as it is sent to a client, encoded once for all who may know the same."""
        key = viewer, rights, hand_over, seen, table.order_of(viewer) if table.facts.ahead else None
        known = self._messages.get(key)
        if known is None or (known[0] is not now and known[0] != now):
            position = self.position(table, viewer, rights, seen, hand_over)
            known = self._messages[key] = now, Message(position, self._encoded_facts(table, rights, now, position))
        return known[1]

    def _encoded_facts(self, table: LiveTable, rights: Rights, now: SharedContext, position: PositionView) -> bytes:
        """The fields that most moves do not change, encoded again only if they do."""
        known = self._facts.get(rights)
        if known is None or known[0] != now.lasting:
            if len(self._facts) >= _MOST_RIGHTS:
                self._facts.clear()
            view = make_table_view(position, table, self.view, self.art, rights, now.presence, self.render)
            known = self._facts[rights] = now.lasting, encoded_fields({name: getattr(view, name) for name in _FACTS})
        return known[1]


class Layer:
    """Pieces in the order of painting, and their changes to the layer before.

    A piece stays in its layer as long as it is on the board.
    """

    def __init__(
        self, before: Layer | None, pieces: tuple[Piece, ...], render: Renderer, below: Piece = NO_PIECE
    ) -> None:
        """`below`: the last piece of the layer below."""
        self._pieces = pieces
        self._base = before._pieces if before else ()
        self._by_id: dict[str, Piece] | None = before._take_by_id() if before else {}
        found = difference(self._base, pieces, self._by_id, below)
        self.changed = tuple([encoded(render_piece(piece, render)) for piece in found.changed])
        self.gone = found.gone
        self.follows = found.follows

    def _take_by_id(self) -> dict[str, Piece]:
        """The pieces by id, for the next layer to change; a second one that follows this gets its own."""
        taken, self._by_id = self._by_id, None
        return {piece.id: piece for piece in self._pieces} if taken is None else taken

    def is_same_change(self, before: Layer | None, pieces: tuple[Piece, ...]) -> bool:
        """Whether this layer holds the changes from that layer to those pieces."""
        return self._pieces is pieces and self._base is (before._pieces if before else ())


class ViewCache:
    """The latest views of live tables. They are dropped with their table, or when no one looks at it any more."""

    def __init__(self) -> None:
        self._views: WeakKeyDictionary[LiveTable, dict[tuple[int, str], CachedView]] = WeakKeyDictionary()

    def get(self, table: LiveTable, viewer: int, reader: Reader) -> CachedView:
        """The present position for a viewer, rendered once for all who may know the same."""
        if not table.game.has_hidden_information:
            viewer = SPECTATOR
        views = self._views.get(table)
        if views is None:
            views = self._views[table] = {}
        key = viewer, reader.language
        view = views.get(key)
        if view is None or not view.is_current(table):
            same = [v for (_, language), v in views.items() if language == reader.language and v.is_current(table)]
            # The view before is given up: the new one takes over its log, even if it then fails.
            view = views[key] = CachedView(table, viewer, reader, views.pop(key, None), same[0] if same else None)
        return view

    def __len__(self) -> int:
        """The number of tables with views."""
        return len(self._views)

    def drop(self, table: LiveTable) -> None:
        self._views.pop(table, None)


def _known(table: ScoreTable, rendered: Iterable[tuple[ScoreTable, RenderedTable]]) -> RenderedTable | None:
    """Find the same table among those that have been rendered."""
    for other, words in rendered:
        if other is table or other == table:
            return words
    return None


def _common(old: Sequence[LogLine], new: Sequence[LogLine]) -> int:
    """Count the lines at the start that are the same."""
    if new[: len(old)] == old:
        return len(old)
    for number, (before, after) in enumerate(zip(old, new, strict=False)):
        if before is not after and before != after:
            return number
    return min(len(old), len(new))
