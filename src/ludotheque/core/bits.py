"""Sets of up to 62 places as the bits of one native integer. Compiled.

A left shift of a constant is compiled as a 32-bit shift (mypyc 2.4), so single bits come from the table `BIT`.
Bits 62 and 63 stay unused: in pure mode integers have no width, and a sign bit would never go away. Constants of 62
bits and more, and constants computed from imported ones, are boxed objects in compiled code: write small literals.
In compiled modules all functions of `bits.h` stand for those of the same names here.
"""

from typing import Any, Final

from librt.vecs import vec
from mypy_extensions import i64, u8

BITS: Final = 62

BIT: Final = vec[i64]([2**place for place in range(BITS)])


def _places_by_remainder() -> vec[u8]:
    # 2 generates the numbers 1..66 modulo the prime 67, so the powers of two leave different remainders.
    places = [0] * 67
    for place in range(BITS):
        places[2**place % 67] = place
    return vec[u8]([u8(place) for place in places])


_PLACE_BY_REMAINDER: Final = _places_by_remainder()


def place_of(bit: i64) -> i64:
    """The place of a single bit: `place_of(BIT[p]) == p`."""
    return i64(_PLACE_BY_REMAINDER[bit % 67])


def popcount(bits: i64) -> i64:
    """Count the places in the set."""
    bits -= (bits >> 1) & 0x1555555555555555
    bits = (bits & 0x3333333333333333) + ((bits >> 2) & 0x3333333333333333)
    bits = (bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0F
    bits += bits >> 8
    bits += bits >> 16
    bits += bits >> 32
    return bits & 127


def kth_bit(bits: i64, k: i64) -> i64:
    """The k-th lowest bit of the set, from 0, as a bit."""
    while k > 0:
        bits &= bits - 1
        k -= 1
    return bits & -bits


def mixed(key: i64, word: i64) -> i64:
    """A number of 62 bits made of two such numbers, for hash tables: other words, or another order, make another."""
    key ^= word
    key = (key & 0x7FFFFFFF) * 0x2545F491 + (key >> 31) * 0x3C6EF373
    return key ^ (key >> 29)


def places(bits: i64) -> list[int]:
    """The places of the set, ascending; for readers and tables, not for hot loops."""
    found: list[int] = []
    while bits:
        low = bits & -bits
        found.append(int(place_of(low)))
        bits ^= low
    return found


def _places_in_bytes() -> vec[u8]:
    table = [0] * (8 * 256)
    for byte in range(256):
        for k, place in enumerate(places(byte)):
            table[8 * byte + k] = place
    return vec[u8]([u8(place) for place in table])


_PLACE_IN_BYTE: Final = _places_in_bytes()
"""Place of the k-th lowest bit of each byte, at `8 * byte + k`."""
_SIZE_OF_BYTE: Final = vec[u8]([u8(len(places(byte))) for byte in range(256)])


def kth_place(bits: i64, k: i64) -> i64:
    """The place of the k-th lowest bit of the set, from 0."""
    place: i64 = 0
    here = i64(_SIZE_OF_BYTE[bits & 255])
    while k >= here:
        k -= here
        bits >>= 8
        place += 8
        here = i64(_SIZE_OF_BYTE[bits & 255])
    return place + i64(_PLACE_IN_BYTE[8 * (bits & 255) + k])


def set_of(members: list[int]) -> i64:
    """The set of these places."""
    bits: i64 = 0
    for place in members:
        bits |= BIT[place]
    return bits


def write_numbers(found: list[Any], at: i64, numbers: list[Any], first: i64, bits: i64) -> i64:
    """Write into a list, from `at` on, what another list has at each place of the set, counted from `first`; return
    where that ends. For lists of hundreds of numbers, which need not be made anew."""
    while bits != 0:
        low = bits & -bits
        found[at] = numbers[first + place_of(low)]
        at += 1
        bits ^= low
    return at


def as_float(number: i64) -> float:
    """The number as a float. `float` makes it a Python number on the way, in compiled code (mypyc 2.4)."""
    return float(number)
