"""Send the server's e-mails; whoever sends them learns only why one could not be sent, not to whom."""

from __future__ import annotations

import asyncio
import smtplib
from collections.abc import Callable, Sequence
from email.message import EmailMessage

from msgspec import Struct

from ludotheque.server.errors import Undelivered
from ludotheque.server.mail.emails import EmailWriter, Recipient
from ludotheque.server.waiting import WaitingTable


class Mailer(Struct, frozen=True):
    """Writes and sends e-mails."""

    writer: EmailWriter
    send: Callable[[EmailMessage], None]
    """Hands a message to a mail server, and blocks."""

    async def ask(self, to: Recipient) -> None:
        """Ask for the confirmation of an address."""
        await self._send(self.writer.confirmation(to))

    async def remind(self, to: Recipient, tables: Sequence[WaitingTable]) -> None:
        """Remind someone of the tables that wait for them."""
        await self._send(self.writer.reminder(to, tables))

    async def _send(self, message: EmailMessage) -> None:
        try:
            await asyncio.to_thread(self.send, message)
        except (smtplib.SMTPException, OSError) as error:
            raise Undelivered(_reason(error)) from error


def _reason(error: Exception) -> str:
    """The reason of a failure, without the address that the text of the error may hold."""
    code = error.smtp_code if isinstance(error, smtplib.SMTPResponseException) else ""
    return f"{type(error).__name__} {code}".strip()
