"""The rounds of tournaments, by their properties: everyone once a round, no repeats, even seats, byes, the bracket."""

from __future__ import annotations

from collections import Counter
from math import ceil, log2
from random import Random

import pytest
from hypothesis import given, settings, strategies as st
from msgspec import structs

from ludotheque.tournament.rounds import next_round, number_of_rounds, table_sizes
from ludotheque.tournament.standings import standings
from ludotheque.tournament.values import Meeting, System, byes_had, points_by_place, seats_taken, times_met
from tests.speeds import several

TWO = range(2, 3)
NOBODY: frozenset[int] = frozenset()


def played(meeting: Meeting, rng: Random, ties: bool = True) -> Meeting:
    """A meeting with a random result."""
    if meeting.is_decided:
        return meeting
    ranks = [rng.randrange(len(meeting.players)) for _ in meeting.players] if ties else rng.sample(range(9), 2)
    return structs.replace(meeting, points=points_by_place(ranks), decided="played")


def play(
    system: System, players: int, rounds: int, rng: Random, seats: range = TWO, leaving: float = 0.0
) -> tuple[list[Meeting], frozenset[int]]:
    """Play a whole tournament with random results; after each round some may leave."""
    meetings: list[Meeting] = []
    gone = NOBODY
    numbers = range(1, players + 1)
    for _ in range(number_of_rounds(system, players, rounds)):
        opened = next_round(system, numbers, gone, meetings, seats)
        check_round(system, opened, {*numbers} - gone, seats)
        meetings += [played(meeting, rng, ties=system != "knockout") for meeting in opened]
        gone |= {player for player in numbers if rng.random() < leaving}
    return meetings, gone


def check_round(system: System, opened: list[Meeting], present: set[int], seats: range) -> None:
    """Everyone who is there has one place, and tables have as many seats as they may."""
    there = [player for meeting in opened for player in meeting.players]
    assert len(there) == len({*there})
    if system != "knockout" and opened:
        assert present <= {*there}
    for meeting in opened:
        assert len(meeting.players) in {0, 1, *seats}
        assert meeting.is_decided == (len(meeting.players) < 2 or not present.issuperset(meeting.players))


@pytest.mark.parametrize("players", range(2, 17))
def test_in_a_round_robin_everyone_meets_everyone_once(players: int) -> None:
    meetings, _ = play("round-robin", players, 0, Random(players))
    met = times_met(meetings)
    assert {*met.values()} == {1}
    assert len(met) == players * (players - 1) // 2
    taken = seats_taken(meetings)
    assert all(abs(taken[player, 0] - taken[player, 1]) <= 1 for player in range(1, players + 1))
    assert byes_had(meetings) == (Counter(range(1, players + 1)) if players % 2 else Counter())
    assert all(meeting.points == (0.0,) for meeting in meetings if meeting.is_bye), "a bye is no win: all have one"


@settings(deadline=None, max_examples=several(20, 60))
@given(st.integers(2, 40), st.integers(1, 9), st.randoms(use_true_random=False))
def test_in_a_swiss_tournament_nobody_meets_twice_while_avoidable(players: int, rounds: int, rng: Random) -> None:
    meetings, _ = play("swiss", players, rounds, rng)
    last = max(meeting.round for meeting in meetings)
    for number in range(1, last + 1):
        before = [meeting for meeting in meetings if meeting.round <= number]
        # With so few rounds behind them everyone has more than half of the others left: a matching exists (Dirac).
        if number <= players // 2:
            assert max(times_met(before).values()) == 1
        assert max(byes_had(before).values(), default=0) <= ceil(number / players)
    taken = seats_taken(meetings)
    if last <= players // 4:
        assert all(abs(taken[player, 0] - taken[player, 1]) <= 2 for player in range(1, players + 1))


@settings(deadline=None, max_examples=several(20, 60))
@given(
    st.sampled_from(["swiss", "round-robin", "knockout", "groups"]),
    st.integers(3, 24),
    st.integers(1, 6),
    st.randoms(use_true_random=False),
)
def test_people_may_leave_at_any_time(system: System, players: int, rounds: int, rng: Random) -> None:
    seats = range(2, 5) if system == "groups" else TWO
    meetings, gone = play(system, players, rounds, rng, seats, leaving=0.1)
    assert {*meetings[0].players} <= {*range(1, players + 1)}
    found = standings(system, range(1, players + 1), meetings)
    assert sorted(each.player for each in found) == [*range(1, players + 1)]
    assert len(gone) <= players


def test_opponents_have_like_standings() -> None:
    first = [
        Meeting(1, (1, 2), (1.0, 0.0), "played"),
        Meeting(1, (3, 4), (1.0, 0.0), "played"),
        Meeting(1, (5, 6), (0.5, 0.5), "played"),
    ]
    second = next_round("swiss", range(1, 7), NOBODY, first, TWO)
    assert [{*meeting.players} for meeting in second][:1] == [{1, 3}]
    assert frozenset({5, 6}) not in times_met(second)


@settings(deadline=None, max_examples=several(15, 40))
@given(st.integers(2, 33), st.randoms(use_true_random=False))
def test_a_knockout_leaves_one_winner(players: int, rng: Random) -> None:
    meetings, _ = play("knockout", players, 0, rng)
    rounds = ceil(log2(players))
    assert {meeting.round for meeting in meetings} == {*range(1, rounds + 1)}
    games = [meeting for meeting in meetings if len(meeting.players) == 2]
    assert len(games) == players - 1, "everyone but the winner loses once"
    found = standings("knockout", range(1, players + 1), meetings)
    assert [each.rank for each in found[:2]] == [1, 2]
    losses = Counter(meeting.players[meeting.points.index(0.0)] for meeting in games)
    assert {*losses.values()} <= {1}
    assert found[0].player not in losses
    byes = byes_had(meetings)
    assert {*byes} == {*range(1, 2**rounds - players + 1)}, "the first players rest in the first round"


def test_the_first_two_can_meet_in_the_final_only() -> None:
    meetings: list[Meeting] = []
    for _ in range(3):
        opened = next_round("knockout", range(1, 9), NOBODY, meetings, TWO)
        meetings += [
            structs.replace(
                meeting,
                points=tuple(float(player == min(meeting.players)) for player in meeting.players),
                decided="played",
            )
            for meeting in opened
        ]
    assert [{*meeting.players} for meeting in meetings][-1] == {1, 2}


def test_where_both_forfeit_the_next_opponent_has_a_bye() -> None:
    first = [Meeting(1, (1, 4), (0.0, 0.0), "forfeit"), Meeting(1, (2, 3), (1.0, 0.0), "played")]
    (final,) = next_round("knockout", range(1, 5), frozenset({1, 4}), first, TWO)
    assert (final.players, final.decided) == ((2,), "bye")


@pytest.mark.parametrize(
    ("players", "seats", "sizes"),
    [
        (9, range(2, 4), [3, 3, 3]),
        (10, range(2, 5), [4, 3, 3]),
        (5, range(2, 4), [3, 2]),
        (5, range(3, 4), [3]),
        (7, range(3, 7), [4, 3]),
        (2, range(3, 5), []),
        (6, range(6, 7), [6]),
    ],
)
def test_tables_are_as_even_as_they_can_be(players: int, seats: range, sizes: list[int]) -> None:
    assert table_sizes(players, seats) == sizes


@settings(deadline=None, max_examples=several(15, 40))
@given(st.integers(3, 30), st.integers(3, 6), st.randoms(use_true_random=False))
def test_groups_meet_others_and_change_seats(players: int, most: int, rng: Random) -> None:
    meetings, _ = play("groups", players, 4, rng, range(2, most + 1))
    met = times_met(meetings)
    there = [meeting for meeting in meetings if len(meeting.players) > 1]
    unavoidable = sum(len(meeting.players) * (len(meeting.players) - 1) // 2 for meeting in there)
    repeats = unavoidable - len(met)
    if players >= 4 * most:
        assert repeats <= unavoidable // 8
    taken = seats_taken(meetings)
    assert max(taken.values()) <= 3, "nobody has one seat in all four rounds"


def test_the_groups_of_many_players_are_found_quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server draws them up between two moves of others: it asks once of each two players whether they have met."""

    class Asked(Counter[frozenset[int]]):
        times = 0

        def __getitem__(self, pair: frozenset[int]) -> int:
            Asked.times += 1
            return super().__getitem__(pair)

    meetings, _ = play("groups", 64, 3, Random(1), range(2, 7))
    monkeypatch.setattr("ludotheque.tournament.rounds.times_met", lambda meetings: Asked(times_met(meetings)))
    next_round("groups", range(1, 65), NOBODY, meetings, range(2, 7))
    assert 0 < Asked.times <= 64 * 64


def test_byes_in_groups_go_round() -> None:
    meetings, _ = play("groups", 4, 4, Random(1), range(3, 4))
    assert {*byes_had(meetings).values()} == {1}
