"""Moves drawn on the board as ghosts: one shape for previews, hints, marks of what was played, and reviews."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from msgspec import Struct, structs

from ludotheque.core.scene import Piece, Scene

_MARKS: Final = frozenset({"spot", "last", "group", "ground", "shadow"})
"""Classes of pieces that mark places, show only when pointed at, lie below the others or darken them: no part of a
move."""


class Ghost(Struct, frozen=True, kw_only=True):
    """The pieces that a move adds to the board or changes there, as one viewer sees it."""

    pieces: tuple[Piece, ...] = ()
    """Pieces that it puts, moves or points at, the main piece first."""
    changes: tuple[Piece, ...] = ()
    """Other pieces that it changes: lines that run on, areas that grow."""
    gone: tuple[str, ...] = ()
    """The ids of the pieces that it takes from the board."""
    origin: tuple[float, float] = (0, 0)
    """The place of the board's fixed point in the scene that the pieces are placed in."""

    def agreeing(self, *others: Ghost) -> Ghost:
        """Return the part that all these ghosts of one move share: the rest depends on what is hidden."""
        return Ghost(
            pieces=tuple(piece for piece in self.pieces if all(piece in other.pieces for other in others)),
            changes=tuple(piece for piece in self.changes if all(piece in other.changes for other in others)),
            gone=tuple(id for id in self.gone if all(id in other.gone for other in others)),
            origin=self.origin,
        )

    def placed_on(self, scene: Scene) -> Ghost:
        """The same on a board that may have grown since."""
        x, y = _shift(self.origin, scene.origin)
        if not (x or y):
            return self
        return Ghost(
            pieces=tuple(_shifted(piece, x, y) for piece in self.pieces),
            changes=tuple(_shifted(piece, x, y) for piece in self.changes),
            gone=self.gone,
            origin=scene.origin,
        )


NO_GHOST: Final = Ghost()


def ghost(before: Any, action: int, after: Any, viewer: int) -> Ghost:
    """Return what an action does to the board from one position (a `State`) to the next, as `viewer` sees it."""
    if not before.game.sees(before, action, viewer):
        return NO_GHOST
    old, new = scene_of(before, viewer), scene_with(before, action, after, viewer)
    return ghost_between(before, action, after, viewer, old, new)


def scene_of(position: Any, viewer: int) -> Scene:
    """The scene of a position (a `State`) as `viewer` sees it."""
    scene: Scene = position.game.scene(position.game.observe(position, viewer))
    return scene


def scene_with(before: Any, action: int, after: Any, viewer: int) -> Scene:
    """The scene with what an action did, before the board is cleared, as `viewer` sees it."""
    return scene_of(before.game.before_clearing(before, action, after), viewer)


def ghost_between(before: Any, action: int, after: Any, viewer: int, old: Scene, new: Scene) -> Ghost:
    """Return the same for an action that `viewer` sees, with the scenes before it and with what it did."""
    known = _pieces_of(old)
    becomes = _pieces_of(new, *_shift(new.origin, old.origin))
    moved = before.game.moved_pieces(before, action, after, viewer)
    main = [id for id in moved if id in becomes or id in known]
    return Ghost(
        pieces=tuple(becomes.get(id) or known[id] for id in main),
        changes=tuple(
            piece for id, piece in becomes.items() if id not in main and known.get(id) != piece and _is_drawn(piece)
        ),
        gone=tuple(id for id, piece in known.items() if id not in becomes and _is_drawn(piece)),
        origin=old.origin,
    )


def expected_ghost(positions: Sequence[Any], action: int, viewer: int, scene: Scene | None = None) -> Ghost:
    """Return what an action would do to the board as far as these positions (`State`s) agree: the rest depends on
    what is hidden. The viewer cannot tell them apart, so they have one scene; `scene` is that one, where it is at
    hand."""
    old = scene or scene_of(positions[0], viewer)
    first, *others = [_possible_ghost(before, action, viewer, old) for before in positions]
    return first.agreeing(*others)


def _possible_ghost(before: Any, action: int, viewer: int, old: Scene) -> Ghost:
    if not before.game.sees(before, action, viewer):
        return NO_GHOST
    after = before.child(action)
    return ghost_between(before, action, after, viewer, old, scene_with(before, action, after, viewer))


def _shift(old: tuple[float, float], new: tuple[float, float]) -> tuple[float, float]:
    """The distance that things move because the board has grown, by its old and its new origin."""
    return new[0] - old[0], new[1] - old[1]


def _pieces_of(scene: Scene, x: float = 0, y: float = 0) -> dict[str, Piece]:
    if not (x or y):
        return {piece.id: piece for piece in scene.pieces}
    return {piece.id: _shifted(piece, x, y) for piece in scene.pieces}


def _shifted(piece: Piece, x: float, y: float) -> Piece:
    return piece if piece.in_tray else structs.replace(piece, x=round(piece.x + x, 4), y=round(piece.y + y, 4))


def _is_drawn(piece: Piece) -> bool:
    """Whether a change of the piece is worth drawing: it is on the board and no mark of a place."""
    return not piece.in_tray and _MARKS.isdisjoint(piece.classes.split())
