"""What is held is outlined on the board, by its holders alone."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ludotheque.core.scene import Piece
from ludotheque.games.pays_noir.card_art import HALF, Point
from ludotheque.games.pays_noir.observation import FAMILIES, Group, PaysNoirObservation
from ludotheque.games.pays_noir.observe import observe
from ludotheque.games.pays_noir.outlines import outline
from ludotheque.games.pays_noir.rules import PaysNoirState
from ludotheque.games.pays_noir.scene import holders
from tests.games.pays_noir.positions import game, position
from tests.games.why_not import positions
from tests.speeds import several

ALL_SIDES = (0, 1, 2, 3)


def points(path: str) -> list[Point]:
    """The points that a path goes to, handles of curves included."""
    return [(float(x), float(y)) for x, y in re.findall(r"(-?[\d.]+),(-?[\d.]+)", path)]


def held_pieces(seen: PaysNoirObservation) -> list[Piece]:
    return [piece for piece in game().scene(seen).pieces if "holding" in piece.classes.split()]


def some_observations() -> Iterator[PaysNoirObservation]:
    for seed in range(several(3, 30)):
        for number, state in enumerate(positions("pays-noir", seed, 3)):
            assert isinstance(state, PaysNoirState)
            if number % 7 == 0:
                yield observe(state, 0)


def test_all_that_is_held_is_outlined_in_the_colours_of_its_holders_and_nothing_else() -> None:
    shared = 0
    for seen in some_observations():
        expected = {f"held:{group.name}:{seat}" for group in seen.groups for seat in holders(group)}
        expected |= {f"edge:{group.name}" for group in seen.groups if any(group.members)}
        found = {piece.id: piece for piece in held_pieces(seen)}
        assert found.keys() == expected
        assert all(piece.path for piece in found.values())
        for id, piece in found.items():
            if id.startswith("held:"):
                assert FAMILIES[int(id.rpartition(":")[2])] in piece.classes.split()
        shared += sum(len(holders(group)) > 1 for group in seen.groups)
    assert shared, "some are shared"


def test_only_the_seats_with_most_members_hold_something() -> None:
    def group(*members: int) -> Group:
        return Group("town:1", 0, 0, 1, False, members, 1, 0)

    assert holders(group(0, 0)) == []
    assert holders(group(1, 2)) == [1]
    assert holders(group(2, 2, 1)) == [0, 1]


def test_an_outline_lies_on_the_cards_of_what_it_outlines() -> None:
    for card in game().deck.cards:
        picture = game().pictures[card.id]
        for spot in card.spots:
            for edges in ((), (1,), ALL_SIDES):
                drawn = points(outline(picture, spot, 0, 0, 0, edges))
                assert all(max(abs(x), abs(y)) <= HALF + 1 for x, y in drawn), (card.id, spot)


def test_an_outline_is_open_where_the_country_goes_on_and_closed_at_the_edge_of_the_table() -> None:
    card = next(card for card in game().deck.cards if card.id == "cap_corons")
    picture = game().pictures[card.id]
    inside = points(outline(picture, "quarter:0", 0, 0, 0, ()))
    assert inside[0] != inside[-1]
    around = points(outline(picture, "quarter:0", 0, 0, 0, ALL_SIDES))
    assert around[0] == around[-1]


def test_what_lies_in_a_country_is_not_outlined_with_it() -> None:
    """Only on a card where two countries meet: there, no other line shows which is whose."""
    picture = game().pictures["straight"]
    alone = points(outline(picture, "country:0", 0, 0, 0, (3,), on_card=False))
    assert {x for x, _ in alone} == {4 - HALF}, "the edge of the table, not the track"
    assert outline(picture, "country:0", 0, 0, 0, (), on_card=False) == ""
    assert outline(picture, "country:0", 0, 0, 0, ()) != ""

    for table, is_drawn in (("", True), (" mine_end@-1,0,90", False)):  # around the mine the country is one
        seen = observe(position(f"straight@1,0,90+1:country:0{table}", "curve"), 0)
        track = next(piece for piece in game().scene(seen).pieces if piece.id == "card:1,0")
        drawn = next(piece for piece in held_pieces(seen) if piece.id.startswith("held:country"))
        beside = [x for x, y in points(drawn.path) if abs(y - track.y) < 9 and track.x - HALF < x < track.x]
        assert bool(beside) == is_drawn


def test_a_turned_card_is_outlined_as_it_lies() -> None:
    state = position("straight@1,0,90+2:track:0", "curve")
    drawn = next(piece for piece in held_pieces(observe(state, 0)) if piece.id.startswith("held:line"))
    assert "red" in drawn.classes
    ys = {y for _, y in points(drawn.path)}
    assert len(ys) == 2, "two lines beside a track from west to east"
