"""Someone's way of playing, game by game: their first decisions, and what reviews of their games found.

Decisions are of one kind if the game describes them by the same sentence: "{seat} bids {amount}". So a game needs to
say nothing more, and a kind can be shown in every language.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

import sqlalchemy as sql
from msgspec import Struct

from ludotheque.core.game import Game
from ludotheque.core.options import holds_document
from ludotheque.core.phrases import SEAT, Phrase, in_full
from ludotheque.core.registry import cached_game
from ludotheque.server.club.results import GamePlayed, grouped
from ludotheque.server.storage.database import Storage
from ludotheque.server.storage.playable import playable_condition
from ludotheque.server.storage.schema import DECISIONS, PLIES, REVIEWS, TABLES
from ludotheque.study.review import VERSION, Decision, read_decision

MOST_OPENINGS: Final = 60
"""Latest games whose first decisions are read."""
FIRST_PLIES: Final = 40
"""Plies within which someone's first decision is looked for."""
MOST_REVIEWED: Final = 30
"""Latest games whose reviews are read."""
MOST_KINDS: Final = 3
"""Kinds of decisions that are named for a game."""
GOOD: Final = 0.02
"""A decision that loses less of the win is as good as the best."""
MISTAKE: Final = 0.05
"""A decision that loses more of it is a mistake."""
PARTS: Final = 3
"""Parts into which a game is divided: its beginning, middle and end."""


GAP: Final = "…"
"""Stands for what differs between decisions of one kind."""


class Opening(Struct, frozen=True):
    """A kind of first decision."""

    kind: Phrase
    played: int
    wins: float


class KindOfMistake(Struct, frozen=True):
    """A kind of decision that cost much."""

    kind: Phrase
    decisions: int
    mistakes: int
    loss: float
    """The share of the win that it cost on average."""


class DecisionFigures(Struct, frozen=True):
    """Figures from the reviews of someone's decisions in a game."""

    games: int
    decisions: int
    good: int
    """Decisions as good as the best: they lost less than 2% of the win."""
    mistakes: int
    """Decisions that lost more than 5% of the win."""
    loss: float
    """The share of the win that a decision cost on average."""
    parts: tuple[float, ...]
    """The same at the beginning, in the middle and at the end of games."""


class Accuracy(DecisionFigures, frozen=True):
    """The findings of reviews about someone's decisions in a game."""

    kinds: tuple[KindOfMistake, ...]
    """The kinds of decisions that cost most in all."""


class Judged(Struct, frozen=True):
    """A decision of a reviewed game."""

    kind: Phrase
    part: int
    """The part of the game, from 0."""
    loss: float


def kind_of(words: Phrase) -> Phrase:
    """The kind of a decision: its sentence with gaps, except for the name of the player."""
    values = {name: value if _is_seat(value) else GAP for name, value in words.values.items()}
    return Phrase(words.text, {**values, "count": 2} if words.many else values, words.many)


def _is_seat(value: object) -> bool:
    return isinstance(value, Phrase) and value.text == SEAT


# First decisions.


async def openings(storage: Storage, games: Sequence[GamePlayed]) -> dict[str, tuple[Opening, ...]]:
    """Return the kinds of someone's first decisions by game, the most frequent first; `games`: the latest first.

    Games with custom boards or cards are left out: each may take a second to set up.
    """
    latest = {game.table: game for game in games[:MOST_OPENINGS]}
    settings = sql.select(TABLES.c.id, TABLES.c.settings).where(TABLES.c.id.in_(latest), playable_condition())
    plies = (
        sql.select(PLIES.c.table_id, PLIES.c.who, PLIES.c.action)
        .where(PLIES.c.table_id.in_(latest), PLIES.c.ply <= FIRST_PLIES)
        .order_by(PLIES.c.table_id, PLIES.c.ply)
    )
    async with storage.reading() as connection:
        known = {row.id: row.settings for row in await connection.execute(settings)}
        history: dict[str, list[tuple[int, int]]] = {}
        for row in await connection.execute(plies):
            history.setdefault(row.table_id, []).append((row.who, row.action))
    found: dict[str, list[tuple[GamePlayed, Phrase]]] = {}
    for id, at in known.items():
        game = latest[id]
        if holds_document(at):
            continue
        first = _first_decision(cached_game(game.game, game.players, at), history.get(id, ()), game.me.seat)
        if first:
            found.setdefault(game.game, []).append((game, kind_of(first)))
    return {name: count_openings(first) for name, first in found.items()}


def _first_decision(game: Game, plies: Iterable[tuple[int, int]], seat: int) -> Phrase | None:
    """The first decision of a seat that had a choice, in words without names; None if there is none among these."""
    state = game.new_initial_state()
    for who, action in plies:
        if who == seat and len(state.legal_actions()) > 1:
            return in_full(game.describe_decision(state, action))
        state.apply(action)
    return None


def count_openings(first: Sequence[tuple[GamePlayed, Phrase]]) -> tuple[Opening, ...]:
    """Count first decisions by kind; the player's seat does not matter."""
    kinds: dict[str, list[tuple[GamePlayed, Phrase]]] = {}
    for game, kind in first:
        kinds.setdefault(kind.text, []).append((game, kind))
    counted = [Opening(found[0][1], len(found), sum(game.me.share for game, _ in found)) for found in kinds.values()]
    return tuple(sorted(counted, key=lambda each: -each.played)[:MOST_KINDS])


# Reviews.


async def accuracies(storage: Storage, games: Sequence[GamePlayed]) -> dict[str, Accuracy]:
    """Return what reviews found about someone's decisions, by game; `games`: the latest first."""
    ids = [game.table for game in games]
    reviewed = sql.select(REVIEWS.c.table_id).where(REVIEWS.c.table_id.in_(ids), REVIEWS.c.version == VERSION)
    decisions = sql.select(DECISIONS).order_by(DECISIONS.c.table_id, DECISIONS.c.ply)
    async with storage.reading() as connection:
        known = {str(id) for id in (await connection.execute(reviewed)).scalars()}
        latest = [game for game in games if game.table in known][:MOST_REVIEWED]
        wanted = decisions.where(DECISIONS.c.table_id.in_([game.table for game in latest]))
        found: dict[str, list[Decision]] = {}
        for row in (await connection.execute(wanted)).mappings():
            found.setdefault(row["table_id"], []).append(read_decision(row["decision"]))
    by_game = grouped((game for game in latest if game.table in found), lambda game: game.game)
    judged = {name: [each for game in played for each in judge(found[game.table], game.me.seat)]
              for name, played in by_game.items()}  # fmt: skip
    return {name: accuracy(len(by_game[name]), moves) for name, moves in judged.items() if moves}


def judge(decisions: Sequence[Decision], seat: int) -> list[Judged]:
    """The decisions of a seat in a reviewed game."""
    last = max(decision.ply for decision in decisions)
    return [
        Judged(kind_of(decision.words), min(PARTS - 1, PARTS * decision.ply // last), decision.as_seen.loss(seat))
        for decision in decisions
        if decision.seat == seat
    ]


def accuracy(games: int, moves: Sequence[Judged]) -> Accuracy:
    """Summarise the decisions of someone in some games."""
    parts = [[move.loss for move in moves if move.part == part] for part in range(PARTS)]
    return Accuracy(
        games,
        len(moves),
        sum(move.loss < GOOD for move in moves),
        sum(move.loss > MISTAKE for move in moves),
        _mean([move.loss for move in moves]),
        tuple(map(_mean, parts)),
        _kinds(moves),
    )


def _kinds(moves: Sequence[Judged]) -> tuple[KindOfMistake, ...]:
    kinds: dict[str, list[Judged]] = {}
    for move in moves:
        kinds.setdefault(move.kind.text, []).append(move)
    costs = Counter({text: sum(move.loss for move in found) for text, found in kinds.items()})
    worst = [kinds[text] for text, cost in costs.most_common(MOST_KINDS) if cost > 0]
    return tuple(
        KindOfMistake(
            found[0].kind, len(found), sum(move.loss > MISTAKE for move in found), _mean([move.loss for move in found])
        )
        for found in worst
    )


def _mean(losses: Sequence[float]) -> float:
    return round(sum(losses) / len(losses), 4) if losses else 0.0
