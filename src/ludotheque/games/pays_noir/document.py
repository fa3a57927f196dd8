"""A card set of Pays noir, built-in or custom, read from a file and validated.

The authors' cards are lost; the set in `cards.json` is ours. Owners of the printed game can describe its cards in a
file of the same format (its field `format` explains it) and play with them. `faults` finds everything that is wrong
with such a file, each fault with its card and a sentence; `read_cards` makes a `CardSet` of a file without faults.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from ludotheque.core.errors import BadOption
from ludotheque.core.phrases import short_repr
from ludotheque.games.pays_noir.cards import (
    COUNTRY,
    EDGE_KINDS,
    HALVES,
    QUARTER_KINDS,
    RAIL,
    SIDE_LETTERS,
    SITE_KINDS,
    SYMBOLS,
    TOWN,
    Card,
    CardSet,
    Patch,
    Quarter,
    Site,
    Spot,
    Station,
    Track,
)

LEAST_PLAYERS: Final = 2
MOST_PLAYERS: Final = 5
MOST_CARDS: Final = 200
MOST_MEMBERS: Final = 15
MOST_HAND: Final = 9
MOST_STOPS: Final = 4
"""No card has more country stations than this, nor more sites."""
MOST_PARTS: Final = 12
"""No card has more tracks or more patches than this."""
LONGEST_TRACK: Final = 1000


class Fault(Struct, frozen=True):
    """Something wrong with a card file."""

    card: str
    """The card's id, or its place in the list while it has none; nothing if the fault is not of one card."""
    sentence: str

    def __str__(self) -> str:
        return f"Card {self.card}: {self.sentence}" if self.card else self.sentence


def built_in_document() -> dict[str, Any]:
    """Return the built-in card file."""
    content: dict[str, Any] = json.loads(Path(__file__).with_name("cards.json").read_text(encoding="utf-8"))
    return content


@cache
def built_in_cards() -> CardSet:
    """Return the built-in card set."""
    return read_cards(built_in_document())


def read_cards(document: Mapping[str, Any]) -> CardSet:
    """The card set that a file's content describes; `BadOption` with all its faults if it has any."""
    reader = _FileReader(document)
    card_set = reader.read()
    if card_set is not None:
        return card_set
    found = reader.faults
    more = f" (and {len(found) - 10} more)" if len(found) > 10 else ""
    raise BadOption("The card file cannot be played. " + " ".join(str(fault) for fault in found[:10]) + more)


def faults(document: Mapping[str, Any]) -> list[Fault]:
    """Everything that is wrong with a card file; nothing if it can be played."""
    reader = _FileReader(document)
    reader.read()
    return reader.faults


# Reading the whole file.

LONGEST_TITLE: Final = 120
_FILE_FIELDS: Final = (
    "title", "players", "members", "hand", "score_track", "score_track_by_players", "cards_total", "cards",
    "provenance", "format",
)  # fmt: skip


class _FileReader:
    """Reads a card file and gathers its faults."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.document = document
        self.faults: list[Fault] = []

    def fault(self, sentence: str, card: str = "") -> None:
        self.faults.append(Fault(card, sentence))

    def read(self) -> CardSet | None:
        for name in self.document:
            if name not in _FILE_FIELDS:
                self.fault(f"The file has a field {short_repr(name)}, which means nothing here.")
        cards = self._cards()
        title = self.document.get("title", "Pays noir")
        if not isinstance(title, str) or len(title) > LONGEST_TITLE:
            self.fault(f"The title is not a text of at most {LONGEST_TITLE} signs.")
        least, most = self._players()
        members = self._number(self.document, "members", 1, MOST_MEMBERS)
        hand = self._number(self.document, "hand", 1, MOST_HAND)
        track = self._number(self.document, "score_track", 1, LONGEST_TRACK)
        by_players = self._score_track_by_players()
        if cards is not None:
            self._set_as_a_whole(cards, most * hand)
        if self.faults or cards is None:
            return None
        return CardSet(title, cards, least, most, members, hand, track, by_players)

    def _number(self, where: Mapping[str, Any], name: str, least: int, most: int) -> int:
        number: Any = where.get(name)
        if _is_whole(number, least, most):
            return int(number)
        given = "is missing" if name not in where else f"is {short_repr(number)}"
        self.fault(f"The field {name} {given}; it must be a whole number from {least} to {most}.")
        return least

    def _players(self) -> tuple[int, int]:
        players = self.document.get("players", {"min": LEAST_PLAYERS, "max": MOST_PLAYERS})
        if not isinstance(players, dict) or set(players) != {"min", "max"}:
            self.fault("The field players must hold the two numbers min and max.")
            return LEAST_PLAYERS, MOST_PLAYERS
        least = self._number(players, "min", LEAST_PLAYERS, MOST_PLAYERS)
        most = self._number(players, "max", LEAST_PLAYERS, MOST_PLAYERS)
        if least > most:
            self.fault("The least number of players is greater than the most.")
        return least, most

    def _score_track_by_players(self) -> dict[int, int]:
        lengths = self.document.get("score_track_by_players", {})
        if not isinstance(lengths, dict):
            self.fault("The field score_track_by_players must give a length for numbers of players.")
            return {}
        found = {}
        for players in lengths:
            if players not in {str(n) for n in range(LEAST_PLAYERS, MOST_PLAYERS + 1)}:
                self.fault(
                    f"The field score_track_by_players names {short_repr(players)}; it takes the players 2 to 5."
                )
            else:
                found[int(players)] = self._number(lengths, players, 1, LONGEST_TRACK)
        return found

    def _cards(self) -> tuple[Card, ...] | None:
        entries = self.document.get("cards")
        if not isinstance(entries, list) or not entries:
            self.fault("The file has no list cards.")
            return None
        cards = []
        for number, entry in enumerate(entries, start=1):
            reader = _CardReader(entry, number)
            card = reader.read()
            self.faults += reader.faults
            if card is not None:
                cards.append(card)
        return tuple(cards) if len(cards) == len(entries) else None

    def _set_as_a_whole(self, cards: tuple[Card, ...], dealt: int) -> None:
        for id, times in Counter(card.id.lower() for card in cards).items():
            if times > 1:
                self.fault(f"{times} entries have this id; give the number of cards in copies.", id)
        starts = [card for card in cards if card.start]
        if len(starts) != 1:
            self.fault(f"{len(starts) or 'No'} cards are the start card; it must be one.")
        for card in starts:
            if card.copies != 1:
                self.fault("The start card must have one copy.", card.id)
        total = sum(card.copies for card in cards)
        if self.document.get("cards_total", total) != total:
            self.fault(f"The field cards_total says {short_repr(self.document['cards_total'])}, but there are {total}.")
        if total > MOST_CARDS:
            self.fault(f"There are {total} cards; more than {MOST_CARDS} cannot be played.")
        if total < 1 + dealt:
            self.fault(f"There are {total} cards; the start card and the first hands alone take {1 + dealt}.")


# Reading one card.

_CARD_FIELDS: Final = (
    "id", "copies", "start", "name", "edges", "quarters", "tracks", "stations", "sites", "patches",
)  # fmt: skip


class _CardReader:
    """Reads one entry of the list `cards`: first its shape, then, if that is right, its meaning."""

    def __init__(self, entry: object, number: int) -> None:
        self.entry: dict[str, Any] = entry if isinstance(entry, dict) else {}
        self.id = f"number {number}"
        self.faults: list[Fault] = []

    def fault(self, sentence: str) -> None:
        self.faults.append(Fault(self.id, sentence))

    def read(self) -> Card | None:
        card = self._shape()
        if not self.faults:
            self._edges_and_tracks(card)
            self._stops(card)
            self._country(card)
        return None if self.faults else card

    # Shape.

    def _shape(self) -> Card:
        id = self.entry.get("id")
        if isinstance(id, str) and re.fullmatch(r"[A-Za-z][A-Za-z0-9_]{0,59}", id):
            self.id = id
        else:
            self.fault("The id must be a short name of letters, digits and underscores, beginning with a letter.")
        for name in self.entry:
            if name not in _CARD_FIELDS:
                self.fault(f"The field {short_repr(name)} means nothing here.")
        copies = self.entry.get("copies")
        if not _is_whole(copies, 1, MOST_CARDS):
            self.fault(f"The field copies must be a whole number from 1 to {MOST_CARDS}.")
        start, name = self.entry.get("start", False), self.entry.get("name", "")
        if not isinstance(start, bool):
            self.fault("The field start must be true or false.")
        if not isinstance(name, str) or not re.fullmatch(r"[^{}]{0,120}", name) or not name.isprintable():
            self.fault("The field name must be a text of at most 120 signs, without braces.")
        return Card(
            self.id, copies if isinstance(copies, int) else 1, start is True, str(name), self._edges(),
            tuple(self._quarter(i, entry) for i, entry in self._entries("quarters", 4)),
            tuple(self._track(i, entry) for i, entry in self._entries("tracks")),
            tuple(Station(self._at(f"station:{i}", entry)) for i, entry in self._entries("stations", MOST_STOPS)),
            tuple(self._site(i, entry) for i, entry in self._entries("sites", MOST_STOPS)),
            tuple(self._patch(i, entry) for i, entry in self._entries("patches")),
        )  # fmt: skip

    def _edges(self) -> tuple[str, str, str, str]:
        edges = self.entry.get("edges")
        if not isinstance(edges, dict) or set(edges) != set(SIDE_LETTERS):
            self.fault("The field edges must say what each of the edges N, E, S and W shows.")
            return COUNTRY, COUNTRY, COUNTRY, COUNTRY
        for side in SIDE_LETTERS:
            if edges[side] not in EDGE_KINDS:
                self.fault(f"The edge {side} shows {short_repr(edges[side])}; an edge shows {_or(EDGE_KINDS)}.")
        return edges["N"], edges["E"], edges["S"], edges["W"]

    def _entries(self, field: str, most: int = MOST_PARTS) -> Iterator[tuple[int, dict[str, Any]]]:
        """The entries of a list of the card, numbered, as far as they are objects."""
        entries = self.entry.get(field, [])
        if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
            self.fault(f"The field {field} must be a list of objects.")
            return
        if len(entries) > most:
            self.fault(f"The card has {len(entries)} {field}; more than {most} cannot be played.")
        yield from enumerate(entries)

    def _quarter(self, number: int, entry: dict[str, Any]) -> Quarter:
        what = f"quarter:{number}"
        self._known_fields(what, entry, ("edges", "kind", "station", "urbanism"))
        sides = self._names(what, entry, "edges", tuple(SIDE_LETTERS))
        if not sides:
            self.fault(f"The {what} reaches no edge.")
        kind, station, urbanism = entry.get("kind"), entry.get("station", False), entry.get("urbanism")
        if kind not in QUARTER_KINDS:
            self.fault(f"The {what} is of kind {short_repr(kind)}; a quarter is {_or(QUARTER_KINDS)}.")
        if not isinstance(station, bool):
            self.fault(f"The field station of {what} must be true or false.")
        if urbanism is not None and urbanism not in SYMBOLS:
            self.fault(f"The {what} carries {short_repr(urbanism)}; an urbanism symbol is {_or(SYMBOLS)}.")
        return Quarter(
            tuple(SIDE_LETTERS.index(side) for side in sides), str(kind), station is True, str(urbanism or "")
        )

    def _track(self, number: int, entry: dict[str, Any]) -> Track:
        what = f"track:{number}"
        self._known_fields(what, entry, ("ends",))
        ends = entry.get("ends")
        if not isinstance(ends, list) or len(ends) != 2 or not all(isinstance(end, str) for end in ends):
            self.fault(f"The field ends of {what} must name two ends.")
            return Track((0, 0))
        if ends[0] == ends[1]:
            self.fault(f"Both ends of {what} are {ends[0]}.")
        first, second = (SIDE_LETTERS.index(end) if end in tuple(SIDE_LETTERS) else end for end in ends)
        return Track((first, second))

    def _site(self, number: int, entry: dict[str, Any]) -> Site:
        self._known_fields(f"site {number + 1}", entry, ("kind", "at"))
        kind = entry.get("kind")
        if kind not in SITE_KINDS:
            self.fault(f"Site {number + 1} is of kind {short_repr(kind)}; a site is a {_or(SITE_KINDS)}.")
        return Site(str(kind), self._at(f"site {number + 1}", entry))

    def _patch(self, number: int, entry: dict[str, Any]) -> Patch:
        what = f"country:{number}"
        self._known_fields(what, entry, ("halves", "touches"))
        halves = self._names(what, entry, "halves", HALVES)
        touches = entry.get("touches", [])
        if not isinstance(touches, list) or not all(isinstance(name, str) for name in touches):
            self.fault(f"The field touches of {what} must be a list of names.")
            touches = []
        return Patch(tuple(sorted(HALVES.index(half) for half in halves)), tuple(touches))

    def _names(self, what: str, entry: dict[str, Any], field: str, known: tuple[str, ...]) -> list[str]:
        """A list of different known names."""
        names = entry.get(field)
        if not isinstance(names, list):
            self.fault(f"The field {field} of {what} must be a list.")
            return []
        for name in names:
            if name not in known:
                self.fault(f"The field {field} of {what} names {short_repr(name)}; it takes {_or(known)}.")
        found = [name for name in names if name in known]
        if len(set(found)) < len(found):
            self.fault(f"The field {field} of {what} names something twice.")
        return found

    def _at(self, what: str, entry: dict[str, Any]) -> Spot | None:
        at = entry.get("at")
        if at is None:
            return None
        fits = isinstance(at, list) and len(at) == 2 and all(_is_number(n) and 0 <= n <= 100 for n in at)
        if not fits:
            self.fault(f"The field at of {what} must be two numbers from 0 to 100.")
            return None
        return float(at[0]), float(at[1])

    def _known_fields(self, what: str, entry: dict[str, Any], known: tuple[str, ...]) -> None:
        for name in entry:
            if name not in known:
                self.fault(f"The field {short_repr(name)} of {what} means nothing here.")

    # Meaning.

    def _edges_and_tracks(self, card: Card) -> None:
        """Each town edge belongs to one quarter, each rail edge to one track."""
        quarters = Counter(side for quarter in card.quarters for side in quarter.sides)
        tracks = Counter(end for track in card.tracks for end in track.ends if isinstance(end, int))
        for side, kind in enumerate(card.edges):
            self._ends_at_edge(side, kind == TOWN, quarters[side], "quarter", "town")
            self._ends_at_edge(side, kind == RAIL, tracks[side], "track", "rail")

    def _ends_at_edge(self, side: int, wanted: bool, found: int, what: str, kind: str) -> None:
        edge = SIDE_LETTERS[side]
        if wanted and found == 0:
            self.fault(f"The {kind} edge {edge} belongs to no {what}.")
        elif wanted and found > 1:
            self.fault(f"The {kind} edge {edge} belongs to {found} {what}s; it must be one.")
        elif not wanted and found:
            self.fault(f"A {what} reaches the edge {edge}, which is not a {kind} edge.")

    def _stops(self, card: Card) -> None:
        """Tracks end at stops that are on the card; mines, ports and country stations have a track."""
        stations = [f"station:{i}" for i in range(len(card.stations))]
        quarters = [f"quarter:{i}" for i in range(len(card.quarters))]
        stops = Counter(end for track in card.tracks for end in track.ends if isinstance(end, str))
        for end in stops:
            if end not in (*stations, *quarters, *card.site_names):
                self.fault(f"A track ends at {short_repr(end)}, which is not on the card.")
        for name in (*stations, *card.site_names):
            if not stops[name] and not name.startswith("factory"):
                self.fault(f"No track ends at {name}.")

    def _country(self, card: Card) -> None:
        """Each half of a country or rail edge is in one patch, and no patch goes through a track or a town."""
        owners = Counter(half for patch in card.patches for half in patch.halves)
        for half, name in enumerate(HALVES):
            green = card.edges[half // 2] != TOWN
            if green and owners[half] != 1:
                self.fault(f"The half edge {name} belongs to {owners[half] or 'no'} patches; it must be one.")
            elif not green and owners[half]:
                self.fault(f"The half edge {name} is town, but a patch reaches it.")
        names = {*(f"quarter:{i}" for i in range(len(card.quarters))), *card.site_names}
        for i, patch in enumerate(card.patches):
            for side in range(4):
                if card.edges[side] == COUNTRY and len({2 * side, 2 * side + 1} & set(patch.halves)) == 1:
                    self.fault(f"The country:{i} has only one half of the country edge {SIDE_LETTERS[side]}.")
            for name in patch.touches:
                if name not in names:
                    self.fault(
                        f"The country:{i} touches {short_repr(name)}, which is not a quarter or site of the card."
                    )
            for barrier in card.barriers():
                if len({_arc(barrier, half) for half in patch.halves}) > 1:
                    edges = _and([SIDE_LETTERS[side] for side in sorted(barrier)])
                    self.fault(f"The country:{i} lies on both sides of what joins the edges {edges}.")
        self._touched(card)

    def _touched(self, card: Card) -> None:
        """Each site lies in a patch or on its border, and each quarter on the border of the green beside its edges."""
        touched = {name for patch in card.patches for name in patch.touches}
        for name in card.site_names:
            if card.patches and name not in touched:
                self.fault(f"The {name} lies on no patch: name it in the field touches of one.")
        for i, quarter in enumerate(card.quarters):
            beside = {half for side in quarter.sides for half in ((2 * side - 1) % 8, (2 * side + 2) % 8)}
            for number, patch in enumerate(card.patches):
                if beside & set(patch.halves) and f"quarter:{i}" not in patch.touches:
                    self.fault(f"The country:{number} lies beside quarter:{i}: name it in its field touches.")


def _arc(barrier: set[int], half: int) -> int:
    """Between which two of its sides a barrier leaves a half edge: the number of its ends that come before."""
    before = sum(1 for side in barrier if 2 * side + 1 <= half)
    return before % len(barrier) if barrier else 0


def _is_whole(value: object, least: int, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _or(names: Sequence[str]) -> str:
    return ", ".join(names[:-1]) + " or " + names[-1]


def _and(names: Sequence[str]) -> str:
    return ", ".join(names[:-1]) + " and " + names[-1]
