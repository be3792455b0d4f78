"""Games on their way to the store: those that come while others are being written share the next transaction.

A save is on disk when its future is done. However many games are played at once, the disk is asked for one thing at
a time, and nobody waits behind a queue of others.
"""

from __future__ import annotations

import threading
from concurrent.futures import Future

from othellier.errors import RequestError
from othellier.page.storage.store import Kept, Store

AT_ONCE = 100
"""Games of one transaction."""
END_SECONDS = 60.0


class Writer:
    """One thread that saves what it is handed, in that order."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._waiting: list[tuple[Kept, Future[None]]] = []
        self._changed = threading.Condition()
        self._closed = False
        self._thread = threading.Thread(target=self._serve, name="writer", daemon=True)
        self._thread.start()

    def save(self, game: Kept) -> Future[None]:
        """Save a game; where that fails, the future holds the RequestError."""
        future: Future[None] = Future()
        future.set_running_or_notify_cancel()  # whoever stops waiting for it does not undo it
        with self._changed:
            if self._closed:
                future.set_exception(RequestError("not_saved", "the server is about to end", reason="closed"))
            else:
                self._waiting.append((game, future))
                self._changed.notify()
        return future

    def close(self) -> None:
        """Save what is left, and end."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        self._thread.join(END_SECONDS)

    # -- in the thread

    def _serve(self) -> None:
        while True:
            with self._changed:
                while not self._waiting and not self._closed:
                    self._changed.wait()
                if not self._waiting:
                    return
                taken, self._waiting = self._waiting[:AT_ONCE], self._waiting[AT_ONCE:]
            self._write(taken)

    def _write(self, taken: list[tuple[Kept, Future[None]]]) -> None:
        try:
            self._store.save([game for game, _ in taken])
        except Exception as error:
            if len(taken) == 1:
                taken[0][1].set_exception(error)
                return
            for one in taken:  # what is wrong with one of them is not the others' business
                self._write([one])
            return
        for _, future in taken:
            future.set_result(None)
