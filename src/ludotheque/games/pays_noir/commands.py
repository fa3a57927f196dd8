"""What Pays noir adds to the command line: `cards check`."""

from __future__ import annotations

from typing import Final

from ludotheque.core.commands import Argument, Command, Output
from ludotheque.core.options import read_document
from ludotheque.games.pays_noir.card_report import card_report, contact_sheet
from ludotheque.games.pays_noir.document import own_document, read_cards


def check(file: str, sheet: str) -> Output:
    """Report the faults of a card set and its statistics; draw its cards if asked to."""
    document = read_document(file) if file else own_document()
    report = card_report(document)
    if report.faults or not sheet:
        return Output(text=str(report), failed=bool(report.faults))
    return Output(text=str(report), files={sheet: contact_sheet(read_cards(document))})


COMMANDS: Final = (
    Command(
        group="cards",
        group_help="Check and print the card sets of Pays noir.",
        name="check",
        help="""Report what is wrong with a card set, card by card, and its statistics.

        Example: `ludotheque cards check mine.json --sheet cards.svg`
        """,
        arguments=(
            Argument(name="file", metavar="FILE", help="A card set, as JSON or TOML (default: our own)."),
            Argument(name="sheet", metavar="FILE", help="Draw all cards as an SVG file.", is_option=True),
        ),
        run=check,
    ),
)
