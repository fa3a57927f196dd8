"""`serve`: run the web server."""

from __future__ import annotations

import sys
import threading
import webbrowser
from pathlib import Path
from typing import Annotated, Final, Literal, get_args

import typer

from ludotheque.cli.greeting import address, greeting
from ludotheque.cli.terminal import Data, console, fail
from ludotheque.server.config import Feature, Most

_TOKEN_LENGTH: Final = 16


def register(app: typer.Typer) -> None:
    app.command()(serve)


def serve(
    host: Annotated[
        str, typer.Option("--host", help="The address to listen on; 0.0.0.0 serves other machines too.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, help="The port to listen on; 0 chooses a free one.")
    ] = 8000,
    database: Annotated[
        str,
        typer.Option(
            "--database",
            metavar="URL",
            envvar="LUDOTHEQUE_DATABASE",
            show_default="a SQLite file",
            help="The database, such as postgresql://user@host/name.",
        ),
    ] = "",
    data: Data = None,
    channels: Annotated[
        Literal["memory", "postgres"], typer.Option("--channels", help="How server processes exchange events.")
    ] = "memory",
    workers: Annotated[
        int,
        typer.Option(
            "--workers", min=0, show_default="one less than the cores", help="Number of bots that think at once."
        ),
    ] = 0,
    bot: Annotated[
        list[str] | None,
        typer.Option(
            "--bot",
            metavar="NAME=BOT",
            help="Offer a custom bot beside the levels, and for reviews: NAME=engine:COMMAND, "
            "NAME=python:package.module:Class, or the name of an installed bot; repeatable.",
        ),
    ] = None,
    bot_clock: Annotated[
        float, typer.Option("--bot-clock", min=0.1, max=3600, help="Seconds per move for custom bots.")
    ] = 60.0,
    forget_after: Annotated[
        int,
        typer.Option(
            "--forget-after",
            metavar="DAYS",
            min=0,
            show_default="never",
            help="Delete a table this many days after its last move.",
        ),
    ] = 0,
    public_url: Annotated[
        str,
        typer.Option(
            "--public-url", metavar="URL", help="The address that people use, such as https://games.example.org."
        ),
    ] = "",
    smtp_url: Annotated[
        str,
        typer.Option(
            "--smtp-url",
            metavar="URL",
            envvar="LUDOTHEQUE_SMTP_URL",
            help="The mail server for reminders, smtp://user:password@host:port or smtps://...; needs --public-url.",
        ),
    ] = "",
    mail_from: Annotated[
        str,
        typer.Option(
            "--mail-from",
            metavar="ADDRESS",
            show_default="ludotheque@ the host of --public-url",
            help="The address that reminders come from.",
        ),
    ] = "",
    trusted_proxy: Annotated[
        list[str] | None,
        typer.Option(
            "--trusted-proxy",
            metavar="ADDRESS",
            help="A proxy whose forwarded client addresses are trusted; repeatable.",
        ),
    ] = None,
    without: Annotated[
        list[str] | None,
        typer.Option(
            "--without",
            metavar="FEATURE",
            help="Switch off profiles (and all that needs them), pairing, ratings, tournaments, clubs, passkeys, "
            "push (notifications while no page is open) or reports to the operator; repeatable.",
        ),
    ] = None,
    most: Annotated[
        list[str] | None,
        typer.Option(
            "--most",
            metavar="WHAT=NUMBER",
            help="A limit: open-tables in the lobby from one network (10), tournaments that a person organises (5), "
            "clubs of a person (20) or new profiles of a network in a day (100); repeatable.",
        ),
    ] = None,
    operator_token: Annotated[
        str,
        typer.Option(
            "--operator-token",
            metavar="TOKEN",
            envvar="LUDOTHEQUE_OPERATOR_TOKEN",
            help="The token that opens /operator, where you see and close all tables; at least 16 characters.",
        ),
    ] = "",
    operator_token_file: Annotated[
        Path | None,
        typer.Option("--operator-token-file", metavar="FILE", help="A file with that token in its first line."),
    ] = None,
    log_format: Annotated[
        Literal["auto", "lines", "json"],
        typer.Option("--log-format", help="Log readable lines or JSON; auto: lines at a terminal, else JSON."),
    ] = "auto",
    open_browser: Annotated[bool, typer.Option("--open", help="Open the lobby in a browser.")] = False,
) -> None:
    """Serve the games to browsers: play against bots, with friends at one screen, or by link.

    Examples: `ludotheque serve --open` · `ludotheque serve --host 0.0.0.0 --port 80 --data /srv/ludotheque`
    """
    from ludotheque.server.app import create_app
    from ludotheque.server.config import Settings, default_data, default_workers
    from ludotheque.server.run import check_database, check_mail, listen, serve as run
    from ludotheque.server.table_bots import TableBots

    if channels == "postgres" and not database.startswith("postgresql"):
        fail("--channels postgres needs a PostgreSQL --database.")
    settings = Settings(
        data=data or default_data(),
        database=database,
        channels=channels,
        workers=workers or default_workers(),
        bots=TableBots.read(bot or []),
        bot_clock=bot_clock,
        forget_after=forget_after,
        host=host,
        public_url=public_url,
        trusted_proxies=tuple(trusted_proxy or ()),
        smtp_url=smtp_url,
        mail_from=mail_from,
        without=_features(without or []),
        most=_most(most or []),
        operator_token=_token(operator_token, operator_token_file),
    )
    check_mail(settings)
    with listen(host, port) as listener:
        check_database(settings)
        used_port = listener.getsockname()[1]
        _greet(host, used_port, public_url)
        if open_browser:
            threading.Thread(target=webbrowser.open, args=(address(host, used_port),), daemon=True).start()
        as_lines = sys.stderr.isatty() if log_format == "auto" else log_format == "lines"
        run(create_app(settings), listener, settings, as_lines)


def _features(names: list[str]) -> frozenset[Feature]:
    """The features with these names."""
    known = get_args(Feature)
    for name in names:
        if name not in known:
            fail(f"--without takes {', '.join(known)}; not {name}.")
    return frozenset(name for name in known if name in names)


def _most(limits: list[str]) -> Most:
    """The most of each thing, from `WHAT=NUMBER`."""
    known = {name.replace("_", "-"): name for name in Most.__struct_fields__}
    wanted = {}
    for limit in limits:
        what, _, number = limit.partition("=")
        if what not in known or not number.isdecimal() or int(number) < 1:
            fail(f"--most takes WHAT=NUMBER, where WHAT is one of {', '.join(known)}; not {limit}.")
        wanted[known[what]] = int(number)
    return Most(**wanted)


def _token(token: str, file: Path | None) -> str:
    """The operator's token, from the option or from a file."""
    if file is not None:
        try:
            token = (file.read_text(encoding="utf-8-sig").splitlines() or [""])[0].strip()
        except (OSError, UnicodeDecodeError) as error:
            fail(f"The operator's token cannot be read from {file}: {error}.")
    if (token or file) and len(token) < _TOKEN_LENGTH:
        fail(f"The operator's token must have at least {_TOKEN_LENGTH} characters.")
    return token


def _greet(host: str, port: int, public_url: str) -> None:
    """Say where the server runs: to a person in some lines, to a program in one."""
    if console.is_terminal:
        console.print("\n".join(greeting(host, port, public_url)), soft_wrap=True)
    else:
        print(f"Ludotheque is running at {address(host, port)}; press Ctrl-C to stop it.", flush=True)
