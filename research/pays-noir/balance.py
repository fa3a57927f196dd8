#!/usr/bin/env python3
"""Simulate Pays noir with simple players and write the results to balance.md beside this file.

    python research/pays-noir/balance.py [games with greedy players per number of seats, default 200]

The same seeds give the same report. *Random* players choose evenly among the legal actions. *Greedy* players look one
turn ahead and take the largest immediate gain, with a rough estimate of what a member may score later.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from librt.random import Random

from ludotheque.core.bits import places
from ludotheque.games.pays_noir import PaysNoir
from ludotheque.games.pays_noir.card_report import card_report, contact_sheet
from ludotheque.games.pays_noir.deck import FACTORY, MINE, PATCH, PORT, QUARTER, TRACK
from ludotheque.games.pays_noir.document import built_in_cards, built_in_document
from ludotheque.games.pays_noir.rules import CARD, SPOT, Journal, PaysNoirState

PAGE = Path(__file__).with_name("balance.md")
SHEET = Path(__file__).with_name("cards.svg")
SOURCES = ("lines", "ports", "mines", "factories", "quarters", "urbanism", "countries")
THINGS = {MINE: "mines", FACTORY: "factories", PORT: "ports", QUARTER: "towns", TRACK: "lines"}

Player = Callable[[PaysNoirState, Random], list[int]]
"""The actions of a whole turn."""


# Players.


def random_turn(state: PaysNoirState, rng: Random) -> list[int]:
    """Choose evenly among the legal actions."""
    seat, copy, actions = state.seat, state.clone(), list[int]()
    while copy.current_player() == seat and (not actions or copy.phase != CARD):
        actions.append(int(copy.sample(rng)))
        copy.apply(actions[-1])
    return actions


def greedy_turn(state: PaysNoirState, rng: Random) -> list[int]:
    """Choose the turn with the largest gain, by rough values of points, members and later scores."""
    best, found = -1e9, list[int]()
    for actions, after in whole_turns(state, []):
        worth = gain(state, after, actions) + int(rng.randrange(1000)) / 1e6
        if worth > best:
            best, found = worth, actions
    return found


def whole_turns(state: PaysNoirState, actions: list[int]) -> Iterator[tuple[list[int], PaysNoirState]]:
    for action in state.legal_actions():
        after = state.clone()
        after.apply(action)
        if after.current_player() == state.seat and after.phase > CARD:
            yield from whole_turns(after, [*actions, action])
        else:
            yield [*actions, action], after


def gain(before: PaysNoirState, after: PaysNoirState, actions: list[int]) -> float:
    """Return own points minus half of the best opponent's; placing a member costs more when few are left."""
    seat = before.seat
    gains = [float(after.points[s] - before.points[s]) for s in range(before.players)]
    worth = gains[seat] - 0.5 * max(gains[:seat] + gains[seat + 1 :])
    if after.supply(seat) < before.supply(seat):
        worth += later_score(after, actions[-1]) - 3 / int(before.supply(seat))
    return worth


def later_score(after: PaysNoirState, action: int) -> float:
    """Estimate what a member on the card just laid may score later."""
    board = after.board
    node = board.base(board.laid - 1) + action - after.deck.first_member - 1
    kind = board.kind(node)
    if kind == TRACK:
        return 0.5 + 0.5 * int(board.line_length(node))
    if kind == PORT:
        return 1.0 + 0.8 * int(board.port_value(node))
    if kind == PATCH:
        return 0.6 * int(board.country_value(node)) * min(1.0, int(board.laid) / 60)
    return {MINE: 2.8, FACTORY: 2.0, QUARTER: 1.8}[int(kind)]


# Games.


@dataclass
class Tally:
    """Totals over all games with one kind of player and number of seats."""

    players: int
    games: int = 0
    turns: int = 0
    decisions: int = 0
    discards: int = 0
    games_with_discards: int = 0
    ended_by_track: int = 0
    placed: int = 0
    points: Counter[str] = field(default_factory=Counter)
    laid: Counter[str] = field(default_factory=Counter)
    finished: Counter[str] = field(default_factory=Counter)
    scored: Counter[str] = field(default_factory=Counter)
    by_seat: Counter[int] = field(default_factory=Counter)
    wins: dict[int, float] = field(default_factory=lambda: dict.fromkeys(range(5), 0.0))
    winner_points: int = 0


def play(tally: Tally, game: PaysNoir, player: Player, seed: int) -> None:
    """Play one game and add it to the tally."""
    state = game.new_initial_state()
    state.journal = journal = Journal()
    rng = Random(seed)
    discards = 0
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply(state.sample(rng))
            continue
        actions = player(state, rng)
        discards += actions[0] >= game.deck.first_discard
        tally.turns += 1
        tally.decisions += len(actions)
        for action in actions:
            tally.placed += state.phase == SPOT and action > game.deck.first_member
            state.apply(action)
    tally.games += 1
    tally.discards += discards
    tally.games_with_discards += discards > 0
    tally.ended_by_track += any(state.held(seat) for seat in range(state.players)) or state.left > 0
    tally_result(tally, state, journal)
    tally_table(tally, state)


def tally_result(tally: Tally, state: PaysNoirState, journal: Journal) -> None:
    for award in journal.awards:
        source = SOURCES[award.reason]
        tally.points[source] += award.points * len(places(award.families))
        tally.scored[source] += 1
    scores, returns = state.scores(), state.returns()
    tally.winner_points += max(scores)
    for seat in range(state.players):
        tally.by_seat[seat] += scores[seat]
        tally.wins[seat] += returns[seat]


def tally_table(tally: Tally, state: PaysNoirState) -> None:
    """Count the mines, towns and so on at the end, and how many are finished."""
    board = state.board
    for card in range(board.laid):
        for node in range(board.base(card), board.base(card) + board.spots(card)):
            thing = THINGS.get(board.kind(node))
            if thing and board.root(node) == node:
                tally.laid[thing] += 1
                tally.finished[thing] += board.is_finished(node)


def simulate(players: int, player: Player, games: int) -> Tally:
    game = PaysNoir(players)
    tally = Tally(players)
    for seed in range(games):
        play(tally, game, player, seed)
    return tally


# The report.


def table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---", *(["---:"] * (len(head) - 1))], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def by_players(tallies: list[Tally], rows: dict[str, Callable[[Tally], str]]) -> str:
    head = ["", *(f"{tally.players} players" for tally in tallies)]
    return table(head, [[name, *(cell(tally) for tally in tallies)] for name, cell in rows.items()])


def per_game(number: Callable[[Tally], float]) -> Callable[[Tally], str]:
    return lambda tally: f"{number(tally) / tally.games:.1f}"


def percent(share: Callable[[Tally], float]) -> Callable[[Tally], str]:
    return lambda tally: f"{100 * share(tally):.0f} %"


def length_table(tallies: list[Tally]) -> str:
    return by_players(tallies, {
        "turns per game": per_game(lambda t: t.turns),
        "decisions per game": per_game(lambda t: t.decisions),
        "members placed per game": per_game(lambda t: t.placed),
        "games ended by the score track": percent(lambda t: t.ended_by_track / t.games),
        "unplayable hands per 1,000 games": per_game(lambda t: 1000 * t.discards),
        "games with one, per 1,000": per_game(lambda t: 1000 * t.games_with_discards),
        "winner's points": per_game(lambda t: t.winner_points),
        "points per player": lambda t: f"{sum(t.by_seat.values()) / t.games / t.players:.1f}",
    })  # fmt: skip


def source_table(tallies: list[Tally]) -> str:
    def cell(source: str) -> Callable[[Tally], str]:
        return lambda t: (
            f"{t.points[source] / t.games / t.players:.1f} ({100 * t.points[source] / sum(t.points.values()):.0f} %)"
        )

    return by_players(tallies, {source: cell(source) for source in SOURCES})


def finish_table(tallies: list[Tally]) -> str:
    def cell(thing: str) -> Callable[[Tally], str]:
        return lambda t: f"{t.laid[thing] / t.games:.1f}, {100 * t.finished[thing] / t.laid[thing]:.0f} %"

    return by_players(tallies, {thing: cell(thing) for thing in THINGS.values()})


def claim_table(tallies: list[Tally]) -> str:
    def cell(thing: str) -> Callable[[Tally], str]:
        return lambda t: f"{100 * t.scored[thing] / t.laid[thing]:.0f} %"

    return by_players(tallies, {thing: cell(thing) for thing in ("mines", "factories", "ports", "lines")})


def seat_table(tallies: list[Tally]) -> str:
    def cell(seat: int) -> Callable[[Tally], str]:
        return lambda t: (
            f"{100 * t.wins[seat] / t.games:.0f} %, {t.by_seat[seat] / t.games:.1f}" if seat < t.players else ""
        )

    return by_players(tallies, {f"seat {seat + 1}": cell(seat) for seat in range(5)})


def section(title: str, tallies: list[Tally]) -> str:
    return f"""## {title}

{tallies[0].games} games for each number of players.

### Length

{length_table(tallies)}
### Points per player by source

{source_table(tallies)}
### On the table at the end

Number per game, and the percentage that is finished (towns: closed), claimed or not.

{finish_table(tallies)}
The percentage that scored for someone (ports also in the final count).

{claim_table(tallies)}
### Seats

Share of the wins, and points. 72 cards cannot be divided evenly among 5: seats 1 and 2 place one card more.

{seat_table(tallies)}"""


def report(greedy: list[Tally], random: list[Tally]) -> str:
    return f"""# Pays noir: balance of our card set

Written by `research/pays-noir/balance.py`; the same seeds give the same figures. The cards and the length of the score
track are ours (see the rules page), so this page says nothing about the authors' cards.

*Greedy* players look one turn ahead and take the largest immediate gain, with a rough estimate of what a member may
score later. *Random* players choose evenly among the legal actions. People plan ahead and block each other: they will
build longer lines and fuller ports than the greedy players, and lose more points to each other.

## The cards

![All cards of our set](images/{SHEET.name})

```
{card_report(built_in_document())}
```

{section("Greedy players", greedy)}
{section("Random players", random)}"""


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    greedy = [simulate(players, greedy_turn, games) for players in (2, 3, 4, 5)]
    random = [simulate(players, random_turn, 10 * games) for players in (2, 3, 4, 5)]
    PAGE.write_text(report(greedy, random), encoding="utf-8")
    SHEET.write_text(contact_sheet(built_in_cards()), encoding="utf-8")
    print(f"Wrote {PAGE.name} and {SHEET.name}.")


if __name__ == "__main__":
    main()
