"""Chicago Express in text: moves, whole turns and choices.

auction, expand, develop    choose an action
NYC                         the company whose share is offered, or that builds
R3                          the next hex of an expansion, or the hex to develop; cities also by name
done                        end the expansion
decline expansion           carry nothing out
bid 12, pass                in an auction

A line may hold a whole turn: `auction NYC`, `expand NYC R3 Q3`, `develop I9`, `decline expansion`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from ludotheque.core.errors import AmbiguousMove, IllegalMove, UnreadableMove
from ludotheque.core.game_words import NOT_ALLOWED
from ludotheque.core.phrases import NOTHING, Phrase, Step, phrase, plural
from ludotheque.games.chicago_express.board import (
    COMPANIES,
    DETROIT,
    FOREST,
    INDUSTRIES,
    PLAIN,
    START,
    TRACK,
    WABASH,
)
from ludotheque.games.chicago_express.document import COMPANY_IDS
from ludotheque.games.chicago_express.observe import companies_on
from ludotheque.games.chicago_express.place_words import hex_title, hex_words
from ludotheque.games.chicago_express.rules import (
    AUCTION,
    BID,
    BIDDING,
    BUILDING,
    CHOOSING,
    COMPANY,
    DECLINE,
    DEVELOPING,
    DEVELOPMENT,
    DONE,
    EXPANSION,
    HEX,
    NAMING,
    OFFERING,
    PASS,
    ChicagoExpressState,
)

_VERBS = {AUCTION: "auction", EXPANSION: "expand", DEVELOPMENT: "develop"}
_NOUNS = {AUCTION: "auction", EXPANSION: "expansion", DEVELOPMENT: "development"}
_DIAL_OF_STAGE = {OFFERING: AUCTION, NAMING: EXPANSION, DEVELOPING: DEVELOPMENT}
_VERBS_OF_STAGE = {
    OFFERING: ("auction", "offer"),
    NAMING: ("expand", "build"),
    BUILDING: ("build", "expand", "to"),
    DEVELOPING: ("develop",),
}
"""The verbs that may be repeated before a company or a hex: `auction NYC` for `NYC`."""
_ASKED = {
    BIDDING: phrase("bid or pass"),
    CHOOSING: phrase("choose auction, expand or develop"),
    OFFERING: phrase("name the company whose share you offer, or decline"),
    NAMING: phrase("name the company that builds, or decline"),
    BUILDING: phrase("name the next hex, or say done"),
    DEVELOPING: phrase("name the hex to develop, or decline"),
}
_STEPS = ("bid", "pass", "action", "company", "hex", "done", "decline")
"""The kinds of steps."""
_DOLLARS = re.compile(r"(?:bid )?\$? ?(\d{1,9})")
_HEX_ID = re.compile(r"[a-z]\d{1,2}")


# Moves.


def action_to_string(state: ChicagoExpressState, action: int) -> str:
    """The notation of a legal action or a chance outcome."""
    if action >= BID:
        return f"bid {action - BID}"
    if action >= HEX:
        return state.board.hex(action - HEX).id
    if action >= COMPANY:
        return COMPANY_IDS[action - COMPANY]
    if action == DECLINE:
        return f"decline {_NOUNS[_DIAL_OF_STAGE[state.stage]]}"
    return {DONE: "done", PASS: "pass", **_VERBS}[action]


def string_to_action(state: ChicagoExpressState, text: str) -> int:
    """Parse a legal action or a chance outcome; a `MoveError` says why it cannot be played."""
    if state.is_terminal():
        raise IllegalMove(phrase("The game is over."))
    words = " ".join(text.lower().split())
    action = _read(state, words)
    if action in state.legal_actions():
        return action
    raise IllegalMove(_why_not(state, action))


def string_to_actions(state: ChicagoExpressState, text: str) -> list[int]:
    """Parse the actions of a line; an expansion that ends in a hex is complete."""
    words = text.split()
    if state.stage == CHOOSING and len(words) == 2 and words[0].lower() == "decline":
        words = [words[1], words[0]]
    position = state.clone()
    action, words = _first_move(position, words)
    position.apply(action)
    actions = [action]
    while words and position.player == state.player:
        action, words = _first_move(position, words)
        position.apply(action)
        actions.append(action)
    if words and [word.lower() for word in words] != ["done"]:
        text = repr(words[0][:40])
        if position.is_terminal():
            raise IllegalMove(phrase("{words} comes too late: the game is over by then.", words=text))
        raise IllegalMove(phrase("{words} comes too late: it will be someone else's turn by then.", words=text))
    if actions[0] == EXPANSION and actions[-1] >= HEX and position.stage == BUILDING:
        actions.append(DONE)
    return actions


def _first_move(state: ChicagoExpressState, words: list[str]) -> tuple[int, list[str]]:
    """The move that the first words name, as many as make sense together, and the words after it."""
    for count in range(min(3, len(words)), 1, -1):
        try:
            return string_to_action(state, " ".join(words[:count])), words[count:]
        except UnreadableMove:
            continue
    return string_to_action(state, words[0] if words else ""), words[1:]


def _read(state: ChicagoExpressState, words: str) -> int:
    """The action that the words name, legal or not."""
    if dollars := _DOLLARS.fullmatch(words):
        return _only_when(state, BIDDING, BID + int(dollars[1]))
    if state.stage in _VERBS_OF_STAGE:
        verb, _, rest = words.partition(" ")
        if rest and verb in _VERBS_OF_STAGE[state.stage]:
            words = rest
    names = _names(state, state.stage)
    if words in names:
        return names[words]
    for stage in _ASKED:
        if words in _names(state, stage):
            raise IllegalMove(phrase("Not now: {asked}.", asked=_ASKED[state.stage]))
    if _HEX_ID.fullmatch(words):
        raise IllegalMove(phrase("There is no hex {hex} on the map.", hex=words.upper()))
    return _read_short(state, words, names)


def _only_when(state: ChicagoExpressState, stage: int, action: int) -> int:
    if state.stage != stage:
        raise IllegalMove(phrase("Not now: {asked}.", asked=_ASKED[state.stage]))
    return action


def _names(state: ChicagoExpressState, stage: int) -> dict[str, int]:
    """The words of a stage, in lower case, and the action of each. The notation's own words come last, so that no city
    of a user's board can replace them."""
    if stage == BIDDING:
        return {"pass": PASS}
    if stage == CHOOSING:
        return {**{noun: dial for dial, noun in _NOUNS.items()}, **{verb: dial for dial, verb in _VERBS.items()}}
    if stage == BUILDING:
        return {**_hex_names(state), "done": DONE}
    names = _hex_names(state) if stage == DEVELOPING else _company_names(state)
    return {**names, "decline": DECLINE, f"decline {_NOUNS[_DIAL_OF_STAGE[stage]]}": DECLINE}


def _company_names(state: ChicagoExpressState) -> dict[str, int]:
    names = {company.name.lower(): COMPANY + number for number, company in enumerate(state.board.facts.companies)}
    for number, id in enumerate(COMPANY_IDS):
        for written in (id.replace("&", ""), id.replace("&", " & "), id):
            names[written.lower()] = COMPANY + number
    return names


def _hex_names(state: ChicagoExpressState) -> dict[str, int]:
    hexes = list(enumerate(state.board.facts.hexes, start=HEX))
    names = {hex.name.lower(): action for action, hex in hexes if hex.name}
    return {**names, **{hex.id.lower(): action for action, hex in hexes}}


def _read_short(state: ChicagoExpressState, words: str, names: dict[str, int]) -> int:
    """A unique beginning of a word or name; hexes are not shortened, for I1 is not I10."""
    found = sorted({names[name] for name in names if words and name.startswith(words) and not _HEX_ID.fullmatch(name)})
    legal = [action for action in found if action in state.legal_actions()]
    if len(legal) > 1:
        meant = ", ".join(repr(action_to_string(state, action)) for action in legal[:4])
        raise AmbiguousMove(phrase("{words} could be one of these: {moves}.", words=repr(words[:40]), moves=meant))
    if legal or len(found) == 1:
        return (legal or found)[0]
    example = action_to_string(state, state.legal_actions()[-1])
    raise UnreadableMove(
        phrase(
            "{words} is not a move here: {asked}, such as {example}.",
            words=repr(words[:40]),
            asked=_ASKED[state.stage],
            example=repr(example),
        )
    )


# Why not.


def why_not(state: ChicagoExpressState, picks: Mapping[str, str]) -> Phrase:
    """Say which rule forbids what the seat to act picked, or what it is asked instead."""
    kind, value = list(picks.items())[-1]
    if kind not in _STEPS:
        return NOT_ALLOWED
    words = f"bid {value or state.lowest_bid()}" if kind == "bid" else value or kind
    if kind == "hex" and value in state.board.number_of and state.stage in _REACHES:
        reason = _why_not_reached(state, state.board.number_of[value])
        if reason:
            return reason
    try:
        action = _read(state, words.lower())
    except IllegalMove as error:
        assert isinstance(error.sentence, Phrase), "what is said of a move can be translated"
        return error.sentence
    except (AmbiguousMove, UnreadableMove):
        return NOT_ALLOWED
    if action not in state.legal_actions():
        return _why_not(state, action)
    return phrase("Bid or pass, not both.") if state.stage == BIDDING and len(picks) > 1 else NOT_ALLOWED


def _why_not(state: ChicagoExpressState, action: int) -> Phrase:
    """The reason, in one sentence, why an action that the stage allows is not legal."""
    if action >= BID:
        return _why_no_bid(state, action - BID)
    if action >= HEX:
        hex = action - HEX
        return _why_not_built(state, hex) if state.stage == BUILDING else _why_not_developed(state, hex)
    if action >= COMPANY:
        company = action - COMPANY
        return _why_not_offered(state, company) if state.stage == OFFERING else _why_not_expanded(state, company)
    if action == DONE:
        return phrase("An expansion builds at least one locomotive.")
    return {
        AUCTION: phrase("The auction dial is in the red."),
        EXPANSION: phrase("The expansion dial is in the red."),
        DEVELOPMENT: phrase("The development dial is in the red."),
    }[action]


def _why_no_bid(state: ChicagoExpressState, dollars: int) -> Phrase:
    lowest, cash = state.lowest_bid(), state.cash[state.player]
    if cash < lowest:
        return phrase("The lowest bid is ${lowest} and you have ${cash}: you can only pass.", lowest=lowest, cash=cash)
    if dollars < lowest:
        return phrase("The lowest bid is ${lowest}.", lowest=lowest)
    return phrase("You have only ${cash}.", cash=cash)


def _why_not_offered(state: ChicagoExpressState, company: int) -> Phrase:
    if company == WABASH and not state.wabash_open:
        return phrase("The Wabash is not open yet: no company has reached Chicago.")
    return phrase("{company} has no share left.", company=COMPANY_IDS[company])


def _why_not_expanded(state: ChicagoExpressState, company: int) -> Phrase:
    id = COMPANY_IDS[company]
    if not state.held[COMPANIES * state.seat + company]:
        return phrase("You hold no share of {company}.", company=id)
    if not state.locomotives[company]:
        return phrase("{company} has no locomotive left.", company=id)
    return phrase(
        "{company} can build nothing: nothing within its reach can be paid with the ${treasury} it has.",
        company=id, treasury=state.treasury[company],
    )  # fmt: skip


_REACHES = {
    CHOOSING: (EXPANSION, DEVELOPMENT),
    NAMING: tuple(range(COMPANY, COMPANY + COMPANIES)),
}
"""The actions that may lead to a hex, by stage."""


def _why_not_reached(state: ChicagoExpressState, hex: int) -> Phrase | None:
    """Say that nothing leads to a hex, before an action or a company is chosen; None if something does."""
    if any(state.is_legal(action) and _leads_to(state, action, hex) for action in _REACHES[state.stage]):
        return None
    if state.stage == CHOOSING:
        return phrase("You can neither build nor develop in {hex} now.", hex=_words(state, hex))
    return phrase("None of your companies can build in {hex} now.", hex=_words(state, hex))


def _leads_to(state: ChicagoExpressState, action: int, hex: int) -> bool:
    after = state.clone()
    after.apply(action)
    if after.stage in _REACHES:
        return any(after.is_legal(next) and _leads_to(after, next, hex) for next in _REACHES[after.stage])
    return after.is_legal(HEX + hex)


def _why_not_built(state: ChicagoExpressState, hex: int) -> Phrase:
    id, title = COMPANY_IDS[state.company], _title(state, hex)
    if state.is_on(state.company, hex):
        return phrase("{company} is in {hex} already.", company=id, hex=_words(state, hex))
    if state.board.terrain[hex] == START:
        return phrase("{hex} is a start hex: nobody builds there.", hex=title)
    if not state.has_room(hex):
        if state.board.terrain[hex] == FOREST:
            return phrase("{hex} has a locomotive, and forest holds only one.", hex=title)
        return phrase("{hex} has a locomotive, and mountain holds only one.", hex=title)
    if not state.is_next_to(state.company, hex):
        return phrase("{hex} is not next to the network of {company}.", hex=title, company=id)
    return phrase(
        "{hex} costs ${price} and {company} has ${treasury}.",
        hex=title, price=state.price(hex), company=id, treasury=state.treasury[state.company],
    )  # fmt: skip


def _why_not_developed(state: ChicagoExpressState, hex: int) -> Phrase:
    title, terrain = _title(state, hex), state.board.terrain[hex]
    if terrain == PLAIN:
        return phrase("{hex} is plain: it cannot be developed.", hex=title)
    if terrain == START or hex == state.board.chicago:
        return phrase("{hex} cannot be developed.", hex=title)
    if hex == state.board.industry_hex[DETROIT]:
        return phrase("{hex} grows by itself, after each general dividend.", hex=title)
    if not companies_on(state, hex):
        return phrase("{hex} has no locomotive.", hex=title)
    if state.board.industry[hex] < INDUSTRIES:
        return phrase("{hex} is at the last step of its track.", hex=title)
    if state.has_house(hex):
        return phrase("{hex} has been developed already.", hex=title)
    return phrase("No house is left in the supply.")


def _words(state: ChicagoExpressState, hex: int) -> str | Phrase:
    return hex_words(state.board.hex(hex))


def _title(state: ChicagoExpressState, hex: int) -> str | Phrase:
    return hex_title(state.board.hex(hex))


# Choices.


def money(dollars: int) -> Phrase:
    """An amount by itself: `$10`."""
    return phrase("${dollars}", dollars=dollars)


def steps(state: ChicagoExpressState, action: int) -> list[Step]:
    """The choices that make up an action, from the first to the last."""
    text = action_to_string(state, action)
    if action >= BID:
        bid = phrase("Bid, from ${lowest}", lowest=state.lowest_bid())
        return [Step("bid", bid), Step(f"bid:{action - BID}", phrase("Bid ${dollars}", dollars=action - BID))]
    if action >= HEX:
        return [
            Step(f"hex:{text}", _hex_label(state, action - HEX), _hex_tag(state, action - HEX), warning(state, action))
        ]
    if action >= COMPANY:
        company = action - COMPANY
        return [Step(f"company:{text}", _company_label(state, company), asks=_asks_of(state, company))]
    if action in _VERBS:
        label, asks = _dial_label(state, action), _ASKS[action]
        warned = warning(state, action)
        return [Step(f"action:{text}", label, warning=warned if warned.text else dead_end(state, action), asks=asks)]
    if action == DECLINE:
        return [Step("decline", phrase("Decline"))]
    return [Step(text, phrase("Done") if action == DONE else phrase("Pass"))]


def warning(state: ChicagoExpressState, action: int) -> Phrase:
    """Say whether choosing an action or a hex brings the general dividend, or an end of the game."""
    if action in _VERBS:
        red = sum(state.is_red(dial) for dial in _VERBS if dial != action)
        if red + (state.dials[action] + 1 >= state.board.limit[action]) < 2:
            return NOTHING
        return phrase("brings the dividend and ends the game") if state.ends() else phrase("brings the dividend")
    after = state.clone()
    after.apply(action)
    return phrase("makes the game end at the next dividend") if after.ends() and not state.ends() else NOTHING


def dead_end(state: ChicagoExpressState, action: int) -> Phrase:
    """Say why an action could only be declined, if so."""
    after = state.child(action)
    is_stuck = not after.is_terminal() and list(after.legal_actions()) == [DECLINE]
    return _DEAD_ENDS[action] if is_stuck else NOTHING


_DEAD_ENDS: Final = {
    AUCTION: phrase("no share can be offered"),
    EXPANSION: phrase("none of your companies can build"),
    DEVELOPMENT: phrase("no hex can be developed"),
}


def _dial_label(state: ChicagoExpressState, dial: int) -> Phrase:
    left = state.board.limit[dial] - state.dials[dial]
    return {
        AUCTION: phrase("Auction: {left} left", left=left),
        EXPANSION: phrase("Expansion: {left} left", left=left),
        DEVELOPMENT: phrase("Development: {left} left", left=left),
    }[dial]


_ASKS: Final = {
    AUCTION: phrase("Whose share do you offer?"),
    EXPANSION: phrase("Which company expands?"),
    DEVELOPMENT: phrase("Which hex do you develop?"),
}
"""The next question about an action."""


def _asks_of(state: ChicagoExpressState, company: int) -> Phrase:
    """The question about a company that has been named."""
    if state.stage == OFFERING:
        return phrase("What do you bid for a share of {company}?", company=COMPANY_IDS[company])
    return phrase("Where does {company} build?", company=COMPANY_IDS[company])


def _company_label(state: ChicagoExpressState, company: int) -> Phrase:
    id = COMPANY_IDS[company]
    if state.stage == OFFERING:
        minimum, left = state.minimum(company), state.board.shares[company] - state.sold[company]
        if left == 1:
            return phrase("{company}: from ${minimum}, the last share", company=id, minimum=minimum)
        return plural(
            left,
            "{company}: from ${minimum}, {count} share left",
            "{company}: from ${minimum}, {count} shares left",
            company=id,
            minimum=minimum,
        )
    treasury, locomotives = state.treasury[company], state.locomotives[company]
    if locomotives == 1:
        return phrase("{company}: treasury ${treasury}, the last locomotive", company=id, treasury=treasury)
    return plural(
        locomotives,
        "{company}: treasury ${treasury}, {count} locomotive",
        "{company}: treasury ${treasury}, {count} locomotives",
        company=id,
        treasury=treasury,
    )


def _hex_label(state: ChicagoExpressState, hex: int) -> Phrase:
    title, value = _title(state, hex), state.value(hex)
    if state.stage == BUILDING:
        if value:
            return phrase("{hex}: ${price}, income +{gain}", hex=title, price=state.price(hex), gain=value)
        return phrase("{hex}: ${price}", hex=title, price=state.price(hex))
    ids = ", ".join(COMPANY_IDS[company] for company in companies_on(state, hex))
    if state.board.terrain[hex] == FOREST:
        return phrase("{hex}: ${cash} for {company}", hex=title, cash=state.board.forest_cash, company=ids)
    return phrase("{hex}: +{gain} for {companies}", hex=title, gain=development_gain(state, hex), companies=ids)


def _hex_tag(state: ChicagoExpressState, hex: int) -> Phrase:
    """Say what building or developing costs and gains, in a few signs."""
    if state.stage == BUILDING:
        price, value = money(state.price(hex)), state.value(hex)
        return phrase("{price} +{gain}", price=price, gain=value) if value else price
    if state.board.terrain[hex] == FOREST:
        return phrase("+${dollars}", dollars=state.board.forest_cash)
    return phrase("+{number}", number=development_gain(state, hex))


def asks_ahead(state: ChicagoExpressState, action: int) -> bool:
    """Whether the next decision of the turn is asked for at once: all but an expansion that has begun to build."""
    return state.stage in (CHOOSING, NAMING) and action != DECLINE


def development_gain(state: ChicagoExpressState, hex: int) -> int:
    """Return what a development of the hex adds to the income of the companies there."""
    city = int(state.board.industry[hex])
    if city == INDUSTRIES:
        return state.board.development[hex]
    step = TRACK * city + state.steps[city]
    return state.board.track[step + 1] - state.board.track[step]
