"""A browser tab as the server sees it: where it looks, what it wants to see, and what it is still to be told."""

from __future__ import annotations

import asyncio

from othellier.games.game import GameNode
from othellier.page.play.search_slot import Slot

QUEUE_LIMIT = 1000
CROWDED = 30
"""Messages waiting from which a tab is too slow to be told of mere progress."""


class Tab:
    """One tab. Telling never waits: a tab that does not listen loses progress first, then its connection."""

    def __init__(self, wanted: str | None = None) -> None:
        self.wanted = wanted
        """The node it asks to begin at, by its id."""
        self.place: GameNode | None = None
        """The node it looks at; none before it has joined a game."""
        self.follows = False
        """Whether it goes along when another tab looks elsewhere."""
        self.values_on = False
        self.values_depth: int | None = None
        self.hint = Slot()
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
