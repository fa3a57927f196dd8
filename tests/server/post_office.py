"""A mail server on the loopback that keeps every message."""

from __future__ import annotations

import email
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from email.policy import default
from typing import Any

from aiosmtpd.controller import Controller

from tests.server.harness import wait_until
from tests.server.postgres import free_port


class PostOffice:
    """Takes messages in, and counts those that it refused."""

    def __init__(self) -> None:
        self.messages: list[EmailMessage] = []
        self.is_open = True
        self.refused = 0

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802 (aiosmtpd's name)
        if not self.is_open:
            self.refused += 1
            return "451 come back later"
        message = email.message_from_bytes(envelope.content, policy=default)
        assert isinstance(message, EmailMessage)
        assert [message["To"]] == envelope.rcpt_tos
        self.messages.append(message)
        return "250 taken"

    def take(self) -> EmailMessage:
        """Wait for the next message."""
        wait_until(lambda: self.messages)
        return self.messages.pop(0)


@contextmanager
def post_office() -> Iterator[tuple[PostOffice, str]]:
    """A running mail server, and its address for `--smtp-url`."""
    office, port = PostOffice(), free_port()
    controller = Controller(office, hostname="127.0.0.1", port=port)
    controller.start()
    try:
        yield office, f"smtp://127.0.0.1:{port}"
    finally:
        controller.stop()
