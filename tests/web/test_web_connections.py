"""Connections that ask for nothing, too many of them, and what is written about all that."""

import asyncio
import contextlib
import logging
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from board import PATIENCE, Client, server
from uvicorn.protocols.websockets import websockets_sansio_impl

from othellier.page.server.connections import Connection, is_own, places
from othellier.page.server.logs import FOREIGN, LINES, Limited

HEAD_SECONDS = "othellier.page.server.connections.HEAD_SECONDS"


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> Iterator[Client]:
    monkeypatch.setattr(HEAD_SECONDS, 250)  # a busy machine may be slow too
    with server() as client:
        yield client


def slow(client: Client, sent: bytes = b"GET / HT") -> socket.socket:
    """A connection that does not come to its point."""
    port = client.base_url.port
    assert port is not None
    connection = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
    connection.sendall(sent)
    return connection


def answer(connection: socket.socket) -> bytes:
    """All that comes until the other end closes."""
    parts = []
    # What the server had not read when it closed makes its close a reset; the answer came before that.
    with connection, contextlib.suppress(ConnectionResetError):
        while part := connection.recv(4096):
            parts.append(part)
    return b"".join(parts)


@pytest.mark.parametrize("sent", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nhost: localhost\r\nx: "])
def test_a_request_must_come_to_its_point(client: Client, monkeypatch: pytest.MonkeyPatch, sent: bytes) -> None:
    monkeypatch.setattr(HEAD_SECONDS, 0.05)
    assert answer(slow(client, sent)).startswith(b"HTTP/1.1 408 ")


def test_the_second_request_of_a_connection_too(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    connection = slow(client, b"GET /nothing HTTP/1.1\r\nhost: localhost\r\n\r\n")
    assert connection.recv(4096).startswith(b"HTTP/1.1 404 ")
    monkeypatch.setattr(HEAD_SECONDS, 0.05)
    connection.sendall(b"GET /")
    assert b"HTTP/1.1 408 " in answer(connection)


def test_whoever_waits_longest_without_asking_makes_room(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Connection, "most", 3)
    first = slow(client, b"")
    others = [slow(client) for _ in range(2)]
    assert client.get("/api/v1/players").status_code == 200
    assert answer(first).startswith(b"HTTP/1.1 408 ")
    for other in others:
        other.sendall(b"TP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
        assert answer(other).startswith(b"HTTP/1.1 200 ")


def test_one_other_machine_may_not_take_all_places(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("othellier.page.server.connections.EACH", 2)
    monkeypatch.setattr("othellier.page.server.connections.is_own", lambda client: False)
    held = [slow(client), slow(client)]
    assert answer(slow(client, b"")).startswith(b"HTTP/1.1 429 ")
    place = ("127.0.0.1", client.base_url.port or 0)
    elsewhere = socket.create_connection(place, PATIENCE, source_address=("127.0.0.2", 0))
    elsewhere.sendall(b"GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
    assert answer(elsewhere).startswith(b"HTTP/1.1 200 "), "another one is let in"
    for each in held:
        each.close()


def test_whoever_has_said_all_is_answered(client: Client) -> None:
    """Some clients close their half of the connection after a request."""
    connection = slow(client, b"GET /api/v1/info HTTP/1.1\r\nhost: localhost\r\n\r\n")
    connection.shutdown(socket.SHUT_WR)
    assert answer(connection).startswith(b"HTTP/1.1 200 ")
    for half in (
        b"GET / HTTP/1.1\r\nho",
        b"POST /api/v1/games HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\n{",
    ):
        connection = slow(client, half)
        connection.shutdown(socket.SHUT_WR)
        assert not answer(connection).startswith(b"HTTP/1.1 2"), "nobody waits for the rest"


def test_nonsense_is_400(client: Client) -> None:
    assert answer(slow(client, b"\x16\x03\x01\x02\x00 nonsense\r\n\r\n")).startswith(b"HTTP/1.1 400 ")


def test_a_socket_whose_head_makes_no_sense_is_400(client: Client) -> None:
    head = b"GET /api/v1/games/x/socket HTTP/1.1\r\nhost: 127.0.0.1\r\nupgrade: websocket\r\nconnection: upgrade\r\n"
    head += b"sec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\norigin: \x01\r\n\r\n"
    assert answer(slow(client, head)).startswith(b"HTTP/1.1 400")


def test_there_are_places_left_for_other_files() -> None:
    assert places() >= 16


@pytest.mark.parametrize(
    ("client", "own"), [("127.0.0.1", True), ("127.9.9.9", True), ("::1", True), ("10.0.0.1", False), ("", False)]
)
def test_who_is_this_machine(client: str, own: bool) -> None:
    assert is_own(client) is own


# -- logs


class Written(logging.Handler):
    """Keeps what would be written."""

    def __init__(self, now: list[float]) -> None:
        super().__init__()
        self.lines: list[str] = []
        self.addFilter(Limited(clock=lambda: now[0]))

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


def test_a_flood_of_messages_is_a_few_lines() -> None:
    now = [0.0]
    written = Written(now)
    logger = logging.Logger("test")
    logger.addHandler(written)
    for number in range(5000):
        logger.warning("message %d %s", number, "x" * 10_000)
    assert len(written.lines) == LINES
    assert max(map(len, written.lines)) < 2100
    assert "too many messages" in written.lines[-1]
    now[0] = 61.0
    logger.warning("later")
    assert written.lines[-1] == f"later ({5000 - LINES} messages before this one were left out)"
    logger.warning("quiet again")
    assert written.lines[-1] == "quiet again"
    for minute in (2, 3, 4):
        for second in range(60):
            now[0] = 60.0 * minute + 1 + second
            for _ in range(LINES):
                logger.warning("on and on")
    assert len(written.lines) == LINES + 2 + 3 * LINES, "every minute has its lines"


def test_what_a_socket_sends_is_no_reason_for_a_traceback() -> None:
    assert FOREIGN in Path(websockets_sansio_impl.__file__).read_text(encoding="utf-8"), "so uvicorn says it"
    written = Written([0.0])
    logger = logging.Logger("test")
    logger.addHandler(written)
    for words in (FOREIGN, "a bug of ours"):
        try:
            b"\xff".decode()
        except UnicodeDecodeError:
            logger.exception(words)
    try:
        raise asyncio.CancelledError
    except asyncio.CancelledError:
        logger.exception("cut off")
    foreign, ours, cut_off = written.lines
    assert (foreign, cut_off) == (FOREIGN, "cut off")
    assert "Traceback" in ours
