"""The search of an earlier commit as a program for the arena, to measure today's bots against it.

    git worktree add build/before 17872b6
    (cd build/before && ../../.venv/bin/python setup.py build_ext --inplace)
    ludotheque arena passerelles search:0.966s \
        "before=engine:.venv/bin/python scripts/earlier_bot.py build/before 0.69" --games 200

It uses only what all commits since 17872b6 have, and speaks the engine protocol. The number is the seconds for a
decision, which the earlier search uses to the end. Today's may take 1.4 times as long, because it stops early.
"""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pathlib import Path
from typing import Any


class EarlierBot:
    """The search at one seat of one game."""

    def __init__(self, new: dict[str, Any], seconds: float) -> None:
        load_game = import_module("ludotheque.core.registry").load_game
        self.game = load_game(new["game"], new["players"], **new["settings"])
        self.seat = new["seat"]
        self.bot = import_module("ludotheque.bots.players").SearchBot(self.game, new["seed"], seconds=seconds)
        self.hear = getattr(self.bot, "heard", None) or getattr(self.bot, "inform_action", None)
        """Tells the search of an action; None since bots get a `Turn` with all events."""
        self.events: list[tuple[int, int | None]] = []

    def did(self, who: int, action: int | None) -> None:
        """Tell the search what happened, so that it keeps its tree; it keeps none where something is hidden."""
        self.events.append((who, action))
        if self.hear and not self.game.has_hidden_information:
            self.hear(action)

    def choose(self, position: str) -> int:
        state = self.game.read_position(position)
        if self.hear:
            return int(self.bot.choose(state, self.seat))
        return int(self.bot.choose(import_module("ludotheque.core.turn").Turn(state, self.seat, self.events)))


def use_checkout(checkout: Path) -> None:
    """Import Ludotheque from another checkout from now on; end unless it is compiled there."""
    source = checkout.resolve() / "src"
    sys.path.insert(0, str(source))
    policy = Path(str(import_module("ludotheque.core.policy").__file__))
    if not policy.is_relative_to(source) or policy.suffix == ".py":
        sys.exit(f"There is no compiled Ludotheque in {checkout}.")


def reply(**message: object) -> None:
    print(json.dumps(message), flush=True)


def main(checkout: Path, seconds: float) -> None:
    use_checkout(checkout)
    bot: EarlierBot | None = None
    for line in sys.stdin:
        message = json.loads(line)
        kind = message["type"]
        if kind == "new":
            bot = EarlierBot(message, seconds)
            reply(type="ready", wants=["position"])
        elif kind == "quit":
            return
        elif bot and kind == "did":
            bot.did(message["who"], message["action"])
        elif bot and kind == "go":
            reply(type="move", action=bot.choose(message["position"]))


if __name__ == "__main__":
    main(Path(sys.argv[1]), float(sys.argv[2]))
