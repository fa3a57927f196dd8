"""Reasons why a company may not build, be offered or be developed, checked by looking at the map."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from ludotheque import load_game
from ludotheque.core.choices import refusal
from ludotheque.games.chicago_express.document import neighbours, place
from ludotheque.games.chicago_express.observation import LETTERS, ChicagoExpressObservation, CompanyView, HexView
from ludotheque.games.chicago_express.place_words import hex_title, hex_words
from ludotheque.games.chicago_express.rules import ChicagoExpressState
from tests.games.why_not import positions, steps_on_show
from tests.speeds import few, several

HEXES: Final = load_game("chicago-express").new_initial_state().board.facts.hexes
ID_OF: Final = {str(words(hex)): hex.id for hex in HEXES for words in (hex_words, hex_title)}


def hex_of(seen: ChicagoExpressObservation, title: str) -> HexView:
    return next(hex for hex in seen.hexes if hex.id == ID_OF[title])


def company_of(seen: ChicagoExpressObservation, id: str) -> CompanyView:
    return next(company for company in seen.companies if company.id == id)


def is_there(seen: ChicagoExpressObservation, title: str, id: str) -> bool:
    return LETTERS[id] in hex_of(seen, title).locomotives


def is_beside(seen: ChicagoExpressObservation, title: str, id: str) -> bool:
    """Whether a locomotive of the company stands in one of the six hexes around."""
    column, row = place(hex_of(seen, title).id)
    around = {place(hex.id) for hex in seen.hexes if LETTERS[id] in hex.locomotives}
    return bool(around & set(neighbours(column, row)))


def can_build(seen: ChicagoExpressObservation, title: str) -> bool:
    """Whether a company of the seat to move can build there."""
    hex, held = hex_of(seen, title), seen.shares[seen.to_move]
    return any(
        shares and company.locomotives and 0 < hex.price <= company.treasury
        and is_beside(seen, title, company.id) and not is_there(seen, title, company.id)
        for company, shares in zip(seen.companies, held, strict=True)
    )  # fmt: skip


def can_develop(seen: ChicagoExpressObservation, title: str) -> bool:
    hex = hex_of(seen, title)
    if hex.terrain == "industrial":
        return bool(hex.locomotives) and any(
            city.hex == hex.id and city.step + 1 < len(city.track) for city in seen.industry[1:]
        )
    has_room = not hex.house and seen.houses > 0 and hex.name != "Chicago"
    return bool(hex.locomotives) and hex.terrain in ("forest", "mountain", "city") and has_room


def is_open(seen: ChicagoExpressObservation, action: str) -> bool:
    return any(dial.action == action and dial.at < dial.red for dial in seen.dials)


CHECKS: Final[dict[str, Callable[..., bool]]] = {
    r"Not now: .*": lambda seen: True,
    r"None of your companies can build in (.+) now\.": lambda seen, title: not can_build(seen, title),
    r"You can neither build nor develop in (.+) now\.": lambda seen, title: (
        not (
            (is_open(seen, "expansion") and can_build(seen, title))
            or (is_open(seen, "development") and can_develop(seen, title))
        )
    ),
    r"(\S+) is in (.+) already\.": lambda seen, id, title: is_there(seen, title, id),
    r"(.+) is not next to the network of (.+)\.": lambda seen, title, id: not is_beside(seen, title, id),
    r"(.+) grows by itself, after each general dividend\.": lambda seen, title: title.startswith("Detroit"),
    r"(.+) is at the last step of its track\.": lambda seen, title: any(
        city.hex == hex_of(seen, title).id and city.step + 1 == len(city.track) for city in seen.industry
    ),
    r"(.+) cannot be developed\.": lambda seen, title: (
        hex_of(seen, title).terrain == "start" or title.startswith("Chicago")
    ),
    r"(.+) can build nothing: .* with the \$(\d+) it has\.": lambda seen, id, treasury: (
        company_of(seen, id).treasury == int(treasury)
    ),
    r"The (\w+) dial is in the red\.": lambda seen, name: any(
        dial.action == name and dial.at >= dial.red for dial in seen.dials
    ),
    r"An expansion builds at least one locomotive\.": lambda seen: not seen.expansion.built,
    r"(.+) is a start hex: nobody builds there\.": lambda seen, title: hex_of(seen, title).terrain == "start",
    r"(.+) has a locomotive, and (forest|mountain) holds only one\.": lambda seen, title, terrain: (
        hex_of(seen, title).terrain == terrain and len(hex_of(seen, title).locomotives) == 1
    ),
    r"(.+) costs \$(\d+) and (.+) has \$(\d+)\.": lambda seen, title, price, id, treasury: (
        hex_of(seen, title).price == int(price) > int(treasury) == company_of(seen, id).treasury
    ),
    r"(.+) is plain: it cannot be developed\.": lambda seen, title: hex_of(seen, title).terrain == "plain",
    r"(.+) has no locomotive\.": lambda seen, title: not hex_of(seen, title).locomotives,
    r"(.+) has been developed already\.": lambda seen, title: hex_of(seen, title).house,
    r"No house is left in the supply\.": lambda seen: not seen.houses,
    r"The Wabash is not open yet: .*": lambda seen: not company_of(seen, "WAB").in_play,
    r"(.+) has no share left\.": lambda seen, id: not company_of(seen, id).unsold,
    r"You hold no share of (.+)\.": lambda seen, id: (
        not seen.shares[seen.to_move][[company.id for company in seen.companies].index(id)]
    ),
    r"(.+) has no locomotive left\.": lambda seen, id: not company_of(seen, id).locomotives,
}


def check(seen: ChicagoExpressObservation, reason: str) -> str:
    """Check a reason; return its kind: the first that it may be, the more special ones first."""
    for pattern in sorted(CHECKS, key=len, reverse=True):
        if found := re.fullmatch(pattern, reason):
            assert CHECKS[pattern](seen, *found.groups()), reason
            return pattern
    raise AssertionError(f"no check of: {reason}")


def test_reasons_are_true() -> None:
    kinds = set()
    for seed in range(several(3, 30)):
        for state in few(positions("chicago-express", seed, 3), 24):
            assert isinstance(state, ChicagoExpressState)
            seen = state.observation(0)
            reasons = [refusal(state, [key]) for keys in steps_on_show(state).values() for key in keys]
            kinds |= {check(seen, str(reason)) for reason in reasons if reason}
    assert len(kinds) >= several(9, 14)
