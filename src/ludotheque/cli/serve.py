"""`serve`: the table in the browser."""

from __future__ import annotations

import socket
import threading
import time
import webbrowser
from pathlib import Path
from typing import Annotated, Literal

import typer

from ludotheque.cli.terminal import console, fail

_PATIENCE = 30.0


def register(app: typer.Typer) -> None:
    app.command()(serve)


def serve(
    host: Annotated[
        str, typer.Option("--host", help="The address to listen at; 0.0.0.0: for others too.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="The port to listen at.")] = 8000,
    database: Annotated[
        str, typer.Option("--database", metavar="URL", help="Where tables are kept, such as postgresql+asyncpg://...")
    ] = "",
    data: Annotated[
        Path | None, typer.Option("--data", metavar="DIR", help="The folder for the SQLite file, if no URL is given.")
    ] = None,
    channels: Annotated[
        str, typer.Option("--channels", metavar="KIND", help="How several server processes talk: memory or postgres.")
    ] = "memory",
    workers: Annotated[
        int, typer.Option("--workers", min=0, help="How many bots think at once; 0: cores less one.")
    ] = 0,
    open_browser: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
) -> None:
    """Open the table in the browser: play alone, with friends at one screen, or by link.

    Examples: `ludotheque serve --open` · `ludotheque serve --host 0.0.0.0 --port 80 --data /srv/ludotheque`
    """
    from ludotheque.server.config import Settings, default_data, default_workers
    from ludotheque.server.run import prepare
    from ludotheque.server.run import serve as run

    settings = Settings(
        host=host,
        port=port,
        data=data or default_data(),
        database=database,
        channels=_channels(channels, database),
        workers=workers or default_workers(),
    )
    if not _is_free(host, port):
        fail(f"Somebody listens at port {port} already; name another one with --port.")
    prepare(settings)
    address = f"http://{'localhost' if host in ('127.0.0.1', '0.0.0.0', '::') else host}:{port}/"
    console.print(f"Ludotheque is at [bold]{address}[/bold]; stop it with Ctrl-C.")
    if open_browser:
        threading.Thread(target=_open_when_ready, args=(address, port), daemon=True).start()
    run(settings)


def _channels(word: str, database: str) -> Literal["memory", "postgres"]:
    if word != "memory" and not (word == "postgres" and database.startswith("postgresql")):
        fail("The channels are memory, or postgres together with a --database of PostgreSQL.")
    return "postgres" if word == "postgres" else "memory"


def _is_free(host: str, port: int) -> bool:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True


def _open_when_ready(address: str, port: int) -> None:
    """Open the page once the server answers."""
    deadline = time.monotonic() + _PATIENCE
    while time.monotonic() < deadline:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            webbrowser.open(address)
            return
