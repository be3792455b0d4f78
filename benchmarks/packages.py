"""`python -m benchmarks.packages [--out FILE]`: this package beside the others for Othello that PyPI offers.

Each is installed into an environment of its own in build/packages and plays whole games of random moves for some
seconds of processor time, as a user's Python would: ask for the legal moves, choose one, play it. The choice is
Python's, so a package is measured by its rules and by what a call of it costs. Sizes are those of what pip installs,
dependencies included. What the packages can do besides is in docs/compared.md.
"""

import argparse
import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measure import publish
from othellier.base.machine import machine

ROOT = Path(__file__).parents[1]
HOMES = ROOT / "build" / "packages"
SECONDS = 5

MEASURE = """
import json, random, sys, time
begin = time.process_time()
{imports}
loaded = time.process_time() - begin
rng = random.Random(1)
{game}
play()
moves, begin = 0, time.process_time()
while time.process_time() < begin + float(sys.argv[1]):
    moves += play()
print(json.dumps([loaded, moves / (time.process_time() - begin)]))
"""
"""What each environment runs: `play` plays a game and says how many moves it had."""


@dataclass(frozen=True)
class Package:
    """One to measure: what it is called on PyPI, what is imported, and a game in its own words."""

    name: str
    imports: str
    game: str


PACKAGES = (
    Package(
        "othellier",
        "import othellier; othellier.start()",
        """
def play():
    position, moves = othellier.start(), 0
    while not position.is_over():
        legal = position.moves()
        position = position.play(rng.choice(legal) if legal else othellier.PASS)
        moves += bool(legal)
    return moves
""",
    ),
    Package(
        "rust-reversi",
        "import rust_reversi",
        """
def play():
    board, moves = rust_reversi.Board(), 0
    while not board.is_game_over():
        if board.is_pass():
            board.do_pass()
            continue
        board.do_move(rng.choice(board.get_legal_moves_vec()))
        moves += 1
    return moves
""",
    ),
    Package(
        "open-spiel",
        "import pyspiel; game = pyspiel.load_game('othello')",
        """
PASS = 64

def play():
    state, moves = game.new_initial_state(), 0
    while not state.is_terminal():
        action = rng.choice(state.legal_actions())
        state.apply_action(action)
        moves += action != PASS
    return moves
""",
    ),
    Package(
        "othellopy",
        "from othellopy.game import OthelloGame; from othellopy.players import BasePlayer",
        """
class Random(BasePlayer):
    def next_move(self, board):
        return rng.choice(self.get_moves(board))

def play():
    return sum(turn.move is not None for turn in OthelloGame(Random, Random).play().turns)
""",
    ),
)

BATCH = """
import json, sys, time
from othellier import batch
batch.random_games(1000, 1, threads=1)
moves, begin, seed = 0, time.process_time(), 0
while time.process_time() < begin + float(sys.argv[1]):
    seed += 1
    moves += int(batch.random_games(10_000, seed, threads=1).lengths.sum())
print(json.dumps([0.0, moves / (time.process_time() - begin)]))
"""
"""A way of our own that the others have no like of: thousands of games in one call."""


def installed(package: Package, wheel: Path | None) -> Path:
    """The Python of the package's own environment, made where there is none."""
    home = HOMES / package.name
    python = home / "bin" / "python"
    if not (home / "done").exists():
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(home)], check=True)
        what = str(wheel) if package.name == "othellier" and wheel is not None else package.name
        subprocess.run([str(python), "-m", "pip", "install", "-qq", what], check=True)
        (home / "done").touch()
    return python


def megabytes(python: Path) -> float:
    """What pip has put there, itself and its kin left out."""
    folder = next((python.parents[1] / "lib").glob("python*/site-packages"))
    kin = ("pip", "setuptools", "pkg_resources", "_distutils_hack")
    files = [path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    return sum(path.stat().st_size for path in files if not path.relative_to(folder).parts[0].startswith(kin)) / 1e6


def run(python: Path, code: str) -> tuple[float, float]:
    """Processor seconds of the import, and moves a second."""
    done = subprocess.run([str(python), "-c", code, str(SECONDS)], check=True, capture_output=True, text=True)
    loaded, rate = json.loads(done.stdout.splitlines()[-1])
    return loaded, rate


def version(python: Path, name: str) -> str:
    code = f"import importlib.metadata as m; print(m.version({name!r}))"
    return subprocess.run([str(python), "-c", code], check=True, capture_output=True, text=True).stdout.strip()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.packages", description="Measure Python packages.")
    parser.add_argument("--wheel", type=Path, help="a wheel of ours from `make wheels`; else the one on PyPI")
    parser.add_argument("--out", type=Path, help="write the table to this file too")
    arguments = parser.parse_args()
    lines = [
        "# Python packages",
        "",
        "Written by `python -m benchmarks.packages --wheel dist/othellier-*.whl`: whole games of random moves, the",
        "choice made in Python, one thread, processor time. Sizes are those of all that pip installs.",
        f"Machine: {machine()}.",
        "",
        "| package | moves a second | import | installed |",
        "|---|---|---|---|",
    ]
    for package in PACKAGES:
        python = installed(package, arguments.wheel)
        loaded, rate = run(python, MEASURE.format(imports=package.imports, game=package.game))
        name = f"{package.name} {version(python, package.name)}"
        lines.append(f"| {name} | {rate:,.0f} | {loaded:.2f} s | {megabytes(python):,.1f} MB |")
        if package.name == "othellier":
            _, rate = run(python, BATCH)
            lines.append(f"| {name}, `batch.random_games` | {rate:,.0f} | | |")
    publish("\n".join([*lines, ""]), arguments.out)


if __name__ == "__main__":
    main()
