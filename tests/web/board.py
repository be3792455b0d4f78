"""What the tests of the server share: a real server on a port of its own, and a board that speaks to it."""

import json
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import httpx2
import pytest
import uvicorn
from websockets.sync.client import ClientConnection, connect

from othellier.engine.engine import Engine
from othellier.games.game import Game
from othellier.page.server.app import ServerSettings, create_app
from othellier.page.server.security import Access
from othellier.page.server.serve import open_port, server_options
from othellier.page.storage.store import Kept
from othellier.page.study.library import keep
from othellier.players.pool import Searchers
from othellier.session.commands import HumanChoice
from othellier.session.session import Session

T = TypeVar("T")

PATIENCE = 120.0
"""Seconds until a thing that never comes is given up, and said: many tests share few cores."""
HUMANS = {"black": {"kind": "human", "name": "Ann"}, "white": {"kind": "human", "name": "Bob"}}


class Client(httpx2.Client):
    """Somebody who asks a server."""

    @property
    def socket_url(self) -> str:
        """Where its sockets are."""
        return str(self.base_url).rstrip("/").replace("http", "ws", 1)

    @property
    def token_cookie(self) -> str:
        """The name of the cookie that a token is kept in."""
        return f"othellier_token_{self.base_url.port}"

    def socket(self, game: str, query: str = "", **options: Any) -> ClientConnection:
        """A socket on a game."""
        options = {"open_timeout": PATIENCE, "close_timeout": PATIENCE, **options}
        return connect(f"{self.socket_url}/api/v1/games/{game}/socket{query}", legacy=True, max_queue=None, **options)


def small_searchers() -> Searchers:
    """Two threads with small tables."""
    return Searchers(2, partial(Engine, hash_mb=1))


@contextmanager
def server(data: Path | None = None, access: Access | None = None, **settings: Any) -> Iterator[Client]:
    """A server in a thread of this process."""
    settings.setdefault("searchers", small_searchers)
    app = create_app(ServerSettings(data=data, access=access or Access(), **settings))
    ready = threading.Event()

    class Server(uvicorn.Server):
        async def startup(self, sockets: Any = None) -> None:
            await super().startup(sockets)
            ready.set()

    with pytest.MonkeyPatch.context() as patch, open_port("127.0.0.1", 0) as listening:
        patch.setattr("othellier.page.play.running_game.PACE_SECONDS", 0.0)
        running = Server(uvicorn.Config(app, **server_options()))
        thread = threading.Thread(target=running.run, kwargs={"sockets": [listening]})
        thread.start()
        assert ready.wait(PATIENCE), "the server did not start"
        try:
            with Client(base_url=f"http://127.0.0.1:{listening.getsockname()[1]}", timeout=PATIENCE) as client:
                yield client
        finally:
            running.should_exit = True
            thread.join(PATIENCE)
            assert not thread.is_alive(), "the server did not end"


@contextmanager
def program(data: Path, *options: str, **settings: Any) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """`othellier play` as a process of its own, and the address it prints."""
    command = [sys.executable, "-m", "othellier", "play", "--no-browser", "--port", "0", "--data", str(data), *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **settings)
    assert process.stdout is not None
    assert process.stderr is not None
    watch = threading.Timer(PATIENCE, process.kill)  # whoever says nothing is ended, and then there is a line's end
    watch.start()
    try:
        line = process.stdout.readline()
        watch.cancel()
        found = re.search(r"http://\S+", line)
        assert found is not None, f"no address in {line!r}: {process.stderr.read()}"
        yield process, found[0]
    finally:
        watch.cancel()
        process.kill()
        process.communicate(timeout=PATIENCE)


def started_by(process: int) -> list[int]:
    """The processes another one has started (Linux): a server's are those that read files."""
    lists = Path(f"/proc/{process}/task").glob("*/children")
    return [int(child) for found in lists for child in found.read_text().split()]


def poll(ask: Callable[[], dict[str, Any]], field: str, value: Any) -> dict[str, Any]:
    """Ask until a field of the answer has a value; whoever is told to come later comes later."""
    end, found = time.monotonic() + PATIENCE, dict[str, Any]()
    while time.monotonic() < end:
        found = ask()
        if found.get(field) == value:
            return found
        threading.Event().wait(0.05)  # less often than the server allows
    raise AssertionError(f"waited {PATIENCE:g} s for {field} to be {value}; the last answer was {found}")


def new_game(client: Client, **asked: Any) -> dict[str, Any]:
    """A new game's state."""
    answer = client.post("/api/v1/games", json=asked)
    assert answer.status_code == 201, answer.text
    state: dict[str, Any] = answer.json()
    return state


class Board:
    """One tab on a game."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.heard: list[dict[str, Any]] = []
        self.fresh: list[dict[str, Any]] = []
        self.state: dict[str, Any] = {}
        self._sent = 0
        self.hear("state")

    def next(self, wanted: str = "an event") -> dict[str, Any]:
        """The next event, which is remembered; what does not come is an error that says what was awaited."""
        try:
            event: dict[str, Any] = json.loads(self.socket.recv(timeout=PATIENCE))
        except TimeoutError:
            last = [(event["event"], event.get("id")) for event in self.heard[-5:]]
            raise AssertionError(f"waited {PATIENCE:g} s for {wanted}; the last events were {last}") from None
        self.heard.append(event)
        if event["event"] == "state":
            self.state = {**self.state, **event["state"]}
        return event

    def hear(self, name: str, **fields: Any) -> dict[str, Any]:
        """The next such event since the last command was sent."""
        while True:
            event = self.fresh.pop(0) if self.fresh else self.next(f"the event {name} with {fields}")
            if event["event"] == name and all(event.get(key) == value for key, value in fields.items()):
                return event

    def until(self, **fields: Any) -> dict[str, Any]:
        """Listen until the state is such."""
        while any(self.state.get(key) != value for key, value in fields.items()):
            self.next(f"a state with {fields}")
        return self.state

    def ask(self, do: str, **fields: Any) -> dict[str, Any]:
        """Send a command and listen until it is answered, with `done` or `error`."""
        self._sent += 1
        self.fresh.clear()
        self.socket.send(json.dumps({"do": do, "id": self._sent, **fields}))
        while True:
            event = self.next(f"the answer to command {self._sent}, {do}")
            if event["event"] in ("done", "error") and event.get("id") == self._sent:
                return event
            self.fresh.append(event)

    def do(self, do: str, **fields: Any) -> dict[str, Any]:
        """A command that must be obeyed; the state after it."""
        answer = self.ask(do, **fields)
        assert answer["event"] == "done", answer
        return self.state

    def refused(self, do: str, **fields: Any) -> str:
        """The code of a command that must be refused."""
        answer = self.ask(do, **fields)
        assert answer["event"] == "error", answer
        code: str = answer["error"]["code"]
        return code


@contextmanager
def board(client: Client, game: str, node: str | None = None) -> Iterator[Board]:
    """Open a tab on a game, at a node if wanted."""
    with client.socket(game, "" if node is None else f"?node={node}") as socket:
        yield Board(socket)


def kept(name: str = "one", owner: str = "local", moves: str = "f5d6") -> Kept:
    """A game as it is kept."""
    game = Game()
    for at in range(0, len(moves), 2):
        game.push(moves[at : at + 2])
    session = Session(game, {"black": HumanChoice(name="Ann"), "white": HumanChoice()}, title="A title")
    return keep(session, name, owner, 1000.0, 2000.0, imported=False)
