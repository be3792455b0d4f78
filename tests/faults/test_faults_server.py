"""The server under faults: killed at random, its disk full or read-only, its database damaged, two of them at once.

Whatever was answered with `done` is there afterwards; what cannot be kept is said, and nothing ends in a bug.
"""

import contextlib
import os
import random
import resource
import shutil
import signal
import sqlite3
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from board import HUMANS, PATIENCE, Board, Client, board, new_game, program, server
from websockets.exceptions import WebSocketException

FILE = "games.sqlite3"


@contextlib.contextmanager
def running(data: Path, **settings: Any) -> Iterator[tuple[subprocess.Popen[str], Client]]:
    """A server in a process of its own, and somebody who asks it."""
    with (
        program(data, **settings) as (process, address),
        Client(base_url=address.rstrip("/"), timeout=PATIENCE) as client,
    ):
        yield process, client


def play_until_dead(client: Client, game: str, promised: dict[str, str], moves: threading.Semaphore) -> None:
    """Play on; note what was answered, and count it."""
    with contextlib.suppress(WebSocketException, OSError), board(client, game) as tab:
        while not tab.state["over"]:
            squares = [entry["square"] for entry in tab.state["legal"]]
            promised[game] = tab.do("move", square=squares[len(promised[game]) % len(squares)])["node"]
            moves.release()


def test_kill_9_at_random_loses_no_move_that_was_answered(tmp_path: Path) -> None:
    rng = random.Random(7)
    promised: dict[str, str] = {}
    for _ in range(4):
        with running(tmp_path) as (process, client):
            for game, node in promised.items():
                assert client.get(f"/api/v1/games/{game}").json()["node"].startswith(node), game
            moves = threading.Semaphore(0)
            games = [new_game(client, **HUMANS)["game"] for _ in range(2)]
            promised |= dict.fromkeys(games, "")
            players = [threading.Thread(target=play_until_dead, args=(client, game, promised, moves)) for game in games]
            for thread in players:
                thread.start()
            for number in range(rng.randint(1, 40)):
                assert moves.acquire(timeout=PATIENCE), f"move {number} was not answered"
            os.kill(process.pid, signal.SIGKILL)
            for thread in players:
                thread.join(PATIENCE)
                assert not thread.is_alive(), "somebody still plays on a dead server"
            process.wait(PATIENCE)
    with running(tmp_path) as (_, client):
        assert client.get("/api/v1/info").json()["store"] == {"ok": True, "message": ""}
        for game, node in promised.items():
            assert client.get(f"/api/v1/games/{game}").json()["node"].startswith(node), game


def small_files() -> None:
    """In the server, before it begins: no file may grow beyond some pages, as on a disk that is full."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200 << 10, resource.RLIM_INFINITY))


def test_a_full_disk_is_said_and_healed(tmp_path: Path) -> None:
    with running(tmp_path, preexec_fn=small_files) as (process, client):
        game = new_game(client, **HUMANS)["game"]
        with board(client, game) as tab:
            tab.do("move", square="f5")
            number = 0
            while tab.state["saved"]:  # until the disk is full
                number += 1
                assert number < 200, "the disk does not fill"
                tab.do("comment", node="f5", text="x" * 9000 + str(number))
            said = next(event for event in tab.heard if event["event"] == "saved")
            assert said["error"]["code"] == "not_saved"
            assert tab.do("move", square="d6")["node"] == "f5d6"  # the game goes on
            resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
            tab.until(saved=True) if tab.do("move", square="c3")["saved"] else tab.hear("saved", saved=True)
            tab.do("ping")
            os.kill(process.pid, signal.SIGKILL)
            process.wait(PATIENCE)
    with running(tmp_path) as (_, client):
        assert client.get(f"/api/v1/games/{game}").json()["node"] == "f5d6c3"


def test_a_disk_that_may_not_be_written_to_is_said_and_one_plays(tmp_path: Path) -> None:
    # A file in place of the folder is a place where nobody, root neither, can write.
    place = tmp_path / "file"
    place.write_text("")
    with running(place / "data") as (_, client):
        told = client.get("/api/v1/info").json()["store"]
        assert not told["ok"]
        assert "memory only" in told["message"]
        with board(client, new_game(client, **HUMANS)["game"]) as tab:
            assert tab.do("move", square="f5")["node"] == "f5"
        assert client.get("/api/v1/games").json()["total"] == 1


def test_a_database_that_becomes_read_only_is_said(tmp_path: Path) -> None:
    with server(tmp_path) as client, board(client, new_game(client, **HUMANS)["game"]) as tab:
        tab.do("move", square="f5")
        lock = sqlite3.connect(tmp_path / FILE, isolation_level=None)
        lock.execute("BEGIN IMMEDIATE")  # as another program may
        assert not tab.do("move", square="d6")["saved"] or tab.hear("saved")["saved"] is False
        lock.execute("ROLLBACK")
        lock.close()
        tab.hear("saved", saved=True)
    with server(tmp_path) as client:
        assert client.get("/api/v1/games").json()["games"][0]["transcript"] == "F5D6"


def test_bytes_flipped_in_the_database(tmp_path: Path) -> None:
    good = tmp_path / "good"
    with server(good) as client:
        for number in range(20):
            with board(client, new_game(client, **HUMANS, title=f"Game {number}")["game"]) as tab:
                tab.do("move", square="f5")
                tab.do("comment", node="f5", text="a word " * 100)
        ids = {game["game"] for game in client.get("/api/v1/games", params={"limit": 200}).json()["games"]}
    whole = (good / FILE).read_bytes()
    rng = random.Random(5)
    served = 0
    for number in range(6):
        place = tmp_path / str(number)
        shutil.copytree(good, place)
        data = bytearray(whole)
        for _ in range(3):
            data[rng.randrange(4096, len(data))] ^= 1 << rng.randrange(8)
        (place / FILE).write_bytes(data)
        with server(place) as client:
            library = client.get("/api/v1/games", params={"limit": 200})
            assert library.status_code == 200, library.text
            for game in library.json()["games"]:
                assert client.get(f"/api/v1/games/{game['game']}").status_code in (200, 422)
            assert client.get("/api/v1/explorer").status_code == 200
            assert client.get("/api/v1/export").status_code in (200, 409)
            assert client.get("/api/v1/options").status_code == 200
            served += len(ids & {game["game"] for game in library.json()["games"]})
            with board(client, new_game(client, **HUMANS)["game"]) as tab:
                assert tab.do("move", square="f5")["saved"]
    assert served >= 0.8 * 6 * len(ids)


def test_two_servers_do_not_share_a_folder(tmp_path: Path, complaint: Callable[..., str]) -> None:
    with running(tmp_path) as (process, client):
        game = new_game(client, **HUMANS)["game"]
        with client.socket(game) as line:
            tab = Board(line)
            tab.do("move", square="f5")
            assert f"process {process.pid}" in complaint("play", "--no-browser", "--port", "0", "--data", tmp_path)
            assert tab.do("move", square="d6")["saved"]
    with running(tmp_path) as (_, client):
        assert client.get(f"/api/v1/games/{game}").json()["node"] == "f5d6"
