"""The commands, each with its module and first line of help; `ludotheque --help` loads none.

Written by `python -m scripts.command_page` from the commands themselves.
"""

from __future__ import annotations

from typing import Final

COMMANDS: Final = {
    "games": (
        "library",
        "List the games, with their players and options.",
    ),
    "rules": (
        "library",
        "Print the rules of a game, with our rulings.",
    ),
    "play": (
        "play",
        "Play a game at the terminal, against bots or with several people at one keyboard.",
    ),
    "learn": (
        "learn",
        "Learn a game by playing: a guided first game, then on from there against a beginner.",
    ),
    "serve": (
        "serve",
        "Serve the games to browsers: play against bots, with friends at one screen, or by link.",
    ),
    "backup": (
        "database",
        "Copy the SQLite database of a server, which may be running; for PostgreSQL use pg_dump.",
    ),
    "check-database": (
        "database",
        "Check the database of a server: every page, and every game from its first move to its last.",
    ),
    "simulate": (
        "records",
        "Play random games, print statistics, and save records.",
    ),
    "replay": (
        "records",
        "Check a record against the rules, and print a position and the scores.",
    ),
    "render": (
        "records",
        "Draw a position of a record as SVG, or write the whole match as a page that replays it offline.",
    ),
    "review": (
        "review",
        "Review a match: where points came from, what each decision cost, what was better, and what was luck.",
    ),
    "arena": (
        "bots",
        "Play bots against each other, in every seat with the same dice, and print how strong they are.",
    ),
    "ladder": (
        "bots",
        "Measure the bot levels of a game against each other and the plain bots, and write the page of results.",
    ),
    "hint": (
        "bots",
        "Print what a bot would play: its best moves, the result it expects for each seat, and why.",
    ),
    "engine": (
        "engine",
        "Play as a program that speaks the engine protocol (docs/engine-protocol.md), or check such a program.",
    ),
    "bench": (
        "bench",
        "Measure speed on one core: random playouts, steps (moves and draws) and state copies per second.",
    ),
    "calibrate": (
        "bench",
        "Measure how many simulations a second the bots do, by game, options and seats.",
    ),
    "perft": (
        "count",
        "Count the sequences of legal moves from the start of a game without chance, length by length.",
    ),
    "new-game": (
        "new_game",
        "Create a starter package for a new game, with tests.",
    ),
    "lesson": (
        "learn",
        "Check the lessons of games.",
    ),
    "puzzles": (
        "puzzles",
        "Make and check puzzles.",
    ),
    "cards": (
        "cards",
        "Check and draw the card sets of Pays noir.",
    ),
    "suite": (
        "suite",
        "Measure bots by Ludotheque suite v1 (docs/suite.md).",
    ),
}
