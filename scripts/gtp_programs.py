"""Play whole games with other people's programs over GTP (Debian: apt install grhino quarry xvfb xdotool).

* GRhino against `othellier gtp`, each colour once. Moves are handed from one to the other, as a controller does. GRhino
  passes by itself and refuses `play b pass`, so passes are not sent: `othellier gtp` must put them in too. At the end
  both must have the same board and the same score.
* Quarry, a graphical controller, lets GRhino play against `othellier gtp` with a clock. The game must come to its end
  and `othellier gtp` must refuse nothing.

The exit status is 1 where a game goes wrong. A program that is not installed is skipped, and one line says so.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from othellier import Game
from othellier.rules.geometry import PASS, parse_square

OURS = [sys.executable, "-m", "othellier", "gtp", "--player", "engine:depth=4"]
PATIENCE = 60.0
"""Seconds for a game in Quarry."""
CLICKS = """
quarry & sleep 3
xdotool mousemove 95 26 click 1; sleep 2    # New Game
xdotool mousemove 437 422 click 1; sleep 2  # Forward
xdotool mousemove 437 422 click 1           # Play
wait
"""
CONFIGURATION = """
[GTP Engine "GRhino"]
Screen name format = "%n"
Name = "GRhino"
Command line = "{rhino} --level=1"
Supported games = "Reversi"

[GTP Engine "Othellier"]
Screen name format = "%n"
Name = "Othellier"
Command line = "{ours}"
Supported games = "Reversi"

[New Game Parameters]
Game = "Reversi"
White is computer = true
Engine playing white = "Othellier"
Black is computer = true
Engine playing black = "GRhino"

[New Reversi Game Parameters]
Board size = 8
Time control type = 1
Time limit for game = 05:00
"""


class Program:
    """A GTP program."""

    def __init__(self, name: str, command: list[str]) -> None:
        self.name = name
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, command: str) -> str:
        """Send a command and return its answer. Exit where it is refused."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{command}\n")
        self.process.stdin.flush()
        lines: list[str] = []
        while not lines or lines[-1]:
            line = self.process.stdout.readline()
            if not line:
                sys.exit(f"{self.name} ended at '{command}'")
            lines.append(line.strip())
        if not lines[0].startswith("="):
            sys.exit(f"{self.name} refused '{command}': {' '.join(lines)}")
        return "\n".join(lines).removeprefix("=").strip()

    def board(self) -> str:
        """Return the discs of its board, row by row."""
        rows = re.findall(r"^[1-8](.*)", self.ask("showboard"), re.MULTILINE)
        return "".join(re.sub(r"[^XO.]", "", row) for row in rows).replace(".", "-")


def play(black: Program, white: Program) -> bool:
    """Play a game. Return whether both programs agree on its end."""
    game = Game()
    for one in (black, white):
        one.ask("boardsize 8")
        one.ask("clear_board")
    passes = 0
    while not game.position.is_over():
        if game.position.must_pass():
            game.push(PASS)
            passes += 1
            continue
        mover, other = (black, white) if game.position.turn == "black" else (white, black)
        color = game.position.turn[0]
        move = mover.ask(f"genmove {color}")
        other.ask(f"play {color} {move}")
        game.push(parse_square(move, game.start.size))
    end = game.position.board_string()[:64]
    scores = [one.ask("final_score") for one in (black, white)]
    print(f"{black.name} - {white.name}: {game.transcript()} ({passes} passes, {' and '.join(scores)})")
    return scores[0] == scores[1] and black.board() == white.board() == end


def direct(rhino: str) -> bool:
    """Play GRhino with each colour. Return whether both programs agreed."""
    ours, theirs = Program("Othellier", OURS), Program("GRhino", [rhino, "--level=1"])
    agreed = [play(ours, theirs), play(theirs, ours)]
    for one in (ours, theirs):
        one.ask("quit")
        one.process.wait(10)
    return all(agreed)


def in_quarry(rhino: str) -> bool:
    """Let Quarry play a game between both. Return whether it came to its end without a refusal."""
    with tempfile.TemporaryDirectory() as home:
        sent, said, program = Path(home, "sent"), Path(home, "said"), Path(home, "program")
        program.write_text(f"#!/bin/sh\ntee {sent} | {shlex.join(OURS)} | tee {said}\n")
        program.chmod(0o755)
        Path(home, ".quarry").write_text(CONFIGURATION.format(rhino=rhino, ours=program))
        command = ["xvfb-run", "-a", "-s", "-screen 0 1024x768x24", "sh", "-c", CLICKS]
        quarry = subprocess.Popen(command, env={**os.environ, "HOME": home}, start_new_session=True)
        game, refused, end = Game(), list[str](), time.monotonic() + PATIENCE
        while not game.position.is_over() and not refused and time.monotonic() < end:
            time.sleep(0.5)
            if said.exists():
                game, refused = conversation(sent.read_text(), said.read_text())
        os.killpg(quarry.pid, 15)
        quarry.wait(10)
        commands = sorted(set(re.findall(r"^(?:\d+ )?([a-z_-]+)", sent.read_text(), re.MULTILINE)))
    print(f"Quarry, GRhino - Othellier: {game.transcript()} ({', '.join(commands)})", *refused, sep="\n  ")
    return game.position.is_over() and not refused


def conversation(sent: str, said: str) -> tuple[Game, list[str]]:
    """Return the game of a conversation, and what was refused in it but for commands that are unknown."""
    game, refused = Game(), list[str]()
    for line, answer in zip(sent.splitlines(), said.split("\n\n")[:-1], strict=False):
        words = re.sub(r"^\d+ ", "", line).split()
        reply = re.sub(r"^([=?])\d*", r"\1", answer.strip())
        if reply.startswith("?"):
            refused += [] if "unknown command" in reply else [f"{line}: {reply}"]
        elif words[0] in ("play", "genmove"):
            move = words[2] if words[0] == "play" else reply.removeprefix("=").strip()
            square = parse_square(move, game.start.size)
            if game.position.must_pass() and square != PASS:
                game.push(PASS)
            game.push(square)
    if game.position.must_pass():
        game.push(PASS)
    return game, refused


def main() -> int:
    """Play the games for which programs are installed."""
    os.environ["PATH"] += f"{os.pathsep}/usr/games"
    rhino = shutil.which("gtp-rhino")
    if rhino is None:
        print("skipped: gtp-rhino is not installed (apt install grhino)")
        return 0
    went_well = direct(rhino)
    missing = [name for name in ("quarry", "xvfb-run", "xdotool") if shutil.which(name) is None]
    if missing:
        print(f"skipped: Quarry's game needs {', '.join(missing)} (apt install quarry xvfb xdotool)")
    else:
        went_well &= in_quarry(rhino)
    return 0 if went_well else 1


if __name__ == "__main__":
    sys.exit(main())
