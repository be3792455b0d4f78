"""`python -m benchmarks.classroom [--worst] [--size N] [--keep DIR] [--out FILE]`: how long a class of twenty takes.

Twenty files such as students hand in: some look one move ahead, some search to a fixed depth, some use most of their
time, one is too slow and one falls over. `--worst` is the class in which everybody thinks for all the time there is,
for every move, also where the end of the game has been seen. `--size` plays with fewer of them, and tells what twenty
would take at that rate. Files and reports stay in the folder that `--keep` names.
"""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.measure import Row, arguments_of, publish_rows

REACH = 15 * 60
"""Seconds a class of twenty may take: two games of each pairing, a tenth of a second a move, two cores."""

GAMES = 380
"""Of a class of twenty."""

TABLE = """
EDGE = [100, -20, 10, 5, 5, 10, -20, 100]
SQUARES = EDGE + [-20, -50, -2, -2, -2, -2, -50, -20] + 4 * [5, -2, 1, 1, 1, 1, -2, 5]
SQUARES += [-20, -50, -2, -2, -2, -2, -50, -20] + EDGE


def worth(position):
    mine, theirs = position.player, position.opponent
    return sum(value * ((mine >> square & 1) - (theirs >> square & 1)) for square, value in enumerate(SQUARES))
"""

MOBILITY = """
CORNERS = 1 | 1 << 7 | 1 << 56 | 1 << 63


def worth(position):
    corners = (position.player & CORNERS).bit_count() - (position.opponent & CORNERS).bit_count()
    return len(position.moves()) + 20 * corners
"""

DISCS = """
def worth(position):
    return position.player.bit_count() - position.opponent.bit_count()
"""

ONE_AHEAD = """

def choose(position):
    return min(position.moves(), key=lambda move: worth(position.play(move)))
"""

MINIMAX = """

def minimax(position, depth):
    if depth == 0 or position.is_over():
        return worth(position)
    return max(-minimax(position.play(move), depth - 1) for move in position.moves() or [-1])


def choose(position):
    return min(position.moves(), key=lambda move: minimax(position.play(move), {depth} - 1))
"""

ALPHABETA = """

def alphabeta(position, depth, alpha, beta):
    if position.is_over():
        return 1000 * position.score()
    if depth == 0:
        return worth(position)
    for move in position.moves() or [-1]:
        alpha = max(alpha, -alphabeta(position.play(move), depth - 1, -beta, -alpha))
        if alpha >= beta:
            break
    return alpha


def choose(position):
    return min(position.moves(), key=lambda move: alphabeta(position.play(move), {depth} - 1, -100000, 100000))
"""

DEEPENING = """
import time

from othellier import Result
from othellier.players import Player


class TimeIsUp(Exception):
    pass


class Deepening(Player):
    def choose(self, position, limit):
        self.until = time.perf_counter() + {share} * limit.time
        best = position.moves()[0]
        try:
            for depth in range(1, {deepest}):
                values = {{}}
                for move in position.moves():
                    values[move] = -self.value(position.play(move), depth - 1, -100000, 100000)
                best = max(values, key=values.get)
        except TimeIsUp:
            pass
        return Result(best, position.turn)

    def value(self, position, depth, alpha, beta):
        if time.perf_counter() > self.until:
            raise TimeIsUp
        if position.is_over():
            return 1000 * position.score()
        if depth == 0:
            return worth(position)
        for move in position.moves() or [-1]:
            alpha = max(alpha, -self.value(position.play(move), depth - 1, -beta, -alpha))
            if alpha >= beta:
                break
        return alpha
"""

MONTE_CARLO = """
import random
import time

from othellier import Result
from othellier.players import Player


class MonteCarlo(Player):
    def choose(self, position, limit):
        until = time.perf_counter() + {share} * limit.time
        moves = position.moves()
        won = dict.fromkeys(moves, 0)
        while time.perf_counter() < until:
            for move in moves:
                won[move] += self.playout(position.play(move), position.turn)
        return Result(max(moves, key=won.get), position.turn)

    def playout(self, position, side):
        while not position.is_over():
            position = position.play(random.choice(position.moves() or [-1]))
        score = position.score() if position.turn == side else -position.score()
        return (score > 0) - (score < 0)
"""

CHANCE = """
import random


def choose(position):
    return random.choice(position.moves())
"""

GREEDY = """
def choose(position):
    print("I turn the most discs")
    return max(position.moves(), key=lambda move: len(position.flips(move)))
"""

SLOW = """
import time


def choose(position):
    if position.empties < 20:
        time.sleep(10)
    return position.moves()[0]
"""

FALLS_OVER = """
def choose(position):
    best = [move for move in position.moves() if move in (0, 7, 56, 63)]
    return best[0] if position.empties < 12 else position.moves()[-1]
"""


def deepening(share: float, deepest: str = "position.empties + 1") -> str:
    """A player that looks one ply deeper as long as a share of its time lasts."""
    return DEEPENING.format(share=share, deepest=deepest)


CLASS = {
    "chance": CHANCE,
    "greedy": GREEDY,
    "first_table": TABLE + ONE_AHEAD,
    "first_moves": MOBILITY + ONE_AHEAD,
    "first_discs": DISCS + ONE_AHEAD,
    "minimax_discs_2": DISCS + MINIMAX.format(depth=2),
    "minimax_table_3": TABLE + MINIMAX.format(depth=3),
    "minimax_moves_3": MOBILITY + MINIMAX.format(depth=3),
    "alphabeta_discs_3": DISCS + ALPHABETA.format(depth=3),
    "alphabeta_table_3": TABLE + ALPHABETA.format(depth=3),
    "alphabeta_moves_3": MOBILITY + ALPHABETA.format(depth=3),
    "alphabeta_moves_4": MOBILITY + ALPHABETA.format(depth=4),
    "deepening_table_50": TABLE + deepening(0.5),
    "deepening_moves_50": MOBILITY + deepening(0.5),
    "deepening_moves_90": MOBILITY + deepening(0.9),
    "deepening_discs_90": DISCS + deepening(0.9),
    "carlo_50": MONTE_CARLO.format(share=0.5),
    "carlo_90": MONTE_CARLO.format(share=0.9),
    "slow": SLOW,
    "falls_over": FALLS_OVER,
}


USING_TIME = [worth + deepening(1, deepest="10**9") for worth in (TABLE, MOBILITY, DISCS)]
USING_TIME.append(MONTE_CARLO.format(share=1))
WORST = {f"all_time_{number:02}": USING_TIME[number % 4] for number in range(20)}
"""A class in which everybody uses all the time there is, even where nothing is left to find out."""


def write_class(folder: Path, *, worst: bool = False, size: int = 20) -> Path:
    """The files of a class."""
    folder.mkdir(parents=True, exist_ok=True)
    files = WORST if worst else CLASS
    chosen = list(files)[:: len(files) // size][:size]  # of every kind some
    for name in chosen:
        (folder / f"{name}.py").write_text(files[name].lstrip("\n"))
    return folder


def play_class(folder: Path, *, worst: bool, size: int) -> list[Row]:
    """The tournament as a teacher starts it, and where its seconds went."""
    players = write_class(folder / "class", worst=worst, size=size)
    command = [sys.executable, "-m", "othellier", "tournament", "--players", str(players)]
    begin = time.perf_counter()
    subprocess.run([*command, "--out", str(folder / "out"), "--jobs", "2"], check=True)
    seconds = time.perf_counter() - begin
    games = [json.loads(line) for line in (folder / "out" / "games.jsonl").read_text().splitlines()]
    thinking = sum(sum(game["seconds"]) for game in games)
    moves = sum(spent > 0.001 for game in games for spent in game["seconds"])  # who has no choice is not asked
    name = "who use their time" if worst else "as students write them"
    told = f"{len(games)} games, {moves:,} moves, {thinking / 2:.0f} s of thinking on each core"
    title = f"a class of {{size}} players {name}, 2 games each, 0.1 s a move"
    if size == 20:
        return [Row(title.format(size=20), seconds, "s", REACH, told, True)]
    # Thinking goes by the games; starting players, judging them and drawing go by the players.
    whole = thinking / 2 * GAMES / len(games) + (seconds - thinking / 2) * 20 / size
    return [
        Row(title.format(size=size), seconds, "s", beside=told),
        Row("at that rate, a class of 20", whole, "s", REACH, f"{GAMES} games", True),
    ]


def main() -> None:
    parser = arguments_of("benchmarks.classroom", "Play a class of twenty.")
    parser.add_argument("--worst", action="store_true", help="everybody thinks for all the time there is")
    parser.add_argument("--size", type=int, default=20, choices=range(2, 21), metavar="N", help="so many players")
    parser.add_argument("--keep", type=Path, help="leave files and reports in this folder")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        rows = play_class(arguments.keep or Path(temporary), worst=arguments.worst, size=arguments.size)
    how = "Written by `python -m benchmarks.classroom`: two cores, seconds by the clock.\n"
    publish_rows("A class", how, rows, arguments.out)


if __name__ == "__main__":
    main()
