"""The view of a table for one viewer, in their language. All of it is made from their `View`."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType, structs

from ludotheque.core.colours import colour_name, seat_letter
from ludotheque.core.game import CHANCE, Game
from ludotheque.core.phrases import phrase
from ludotheque.core.scene import Renderer
from ludotheque.server.tables.facts import Rights
from ludotheque.server.tables.live import LiveTable
from ludotheque.server.tables.proposals import standing_offer
from ludotheque.server.tables.undo import NO_UNDO, undo_offer
from ludotheque.server.tables.view_shapes import (
    NOBODY,
    ClockView,
    DiceView,
    PositionView,
    PremoveChoice,
    PremovesView,
    Presence,
    ResultView,
    SeatView,
    TableView,
)
from ludotheque.show.art import Art, art_of
from ludotheque.show.event_cards import RenderedEventCard
from ludotheque.show.language import Reader
from ludotheque.show.played import PlayedMove
from ludotheque.show.scenes import (
    RenderedChoice,
    RenderedLine,
    RenderedScene,
    render_choices,
    render_lines,
    render_scene,
    render_word,
    renderer,
)
from ludotheque.table import Nonce, View
from ludotheque.table.clock import time_left
from ludotheque.table.steady_time import steady_time


def past_view(table: LiveTable, viewer: int, at: int, reader: Reader, rights: Rights) -> TableView:
    """An earlier position, rendered for this request."""
    view = table.match.view(viewer, at)
    render = renderer(table.game.name, reader, view.names)
    is_latest = viewer in rights.seats and view.ply == view.last_ply
    offer = undo_offer(table.match, table.facts, viewer, rights) if is_latest else NO_UNDO
    position = position_view(
        table, viewer, view,
        scene=render_scene(table.match.viewing.scene(viewer, at), render), choices=render_choices(view.choices, render),
        log_from=0, log=render_lines(view.log, render), cards=(), hand_over=None,
        undo=offer.way, ahead=None, render=render,
    )  # fmt: skip
    past = make_table_view(position, table, view, art_of(table.game, reader.language), rights, NOBODY, render)
    return structs.replace(past, observation=plain_observation(view))


def present_renderer(table: LiveTable, reader: Reader) -> Renderer:
    """Render the present position, where a bot that plays for a person is named as one. The log names the person: the
    earlier moves are theirs."""
    render = renderer(table.game.name, reader, table.match.names)
    names = list(table.match.names)
    for seat in table.facts.substitutes:
        names[seat] = render(phrase("{name} (bot)", name=names[seat]))
    return renderer(table.game.name, reader, names)


def position_view(
    table: LiveTable,
    viewer: int,
    view: View,
    *,
    scene: RenderedScene,
    choices: tuple[RenderedChoice, ...],
    log_from: int,
    log: tuple[RenderedLine, ...],
    cards: tuple[RenderedEventCard, ...],
    hand_over: int | None,
    undo: Literal["free", "ask", ""],
    ahead: PremovesView | None,
    render: Renderer,
    played: tuple[PlayedMove, ...] | UnsetType = UNSET,
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
        cards=cards,
        since=table.match.viewing.last_turn(viewer) if viewer >= 0 else None,
        comments={str(ply): text for ply, text in view.comments.items()},
        undo=undo,
        undo_request=table.facts.undo_request,
        end_offer=standing_offer(table.facts, table.match),
        result=_result(table.game, view, render) if view.scores else None,
        clock=clock_view(table, steady_time()),
        ahead=ahead,
        played=played,
    )


def _result(game: Game, view: View, render: Renderer) -> ResultView:
    return ResultView(view.scores, tuple(render(game.score_text(score)) for score in view.scores), view.returns)


def make_table_view(
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
        title=table.game.shown_title(),
        kind=table.facts.kind,
        mine=rights.seats,
        host=rights.is_host,
        closed=table.facts.closed,
        locked=bool(table.facts.password),
        watchable=table.facts.watchable,
        muted=tuple(sorted(table.facts.muted)),
        seats=seat_views(table, rights, presence, render),
        watchers=presence.watchers,
        pace=table.facts.pace,
        dice=_dice_view(table, view),
        backdrop=art.backdrop_url(table.id),
        styles=art.styles_url(table.id),
        rated=table.facts.terms.rated,
        tournament=table.facts.terms.tournament,
        hints=table.allows_hints,
        abandoned=table.facts.ending.abandoned,
        rematch=f"/t/{table.facts.rematch}" if table.facts.rematch else "",
        rematch_request=table.facts.rematch_request,
        begins_rematch=table.facts.terms.rematch and all(who == CHANCE for who in table.match.movers),
        awaited=tuple(sorted(table.facts.awaited)),
    )


def _dice_view(table: LiveTable, view: View) -> DiceView | None:
    if not view.commitment:
        return None
    state, nonces = table.facts.nonce_round.state, table.facts.nonce_round.nonces
    if state != "closed":
        nonces = tuple(Nonce(added.seat, added.commitment) for added in nonces)
    return DiceView(view.commitment, view.seed, table.match.branched_at, state, nonces, table.facts.redeals)


def seat_views(table: LiveTable, rights: Rights, presence: Presence, render: Renderer) -> tuple[SeatView, ...]:
    colours = table.game.seat_colours()
    resigned = {each.seat: each for each in table.facts.ending.resigned}
    return tuple(
        SeatView(
            seat=number,
            name=table.facts.names[number],
            who=seat.who,
            level=seat.level,
            open=seat.open,
            taken=seat.taken,
            present=seat.who == "bot" or number in presence.seats,
            mine=number in rights.seats,
            thinking=number in table.thinking,
            stopped=render_word(table.stopped.get(number, ""), render),
            browsers=len(table.facts.keys.browsers(number)),
            colour=colours[number],
            colour_name=render(colour_name(colours[number])),
            letter=render(seat_letter(colours[number], number)),
            hints=table.facts.hints_used(number),
            stands_in=seat.substitutes,
            lent=number in rights.substituted and number not in resigned,
            held=number in rights.held,
            resigned=resigned[number].ply if number in resigned else None,
            timed_out=number in resigned and resigned[number].timed_out,
            declined=number in table.facts.declined,
            late=number in table.facts.late,
        )
        for number, seat in enumerate(table.facts.seats)
    )


def clock_view(table: LiveTable, at: float) -> ClockView | None:
    """The clock as it is sent."""
    facts = table.facts
    rule, clock = facts.terms.clock, facts.clock
    if rule is None or clock is None:
        return None
    left = tuple(round(time_left(clock, seat, at, facts.seated_at), 1) for seat in range(len(facts.seats)))
    running = clock.seat if facts.seated_at is not None and not table.match.is_over else -1
    return ClockView(rule.kind, rule.seconds, rule.increment, left, running)


def premoves_view(table: LiveTable, seat: int, render: Renderer) -> PremovesView | None:
    """The choices of a seat ahead of its turn; None if there are none."""
    order = table.order_of(seat)
    offers = table.match.premove_offers(seat)
    if not offers:
        return None
    choices = tuple(PremoveChoice(o.key, render(o.label), o.lowest, o.highest) for o in offers)
    key, amount = (order.key, order.amount) if order else ("", 0)
    return PremovesView(table.match.premove_context, choices, key, amount)


def plain_observation(view: View) -> dict[str, Any]:
    """The observation as plain values."""
    plain: dict[str, Any] = msgspec.to_builtins(view.observation)
    return plain
