"""What one viewer sees of a table, in their language. All of it is made from their `View`."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from itertools import count
from typing import Any, Final, Literal
from weakref import WeakKeyDictionary

import msgspec
from msgspec import UNSET, Struct, UnsetType, structs

from ludotheque.core.colours import colour_name, seat_letter
from ludotheque.core.game import SPECTATOR, Game
from ludotheque.core.scene import Piece, Renderer, Scene, ScoreTable
from ludotheque.server.storage.rows import Kind
from ludotheque.server.tables.live import ClockView, LiveTable, Pace, Rights, SeatView, UndoRequest
from ludotheque.server.tables.messages import Message, encoded, encoded_fields
from ludotheque.show.art import Art, art_of
from ludotheque.show.language import Reader
from ludotheque.show.scenes import (
    NO_PIECE,
    RenderedChoice,
    RenderedLine,
    RenderedScene,
    RenderedTable,
    difference,
    render_choices,
    render_lines,
    render_piece,
    render_scene,
    render_table,
    render_word,
    renderer,
)
from ludotheque.table import LogLine, Match, Nonce, View

_SERIALS: Final = count(1)
_MOST_RIGHTS: Final = 32
"""For how many kinds of rights the fields of a table are cached."""


class ResultView(Struct, frozen=True):
    """The result of a finished game."""

    scores: tuple[int, ...]
    score_texts: tuple[str, ...]
    """The scores as people read them: `$12`."""
    returns: tuple[float, ...]


class DiceView(Struct, frozen=True):
    """The commitment of the dice, what people added to them and, at the end, their seed."""

    commitment: str
    seed: str
    since: int
    """Other dice made the draws up to this ply."""
    state: Literal["open", "reveal", "closed"]
    """Whether the dice wait for people to sit down, or for browsers to reveal their nonces, or draw."""
    nonces: tuple[Nonce, ...]
    """By seat; without the nonces themselves until the dice draw. A seat without one was then left out."""


class PositionView(Struct, frozen=True, kw_only=True, tag="view"):
    """What each move changes in the view of a table."""

    version: int
    ply: int
    last_ply: int
    to_move: int
    over: bool
    viewer: int
    hand_over: int | None
    scene: RenderedScene
    choices: tuple[RenderedChoice, ...]
    log_from: int
    log: tuple[RenderedLine, ...]
    since: int | None
    """The ply before the viewer's last turn, so that what happened since can be shown; null for a spectator."""
    comments: dict[str, str]
    undo: Literal["free", "ask", ""]
    undo_request: UndoRequest | None
    result: ResultView | None
    clock: ClockView | None
    ahead: AheadView | None
    """What the viewer may decide ahead of their turn, or has decided; only for that viewer."""


class TableView(PositionView, frozen=True, kw_only=True, tag="view"):
    """A table at one ply, as one viewer may know it."""

    table: str
    game: str
    title: str
    kind: Kind
    """`record`: the game was opened from a record, so the host may have known it."""
    mine: tuple[int, ...]
    host: bool
    closed: bool
    """Whether the table is closed: it can be looked at, and nothing else."""
    locked: bool
    """Whether one needs a password to enter."""
    muted: tuple[int, ...]
    """The seats that may not chat; -5: spectators."""
    seats: tuple[SeatView, ...]
    watchers: int
    pace: Pace
    dice: DiceView | None
    backdrop: str
    styles: str
    hints: bool
    """Whether a player may ask a bot for advice."""
    rematch: str
    """Where the same people play again; empty: nowhere yet."""
    observation: dict[str, Any] | UnsetType = UNSET
    """For programs, over HTTP only."""


_FACTS: Final = tuple(
    name for name in TableView.__struct_fields__ if name not in (*PositionView.__struct_fields__, "observation")
)
"""The fields that most moves do not change."""


class AheadChoice(Struct, frozen=True):
    """Something to decide ahead; without amounts if `highest` is 0."""

    key: str
    label: str
    lowest: int
    highest: int


class AheadView(Struct, frozen=True):
    """What a seat may decide ahead of its turn, and what it has decided."""

    situation: str
    choices: tuple[AheadChoice, ...]
    key: str
    """What it has decided; empty: nothing."""
    amount: int


class Presence(Struct, frozen=True):
    """Who has a table open now."""

    seats: frozenset[int] = frozenset()
    watchers: int = 0


NOBODY: Final = Presence()


class Circumstances(Struct, frozen=True):
    """What the views of a table show besides its position, the same for all viewers."""

    presence: Presence
    facts: tuple[object, ...]
    """All that the fields depend on which most moves do not change, besides rights and language."""
    clock: tuple[object, ...] | None
    """What the view of the clock depends on."""


def circumstances(table: LiveTable, presence: Presence) -> Circumstances:
    """The present circumstances of a table."""
    match = table.match
    facts = (
        presence, match.is_over, match.dice, table.gathering, table.closed, table.password, table.muted, table.rematch,
        # The revision counts the changes of seats, names, keys, hints and bot delay.
        table.revision, tuple(table.thinking), tuple(table.stopped),
    )  # fmt: skip
    return Circumstances(presence, facts, (table.seated_at, int(time.time())) if table.clock else None)


class ViewerLog:
    """The log of one viewer in their language; it grows with the match."""

    def __init__(self) -> None:
        self._known: list[LogLine] = []
        self.lines: list[RenderedLine] = []
        self.kept = 0
        """How many lines were there before the latest change."""

    def follow(self, match: Match, viewer: int, render: Renderer, beside: ViewerLog | None) -> View:
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
        self.lines[known:] = beside.rendered(added, render) if beside else render_lines(added, render)
        return view

    def rendered(self, lines: tuple[LogLine, ...], render: Renderer) -> Iterable[RenderedLine]:
        """Render lines, except those that end this log too."""
        start = len(self.lines) - len(lines)
        if start < 0:
            return render_lines(lines, render)
        others = zip(lines, self._known[start:], self.lines[start:], strict=True)
        return [words if line == same else RenderedLine(line.ply, render(line.phrase)) for line, same, words in others]


class CachedView:
    """The present position, rendered for one viewer in one language; the next one is sent as a change to it."""

    def __init__(
        self, table: LiveTable, viewer: int, reader: Reader, before: CachedView | None, beside: CachedView | None
    ) -> None:
        """`before`: the viewer's last one; `beside`: another viewer's of the same position in the same language."""
        self.serial = next(_SERIALS)
        self.version = table.version
        if before is not None and before.view.names != table.match.names:
            before = None  # a new name may change every sentence
        self.render: Renderer = before.render if before else renderer(table.game.name, reader, table.match.names)
        self.base = before.serial if before else 0
        self.base_version = before.version if before else 0
        self._messages: dict[tuple[object, ...], tuple[Circumstances, Message]] = {}
        """The encoded messages of this view, by who gets them: many clients share one."""
        self.art: Art = before.art if before else art_of(table.game, reader.language)
        self._facts: dict[Rights, tuple[tuple[object, ...], bytes]] = before._facts if before else {}
        """By rights: the encoded fields that most moves do not change, and what they depend on."""
        self.log: ViewerLog = before.log if before else ViewerLog()
        view = self.log.follow(table.match, viewer, self.render, beside.log if beside else None)
        self._scene: Scene = table.game.scene(view.observation)
        self._compare_pieces(before, beside)
        self._tables = self._render_tables(before, beside)
        available = view.choices if table.game.has_hidden_information else table.match.choices(view.to_move)
        self.choices = encoded(render_choices(available, self.render)) if available else ()
        """Of the seat to move, if that is the viewer, or if nothing is hidden."""
        self.view: View = structs.replace(view, log=(), choices=())
        """Without what is rendered already."""

    def is_current(self, table: LiveTable) -> bool:
        """Whether the table has not changed since."""
        return self.version == table.version and self.view.names == table.match.names

    @property
    def pieces(self) -> tuple[Piece, ...]:
        return self._scene.pieces

    def _compare_pieces(self, before: CachedView | None, beside: CachedView | None) -> None:
        """Find new, changed and removed pieces, first those that all viewers see, then this viewer's own."""
        shared = self._scene.shared
        old = before._shared if before else None
        known = beside._shared if beside and beside._shared.is_same_change(old, shared) else None
        self._shared: Layer = known or Layer(old, shared, self.render)
        own = self._scene.pieces[len(shared) :]
        self._own: Layer = Layer(before._own if before else None, own, self.render, shared[-1] if shared else NO_PIECE)

    def _render_tables(self, *others: CachedView | None) -> tuple[RenderedTable, ...]:
        """Render the tables that differ from those of the views before and beside this one."""
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
            base=self.base_version,
            pieces=self._shared.changed + self._own.changed,
            gone=self._shared.gone + self._own.gone,
            follows=self._shared.follows | self._own.follows,
            tables=self._tables,
            asks=self.render(self._scene.asks),
            continues=self._scene.continues,
        )

    def message(
        self, table: LiveTable, viewer: int, rights: Rights, now: Circumstances, seen: int, hand_over: int | None
    ) -> Message:
        """The view as it is sent to a client, encoded once for all who may know the same."""
        key = viewer, rights, hand_over, seen, table.order_of(viewer) if table.ahead else None
        known = self._messages.get(key)
        if known is None or (known[0] is not now and known[0] != now):
            position = present_position(table, viewer, self, rights, seen, hand_over)
            known = self._messages[key] = now, Message(position, self._encoded_facts(table, rights, now, position))
        return known[1]

    def _encoded_facts(self, table: LiveTable, rights: Rights, now: Circumstances, position: PositionView) -> bytes:
        """The fields that most moves do not change, encoded again only if they do."""
        known = self._facts.get(rights)
        if known is None or known[0] != now.facts:
            if len(self._facts) >= _MOST_RIGHTS:
                self._facts.clear()
            view = table_view(position, table, self.view, self.art, rights, now.presence, self.render)
            known = self._facts[rights] = now.facts, encoded_fields({name: getattr(view, name) for name in _FACTS})
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
    """The latest views of live tables. They are dropped with their table, or when nobody looks at it any more."""

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


def present_position(
    table: LiveTable, viewer: int, cached: CachedView, rights: Rights, seen: int = 0, hand_over: int | None = None
) -> PositionView:
    """The present position; only its changes if the client has `seen` the view before this one."""
    whole = not seen or seen != cached.base
    log_from = 0 if whole else cached.log.kept
    return _position(
        table, viewer, cached.view,
        scene=cached.scene(whole), choices=cached.choices if viewer == cached.view.to_move else (),
        log_from=log_from, log=tuple(cached.log.lines[log_from:]), hand_over=hand_over,
        undo=table.undo_offer(viewer, rights).way if viewer in rights.seats else "",
        ahead=ahead_view(table, viewer, cached.render) if viewer in rights.seats else None,
        render=cached.render,
    )  # fmt: skip


def present_view(
    table: LiveTable, viewer: int, cached: CachedView, rights: Rights, presence: Presence, hand_over: int | None = None
) -> TableView:
    """The whole table at the present position."""
    position = present_position(table, viewer, cached, rights, hand_over=hand_over)
    return table_view(position, table, cached.view, cached.art, rights, presence, cached.render)


def past_view(table: LiveTable, viewer: int, at: int, reader: Reader, rights: Rights) -> TableView:
    """An earlier position, rendered for this request."""
    view = table.match.view(viewer, at)
    render = renderer(table.game.name, reader, view.names)
    is_latest = viewer in rights.seats and view.ply == view.last_ply
    position = _position(
        table, viewer, view,
        scene=render_scene(table.game.scene(view.observation), render), choices=render_choices(view.choices, render),
        log_from=0, log=render_lines(view.log, render), hand_over=None,
        undo=table.undo_offer(viewer, rights).way if is_latest else "", ahead=None, render=render,
    )  # fmt: skip
    past = table_view(position, table, view, art_of(table.game, reader.language), rights, NOBODY, render)
    return structs.replace(past, observation=plain_observation(view))


def _position(
    table: LiveTable,
    viewer: int,
    view: View,
    *,
    scene: RenderedScene,
    choices: tuple[RenderedChoice, ...],
    log_from: int,
    log: tuple[RenderedLine, ...],
    hand_over: int | None,
    undo: Literal["free", "ask", ""],
    ahead: AheadView | None,
    render: Renderer,
) -> PositionView:
    return PositionView(
        version=table.version,
        ply=view.ply,
        last_ply=view.last_ply,
        to_move=view.to_move,
        over=table.match.is_over,
        viewer=viewer,
        hand_over=hand_over,
        scene=scene,
        choices=choices,
        log_from=log_from,
        log=log,
        since=table.match.viewing.last_turn(viewer) if viewer >= 0 else None,
        comments={str(ply): text for ply, text in view.comments.items()},
        undo=undo,
        undo_request=table.undo_request,
        result=_result(table.game, view, render) if view.scores else None,
        clock=table.clock_view(time.time()) if table.clock else None,
        ahead=ahead,
    )


def _result(game: Game, view: View, render: Renderer) -> ResultView:
    return ResultView(view.scores, tuple(render(game.score_text(score)) for score in view.scores), view.returns)


def table_view(
    position: PositionView,
    table: LiveTable,
    view: View,
    art: Art,
    rights: Rights,
    presence: Presence,
    render: Renderer,
) -> TableView:
    """Add to a position what does not depend on it."""
    return TableView(
        **{name: getattr(position, name) for name in PositionView.__struct_fields__},
        table=table.id,
        game=table.game.name,
        title=table.game.title,
        kind=table.kind,
        mine=rights.seats,
        host=rights.is_host,
        closed=table.closed,
        locked=bool(table.password),
        muted=tuple(sorted(table.muted)),
        seats=seat_views(table, rights, presence, render),
        watchers=presence.watchers,
        pace=table.pace,
        dice=_dice_view(table, view),
        backdrop=art.backdrop_url(table.id),
        styles=art.styles_url(table.id),
        hints=table.allows_hints,
        rematch=f"/t/{table.rematch}" if table.rematch else "",
    )


def _dice_view(table: LiveTable, view: View) -> DiceView | None:
    if not view.commitment:
        return None
    state, nonces = table.gathering.state, table.gathering.nonces
    if state != "closed":
        nonces = tuple(Nonce(added.seat, added.commitment) for added in nonces)
    return DiceView(view.commitment, view.seed, table.match.branched_at, state, nonces)


def seat_views(table: LiveTable, rights: Rights, presence: Presence, render: Renderer) -> tuple[SeatView, ...]:
    colours = table.game.seat_colours()
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
            stopped=render_word(table.stopped.get(number, ""), render),
            browsers=len(table.browsers(number)),
            colour=colours[number],
            colour_name=render(colour_name(colours[number])),
            letter=render(seat_letter(colours[number], number)),
            hints=table.hints[number],
            stands_in=seat.stands_in,
            lent=number in rights.lent,
        )
        for number, seat in enumerate(table.seats)
    )


def ahead_view(table: LiveTable, seat: int, render: Renderer) -> AheadView | None:
    """What a seat may decide ahead; None if there is nothing to decide."""
    order = table.order_of(seat)
    offers = table.match.premove_offers(seat)
    if not offers:
        return None
    choices = tuple(AheadChoice(o.key, render(o.label), o.lowest, o.highest) for o in offers)
    key, amount = (order.key, order.amount) if order else ("", 0)
    return AheadView(table.match.premove_context, choices, key, amount)


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


def plain_observation(view: View) -> dict[str, Any]:
    """The observation as plain values."""
    plain: dict[str, Any] = msgspec.to_builtins(view.observation)
    return plain
