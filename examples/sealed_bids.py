"""Sealed bids: a small game with draws and secrets, to start your own from. See `docs/write-a-game.md`.

Everyone is dealt three of the cards 1 to 15. A prize of 1 to 6 points is drawn; each player in turn bids a card face
down for it, then all bids are shown, and the highest gets the prize. After three prizes most points win.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import SupportsIndex

import msgspec
from librt.vecs import vec
from mypy_extensions import i64

from ludotheque import (
    CHANCE,
    TERMINAL,
    Game,
    Observation,
    Phrase,
    Piece,
    Random,
    Scene,
    ScoreTable,
    State,
    Step,
    check_viewer,
    phrase,
    seat_name,
)
from ludotheque.errors import BadPosition, IllegalMove

CARDS, HAND, PRIZES = 15, 3, 6
FACE_DOWN = 0

_STYLE = """
text { font: 700 20px sans-serif; text-anchor: middle; dominant-baseline: central; fill: #222; }
.number { pointer-events: none; }
@media (prefers-color-scheme: dark) { text { fill: #eee; } .number text { fill: #222; } }
"""


class Table(msgspec.Struct, forbid_unknown_fields=True):
    """All that lies on the table and in the hands."""

    hands: list[list[int]]
    points: list[int]
    bids: list[int] = []
    """The cards of this round, face down, by seat."""
    shown: list[int] = []
    """The cards of the rounds before."""
    prize: int = 0
    """0: it is still to be drawn."""


class SealedBidsState(State):
    """A position, and what comes next. Actions and outcomes of draws are the numbers of cards and prizes, from 0."""

    def __init__(self, game: Game, table: Table) -> None:
        self.game = game
        self.table = table

    def is_deal(self) -> bool:
        return self.dealt() < HAND * self.game.players

    def dealt(self) -> int:
        return sum(map(len, [*self.table.hands, self.table.bids, self.table.shown]))

    def acting(self) -> int | None:
        """The seat whose card is dealt or bid; None if a prize is drawn."""
        if self.is_deal():
            return self.dealt() // HAND
        return len(self.table.bids) if self.table.prize else None

    # The player to act, and the possible actions and draws.

    def current_player(self) -> int:
        if self.table.prize:
            return len(self.table.bids)
        return CHANCE if self.is_deal() or any(self.table.hands) else TERMINAL

    def legal_into(self, actions: vec[i64]) -> int:
        hand = sorted(self.table.hands[len(self.table.bids)])
        for place, card in enumerate(hand):
            actions[place] = card - 1
        return len(hand)

    def chance_into(self, outcomes: vec[i64], weights: vec[i64]) -> int:
        dealt = [card for hand in self.table.hands for card in hand]
        deck = [card for card in range(1, CARDS + 1) if card not in dealt]
        numbers = deck if self.is_deal() else [*range(1, PRIZES + 1)]
        for place, number in enumerate(numbers):
            outcomes[place], weights[place] = number - 1, 1
        return len(numbers)

    def apply(self, action: i64) -> None:
        table, number, seat = self.table, int(action) + 1, self.acting()
        if seat is None:
            table.prize = number
        elif self.is_deal():
            table.hands[seat].append(number)
        else:
            table.hands[seat].remove(number)
            table.bids.append(number)
            if len(table.bids) == self.game.players:
                self.show_bids()

    def show_bids(self) -> None:
        table = self.table
        table.points[table.bids.index(max(table.bids))] += table.prize
        table.shown, table.bids, table.prize = table.shown + table.bids, [], 0

    def scores_into(self, scores: vec[i64]) -> None:
        for seat, points in enumerate(self.table.points):
            scores[seat] = points

    # Copies.

    def clone(self) -> SealedBidsState:
        table = self.table
        hands = [hand[:] for hand in table.hands]
        copy = msgspec.structs.replace(table, hands=hands, points=table.points[:], bids=table.bids[:])
        return SealedBidsState(self.game, copy)

    def resample_from_infostate(self, viewer: SupportsIndex, rng: Random) -> SealedBidsState:
        """Deal all cards anew that the viewer does not see."""
        own = check_viewer(viewer, self.game.players)
        copy = self.clone()
        table = copy.table
        known = table.shown + (table.hands[own] + table.bids[own : own + 1] if own >= 0 else [])
        unseen = [card for card in range(1, CARDS + 1) if card not in known]

        def draw() -> int:
            return unseen.pop(rng.randrange(len(unseen)))

        table.hands = [hand if seat == own else [draw() for _ in hand] for seat, hand in enumerate(table.hands)]
        table.bids = [bid if seat == own else draw() for seat, bid in enumerate(table.bids)]
        return copy


class SealedBidsObservation(Observation, frozen=True, kw_only=True):
    """The information of one viewer: the table, with the cards of the others face down."""

    hands: tuple[tuple[int, ...], ...]
    points: tuple[int, ...]
    bids: tuple[int, ...]
    shown: tuple[int, ...]
    prize: int

    def __str__(self) -> str:
        """The board in a terminal."""
        hands = [f"seat {seat + 1}: {_written(hand)}" for seat, hand in enumerate(self.hands)]
        rest = f"prize: {self.prize or '-'}", f"bids: {_written(self.bids)}", f"shown: {_written(self.shown)}"
        lines = [*hands, *rest]
        return "\n".join([*lines, self.won_by] if self.returns else lines)


def _written(cards: Sequence[int]) -> str:
    return " ".join(str(card or "?") for card in cards) or "-"


class SealedBids(Game):
    """Sealed bids, as set up for a table."""

    name = "sealed-bids"
    title = "Sealed bids"
    sentence = "Bid hidden cards for prizes."
    min_players = 2
    max_players = 4
    has_chance = True
    has_hidden_information = True

    def new_initial_state(self) -> SealedBidsState:
        return SealedBidsState(self, Table([[] for _ in range(self.players)], [0] * self.players))

    def num_distinct_actions(self) -> int:
        return CARDS

    def max_chance_outcomes(self) -> int:
        return CARDS

    def max_game_length(self) -> int:
        return HAND * self.players

    # Secrecy.

    def observe(self, state: SealedBidsState, viewer: int) -> SealedBidsObservation:
        table = state.table
        hands = [hand if seat == viewer else [FACE_DOWN for _ in hand] for seat, hand in enumerate(table.hands)]
        return SealedBidsObservation(
            viewer=viewer,
            to_move=state.current_player(),
            players=self.players,
            returns=tuple(state.returns()) if state.is_terminal() else (),
            hands=tuple(map(tuple, hands)),
            points=tuple(table.points),
            bids=tuple(bid if seat == viewer else FACE_DOWN for seat, bid in enumerate(table.bids)),
            shown=tuple(table.shown),
            prize=table.prize,
        )

    def sees(self, state: SealedBidsState, action: int, viewer: int) -> bool:
        """A card is seen by its owner; prizes, and the last bid of a round, by all."""
        return state.acting() in (None, viewer) or self.reveals(state, action)

    def seen_by_now(self, before: SealedBidsState, action: int, present: SealedBidsState, viewer: int) -> bool:
        return action + 1 in present.table.shown

    def reveals(self, state: SealedBidsState, action: int) -> bool:
        return state.current_player() == self.players - 1

    def shows_scores(self, state: SealedBidsState, viewer: int) -> bool:
        return True

    # Texts.

    def action_to_string(self, state: SealedBidsState, action: int) -> str:
        return f"prize {action + 1}" if state.acting() is None else f"card {action + 1}"

    def string_to_action(self, state: SealedBidsState, text: str) -> int:
        for action in state.legal_actions():
            if self.action_to_string(state, action) == text.strip():
                return action
        raise IllegalMove(f"{text[:40]!r} cannot be played here; a move is written like card 7.")

    def steps(self, state: SealedBidsState, action: int) -> Sequence[Step]:
        return [Step(f"card:{action + 1}", phrase("bid {card}", card=action + 1))]

    def describe(self, before: SealedBidsState, action: int, after: SealedBidsState, viewer: int) -> Sequence[Phrase]:
        seat = before.acting()
        if seat is None:
            return [phrase("The prize is {points}.", points=action + 1)]
        if self.reveals(before, action):
            bids = enumerate([*before.table.bids, action + 1])
            return [phrase("{seat} shows the {card}.", seat=seat_name(owner), card=card) for owner, card in bids]
        if before.is_deal():
            return [_line(seat, action, viewer, "{seat} is dealt the {card}.", "{seat} is dealt a card.")]
        return [_line(seat, action, viewer, "{seat} bids the {card}.", "{seat} bids.")]

    def describe_decision(self, state: SealedBidsState, action: int) -> Phrase:
        return phrase("{seat} bids the {card}.", seat=seat_name(state.current_player()), card=action + 1)

    def write_position(self, state: SealedBidsState) -> str:
        return msgspec.json.encode(state.table).decode()

    def read_position(self, text: str) -> SealedBidsState:
        try:
            table = msgspec.json.decode(text, type=Table)
        except ValueError as error:
            raise BadPosition(f"This is no position of {self.title}: {error}.") from error
        cards = [card for row in [*table.hands, table.bids, table.shown] for card in row]
        fits = (
            len(table.hands) == len(table.points) == self.players > len(table.bids)
            and 0 <= table.prize <= PRIZES
            and len(cards) == len(set(cards))
            and {*cards} <= {*range(1, CARDS + 1)}
        )
        if not fits:
            raise BadPosition(f"This is no position of {self.title}: the cards do not fit.")
        return SealedBidsState(self, table)

    # The picture.

    def scene(self, observation: SealedBidsObservation) -> Scene:
        rows = tuple((seat_name(seat), points) for seat, points in enumerate(observation.points))
        return Scene(
            title=phrase(self.title),
            width=320,
            height=120,
            tray_width=320,
            tray_height=90,
            pieces=tuple(self._pieces(observation)),
            tables=(ScoreTable(self.unit(), (phrase("Player"), self.unit()), rows),),
            prompt=phrase("bid a card") if observation.to_move >= 0 else phrase(""),
        )

    def _pieces(self, seen: SealedBidsObservation) -> Iterator[Piece]:
        if seen.prize:
            yield Piece(id="prize", text=str(seen.prize), x=40, y=60, label=phrase("prize {points}", points=seen.prize))
        for seat, card in enumerate(seen.bids):
            yield Piece(id=f"bid-{seat}", text=str(card or "?"), x=110 + 50 * seat, y=60, label=seat_name(seat))
        for place, card in enumerate(seen.hands[seen.viewer] if seen.viewer >= 0 else ()):
            x, label = 40 + 60 * place, phrase("card {card}", card=card)
            yield Piece(id=f"card-{card}", symbol="card", x=x, y=45, in_tray=True, step=f"card:{card}", label=label)
            yield Piece(id=f"number-{card}", text=str(card), x=x, y=45, in_tray=True, classes="number")

    def backdrop(self) -> str:
        return (
            f"<style>{_STYLE}</style>"
            '<symbol id="card" overflow="visible"><rect x="-20" y="-30" width="40" height="60" rx="4" fill="#fff" '
            'stroke="#333"/></symbol>'
        )


def _line(seat: int, action: int, viewer: int, whole: str, hidden: str) -> Phrase:
    """A line of the log: with the card for its owner, without it for the others."""
    if viewer == seat:
        return phrase(whole, seat=seat_name(seat), card=action + 1)
    return phrase(hidden, seat=seat_name(seat))
