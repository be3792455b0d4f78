"""What the server writes for whoever started it: few lines, whatever others send."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from typing import Any

LINES = 30
SECONDS = 60.0
LENGTH = 2000
FOREIGN = "Invalid UTF-8 sequence received from client."
"""What uvicorn says, with a traceback, of a socket's nonsense: a line is enough."""


class Limited(logging.Filter):
    """Lets so many messages a minute pass; of those it left out it tells the number."""

    def __init__(
        self, lines: int = LINES, seconds: float = SECONDS, clock: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__()
        self._lines, self._seconds, self._clock = lines, seconds, clock
        self._since = clock()
        self._passed = self._left_out = 0

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a message passes."""
        now = self._clock()
        words = record.getMessage()[:LENGTH]
        if now - self._since >= self._seconds:
            if self._left_out:
                words += f" ({self._left_out} messages before this one were left out)"
            self._since, self._passed, self._left_out = now, 0, 0
        self._passed += 1
        if self._passed > self._lines:
            self._left_out += 1
            return False
        if self._passed == self._lines:
            words += " (too many messages: more of this minute are left out)"
        record.msg, record.args = words, ()
        error = record.exc_info[1] if record.exc_info else None
        if words.startswith(FOREIGN) or isinstance(error, asyncio.CancelledError):  # or somebody cut off at the end
            record.exc_info = None
        return True


def _logger() -> dict[str, Any]:
    return {"handlers": ["few"], "level": "WARNING", "propagate": False}


LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"limited": {"()": "othellier.page.server.logs.Limited"}},
    "handlers": {"few": {"class": "logging.StreamHandler", "filters": ["limited"]}},
    "loggers": {name: _logger() for name in ("uvicorn", "asyncio", "othellier")},
}
"""For `logging.config.dictConfig`: everything that is said here goes through one narrow door."""
