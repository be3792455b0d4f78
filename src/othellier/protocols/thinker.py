"""A thread in which a player thinks, so that whoever reads commands can go on reading, or be interrupted.

All that is asked of the player is asked in this thread, one thing after the other: a player need not know
of threads. What the answers are for is the business of the protocols.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from typing import TypeVar

from othellier.base.system import await_result
from othellier.games.game import GameNode
from othellier.games.results import Limit, Result, Stop
from othellier.players import Player
from othellier.players.follower import Follower, line_to

__all__ = ["Thinker"]

T = TypeVar("T")

PATIENCE = 0.5
"""Seconds a player has to stop. One that cannot goes on, and what comes of it is not heard any more."""


class Thinker:
    """A player in a thread of its own."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self._follower = Follower(player)
        self._work: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._idle = threading.Condition()
        self._waiting = 0
        self._stop = Stop()
        """Of all that is asked until somebody says stop."""
        self._asked = self._stop
        """Of what is being done now."""
        # A daemon, so that a player that never ends cannot keep the program from ending.
        self._thread = threading.Thread(target=self._run, name="thinker", daemon=True)
        self._thread.start()

    # -- from the reader's thread

    def submit(self, work: Callable[[], T]) -> Future[T]:
        """Have something done in the thread, after all that was asked before."""
        future: Future[T] = Future()
        stop = self._stop

        def run() -> None:
            self._asked = stop
            try:
                future.set_result(work())
            except BaseException as error:
                future.set_exception(error)

        with self._idle:
            self._waiting += 1
        self._work.put(run)
        return future

    def result(self, work: Callable[[], T]) -> T:
        """Have something done and wait for what comes of it; an interruption here stops the player there."""
        future = self.submit(work)
        try:
            return await_result(future)
        except BaseException:
            if not future.done():
                self.stop()
            raise

    def wait(self, seconds: float) -> bool:
        """Wait until all that was asked is done, but not longer; whether it is."""
        with self._idle:
            return self._idle.wait_for(lambda: not self._waiting, seconds)

    def stop(self) -> None:
        """Stop all that was asked so far, and wait a little for it to have stopped."""
        asked, self._stop = self._stop, Stop()
        asked.set()
        self.wait(PATIENCE)

    def close(self) -> None:
        """Stop the player and let it go."""
        self.stop()
        self._work.put(None)
        self._thread.join(PATIENCE)
        self.player.close()

    # -- in the thread

    def _run(self) -> None:
        while (work := self._work.get()) is not None:
            work()
            with self._idle:
                self._waiting -= 1
                self._idle.notify_all()

    def follow(self, node: GameNode) -> None:
        """Hand the player the moves of the game up to a node."""
        self._follower.follow(line_to(node))

    def choose(self, node: GameNode, limit: Limit) -> Result:
        """Return the player's move at a place in a game."""
        return self._follower.choose(line_to(node), self.stoppable(limit))

    def stoppable(self, limit: Limit) -> Limit:
        """The limit, with what lets `stop` end what is being done."""
        return replace(limit, stop=self._asked)
