"""Logs as one JSON object per line, without keys, names and chat."""

from __future__ import annotations

import logging
import logging.config
from datetime import UTC, datetime
from typing import Any, Final

import msgspec

_PLAIN: Final = {*vars(logging.makeLogRecord({})), "message", "asctime", "taskName", "color_message"}


class JsonLines(logging.Formatter):
    """Formats an event as one line: time, level, logger, message and extra fields."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": record.getMessage(),
        }
        line |= {name: value for name, value in vars(record).items() if name not in _PLAIN}
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return msgspec.json.encode(line, enc_hook=str).decode()


def configure_logs() -> None:
    logging.config.dictConfig(
        {
            "version": 1,
            "disable_existing_loggers": False,
            "formatters": {"json": {"()": "ludotheque.server.logs.JsonLines"}},
            "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json"}},
            "root": {"level": "WARNING", "handlers": ["stderr"]},
            "loggers": {"ludotheque": {"level": "INFO"}, "uvicorn.error": {"level": "INFO"}},
        }
    )
