"""Every kind of event has a notice or deliberately none, and a notice shows what happened and to whom."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Final

import pytest

from ludotheque import Event, EventNotice, NoticeRow, game_class, load_game
from ludotheque.core.earnings import Earning
from ludotheque.core.event_notices import end_notice, gain_rows
from ludotheque.core.events import GameEnded
from ludotheque.core.phrases import phrase
from ludotheque.games.cable_car import events as cable_car
from ludotheque.games.cable_car.observation import Line
from ludotheque.games.chicago_express import events as chicago_express
from ludotheque.games.passerelles import events as passerelles
from ludotheque.games.passerelles.observation import Area
from ludotheque.games.pays_noir import events as pays_noir
from tests.ours import OURS

END: Final = GameEnded(scores=(12, 30), returns=(0, 1))
HEX: Final = load_game("chicago-express").board.hex(0)
PAID: Final = (
    chicago_express.Payment(0, "PRR", 2, 5),
    chicago_express.Payment(0, "B&O", 1, 7),
    chicago_express.Payment(2, "B&O", 1, 7),
)
GAIN: Final = (Earning(1, phrase("Mines"), 4),)
SHOWN: Final[dict[str, list[tuple[Event, list[str]]]]] = {
    "cable-car": [
        (
            cable_car.LineFinished(seat=1, line=Line(4, 1, 3, 0), company=""),
            ["Line 4 reaches the power station", "1: 3 tiles, counted double +6"],
        ),
        (
            cable_car.LineFinished(line=Line(4, 1, 3, 0), company="red"),
            ["Line 4 reaches the power station", "R red: 3 tiles, counted double +6"],
        ),
        (cable_car.SwapsClosed(), ["Swapping is closed", "A company has 25 points."]),
        (END, ["The game is over", "1: wins 30", "0:  12"]),
    ],
    "chicago-express": [
        (
            chicago_express.ShareSold(seat=2, company="PRR", dollars=9),
            ["A share of PRR is sold", "2:  \u2212$9"],
        ),
        (chicago_express.ShareSold(seat=2, company="PRR", dollars=0), ["A share of PRR is sold", "2:  for nothing"]),
        (
            chicago_express.ChicagoReached(company="PRR", dollars=5, payments=PAID[:1]),
            ["PRR has reached Chicago", "0: PRR 2 \u00d7 $5 +$10"],
        ),
        (
            chicago_express.WabashOpened(seat=1, hex=HEX, minimum=4, rises=(chicago_express.Rise("WAB", 0, 2),)),
            ["The Wabash opens", "Its income is 2."],
        ),
        (
            chicago_express.GeneralDividend(dollars=(("PRR", 5), ("B&O", 7)), payments=PAID),
            ["General dividend", "0: PRR 2 \u00d7 $5, B&O 1 \u00d7 $7 +$17", "2: B&O 1 \u00d7 $7 +$7"],
        ),
        (
            chicago_express.GeneralDividend(dollars=(), payments=()),
            ["General dividend", "No shares are paid."],
        ),
        (
            chicago_express.ExpressEnded(scores=(12, 30), returns=(0, 1), ends=("shares", "houses")),
            [
                "The game is over",
                "The game ends: three companies or more have no share left. "
                "The game ends: three houses or fewer are left.",
                "1: wins $30",
                "0:  $12",
            ],
        ),
    ],
    "passerelles": [
        (
            passerelles.RoundOver(
                round=1, points=(6, 1), areas=(Area(0, (0, 1)), Area(0, (20, 21, 22, 23)), Area(1, (9,)))
            ),
            ["Round 1 is over", "0: areas of 4 + 2 squares +6", "1: an area of 1 square +1"],
        ),
        (
            passerelles.RoundOver(round=2, points=(0, 2), areas=(Area(1, (9, 10)),)),
            ["Round 2 is over", "0: no area +0", "1: an area of 2 squares +2"],
        ),
        (END, ["The game is over", "1: wins 30", "0:  12"]),
    ],
    "pays-noir": [
        (
            pays_noir.MineFinished(points=4, seats=(1,), customer="port", earnings=GAIN),
            ["Mine linked by rail to the port", "1:  +4"],
        ),
        (
            pays_noir.FactoryFinished(points=4, seats=(1,), earnings=GAIN),
            ["Factory touches a town and a mine", "1:  +4"],
        ),
        (
            pays_noir.PortCounted(points=4, seats=(1,), finished=True, earnings=GAIN),
            ["Port, its railways complete, with 3 other sites linked", "1:  +4"],
        ),
        (
            pays_noir.PortCounted(points=4, seats=(1,), finished=False, earnings=GAIN),
            ["Port, unfinished, with 3 other sites linked", "Final count", "1:  +4"],
        ),
        (
            pays_noir.CountryCounted(points=4, seats=(1,), earnings=GAIN),
            ["Country with 4 sites and closed towns", "Final count", "1:  +4"],
        ),
        (pays_noir.TownClosed(), ["A town is closed", "Its members go home."]),
        (END, ["The game is over", "1: wins 30", "0:  12"]),
    ],
}
"""By game: events, and their notices as text."""
TOLD_WITH_OTHERS: Final = {"CompanyValued", "SharesCounted", "TrackFull"}
"""Events in the notice of another one."""
NOT_SHOWN: Final = {
    "cable-car": {
        "TileDrawn", "DrawChosen", "TileLaid", "LineChanged", "LineLengthened", "ShareSwapped", "ShareTaken",
        "ShareTurnedUp", "ShareValuesChanged",
    },
    "chicago-express": {
        "Bid", "Passed", "ShareUnsold", "ActionChosen", "Declined", "ShareOffered", "ExpansionBegun", "TrackBuilt",
        "ExpansionEnded", "Developed", "DetroitGrew",
    },
    "passerelles": {"NeutralLaid", "Laid", "Passed", "LandscapeLaid", "AreasChanged"},
    "pays-noir": {
        "CardDrawn", "CardChosen", "CardDiscarded", "PlaceChosen", "CardLaid", "MemberPlaced", "NoMemberPlaced",
        "Scored", "LineFinished", "QuarterLaid", "UrbanismLaid", "FinalCountChanged",
    },
}  # fmt: skip
"""By game: kinds of events that are everyday, or not events by themselves."""


def text_of(notice: EventNotice) -> list[str]:
    said = [str(notice.title), *([str(notice.text)] if str(notice.text) else [])]
    return said + [f"{row.who}: {row.words} {row.amount}" for row in notice.rows]


def notices(game: str, *events: Event) -> list[EventNotice]:
    return list(load_game(game).event_notices(events))


@pytest.mark.parametrize("game", OURS)
def test_every_kind_of_event_has_a_notice_or_deliberately_none(game: str) -> None:
    module = importlib.import_module(f"{game_class(game).__module__}.events")
    kinds = {kind.__name__ for kind in vars(module).values() if isinstance(kind, type) and issubclass(kind, Event)}
    shown = {type(event).__name__ for event, _ in SHOWN[game]}
    wanted = kinds - {"Event", "GameEnded"} - TOLD_WITH_OTHERS
    assert wanted == (shown | NOT_SHOWN[game]) - {"GameEnded"}


@pytest.mark.parametrize(
    ("game", "event", "said"), [(game, *shown) for game, all_shown in SHOWN.items() for shown in all_shown]
)
def test_a_notice_says_what_happened_and_what_it_brought(game: str, event: Event, said: Sequence[str]) -> None:
    (notice,) = notices(game, event)
    assert text_of(notice) == said
    assert {*event.places} <= {*notice.places}


@pytest.mark.parametrize(
    ("game", "event"),
    [
        ("cable-car", cable_car.LineFinished(seat=1, line=Line(4, 1, 3, 9), company="")),
        ("chicago-express", chicago_express.Bid(seat=1, company="PRR", dollars=4, pays=2)),
        ("passerelles", passerelles.Passed(seat=1, by_choice=False)),
        ("pays-noir", pays_noir.LineFinished(points=4, seats=(1,), ends=(), earnings=GAIN)),
    ],
)
def test_everyday_events_have_no_notice(game: str, event: Event) -> None:
    assert notices(game, event) == []


def test_the_companies_are_counted_in_two_notices_before_the_end() -> None:
    valued = [
        cable_car.CompanyValued(company="red", points=30, value=8),
        cable_car.CompanyValued(company="blue", points=12, value=7),
    ]
    counted = [cable_car.SharesCounted(seat=seat, shares=20 + seat, majorities=5) for seat in (0, 1)]
    companies, shares, end = notices("cable-car", *valued, *counted, END)
    assert text_of(companies)[1:] == ["R red: 30 points 8 for each 10%", "B blue: 12 points 7 for each 10%"]
    assert text_of(shares)[1:] == ["0: 20 for shares, 5 for majorities +25", "1: 21 for shares, 5 for majorities +26"]
    assert text_of(end)[0] == "The game is over"


def test_the_end_by_the_score_track_says_so() -> None:
    (end,) = notices("pays-noir", pays_noir.TrackFull(space=90), END)
    assert text_of(end)[:2] == ["The game is over", "The score track ends at 90."]


def test_the_areas_of_a_round_are_shown_by_player() -> None:
    over = passerelles.RoundOver(round=1, points=(1, 2), areas=(Area(1, (0, 1)), Area(0, (11,))))
    (notice,) = notices("passerelles", over)
    assert [row.places for row in notice.rows] == [("area:B:A2",), ("area:Y:A1",)]
    assert notice.all_places == ("area:B:A2", "area:Y:A1")


def test_only_what_counts_now_is_gained() -> None:
    earned = [Earning(1, phrase("Mines"), 4), Earning(1, phrase("Ports"), 2), Earning(0, phrase("Ports"), 9, "end")]
    assert gain_rows(earned) == (NoticeRow(1, amount=phrase("+{number}", number=6)),)


def test_a_shared_win_is_told_of_all_who_share_it() -> None:
    ended = GameEnded(scores=(7, 9, 9), returns=(0, 0.5, 0.5))
    notice = end_notice(ended, lambda score: phrase("{score}", score=score))
    assert text_of(notice)[1:] == ["1: shares the win 9", "2: shares the win 9", "0:  7"]
