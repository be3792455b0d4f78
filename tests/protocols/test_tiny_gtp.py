"""The example of an engine, `examples/tiny_gtp.py`: it knows the rules, speaks GTP and loses games on the board."""

import random
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from othellier import match, random_position, square_name

EXAMPLE = Path(__file__).parents[2] / "examples" / "tiny_gtp.py"


def test_its_rules_are_the_rules() -> None:
    flips = runpy.run_path(str(EXAMPLE))["flips"]
    for seed in range(40):
        position = random_position(random.Random(seed), empties=seed + 10)
        board = {square_name(square): color[0] for square in range(64) if (color := position.color_at(square))}
        for square in map(square_name, range(64)):
            turned = flips(board, position.turn[0], square)
            legal = position.is_legal(square)
            assert sorted(turned) == (sorted(map(square_name, position.flips(square))) if legal else [])


def test_it_answers_and_refuses() -> None:
    asked = "protocol_version\nboardsize 6\nplay b f5\ngenmove w\nfly\nquit\ngenmove b\n"
    done = subprocess.run(
        [sys.executable, EXAMPLE], input=asked, capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.split("\n\n") == ["= 2", "? unacceptable size", "= ", "= d6", "? unknown command", "= ", ""]
    assert done.stderr == ""


@pytest.mark.skipif(sys.platform == "win32", reason="other programs as players are for Unix")
def test_it_plays_to_the_end() -> None:
    played = match("engine:depth=2", f"gtp:{sys.executable} {EXAMPLE}", games=2, openings="start")
    assert (played.tally.games, played.tally.on_board) == (2, 2)
