from __future__ import annotations

import hashlib
import json
import shutil
import subprocess

import pytest

from ludotheque import CHANCE, load_game
from ludotheque.errors import LudothequeError, UnfairDice
from ludotheque.table import Dice, Match, verify
from ludotheque.table.dice import commitment_of, number_below, outcome_at
from tests.table.matches import SEED, orchard, random_match

pytestmark = pytest.mark.both

HALF = 2**63 + 1
"""A total for which nearly half of all numbers are thrown away."""
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
"""By total: the draws of plies 1 to 8."""


def test_the_commitment_is_the_sha_256_of_the_seed() -> None:
    assert commitment_of(SEED) == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
    assert Dice(SEED).commitment == commitment_of(SEED)


@pytest.mark.parametrize("total", FIRST_DRAWS)
def test_the_first_draws_of_a_seed_are_the_same_for_ever(total: int) -> None:
    assert [number_below(total, SEED, ply) for ply in range(1, 9)] == FIRST_DRAWS[total]


def test_the_bytes_are_those_written_down() -> None:
    """HMAC by hand, from its definition."""
    inner = bytes(byte ^ 0x36 for byte in SEED.ljust(64, b"\0"))
    outer = bytes(byte ^ 0x5C for byte in SEED.ljust(64, b"\0"))
    digest = hashlib.sha256(outer + hashlib.sha256(inner + b"ludotheque-dice-1/7/0").digest()).digest()
    assert number_below(6, SEED, 7) == int.from_bytes(digest[:8], "big") % 6


BROWSER = """
const [seedHex, plies, totals] = JSON.parse(require("fs").readFileSync(0, "utf8"));
const seed = Uint8Array.from(seedHex.match(/../g), (byte) => parseInt(byte, 16));
const SPAN = 1n << 64n;
async function numberBelow(total, ply) {
  const key = await crypto.subtle.importKey("raw", seed, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  for (let attempt = 0; ; attempt++) {
    const message = new TextEncoder().encode(`ludotheque-dice-1/${ply}/${attempt}`);
    const number = new DataView(await crypto.subtle.sign("HMAC", key, message)).getBigUint64(0);
    if (number < SPAN - (SPAN % total)) return number % total;
  }
}
(async () => {
  const answer = [];
  for (const total of totals)
    for (let ply = 1; ply <= plies; ply++) answer.push((await numberBelow(BigInt(total), ply)).toString());
  console.log(JSON.stringify(answer));
})();
"""


@pytest.mark.skipif(not shutil.which("node"), reason="needs Node.js, which has the WebCrypto of browsers")
def test_a_browser_draws_the_same() -> None:
    totals = [1, 2, 6, 60, HALF]
    order = json.dumps([SEED.hex(), 40, [str(total) for total in totals]])
    script = "const crypto = require('crypto').webcrypto;" + BROWSER
    answer = subprocess.run(["node", "-e", script], input=order, capture_output=True, text=True, check=True)
    assert [int(n) for n in json.loads(answer.stdout)] == [
        number_below(total, SEED, ply) for total in totals for ply in range(1, 41)
    ]


def test_all_numbers_below_the_total_come_up_alike() -> None:
    counts = [0] * 7
    for ply in range(7000):
        counts[number_below(7, SEED, ply)] += 1
    assert all(850 < count < 1150 for count in counts)


def test_an_outcome_is_as_likely_as_its_weight() -> None:
    weighted = [(2, 3), (5, 1), (9, 2)]
    assert [outcome_at(number, weighted) for number in range(6)] == [2, 2, 2, 5, 9, 9]


def test_dice_without_the_seed_cannot_be_thrown() -> None:
    dice = Dice(commitment=commitment_of(SEED))
    with pytest.raises(UnfairDice, match="does not hold their seed"):
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


def test_a_bent_draw_is_named() -> None:
    match = random_match(load_game("orchard", 3), 5)
    history = [action for _, action in match.actions()]
    wind = [ply for ply in range(match.ply) if match.state_at(ply).action_to_string(1) == "wind 1"]
    bent = wind[-1]
    history[bent] = (history[bent] + 1) % 3
    with pytest.raises(UnfairDice, match=rf"^Ply {bent + 1} drew 'wind \d', but the seed gives 'wind \d'\.$"):
        Match(match.game, match.names, match.dice, history).verify_dice()


def test_draws_made_elsewhere_cannot_be_verified() -> None:
    match = Match(load_game("orchard"))
    match.add(CHANCE, "card 1")
    with pytest.raises(UnfairDice, match="made elsewhere"):
        match.verify_dice()
    with pytest.raises(UnfairDice, match="does not hold"):
        verify(match.game, [0], Dice(commitment=commitment_of(SEED)))


def test_a_game_without_chance_has_nothing_to_verify() -> None:
    assert random_match(load_game("nim", 2), 1).verify_dice() == 0


def test_what_is_played_again_after_a_take_back_draws_the_same() -> None:
    match = orchard(3)
    match.play(0, "pick C")
    match.play(0, "take 2")
    drawn = match.actions()
    for _ in range(3):
        match.take_back(3)
        match.play(0, "pick C")
        match.play(0, "take 2")
        assert match.actions() == drawn


def test_errors_of_dice_are_errors_for_people() -> None:
    assert issubclass(UnfairDice, LudothequeError)
