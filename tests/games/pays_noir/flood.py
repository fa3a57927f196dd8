"""A slow, independent implementation of Pays noir: flood fill finds everything from the cards alone.

Shares nothing with the rules but the reading of card files, so that the two can be compared after every move.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache

from ludotheque.games.pays_noir.cards import Card

Node = tuple[int, str]
"""A part of a laid card: the card's number and the part's name."""
Component = frozenset[Node]

STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))
SITES = ("mine", "factory", "port")


@cache
def kind(node: Node) -> str:
    return node[1].partition(":")[0]


@cache
def number(node: Node) -> int:
    return int(node[1].partition(":")[2])


@dataclass(frozen=True)
class Laid:
    """A card on the table."""

    card: Card
    turn: int
    x: int
    y: int


@dataclass(frozen=True)
class Award:
    """Points for something, to some seats."""

    reason: str
    points: int
    seats: frozenset[int]


@dataclass
class Table:
    """Cards on a table and the members on them."""

    cards: list[Laid] = field(default_factory=list)
    at: dict[tuple[int, int], int] = field(default_factory=dict)
    members: dict[Node, int] = field(default_factory=dict)
    found: dict[tuple[str, Node], Component] = field(default_factory=dict)
    """What flood fill has found since the last card was laid."""

    def lay(self, laid: Laid) -> None:
        self.found.clear()
        self.at[laid.x, laid.y] = len(self.cards)
        self.cards.append(laid)

    # The four ways in which things hang together.

    def _across(self, index: int, side: int) -> tuple[int, int] | None:
        """The card behind a side (as printed on the card) and its side that lies against it."""
        laid = self.cards[index]
        dx, dy = STEPS[(side + laid.turn) % 4]
        other = self.at.get((laid.x + dx, laid.y + dy))
        if other is None:
            return None
        return other, (side + laid.turn + 2 - self.cards[other].turn) % 4

    def quarters_beside(self, node: Node) -> Iterable[Node]:
        for side in self.cards[node[0]].card.quarters[number(node)].sides:
            if beyond := self._across(node[0], side):
                other, edge = beyond
                for i, quarter in enumerate(self.cards[other].card.quarters):
                    if edge in quarter.sides:
                        yield other, f"quarter:{i}"

    def tracks_beside(self, node: Node) -> Iterable[Node]:
        for end in self.cards[node[0]].card.tracks[number(node)].ends:
            if isinstance(end, int) and (beyond := self._across(node[0], end)):
                other, edge = beyond
                for i, track in enumerate(self.cards[other].card.tracks):
                    if edge in track.ends:
                        yield other, f"track:{i}"

    def rail_beside(self, node: Node) -> Iterable[Node]:
        index, name = node
        tracks = self.cards[index].card.tracks
        if kind(node) != "track":
            yield from ((index, f"track:{i}") for i, track in enumerate(tracks) if name in track.ends)
            return
        yield from self.tracks_beside(node)
        for end in tracks[number(node)].ends:
            if isinstance(end, str) and not end.startswith("quarter"):
                yield index, end

    def patches_beside(self, node: Node) -> Iterable[Node]:
        for half in self.cards[node[0]].card.patches[number(node)].halves:
            if beyond := self._across(node[0], half // 2):
                other, edge = beyond
                against = 2 * edge + 1 - half % 2
                for i, patch in enumerate(self.cards[other].card.patches):
                    if against in patch.halves:
                        yield other, f"country:{i}"

    def filled(self, what: str, start: Node, beside: Callable[[Node], Iterable[Node]]) -> Component:
        if (what, start) in self.found:
            return self.found[what, start]
        reached = {start}
        waiting = [start]
        while waiting:
            for node in beside(waiting.pop()):
                if node not in reached:
                    reached.add(node)
                    waiting.append(node)
        component = frozenset(reached)
        self.found.update({(what, node): component for node in component})
        return component

    def whole(self, node: Node) -> Component:
        """The whole town, line, site or country that a spot belongs to."""
        if kind(node) == "quarter":
            return self.filled("town", node, self.quarters_beside)
        if kind(node) == "track":
            return self.filled("line", node, self.tracks_beside)
        if kind(node) == "country":
            return self.filled("country", node, self.patches_beside)
        return frozenset([node])

    def network(self, node: Node) -> Component:
        return self.filled("network", node, self.rail_beside)

    # What is known of them.

    def is_open(self, component: Component) -> bool:
        """Whether a town or a line or a network has an edge where it can go on."""
        for node in component:
            card = self.cards[node[0]].card
            sides: Iterable[int] = ()
            if kind(node) == "quarter":
                sides = card.quarters[number(node)].sides
            elif kind(node) == "track":
                sides = [end for end in card.tracks[number(node)].ends if isinstance(end, int)]
            if any(self._across(node[0], side) is None for side in sides):
                return True
        return False

    def open_ends(self, component: Component) -> int:
        """Edges, and of countries also half rail edges, where it goes on beyond the table."""
        ends = set()
        for node in component:
            card = self.cards[node[0]].card
            if kind(node) == "quarter":
                ends |= {(node[0], side, 0) for side in card.quarters[number(node)].sides}
            elif kind(node) == "track":
                ends |= {(node[0], end, 0) for end in card.tracks[number(node)].ends if isinstance(end, int)}
            elif kind(node) == "country":
                halves = card.patches[number(node)].halves
                ends |= {(node[0], h // 2, h % 2 if card.edges[h // 2] == "rail" else 0) for h in halves}
        return sum(self._across(index, side) is None for index, side, _ in ends)

    def linked_towns(self, network: Component) -> set[Component]:
        towns = set()
        for node in network:
            if kind(node) == "track":
                for end in self.cards[node[0]].card.tracks[number(node)].ends:
                    if isinstance(end, str) and end.startswith("quarter"):
                        towns.add(self.whole((node[0], end)))
        return towns

    def families(self, component: Component) -> Counter[int]:
        return Counter(seat for node, seat in self.members.items() if node in component)

    def is_finished(self, node: Node) -> bool:
        if kind(node) == "country":
            return False
        if kind(node) in ("quarter", "track"):
            return not self.is_open(self.whole(node))
        network = self.network(node)
        kinds = Counter(kind(part) for part in network)
        if kind(node) == "port":
            return not self.is_open(network)
        if kind(node) == "mine":
            return bool(kinds["factory"] or kinds["port"] or self.linked_towns(network))
        laid = self.cards[node[0]]
        around = [self.at[place] for place in self._around(laid) if place in self.at]
        near = [self.cards[index].card for index in around]
        town = any(card.quarters for card in near) or bool(self.linked_towns(network))
        mine = any(site.kind == "mine" for card in near for site in card.sites) or bool(kinds["mine"])
        return town and mine

    def _around(self, laid: Laid) -> Iterable[tuple[int, int]]:
        yield laid.x, laid.y
        yield from ((laid.x + dx, laid.y + dy) for dx, dy in STEPS)

    def port_value(self, node: Node) -> int:
        network = self.network(node)
        return sum(kind(part) in SITES for part in network) + len(self.linked_towns(network))

    def country_value(self, country: Component) -> int:
        sites: set[Component] = set()
        for index, name in country:
            for touched in self.cards[index].card.patches[number((index, name))].touches:
                whole = self.whole((index, touched))
                if kind((index, touched)) != "quarter" or not self.is_open(whole):
                    sites.add(whole)
        return len(sites)

    # Placing and scoring.

    def may_stand(self, node: Node, seat: int) -> bool:
        families = self.families(self.whole(node))
        if kind(node) in ("quarter", "country"):
            return set(families) <= {seat}
        return not families

    def award(self, reason: str, points: int, families: Counter[int]) -> Award:
        most = max(families.values())
        return Award(reason, points, frozenset(seat for seat, count in families.items() if count == most))

    def score(self, graded: bool) -> list[Award]:
        """What the card laid last gives; the members on what is finished are taken off."""
        last = len(self.cards) - 1
        awards: list[Award] = []
        for node in list(self.members):
            if node not in self.members or kind(node) in ("quarter", "country") or not self.is_finished(node):
                continue
            whole = self.whole(node)
            families = self.families(whole)
            if kind(node) == "track":
                points = len({index for index, _ in whole})
            else:
                points = {"mine": 4, "factory": 3}.get(kind(node)) or self.port_value(node)
            awards.append(self.award({"track": "line"}.get(kind(node), kind(node)), points, families))
            self.take_off(whole)
        awards += self._score_quarters(last, graded)
        for i in range(len(self.cards[last].card.quarters)):
            town = self.whole((last, f"quarter:{i}"))
            if not self.is_open(town):
                self.take_off(town)
        return [award for award in awards if award.points]

    def _score_quarters(self, last: int, graded: bool) -> Iterable[Award]:
        for i, quarter in enumerate(self.cards[last].card.quarters):
            town = self.whole((last, f"quarter:{i}"))
            families = self.families(town)
            if not families:
                continue
            value = {"bourgeois": 2, "corons": 1, "slum": 0}[quarter.kind] if graded else 1
            if any(self.cards[index].card.quarters[number((index, name))].station for index, name in town):
                value *= 2
            yield self.award("quarter", value, families)
            if quarter.urbanism:
                yield self.award("urbanism", sum(index != last for index, _ in town), families)

    def take_off(self, component: Component) -> None:
        self.members = {node: seat for node, seat in self.members.items() if node not in component}

    def final_count(self) -> list[Award]:
        awards = [
            self.award("port", self.port_value(node), self.families(frozenset([node])))
            for node in self.members
            if kind(node) == "port"
        ]
        countries = {self.whole(node) for node in self.members if kind(node) == "country"}
        awards += [self.award("country", self.country_value(land), self.families(land)) for land in countries]
        return [award for award in awards if award.points]
