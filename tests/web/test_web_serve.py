"""The server as a program: its address, its port, its token, and kill -9 in the middle of a game."""

import os
import signal
import socket
import stat
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from board import HUMANS, PATIENCE, Client, board, new_game, poll, program, started_by

from othellier.errors import ConfigError
from othellier.page.server.serve import names_of, open_port
from othellier.page.storage.lock import hold


def test_kill_9_in_mid_game_loses_nothing(tmp_path: Path) -> None:
    with program(tmp_path) as (process, address), Client(base_url=address.rstrip("/"), timeout=PATIENCE) as client:
        state = new_game(client, white={"kind": "level", "level": "beginner+"}, title="Interrupted")
        with board(client, state["game"]) as tab:
            for _ in range(6):
                tab.do("move", square=tab.state["legal"][0]["square"])
                tab.until(your_turn=True)
            tab.do("comment", node=tab.state["node"], text="about to crash")
            before = tab.state
            os.kill(process.pid, signal.SIGKILL)
        process.wait(PATIENCE)
    with program(tmp_path) as (_, address), Client(base_url=address.rstrip("/"), timeout=PATIENCE) as client:
        library = client.get("/api/v1/games").json()
        assert [game["title"] for game in library["games"]] == ["Interrupted"]
        with board(client, state["game"]) as tab:
            for key in ("node", "board", "tree", "players", "your_turn"):
                assert tab.state[key] == before[key], key
            tab.do("move", square=tab.state["legal"][0]["square"])
            tab.until(your_turn=True)


def test_an_orderly_end_closes_tabs_and_says_nothing(tmp_path: Path) -> None:
    with program(tmp_path) as (process, address), Client(base_url=address.rstrip("/"), timeout=PATIENCE) as client:
        with board(
            client, new_game(client, white={"kind": "level", "level": "grandmaster"}, book=False)["game"]
        ) as tab:
            tab.do("move", square="f5")
            process.send_signal(signal.SIGINT)
            with pytest.raises(Exception, match="1012"):
                tab.hear("nothing")
        out, err = process.communicate(timeout=PATIENCE)
        assert process.returncode in (0, 130)
        assert (out, err) == ("", "")


def test_an_end_in_the_middle_of_an_import_keeps_what_is_there_and_says_so(tmp_path: Path) -> None:
    many = b"F5D6C3D3C4F4F6G5E3F3\n" * 100_000
    with program(tmp_path) as (process, address), Client(base_url=address.rstrip("/"), timeout=PATIENCE) as client:
        with ThreadPoolExecutor(1) as thread:
            answer = thread.submit(client.post, "/api/v1/import", content=many)
            poll(lambda: {"some": client.get("/api/v1/games").json().get("total", 0) > 0}, "some", True)
            reading = started_by(process.pid)
            for helper in reading:  # however slowly we look, the import is not over before the end comes
                os.kill(helper, signal.SIGSTOP)
            process.send_signal(signal.SIGTERM)
            for helper in reading:
                os.kill(helper, signal.SIGCONT)
            assert answer.result(PATIENCE).status_code >= 500
        _, err = process.communicate(timeout=PATIENCE)
        assert "Traceback" not in err
    with program(tmp_path) as (_, address), Client(base_url=address.rstrip("/"), timeout=PATIENCE) as client:
        assert 0 < client.get("/api/v1/games").json()["total"] < 100_000


def test_other_machines_need_the_token_that_is_printed(tmp_path: Path) -> None:
    with program(tmp_path, "--host", "0.0.0.0") as (_, address):
        place, _, token = address.partition("?token=")
        assert len(token) >= 20
        port = place.rstrip("/").rpartition(":")[2]
        with Client(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE) as client:
            assert client.get("/api/v1/info").status_code == 403
            assert client.get("/", params={"token": token}).status_code == 303
            assert client.get("/api/v1/info").json()["shared"]
            assert new_game(client, **HUMANS)["game"]


@pytest.mark.parametrize("host", ["127.0.0.2", "localhost"])
def test_its_own_addresses_are_answered(tmp_path: Path, host: str) -> None:
    with program(tmp_path, "--host", host, "--host", "othello.example") as (_, address):
        assert address.startswith("http://othello.example:")
        port = address.rstrip("/").rpartition(":")[2]
        with Client(base_url=f"http://{host}:{port}", timeout=PATIENCE) as client:
            for name in (host, "othello.example", "localhost", "127.0.0.1"):
                assert client.get("/", headers={"host": f"{name}:{port}"}).status_code == 200, name
            assert client.get("/", headers={"host": f"evil.example:{port}"}).status_code == 403


def test_names_of_a_server() -> None:
    names = names_of(["0.0.0.0", "Othello.Example.", "[2001:db8::1]"])
    assert {"othello.example", "2001:db8::1", "localhost", socket.gethostname().lower()} <= names
    assert socket.gethostname().lower() not in names_of(["127.0.0.2"]) - {"localhost"}


def test_a_folder_has_one_server(tmp_path: Path, complaint: Callable[..., str]) -> None:
    with program(tmp_path) as (process, address):
        said = complaint("play", "--no-browser", "--port", "0", "--data", tmp_path)
        assert f"in use by process {process.pid} at {address}" in said
        assert "--data" in said
        with program(tmp_path / "other"):
            pass
        os.kill(process.pid, signal.SIGKILL)
        process.wait(PATIENCE)
    with program(tmp_path):  # whoever is dead holds nothing
        pass


def rights(folder: Path) -> dict[str, int]:
    """Who may do what with a folder and all in it, as numbers."""
    return {str(path.relative_to(folder)): stat.S_IMODE(path.stat().st_mode) for path in [folder, *folder.rglob("*")]}


@pytest.mark.skipif(os.name == "nt", reason="Windows has other rights")
def test_only_its_owner_may_read_a_folder_of_games(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        data = tmp_path / "new"
        with program(data) as (process, address), Client(base_url=address, timeout=PATIENCE) as client:
            new_game(client, **HUMANS)
            client.post("/api/v1/database", params={"name": "a.txt"}, content=b"F5D6C3D3C4")
            made = rights(data)
            process.send_signal(signal.SIGINT)
            process.wait(PATIENCE)
        assert {".", "games.sqlite3", "server.lock", "database"} <= made.keys()
        assert {made[name] & 0o077 for name in made} == {0}
    finally:
        os.umask(before)


@pytest.mark.skipif(os.name == "nt", reason="Windows has other rights")
def test_a_folder_of_games_that_others_could_read_is_closed_to_them_but_nothing_else_is(tmp_path: Path) -> None:
    for name in ("ours", "mixed", "mixed/traces", "elsewhere"):
        (tmp_path / name).mkdir(mode=0o755)
    for name in ("ours/games.sqlite3", "ours/drill.json", "mixed/games.sqlite3-wal", "mixed/thesis.tex", "elsewhere/x"):
        (tmp_path / name).touch(0o644)
    (tmp_path / "mixed/books").symlink_to(tmp_path / "elsewhere")
    umask = os.umask(0o022)
    os.umask(umask)
    for name in ("ours", "mixed"):
        with hold(tmp_path / name):
            pass
    found = rights(tmp_path)
    assert [found[name] for name in ("ours", "ours/games.sqlite3", "ours/drill.json")] == [0o700, 0o600, 0o600]
    assert [found[name] for name in ("mixed/games.sqlite3-wal", "mixed/traces")] == [0o600, 0o700]
    assert [found[name] for name in ("mixed", "mixed/thesis.tex", "elsewhere", "elsewhere/x")] == [
        0o755 & ~umask,
        0o644 & ~umask,
        0o755 & ~umask,
        0o644 & ~umask,
    ]
    assert os.umask(umask) == umask


def test_a_port_in_use() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(ConfigError, match=f"port {port} is in use"):
            open_port("127.0.0.1", port)


def test_without_a_wish_another_port_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        monkeypatch.setattr("othellier.page.server.serve.DEFAULT_PORT", port)
        with open_port("127.0.0.1", None) as found:
            assert found.getsockname()[1] != port


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--host", "no.such.host.invalid"], "cannot listen on no.such.host.invalid"),
        (["--host", "203.0.113.1"], "cannot listen on 203.0.113.1"),
        (["--lang", "xx"], "there is no language 'xx'"),
    ],
)
def test_what_cannot_be_served_is_one_line(complaint: Callable[..., str], options: list[str], words: str) -> None:
    assert words in complaint("play", "--no-browser", "--private", *options)
