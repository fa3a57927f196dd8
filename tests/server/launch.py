"""A server for tests, with the toy games beside the real ones.

`python -m tests.server.launch FOLDER [--no-limits] [--impatient] [--patient] [--proxy] [--port=N] [--operator=TOKEN]
[--smtp=URL] [DATABASE]`

It says on standard output which port of the loopback it was given.
"""

from __future__ import annotations

import sys
from pathlib import Path

import tests.toy  # noqa: F401  (registers the toy games, here and in the workers)
from tests.lifeline import end_with_tests


def main() -> None:
    from ludotheque.bots.registry import TableBots
    from ludotheque.server.app import create_app
    from ludotheque.server.config import Settings
    from ludotheque.server.run import listen, serve

    end_with_tests()
    database = next((word for word in sys.argv if word.startswith("postgresql")), "")
    smtp_url = next((word[7:] for word in sys.argv if word.startswith("--smtp=")), "")
    impatient = "--impatient" in sys.argv
    settings = Settings(
        data=Path(sys.argv[1]),
        limits="--no-limits" not in sys.argv,
        database=database,
        channels="postgres" if database else "memory",
        bots=TableBots.read([word[6:] for word in sys.argv if word.startswith("--bot=")]),
        reading_seconds=1.0 if impatient else 5.0,
        header_seconds=1.0 if impatient else 10.0,
        body_seconds=1.0 if impatient else 30.0,
        operator_token=next((word[11:] for word in sys.argv if word.startswith("--operator=")), ""),
        stop_seconds=60 if "--patient" in sys.argv else 10,
        trusted_proxies=("127.0.0.1",) if "--proxy" in sys.argv else (),
        public_url="https://club.example" if "--proxy" in sys.argv or smtp_url else "",
        smtp_url=smtp_url,
        remind_after=0.0,
    )
    port = next((int(word[7:]) for word in sys.argv if word.startswith("--port=")), 0)
    with listen("127.0.0.1", port) as listener:
        print(listener.getsockname()[1], flush=True)
        serve(create_app(settings), listener, settings)


if __name__ == "__main__":
    main()
