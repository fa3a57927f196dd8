"""`cards check`: check a card set of Pays noir."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ludotheque.cli.terminal import write_file
from ludotheque.core.options import read_document
from ludotheque.games.pays_noir.card_report import card_report, contact_sheet
from ludotheque.games.pays_noir.document import built_in_document, read_cards


def register(app: typer.Typer) -> None:
    cards = typer.Typer(name="cards", help="Check and draw the card sets of Pays noir.", no_args_is_help=True)
    cards.command()(check)
    app.add_typer(cards)


def check(
    file: Annotated[
        str, typer.Argument(metavar="FILE", show_default="our own", help="A card set, as JSON or TOML.")
    ] = "",
    sheet: Annotated[str, typer.Option("--sheet", metavar="FILE", help="Draw all cards as an SVG file.")] = "",
) -> None:
    """Report what is wrong with a card set, card by card, and its statistics.

    Example: `ludotheque cards check mine.json --sheet cards.svg`
    """
    document = read_document(file) if file else built_in_document()
    report = card_report(document)
    print(report)
    if report.faults:
        raise typer.Exit(1)
    if sheet:
        write_file(Path(sheet), contact_sheet(read_cards(document)))
