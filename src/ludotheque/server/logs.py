"""Logs as one JSON object per line, or as lines for people; without keys, names, chat and addresses of visitors."""

from __future__ import annotations

import logging
import logging.config
import re
from datetime import UTC, datetime
from typing import Any, Final

import msgspec

_VALUES: Final = re.compile(r"^DETAIL: .*\n?", re.MULTILINE)
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
        line |= _extra(record)
        if record.exc_info:
            line["trace"] = _without_values(self.formatException(record.exc_info))
        return msgspec.json.encode(line, enc_hook=str).decode()


class ReadableLines(logging.Formatter):
    """Formats an event for a person: time, level unless it is plain information, message and extra fields."""

    def format(self, record: logging.LogRecord) -> str:
        time = datetime.fromtimestamp(record.created).strftime("%H:%M:%S")
        level = "" if record.levelno == logging.INFO else f"{record.levelname.lower()}: "
        extra = "".join(f" {name}={value}" for name, value in _extra(record).items())
        trace = f"\n{_without_values(self.formatException(record.exc_info))}" if record.exc_info else ""
        return f"{time} {level}{record.getMessage()}{extra}{trace}"


def _extra(record: logging.LogRecord) -> dict[str, Any]:
    """The fields that a caller added to an event."""
    return {name: value for name, value in vars(record).items() if name not in _PLAIN}


def _without_values(trace: str) -> str:
    """A trace without the values that PostgreSQL adds to its errors: the secret seed of the dice may be among them."""
    return _VALUES.sub("", trace)


def _names_no_visitor(record: logging.LogRecord) -> bool:
    """False for what uvicorn logs of each socket, whatever its access log is set to: the address of the visitor."""
    return '"WebSocket %s"' not in str(record.msg)


def configure_logs(as_lines: bool) -> None:
    kind = ReadableLines if as_lines else JsonLines
    logging.config.dictConfig(
        {
            "version": 1,
            "disable_existing_loggers": False,
            "formatters": {"chosen": {"()": kind}},
            "filters": {"no visitor": {"()": lambda: _names_no_visitor}},
            "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "chosen"}},
            "root": {"level": "WARNING", "handlers": ["stderr"]},
            "loggers": {
                "ludotheque": {"level": "INFO"},
                "uvicorn.error": {"level": "INFO", "filters": ["no visitor"]},
            },
        }
    )
