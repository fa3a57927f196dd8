"""A bot's advice at a point of a match, with its reasons.

A position is searched several times, each time from its own seed. What the searches differ by tells how sure their
numbers are. All seeds follow from what the seat can see, so the same position gives the same hint.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import sqrt
from statistics import stdev
from typing import Final, Protocol

import msgspec
from librt.random import Random
from msgspec import Struct

from ludotheque.bots.candidate import Candidate
from ludotheque.bots.isolated import seat_isolated_bot
from ludotheque.bots.pool import Pool, added_up
from ludotheque.bots.registry import bot_title
from ludotheque.bots.tuning import speed
from ludotheque.core.earnings import totals
from ludotheque.core.errors import NoSuchPly
from ludotheque.core.game import Game, State
from ludotheque.core.phrases import Phrase, in_full, listed, phrase, seat_name
from ludotheque.core.seeds import seed_number
from ludotheque.core.turn import CLOCK, Turn
from ludotheque.table import Match

DEALS: Final = 100
SEARCHES: Final = 4
MIN_SIMULATIONS: Final = 32
MAX_EFFECTS: Final = 2
"""The most effects of a move that a reason names."""
CLOSE: Final = 1
"""Moves that differ by at most this percentage of the wins are about as good."""
MAX_NEXT: Final = 3
"""The most further decisions of the same turn that it names."""


class Hint(Struct, frozen=True, kw_only=True):
    """One move, and what to expect of it."""

    action: int
    move: str
    """In the game's notation."""
    words: Phrase
    """The decision of the seat, in one sentence."""
    visits: int
    returns: tuple[float, ...]
    """Expected shares of the win by seat, adjusted a little for the lead in points unless it is certain."""
    scores: tuple[float, ...]
    """Expected final scores by seat."""
    error: float
    """The standard error of the share of the win of the seat to move."""
    score_error: float
    """The same for its final score."""
    exact: bool
    """Whether best play was worked out, to the end of the game or of the round."""
    certain: bool
    """Whether it was worked out to the end of the game: the numbers are the result, not estimates."""
    follows: tuple[str, ...]
    """The decisions expected after it; the last ones were hardly looked at. Draws are not foreseen."""
    reason: Phrase
    """Why, in one sentence of numbers."""

    @property
    def margin(self) -> float:
        """The margin of error of the share of the win: twice the standard error, as in reviews."""
        return 2 * self.error

    @property
    def score_margin(self) -> float:
        """The same for the final score."""
        return 2 * self.score_error


def hints(match: Match, ply: int, *, seconds: float, workers: int = 1, most: int = 3) -> list[Hint]:
    """The best few moves for the seat to act at a ply, as far as it can know."""
    past = _match_at(match, ply)
    seat = past.to_move
    position = past.resampled(seat, Random(1))
    simulations = round(seconds * speed(match.game).simulations)
    with Pool(workers) as pool:
        return position_hints(position, seat, pool, simulations=simulations, most=most)


def _match_at(match: Match, ply: int) -> Match:
    """The match as it was at a ply, if a player was to move there."""
    past = Match(match.game, match.names, history=[action for _, action in match.actions()][: max(0, ply)])
    if ply != past.ply or past.to_move < 0:
        raise NoSuchPly(f"No player is to move at ply {ply}; choose a ply after which someone is to move.")
    return past


class BotMove(Struct, frozen=True):
    """A bot's choice without its reasons: custom bots give none."""

    bot: str
    move: str
    words: Phrase


def bot_move(match: Match, ply: int, bot: str, clock: float = CLOCK) -> BotMove:
    """Return the choice of the bot of that name at a ply, as far as the seat to act can know."""
    past = _match_at(match, ply)
    turn = past.turn(past.to_move, Random(1), clock)
    action = chosen_by(bot, turn, 1)
    return BotMove(
        bot_title(bot), turn.state.action_to_string(action), in_full(match.game.describe_decision(turn.state, action))
    )


def chosen_by(bot: str, turn: Turn, seed: int) -> int:
    """The choice of a bot that is seated for one turn."""
    seated = seat_isolated_bot(bot, turn.game, turn.seat, seed, turn.clock)
    try:
        return seated.choose(turn)
    finally:
        seated.close()


class Searcher(Protocol):
    """Searches a position several times: a `Pool`, or this process."""

    def think_apart(self, state: State, seat: int, *, seeds: Sequence[int], simulations: int) -> list[list[Candidate]]:
        """Run one search per seed."""


def position_hints(state: State, seat: int, pool: Searcher, *, simulations: int, most: int = 3) -> list[Hint]:
    """The best few moves in a position, as far as the seat can know, by a search with a budget of simulations."""
    seeds = search_seeds(state, seat, SEARCHES)
    each = max(MIN_SIMULATIONS, simulations // SEARCHES)
    position = state.resample_from_infostate(seat, Random(seeds[0]))
    searches = pool.think_apart(position, seat, seeds=seeds, simulations=each)
    found = _credible(settled(position, added_up(searches)), seat)[:most]
    return [_hint(position, seat, move, found, searches) for move in found]


def _credible(found: Sequence[Candidate], seat: int) -> list[Candidate]:
    """The moves whose values do not contradict the best one: where that is worked out, none can be worth more."""
    best = found[0]
    return [move for move in found if move is best or not best.is_exact or move.returns[seat] <= best.returns[seat]]


def settled(position: State, found: Sequence[Candidate]) -> list[Candidate]:
    """The moves of a search, those worked out to the end of the game with its result: search also rewards a lead."""
    return [_with_result(move, final_position(position, move)) for move in found]


def _with_result(move: Candidate, final: State | None) -> Candidate:
    if final is None:
        return move
    scores = tuple(map(float, final.scores()))
    return Candidate(move.action, move.visits, tuple(final.returns()), scores, move.line, move.is_exact)


def final_position(position: State, move: Candidate) -> State | None:
    """The end of the game after a move, if best play was worked out as far as that."""
    if not move.is_exact:
        return None
    state = position.clone()
    for action in (move.action, *move.line):
        state.apply(action)
    return state if state.is_terminal() else None


def search_seeds(state: State, seat: int, count: int) -> list[int]:
    """Seeds that follow from what a seat can see of a position."""
    seen = msgspec.msgpack.encode(state.game.observe(state, seat)).hex()
    return [seed_number(seen, "hint", number) for number in range(count)]


def _hint(
    position: State, seat: int, move: Candidate, found: Sequence[Candidate], searches: Sequence[Sequence[Candidate]]
) -> Hint:
    return explain(position, seat, move, found, *standard_errors(seat, move, searches))


def explain(
    position: State, seat: int, move: Candidate, found: Sequence[Candidate], error: float, score_error: float
) -> Hint:
    """A move that a search has found, with what follows it and why; `found`: what it is compared with, the best
    first."""
    words = line_notation(position, seat, [move.action, *move.line])
    return Hint(
        action=move.action,
        move=words[0],
        words=in_full(position.game.describe_decision(position, move.action)),
        visits=move.visits,
        returns=move.returns,
        scores=move.scores,
        error=error,
        score_error=score_error,
        exact=move.is_exact,
        certain=final_position(position, move) is not None,
        follows=tuple(words[1:]),
        reason=reason(position, seat, move, found),
    )


def standard_errors(seat: int, move: Candidate, searches: Sequence[Sequence[Candidate]]) -> tuple[float, float]:
    """Return the standard errors of a seat's share of the win and its final score after a move."""
    same = [other for search in searches for other in search if other.action == move.action]
    returns, scores = [other.returns[seat] for other in same], [other.scores[seat] for other in same]
    return _standard_error(returns, move), _standard_error(scores, move)


def _standard_error(values: Sequence[float], move: Candidate) -> float:
    """Return the standard error over independent searches; 0 where the move was worked out."""
    return 0.0 if move.is_exact or len(values) < 2 else stdev(values) / sqrt(len(values))


# Why.


def reason(state: State, seat: int, move: Candidate, found: Sequence[Candidate]) -> Phrase:
    """Explain a move in a sentence of facts: what it earns and whom, what it changes, the answer, the next best."""
    after = state.clone()
    after.apply(move.action)
    parts = [
        *_earned(state, move.action, after, seat),
        *list(state.game.effects(state, move.action, after, seat))[:MAX_EFFECTS],
        *_goes_on(state, after, move),
        *_answer(after, seat, move),
        *_compared(seat, move, found),
    ]
    return _sentence(parts)


def _sentence(parts: Sequence[Phrase]) -> Phrase:
    joined = parts[0]
    for part in parts[1:]:
        joined = phrase("{one}; {other}", one=joined, other=part)
    return phrase("{reasons}.", reasons=joined)


def _earned(state: State, action: int, after: State, seat: int) -> Iterator[Phrase]:
    """Yield what the move earns, at once and at the end: the seat itself first, then the others."""
    game = state.game
    if not game.shows_scores(state, seat):
        return
    earned = game.earnings(state, action, after)
    at_once, at_end = totals(earned, game.players, ["now"]), totals(earned, game.players, ["end"])
    yield from _you_earn(game, at_once[seat], at_end[seat])
    for other in range(game.players):
        if other != seat:
            yield from _other_earns(game, seat_name(other), at_once[other], at_end[other])


def _you_earn(game: Game, at_once: int, at_end: int) -> Iterator[Phrase]:
    now, later = game.amount(abs(at_once)), game.amount(abs(at_end))
    if at_once > 0 > at_end:
        yield phrase("brings you {now} at once, instead of {later} at the end", now=now, later=later)
        return
    if at_once:
        yield (
            phrase("brings you {amount} at once", amount=now)
            if at_once > 0
            else phrase("costs you {amount} at once", amount=now)
        )
    if at_end:
        yield (
            phrase("would bring you {amount} at the end", amount=later)
            if at_end > 0
            else phrase("would cost you {amount} at the end", amount=later)
        )


def _other_earns(game: Game, seat: Phrase, at_once: int, at_end: int) -> Iterator[Phrase]:
    now, later = game.amount(abs(at_once)), game.amount(abs(at_end))
    if at_once > 0 > at_end:
        yield phrase("brings {seat} {now}, instead of {later} at the end", seat=seat, now=now, later=later)
        return
    if at_once:
        yield (
            phrase("brings {seat} {amount}", seat=seat, amount=now)
            if at_once > 0
            else phrase("costs {seat} {amount}", seat=seat, amount=now)
        )
    if at_end:
        yield (
            phrase("would bring {seat} {amount} at the end", seat=seat, amount=later)
            if at_end > 0
            else phrase("would cost {seat} {amount} at the end", seat=seat, amount=later)
        )


def _goes_on(state: State, after: State, move: Candidate) -> Iterator[Phrase]:
    """Yield what the seat decides next in the same turn, as search expects it."""
    labels = []
    after = after.clone()
    for action in turn_of(state, [move.action, *move.line])[1 : 1 + MAX_NEXT]:
        labels.append(phrase("“{move}”", move=_label(after, action)))
        after.apply(action)
    if labels:
        yield phrase("goes on with {moves}", moves=listed(labels))


def turn_of(state: State, line: Sequence[int]) -> list[int]:
    """The decisions of a line that the seat to act makes one after the other."""
    seat, state, turn = state.current_player(), state.clone(), list[int]()
    for action in line:
        if state.current_player() != seat or action not in state.legal_actions():
            break
        turn.append(action)
        state.apply(action)
    return turn


def _answer(after: State, seat: int, move: Candidate) -> Iterator[Phrase]:
    """The answer of the next player that search expects, and what that player can then expect. Where something is
    hidden, the answer is one to what was only guessed, so it is not named."""
    other = int(after.current_player())
    if other < 0 or other == seat or not move.line:
        return
    amount = after.game.amount(round(move.scores[other]))
    if after.game.has_hidden_information or move.line[0] not in after.legal_actions():
        yield phrase("{seat} can then expect {amount} at the end", seat=seat_name(other), amount=amount)
        return
    yield phrase(
        "{seat}'s best answer is “{move}”, for {amount} at the end",
        seat=seat_name(other), move=_label(after, move.line[0]), amount=amount,
    )  # fmt: skip


def _label(state: State, action: int) -> Phrase:
    """A move as the choices of a player name it. "Bid, from $8" goes without saying before "Bid $9"."""
    steps = state.game.steps(state, action)
    labels = [step.label for step, later in pairwise(steps) if not later.key.startswith(f"{step.key}:")]
    return listed([*labels, steps[-1].label])


def _compared(seat: int, move: Candidate, found: Sequence[Candidate]) -> Iterator[Phrase]:
    """Yield what the next best move wins, or the best where the move is another."""
    others = [other for other in found if other.action != move.action]
    if not others:
        yield phrase("it wins {percent} of 100 games from here", percent=_percent(move, seat))
        return
    percent = _percent(others[0], seat)
    lead = _percent(move, seat) - percent
    if found[0].action == move.action:
        yield _next_best(percent, lead)
    else:
        yield _best(percent, lead)


def _next_best(percent: int, lead: int) -> Phrase:
    """Compare with the next best move, over which the best one leads by a percentage."""
    if lead < -CLOSE:
        return phrase(
            "the next best move wins {percent} of 100 games from here, but was tried less often", percent=percent
        )
    if lead <= CLOSE:
        return phrase("the next best move is about as good: it wins {percent} of 100 games from here", percent=percent)
    return phrase("the next best move wins {percent} of 100 games from here", percent=percent)


def _best(percent: int, lead: int) -> Phrase:
    """Compare with the best move, over which another one leads by a percentage."""
    if lead > CLOSE:
        return phrase(
            "the best move wins {percent} of 100 games from here and is surer: it was tried more often", percent=percent
        )
    if lead >= -CLOSE:
        return phrase("the best move is about as good: it wins {percent} of 100 games from here", percent=percent)
    return phrase("the best move wins {percent} of 100 games from here", percent=percent)


def _percent(move: Candidate, seat: int) -> int:
    return int(100 * move.returns[seat] + 0.5)  # as the page rounds


# Lines of moves.


def line_notation(position: State, seat: int, actions: Sequence[int], deals: int = DEALS) -> list[str]:
    """Return a line of decisions in the game's notation. Of several deals that are possible for the seat, the one that
    allows most of the line is used."""
    rng = Random(1)
    possible = [position.resample_from_infostate(seat, rng) for _ in range(deals)]
    return max((_notation(deal, actions, rng) for deal in possible), key=len)


def _notation(state: State, actions: Sequence[int], rng: Random) -> list[str]:
    """Return the decisions in the game's notation as far as they are legal, with random draws between them."""
    moves: list[str] = []
    for action in actions:
        while state.is_chance_node():
            state.apply(state.sample(rng))
        if action not in state.legal_actions():
            break
        moves.append(state.action_to_string(action))
        state.apply(action)
    return moves
