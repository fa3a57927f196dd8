"""Two small games as a third party would write them, interpreted and not compiled: for the tests of everything else.

*Orchard* has chance, hidden cards and turns of several steps. Everyone is dealt a hidden card of 1 to 6. In their turn
a player goes to a tree (A, B, C), then takes one or two apples there; the wind (0, 1 or 2) adds to them. Before that
they may, once in the game each, peek at the card of the next player, and put their card back to draw another. After the
last round everyone adds three times their card to their apples.

*Nim* has neither chance nor secrets: take one to three matches; the player who takes the last one wins.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, SupportsIndex

import msgspec
from librt.vecs import vec
from mypy_extensions import i64

from ludotheque import (
    CHANCE,
    SPECTATOR,
    TERMINAL,
    Game,
    Observation,
    Option,
    Phrase,
    Piece,
    Random,
    Scene,
    State,
    Step,
    check_viewer,
    phrase,
    register_game,
    seat_name,
)
from ludotheque.errors import BadOption, BadPosition, IllegalMove, UnreadableMove

TREES: Final = "ABC"
TAKE: Final = 3
PEEK: Final = 5
SWAP: Final = 6
ACTIONS: Final = ("pick A", "pick B", "pick C", "take 1", "take 2", "peek", "swap")
CARDS: Final = 6
WIND: Final = (1, 2, 1)


class Orchard(Game):
    """The toy with everything in it."""

    name = "orchard"
    title = "Orchard"
    sentence = "Pick apples and hope for wind."
    min_players = 2
    max_players = 5
    options = (
        Option(name="rounds", default=2, choices=(1, 2, 3, 40), help="How many turns everyone has."),
        Option(name="season", default="summer", choices=("summer", "winter"), help="In winter nobody draws again."),
        Option(name="peeking", default=True, help="Whether players may peek."),
        Option(name="deck", default=None, help='Copies of each card: {"cards": [2, 2, 2, 2, 2, 2]}.'),
    )
    has_chance = True
    has_hidden_information = True

    def __init__(self, players: int = 0, settings: Mapping[str, object] | None = None) -> None:
        super().__init__(players, settings)
        self.rounds = int(str(self.settings["rounds"]))
        self.swapping = self.settings["season"] == "summer"
        self.peeking = bool(self.settings["peeking"])
        self.copies = _copies(self.settings["deck"], self.players)

    def new_initial_state(self) -> OrchardState:
        everyone = range(self.players)
        table = OrchardTable(
            phase="deal",
            seat=0,
            tree=0,
            taken=0,
            turns=0,
            deck=list(self.copies),
            apples=[0 for _ in everyone],
            cards=[0 for _ in everyone],
            peeked=[False for _ in everyone],
            swapped=[False for _ in everyone],
            known=[[False for _ in everyone] for _ in everyone],
        )
        return OrchardState(self, table)

    def num_distinct_actions(self) -> int:
        return len(ACTIONS)

    def max_chance_outcomes(self) -> int:
        return CARDS

    def max_game_length(self) -> int:
        return self.players * (2 * self.rounds + 2)

    def observe(self, state: OrchardState, viewer: int) -> OrchardObservation:
        table = state.table
        over = state.is_terminal()
        return OrchardObservation(
            viewer=viewer,
            to_move=int(state.current_player()),
            players=self.players,
            returns=tuple(state.returns()) if over else (),
            phase=table.phase,
            seat=table.seat,
            tree=table.tree,
            taken=table.taken,
            turns=table.turns,
            apples=tuple(table.apples),
            cards=tuple(card if over or table.knows_card(viewer, seat) else 0 for seat, card in enumerate(table.cards)),
            peeked=tuple(table.peeked),
            swapped=tuple(table.swapped),
        )

    def sees(self, state: OrchardState, action: int, viewer: int) -> bool:
        table = state.table
        return table.phase not in ("deal", "redraw") or viewer == table.seat

    def reveals(self, state: OrchardState, action: int) -> bool:
        return state.table.phase == "pick" and action == PEEK

    def action_to_string(self, state: OrchardState, action: int) -> str:
        phase = state.table.phase
        if phase in ("deal", "redraw"):
            return f"card {action + 1}"
        return f"wind {action}" if phase == "wind" else ACTIONS[action]

    def string_to_action(self, state: OrchardState, text: str) -> int:
        word = " ".join(text.split())
        for action in state.legal_actions():
            if self.action_to_string(state, action) == word:
                return action
        readable = word in ACTIONS or word in {f"card {n}" for n in range(1, 7)} | {f"wind {n}" for n in range(3)}
        if readable:
            raise IllegalMove(f"{word!r} cannot be played here.")
        raise UnreadableMove(f"{text[:40]!r} is no move of Orchard.")

    def steps(self, state: OrchardState, action: int) -> Sequence[Step]:
        word = ACTIONS[action]
        return [Step(word.replace(" ", ":"), phrase(word))]

    def describe(self, before: OrchardState, action: int, after: OrchardState, viewer: int) -> Sequence[Phrase]:
        table = before.table
        who = seat_name(table.seat)
        if table.phase in ("deal", "redraw"):
            if viewer == table.seat:
                return [phrase("{seat} draws card {card}", seat=who, card=action + 1)]
            return [phrase("{seat} draws a card", seat=who)]
        if table.phase == "wind":
            return [phrase("The wind adds {apples}", apples=action)] if action else []
        if action == PEEK and viewer == table.seat:
            return [phrase("{seat} peeks and sees card {card}", seat=who, card=table.cards[table.next_seat()])]
        return [phrase("{seat}: {move}", seat=who, move=ACTIONS[action])]

    def write_position(self, state: OrchardState) -> str:
        return msgspec.json.encode(state.table).decode()

    def read_position(self, text: str) -> OrchardState:
        try:
            table = msgspec.json.decode(text, type=OrchardTable)
        except ValueError as error:
            raise BadPosition(f"This is no position of Orchard: {error}.") from error
        state = OrchardState(self, table)
        self._check_position(table)
        return state

    def _check_position(self, table: OrchardTable) -> None:
        rows: list[Sequence[object]] = [table.apples, table.cards, table.peeked, table.swapped, table.known]
        rows += table.known
        fits = (
            all(len(row) == self.players for row in rows)
            and table.phase in ("deal", "pick", "take", "wind", "redraw", "over")
            and 0 <= table.seat < self.players
            and 0 <= table.tree < len(TREES)
            and 0 <= table.taken <= 2
            and 0 <= table.turns <= self.rounds * self.players
            and all(0 <= card <= CARDS for card in table.cards)
        )
        if not fits or [n + table.cards.count(i + 1) for i, n in enumerate(table.deck)] != self.copies:
            raise BadPosition("This is no position of Orchard: the numbers do not fit.")

    def scene(self, observation: OrchardObservation) -> Scene:
        pieces = [
            Piece(id=f"basket-{seat}", text=f"{apples}", x=20 + 40 * seat, y=20, label=seat_name(seat))
            for seat, apples in enumerate(observation.apples)
        ]
        return Scene(title=phrase("Orchard"), width=200, height=40, pieces=tuple(pieces))

    def backdrop(self) -> str:
        return '<rect width="200" height="40" fill="green"/>'


def _copies(deck: object, players: int) -> list[int]:
    if not isinstance(deck, dict):
        return [2] * CARDS
    copies = deck.get("cards")
    if not isinstance(copies, list) or len(copies) != CARDS or not all(type(n) is int and 0 <= n < 100 for n in copies):
        raise BadOption('The option deck takes {"cards": [...]} with six numbers of copies from 0 to 99.')
    shuffles = deck.get("shuffles", 0)
    while shuffles:  # for tests of what takes too long
        shuffles -= 1
    if sum(copies) < players:
        raise BadOption("The deck has fewer cards than the table has players.")
    return copies


class OrchardObservation(Observation, frozen=True, kw_only=True):
    phase: str
    seat: int
    tree: int
    taken: int
    turns: int
    apples: tuple[int, ...]
    cards: tuple[int, ...]
    peeked: tuple[bool, ...]
    swapped: tuple[bool, ...]


class OrchardTable(msgspec.Struct, forbid_unknown_fields=True):
    """All that is on the table."""

    phase: str
    """deal, pick, take, wind, redraw or over."""
    seat: int
    tree: int
    taken: int
    turns: int
    deck: list[int]
    """By card, from 1: how many copies are left."""
    apples: list[int]
    cards: list[int]
    """By seat: the card in hand, 0 before the deal."""
    peeked: list[bool]
    swapped: list[bool]
    known: list[list[bool]]
    """By viewer and seat: whether the viewer has peeked at the card that the seat still has."""

    def next_seat(self) -> int:
        return (self.seat + 1) % len(self.cards)

    def knows_card(self, viewer: int, seat: int) -> bool:
        return viewer != SPECTATOR and (viewer == seat or self.known[viewer][seat])


class OrchardState(State):
    def __init__(self, game: Orchard, table: OrchardTable) -> None:
        self.game = game
        self.rules = game
        self.table = table

    def current_player(self) -> i64:
        if self.table.phase == "over":
            return TERMINAL
        return self.table.seat if self.table.phase in ("pick", "take") else CHANCE

    def legal_into(self, actions: vec[i64]) -> i64:
        legal = [TAKE, TAKE + 1]
        if self.table.phase == "pick":
            legal = [0, 1, 2]
            if self.rules.peeking and not self.table.peeked[self.table.seat]:
                legal.append(PEEK)
            if self.rules.swapping and not self.table.swapped[self.table.seat]:
                legal.append(SWAP)
        for i, action in enumerate(legal):
            actions[i] = action
        return len(legal)

    def chance_into(self, outcomes: vec[i64], weights: vec[i64]) -> i64:
        all_weights = WIND if self.table.phase == "wind" else self.table.deck
        weighted = [(outcome, weight) for outcome, weight in enumerate(all_weights) if weight]
        for i, (outcome, weight) in enumerate(weighted):
            outcomes[i], weights[i] = outcome, weight
        return len(weighted)

    def apply(self, action: i64) -> None:
        table = self.table
        if table.phase == "deal":
            self._draw_card(action)
            table.seat = table.next_seat()
            table.phase = "deal" if table.seat else "pick"
        elif table.phase == "redraw":
            self._draw_card(action)
            table.phase = "pick"
        elif table.phase == "wind":
            self._blow(action)
        elif action < TAKE:
            table.tree, table.phase = int(action), "take"
        elif action < PEEK:
            table.taken, table.phase = int(action) - TAKE + 1, "wind"
        elif action == PEEK:
            table.peeked[table.seat] = True
            table.known[table.seat][table.next_seat()] = True
        else:
            self._swap()

    def _draw_card(self, outcome: i64) -> None:
        self.table.deck[outcome] -= 1
        self.table.cards[self.table.seat] = int(outcome) + 1

    def _swap(self) -> None:
        table = self.table
        table.deck[table.cards[table.seat] - 1] += 1
        table.cards[table.seat] = 0
        table.swapped[table.seat] = True
        table.phase = "redraw"
        for knows in table.known:
            knows[table.seat] = False

    def _blow(self, wind: i64) -> None:
        table = self.table
        table.apples[table.seat] += table.taken + table.tree * int(wind)
        table.turns += 1
        table.taken = table.tree = 0
        table.seat = table.next_seat()
        table.phase = "pick" if table.turns < self.rules.rounds * self.rules.players else "over"

    def scores_into(self, scores: vec[i64]) -> None:
        for seat, apples in enumerate(self.table.apples):
            scores[seat] = apples + 3 * self.table.cards[seat]

    def clone(self) -> OrchardState:
        table = msgspec.structs.replace(
            self.table,
            deck=list(self.table.deck),
            apples=list(self.table.apples),
            cards=list(self.table.cards),
            peeked=list(self.table.peeked),
            swapped=list(self.table.swapped),
            known=[list(knows) for knows in self.table.known],
        )
        return OrchardState(self.rules, table)

    def resample_from_infostate(self, viewer: SupportsIndex, rng: Random) -> OrchardState:
        own = check_viewer(viewer, self.game.players)
        copy = self.clone()
        table = copy.table
        if self.is_terminal():
            return copy
        hidden = [seat for seat, card in enumerate(table.cards) if card and not table.knows_card(own, seat)]
        for seat in hidden:
            table.deck[table.cards[seat] - 1] += 1
        for seat in hidden:
            cards = [card for card, copies in enumerate(table.deck) for _ in range(copies)]
            card = cards[rng.randrange(len(cards))]
            table.deck[card] -= 1
            table.cards[seat] = card + 1
        return copy


class Nim(Game):
    """The toy with neither chance nor secrets, for one or two players."""

    name = "nim"
    title = "Nim"
    sentence = "Take the last match."
    min_players = 1
    max_players = 2
    options = (Option(name="matches", default=7, choices=(1, 7, 300), help="How many matches there are."),)
    has_chance = False
    has_hidden_information = False

    def new_initial_state(self) -> NimState:
        return NimState(self, int(str(self.settings["matches"])), 0)

    def num_distinct_actions(self) -> int:
        return 3

    def max_chance_outcomes(self) -> int:
        return 0

    def max_game_length(self) -> int:
        return int(str(self.settings["matches"]))

    def observe(self, state: NimState, viewer: int) -> NimObservation:
        return NimObservation(
            viewer=viewer,
            to_move=int(state.current_player()),
            players=self.players,
            returns=tuple(state.returns()) if state.is_terminal() else (),
            matches=state.matches,
        )

    def action_to_string(self, state: NimState, action: int) -> str:
        return f"({action + 1})"

    def string_to_action(self, state: NimState, text: str) -> int:
        for action in range(3):
            if text == f"({action + 1})":
                if action not in state.legal_actions():
                    raise IllegalMove("So many matches are not there.")
                return action
        raise UnreadableMove(f"{text[:40]!r} is no move of Nim.")

    def steps(self, state: NimState, action: int) -> Sequence[Step]:
        return [Step(f"take:{action + 1}", phrase("take {matches}", matches=action + 1))]

    def describe(self, before: NimState, action: int, after: NimState, viewer: int) -> Sequence[Phrase]:
        return [phrase("{seat} takes {n}", seat=seat_name(int(before.current_player())), n=action + 1)]

    def write_position(self, state: NimState) -> str:
        return f"{state.matches} {state.seat}"

    def read_position(self, text: str) -> NimState:
        words = text.split()
        if len(words) != 2 or not all(word.isdecimal() and word.isascii() and len(word) < 5 for word in words):
            raise BadPosition("A position of Nim is two numbers: matches, and whose turn it is.")
        if int(words[0]) > self.max_game_length() or int(words[1]) >= self.players:
            raise BadPosition("There are not so many matches, or players.")
        return NimState(self, int(words[0]), int(words[1]))

    def scene(self, observation: NimObservation) -> Scene:
        return Scene(title=phrase("Nim"), width=99, height=9, pieces=(Piece(id="all", text=f"{observation.matches}"),))

    def backdrop(self) -> str:
        return ""


class NimObservation(Observation, frozen=True, kw_only=True):
    matches: int


class NimState(State):
    def __init__(self, game: Nim, matches: int, seat: int) -> None:
        self.game = game
        self.rules = game
        self.matches = matches
        self.seat = seat

    def current_player(self) -> i64:
        return self.seat if self.matches else TERMINAL

    def legal_into(self, actions: vec[i64]) -> i64:
        count = min(3, self.matches)
        for action in range(count):
            actions[action] = action
        return count

    def apply(self, action: i64) -> None:
        self.matches -= int(action) + 1
        self.seat = (self.seat + 1) % self.rules.players

    def scores_into(self, scores: vec[i64]) -> None:
        last = (self.seat - 1) % self.rules.players
        for seat in range(self.rules.players):
            scores[seat] = int(seat == last and not self.matches)

    def transposition_key(self) -> i64:
        return 1 + self.rules.players * self.matches + self.seat

    def clone(self) -> NimState:
        return NimState(self.rules, self.matches, self.seat)

    def resample_from_infostate(self, viewer: SupportsIndex, rng: Random) -> NimState:
        check_viewer(viewer, self.game.players)
        return self.clone()


register_game(Orchard)
register_game(Nim)
