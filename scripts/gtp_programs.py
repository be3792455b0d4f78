"""Play two games over GTP between `othellier gtp` and GRhino (Debian: apt install grhino), each colour once.

Moves are handed from one program to the other, as a GTP controller does. GRhino passes by itself and refuses
`play b pass`, so passes are not sent: `othellier gtp` must put them in too. At the end both must have the same board
and the same score. The exit status is 1 if they differ. Where GRhino is not installed, one line says so.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys

from othellier import Game
from othellier.geometry import PASS, parse_square


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


def main() -> int:
    """Play both games."""
    os.environ["PATH"] += f"{os.pathsep}/usr/games"
    rhino = shutil.which("gtp-rhino")
    if rhino is None:
        print("skipped: gtp-rhino is not installed (apt install grhino)")
        return 0
    ours = Program("Othellier", [sys.executable, "-m", "othellier", "gtp", "--player", "engine:depth=4"])
    theirs = Program("GRhino", [rhino, "--level=1"])
    agreed = [play(ours, theirs), play(theirs, ours)]
    for one in (ours, theirs):
        one.ask("quit")
        one.process.wait(10)
    return 0 if all(agreed) else 1


if __name__ == "__main__":
    sys.exit(main())
