"""A possible course of a match after a better move that its review found.

The line starts before the decision, with the better move by what the player knew. The moves that the review expects
after it are played up to the first draw, in games without hidden information. From there a bot decides for every seat,
by a search from a position that this seat cannot tell from the true one: no seat plays by what it could not know.

The draws come from the match's own dice, ply by ply, so the line differs from the match by its moves and not by its
luck; where their seed is not known, from dice with a fixed seed. The same decision always gives the same line.
"""

from __future__ import annotations

from typing import Final

from librt.random import Random

from ludotheque.bots.players import SearchBot
from ludotheque.bots.tuning import speed
from ludotheque.core.game import CHANCE
from ludotheque.core.seeds import seed_bytes, seed_number
from ludotheque.core.turn import Turn
from ludotheque.study.review import Decision, Judgement
from ludotheque.table import Dice, Match

ROUNDS: Final = 2
"""Turns of each seat after the turn of the better move."""
MOST_DECISIONS: Final = 24
"""The most decisions of a line: some turns have many."""
SECONDS: Final = 0.03
"""About how long the bot thinks about a decision: it gets the number of simulations that it usually makes in it."""


def better_line(match: Match, decision: Decision) -> tuple[int, ...]:
    """Return the actions of a line from a decision on, draws included, the better move first."""
    start = decision.ply - 1
    line = Match(match.game, match.names, _dice(match), [action for _, action in match.actions()][:start])
    for move in _expected_moves(match, decision.as_seen):
        if CHANCE in line.movers[start:]:
            break
        line.play(line.to_move, move)
    return played_on(line, start, ROUNDS * match.game.players + 1)


def played_on(line: Match, start: int, turns: int) -> tuple[int, ...]:
    """Let a bot play for every seat until so many turns since ply `start` are over; return all actions since then."""
    while not _is_complete(line, start, turns):
        line.play(line.to_move, _choose(line))
    return tuple(action for _, action in line.actions()[start:])


def _dice(match: Match) -> Dice:
    """Dice that can draw."""
    dice = match.dice
    return dice if dice and dice.can_draw else fixed_dice()


def fixed_dice() -> Dice:
    """Dice that draw the same at the same ply in every line."""
    return Dice(seed_bytes("better line"))


def _expected_moves(match: Match, judged: Judgement) -> tuple[str, ...]:
    """The better move, and what search expects after it; where something is hidden, that is an answer to a guess."""
    return (judged.best,) if match.game.has_hidden_information else (judged.best, *judged.follows)


def _choose(line: Match) -> int:
    """Return the bot's action for the seat to move."""
    game, seat, seed = line.game, line.to_move, seed_number(line.ply, "better line")
    bot = SearchBot(game, seed, simulations=round(SECONDS * speed(game).simulations))
    return bot.choose(Turn(line.resampled(seat, Random(seed)), seat))


def _is_complete(line: Match, start: int, turns: int) -> bool:
    """Whether the game is over, or the seats have had their turns."""
    movers = [who for who in line.movers[start:] if who != CHANCE]
    ended = sum(now != then for then, now in zip(movers, [*movers[1:], line.to_move], strict=True))
    return line.is_over or ended >= turns or len(movers) >= MOST_DECISIONS
