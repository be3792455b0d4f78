"""`othellier gtp` and `othellier nboard` over real pipes: how conversations go on, and how they end."""

import io
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from othellier.cli import main
from othellier.players import create_player
from othellier.protocols import GtpServer, NBoardServer, serve, writer
from waiting import LIMIT, hear_line

Start = Callable[..., "subprocess.Popen[bytes]"]
DEEP = ("--player", "engine:depth=60")
"""Somebody who will not be done with the first move before the test is over."""


@pytest.fixture
def start() -> Iterator[Start]:
    running: list[subprocess.Popen[bytes]] = []

    def started(*arguments: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "othellier", *arguments]
        pipe = subprocess.PIPE
        running.append(subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0))
        return running[-1]

    yield started
    for process in running:
        process.kill()
        process.wait(LIMIT)
        for stream in (process.stdin, process.stdout, process.stderr):
            assert stream is not None
            stream.close()


def tell(process: subprocess.Popen[bytes], text: bytes) -> None:
    assert process.stdin is not None
    process.stdin.write(text)


def hear(process: subprocess.Popen[bytes]) -> bytes:
    assert process.stdout is not None
    return hear_line(process.stdout, "an answer")


def test_gtp_answers_line_by_line(start: Start) -> None:
    process = start("gtp", "--player", "random:seed=1")
    tell(process, b"\xff\xfe\x00 name\n1 na")
    assert hear(process) == b"? unknown command\n"
    tell(process, b"me\n")
    assert hear(process) + hear(process) == b"\n=1 Othellier\n"
    tell(process, b"2 " + b"x" * 500_000 + b"\n3 name\n4 name")
    out, err = process.communicate(timeout=LIMIT)
    assert out == b"\n?2 the line is too long\n\n=3 Othellier\n\n=4 Othellier\n\n", "the last line needs no end"
    assert (process.returncode, err) == (0, b"")


def test_nboard_answers_while_it_thinks(start: Start) -> None:
    process = start("nboard", *DEEP)
    tell(process, b"nboard 2\nset depth 60\ngo\n")
    assert hear(process) == b"set myname Othellier\n"
    assert hear(process) == b"set myname Othellier-60\n"
    assert hear(process) == b"status Othellier is thinking\n"
    tell(process, b"learn\n")
    assert hear(process) == b"learned\n"
    tell(process, b"ping 1\n")
    assert hear(process) == b"pong 1\n"
    tell(process, b"set depth 2\ngo\n")
    out, err = process.communicate(timeout=LIMIT)  # the lines end, and what was asked is still answered
    assert re.search(rb"\n=== [A-H][1-8]/-?\d+\.\d\d/\d+\.\d\d\nstatus Othellier is waiting\n$", out)
    assert (process.returncode, err) == (0, b"")


@pytest.mark.parametrize("protocol", ["gtp", "nboard"])
def test_quit_ends_it(protocol: str, start: Start) -> None:
    process = start(protocol, *DEEP)
    question = {"gtp": b"quit\ngenmove b\n", "nboard": b"go\nhint 3\nquit\ngo\n"}[protocol]
    out, err = process.communicate(question, timeout=LIMIT)
    assert b"===" not in out
    assert (process.returncode, err) == (0, b"")


@pytest.mark.parametrize("protocol", ["gtp", "nboard"])
def test_an_interruption_ends_it(protocol: str, start: Start) -> None:
    process = start(protocol, *DEEP)
    tell(process, {"gtp": b"name\ngenmove b\n", "nboard": b"go\n"}[protocol])
    assert hear(process) in (b"= Othellier\n", b"status Othellier is thinking\n")
    process.send_signal(signal.SIGINT)
    try:
        _, err = process.communicate(timeout={"gtp": LIMIT, "nboard": LIMIT / 4}[protocol])
    except subprocess.TimeoutExpired:
        if protocol == "gtp":  # nothing is read here while the player thinks
            raise
        # Python misses a signal that comes in the moment before it begins to read: one presses Ctrl-C again.
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=LIMIT)
    assert (process.returncode, err) == (130, b"othellier: interrupted\n")


@pytest.mark.parametrize("protocol", ["gtp", "nboard"])
def test_nobody_listens_any_more(protocol: str, start: Start) -> None:
    process = start(protocol, "--player", "random:seed=1")
    assert process.stdout is not None
    process.stdout.close()
    assert process.stdin is not None
    process.stdin.write(b"nboard 2\nname\ngo\n")
    process.stdin.close()
    assert process.wait(LIMIT) == 0
    assert process.stderr is not None
    assert process.stderr.read() == b""


@pytest.mark.parametrize("protocol", ["gtp", "nboard"])
def test_players_that_cannot_be_had(protocol: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([protocol, "--player", "randon"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err == "othellier: player 'randon': unknown player, did you mean 'random'?\n"


@pytest.mark.parametrize("protocol", ["gtp", "nboard"])
def test_the_usual_player(protocol: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO({"gtp": "boardsize 6\ngenmove b\n", "nboard": "go\n"}[protocol]))
    assert main([protocol]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert re.search({"gtp": r"^= [A-F][1-6]$", "nboard": r"^=== [A-H][1-8]/-?\d+\.\d\d/"}[protocol], out, re.MULTILINE)


# -- what the document shows

DOCUMENT = Path(__file__).parents[2] / "docs" / "protocols.md"


@pytest.mark.parametrize("protocol", ["gtp", "nboard"])
def test_conversations_of_the_document(protocol: str) -> None:
    """Lines that begin with `> ` are sent, all others are what comes back; times of thinking differ."""
    text = DOCUMENT.read_text(encoding="utf-8")
    found = re.search(rf"```text\n\$ othellier {protocol} --player (\S+)\n(.*?)```", text, re.DOTALL)
    assert found is not None
    shown = found[2].splitlines()
    sink = io.StringIO()
    player, write = create_player(found[1]), writer(sink)
    server = GtpServer(player) if protocol == "gtp" else NBoardServer(player, write)

    def said() -> list[str]:
        server.finish()
        lines = re.sub(r"(?m)^((?:===|nodestats) .*)\b\d+\.\d\d$", r"\g<1>0.00", sink.getvalue()).splitlines()
        sink.seek(0)
        sink.truncate()
        return [line.rstrip() for line in lines]

    heard: list[str] = []
    for line in shown:
        if line.startswith("> "):
            heard += [line]
            write(server.handle(f"{line[2:]}\n"))
            heard += said()
    server.close()
    assert heard == [line.rstrip() for line in shown]
    assert len(heard) >= 20


def test_a_server_is_closed_whatever_happens() -> None:
    class Rest(io.StringIO):
        def readline(self, size: int | None = -1) -> str:  # type: ignore[override]
            raise KeyboardInterrupt

    class Closing:
        closed = False
        was_closed = False

        def handle(self, line: str) -> str:
            return line

        def finish(self) -> None:
            raise AssertionError("there is nothing to wait for")

        def close(self) -> None:
            self.was_closed = True

    server = Closing()
    with pytest.raises(KeyboardInterrupt):
        serve(server, Rest(), lambda _: None)
    assert server.was_closed
