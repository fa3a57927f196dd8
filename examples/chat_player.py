"""Score a language model behind any endpoint that takes chat messages as OpenAI's does.

    python examples/chat_player.py "cable_car(players=2)" --url http://localhost:8000/v1 --model NAME --games 4

The model plays every seat in turn against a bot. It gets the rules and the position in words (`ludotheque.prompts`),
its earlier answers, and a sentence where it names no legal move; three of those in a row lose the game. A key, if the
endpoint wants one, is read from the environment variable CHAT_KEY.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable
from urllib.request import Request, urlopen

from ludotheque import load_game
from ludotheque.prompts import TextEnv

Message = dict[str, str]
Chat = Callable[[list[Message]], str]
KEPT = 8
"""Messages of the past that are sent along, after the first prompt."""


def endpoint(url: str, model: str, timeout: float) -> Chat:
    """A function that sends messages to an endpoint and returns its answer."""
    headers = {"Content-Type": "application/json"}
    if key := os.environ.get("CHAT_KEY"):
        headers["Authorization"] = f"Bearer {key}"

    def answer(messages: list[Message]) -> str:
        body = json.dumps({"model": model, "messages": messages}).encode()
        try:
            with urlopen(Request(f"{url.rstrip('/')}/chat/completions", body, headers), timeout=timeout) as reply:
                return str(json.load(reply)["choices"][0]["message"]["content"] or "")
        except OSError as error:
            raise SystemExit(f"{url} did not answer: {error}") from None

    return answer


def play(table: TextEnv, chat: Chat, seed: int) -> float:
    """Play one game; return the model's share of the win."""
    first: Message = {"role": "user", "content": table.reset(seed)}
    past: list[Message] = []
    while True:
        answer = chat([first, *past[-KEPT:]])
        step = table.step(answer)
        if step.is_over:
            return step.reward
        past += [{"role": "assistant", "content": answer}, {"role": "user", "content": step.text}]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", help='such as "cable_car(players=3)"')
    parser.add_argument("--url", required=True, help="the endpoint, up to /chat/completions")
    parser.add_argument("--model", required=True)
    parser.add_argument("--opponents", default="random", help="the bot at every other seat")
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--timeout", type=float, default=120.0, help="seconds for an answer")
    asked = parser.parse_args()
    game = load_game(asked.game)
    chat = endpoint(asked.url, asked.model, asked.timeout)
    shares, refused = [], 0
    for number in range(asked.games):
        table = TextEnv(game, opponents=asked.opponents, seat=number % game.players)
        shares.append(play(table, chat, asked.seed + number // game.players))
        refused += table.refusals
        table.close()
    share, even = sum(shares) / len(shares), 1 / game.players
    print(f"{asked.model} against {asked.opponents} in {game}: {share:.1%} of {len(shares)} games (even: {even:.0%}),"
          f" {refused} answers refused")  # fmt: skip


if __name__ == "__main__":
    main()
