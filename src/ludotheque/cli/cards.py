"""`cards`: check and draw card sets of Pays noir, ours or the user's own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ludotheque.cli.terminal import write_file
from ludotheque.core.options import read_document
from ludotheque.games.pays_noir.cards import own_document, read_cards
from ludotheque.games.pays_noir.survey import contact_sheet, survey

cards = typer.Typer(help="Check and print the card sets of Pays noir.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    app.add_typer(cards, name="cards")


@cards.command()
def check(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A card set, as JSON or TOML (default: ours).")] = "",
    sheet: Annotated[
        Path | None, typer.Option("--sheet", metavar="FILE", help="Draw all cards into an SVG file.")
    ] = None,
) -> None:
    """Check a card set, and print its errors and statistics.

    Example: `ludotheque cards check mine.json --sheet cards.svg`
    """
    document = read_document(file) if file else own_document()
    found = survey(document)
    print(found)
    if found.faults:
        raise typer.Exit(1)
    if sheet is not None:
        write_file(sheet, contact_sheet(read_cards(document)))
