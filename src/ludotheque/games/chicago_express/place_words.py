"""Hexes in players' words: `Detroit`, `the mountains by Pittsburgh`. Their coordinates are for records."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from ludotheque.core.phrases import Phrase, phrase
from ludotheque.games.chicago_express.document import Hex
from ludotheque.games.chicago_express.landmarks import Landmark

_VOWELS: Final = "AEIOUÉÈ"


def hex_words(hex: Hex) -> str | Phrase:
    """A hex inside a sentence."""
    return hex.name or _nameless(hex)[0]


def hex_title(hex: Hex) -> str | Phrase:
    """A hex at the beginning of a sentence, or by itself."""
    return hex.name or _nameless(hex)[1]


@lru_cache(maxsize=512)
def _nameless(hex: Hex) -> tuple[Phrase, Phrase]:
    """A hex without a name by its land, inside a sentence and at its beginning."""
    where = _where(hex)
    if hex.terrain == "plain":
        return phrase("the plain {where}", where=where), phrase("The plain {where}", where=where)
    if hex.terrain == "forest":
        return phrase("the forest {where}", where=where), phrase("The forest {where}", where=where)
    if hex.terrain == "mountain":
        return phrase("the mountains {where}", where=where), phrase("The mountains {where}", where=where)
    return phrase("the town {where}", where=where), phrase("The town {where}", where=where)


def _where(hex: Hex) -> Phrase:
    if hex.landmark is None:
        return phrase("at {hex}", hex=hex.id)
    where = _beside(hex.landmark)
    if hex.landmark.towards:
        return phrase("{where} towards {town}", where=where, town=hex.landmark.towards)
    return phrase("{where} ({hex})", where=where, hex=hex.id) if hex.landmark.shared else where


def _beside(landmark: Landmark) -> Phrase:
    if landmark.alone:
        return phrase("by {town}", town=landmark.town)
    side = _sides(_of(landmark.town))[landmark.side]
    return side if landmark.steps == 1 else phrase("{count} hexes {where}", count=landmark.steps, where=side)


def _of(town: str) -> Phrase:
    """Some languages say it in another way before a vowel."""
    return phrase("of {vowel}", vowel=town) if town[0].upper() in _VOWELS else phrase("of {town}", town=town)


def _sides(of_town: Phrase) -> tuple[Phrase, ...]:
    return (
        phrase("north {of_town}", of_town=of_town),
        phrase("north-east {of_town}", of_town=of_town),
        phrase("east {of_town}", of_town=of_town),
        phrase("south-east {of_town}", of_town=of_town),
        phrase("south {of_town}", of_town=of_town),
        phrase("south-west {of_town}", of_town=of_town),
        phrase("west {of_town}", of_town=of_town),
        phrase("north-west {of_town}", of_town=of_town),
    )
