"""Views of a match: everything that a seat or a spectator may know of it, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, final

from msgspec import Struct

from ludotheque.core.choices import choices
from ludotheque.core.event_notices import EventNotice
from ludotheque.core.game import CHANCE, State
from ludotheque.core.ghosts import Ghost, scene_with
from ludotheque.core.scene import Overlay, Scene
from ludotheque.core.turn import SeenPly
from ludotheque.table.log import Log, LogLine
from ludotheque.table.sights import SeenMove, Sights
from ludotheque.table.timeline import Timeline
from ludotheque.table.undo import UndoRules
from ludotheque.table.view import View


class SeenNotice(Struct, frozen=True):
    """The notice of an event, and the ply at which it happened."""

    ply: int
    notice: EventNotice
    board: Scene | None = None
    """The scene that it tells of, if the board has been cleared."""


@final
class Viewing:
    """The match as each viewer saw it: a seat from 0, or `SPECTATOR`."""

    def __init__(self, timeline: Timeline, undo_rules: UndoRules) -> None:
        self._timeline: Final = timeline
        self._undo_rules: Final = undo_rules
        self._logs: dict[int, Log] = {}
        """The log of each viewer."""
        self._events: dict[int, list[SeenPly]] = {}
        """The plies as each viewer saw them."""
        self._sights: dict[int, Sights] = {}
        """The latest positions and moves as each viewer saw them."""
        self.notes: tuple[LogLine, ...] = ()
        """The lines about what is no ply: resignations, and the end by agreement."""

    def view(self, viewer: int, at: int | None = None, log_from: int = 0) -> View:
        """Return what a viewer may know of the match, now or at an earlier ply.

        `log_from`: how many lines of the log the caller has already; they are left out.
        """
        timeline = self._timeline
        timeline.check_viewer(viewer)
        ply = timeline.ply if at is None else at
        timeline.check_ply(ply)
        sight = self._sights_of(viewer).position(ply)
        log = self._log(viewer)
        acts = ply == timeline.ply and viewer == timeline.to_move
        scores, returns = timeline.result() if ply == timeline.ply else ((), ())
        dice = timeline.dice
        return View(
            viewer=viewer,
            names=tuple(timeline.names),
            ply=ply,
            last_ply=timeline.ply,
            decisions=timeline.decisions(ply),
            to_move=timeline.to_move if ply == timeline.ply else int(sight.position.current_player()),
            observation=sight.observation,
            log=self._lines(log, ply, log_from),
            comments={of: text for of, text in sorted(timeline.comments.items()) if of <= ply and log.saw(of)},
            choices=choices(timeline.present) if acts else (),
            can_undo=acts and not self._undo_rules.why_not(viewer),
            scores=scores,
            returns=returns,
            commitment=dice.commitment if dice else "",
            seed=dice.seed.hex() if timeline.is_over and dice and dice.seed else "",
        )

    def _lines(self, log: Log, ply: int, start: int) -> tuple[LogLine, ...]:
        """Return the lines up to a ply, without the first `start`; resignations follow the ply that they came after."""
        if not self.notes:
            return log.lines(ply, start)
        notes = [line for line in self.notes if line.ply <= ply]
        return tuple(sorted([*log.lines(ply), *notes], key=lambda line: line.ply)[start:])

    def saw(self, viewer: int, ply: int) -> bool:
        """Return whether a viewer has seen what was played or drawn at a ply, then or since."""
        timeline = self._timeline
        timeline.check_viewer(viewer)
        timeline.check_played(ply)
        if self._log(viewer).saw(ply):
            return True
        before, action = timeline.state_at(ply - 1), timeline.actions[ply - 1]
        return timeline.game.seen_by_now(before, action, timeline.present, viewer)

    def events(self, viewer: int) -> list[SeenPly]:
        """Return every ply as a viewer saw it: who acted, and the action, or None if it was hidden."""
        timeline = self._timeline
        timeline.check_viewer(viewer)
        if not timeline.game.has_hidden_information:
            return list(zip(timeline.movers, timeline.actions, strict=True))
        events = self._events.setdefault(viewer, [])
        if len(events) < timeline.ply:
            state = timeline.state_at(len(events)).clone()
            for ply in range(len(events), timeline.ply):
                action = timeline.actions[ply]
                events.append((timeline.movers[ply], action if timeline.game.sees(state, action, viewer) else None))
                state.apply(action)
        return list(events)

    def notices(self, viewer: int, since: int) -> Iterator[SeenNotice]:
        """Return the notices of the events after a ply, as far as a viewer may know them."""
        timeline, sights = self._timeline, self._sights_of(viewer)
        timeline.check_ply(since)
        for ply in range(since + 1, timeline.ply + 1):
            for notice in timeline.game.event_notices(sights.events(ply)):
                yield SeenNotice(ply, notice, self.scene_with_move(viewer, ply) if notice.shown_before else None)

    def overlay(self, viewer: int, at: int | None = None) -> Overlay:
        """Return what is drawn over the board on demand for a viewer, now or at an earlier ply."""
        timeline = self._timeline
        timeline.check_viewer(viewer)
        ply = timeline.ply if at is None else at
        timeline.check_ply(ply)
        drawn: Overlay = timeline.game.overlay(timeline.state_at(ply), viewer)
        return drawn

    def ghost(self, viewer: int, ply: int, at: int | None = None) -> Ghost:
        """Return what was played at a ply, as a viewer saw it, to be drawn on the board of ply `at` (the present)."""
        return self.moves(viewer, [ply], at)[0].ghost

    def moves(self, viewer: int, plies: Iterable[int], at: int | None = None) -> list[SeenMove]:
        """Return what was played at several plies, as a viewer saw it, to be drawn on the board of ply `at`."""
        timeline, sights = self._timeline, self._sights_of(viewer)
        end = timeline.ply if at is None else at
        timeline.check_ply(end)
        found = []
        for ply in plies:
            timeline.check_played(ply)
            found.append(sights.move(ply, end))
        return found

    def scene(self, viewer: int, at: int | None = None) -> Scene:
        """Return the picture of what a viewer may know, now or at an earlier ply."""
        ply = self._timeline.ply if at is None else at
        self._timeline.check_ply(ply)
        return self._sights_of(viewer).position(ply).scene

    def _sights_of(self, viewer: int) -> Sights:
        self._timeline.check_viewer(viewer)
        return self._sights.get(viewer) or self._sights.setdefault(viewer, Sights(self._timeline, viewer))

    def scene_with_move(self, viewer: int, ply: int) -> Scene:
        """Return the scene with what was played at a ply, as a viewer saw it, before the board was cleared."""
        timeline = self._timeline
        timeline.check_viewer(viewer)
        timeline.check_played(ply)
        return scene_with(timeline.state_at(ply - 1), timeline.actions[ply - 1], timeline.state_at(ply), viewer)

    def last_turn(self, seat: int) -> int:
        """Return the ply before the latest turn that a seat has ended; 0 if it has not ended one.

        A turn is what a seat does until another seat acts; draws belong to the turn before them.
        """
        timeline = self._timeline
        timeline.check_seat(seat)
        end = self._start_of_turn(seat, timeline.ply) if timeline.to_move == seat else timeline.ply
        while end > 0 and timeline.movers[end - 1] != seat:
            end -= 1
        start = self._start_of_turn(seat, end)
        return timeline.movers.index(seat, start) if start < end else 0

    def _start_of_turn(self, seat: int, ply: int) -> int:
        """Go back as long as a seat, or chance, acts."""
        while ply > 0 and self._timeline.movers[ply - 1] in (seat, CHANCE):
            ply -= 1
        return ply

    def _log(self, viewer: int) -> Log:
        """Return the log of a viewer, brought up to date."""
        timeline = self._timeline
        log = self._logs.get(viewer) or self._logs.setdefault(viewer, Log(timeline.game, viewer))
        if log.plies == timeline.ply:
            return log
        before = timeline.state_at(log.plies)
        for action in timeline.actions[log.plies :]:
            after = before.clone()
            after.apply(action)
            log.add(before, action, after)
            before = after
        return log

    # Kept up to date by the match.

    def take_over(self, known: Viewing) -> None:
        """Take what the viewers of an earlier copy saw, which is given up."""
        self._logs, self._events = known._logs, known._events

    def add(self, action: int, after: State) -> None:
        """Describe the next ply in the logs that are up to date, while both positions are available."""
        for log in self._logs.values():
            if log.plies == self._timeline.ply:
                log.add(self._timeline.present, action, after)

    def truncate(self, to_ply: int) -> None:
        """Forget the plies after this one."""
        for log in self._logs.values():
            log.truncate(to_ply)
        for events in self._events.values():
            del events[to_ply:]
        for sights in self._sights.values():
            sights.truncate(to_ply)
