"""A server for tests, with the toy games beside the real ones unless `--no-toys` is said.

`python -m tests.server.launch FOLDER [--no-limits] [--no-toys] [--impatient] [--patient] [--slow-readers] [--proxy]
[--port=N] [--public=URL] [--operator=TOKEN] [--smtp=URL] [--push=PORT:CERTIFICATE] [--without=FEATURE]
[DATABASE]`

It says on standard output which port of the loopback it was given.

`python -m tests.server.launch --fork` loads the server once and forks one for each request of `tests.server.forking`:
most of the time that a server takes to start is spent on its imports.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import socket
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, get_args

from tests.lifeline import end_with_tests

if TYPE_CHECKING:
    from litestar import Litestar

    from ludotheque.server.config import Settings

_TOYS = "LUDOTHEQUE_TOYS"
_DATABASE = "ludotheque.sqlite3"
_EMPTY: list[bytes] = []
"""The database of a server that has just started, where servers are forked."""
_APPS: list[Litestar] = []
"""The application, where servers are forked."""


def main() -> None:
    if sys.argv[1:] == ["--fork"]:
        fork_servers()
    else:
        run(sys.argv[1:])


def run(words: list[str]) -> None:
    from ludotheque.server.run import listen, serve

    end_with_tests()
    if "--no-toys" not in words:
        register_toys()
    for word in words:
        if word.startswith("--push="):
            reach_push_service(*word[7:].split(":"))
    settings = settings_of(words)
    if not settings.database:
        lay_out(settings.data)
    port = next((int(word[7:]) for word in words if word.startswith("--port=")), 0)
    with listen("127.0.0.1", port) as listener:
        print(listener.getsockname()[1], flush=True)
        serve(app_for(settings), listener, settings)


def reach_push_service(port: str, certificate: str) -> None:
    """Let every push service be the one at a port of this machine, known by a certificate."""
    from ludotheque.server.push import network
    from tests.server.push_service import LoopbackNetwork

    os.environ["SSL_CERT_FILE"] = certificate
    vars(network)["PublicNetwork"] = lambda: LoopbackNetwork(int(port))


def register_toys() -> None:
    """Register the toy games here and, by the environment, in the workers."""
    import tests.toy  # noqa: F401

    os.environ[_TOYS] = "yes"


def settings_of(words: list[str]) -> Settings:
    from ludotheque.server.config import Feature, Settings
    from ludotheque.server.table_bots import TableBots

    database = next((word for word in words if word.startswith("postgresql")), "")
    smtp_url = next((word[7:] for word in words if word.startswith("--smtp=")), "")
    impatient = "--impatient" in words
    return Settings(
        data=Path(words[0]),
        limits="--no-limits" not in words,
        database=database,
        channels="postgres" if database else "memory",
        bots=TableBots.read([word[6:] for word in words if word.startswith("--bot=")]),
        reading_seconds=60.0 if "--slow-readers" in words else 1.0 if impatient else 5.0,
        header_seconds=1.0 if impatient else 10.0,
        body_seconds=1.0 if impatient else 30.0,
        unread_response_seconds=1.0 if impatient else 60.0,
        operator_token=next((word[11:] for word in words if word.startswith("--operator=")), ""),
        stop_seconds=60 if "--patient" in words else 10,
        trusted_proxies=("127.0.0.1",) if "--proxy" in words else (),
        public_url=_public_url(words),
        smtp_url=smtp_url,
        remind_after=0.0,
        without=frozenset(name for name in get_args(Feature) if f"--without={name}" in words),
    )


def _public_url(words: list[str]) -> str:
    needs_one = "--proxy" in words or any(word.startswith("--smtp=") for word in words)
    given = (word[9:] for word in words if word.startswith("--public="))
    return next(given, "https://club.example" if needs_one else "")


# Forking.


def fork_servers() -> None:
    """Fork a server for each request, until the tests end."""
    load_servers()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for those who watch servers
    control = socket.socket(fileno=0)
    while True:
        request, files, _, _ = socket.recv_fds(control, 65536, 4)
        if not request:
            return
        if not os.fork():
            _watch_server(json.loads(request), files)
        for file in files:
            os.close(file)


def load_servers() -> None:
    """Load here, once, all that servers load until they are ready, and keep their garbage collectors off it."""
    import ludotheque.server.push.sender
    import ludotheque.server.reminders.pusher  # noqa: F401
    from ludotheque.core.registry import game_classes
    from ludotheque.server.app import create_app
    from ludotheque.server.config import Settings
    from ludotheque.server.run import check_database

    game_classes()
    with TemporaryDirectory() as folder:
        settings = Settings(data=Path(folder))
        _APPS.append(create_app(settings))
        check_database(settings)
        _EMPTY.append((Path(folder) / _DATABASE).read_bytes())
    gc.collect()
    gc.freeze()


def app_for(settings: Settings) -> Litestar:
    """The application with these settings; to put its routes together takes 0.1 s, so forked servers share them."""
    from ludotheque.server.app import create_app

    app = _APPS[0] if _APPS else create_app(settings)
    app.state.settings = settings
    return app


def lay_out(folder: Path) -> None:
    """Give a server that starts in an empty folder the tables that it would make there, which takes 0.1 s."""
    if _EMPTY and not any(folder.glob(f"{_DATABASE}*")):
        (folder / _DATABASE).write_bytes(_EMPTY[0])


def _watch_server(words: list[str], files: list[int]) -> None:
    """Fork a server with these standard files, and say over the last one which process it is and how it ended."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    *standard, told = files
    pid = os.fork()
    if not pid:
        for number, file in enumerate(standard):
            os.dup2(file, number)
        for file in files:
            os.close(file)
        run(words)
        sys.exit()
    for file in (0, *standard):
        os.close(file)
    os.write(told, f"{pid}\n".encode())
    _, status = os.waitpid(pid, 0)
    os.write(told, f"{os.waitstatus_to_exitcode(status)}\n".encode())
    os._exit(0)


if _TOYS in os.environ:  # in a worker, which imports this module too
    register_toys()
if __name__ == "__main__":
    main()
