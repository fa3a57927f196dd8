"""The end of a round of Passerelles, worked out exactly: alpha-beta over all placements that are left. Compiled.

Nothing is hidden or drawn, so with few pieces left each seat's best play can be found. What counts is how far ahead
a seat ends the round, in points; in the last round a seat that maximises it also maximises its share of the win.

Placements that gain most at once are looked at first, so that the rest is soon seen to be no better. The same pieces
laid in another order make the same position: what was found out about it is kept in a table.
"""

from __future__ import annotations

from random import Random
from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from ludotheque.core.game import TERMINAL, Game
from ludotheque.games.passerelles.board import PASS
from ludotheque.games.passerelles.rules import PasserellesState

LAST: Final = 6
"""Largest number of pieces in hand for which the end is worked out."""
HANDS: Final = 0xFFFFFFFFFF
"""The part of a supply that is in the players' hands: ten counts of four bits."""
NO_LIMIT: Final = 0xFFFFFFFFFF
FAR: Final = 200
"""No lead is as big as this."""

# The table of positions: a sign of each position, and at the same place what is known of it, as one number:
# `1024 * (4 * (lead + FAR) + bound) + best action`.

PLACES: Final = 65536
EXACT: Final = 0
AT_LEAST: Final = 1
AT_MOST: Final = 2
UNKNOWN: Final = -1


def _signs() -> vec[i64]:
    """Return a sign of 60 bits for each piece, as a state keeps it. A position's sign is the xor of its pieces'."""
    random = Random("passerelles")
    return vec[i64]([random.getrandbits(60) for _ in range(2 * 16 * 1024)])


SIGNS: Final = _signs()
TURN: Final = 0x5DEECE66D1B2A37
"""The sign of the second seat to act."""


@final
class Endgame:
    """A solver and its memory."""

    most: i64
    """Largest number of placements in any position."""
    left: i64
    """Positions that may still be looked at; once below zero, results mean nothing."""
    legal: vec[i64]
    actions: vec[i64]
    """Placements of a position, by pieces in hand."""
    leads: vec[i64]
    """And how far ahead each of them would leave its seat, if the round ended then."""
    known_signs: vec[i64]
    known: vec[i64]

    def __init__(self, game: Game) -> None:
        self.most = game.max_legal_actions()
        self.left = 0
        self.legal = game.new_buffer()
        self.actions = vec[i64]([0])
        self.leads = vec[i64]([0])
        self.known_signs = vec[i64]([0])
        self.known = vec[i64]([0])

    def best_play(self, state: PasserellesState, effort: i64) -> list[int]:
        """The best play to the end of the round; nothing if that takes more positions than the limit."""
        if state.player == TERMINAL or state.laying or in_hand(state) > LAST:
            return []
        self._prepare()
        state = state.clone()
        state.rounds = state.round + 1  # so that the pieces stay on the board after this one
        self.left = effort
        lead = self._lead(state, 0, -FAR, FAR)
        if self.left < 0:
            return []
        return self._line(state, lead)

    def _prepare(self) -> None:
        """Make room at the first use, and forget other positions."""
        if len(self.known) == 1:
            self.actions = vec[i64]([0] * int((LAST + 1) * self.most))
            self.leads = vec[i64]([0] * int((LAST + 1) * self.most))
            self.known_signs = vec[i64]([0] * PLACES)
        self.known = vec[i64]([UNKNOWN] * PLACES)

    def _line(self, state: PasserellesState, lead: i64) -> list[int]:
        """Return the actions by which the seat to act reaches a lead, which it is known to reach; none if they are
        not found, because two positions had the same sign."""
        self.left = NO_LIMIT  # nearly all is in the table already
        line: list[int] = []
        sign: i64 = 0
        while state.player != TERMINAL:
            for action in state.legal_actions():
                after = state.clone()
                after.apply(action)
                after_sign = sign_after(sign, state, after)
                if self._lead_after(after, state.player, after_sign, lead - 1, lead) >= lead:
                    line.append(action)
                    state, sign, lead = after, after_sign, -lead
                    break
            else:
                return []
        return line

    # Alpha-beta.

    def _lead(self, state: PasserellesState, sign: i64, low: i64, high: i64) -> i64:
        """Return the lead that best play gives the seat to act. Beyond the two bounds only that much is sure."""
        place = sign & (PLACES - 1)
        favourite: i64 = PASS
        if self.known_signs[place] == sign and self.known[place] != UNKNOWN:
            favourite = self.known[place] & 1023
            bound = (self.known[place] >> 10) & 3
            lead = (self.known[place] >> 12) - FAR
            if bound == EXACT or (bound == AT_LEAST and lead >= high) or (bound == AT_MOST and lead <= low):
                return lead
        count = state.legal_into(self.legal)
        hand = in_hand(state)
        if hand == 1 and self.legal[0] != PASS:
            return self._last_lead(state, count, high)
        first = self.most * hand
        self._look_ahead(state, count, first, favourite)
        best: i64 = -FAR
        best_action: i64 = PASS
        i: i64 = 0
        while i < count and best < high and self.left >= 0:
            action = self._next_best(first + i, first + count)
            after = state.clone()
            after.apply(action)
            floor = best if best > low else low
            lead = self._lead_after(after, state.player, sign_after(sign, state, after), floor, high)
            if lead > best:
                best = lead
                best_action = action
            i += 1
        if self.left >= 0:
            bound = AT_LEAST if best >= high else AT_MOST if best <= low else EXACT
            self.known_signs[place] = sign
            self.known[place] = 1024 * (4 * (best + FAR) + bound) + best_action
        return best

    def _lead_after(self, after: PasserellesState, seat: i64, sign: i64, low: i64, high: i64) -> i64:
        """Return the lead that best play gives the seat that has just acted."""
        if after.player == TERMINAL:
            return lead_of(after, seat)
        return -self._lead(after, sign, -high, -low)

    def _last_lead(self, state: PasserellesState, count: i64, high: i64) -> i64:
        """Return the lead that the last piece gives the seat to act, which can place it: the round is over then."""
        best: i64 = -FAR
        i: i64 = 0
        while i < count and best < high:
            after = state.clone()
            after.lay(state.player, self.legal[i])
            lead = lead_of(after, state.player)
            if lead > best:
                best = lead
            i += 1
        self.left -= i
        return best

    def _look_ahead(self, state: PasserellesState, count: i64, first: i64, favourite: i64) -> None:
        """Note the legal actions from that place on, and the lead after each; the favourite is first."""
        i: i64 = 0
        while i < count:
            action = self.legal[i]
            self.actions[first + i] = action
            self.leads[first + i] = FAR
            if action != favourite and action != PASS:
                after = state.clone()
                after.lay(state.player, action)
                self.leads[first + i] = lead_of(after, state.player)
            i += 1
        self.left -= count

    def _next_best(self, place: i64, end: i64) -> i64:
        """Move the action of the greatest lead, of those from this place on, to it; return the action."""
        actions = self.actions
        leads = self.leads
        best = place
        i = place + 1
        while i < end:
            if leads[i] > leads[best]:
                best = i
            i += 1
        action = actions[best]
        actions[best] = actions[place]
        leads[best] = leads[place]
        return action


def in_hand(state: PasserellesState) -> i64:
    """Return the number of pieces that the two seats have left."""
    counts = state.supply & HANDS
    pieces: i64 = 0
    while counts != 0:
        pieces += counts & 15
        counts >>= 4
    return pieces


def lead_of(state: PasserellesState, seat: i64) -> i64:
    """Return the lead that a seat would have, if the round ended now."""
    first, second = state.score_now()
    return first - second if seat == 0 else second - first


def sign_after(sign: i64, before: PasserellesState, after: PasserellesState) -> i64:
    """The sign of the position after one more action."""
    sign ^= TURN
    if after.laid > before.laid:
        sign ^= SIGNS[i64(after.pieces[before.laid]) & 32767]
    return sign
