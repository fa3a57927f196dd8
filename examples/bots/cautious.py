#!/usr/bin/env python3
"""A bot that speaks Ludotheque's engine protocol, without importing anything of Ludotheque.

It plays at random, and prefers moves that it has not played before in this game.
"""

import json
import random
import sys


def reply(message):
    """Write one message as a line, at once."""
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


class Bot:
    def __init__(self, new):
        self.seat = new["seat"]
        self.random = random.Random(new["seed"])
        self.mine = set()

    def did(self, who, action):
        """Hear what happened; `action` is None where this seat did not see it."""
        if who == self.seat and action is not None:
            self.mine.add(action)

    def choose(self, legal):
        fresh = [action for action in legal if action not in self.mine]
        return self.random.choice(fresh or legal)


def main():
    bot = None
    for line in sys.stdin:
        message = json.loads(line)
        kind = message["type"]
        if kind == "new":  # a game starts, or starts anew because moves were taken back
            bot = Bot(message)
            reply({"type": "ready", "name": "Cautious"})
        elif kind == "did":
            bot.did(message["who"], message["action"])
        elif kind == "go":
            reply({"type": "move", "action": bot.choose(message["legal"])})
        elif kind == "end":
            print("returns:", message["returns"], file=sys.stderr)
        elif kind == "quit":
            return


main()
