"""Positions of Pays noir made by hand, and turns played on them."""

from __future__ import annotations

from collections import Counter
from functools import cache

from ludotheque import SPECTATOR
from ludotheque.games.pays_noir import PaysNoir
from ludotheque.games.pays_noir.rules import SPOT, TURN, PaysNoirState


@cache
def game(players: int = 2, track: int = 0, quarters: bool = False) -> PaysNoir:
    return PaysNoir(players, {"track": track, "quarters": quarters})


def position(
    table: str = "",
    hand: str = "",
    *,
    others: str = "",
    at: PaysNoir | None = None,
    points: str = "",
    pile: bool = True,
) -> PaysNoirState:
    """Seat 1 is to choose a card: the start card and these cards on the table, these in its hand.

    While there is a pile, hands are filled up with cards that are used nowhere else; without one, all other cards are
    discarded, and the others hold what `others` says, `|` between.
    """
    at = at or game()
    laid = ["start_station@0,0", *table.split()]
    hands = [hand.split(), *(words.split() for words in others.split("|"))]
    hands += [[] for _ in range(at.players - len(hands))]
    used = Counter([*(words.partition("@")[0] for words in laid), *(card for cards in hands for card in cards)])
    spare = [card.id for card in at.deck.cards for _ in range(card.copies - used[card.id])]
    if pile:
        for seat, cards in enumerate(hands):
            while len(cards) < 3 + (seat == 0):
                cards.append(spare.pop())
    discards = "-" if pile else ",".join(spare)
    held = "|".join(",".join(cards) or "-" for cards in hands)
    given = points or ",".join("0" * at.players)
    return at.read_position(f"{';'.join(laid)} {given} {held} {discards} 1")


def play(state: PaysNoirState, *moves: str) -> list[str]:
    """Carry out moves in the game's notation; return what the log says."""
    lines: list[str] = []
    for move in moves:
        before = state.clone()
        action = state.string_to_action(move)
        state.apply_action(action)
        lines += [str(line) for line in state.game.describe(before, action, state, SPECTATOR)]
    return lines


def lay(state: PaysNoirState, card: str, place: str, turn: int | None = None, spot: str = "") -> list[str]:
    """Play a whole turn after the draw; return what the log says."""
    lines = play(state, card, place)
    if turn is not None and state.phase == TURN:
        lines += play(state, f"turn {turn}")
    assert state.phase != TURN, "the turn must be given"
    if state.phase == SPOT:
        lines += play(state, f"member {spot}" if spot else "no member")
    else:
        assert not spot, "no member can be placed"
    return lines


def points(state: PaysNoirState) -> list[int]:
    return [int(number) for number in state.points]


def members(state: PaysNoirState) -> list[int]:
    """By seat: the members in its supply."""
    return [int(state.supply(seat)) for seat in range(state.players)]


def scored(lines: list[str]) -> list[str]:
    """The lines of the log that give points."""
    return [line for line in lines if " to Seat " in line and "point" in line]
