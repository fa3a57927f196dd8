"""A real server for the browser to visit."""

from __future__ import annotations

import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path

from tests.lifeline import start_python

_PATIENCE = 60.0
_SERVE = """
import sys
from pathlib import Path
from ludotheque.server.app import create_app
from ludotheque.server.config import Settings
from ludotheque.server.run import listen, serve
from tests.lifeline import end_with_tests
end_with_tests()
with listen("127.0.0.1", int(sys.argv[1])) as listener:
    settings = Settings(data=Path(sys.argv[2]), limits=False, reading_seconds=60)
    serve(create_app(settings), listener, settings)
"""


class Server:
    """A server as `ludotheque serve` starts it, on a free port, its tables kept in a folder.

    It has no limits, for scripts press buttons quickly, and reads records however busy the machine is.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        with (self.folder / "server.log").open("ab") as log:
            self.process = start_python("-c", _SERVE, str(self.port), str(self.folder), stdout=log, stderr=log)
        deadline = time.monotonic() + _PATIENCE
        while not self._answers():
            assert self.process.poll() is None, (self.folder / "server.log").read_text()
            assert time.monotonic() < deadline, "the server does not answer"
            time.sleep(0.1)

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/health", timeout=1) as answer:
                return bool(answer.status == 200)
        except (urllib.error.URLError, OSError):
            return False

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait(_PATIENCE)
            if self.process.stdin:
                self.process.stdin.close()
            self.process = None
