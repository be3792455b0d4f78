"""A place for one search that somebody may have under way, known by what it is about."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from othellier.players.pool import SearchJob


class Slot:
    """At most one search: another one wanted takes the place of the first."""

    def __init__(self) -> None:
        self.key: object = None
        self.task: asyncio.Task[None] | None = None
        self.job: SearchJob | None = None

    def want(self, key: object, start: Callable[[], Coroutine[Any, Any, None]] | None = None) -> None:
        """Have this search under way, or with None none; one that already is goes on."""
        if key == self.key and key is not None:
            return
        if self.task is not None:
            self.task.cancel()
        self.key, self.task, self.job = key, None, None
        if key is not None and start is not None:
            self.task = asyncio.get_running_loop().create_task(start())

    def begun(self, job: SearchJob) -> None:
        """Remember the job, to hurry it."""
        self.job = job
