"""Records as JSON.

One field or ply per line::

    {
    "format": "ludotheque-record",
    "version": 1,
    "game": "cable-car",
    "players": 2,
    "settings": {"companies": false, "rotation": false, "hand": 1},
    "seats": ["Ann", "Bob"],
    "dice": {"commitment": "64 hexadecimal digits", "seed": "64 more"},
    "plies": [
    {"who": "chance", "move": "aacb"},
    {"who": 0, "move": "aacb D1", "comment": "Towards the power station."}
    ],
    "result": {"scores": [101, 97], "returns": [1.0, 0.0]}
    }

Seats are counted from 0, as in the library. A record for one viewer has `"viewer": 0`, or `"viewer": "spectator"`. The
record of a branch has `"since": 17` in `dice`: the draws up to ply 17 were made by other dice. Where people added to
the dice, `dice` has `"nonces": [{"seat": 0, "commitment": "64 hexadecimal digits", "nonce": "64 more"}]`; a seat that
was left out has no `nonce`. Where people resigned, `"ending": {"resigned": [{"seat": 1, "ply": 17}]}` has the last ply
before each resignation, and `"timed_out": true` if the seat lost on time; `"ending": {"abandoned": true}`: the players
agreed to end the game. A record of the second version of a game has `"game_version": 2`.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from ludotheque.core.errors import BadRecord
from ludotheque.table.record import Record, bad_record, check, locate_in_json, parse_record


def write_json(record: Record) -> str:
    """Write a record as a JSON document."""
    fields = []
    for name, value in msgspec.to_builtins(record).items():
        text = _json(value)
        if name == "plies" and value:
            text = "[\n" + ",\n".join(_json(ply) for ply in value) + "\n]"
        fields.append(f"{_json(name)}: {text}")
    return "{\n" + ",\n".join(fields) + "\n}\n"


def read_json(text: str) -> Record:
    """Read a record from a JSON document, and check it against the rules."""
    try:
        document = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise _malformed(text, error) from error
    record = parse_record(document, locate_in_json)
    check(record, locate_in_json)
    return record


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _malformed(text: str, error: Exception) -> BadRecord:
    found = re.search(r" \(byte (\d+)\)", str(error))
    if not found:
        return bad_record("The record is not a complete JSON document", error)
    line = text.encode()[: int(found[1])].count(b"\n") + 1
    return bad_record(f"Line {line}", str(error)[: found.start()])
