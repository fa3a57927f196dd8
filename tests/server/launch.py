"""A server for tests, with the toy games beside the real ones.

`python -m tests.server.launch FOLDER [--no-limits] [DATABASE]`

It says on standard output which port of the loopback it was given.
"""

from __future__ import annotations

import socket
import sys
from pathlib import Path

import tests.toy  # noqa: F401  (registers the toy games, here and in the workers)


def main() -> None:
    import uvicorn

    from ludotheque.server.config import Settings
    from ludotheque.server.logs import configure_logs
    from ludotheque.server.run import uvicorn_config

    configure_logs()
    listener = socket.create_server(("127.0.0.1", 0), backlog=2048)
    database = next((word for word in sys.argv if word.startswith("postgresql")), "")
    settings = Settings(
        data=Path(sys.argv[1]),
        limits="--no-limits" not in sys.argv,
        database=database,
        channels="postgres" if database else "memory",
    )
    print(listener.getsockname()[1], flush=True)
    uvicorn.Server(uvicorn_config(settings)).run(sockets=[listener])


if __name__ == "__main__":
    main()
