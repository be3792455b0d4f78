"""How many connections there may be, and how long one may take to say what it wants.

A connection that sends no request holds a file and nothing else, but files are few. So the time until a request's
head is there is limited; where all places are taken, the one that has waited longest without asking goes; and no
other machine may take them all. What is asked is the business of `security`.
"""

from __future__ import annotations

import asyncio
import ipaddress
from typing import Any

import h11
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

HEAD_SECONDS = 10.0
MOST = 6000
EACH = 500
"""Connections of one other machine: a class behind one address, each with several tabs."""
SPARE = 200
"""Files left for everything else: games, the database, searches."""


def places() -> int:
    """How many connections there is room for; the system is asked for more files than it gives by itself."""
    try:
        import resource
    except ImportError:  # Windows, which has no such limit
        return MOST
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST + SPARE if hard == resource.RLIM_INFINITY else min(hard, MOST + SPARE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft = wanted
    return MOST if soft == resource.RLIM_INFINITY else max(16, min(MOST, soft - SPARE))


def is_own(client: str) -> bool:
    """Whether a client is this very machine."""
    try:
        return ipaddress.ip_address(client).is_loopback
    except ValueError:
        return False


class Connection(H11Protocol):
    """A connection that must say in time what it wants."""

    most = MOST

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.since = 0.0
        self._said_all = False
        """Whether the client has closed its half, and waits for an answer."""
        self._head: asyncio.TimerHandle | None = None

    @property
    def waits(self) -> bool:
        """Whether nothing has been asked yet."""
        return self._head is not None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody has come: make room, or say that there is none."""
        super().connection_made(transport)
        self.since = self.loop.time()
        client = "" if self.client is None else self.client[0]
        if not is_own(client) and self._others(client) > EACH:
            self._refuse(b"429 Too Many Requests")
            return
        if len(self.connections) > self.most and not self._make_room():
            self._refuse(b"503 Service Unavailable")
            return
        self._watch()

    def _others(self, client: str) -> int:
        known = [getattr(each, "client", None) for each in self.connections]  # sockets are among them
        return sum(each is not None and each[0] == client for each in known)

    def _make_room(self) -> bool:
        waiting = [each for each in self.connections if isinstance(each, Connection) and each.waits]
        if not waiting:
            return False
        min(waiting, key=lambda each: each.since)._refuse(b"408 Request Timeout")
        return True

    def _refuse(self, status: bytes) -> None:
        self._unwatch()
        self.transport.write(b"HTTP/1.1 " + status + b"\r\nconnection: close\r\ncontent-length: 0\r\n\r\n")
        self.transport.close()
        self.connections.discard(self)

    def _watch(self) -> None:
        self._head = self.loop.call_later(HEAD_SECONDS, self._refuse, b"408 Request Timeout")

    def _unwatch(self) -> None:
        if self._head is not None:
            self._head.cancel()
            self._head = None

    def data_received(self, data: bytes) -> None:
        """Part of a request: its head must come to an end in time."""
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE or self.transport.is_closing():
            self._unwatch()
        elif self._head is None:
            self._watch()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """From here on it is a socket; one whose head makes no sense is neither answered nor closed by itself."""
        self._unwatch()
        super().handle_websocket_upgrade(event)
        if not getattr(self.transport.get_protocol(), "handshake_initiated", True):
            self._refuse(b"400 Bad Request")

    def eof_received(self) -> bool:  # type: ignore[override]  # asyncio asks for it
        """The client says no more; one that has asked something whole is answered first."""
        asked = self.cycle is not None and not self.cycle.response_complete
        self._said_all = asked and self.conn.their_state in (h11.DONE, h11.MUST_CLOSE)
        return self._said_all

    def on_response_complete(self) -> None:
        """An answer has been given."""
        super().on_response_complete()
        if self._said_all:
            self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """It has gone."""
        self._unwatch()
        super().connection_lost(exc)
