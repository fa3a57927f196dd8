"""The toys are games like any other, although they are interpreted and come from outside the package."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable, Iterator, Sequence
from typing import SupportsIndex

import pytest
from librt.vecs import vec
from mypy_extensions import i64

from ludotheque import Phrase, Random, game_names, load_game, phrase
from ludotheque.core.earnings import Earning, differences
from ludotheque.core.events import Event, all_earnings
from ludotheque.core.game import Game
from ludotheque.testing import check_game
from tests.toy import Nim, NimState, Orchard, OrchardState

pytestmark = pytest.mark.both


@pytest.mark.parametrize(
    "game",
    [
        Orchard(2),
        Orchard(5, {"rounds": 3, "season": "winter"}),
        Orchard(3, {"peeking": False, "deck": {"cards": [1, 1, 1, 0, 0, 0]}}),
        Nim(1),
        Nim(2, {"matches": 300}),
    ],
    ids=repr,
)
def test_an_interpreted_game_keeps_every_promise(game: Game) -> None:
    check_game(game, both_modes=False)


class Forgetful(Nim):
    """Scores without saying what for."""

    def earnings(self, before: object, action: int, after: object) -> list[Earning]:
        return []


class Promising(Nim):
    """Has events whose points count at the end, and never counts them."""

    def events(self, before: NimState, action: int, after: NimState) -> list[Event]:
        change = zip(before.scores(), after.scores(), strict=True)
        earnings = [Earning(seat, phrase("Promises"), now - was, "end") for seat, (was, now) in enumerate(change)]
        return [Event(seat=before.seat, earnings=tuple(earnings))]


class Generous(Promising):
    """Has events that give too much, although its earnings are right."""

    def events(self, before: NimState, action: int, after: NimState) -> list[Event]:
        return [*super().events(before, action, after), Event(earnings=(Earning(0, phrase("Gifts"), 1),))]

    def earnings(self, before: NimState, action: int, after: NimState) -> list[Earning]:
        return all_earnings(super().events(before, action, after))


class Misplaced(Nim):
    """Has events at a piece that is nowhere."""

    def events(self, before: NimState, action: int, after: NimState) -> list[Event]:
        earnings = differences(self.unit(), before.scores(), after.scores())
        return [Event(places=("nowhere",), earnings=tuple(earnings))]


class Whispering(Orchard):
    """Shows the events of hidden draws to everyone."""

    def seen_events(self, before: object, action: int, after: object, viewer: int) -> list[Event]:
        return [Event(seat=action)]


class Indiscreet(Orchard):
    """Says that nobody sees how many apples are taken, and lets everyone see it."""

    def sees(self, state: OrchardState, action: int, viewer: int) -> bool:
        return state.table.phase != "take" and super().sees(state, action, viewer)


class Talkative(Orchard):
    """Lets everyone read what was peeked at."""

    def describe(self, before: OrchardState, action: int, after: OrchardState, viewer: int) -> Sequence[Phrase]:
        reader = before.table.seat if before.table.phase == "pick" else viewer
        return super().describe(before, action, after, reader)


class Boastful(Orchard):
    """Shows scores in which hidden cards count."""

    def shows_scores(self, state: object, viewer: int) -> bool:
        return True


class Trusting(Orchard):
    """Forgets to say that a card is dealt in secret."""

    def sees(self, state: OrchardState, action: int, viewer: int) -> bool:
        return True


class Gossiping(Orchard):
    """Says that everyone knows by now what was drawn."""

    def seen_by_now(self, before: object, action: int, present: object, viewer: int) -> bool:
        return True


class Undoing(Orchard):
    """Lets players undo a peek."""

    def reveals(self, state: object, action: int) -> bool:
        return False


class Careless(Nim):
    """Reads any position."""

    def read_position(self, text: str) -> NimState:
        matches, seat = text.split()
        return NimState(self, int(matches), int(seat))


class AnySeat(Nim):
    """Resamples for seats that do not exist."""

    def new_initial_state(self) -> NimState:
        return AnySeatState(self, super().new_initial_state().matches, 0)


class AnySeatState(NimState):
    def resample_from_infostate(self, viewer: SupportsIndex, rng: Random) -> NimState:
        return self.clone()

    def clone(self) -> NimState:
        return AnySeatState(self.rules, self.matches, self.seat)


class Mumbling(Nim):
    """Has the same sentence for every decision."""

    def describe_decision(self, state: object, action: int) -> Phrase:
        return phrase("Some are taken.")


class Confused(Nim):
    """Takes all positions of a seat for the same."""

    def new_initial_state(self) -> NimState:
        return self.confused(super().new_initial_state())

    def read_position(self, text: str) -> NimState:
        return self.confused(super().read_position(text))

    def confused(self, state: NimState) -> NimState:
        return ConfusedState(self, state.matches, state.seat)


class ConfusedState(NimState):
    def transposition_key(self) -> i64:
        return 1 + self.seat

    def clone(self) -> ConfusedState:
        return ConfusedState(self.rules, self.matches, self.seat)


@pytest.mark.parametrize(
    ("game", "promise"),
    [
        (Forgetful(2), "do not add up"),
        (Promising(2), "earnings that count now do not add up to the final scores"),
        (Generous(2), "the amounts of the events do not add up to the change of the scores"),
        (Misplaced(2), r"viewer 0 is shown events at pieces that it does not see: \['nowhere'\]"),
        (Whispering(3), "can tell apart moves or draws it does not see"),
        (Boastful(3), "scores that are shown tell what should be hidden"),
        (Indiscreet(3), "can tell apart moves or draws it does not see"),
        (Talkative(3), "log or events tell viewer .* what is hidden"),
        (Mumbling(2), r"two decisions have the same sentence \(describe_decision\): \['Some are taken.'\]"),
        (Trusting(3), r"viewer . cannot tell apart moves or draws that it is said to see \(sees\)"),
        (Gossiping(3), r"viewer . is told of a move or draw it does not see \(seen_by_now\)"),
        (Undoing(3), "the action 5 shows something hidden, but reveals says no"),
        (Confused(2), "different positions have one transposition key"),
        (Careless(2), r"read_position\('.*'\) must raise BadPosition, not "),
        (AnySeat(2), r"resample_from_infostate\(-1, rng\) must raise NoSuchSeat, as check_viewer does"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Game) else "",
)
def test_check_game_finds_broken_promises(game: Game, promise: str) -> None:
    with pytest.raises(AssertionError, match=promise):
        check_game(game, every=1, both_modes=False)


def never_a_six(state: OrchardState, viewer: SupportsIndex, rng: Random) -> OrchardState:
    """Resample until no other seat has a six."""
    while True:
        found = resample(state, viewer, rng)
        if all(now != 6 or was == 6 == now for was, now in zip(state.table.cards, found.table.cards, strict=True)):
            return found


def too_many_ones(state: OrchardState, viewer: SupportsIndex, rng: Random) -> OrchardState:
    """Of two samples, take the one with more ones."""
    found = [resample(state, viewer, rng) for _ in range(2)]
    return max(found, key=lambda one: one.table.cards.count(1))


def from_another_deck(state: OrchardState, viewer: SupportsIndex, rng: Random) -> OrchardState:
    """Deal each hidden card as if no other had been dealt."""
    found = resample(state, viewer, rng)
    table = found.table
    for seat, card in enumerate(table.cards):
        if card and not found.is_terminal() and not table.knows_card(viewer.__index__(), seat):
            table.cards[seat] = 1 + int(rng.randrange(6))
            table.deck = [copies - table.cards.count(place) for place, copies in enumerate(state.rules.copies, start=1)]
    return found


resample = OrchardState.resample_from_infostate


@pytest.mark.parametrize(
    ("wrong", "promise"),
    [
        (never_a_six, "resampling for viewer . gives positions more or less often than they are likely"),
        (too_many_ones, "resampling for viewer . gives positions more or less often than they are likely"),
        (from_another_deck, "resampling for viewer . gives a position that is impossible"),
    ],
)
def test_check_game_compares_resampling_with_the_exact_posterior(
    wrong: Callable[..., OrchardState], promise: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(OrchardState, "resample_from_infostate", wrong)
    cards = {"deck": {"cards": [1, 1, 1, 1, 1, 1]}} if wrong is from_another_deck else {}
    with pytest.raises(AssertionError, match=promise):
        check_game(Orchard(2, cards), every=1, both_modes=False)


def test_check_game_finds_draws_without_weight(monkeypatch: pytest.MonkeyPatch) -> None:
    chance_into = OrchardState.chance_into

    def weightless(self: OrchardState, outcomes: vec[i64], weights: vec[i64]) -> i64:
        count = chance_into(self, outcomes, weights)
        for place in range(count):
            weights[place] = 0
        return count

    monkeypatch.setattr(OrchardState, "chance_into", weightless)
    with pytest.raises(AssertionError, match=r"a draw has a weight that is not positive: \[0, 0"):
        check_game(Orchard(3), both_modes=False)


def test_check_game_says_where_a_game_raised_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def scene(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(Nim, "scene", scene)
    with pytest.raises(ZeroDivisionError) as caught:
        check_game(Nim(2), seed=4, both_modes=False)
    assert caught.value.__notes__ == ["load_game('nim', players=2), seed 4, ply 0: ZeroDivisionError while checking"]


def test_check_game_finds_moves_that_depend_on_what_a_move_revealed(monkeypatch: pytest.MonkeyPatch) -> None:
    legal_into = OrchardState.legal_into

    def by_the_card(self: OrchardState, actions: vec[i64]) -> i64:
        """After a peek at a high card there is one move only."""
        table = self.table
        knows = table.phase == "pick" and table.known[table.seat][table.next_seat()]
        count = legal_into(self, actions)
        return 1 if knows and table.cards[table.next_seat()] > 3 else count

    monkeypatch.setattr(OrchardState, "legal_into", by_the_card)
    with pytest.raises(AssertionError, match="depends on a hidden fact that its own move revealed"):
        check_game(Orchard(3), every=1, both_modes=False)


def test_registered_games_are_listed_with_the_installed_ones() -> None:
    assert {"cable-car", "nim", "orchard"} <= set(game_names())
    assert isinstance(load_game("orchard"), Orchard)


@pytest.fixture
def only_new_garbage() -> Iterator[None]:
    """Collecting garbage does not look at what was there before the test."""
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.mark.parametrize("name", ["cable-car", "orchard"])
def test_games_and_their_weak_references_are_freed(name: str, only_new_garbage: None) -> None:
    """A compiled class with an uncompiled base, such as `Generic`, frees its weak references by mistake (mypyc 2.4)."""
    for _ in range(50):
        game = load_game(name)
        references = [weakref.ref(game), weakref.ref(game, lambda _: None)]
        del game
        gc.collect()
        assert [reference() for reference in references] == [None, None]
