"""The two e-mails that the server writes: confirm an address, and a reminder of all tables at which it is one's turn.
Plain text, in the reader's language."""

from __future__ import annotations

from collections.abc import Sequence
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formatdate, make_msgid
from typing import Final
from urllib.parse import urlsplit

from msgspec import Struct

from ludotheque.core.phrases import Phrase, phrase
from ludotheque.server.waiting import WaitingTable, subject
from ludotheque.show.language import Reader

_POLICY: Final = SMTP.clone(max_line_length=998)
"""Long addresses of pages stay whole in headers."""


class Recipient(Struct, frozen=True):
    """The recipient of an e-mail."""

    address: str
    language: str
    token: str
    """Confirms the address, and ends the reminders of a table."""
    address_token: str
    """Ends all reminders to the address."""


class EmailWriter(Struct, frozen=True):
    """Writes e-mails from one server."""

    public_url: str
    sender: str
    """The address that they come from."""

    def confirmation(self, to: Recipient) -> EmailMessage:
        """Ask whether an address is theirs. Nothing in it was written by a visitor, so that no one can write to
        strangers by this server."""
        site = urlsplit(self.public_url).hostname or ""
        asked = phrase(
            "Someone, probably you, asked {site} to send reminders of their turns to this address.", site=site
        )
        text = (
            asked,
            phrase("If it was you, confirm within two days:"),
            f"{self._site}/reminders#{to.token}",
            phrase("If it was not you, do nothing: no reminders will be sent. To refuse all further messages:"),
            self._stop(to),
        )
        return self._email(to, phrase("Confirm your e-mail address for reminders"), text, self._stop(to))

    def reminder(self, to: Recipient, tables: Sequence[WaitingTable]) -> EmailMessage:
        """Remind someone of the tables that wait for them."""
        text = self._one_table(to, tables[0]) if len(tables) == 1 else self._several_tables(to.language, tables)
        text += phrase("No more reminders at all:"), self._stop_all(to)
        return self._email(to, subject(tables, to.language), text, self._stop_all(to))

    def _one_table(self, to: Recipient, table: WaitingTable) -> list[Phrase | str]:
        return [
            phrase("It is your turn in {game}, with {names}:", game=table.title(to.language), names=table.names),
            self._site + table.path,
            phrase("Open the link in the browser in which you play. You get no further message until you come back."),
            phrase("No more reminders for this table:"),
            self._stop(to),
        ]

    def _several_tables(self, language: str, tables: Sequence[WaitingTable]) -> list[Phrase | str]:
        text: list[Phrase | str] = [phrase("It is your turn at several tables.")]
        for table in tables:
            text += (
                phrase("{game}, with {names}:", game=table.title(language), names=table.names),
                self._site + table.path,
            )
        text.append(
            phrase("Open the links in the browser in which you play. You get no further message until you come back.")
        )
        return text

    @property
    def _site(self) -> str:
        return self.public_url.rstrip("/")

    def _stop(self, to: Recipient) -> str:
        return f"{self._site}/reminders/stop?token={to.token}"

    def _stop_all(self, to: Recipient) -> str:
        return f"{self._site}/reminders/stop?all=true&token={to.address_token}"

    def _email(self, to: Recipient, about: Phrase, text: Sequence[Phrase | str], stop: str) -> EmailMessage:
        translate = Reader(to.language).translate
        email = EmailMessage(policy=_POLICY)
        email["From"] = f"Ludotheque <{self.sender}>"
        email["To"] = to.address
        email["Subject"] = about.render(translate)
        email["Date"] = formatdate()
        email["Message-ID"] = make_msgid(domain=self.sender.rpartition("@")[2])
        email["Auto-Submitted"] = "auto-generated"
        email["List-Unsubscribe"] = f"<{stop}>"
        email["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        email["Content-Language"] = to.language
        parts = [part.render(translate) if isinstance(part, Phrase) else part for part in text]
        email.set_content("\n\n".join(parts) + "\n", cte="quoted-printable")
        return email
