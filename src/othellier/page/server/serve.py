"""Running the server: a port, an address to print, a browser to open, an orderly end."""

from __future__ import annotations

import errno
import gc
import ipaddress
import secrets
import socket
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import uvicorn

from othellier.errors import ConfigError
from othellier.games.game import Game
from othellier.messages.languages import languages
from othellier.page.server.app import ServerSettings, create_app
from othellier.page.server.connections import Connection, places
from othellier.page.server.logs import LOGGING
from othellier.page.server.security import Access
from othellier.page.storage.lock import hold
from othellier.session.commands import NewGame

DEFAULT_PORT = 8080
PORTS_TRIED = 20
SOCKET_LIMIT = 64 << 10
"""Bytes of one command: a long comment, and room to spare."""
COLLECTIONS = (50_000, 20, 100)
"""After how many new objects, and how many smaller collections, Python looks for garbage in cycles."""
TURN_SECONDS = 0.0005
"""How long a thread may hold the interpreter while others want it."""


def open_port(host: str, port: int | None) -> socket.socket:
    """A listening socket: on the port asked for, else on the first free one from the usual one on."""
    wanted = [port] if port is not None else [*range(DEFAULT_PORT, DEFAULT_PORT + PORTS_TRIED), 0]
    for number in wanted:
        try:
            family = socket.AF_INET6 if ":" in host else socket.AF_INET
            return socket.create_server((host, number), family=family, backlog=256)
        except OSError as error:
            if error.errno == errno.EADDRINUSE and port is None:
                continue
            if error.errno == errno.EADDRINUSE:
                raise ConfigError(f"port {port} is in use: choose another with --port, or leave it out") from None
            reason = (error.strerror or str(error)).lower()
            raise ConfigError(f"cannot listen on {host}, port {number}: {reason}") from None
        except OverflowError:
            raise ConfigError(f"{port} is no port: 0 to 65535 are") from None
    raise ConfigError(f"no port is free on {host}")


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def server_options() -> dict[str, Any]:
    """How uvicorn is to serve: quietly, and not more than asked for."""
    return {
        "access_log": False,
        "http": Connection,
        "log_config": LOGGING,
        "log_level": "warning",
        "proxy_headers": False,
        "server_header": False,
        "timeout_graceful_shutdown": 3,
        "ws": "websockets-sansio",
        "ws_max_size": SOCKET_LIMIT,
        "ws_per_message_deflate": False,  # small messages over short ways: to pack them costs more than to send them
    }


class _Server(uvicorn.Server):
    """Says when it is ready, and when it is about to end."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None], ending: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready
        self._ending = ending

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._ending()
        await super().shutdown(sockets)


def names_of(hosts: Sequence[str]) -> frozenset[str]:
    """What a server is called that was given these names: those, and this machine's own."""
    own = {"localhost", "127.0.0.1", "::1"}
    if not _is_loopback(hosts[0]):
        name = socket.gethostname().lower()
        own |= {name, f"{name}.local", socket.getfqdn().lower()}
    return frozenset(own | {host.strip("[]").rstrip(".").lower() for host in hosts})


@contextmanager
def _tuned_interpreter() -> Iterator[None]:
    """Python as a busy server wants it.

    Garbage in cycles is looked for less often: games live long, and looking took a tenth of the time. Threads take
    turns more often: a search that tells its progress waited for its turn longer than it searched.
    """
    before, turns = gc.get_threshold(), sys.getswitchinterval()
    gc.set_threshold(*COLLECTIONS)
    gc.freeze()
    sys.setswitchinterval(TURN_SECONDS)
    try:
        yield
    finally:
        sys.setswitchinterval(turns)
        gc.unfreeze()
        gc.set_threshold(*before)


def serve(
    *,
    hosts: Sequence[str],
    port: int | None,
    data: Path | None,
    language: str | None,
    games: tuple[Path, ...],
    books: tuple[Path, ...] = (),
    ready: Callable[[str], None],
    first: NewGame | None = None,
    ended: Callable[[Game], None] | None = None,
) -> None:
    """Serve on the first of the hosts, by the names of all, until told to stop.

    `ready` is handed the address, with the token where one is needed. `first` is a game to open with, handed to
    `ended` when the server stops.
    """
    if language is not None and language not in languages():
        raise ConfigError(f"there is no language {language!r}: there are {', '.join(languages())}")
    host = hosts[0]
    with ExitStack() as stack:
        note = stack.enter_context(hold(data)) if data is not None else lambda _: None
        listening = stack.enter_context(open_port(host, port))
        token = None if _is_loopback(host) else secrets.token_urlsafe(18)
        shown = hosts[1] if len(hosts) > 1 else socket.gethostname() if host in ("0.0.0.0", "::") else host
        address = f"http://{f'[{shown}]' if ':' in shown else shown}:{listening.getsockname()[1]}/"
        note(address)
        Connection.most = places()
        access = Access(names_of(hosts), token)
        settings = ServerSettings(
            data=data, access=access, language=language, games=games, books=books, first=first, ended=ended
        )
        app = create_app(settings)
        config = uvicorn.Config(app, **server_options())
        whole = address if token is None else f"{address}?token={token}"

        def opened() -> None:
            ready(whole if first is None else f"{whole}#{app.state.first}")

        def ending() -> None:
            app.state.manager.jobs.stop()  # whoever waits for one is told while there is somebody to tell it

        stack.enter_context(_tuned_interpreter())
        _Server(config, opened, ending).run(sockets=[listening])
