from typing import final

from typing_extensions import Buffer

@final
class Plan:
    """Which items of a tensor show which bits and numbers of the words."""

    def __new__(cls, words: int, items: int, split: int, bits: bytes, numbers: bytes, scales: bytes, /) -> Plan:
        """Take how many words and items a row has, and the first item of the second tensor; pairs of 32-bit integers,
        ascending: the place of a bit and its item, the word of a number and its item; and a double for each number,
        its scale."""

    def write(self, words: Buffer, out: Buffer, shown: Buffer | None = None, second: Buffer | None = None, /) -> None:
        """Write rows of words into rows of `out`, float32 or bytes, and of `second`, float32. With `shown`, the words
        that they show now, write only what differs, and keep `shown` true."""
