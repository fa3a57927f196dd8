"""A whole position of Cable Car as one line of text, and back.

Six fields with a blank between:

    board    rows from the top, `/` between; a number for free cells, `##` for the power station, a tile as in moves
    last     the cell of the tile laid last, `-` at first
    turn     `deal`, `deal-share`, `end`; a seat from 1 to act, `1:aacb` to place what it drew; or what chance draws
             for a seat: `1+` a tile for the hand, `1?` one to be placed, `1@20` a hidden share, `1^20` the next open
    hands    seat by seat, `|` between; the tiles with `,` between, `-` for none
    shares   10, 20, 30, 40%, `/` between: `hands:open:given:undrawn`, each share a letter and the seats who know it,
             `*` for all; `-` without The Companies
    swaps    by seat, how many of its latest turns were swaps, 3 at most; `-` without The Companies
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from ludotheque.core.bits import places, popcount, set_of
from ludotheque.core.errors import BadPosition
from ludotheque.core.game import CHANCE, TERMINAL
from ludotheque.games.cable_car import board
from ludotheque.games.cable_car.observation import LETTERS, cell_name, tile_name
from ludotheque.games.cable_car.rules import (
    BLOCK,
    DEAL,
    DEAL_SHARE,
    DRAWING,
    EVERYBODY,
    GIVEN,
    KNOWN,
    NO_CELL,
    NO_SHARE,
    NO_TILE,
    OPEN,
    PILES,
    REFILL,
    SWAPS_IN_A_ROW,
    TAKE_SHARE,
    TURN_UP,
    UNDRAWN,
    CableCarState,
    place_action,
)

_COPIES = [int(copies) for copies in board.COPIES]
_NEIGHBOURS = [int(cells) for cells in board.NEIGHBOURS]
_COMPANY_LETTERS = [LETTERS[colour] for colour in board.COLOURS]
_ROW = re.compile(r"(?:[1-8]|#|[abcd]{4}(?:\+[1-3])?)+")
_IN_ROW = re.compile(r"[1-8]|#|[abcd]{4}(?:\+[1-3])?")
_TURN = re.compile(r"deal|deal-share|end|(?P<seat>[1-6])(?:(?P<tile>:[abcd]{4})|(?P<draw>[+?])|(?P<share>[@^][1-4]0))?")
_SHARE = re.compile(r"(?P<company>[A-Z])(?P<seats>\*|[1-6]*)")
_DRAW_MARKS = {"+": REFILL, "?": DRAWING}
_SHARE_MARKS = {"@": TAKE_SHARE, "^": TURN_UP}


# Writing.


def write_position(state: CableCarState) -> str:
    """The whole position as one line of text."""
    hands = "|".join(_write_tiles(state.hands[seat]) for seat in range(state.players))
    last = "-" if state.last_cell == NO_CELL else cell_name(state.last_cell)
    shares, swaps = "-", "-"
    if state.companies:
        shares = "/".join(_write_shares(state, pile) for pile in range(PILES))
        swaps = ",".join(str(run) for run in state.swap_runs)
    return " ".join([_write_board(state), last, _write_turn(state), hands, shares, swaps])


def _write_board(state: CableCarState) -> str:
    rows = []
    for row in range(board.ROWS):
        words: list[str] = []
        for column in range(board.COLUMNS):
            cell = board.CELL_AT.get((row, column))
            if cell is None:
                words.append("#")
            elif state.laid[cell] != NO_TILE:
                words.append(tile_name(state.laid[cell] // 4, state.laid[cell] % 4))
            elif words and words[-1].isdigit():
                words[-1] = str(int(words[-1]) + 1)
            else:
                words.append("1")
        rows.append("".join(words))
    return "/".join(rows)


def _write_turn(state: CableCarState) -> str:
    if state.player == TERMINAL:
        return "end"
    seat = str(state.seat + 1)
    if state.player != CHANCE:
        return f"{seat}:{_write_tiles(state.drawn)}" if state.drawn else seat
    percent = 10 * (state.swapped + 1)
    return {
        DEAL: "deal",
        DEAL_SHARE: "deal-share",
        REFILL: f"{seat}+",
        DRAWING: f"{seat}?",
        TAKE_SHARE: f"{seat}@{percent}",
        TURN_UP: f"{seat}^{percent}",
    }[state.awaited]


def _write_tiles(tiles: int) -> str:
    return ",".join(tile_name(board.TYPE_OF_TILE[tile]) for tile in places(tiles)) or "-"


def _write_shares(state: CableCarState, pile: int) -> str:
    block = [int(byte) for byte in state.shares[BLOCK * pile : BLOCK * (pile + 1)]]

    def share(company: int) -> str:
        if company == NO_SHARE:
            return "-"
        known = block[KNOWN + company]
        knowers = "*" if known == EVERYBODY else "".join(str(seat + 1) for seat in places(known))
        return _COMPANY_LETTERS[company] + knowers

    hands = ",".join(share(company) for company in block[: state.players])
    given = ",".join(share(block[GIVEN + 1 + i]) for i in range(block[GIVEN])) or "-"
    undrawn = "".join(_COMPANY_LETTERS[company] for company in places(block[UNDRAWN])) or "-"
    return f"{hands}:{share(block[OPEN])}:{given}:{undrawn}"


# Reading.


def read_position(state: CableCarState, text: str) -> CableCarState:
    """Read a position into a new state of the same table."""
    fields = text.split()
    if len(fields) != 6:
        raise BadPosition(f"A position of Cable Car has 6 fields (board, last, turn, ...), not {len(fields)}.")
    _read_board(state, fields[0])
    _read_last(state, fields[1])
    _read_hands(state, fields[3])
    _read_all_shares(state, fields[4], fields[5])
    _read_turn(state, fields[2])
    _check_hands(state)
    _check_all_shares(state)
    return state


def _read_board(state: CableCarState, text: str) -> None:
    rows = text.split("/")
    if len(rows) != board.ROWS:
        raise BadPosition(f"The board has {board.ROWS} rows, not {len(rows)}.")
    for row, words in enumerate(rows):
        if not _ROW.fullmatch(words):
            raise BadPosition(f"Row {row + 1} cannot be read: {words[:60]!r}.")
        column = 0
        for word in _IN_ROW.findall(words):
            if word.isdigit():
                column += int(word)
                continue
            cell = board.CELL_AT.get((row, column))
            if (word == "#") != (cell is None):
                raise BadPosition(f"Row {row + 1} does not fit the board: the power station is D4, E4, D5 and E5.")
            if cell is not None:
                _put_tile(state, word, cell)
            column += 1
        if column != board.COLUMNS or (("#" in words) != (row in (3, 4))):
            raise BadPosition(f"Row {row + 1} does not fit the board of {board.COLUMNS} columns: {words[:60]!r}.")
    _check_reach(state)


def _put_tile(state: CableCarState, word: str, cell: int) -> None:
    code, turns = _turned_tile(word)
    tile = _tile_type(code)
    if turns and (not state.rotation or turns >= board.TURNS[tile]):
        raise BadPosition(f"{word} on {cell_name(cell)}: the tile cannot lie turned like that in this game.")
    _take_tile(state, code)
    state.lay(place_action(tile, turns, cell))


@lru_cache(maxsize=1024)
def _turned_tile(word: str) -> tuple[str, int]:
    """The code of a tile and its turns."""
    code, _, turns = word.partition("+")
    return code, int(turns or 0)


def _tile_type(code: str) -> int:
    try:
        return board.TYPE_OF_CODE[code]
    except KeyError:
        raise BadPosition(f"There is no tile {code[:20]!r}.") from None


def _take_tile(state: CableCarState, code: str) -> int:
    """A tile of that code out of the pile, as a bit."""
    copies = state.pile & _COPIES[_tile_type(code)]
    if not copies:
        raise BadPosition(f"There are more tiles {code} than the game has.")
    bit = copies & -copies
    state.pile ^= bit
    state.left -= 1
    return bit


def _check_reach(state: CableCarState) -> None:
    """Every tile is joined to the edge by tiles."""
    laid = board.ALL_CELLS & ~state.free
    joined = fresh = laid & board.EDGE
    while fresh:
        grown = 0
        for cell in places(fresh):
            grown |= _NEIGHBOURS[cell]
        fresh = grown & laid & ~joined
        joined |= fresh
    if joined != laid:
        raise BadPosition(f"The tile on {cell_name(places(laid & ~joined)[0])} is not joined to the edge by tiles.")


@cache
def _cells_by_name() -> dict[str, int]:
    return {cell_name(cell): cell for cell in range(board.CELLS)}


def _read_last(state: CableCarState, text: str) -> None:
    cell = _cells_by_name().get(text, NO_CELL)
    if text == "-" and state.free == board.ALL_CELLS:
        state.last_cell = NO_CELL
    elif cell != NO_CELL and state.laid[cell] != NO_TILE:
        state.last_cell = cell
    else:
        raise BadPosition(f"The last tile cannot lie on {text[:20]!r}.")


def _read_hands(state: CableCarState, text: str) -> None:
    hands = text.split("|")
    if len(hands) != state.players:
        raise BadPosition(f"There are {state.players} hands, not {len(hands)}.")
    for seat, words in enumerate(hands):
        tiles = [] if words == "-" else words.split(",")
        if len(tiles) > state.hand_size:
            raise BadPosition(f"Seat {seat + 1} holds more than {state.hand_size} tiles.")
        for code in tiles:
            state.hands[seat] |= _take_tile(state, code)


def _read_turn(state: CableCarState, text: str) -> None:
    turn = _TURN.fullmatch(text)
    if not turn or (turn["seat"] and int(turn["seat"]) > state.players):
        raise BadPosition(f"Whose turn it is cannot be read: {text[:20]!r}.")
    tiles = state.players * state.hand_size
    state.dealt = sum(popcount(state.hands[seat]) for seat in range(state.players))
    if text.startswith("deal"):
        _read_deal(state, text)
        return
    state.dealt = tiles + (PILES * (state.players + 1) if state.companies else 0)
    if (text == "end") != (state.free == 0):
        raise BadPosition("The game is over when, and only when, the board is full.")
    if text == "end":
        _check_all_shares(state)
        state.end()
        return
    state.seat = int(turn["seat"]) - 1
    state.player = state.seat
    if turn["tile"]:
        state.drawn = _take_tile(state, turn["tile"][1:])
    elif turn["draw"] or turn["share"]:
        _read_awaited(state, turn["draw"] or "", turn["share"] or "")
    elif state.hands[state.seat] == 0 and not state.swaps_open:
        raise BadPosition(f"Seat {state.seat + 1} has nothing to do: no tile, and swapping is closed.")


def _read_deal(state: CableCarState, text: str) -> None:
    tiles = state.players * state.hand_size
    dealt_shares = sum(
        share != NO_SHARE
        for pile in range(PILES if state.companies else 0)
        for share in state.shares[BLOCK * pile : BLOCK * pile + OPEN + 1]
    )
    in_order = all(
        popcount(state.hands[seat]) == min(state.hand_size, max(0, state.dealt - seat * state.hand_size))
        for seat in range(state.players)
    )
    deals_tiles = text == "deal"
    if state.free != board.ALL_CELLS or not in_order or deals_tiles != (state.dealt < tiles):
        raise BadPosition("The set-up deals tiles seat by seat on an empty board, then the shares.")
    if (deals_tiles and dealt_shares) or (not deals_tiles and not state.companies):
        raise BadPosition("The set-up deals tiles seat by seat on an empty board, then the shares.")
    state.player = CHANCE
    state.awaited = DEAL if deals_tiles else DEAL_SHARE
    state.dealt += dealt_shares
    state.seat = state.dealt // state.hand_size if deals_tiles else 0
    if not deals_tiles:
        _check_share_deal(state)


def _check_share_deal(state: CableCarState) -> None:
    left = state.dealt - state.players * state.hand_size
    if left == PILES * (state.players + 1):
        raise BadPosition("All shares are dealt: a seat must be to act.")
    for pile in range(PILES):
        dealt = min(max(left, 0), state.players + 1)
        here = [state.shares[BLOCK * pile + place] != NO_SHARE for place in (*range(state.players), OPEN)]
        if here != [True] * dealt + [False] * (state.players + 1 - dealt):
            raise BadPosition("The set-up deals shares pile by pile, seat by seat, then one face up.")
        left -= state.players + 1


def _read_awaited(state: CableCarState, draw: str, share: str) -> None:
    state.player = CHANCE
    if draw:
        state.awaited = _DRAW_MARKS[draw]
        if state.left == 0:
            raise BadPosition("Nobody can draw: the pile is empty.")
        return
    if not state.companies:
        raise BadPosition("Shares are drawn only in The Companies.")
    state.awaited = _SHARE_MARKS[share[0]]
    state.swapped = int(share[1:]) // 10 - 1
    if not state.swaps_open or state.shares[BLOCK * state.swapped + UNDRAWN] == 0:
        raise BadPosition(f"No {share[1:]}% share can be drawn here.")


def _check_hands(state: CableCarState) -> None:
    """While the pile lasts every hand is full, but for the one that is being filled."""
    if state.player == TERMINAL or (state.awaited in (DEAL, DEAL_SHARE) and state.player == CHANCE):
        return
    filling = state.seat if state.player == CHANCE and state.awaited == REFILL else -1
    for seat in range(state.players):
        size = popcount(state.hands[seat])
        short = state.hand_size - (1 if seat == filling else 0)
        if (state.left and size != short) or (seat == filling and size > short):
            raise BadPosition(f"Seat {seat + 1} holds {size} tiles while the pile has {state.left}.")


# Shares.


def _read_all_shares(state: CableCarState, shares: str, swaps: str) -> None:
    if not state.companies:
        if (shares, swaps) != ("-", "-"):
            raise BadPosition("Without The Companies there are no shares and no swaps.")
        return
    piles = shares.split("/")
    runs = swaps.split(",")
    if len(piles) != PILES:
        raise BadPosition(f"There are {PILES} piles of shares, not {len(piles)}.")
    for pile, words in enumerate(piles):
        _read_shares(state, pile, words)
    if len(runs) != state.players or not all(re.fullmatch(f"[0-{SWAPS_IN_A_ROW}]", run) for run in runs):
        raise BadPosition(f"The swaps are {state.players} numbers from 0 to {SWAPS_IN_A_ROW}, not {swaps[:20]!r}.")
    for seat, run in enumerate(runs):
        state.swap_runs[seat] = int(run)
    state.close_swaps()


def _check_all_shares(state: CableCarState) -> None:
    """Check that every seat holds one share of each pile and one is open, but for one that is being drawn."""
    if not state.companies or (state.player == CHANCE and state.awaited in (DEAL, DEAL_SHARE) and state.free):
        return
    for pile in range(PILES):
        missing = [place for place in (*range(state.players), OPEN) if state.shares[BLOCK * pile + place] == NO_SHARE]
        expected = []
        if state.player == CHANCE and state.swapped == pile and state.awaited in (TAKE_SHARE, TURN_UP):
            expected = [state.seat if state.awaited == TAKE_SHARE else OPEN]
        if missing != expected:
            raise BadPosition(f"Everyone must hold one {10 * (pile + 1)}% share, and one must be open.")


@lru_cache(maxsize=8192)
def _read_share(word: str, percent: int, players: int) -> tuple[int, int]:
    """The company of a share, and who knows where it is."""
    share = _SHARE.fullmatch(word)
    if not share or share["company"] not in _COMPANY_LETTERS:
        raise BadPosition(f"{word[:20]!r} is not a share of {percent}%.")
    seats = [int(seat) - 1 for seat in sorted(set(share["seats"].strip("*")))]
    if seats and seats[-1] >= players:
        raise BadPosition(f"There is no seat {seats[-1] + 1} to know {word}.")
    return _COMPANY_LETTERS.index(share["company"]), EVERYBODY if share["seats"] == "*" else int(set_of(seats))


def _read_shares(state: CableCarState, pile: int, text: str) -> None:
    for place, byte in enumerate(_share_block(text, 10 * (pile + 1), int(state.players)), BLOCK * pile):
        state.shares[place] = byte


_EMPTY_BLOCK = bytearray([NO_SHARE] * KNOWN + [0] * (BLOCK - KNOWN))


@lru_cache(maxsize=4096)
def _share_block(text: str, percent: int, players: int) -> bytes:
    """Return the place of each share of a pile and the seats that know it, as a state keeps them."""
    fields = text.split(":")
    hands = fields[0].split(",")
    if len(fields) != 4 or len(hands) != players:
        raise BadPosition(f"The {percent}% shares cannot be read: {text[:60]!r}.")
    block = _EMPTY_BLOCK.copy()
    seen: list[int] = []

    def put(word: str, place: int) -> int:
        """Place a share; who knows it."""
        company, known = _read_share(word, percent, players)
        seen.append(company)
        block[place] = company
        block[KNOWN + company] = known
        return known

    for seat, word in enumerate(hands):
        if word != "-" and seat not in places(put(word, seat)):
            raise BadPosition(f"Seat {seat + 1} must know the {percent}% share it holds.")
    if fields[1] != "-" and put(fields[1], OPEN) != EVERYBODY:
        raise BadPosition(f"The open {percent}% share must be known to all.")
    given = [] if fields[2] == "-" else fields[2].split(",")
    if len(given) > UNDRAWN - GIVEN - 1:
        raise BadPosition(f"Too many {percent}% shares lie under the pile.")
    for i, word in enumerate(given):
        put(word, GIVEN + 1 + i)
    block[GIVEN] = len(given)
    undrawn = _undrawn(fields[3])
    if sorted(seen + undrawn) != list(range(board.COMPANIES)):
        raise BadPosition(f"The {percent}% shares must be one of each company.")
    block[UNDRAWN] = int(set_of(undrawn))
    return bytes(block)


def _undrawn(text: str) -> list[int]:
    """The companies whose shares were never drawn."""
    letters = [] if text == "-" else list(text)
    unknown = [letter for letter in letters if letter not in _COMPANY_LETTERS]
    if unknown:
        raise BadPosition(f"{unknown[0]!r} is not the letter of a company.")
    return [_COMPANY_LETTERS.index(letter) for letter in letters]
