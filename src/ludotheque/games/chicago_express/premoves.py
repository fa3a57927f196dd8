"""Bidding ahead of one's turn: up to an amount, or not at all, for the share that is for sale."""

from __future__ import annotations

from collections.abc import Sequence

from ludotheque.core.phrases import phrase
from ludotheque.core.premoves import PremoveOffer
from ludotheque.games.chicago_express.rules import BID, BIDDING, PASS, ChicagoExpressState


def premove_context(state: ChicagoExpressState) -> str:
    """The share that is for sale; empty if none is."""
    return f"{state.company}:{state.sold[state.company]}" if state.stage == BIDDING else ""


def premove_offers(state: ChicagoExpressState, seat: int) -> Sequence[PremoveOffer]:
    """Return what a seat that has not passed may decide while others bid."""
    if state.stage != BIDDING or state.player == seat or not state.is_bidding(seat):
        return ()
    offers = [PremoveOffer("pass", phrase("Pass until the next share"))]
    lowest, cash = int(state.lowest_bid()), int(state.cash[seat])
    if lowest <= cash:
        offers.append(PremoveOffer("bid", phrase("Bid up to"), lowest, cash))
    return offers


def premove_action(state: ChicagoExpressState, key: str, amount: int) -> int:
    """The action of the seat to act that follows from its order: the lowest bid within the amount, or a pass."""
    lowest = int(state.lowest_bid())
    within = key == "bid" and lowest <= min(amount, int(state.cash[state.player]))
    return int(BID + lowest) if within else int(PASS)
