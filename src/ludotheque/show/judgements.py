"""Decisions and their judgements in a reader's language: one shape for the API, pages and files."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from ludotheque.core.game import Game
from ludotheque.core.scene import Renderer
from ludotheque.study.review import Decision, Judgement
from ludotheque.study.review_summary import effect_words


class RenderedJudgement(Struct, frozen=True, kw_only=True):
    """A bot's verdict on a decision, by seat."""

    before: tuple[float, ...]
    """Shares of the win."""
    after: tuple[float, ...]
    scores_before: tuple[float, ...]
    """Expected final scores."""
    scores_after: tuple[float, ...]
    score_margins: tuple[float, ...]
    """A difference of those that is no bigger than this may be chance."""
    effect: str
    """The change that the decision made for all seats; empty if it was the best."""
    loss: float
    """The share of the win that the decision gave away."""
    best: str
    """In the game's notation."""
    better: str
    """The best move in the reader's language; empty if it was played."""
    follows: tuple[str, ...]
    """A possible continuation after the best move, in the game's notation."""
    error: float
    """The standard error of these numbers for the seat that decides."""

    @property
    def loss_percent(self) -> int:
        return round(100 * self.loss)

    def shares_text(self, names: Sequence[str]) -> str:
        """Everyone's wins in 100 games, before and after where that differs."""
        before, after = self.before, self.after
        return _changes(names, [f"{100 * share:.0f}" for share in before], [f"{100 * share:.0f}" for share in after])

    def scores_text(self, names: Sequence[str]) -> str:
        """Everyone's expected final score, likewise."""
        before, after = self.scores_before, self.scores_after
        return _changes(names, [f"{score:.0f}" for score in before], [f"{score:.0f}" for score in after])


class RenderedDecision(Struct, frozen=True, kw_only=True):
    """A decision of the review."""

    ply: int
    seat: int
    move: str
    """In the game's notation."""
    words: str
    as_seen: RenderedJudgement
    """Judged by what the player knew then."""
    with_hindsight: RenderedJudgement | None
    """With everything hidden known; null in a game that hides nothing."""


def render_decision(game: Game, decision: Decision, render: Renderer) -> RenderedDecision:
    """A decision in the reader's language."""
    seat, hindsight = decision.seat, decision.with_hindsight
    return RenderedDecision(
        ply=decision.ply,
        seat=seat,
        move=decision.move,
        words=render(decision.words),
        as_seen=_render_judgement(game, decision.as_seen, seat, render),
        with_hindsight=_render_judgement(game, hindsight, seat, render) if hindsight else None,
    )


def _render_judgement(game: Game, judged: Judgement, seat: int, render: Renderer) -> RenderedJudgement:
    return RenderedJudgement(
        before=judged.before,
        after=judged.after,
        scores_before=judged.scores_before,
        scores_after=judged.scores_after,
        score_margins=judged.score_margins,
        effect=render(effect_words(game, judged, seat)) if judged.better else "",
        loss=judged.loss(seat),
        best=judged.best,
        better=render(judged.better) if judged.better else "",
        follows=judged.follows,
        error=judged.error,
    )


def _changes(names: Sequence[str], before: Sequence[str], after: Sequence[str]) -> str:
    """`Ann 31 → 27, Bob 28`."""
    rows = zip(names, before, after, strict=True)
    return ", ".join(f"{name} {now}" if was == now else f"{name} {was} → {now}" for name, was, now in rows)
