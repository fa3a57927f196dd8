"""Card files drawn at random: parts of our own set, and cards that nobody has designed."""

from __future__ import annotations

import random
from typing import Any

from ludotheque.games.pays_noir.cards import HALVES, SIDE_LETTERS, SITE_KINDS
from ludotheque.games.pays_noir.document import _CardReader, built_in_document

Document = dict[str, Any]


def few_own_cards(rng: random.Random) -> Document:
    """Our start card and some of our other cards."""
    own = built_in_document()
    others = rng.sample(own["cards"][1:], rng.randint(6, 12))
    cards = [own["cards"][0], *({**card, "copies": 1} for card in others)]
    return {"members": rng.randint(2, 8), "hand": 1, "score_track": rng.choice((15, 60)), "cards": cards}


def strange_cards(rng: random.Random) -> Document:
    """Cards with everything the format allows, joined at random."""
    cards = [random_card(rng, f"card_{number}") for number in range(rng.randint(7, 12))]
    cards[0]["start"] = True
    return {"members": rng.randint(2, 8), "hand": 1, "score_track": rng.choice((15, 90)), "cards": cards}


def random_card(rng: random.Random, id: str) -> Document:
    edges = {side: rng.choices(("country", "rail", "town"), (3, 4, 3))[0] for side in SIDE_LETTERS}
    quarters: list[Document] = []
    for side in SIDE_LETTERS:
        if edges[side] == "town":
            if quarters and rng.random() < 0.5:
                quarters[-1]["edges"].append(side)
            else:
                quarters.append(_quarter(rng, side))
    sites = [rng.choice(SITE_KINDS) for _ in range(rng.choice((0, 0, 1, 1, 2)))]
    names = [f"{kind}:{sites[:i].count(kind)}" for i, kind in enumerate(sites)]
    stops = [*names, *(f"station:{i}" for i in range(rng.choice((0, 0, 0, 1, 2))))]
    tracks = _tracks(rng, [side for side in SIDE_LETTERS if edges[side] == "rail"], stops, len(quarters))
    card: Document = {
        "id": id,
        "copies": 1,
        "edges": edges,
        "quarters": quarters,
        "tracks": tracks,
        "stations": [_at(rng) for stop in stops if stop.startswith("station")],
        "sites": [{"kind": kind, **_at(rng)} for kind in sites],
        "patches": [],
    }
    card["patches"] = _patches(rng, card, [*names, *(f"quarter:{i}" for i in range(len(quarters)))])
    return card


def _at(rng: random.Random) -> Document:
    """A place on the card, or none given."""
    return rng.choice(({}, {"at": [rng.randint(0, 100), rng.randint(0, 100)]}))


def _quarter(rng: random.Random, side: str) -> Document:
    return {
        "edges": [side],
        "kind": rng.choice(("bourgeois", "corons", "slum")),
        "station": rng.random() < 0.3,
        "urbanism": rng.choice((None, None, "water", "sewers", "lighting")),
    }


def _tracks(rng: random.Random, rails: list[str], stops: list[str], quarters: int) -> list[Document]:
    """Every rail edge leads to another one, to a stop or to a quarter, and every stop has a track, if need be to a
    station that is added for it."""
    towns = [f"quarter:{i}" for i in range(quarters)]
    tracks: list[list[str]] = []
    rng.shuffle(rails)
    while rails:
        side = rails.pop()
        if rails and rng.random() < 0.4:
            tracks.append([side, rails.pop()])
        else:
            tracks.append([side, rng.choice([*stops, *towns] or [_added_station(stops)])])
    for stop in list(stops):
        if not any(stop in track for track in tracks) and not stop.startswith("factory"):
            others = [end for end in (*stops, *towns) if end != stop]
            tracks.append([stop, rng.choice(others or [_added_station(stops)])])
    return [{"ends": track} for track in tracks]


def _added_station(stops: list[str]) -> str:
    stops.append(f"station:{sum(stop.startswith('station') for stop in stops)}")
    return stops[-1]


def _patches(rng: random.Random, card: Document, names: list[str]) -> list[Document]:
    """The green halves that no track or town parts."""
    bare = _CardReader(card, 0)._shape()
    barriers = bare.barriers()
    areas: dict[tuple[int, ...], list[str]] = {}
    for half, name in enumerate(HALVES):
        if bare.edges[half // 2] != "town":
            arcs = tuple(sum(2 * side + 1 <= half for side in barrier) % max(1, len(barrier)) for barrier in barriers)
            areas.setdefault(arcs, []).append(name)
    touched = [set(rng.sample(names, rng.randint(0, len(names)))) for _ in areas]
    for number, quarter in enumerate(bare.quarters):
        beside = {HALVES[half % 8] for side in quarter.sides for half in (2 * side - 1, 2 * side + 2)}
        for halves, some in zip(areas.values(), touched, strict=True):
            if beside & set(halves):
                some.add(f"quarter:{number}")
    for name in bare.site_names:
        if touched and not any(name in some for some in touched):
            rng.choice(touched).add(name)
    return [{"halves": halves, "touches": sorted(some)} for halves, some in zip(areas.values(), touched, strict=True)]
