"""The greeting to a person at a terminal: where to play, how friends join, how to stop, and whether it is slow."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from typing import Final

import ludotheque
from ludotheque import _pure

_THIS_MACHINE: Final = ("127.0.0.1", "::1", "localhost")
_EVERY_ADDRESS: Final = ("0.0.0.0", "::")
_OUTSIDE: Final = ("192.0.2.1", 9)
"""An address that belongs to no one (RFC 5737): it tells which of ours leads out, and nothing is sent to it."""


def address(host: str, port: int) -> str:
    """The address to open in a browser on this machine."""
    return _url("localhost" if host in (*_THIS_MACHINE, *_EVERY_ADDRESS) else host, port)


def greeting(host: str, port: int, public_url: str) -> Iterator[str]:
    """The lines that greet a person."""
    yield "Ludotheque is running."
    yield ""
    yield f"  Play here        {address(host, port)}"
    yield f"  Invite friends   {_invitation(host, port, public_url)}"
    yield "  Stop             press Ctrl-C; all games are kept"
    yield ""
    yield from slowness()


def slowness() -> Iterator[str]:
    """One line where the rules are not compiled: how slow that is, and how to mend it."""
    if not ludotheque.COMPILED:
        cure = (
            "unset LUDOTHEQUE_PURE" if _pure.ASKED_FOR else "install a C compiler, then Ludotheque again (`make play`)"
        )
        yield f"Not compiled: rules and bots are 80 to 220 times slower here. To mend that, {cure}."


def _invitation(host: str, port: int, public_url: str) -> str:
    """Return how others join."""
    if public_url:
        return f"they open {public_url}"
    if host in _THIS_MACHINE:
        return "to let others on your network join, start again with --host 0.0.0.0"
    ours = network_address() if host in _EVERY_ADDRESS else host
    return f"on the same network, they open {_url(ours, port)}" if ours else "this machine is on no network"


def network_address() -> str:
    """The address of this machine in its network; empty if it is in none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_OUTSIDE)
        except OSError:
            return ""
        return str(probe.getsockname()[0])


def _url(host: str, port: int) -> str:
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"
