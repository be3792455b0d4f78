"""The server as a program: its address, its port, its token, and kill -9 in the middle of a game."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from board import HUMANS, Client, board, new_game

from othellier.cli import main
from othellier.errors import ConfigError
from othellier.web.serve import open_port


@contextmanager
def program(data: Path, *options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """`othellier play` as a process of its own, and the address it prints."""
    command = [sys.executable, "-m", "othellier", "play", "--no-browser", "--port", "0", "--data", str(data), *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stderr is not None
    try:
        line = process.stdout.readline()
        found = re.search(r"http://\S+", line)
        assert found is not None, line + process.stderr.read()
        yield process, found[0]
    finally:
        process.kill()
        process.communicate()


def test_kill_9_in_mid_game_loses_nothing(tmp_path: Path) -> None:
    with program(tmp_path) as (process, address), Client(base_url=address.rstrip("/"), timeout=None) as client:
        state = new_game(client, white={"kind": "level", "level": "beginner+"}, title="Interrupted")
        with board(client, state["game"]) as tab:
            for _ in range(6):
                tab.do("move", square=tab.state["legal"][0]["square"])
                tab.until(your_turn=True)
            tab.do("comment", node=tab.state["node"], text="about to crash")
            before = tab.state
            os.kill(process.pid, signal.SIGKILL)
        process.wait()
    with program(tmp_path) as (_, address), Client(base_url=address.rstrip("/"), timeout=None) as client:
        library = client.get("/api/v1/games").json()
        assert [game["title"] for game in library["games"]] == ["Interrupted"]
        with board(client, state["game"]) as tab:
            for key in ("node", "board", "tree", "players", "your_turn"):
                assert tab.state[key] == before[key], key
            tab.do("move", square=tab.state["legal"][0]["square"])
            tab.until(your_turn=True)


def test_an_orderly_end_closes_tabs_and_says_nothing(tmp_path: Path) -> None:
    with program(tmp_path) as (process, address), Client(base_url=address.rstrip("/"), timeout=None) as client:
        with board(
            client, new_game(client, white={"kind": "level", "level": "grandmaster"}, book=False)["game"]
        ) as tab:
            tab.do("move", square="f5")
            process.send_signal(signal.SIGINT)
            with pytest.raises(Exception, match="1012"):
                tab.hear("nothing")
        out, err = process.communicate()
        assert process.returncode in (0, 130)
        assert (out, err) == ("", "")


def test_other_machines_need_the_token_that_is_printed(tmp_path: Path) -> None:
    with program(tmp_path, "--host", "0.0.0.0") as (_, address):
        place, _, token = address.partition("?token=")
        assert len(token) >= 20
        port = place.rstrip("/").rpartition(":")[2]
        with Client(base_url=f"http://127.0.0.1:{port}", timeout=None) as client:
            assert client.get("/api/v1/info").status_code == 403
            assert client.get("/", params={"token": token}).status_code == 303
            assert client.get("/api/v1/info").json()["shared"]
            assert new_game(client, **HUMANS)["game"]


def test_a_port_in_use() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(ConfigError, match=f"port {port} is in use"):
            open_port("127.0.0.1", port)


def test_without_a_wish_another_port_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        monkeypatch.setattr("othellier.web.serve.DEFAULT_PORT", port)
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
def test_what_cannot_be_served_is_one_line(capsys: pytest.CaptureFixture[str], options: list[str], words: str) -> None:
    assert main(["play", "--no-browser", "--private", *options]) == 2
    err = capsys.readouterr().err
    assert words in err
    assert err.count("\n") == 1


def test_without_its_extra_the_page_says_what_to_install(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    monkeypatch.delitem(sys.modules, "othellier.web.serve", raising=False)
    assert main(["play", "--no-browser"]) == 2
    assert "pip install 'othellier[web]'" in capsys.readouterr().err
