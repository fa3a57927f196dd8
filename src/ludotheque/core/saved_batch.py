"""A batch as it is written down: what `Batch.save` returns, as MessagePack."""

from __future__ import annotations

from msgspec import DecodeError, Struct
from msgspec.msgpack import decode, encode

from ludotheque.core.errors import BadOption

LastStep = tuple[int, int, int, int, list[float]]
"""One game's decisions so far, the seat that moved last, whether that ended the game or cut it off, and each reward."""


class SavedBatch(Struct, frozen=True):
    """All games of a batch, without what follows from their positions."""

    starts: list[str]
    positions: list[str]
    generators: list[int]
    """Seeds from which the draws go on, by game."""
    steps: list[LastStep]
    final_words: list[int]

    def to_bytes(self) -> bytes:
        return encode(self)


def read_saved_batch(saved: bytes) -> SavedBatch:
    """Parse what `to_bytes` wrote; `BadOption` for anything else."""
    try:
        return decode(saved, type=SavedBatch)
    except DecodeError as reason:
        raise BadOption("These bytes are not a saved batch.") from reason
