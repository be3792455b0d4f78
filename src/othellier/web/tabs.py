"""A browser tab as the server sees it: a queue of what it is still to be told."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from pydantic import BaseModel

from othellier.errors import OthellierError, PlayerError, RequestError
from othellier.web.shapes import ErrorView

__all__ = ["Tab", "error_view", "event_text"]

QUEUE_LIMIT = 1000
CROWDED = 30
"""Messages waiting from which a tab is too slow to be told of mere progress."""


def error_view(error: Exception) -> ErrorView:
    """An error as the page is told it."""
    if isinstance(error, RequestError):
        return ErrorView(code=error.code, message=error.message, data=error.data)
    if not isinstance(error, OthellierError):
        words = f"this is a bug, please report it: {type(error).__name__}: {error}"
        return ErrorView(code="internal", message=" ".join(words.split())[:300], data={})
    code = "player_failed" if isinstance(error, PlayerError) else "bad_request"
    return ErrorView(code=code, message=" ".join(str(error).split())[:500], data={})


def event_text(name: str, **fields: Any) -> str:
    """An event as it is sent; only fields that were set are."""
    plain = {
        key: value.model_dump(mode="json", exclude_unset=True) if isinstance(value, BaseModel) else value
        for key, value in fields.items()
    }
    return json.dumps({"event": name, **plain}, ensure_ascii=False, separators=(",", ":"))


class Tab:
    """One tab. Telling never waits: a tab that does not listen loses progress first, then its connection."""

    def __init__(self) -> None:
        self.revision = 0
        """The tree it has."""
        self.close_code: int | None = None
        self._queue: asyncio.Queue[str | None] = asyncio.Queue(QUEUE_LIMIT)

    def tell(self, text: str, progress: bool = False) -> None:
        """Queue a message; mere progress is left out where many wait already."""
        if self.close_code is not None or (progress and self._queue.qsize() > CROWDED):
            return
        if self._queue.full():
            self.close(1013)
        else:
            self._queue.put_nowait(text)

    def close(self, code: int) -> None:
        """Let the connection end with a code, after what was said before if there is room."""
        if self.close_code is None:
            self.close_code = code
            if self._queue.full():
                self._queue.get_nowait()
            self._queue.put_nowait(None)

    async def next(self) -> str | None:
        """The next message to send; None when the connection is to end."""
        return await self._queue.get()
