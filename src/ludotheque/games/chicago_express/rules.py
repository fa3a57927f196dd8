"""The rules of Chicago Express in both printings. Compiled.

Networks are sets of hexes, three words of bits, and each company's frontier (what lies next to its network) grows with
it. What a locomotive would cost depends on the hex alone, so the sets of hexes within each price are kept as well, and
where a company can build is one AND of its frontier with the set within its treasury: no graph is ever walked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, SupportsIndex, cast, final

from librt.random import Random
from librt.vecs import vec
from mypy_extensions import i64

from ludotheque.core.bits import BIT, kth_place, mixed, place_of, popcount
from ludotheque.core.game import TERMINAL, Game, State, check_viewer, game_over
from ludotheque.games.chicago_express.board import (
    COMPANIES,
    DETROIT,
    FOREST,
    HEX_BIT,
    INDUSTRIES,
    MOUNTAIN,
    START,
    TRACK,
    WABASH,
    WORD,
    WORD_BITS,
    WORDS,
    Board,
    hexes_of,
)

if TYPE_CHECKING:
    from ludotheque.games.chicago_express.observation import ChicagoExpressObservation

# Actions.
#
#       0-2    choose auction, expansion or development: also the numbers of the three dials
#         3    decline what was chosen
#         4    done: end the expansion
#         5    pass in an auction
#      6-10    a company: offer its share, or build for it
#    20-199    a hex: build on it, or develop it
#      200+    a bid: 200 and the dollars

AUCTION: Final = 0
EXPANSION: Final = 1
DEVELOPMENT: Final = 2
DECLINE: Final = 3
DONE: Final = 4
PASS: Final = 5
COMPANY: Final = 6
HEX: Final = 20
BID: Final = 200

DIALS: Final = 3

# Decisions of the player to act.

BIDDING: Final = 0
CHOOSING: Final = 1
"""The action to take."""
OFFERING: Final = 2
"""The company whose share is put up for auction."""
NAMING: Final = 3
"""For which company the expansion builds."""
BUILDING: Final = 4
"""The next hex of the expansion."""
DEVELOPING: Final = 5

OPENINGS: Final = 4
NOBODY: Final = -1
BID_BITS: Final = 10
"""Bits for the last bid of a seat."""
MOST_NOTED: Final = 1023
"""The highest bid that these bits can hold."""
NO_HEX: Final = -1

# The ends of the game, as bits.

LOCOMOTIVES_OUT: Final = 1
SHARES_OUT: Final = 2
HOUSES_OUT: Final = 4
DETROIT_GROWN: Final = 8
COMPANIES_OUT: Final = 3
"""The number of companies without locomotives, or without shares, that ends the game."""
HOUSES_LEFT: Final = 3
"""The number of houses left, or fewer, that ends the game."""


def per_share(income: i64, shares: i64) -> i64:
    """Return the part of an income for each share, rounded up."""
    return (income + shares - 1) // shares


@final
class ChicagoExpressState(State):
    """A position of Chicago Express."""

    board: Board
    players: i64
    revised: bool

    player: i64
    """The player to act: a seat or `TERMINAL`."""
    seat: i64
    """The seat whose turn it is; in an opening auction, the one that opened it."""
    stage: i64
    """The kind of decision of the player to act."""
    company: i64
    """The company whose share is for sale, or that builds."""

    openings: i64
    """Number of opening auctions that are over."""
    bid: i64
    """The highest bid so far, 0 before the first."""
    bidder: i64
    """The seat of the highest bidder, or `NOBODY`."""
    bidders: i64
    """The seats that have not passed, as bits."""
    bids: i64
    """The last bid of each seat in this auction, `BID_BITS` each; for people to see, as only the highest counts."""

    built: i64
    """Number of locomotives that this expansion has placed."""
    wabash_due: bool
    """This expansion was the first to reach Chicago: at its end the Wabash opens."""
    wabash_open: bool
    last_hex: i64
    """The hex built on or developed last, or `NO_HEX`."""

    cash: vec[i64]
    """Cash by seat."""
    held: vec[i64]
    """Shares by seat and company, `COMPANIES * seat + company`."""
    sold: vec[i64]
    """Shares in players' hands by company."""
    treasury: vec[i64]
    """Treasuries by company."""
    income: vec[i64]
    """Incomes by company."""
    locomotives: vec[i64]
    """Locomotives not yet on the map, by company."""
    bank: i64
    """Payments to the bank, less those that it made: it is endless, so this may be negative."""
    houses: i64
    """Those left in the supply."""
    dials: vec[i64]
    """Number of times that each action has been chosen since the last dividend."""
    steps: vec[i64]
    """Steps that the marker of an industrial city has moved, by city."""

    # Sets of hexes, three words each.
    networks: vec[i64]
    """Hexes of a company's locomotives, by company."""
    frontiers: vec[i64]
    """Hexes next to a company's network, by company."""
    within: vec[i64]
    """Hexes where another locomotive may stand and costs no more than a price, by price."""
    developed: vec[i64]
    """The hexes with a house."""
    can_be_developed: vec[i64]
    """The hexes that have a locomotive and can be developed."""

    def observation(self, viewer: SupportsIndex) -> ChicagoExpressObservation:
        """Return what `viewer` may know: a seat from 0, or `SPECTATOR`."""
        return cast("ChicagoExpressObservation", State.observation(self, viewer))

    def clone(self) -> ChicagoExpressState:
        copy = ChicagoExpressState()
        copy.game = self.game
        copy.board = self.board
        copy.players = self.players
        copy.revised = self.revised
        copy.player = self.player
        copy.seat = self.seat
        copy.stage = self.stage
        copy.company = self.company
        copy.openings = self.openings
        copy.bid = self.bid
        copy.bidder = self.bidder
        copy.bidders = self.bidders
        copy.bids = self.bids
        copy.built = self.built
        copy.wabash_due = self.wabash_due
        copy.wabash_open = self.wabash_open
        copy.last_hex = self.last_hex
        copy.cash = self.cash[:]
        copy.held = self.held[:]
        copy.sold = self.sold[:]
        copy.treasury = self.treasury[:]
        copy.income = self.income[:]
        copy.locomotives = self.locomotives[:]
        copy.bank = self.bank
        copy.houses = self.houses
        copy.dials = self.dials[:]
        copy.steps = self.steps[:]
        copy.networks = self.networks[:]
        copy.frontiers = self.frontiers[:]
        copy.within = self.within[:]
        copy.developed = self.developed[:]
        copy.can_be_developed = self.can_be_developed[:]
        return copy

    def current_player(self) -> i64:
        return self.player

    # Actions of a player.

    def legal_into(self, actions: vec[i64]) -> i64:
        count = _write_set(actions, 0, self.simple_choices(), 0)
        if self.stage == BIDDING:
            bid = self.lowest_bid()
            cash = self.cash[self.player]
            while bid <= cash:
                actions[count] = BID + bid
                count += 1
                bid += 1
        elif self.stage >= BUILDING:
            word: i64 = 0
            while word < WORDS:
                count = _write_set(actions, count, self.open_hexes(word), HEX + WORD_BITS * word)
                word += 1
        return count

    def allows(self, action: i64) -> bool:
        if self.player < 0 or action < 0:
            return False
        if action >= BID:
            return self.stage == BIDDING and self.lowest_bid() <= action - BID <= self.cash[self.player]
        if action < HEX:
            return self.simple_choices() & BIT[action] != 0
        hex = action - HEX
        return self.stage >= BUILDING and self.open_hexes(WORD[hex]) & HEX_BIT[hex] != 0

    def finish(self, rng: Random) -> i64:
        """As every game does, but without looking up methods."""
        steps: i64 = 0
        while self.player != TERMINAL:
            self.apply(self.sample(rng))
            steps += 1
        return steps

    def sample(self, rng: Random) -> i64:
        if self.player < 0:
            raise game_over()
        if self.stage == BIDDING:
            return self._sample_bid(rng)
        choices = self.simple_choices()
        count = popcount(choices)
        if self.stage < BUILDING:
            return kth_place(choices, rng.randrange(count))
        return self._sample_hex(choices, count, rng)

    def _sample_bid(self, rng: Random) -> i64:
        """Draw a pass or one of the bids that the player can pay, each equally likely."""
        lowest = self.lowest_bid()
        bids = self.cash[self.player] - lowest + 1
        if bids <= 0:
            return PASS
        k = rng.randrange(bids + 1)
        if k == bids:
            return PASS
        return BID + lowest + k

    def _sample_hex(self, choices: i64, count: i64, rng: Random) -> i64:
        """Draw one of the simple choices or open hexes, each equally likely."""
        west = self.open_hexes(0)
        middle = self.open_hexes(1)
        east = self.open_hexes(2)
        in_west = popcount(west)
        in_middle = popcount(middle)
        k = rng.randrange(count + in_west + in_middle + popcount(east))
        if k < count:
            return kth_place(choices, k)
        k -= count
        if k < in_west:
            return HEX + kth_place(west, k)
        k -= in_west
        if k < in_middle:
            return HEX + WORD_BITS + kth_place(middle, k)
        return HEX + 2 * WORD_BITS + kth_place(east, k - in_middle)

    def simple_choices(self) -> i64:
        """The legal actions that are neither hexes nor bids, as bits."""
        if self.stage == CHOOSING:
            return self._actions_not_in_the_red()
        if self.stage == BIDDING:
            return BIT[PASS]
        if self.stage == BUILDING:
            if self.built > 0:
                return BIT[DONE]
            return 0
        choices = BIT[DECLINE]
        if self.stage == DEVELOPING:
            return choices
        company: i64 = 0
        while company < COMPANIES:
            if self._may_name(company):
                choices |= BIT[COMPANY + company]
            company += 1
        return choices

    def _may_name(self, company: i64) -> bool:
        if self.stage == OFFERING:
            return self.may_offer(company)
        return self.may_expand(company)

    def open_hexes(self, word: i64) -> i64:
        """One word of the set of hexes that can be built on, or developed."""
        if self.stage == BUILDING:
            return self.buildable(self.company, word)
        if self.houses > 0:
            return self.can_be_developed[word]
        return self.can_be_developed[word] & self.board.industrial[word]

    def apply(self, action: i64) -> None:
        if action >= BID:
            self._bid(action - BID)
        elif action == PASS:
            self._pass()
        elif action >= HEX:
            self.last_hex = action - HEX
            if self.stage == BUILDING:
                self._build(action - HEX)
            else:
                self._develop(action - HEX)
        elif action >= COMPANY:
            if self.stage == OFFERING:
                self._open_auction(action - COMPANY, self.seat)
            else:
                self._begin_expansion(action - COMPANY)
        elif action == DONE:
            self._end_expansion()
        elif action == DECLINE:
            self._next_turn()
        else:
            self._choose(action)

    # Auctions.

    def _open_auction(self, company: i64, opener: i64) -> None:
        self.stage = BIDDING
        self.company = company
        self.seat = opener
        self.player = opener
        self.bid = 0
        self.bidder = NOBODY
        self.bidders = BIT[self.players] - 1
        self.bids = 0

    def is_opening(self) -> bool:
        """Whether the opening auctions are still going on."""
        return self.openings < OPENINGS

    def minimum(self, company: i64) -> i64:
        """Return the lowest first bid: what the share would pay, if it was sold."""
        if self.is_opening():
            return self.board.opening_bid[company]
        return per_share(self.income[company], self.sold[company] + 1)

    def lowest_bid(self) -> i64:
        """Return the lowest bid of the player to act."""
        return self.bid + 1 if self.bid > 0 else self.minimum(self.company)

    def _bid(self, dollars: i64) -> None:
        self.bid = dollars
        self.bidder = self.player
        self.note_bid(self.player, dollars)
        self._next_bidder()

    def note_bid(self, seat: i64, dollars: i64) -> None:
        """Remember the last bid of a seat, as far as it fits."""
        place: i64 = BID_BITS * seat
        before: i64 = self.bids >> place & MOST_NOTED
        noted: i64 = dollars if dollars < MOST_NOTED else MOST_NOTED
        self.bids += (noted - before) << place

    def last_bid(self, seat: i64) -> i64:
        """Return the last bid of a seat in this auction, 0 if it has made none."""
        return self.bid if seat == self.bidder else self.bids >> BID_BITS * seat & MOST_NOTED

    def _pass(self) -> None:
        self.bidders ^= BIT[self.player]
        self._next_bidder()

    def _next_bidder(self) -> None:
        """Move on to the next clockwise who has not passed, or end the auction if only the highest bidder is left."""
        if self.bidders == 0:
            self._nobody_bids()
        elif self.bid > 0 and self.bidders == BIT[self.bidder]:
            self._pay_company(self.bidder, self.company, self.bid)
            self._hand_over_share(self.bidder)
        else:
            player = self._clockwise(self.player)
            while not self.is_bidding(player):
                player = self._clockwise(player)
            self.player = player

    def is_bidding(self, seat: i64) -> bool:
        """Whether a seat has not passed in this auction."""
        return self.bidders & BIT[seat] != 0

    def _clockwise(self, seat: i64) -> i64:
        seat += 1
        if seat == self.players:
            return 0
        return seat

    def _nobody_bids(self) -> None:
        """In an opening auction the opener gets the share for nothing; otherwise it stays with the company."""
        if self.is_opening():
            self._hand_over_share(self.seat)
        else:
            self._next_turn()

    def _hand_over_share(self, receiver: i64) -> None:
        self.held[COMPANIES * receiver + self.company] += 1
        self.sold[self.company] += 1
        if self.is_opening():
            self._next_opening(receiver)
        else:
            self._next_turn()

    def _next_opening(self, receiver: i64) -> None:
        """The player who received a share opens the next auction; the owner of the first one begins the game."""
        self.openings += 1
        if self.is_opening():
            self._open_auction(self.board.opening_order[self.openings], receiver)
            return
        first: i64 = 0
        while self.held[COMPANIES * first + self.board.opening_order[0]] == 0:
            first += 1
        self._begin_turn(first)

    # Money. What one side gets another gives; the bank is a side.

    def _pay_company(self, seat: i64, company: i64, dollars: i64) -> None:
        self.cash[seat] -= dollars
        self.treasury[company] += dollars

    def _pay_bank(self, company: i64, dollars: i64) -> None:
        self.treasury[company] -= dollars
        self.bank += dollars

    def _bank_pays(self, seat: i64, dollars: i64) -> None:
        self.bank -= dollars
        self.cash[seat] += dollars

    def _bank_pays_company(self, company: i64, dollars: i64) -> None:
        self.bank -= dollars
        self.treasury[company] += dollars

    # A turn.

    def _next_turn(self) -> None:
        self._begin_turn(self._clockwise(self.seat))

    def _begin_turn(self, seat: i64) -> None:
        """First printing: two dials in the red when a turn begins, and the dividend comes before it."""
        self.seat = seat
        self.player = seat
        self.stage = CHOOSING
        if self._two_dials_red():
            self._general_dividend()

    def _choose(self, dial: i64) -> None:
        """Advance the dial. Revised printing: when it is the second in the red, the dividend comes at once, and only
        then what was chosen."""
        self.dials[dial] += 1
        self.stage = OFFERING
        if dial == EXPANSION:
            self.stage = NAMING
        elif dial == DEVELOPMENT:
            self.stage = DEVELOPING
        if self.revised and self._two_dials_red():
            self._general_dividend()

    def is_red(self, dial: i64) -> bool:
        return self.dials[dial] >= self.board.limit[dial]

    def _two_dials_red(self) -> bool:
        red: i64 = 0
        dial: i64 = 0
        while dial < DIALS:
            if self.is_red(dial):
                red += 1
            dial += 1
        return red >= 2

    def _actions_not_in_the_red(self) -> i64:
        choices: i64 = 0
        dial: i64 = 0
        while dial < DIALS:
            if not self.is_red(dial):
                choices |= BIT[dial]
            dial += 1
        return choices

    def may_offer(self, company: i64) -> bool:
        """A company in play that has a share left."""
        in_play = company != WABASH or self.wabash_open
        return in_play and self.sold[company] < self.board.shares[company]

    # Expansion.

    def may_expand(self, company: i64) -> bool:
        """A company of which the player holds a share, and that can build somewhere."""
        return self.held[COMPANIES * self.seat + company] > 0 and self.can_build(company)

    def can_build(self, company: i64) -> bool:
        if self.locomotives[company] == 0:
            return False
        frontiers, within = self.frontiers, self.within
        near = WORDS * company
        cheap = WORDS * self._can_pay(company)
        west = frontiers[near] & within[cheap]
        return west | (frontiers[near + 1] & within[cheap + 1]) | (frontiers[near + 2] & within[cheap + 2]) != 0

    def buildable(self, company: i64, word: i64) -> i64:
        """One word of the set of hexes where the company can put its next locomotive."""
        if self.locomotives[company] == 0:
            return 0
        return self.frontiers[WORDS * company + word] & self.within[WORDS * self._can_pay(company) + word]

    def _can_pay(self, company: i64) -> i64:
        """The most that the company can pay for a hex: its treasury, or the highest price of all if that is less."""
        dollars = self.treasury[company]
        highest = self.board.highest_price
        return dollars if dollars < highest else highest

    def _begin_expansion(self, company: i64) -> None:
        self.stage = BUILDING
        self.company = company
        self.built = 0
        self.wabash_due = False

    def _build(self, hex: i64) -> None:
        """Pay, put the locomotive there, raise the income; in Chicago pay a dividend. Go on while something can be
        built."""
        company = self.company
        self._pay_bank(company, self.price(hex))
        self.place_locomotive(company, hex)
        self.income[company] += self.value(hex)
        self.built += 1
        if hex == self.board.chicago:
            self._dividend(company)
            self.wabash_due = not self.wabash_open
        if self.built == self.board.expansion_limit or not self.can_build(company):
            self._end_expansion()

    def has_room(self, hex: i64) -> bool:
        """Whether a new company may still build there: never on a start hex, and only one company in a forest or on a
        mountain."""
        return self.within[WORDS * self.board.highest_price + WORD[hex]] & HEX_BIT[hex] != 0

    def price(self, hex: i64) -> i64:
        """The hex's cost for each locomotive there, the new one included."""
        return self.board.cost[hex] * (self.locomotives_on(hex) + 1)

    def price_where_open(self, hex: i64) -> i64:
        """The same for a hex where another locomotive may stand, read off the sets of such hexes."""
        cost = self.board.cost[hex]
        dollars = cost
        while self.within[WORDS * dollars + WORD[hex]] & HEX_BIT[hex] == 0:
            dollars += cost
        return dollars

    def locomotives_on(self, hex: i64) -> i64:
        networks = self.networks
        bit = HEX_BIT[hex]
        count: i64 = 0
        word = WORD[hex]
        while word < WORDS * COMPANIES:
            if networks[word] & bit != 0:
                count += 1
            word += WORDS
        return count

    def network(self, company: int) -> list[int]:
        """The hexes of a company, ascending; for readers."""
        return hexes_of(self.networks, company)

    def houses_at(self) -> list[int]:
        """The hexes with a house, ascending; for readers."""
        return hexes_of(self.developed)

    def is_on(self, company: i64, hex: i64) -> bool:
        return self.networks[WORDS * company + WORD[hex]] & HEX_BIT[hex] != 0

    def is_next_to(self, company: i64, hex: i64) -> bool:
        """Whether the hex lies at the company's network, and not in it."""
        return self.frontiers[WORDS * company + WORD[hex]] & HEX_BIT[hex] != 0

    def value(self, hex: i64) -> i64:
        """Return what the hex adds to the income of a company there, as developed now; 0 for plains and forests."""
        city = i64(self.board.industry[hex])
        if city < INDUSTRIES:
            return self.board.track[TRACK * city + self.steps[city]]
        if self.has_house(hex):
            return self.board.income[hex] + self.board.development[hex]
        return self.board.income[hex]

    def hex_codes(self) -> list[int]:
        """Return all that can change on each hex as one number, for those who remember what they made of it.

        Bits 0-4 the companies there, 5 a house, 6 whether another company may build, 7-10 the step of an industrial
        city, from 11 the hex.
        """
        codes: list[int] = []
        hex: i64 = 0
        while hex < self.board.hexes:
            code = 2048 * hex
            company: i64 = 0
            while company < COMPANIES:
                if self.is_on(company, hex):
                    code |= BIT[company]
                company += 1
            if self.has_house(hex):
                code |= 32
            if self.has_room(hex):
                code |= 64
            city = i64(self.board.industry[hex])
            if city < INDUSTRIES:
                code |= 128 * self.steps[city]
            codes.append(int(code))
            hex += 1
        return codes

    def has_house(self, hex: i64) -> bool:
        return self.developed[WORD[hex]] & HEX_BIT[hex] != 0

    def place_locomotive(self, company: i64, hex: i64) -> None:
        """Join the hex to the network; the frontier grows, and the next locomotive here costs more, if any may."""
        if self.board.terrain[hex] != START:
            self._raise_price(hex)
        self.locomotives[company] -= 1
        self.networks[WORDS * company + WORD[hex]] |= HEX_BIT[hex]
        word: i64 = 0
        while word < WORDS:
            of_company = WORDS * company + word
            around = self.frontiers[of_company] | self.board.around[WORDS * hex + word]
            self.frontiers[of_company] = around & ~self.networks[of_company]
            word += 1
        if not self.has_house(hex):
            self._allow_development(hex)

    def _raise_price(self, hex: i64) -> None:
        """Forest and mountain hold one company only: no price buys a place beside it."""
        price = self.price(hex)
        beyond = price + self.board.cost[hex]
        terrain = i64(self.board.terrain[hex])
        if terrain in (FOREST, MOUNTAIN) or beyond > self.board.highest_price:
            beyond = self.board.highest_price + 1
        others = ~HEX_BIT[hex]
        while price < beyond:
            self.within[WORDS * price + WORD[hex]] &= others
            price += 1

    def _end_expansion(self) -> None:
        if self.wabash_due:
            self._open_wabash()
        else:
            self._next_turn()

    # Development.

    def _allow_development(self, hex: i64) -> None:
        """Mark a hex with a locomotive as one that can be developed, if it is such a hex."""
        city = i64(self.board.industry[hex])
        if city < INDUSTRIES and self.steps[city] == self.board.last_step[city]:
            return
        self.can_be_developed[WORD[hex]] |= HEX_BIT[hex] & self.board.developable[WORD[hex]]

    def _develop(self, hex: i64) -> None:
        city = i64(self.board.industry[hex])
        if city < INDUSTRIES:
            self._advance_industry(city)
        else:
            self.houses -= 1
            self.put_house(hex)
            self._house_pays(hex)
        self._next_turn()

    def put_house(self, hex: i64) -> None:
        self.developed[WORD[hex]] |= HEX_BIT[hex]
        self.can_be_developed[WORD[hex]] &= ~HEX_BIT[hex]

    def _house_pays(self, hex: i64) -> None:
        """City and mountain raise the income of the companies there; a forest gives its company cash."""
        company: i64 = 0
        while company < COMPANIES:
            if self.is_on(company, hex):
                self.income[company] += self.board.development[hex]
                if i64(self.board.terrain[hex]) == FOREST:
                    self._bank_pays_company(company, self.board.forest_cash)
            company += 1

    def _advance_industry(self, city: i64) -> None:
        """The marker moves one step; every company there gains the difference."""
        hex = self.board.industry_hex[city]
        before = self.value(hex)
        self.steps[city] += 1
        gain = self.value(hex) - before
        company: i64 = 0
        while company < COMPANIES:
            if self.is_on(company, hex):
                self.income[company] += gain
            company += 1
        if self.steps[city] == self.board.last_step[city]:
            self.can_be_developed[WORD[hex]] &= ~HEX_BIT[hex]

    # Dividends.

    def dividend(self, company: i64) -> i64:
        """Return what each sold share of a company pays now; nothing while none is sold."""
        if self.sold[company] == 0:
            return 0
        return per_share(self.income[company], self.sold[company])

    def _dividend(self, company: i64) -> None:
        dollars = self.dividend(company)
        seat: i64 = 0
        while seat < self.players:
            self._bank_pays(seat, dollars * self.held[COMPANIES * seat + company])
            seat += 1

    def _general_dividend(self) -> None:
        """All companies pay; then the game ends, or the dials go back and Detroit grows."""
        company: i64 = 0
        while company < COMPANIES:
            self._dividend(company)
            company += 1
        if self.ends() != 0:
            self.player = TERMINAL
            return
        dial: i64 = 0
        while dial < DIALS:
            self.dials[dial] = 0
            dial += 1
        self._advance_industry(DETROIT)

    # Chicago.

    def _open_wabash(self) -> None:
        """Place one of its locomotives on Fort Wayne free of charge; the player who reached Chicago opens the auction
        of its first share, and the dial does not move."""
        self.wabash_due = False
        self.wabash_open = True
        start = self.board.start[WABASH]
        self.place_locomotive(WABASH, start)
        self.income[WABASH] = self.board.start_income[WABASH]
        if self.has_house(start):
            self.income[WABASH] += self.board.development[start]
        self._open_auction(WABASH, self.seat)

    # The end.

    def ends(self) -> i64:
        """Return the ends of the game that hold now, as bits; the game is over at the next general dividend."""
        ends: i64 = 0
        without_locomotives: i64 = 0
        without_shares: i64 = 0
        company: i64 = 0
        while company < COMPANIES:
            if self.locomotives[company] == 0:
                without_locomotives += 1
            if self.sold[company] == self.board.shares[company]:
                without_shares += 1
            company += 1
        if without_locomotives >= COMPANIES_OUT:
            ends |= LOCOMOTIVES_OUT
        if without_shares >= COMPANIES_OUT:
            ends |= SHARES_OUT
        if self.houses <= HOUSES_LEFT:
            ends |= HOUSES_OUT
        if self.steps[DETROIT] == self.board.last_step[DETROIT]:
            ends |= DETROIT_GROWN
        return ends

    # Transpositions: the same hexes in another order, the same bid after others.

    def transposition_key(self) -> i64:
        """Made of all that the rest follows from. The hex built on last makes no difference."""
        key = mixed(mixed(0, self._key_of_decision()), self._key_of_tracks())
        seat: i64 = 0
        while seat < self.players:
            key = mixed(key, self._key_of_seat(seat))
            seat += 1
        treasuries: i64 = 0
        company: i64 = 0
        while company < COMPANIES:
            treasuries = 4096 * treasuries + self.treasury[company]
            company += 1
        key = mixed(key, treasuries)
        word: i64 = 0
        while word < WORDS * COMPANIES:
            key = mixed(key, self.networks[word])
            word += 1
        word = 0
        while word < WORDS:
            key = mixed(key, self.developed[word])
            word += 1
        return key

    def _key_of_decision(self) -> i64:
        """Return a key of the present decision; of auctions and expansions that are over, nothing."""
        if self.player == TERMINAL:
            return 0
        key = 8 * (8 * (8 * self.openings + self.stage) + self.seat) + self.player
        if self.stage == BIDDING:
            key = 64 * (8 * (4096 * key + self.bid) + self.bidder + 1) + self.bidders
        elif self.stage == BUILDING:
            key = 2 * (8 * key + self.built) + (1 if self.wabash_due else 0)
        else:
            return key
        return 8 * key + self.company

    def _key_of_tracks(self) -> i64:
        """The dials and the industrial cities."""
        key: i64 = 1 if self.wabash_open else 0
        dial: i64 = 0
        while dial < DIALS:
            key = 16 * key + self.dials[dial]
            dial += 1
        city: i64 = 0
        while city < INDUSTRIES:
            key = 16 * key + self.steps[city]
            city += 1
        return key

    def _key_of_seat(self, seat: i64) -> i64:
        """Cash and shares."""
        key = self.cash[seat]
        company: i64 = 0
        while company < COMPANIES:
            key = 8 * key + self.held[COMPANIES * seat + company]
            company += 1
        return key

    def scores_into(self, scores: vec[i64]) -> None:
        """Cash alone; shares are worth nothing."""
        seat: i64 = 0
        while seat < self.players:
            scores[seat] = self.cash[seat]
            seat += 1

    def chance_into(self, outcomes: vec[i64], weights: vec[i64]) -> i64:
        """There is no chance in this game."""
        return 0

    def resample_from_infostate(self, viewer: SupportsIndex, rng: Random) -> ChicagoExpressState:
        """All is open."""
        check_viewer(viewer, self.players)
        return self.clone()


def _write_set(actions: vec[i64], count: i64, bits: i64, first: i64) -> i64:
    """Write `first` and the place of each bit behind the first `count` actions; return how many there are then."""
    while bits != 0:
        low = bits & -bits
        actions[count] = first + place_of(low)
        count += 1
        bits ^= low
    return count


def new_state(game: Game, board: Board, revised: bool) -> ChicagoExpressState:
    """The position before the first opening auction."""
    state = empty_state(game, board, revised)
    company: i64 = 0
    while company < WABASH:
        state.place_locomotive(company, board.start[company])
        state.income[company] = board.start_income[company]
        company += 1
    seat: i64 = 0
    while seat < state.players:
        state.cash[seat] = board.cash // state.players
        seat += 1
    state._open_auction(board.opening_order[0], 0)
    return state


def empty_state(game: Game, board: Board, revised: bool) -> ChicagoExpressState:
    """A position without money, shares in hands, or locomotives on the map."""
    state = ChicagoExpressState()
    state.game = game
    state.board = board
    state.players = game.players
    state.revised = revised
    state.player = 0
    state.seat = 0
    state.stage = BIDDING
    state.company = 0
    state.openings = 0
    state.bid = 0
    state.bidder = NOBODY
    state.bidders = 0
    state.bids = 0
    state.built = 0
    state.wabash_due = False
    state.wabash_open = False
    state.last_hex = NO_HEX
    state.cash = _zeros(state.players)
    state.held = _zeros(COMPANIES * state.players)
    state.sold = _zeros(COMPANIES)
    state.treasury = _zeros(COMPANIES)
    state.income = _zeros(COMPANIES)
    state.locomotives = board.locomotives[:]
    state.bank = 0
    state.houses = board.houses
    state.dials = _zeros(DIALS)
    state.steps = _zeros(INDUSTRIES)
    state.networks = _zeros(WORDS * COMPANIES)
    state.frontiers = _zeros(WORDS * COMPANIES)
    state.within = board.within[:]
    state.developed = _zeros(WORDS)
    state.can_be_developed = _zeros(WORDS)
    return state


def _zeros(count: i64) -> vec[i64]:
    return vec[i64]([0] * int(count))
