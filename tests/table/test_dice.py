from __future__ import annotations

import hashlib
import hmac

import pytest
from librt.random import Random

from ludotheque import CHANCE, load_game
from ludotheque.errors import LudothequeError, UnfairDice
from ludotheque.table import Dice, Match, Nonce, verify
from ludotheque.table.dice import commitment_of, mix, number_below, outcome_at
from tests.table.matches import SEED, orchard, play_on, random_match

pytestmark = pytest.mark.both

HALF = 2**63 + 1
"""A total for which nearly half of all numbers are rejected."""
FIRST_DRAWS = {
    6: [3, 4, 4, 1, 1, 1, 5, 2],
    1000: [787, 742, 492, 437, 669, 605, 223, 680],
    HALF: [
        5393743368135992787,
        1142687592923376742,
        1293525991731219449,
        5618057270515985437,
        4498945107884302669,
        286778637573161076,
        7442859427617244223,
        1537902626713974568,
    ],
}
"""By total: the draws of plies 1 to 8. `tests/web/scripts/dice.test.js` checks the browser's against the same."""


def test_the_commitment_is_the_sha_256_of_the_seed() -> None:
    assert commitment_of(SEED) == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
    assert Dice(SEED).commitment == commitment_of(SEED)


@pytest.mark.parametrize("total", FIRST_DRAWS)
def test_the_first_draws_of_a_seed_never_change(total: int) -> None:
    assert [number_below(total, SEED, ply) for ply in range(1, 9)] == FIRST_DRAWS[total]


def test_the_generator_follows_its_specification_to_the_byte() -> None:
    """HMAC by hand, from its definition."""
    inner = bytes(byte ^ 0x36 for byte in SEED.ljust(64, b"\0"))
    outer = bytes(byte ^ 0x5C for byte in SEED.ljust(64, b"\0"))
    digest = hashlib.sha256(outer + hashlib.sha256(inner + b"ludotheque-dice-1/7/0").digest()).digest()
    assert number_below(6, SEED, 7) == int.from_bytes(digest[:8], "big") % 6


def test_all_numbers_below_the_total_are_equally_likely() -> None:
    counts = [0] * 7
    for ply in range(7000):
        counts[number_below(7, SEED, ply)] += 1
    assert all(850 < count < 1150 for count in counts)


def test_an_outcome_is_as_likely_as_its_weight() -> None:
    weighted = [(2, 3), (5, 1), (9, 2)]
    assert [outcome_at(number, weighted) for number in range(6)] == [2, 2, 2, 5, 9, 9]


def test_dice_without_the_seed_cannot_draw() -> None:
    dice = Dice(commitment=commitment_of(SEED))
    with pytest.raises(UnfairDice, match="their seed is not known"):
        dice.draw(1, [(0, 1)])


@pytest.mark.parametrize("commitment", ["", "abc", "G" * 64, "A" * 64, "a" * 63, "a" * 64 + "\n"])
def test_a_commitment_is_64_hexadecimal_digits(commitment: str) -> None:
    with pytest.raises(UnfairDice, match="64 hexadecimal digits"):
        Dice(commitment=commitment)
    with pytest.raises(UnfairDice, match="64 hexadecimal digits"):
        Dice.from_text(commitment, SEED.hex())


def test_a_seed_must_be_the_one_committed_to() -> None:
    with pytest.raises(UnfairDice, match="not the one that was committed to"):
        Dice(SEED, commitment_of(bytes(32)))
    with pytest.raises(UnfairDice, match="32 bytes, not 3"):
        Dice(b"abc")


def test_dice_do_not_print_their_seed() -> None:
    dice = Dice(SEED)
    assert SEED.hex()[:8] not in f"{dice!r} {dice}"
    assert not hasattr(dice, "__dict__")


def test_fresh_dice_differ() -> None:
    assert Dice.fresh().commitment != Dice.fresh().commitment


def test_the_draws_of_an_honest_match_follow_from_its_seed() -> None:
    match = random_match(load_game("cable-car", 4, companies=True), 1)
    draws = sum(who == CHANCE for who, _ in match.actions())
    assert match.verify_dice() == draws > 60


def test_an_unfair_draw_is_named() -> None:
    match = random_match(load_game("orchard", 3), 5)
    history = [action for _, action in match.actions()]
    wind = [ply for ply in range(match.ply) if match.state_at(ply).action_to_string(1) == "wind 1"]
    changed = wind[-1]
    history[changed] = (history[changed] + 1) % 3
    with pytest.raises(UnfairDice, match=rf"^Ply {changed + 1} drew 'wind \d', but the seed gives 'wind \d'\.$"):
        Match(match.game, match.names, match.dice, history).verify_dice()


def test_draws_made_elsewhere_cannot_be_verified() -> None:
    match = Match(load_game("orchard"))
    match.add(CHANCE, "card 1")
    with pytest.raises(UnfairDice, match="made elsewhere"):
        match.verify_dice()
    with pytest.raises(UnfairDice, match="their seed is not known"):
        verify(match.game, [0], Dice(commitment=commitment_of(SEED)))


def test_a_game_without_chance_has_nothing_to_verify() -> None:
    assert random_match(load_game("nim", 2), 1).verify_dice() == 0


def test_moves_played_again_after_a_rewind_draw_the_same() -> None:
    match = orchard(3)
    match.play(0, "pick C")
    match.play(0, "take 2")
    drawn = match.actions()
    for _ in range(3):
        match.rewind(3)
        match.play(0, "pick C")
        match.play(0, "take 2")
        assert match.actions() == drawn


def test_dice_errors_are_ludotheque_errors() -> None:
    assert issubclass(UnfairDice, LudothequeError)


# What people add.

ADDED = (
    Nonce(0, commitment_of(bytes([7] * 32)), "07" * 32),
    Nonce(1, commitment_of(bytes([8] * 32))),
    Nonce(2, commitment_of(bytes([9] * 32)), "09" * 32),
)
"""Two nonces, and a seat that was left out."""


def test_the_key_mixes_the_seed_with_the_nonces_by_seat() -> None:
    """`tests/web/scripts/dice.test.js` checks the browser's against the same key."""
    message = b"ludotheque-nonces-1/0:" + b"07" * 32 + b"/2:" + b"09" * 32
    assert mix(SEED, ADDED) == hmac.digest(SEED, message, "sha256")
    assert mix(SEED, ADDED).hex() == "bd482318f2854dd9aa79c986ade3890ccc01e689dd8f432cd73aa5246d014d8b"


def test_the_draws_follow_from_the_nonces_too() -> None:
    weighted = [(face, 1) for face in range(1000)]
    with_all, with_some, with_none = Dice(SEED, nonces=ADDED), Dice(SEED, nonces=ADDED[1:]), Dice(SEED)
    draws = {dice.draw(1, weighted) for dice in (with_all, with_some, with_none)}
    assert len(draws) == 3


def test_a_seat_that_was_left_out_adds_nothing() -> None:
    assert mix(SEED, ADDED[1:2]) == SEED
    assert mix(SEED, ADDED) == mix(SEED, (ADDED[0], ADDED[2]))


def test_a_nonce_must_be_the_one_committed_to() -> None:
    with pytest.raises(UnfairDice, match="nonce of seat 1"):
        Dice(SEED, nonces=[Nonce(0, ADDED[0].commitment, "08" * 32)])


@pytest.mark.parametrize("nonces", [(ADDED[2], ADDED[0]), (ADDED[0], ADDED[0]), (Nonce(-1, ADDED[0].commitment),)])
def test_nonces_come_in_the_order_of_their_seats(nonces: tuple[Nonce, ...]) -> None:
    with pytest.raises(UnfairDice, match="order of their seats"):
        Dice(SEED, nonces=nonces)


def test_open_dice_draw_only_once_they_are_closed() -> None:
    match = Match(orchard().game, dice=Dice(SEED, awaits_nonces=True))
    match.roll()
    assert (match.ply, match.to_move) == (0, CHANCE)
    assert match.dice
    with pytest.raises(UnfairDice, match="may still add"):
        match.dice.draw(1, [(0, 1)])
    match.dice = match.dice.closed(ADDED[:1])
    plan = match.plan_draws()
    match.apply(plan)
    assert match.ply == len(plan.plies) > 0
    assert match.verify_dice() == match.ply


def test_the_dice_of_a_match_with_nonces_are_verified() -> None:
    match = play_on(Match.start(orchard().game, dice=Dice(SEED, nonces=ADDED[:2])), Random(1))
    assert match.verify_dice() > 0
    with pytest.raises(UnfairDice):
        verify(match.game, [action for _, action in match.actions()], Dice(SEED))
