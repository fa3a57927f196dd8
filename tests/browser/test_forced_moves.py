"""A turn with one legal move is announced and made by itself, unless the player wants to make it."""

from __future__ import annotations

from playwright.sync_api import expect

from ludotheque import load_game
from ludotheque.core.game import State
from tests.browser.conftest import OpenBrowser
from tests.browser.player import Player
from tests.browser.test_event_cards import move

GAME = load_game("passerelles", rounds=1)


def moves_to_a_forced_one() -> list[str]:
    """The moves of a match up to a position with one legal move."""
    for seed in range(100):
        state: State = GAME.new_initial_state()
        moves: list[str] = []
        while not state.is_terminal():
            legal = state.legal_actions()
            if len(legal) == 1 and len(moves) > 2:
                return moves
            action = legal[(seed * 7 + len(moves) * 3) % len(legal)]
            moves.append(state.action_to_string(action))
            state.apply_action(action)
    raise AssertionError("no match has a forced move")


def seated(sit_down: OpenBrowser, forced_moves: str) -> tuple[Player, int]:
    """Someone who plays both seats, before a forced move, and the number of moves so far."""
    player = sit_down(forced_moves=forced_moves)
    player.page.clock.install()
    player.start("passerelles", "me", rounds=1)
    moves = moves_to_a_forced_one()
    for text in moves:
        move(player, text)
    return player, len(moves)


def test_the_only_move_is_announced_and_made(sit_down: OpenBrowser) -> None:
    player, made = seated(sit_down, "on")
    expect(player.page.locator("[data-part=banner]")).to_contain_text("Your only move:")
    expect(player.page.locator("[data-part=spoken]")).to_contain_text("Your only move:")
    player.page.clock.fast_forward(60_000)
    player.page.wait_for_function("made => Number(document.querySelector('[data-part=time]').max) > made", arg=made)


def test_whoever_touches_the_page_makes_it_by_hand(sit_down: OpenBrowser) -> None:
    player, made = seated(sit_down, "on")
    expect(player.page.locator("[data-part=banner]")).to_contain_text("Your only move:")
    player.page.mouse.click(5, 5)
    player.page.clock.fast_forward(60_000)
    assert player.state == "asking", "nothing was sent"
    assert player.page.locator("[data-part=time]").get_attribute("max") == str(made)


def test_the_setting_turns_it_off(sit_down: OpenBrowser) -> None:
    player, made = seated(sit_down, "off")
    expect(player.page.locator("[data-part=time]")).to_have_attribute("max", str(made))
    expect(player.page.locator("[data-part=banner]")).not_to_contain_text("Your only move:")
    expect(player.page.locator("[data-part=forced-moves]")).not_to_be_checked()
