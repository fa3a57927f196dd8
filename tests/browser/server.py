"""A real server for the browser to visit."""

from __future__ import annotations

from pathlib import Path

from tests.server import harness
from tests.server.postgres import free_port


class Server(harness.Server):
    """A server with our games alone, always on the same port.

    It has no limits, for scripts press buttons quickly, and reads records however busy the machine is.
    """

    def __init__(self, folder: Path, *flags: str) -> None:
        super().__init__(folder, "--no-limits", "--no-toys", "--slow-readers", f"--port={free_port()}", *flags)
