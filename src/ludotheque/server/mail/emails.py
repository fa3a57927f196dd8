"""The two e-mails that the server writes: confirm an address, and a reminder that it is one's turn. Plain text, in the
reader's language."""

from __future__ import annotations

from collections.abc import Sequence
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formatdate, make_msgid
from typing import Final
from urllib.parse import urlsplit

from msgspec import Struct

from ludotheque.core.phrases import Phrase, phrase
from ludotheque.core.registry import find_game
from ludotheque.show.language import Reader, game_translator
from ludotheque.table.names import unlinked_name

_POLICY: Final = SMTP.clone(max_line_length=998)
"""Long addresses of pages stay whole in headers."""


class Recipient(Struct, frozen=True):
    """The recipient of an e-mail."""

    address: str
    language: str
    token: str
    """Confirms the address, and ends the reminders."""


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
        return self._email(to, phrase("Confirm your e-mail address for reminders"), text)

    def reminder(self, to: Recipient, table: str, game: str, others: Sequence[str]) -> EmailMessage:
        """Remind someone that it is their turn at a table, against these others."""
        kind = find_game(game)
        title = game_translator(game, to.language)(kind.title) if kind else game
        names = ", ".join(unlinked_name(name) for name in others)
        text = (
            phrase("It is your turn in {game}, with {names}:", game=title, names=names),
            f"{self._site}/t/{table}",
            phrase("Open the link in the browser in which you play. You get one message until you have come back."),
            phrase("No more reminders for this table:"),
            self._stop(to),
        )
        return self._email(to, phrase("Your turn: {game}", game=title), text)

    @property
    def _site(self) -> str:
        return self.public_url.rstrip("/")

    def _stop(self, to: Recipient) -> str:
        return f"{self._site}/reminders/stop?token={to.token}"

    def _email(self, to: Recipient, subject: Phrase, text: Sequence[Phrase | str]) -> EmailMessage:
        translate = Reader(to.language).translate
        email = EmailMessage(policy=_POLICY)
        email["From"] = f"Ludotheque <{self.sender}>"
        email["To"] = to.address
        email["Subject"] = subject.render(translate)
        email["Date"] = formatdate()
        email["Message-ID"] = make_msgid(domain=self.sender.rpartition("@")[2])
        email["Auto-Submitted"] = "auto-generated"
        email["List-Unsubscribe"] = f"<{self._stop(to)}>"
        email["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        email["Content-Language"] = to.language
        parts = [part.render(translate) if isinstance(part, Phrase) else part for part in text]
        email.set_content("\n\n".join(parts) + "\n", cte="quoted-printable")
        return email
