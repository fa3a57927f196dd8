"""The table of Pays noir: the cards that lie on it, and what has grown together. Compiled.

**Places.** The table has no edge: cards can be laid in any direction. The start card lies at (0, 0), x grows to the
east and y to the north, and the place (x, y) has the number

    (x + row * y) mod places        row = 2r + 1,  places = 2r² + 2r + 1,  r = (cards + 2) // 2

so a step to the east is +1 and a step to the north +row, and the numbers go round like a ring. Two places have
different numbers as long as they are at most 2r steps apart (squares of radius r around the places of one number tile
the plane without a gap). Cards hang together, so N cards and the places next to them lie at most N + 1 <= 2r steps
apart: the table never overlaps itself, whichever way it grows. 73 cards need 2,813 places.

**Sets.** Nothing on the table is ever searched. Each part of a laid card is a node of a disjoint set: quarters make
towns, tracks make lines, patches make countries, nets make networks; a mine, factory or port stays alone. The record of
a set adds up its open ends, its members by family and what it holds, so that laying a card is a few additions and what
it finished is read off. The nodes of a set also form a ring, so that its nodes can be listed once it is finished.

**Gaps.** The empty places next to cards are listed in no order. A place tells which entry of the list is its own, so
that a gap is found, opened and closed in one step: the last one takes the entry of the one that is closed.

**Memory.** A search copies boards by the thousand. A copy has room for one more card, the next one makes room for all;
and the places are kept in pages, of which a table in play needs about a fifth.
"""

from __future__ import annotations

from typing import Final, final

from librt.vecs import extend, vec
from mypy_extensions import i16, i32, i64

from ludotheque.core.bits import BIT
from ludotheque.games.pays_noir.deck import (
    CLAIM,
    COUNT,
    FACE,
    FACTORIES_FROM,
    FACTORY,
    FEATURE,
    FIRST_PATCH,
    GAPS,
    HOLDS_MINE,
    HOLDS_TOWN,
    JOINT,
    LINKS,
    MEMBERS,
    MINE,
    MINES_FROM,
    NET,
    OPEN_ENDS,
    PATCH,
    PORT,
    PORTS_FROM,
    QUARTER,
    RAIL_EDGE,
    RAIL_NET,
    SECOND_PATCH,
    SHOWN,
    STATIONS_FROM,
    TRACK,
    Deck,
)

FAMILY: Final = vec[i64]([1, 16, 256, 4096, 65536])
"""One member of a family in a record, by seat."""

# A laid card: four numbers at `4 * card`; cards are numbered from 0 in the order of laying.

CARD_PLACE: Final = 0
TURNED: Final = 1
BASE: Final = 2
"""Its first node."""
CARD_MEMBER: Final = 3
"""`8 * spot + seat + 1` of its member, or 0. A card never bears two: a member is placed only as the card is laid."""

EAST: Final = vec[i64]([0, 1, 0, -1])
"""Steps to the east from a place to the next, by side."""
NORTH: Final = vec[i64]([1, 0, -1, 0])
PAGE: Final = 16
"""Places of a page."""
PAGES_OF_CARD: Final = 4
"""New pages for a card, at most: it lies in a gap, and may open others above, below and on one side that need one."""
GAPS_OF_CARD: Final = 4
GROUP_ROW: Final = 8
"""Numbers that `group_rows` gives for each group."""

# A node: four numbers at `4 * node`.

PARENT: Final = 0
RING: Final = 1
"""The next node of the same set."""
PART: Final = 2
ON_CARD: Final = 3


@final
class Board:
    """The cards on the table and what they make up."""

    deck: Deck
    page_of: vec[i16]
    """Pages by place: one for every 16 places in a row. Page 0 stays empty; it stands for all that are."""
    pages: vec[i16]
    """By page and place within it: the number of a card, from 1; of a gap, from -1 down; 0 for neither."""
    page_count: i64
    cards: vec[i16]
    laid: i64
    """Number of cards on the board."""
    room: i64
    """Number of cards for which the arrays have room."""
    gaps: vec[i32]
    """The empty places next to cards, in no order: `256 * place + gap`."""
    gap_count: i64
    nodes: vec[i16]
    records: vec[i64]
    """Records by node; true at the root of a set."""
    used: i64
    """Number of nodes in use."""

    def clone(self) -> Board:
        """An independent copy, with room for one card if there is any."""
        copy = Board()
        copy.deck = self.deck
        copy.page_of = self.page_of[:]
        copy.pages = self.pages[: PAGE * (self.page_count + 1 + PAGES_OF_CARD)]
        copy.page_count = self.page_count
        copy.cards = self.cards[: 4 * (self.laid + 1)]
        copy.laid = self.laid
        copy.gaps = self.gaps[: self.gap_count + GAPS_OF_CARD]
        copy.gap_count = self.gap_count
        parts = self.used + self.deck.most_parts
        copy.nodes = self.nodes[: 4 * parts]
        copy.records = self.records[:parts]
        copy.used = self.used
        copy.room = self.room
        if copy.room > 1:
            copy.room = 1
        return copy

    def make_room(self) -> None:
        """Lengthen the arrays so that all the cards to come find room, for a board that will be copied many times: the
        copies of one without room would have to make it for themselves."""
        deck = self.deck
        if self.room == deck.total - self.laid:
            return
        self.pages = extend(self.pages, vec[i16]([i16(0)] * (PAGE * (len(self.page_of) + 1) - len(self.pages))))
        self.cards = extend(self.cards, vec[i16]([i16(0)] * (4 * deck.total - len(self.cards))))
        # N cards that hang together have at most 2N + 2 free edges.
        self.gaps = extend(self.gaps, vec[i32]([i32(0)] * (2 * deck.total + 2 - len(self.gaps))))
        self.nodes = extend(self.nodes, vec[i16]([i16(0)] * (4 * deck.nodes - len(self.nodes))))
        self.records = extend(self.records, vec[i64]([0] * (deck.nodes - len(self.records))))
        self.room = deck.total - self.laid

    # Places where a card fits.

    def fits_somewhere(self, card: i64) -> bool:
        """Whether a card of that type can be placed anywhere, in any turn."""
        fits = self.deck.fits
        gaps = self.gaps
        gap_count = self.gap_count
        first_fit = GAPS * card
        i: i64 = 0
        while i < gap_count:
            if fits[first_fit + (i64(gaps[i]) & 255)] != 0:
                return True
            i += 1
        return False

    def turns_at(self, card: i64, place: i64) -> i64:
        """The turns in which a card fits an empty place next to a card, as bits: every touching edge matches."""
        if place < 0 or place >= self.deck.places:
            return 0
        gap = -1 - self._entry(place)
        if gap < 0:
            return 0
        return i64(self.deck.fits[GAPS * card + (i64(self.gaps[gap]) & 255)])

    # Laying a card.

    def lay(self, turned: i64, place: i64) -> None:
        """Put a turned card on the table and join its parts with those of its neighbours."""
        if self.room == 0:
            self.make_room()
        self.room -= 1
        card = self.laid
        base = self.used
        cards = self.cards
        cards[4 * card + CARD_PLACE] = i16(place)
        cards[4 * card + TURNED] = i16(turned)
        cards[4 * card + BASE] = i16(base)
        cards[4 * card + CARD_MEMBER] = 0
        self._close_gap(place)
        self._enter(place, card + 1)
        self.laid = card + 1
        self._add_nodes(card, turned >> 2)
        faces = self.deck.faces
        face = 4 * FACE * turned
        side: i64 = 0
        while side < 4:
            beyond = self.beyond(place, side)
            entry = self._entry(beyond)
            opposite = (side + 2) & 3
            if entry > 0:
                self._join_faces(face, base, entry - 1, opposite)
            else:
                self._see_edge(beyond, entry, i64(faces[face + SHOWN]) * BIT[2 * opposite])
            face += FACE
            side += 1

    def _entry(self, place: i64) -> i64:
        """The number of the card at a place, from 1; of the gap, from -1 down; 0 for neither."""
        return i64(self.pages[PAGE * i64(self.page_of[place >> 4]) + (place & 15)])

    def _enter(self, place: i64, entry: i64) -> None:
        """Write what is at a place, on a page of its own if that one is empty."""
        page = i64(self.page_of[place >> 4])
        if page == 0:
            page = self.page_count + 1
            self.page_count = page
            self.page_of[place >> 4] = i16(page)
        self.pages[PAGE * page + (place & 15)] = i16(entry)

    def _add_nodes(self, card: i64, of_type: i64) -> None:
        """Make each part of the card a new set."""
        nodes, records = self.nodes, self.records
        deck = self.deck
        part = i64(deck.first_part[of_type])
        end = i64(deck.first_part[of_type + 1])
        node = self.used
        while part < end:
            nodes[4 * node + PARENT] = i16(node)
            nodes[4 * node + RING] = i16(node)
            nodes[4 * node + PART] = i16(part)
            nodes[4 * node + ON_CARD] = i16(card)
            records[node] = deck.records[part]
            node += 1
            part += 1
        self.used = node

    def _close_gap(self, place: i64) -> None:
        """Take a gap off the list; only the start card lies in none."""
        gap = -1 - self._entry(place)
        if gap < 0:
            return
        last = self.gap_count - 1
        moved = self.gaps[last]
        self.gaps[gap] = moved
        self._enter(i64(moved) >> 8, -1 - gap)
        self.gap_count = last

    def _see_edge(self, place: i64, entry: i64, seen: i64) -> None:
        """An empty place sees an edge of the card just laid: it is a gap, or becomes one."""
        if entry < 0:
            self.gaps[-1 - entry] += i32(seen)
            return
        gap = self.gap_count
        self.gaps[gap] = i32(GAPS * place + seen)
        self._enter(place, -1 - gap)
        self.gap_count = gap + 1

    def _join_faces(self, face: i64, base: i64, neighbour: i64, side: i64) -> None:
        """Join what meets at the edge of two cards: town and town; country and country; or track, net and the patches
        on either side of the track, of which the first half of one edge lies against the second of the other."""
        faces = self.deck.faces
        other_base = self.base(neighbour)
        other = FACE * (4 * i64(self.cards[4 * neighbour + TURNED]) + side)
        self._join(base + i64(faces[face + FEATURE]), other_base + i64(faces[other + FEATURE]))
        if i64(faces[face + SHOWN]) == RAIL_EDGE:
            self._join(base + i64(faces[face + RAIL_NET]), other_base + i64(faces[other + RAIL_NET]))
            self._join(base + i64(faces[face + FIRST_PATCH]), other_base + i64(faces[other + SECOND_PATCH]))
            self._join(base + i64(faces[face + SECOND_PATCH]), other_base + i64(faces[other + FIRST_PATCH]))

    def _join(self, node: i64, other: i64) -> None:
        """Two open ends meet: their sets become one, or one set closes upon itself."""
        first = self.root(node)
        second = self.root(other)
        if first == second:
            self.records[first] -= JOINT
            return
        if second < first:
            first, second = second, first
        records = self.records
        records[first] += records[second] - JOINT
        nodes = self.nodes
        nodes[4 * second + PARENT] = i16(first)
        following = nodes[4 * first + RING]
        nodes[4 * first + RING] = nodes[4 * second + RING]
        nodes[4 * second + RING] = following

    # Things on the table.

    def root(self, node: i64) -> i64:
        """The node that identifies a node's whole set: its oldest, so that a set keeps its name as it grows."""
        nodes = self.nodes
        parent = i64(nodes[4 * node])
        while parent != node:
            above = nodes[4 * parent]
            nodes[4 * node] = above
            node = i64(above)
            parent = i64(nodes[4 * node])
        return node

    def record(self, node: i64) -> i64:
        """The record of a node's whole set."""
        return self.records[self.root(node)]

    def following(self, node: i64) -> i64:
        """The next node of the same set, round and round."""
        return i64(self.nodes[4 * node + RING])

    def part(self, node: i64) -> i64:
        return i64(self.nodes[4 * node + PART])

    def kind(self, node: i64) -> i64:
        return i64(self.deck.kinds[self.part(node)])

    def is_site(self, node: i64) -> bool:
        kind = self.kind(node)
        return MINE <= kind <= PORT

    def card_of(self, node: i64) -> i64:
        return i64(self.nodes[4 * node + ON_CARD])

    def base(self, card: i64) -> i64:
        return i64(self.cards[4 * card + BASE])

    def type_of(self, card: i64) -> i64:
        return i64(self.cards[4 * card + TURNED]) >> 2

    def turned(self, card: i64) -> i64:
        """The turned type of a card: `4 * type + turn`."""
        return i64(self.cards[4 * card + TURNED])

    def spots(self, card: i64) -> i64:
        """Return the number of places for a member on a card: its first nodes."""
        return i64(self.deck.spots[self.type_of(card)])

    def beyond(self, place: i64, side: i64) -> i64:
        """The next place on that side."""
        place += self.deck.steps[side]
        return place if place < self.deck.places else place - self.deck.places

    def card_at(self, place: i64) -> i64:
        """The card that lies at a place, or -1."""
        entry = self._entry(place)
        return entry - 1 if entry > 0 else i64(-1)

    def neighbour(self, card: i64, side: i64) -> i64:
        """The card on that side, or -1."""
        return self.card_at(self.beyond(i64(self.cards[4 * card + CARD_PLACE]), side))

    def network(self, node: i64) -> i64:
        """The rail network that a track or site belongs to, as its root."""
        return self.root(self.base(self.card_of(node)) + i64(self.deck.net_of[self.part(node)]))

    # The content of the board, as rows of numbers.

    def coordinates(self) -> vec[i32]:
        """Return x and y of each card, in steps east and north. Each card but the first is next to an earlier one."""
        found = vec[i32]([i32(0)] * (2 * self.laid))
        card: i64 = 1
        while card < self.laid:
            side: i64 = 0
            neighbour: i64 = -1
            while neighbour < 0 or neighbour >= card:
                neighbour = self.neighbour(card, side)
                side += 1
            found[2 * card] = i32(i64(found[2 * neighbour]) - EAST[side - 1])
            found[2 * card + 1] = i32(i64(found[2 * neighbour + 1]) - NORTH[side - 1])
            card += 1
        return found

    def _gaps_in_order(self) -> vec[i32]:
        """The gaps, ascending by place."""
        gaps = self.gaps[: self.gap_count]
        i: i64 = 1
        while i < self.gap_count:
            gap = gaps[i]
            j = i
            while j > 0 and gaps[j - 1] > gap:
                gaps[j] = gaps[j - 1]
                j -= 1
            gaps[j] = gap
            i += 1
        return gaps

    def gap_rows(self) -> vec[i32]:
        """Three numbers for each empty place next to a card: its number, x and y; ascending by number."""
        where = self.coordinates()
        gaps = self._gaps_in_order()
        rows = vec[i32]([i32(0)] * (3 * self.gap_count))
        i: i64 = 0
        while i < self.gap_count:
            place = i64(gaps[i]) >> 8
            x, y = self.gap_at(place, where)
            rows[3 * i] = i32(place)
            rows[3 * i + 1] = i32(x)
            rows[3 * i + 2] = i32(y)
            i += 1
        return rows

    def gap_at(self, place: i64, where: vec[i32]) -> tuple[i64, i64]:
        """The x and y of an empty place next to a card. `where`: the coordinates of the cards."""
        side: i64 = 0
        card = self.card_at(self.beyond(place, side))
        while card < 0:
            side += 1
            card = self.card_at(self.beyond(place, side))
        return i64(where[2 * card]) - EAST[side], i64(where[2 * card + 1]) - NORTH[side]

    def fit_rows(self, card: i64, only: i64) -> vec[i32]:
        """Three numbers for each place where a card fits: x, y, and the turns as bits. `only`: at this place, or -1."""
        rows = self.gap_rows()
        gaps = self._gaps_in_order()
        count: i64 = 0
        i: i64 = 0
        while i < self.gap_count:
            turns = i64(self.deck.fits[GAPS * card + (i64(gaps[i]) & 255)])
            if turns != 0 and (only < 0 or i64(rows[3 * i]) == only):
                rows[count] = rows[3 * i + 1]
                rows[count + 1] = rows[3 * i + 2]
                rows[count + 2] = i32(turns)
                count += 3
            i += 1
        return rows[:count]

    def roots(self) -> vec[i16]:
        """Return the roots of the sets, by node."""
        nodes = self.nodes
        found = vec[i16]([i16(0)] * self.used)
        node: i64 = 0
        while node < self.used:
            parent = i64(nodes[4 * node + PARENT])
            found[node] = i16(node) if parent == node else found[parent]  # a parent is older than its child
            node += 1
        return found

    def card_rows(self, where: vec[i32], roots: vec[i16]) -> vec[i32]:
        """A row for each card: turned type, x, y, member; then for each spot `8 * root + kind` of its set; then for
        each spot the root of its rail network. -1 where there is none. `where`: the coordinates."""
        nodes, cards = self.nodes, self.cards
        kinds, net_of = self.deck.kinds, self.deck.net_of
        spots = self.deck.most_spots
        width = 4 + 2 * spots
        rows = vec[i32]([i32(-1)] * (width * self.laid))
        row: i64 = 0
        card: i64 = 0
        while card < self.laid:
            rows[row] = i32(i64(cards[4 * card + TURNED]))
            rows[row + 1] = where[2 * card]
            rows[row + 2] = where[2 * card + 1]
            rows[row + 3] = i32(i64(cards[4 * card + CARD_MEMBER]))
            base = i64(cards[4 * card + BASE])
            end = self.spots(card)
            spot: i64 = 0
            while spot < end:
                part = i64(nodes[4 * (base + spot) + PART])
                kind = i64(kinds[part])
                rows[row + 4 + spot] = i32(8 * i64(roots[base + spot]) + kind)
                if kind not in (QUARTER, PATCH):
                    rows[row + 4 + spots + spot] = i32(i64(roots[base + i64(net_of[part])]))
                spot += 1
            row += width
            card += 1
        return rows

    def group_rows(self, where: vec[i32], roots: vec[i16]) -> vec[i32]:
        """A row of eight for each whole town, line, site and country: `8 * root + kind`, x, y, open ends, finished and
        2 for a station, members, size, worth. `where`: the coordinates."""
        nodes, records, kinds = self.nodes, self.records, self.deck.kinds
        sizes = self._sizes(roots)
        counted = self.new_count()
        rows = vec[i32]([i32(0)] * (GROUP_ROW * self.used))
        count: i64 = 0
        node: i64 = 0
        while node < self.used:
            kind = i64(kinds[i64(nodes[4 * node + PART])])
            if i64(roots[node]) == node and kind != NET:
                record = records[node]
                card = i64(nodes[4 * node + ON_CARD])
                marks: i64 = 1 if self._is_whole(node, kind, record) else 0
                if kind == QUARTER and (record >> STATIONS_FROM) & COUNT != 0:
                    marks += 2
                rows[count] = i32(8 * node + kind)
                rows[count + 1] = where[2 * card]
                rows[count + 2] = where[2 * card + 1]
                rows[count + 3] = i32((record & OPEN_ENDS) >> 20)
                rows[count + 4] = i32(marks)
                rows[count + 5] = i32(record & MEMBERS)
                rows[count + 6] = i32(sizes[node])
                rows[count + 7] = i32(self._worth(node, kind, sizes[node], counted))
                count += GROUP_ROW
            node += 1
        return rows[:count]

    def _is_whole(self, root: i64, kind: i64, record: i64) -> bool:
        """Whether the whole of a root is finished."""
        if kind in (QUARTER, TRACK):
            return record & OPEN_ENDS == 0
        return kind != PATCH and self.is_finished(root)

    def _sizes(self, roots: vec[i16]) -> vec[i64]:
        """Return the sizes of sets by root: quarters of a town, cards of a line, parts of a country; 1 for a site."""
        nodes, kinds = self.nodes, self.deck.kinds
        sizes = self.new_count()
        last_card = self.new_count()
        node: i64 = 0
        while node < self.used:
            root = i64(roots[node])
            card = i64(nodes[4 * node + ON_CARD]) + 1
            if last_card[root] != card or i64(kinds[i64(nodes[4 * node + PART])]) != TRACK:
                last_card[root] = card
                sizes[root] += 1
            node += 1
        return sizes

    def _worth(self, root: i64, kind: i64, size: i64, counted: vec[i64]) -> i64:
        """Points: of a line its size, of a port by its network, of a country by its sites."""
        if kind == TRACK:
            return size
        if kind == PORT:
            return self.port_value(root)
        if kind == PATCH:
            return self.count_country(root, counted, root + 1)
        return 0

    # Members.

    def place_member(self, card: i64, spot: i64, seat: i64) -> None:
        """Put a member on a spot of a card."""
        node = self.base(card) + spot
        self.cards[4 * card + CARD_MEMBER] = i16(8 * spot + seat + 1)
        self.records[self.root(node)] += FAMILY[seat]
        if self.is_site(node):
            self.records[self.network(node)] += CLAIM

    def member_node(self, card: i64) -> i64:
        """The node of a card that has a member, or -1."""
        member = i64(self.cards[4 * card + CARD_MEMBER])
        if member == 0:
            return -1
        return self.base(card) + (member >> 3)

    def take_members(self, node: i64) -> i64:
        """Take all members off a node's whole set; return them as the record counts them."""
        first = self.root(node)
        members = self.records[first] & MEMBERS
        self.records[first] -= members
        if members != 0 and self.is_site(first):
            self.records[self.network(first)] -= CLAIM
        node = first
        while True:
            card = self.card_of(node)
            if self.member_node(card) == node:
                self.cards[4 * card + CARD_MEMBER] = 0
            node = self.following(node)
            if node == first:
                return members

    # Finished sets, and their worth.

    def is_finished(self, node: i64) -> bool:
        """Whether the whole line, town, mine, factory or port is finished."""
        kind = self.kind(node)
        if kind == MINE:
            return self._is_linked(node)
        if kind == FACTORY:
            return self._touches_town_and_mine(node)
        if kind == PORT:
            return self.records[self.network(node)] & OPEN_ENDS == 0
        return kind != PATCH and self.record(node) & OPEN_ENDS == 0

    def _is_linked(self, mine: i64) -> bool:
        """A mine is finished when a town, a factory or a port is in its network."""
        network = self.records[self.network(mine)]
        return network & LINKS != 0 or network >> FACTORIES_FROM != 0

    def _touches_town_and_mine(self, factory: i64) -> bool:
        """A factory is finished when town and mine are each on its card, on a card beside it, or in its network."""
        network = self.records[self.network(factory)]
        around = self._held_around(self.card_of(factory))
        town = network & LINKS != 0 or around & HOLDS_TOWN != 0
        mine = (network >> MINES_FROM) & COUNT != 0 or around & HOLDS_MINE != 0
        return town and mine

    def _held_around(self, card: i64) -> i64:
        """Return what a card and those beside it hold, all together."""
        holds = self.deck.holds
        held = i64(holds[self.type_of(card)])
        side: i64 = 0
        while side < 4:
            neighbour = self.neighbour(card, side)
            if neighbour >= 0:
                held |= i64(holds[self.type_of(neighbour)])
            side += 1
        return held

    def line_length(self, line: i64) -> i64:
        """The cards a line runs over, each counted once: at its first track of the line."""
        nodes, cards, kinds = self.nodes, self.cards, self.deck.kinds
        count: i64 = 0
        first = self.root(line)
        track = first
        while True:
            other = i64(cards[4 * i64(nodes[4 * track + ON_CARD]) + BASE])
            while i64(kinds[i64(nodes[4 * other + PART])]) != TRACK or self.root(other) != first:
                other += 1
            if other == track:
                count += 1
            track = i64(nodes[4 * track + RING])
            if track == first:
                return count

    def port_value(self, port: i64) -> i64:
        """A point for the port and one for each other site in its network: each different town, mine, factory, port."""
        network = self.network(port)
        record = self.records[network]
        mines = (record >> MINES_FROM) & COUNT
        factories = (record >> FACTORIES_FROM) & COUNT
        ports = record >> PORTS_FROM
        return mines + factories + ports + self._towns_linked(network)

    def _towns_linked(self, network: i64) -> i64:
        """Return the number of different towns in which tracks of a network end."""
        links = self.records[network] & LINKS
        if links < 2:
            return links
        towns = vec[i64]([0] * links)
        count: i64 = 0
        net = network
        while True:
            part = self.part(net)
            index = i64(self.deck.first_related[part])
            while index < i64(self.deck.first_related[part + 1]):
                node = self.base(self.card_of(net)) + i64(self.deck.related[index])
                if self.kind(node) == QUARTER and _is_new(towns, count, self.root(node)):
                    towns[count] = self.root(node)
                    count += 1
                index += 1
            net = self.following(net)
            if net == network:
                return count

    def country_value(self, country: i64) -> i64:
        """A point for each mine, factory, port and closed town in a country or on its border."""
        return self.count_country(country, self.new_count(), 1)

    def count_country(self, country: i64, counted: vec[i64], mark: i64) -> i64:
        """The value of a country; what has been counted for it gets its mark, a number that `counted` does not have.

        For compiled callers: mypyc 2.4 never frees an array that interpreted code hands over.
        """
        nodes, cards, records = self.nodes, self.cards, self.records
        kinds, first_related, related = self.deck.kinds, self.deck.first_related, self.deck.related
        first = self.root(country)
        value: i64 = 0
        patch = first
        while True:
            part = i64(nodes[4 * patch + PART])
            index = i64(first_related[part])
            end = i64(first_related[part + 1])
            while index < end:
                site = self.root(i64(cards[4 * i64(nodes[4 * patch + ON_CARD]) + BASE]) + i64(related[index]))
                if counted[site] != mark and (
                    i64(kinds[i64(nodes[4 * site + PART])]) != QUARTER or records[site] & OPEN_ENDS == 0
                ):
                    counted[site] = mark
                    value += 1
                index += 1
            patch = i64(nodes[4 * patch + RING])
            if patch == first:
                return value

    def new_count(self) -> vec[i64]:
        """A number for each node, to count with."""
        return vec[i64]([0] * self.used)


def _is_new(towns: vec[i64], count: i64, town: i64) -> bool:
    i: i64 = 0
    while i < count:
        if towns[i] == town:
            return False
        i += 1
    return True


def new_board(deck: Deck) -> Board:
    """The table with the start card in the middle."""
    board = Board()
    board.deck = deck
    board.page_of = vec[i16]([i16(0)] * (deck.places // PAGE + 1))
    board.pages = vec[i16]()
    board.page_count = 0
    board.cards = vec[i16]()
    board.laid = 0
    board.gaps = vec[i32]()
    board.gap_count = 0
    board.nodes = vec[i16]()
    board.records = vec[i64]()
    board.used = 0
    board.room = 0
    board.lay(4 * deck.start, 0)
    return board
