"""Seconds a move against depth and iterations, with fitted curves: figures 5.4, 5.8, 5.14 of the INSA study (S5.5)."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from othellier.arena.openings import BALANCED, find_openings
from othellier.arena.play import play_game
from othellier.board import Position
from othellier.errors import ConfigError
from othellier.geometry import STANDARD
from othellier.lab.experiment import Findings, Lab, Table, Value, experiment
from othellier.lab.plots import Curve, draw_curves
from othellier.players import Player, create_player
from othellier.results import Limit, Result

__all__ = ["Timed", "Trial", "fit_exponential", "fit_line", "measure_trial", "timing"]

_Points = Sequence[tuple[float, float]]

RIVAL = "nega-alphabeta:depth=2,ties=random"
"""Whom the document lets all play against."""

ASKED = 1e-4
"""Seconds below which a move costs little more than to be asked for: the theory is about the others."""

PUBLISHED: dict[str, dict[int, tuple[float, int | None]]] = {
    # Seconds a move, and per cent of games won against the rival, where the document does not call it useless.
    "negamax": {2: (0.000740, None), 4: (0.0799, 80), 6: (8.833, 85)},
    "nega-alphabeta": {2: (0.000668, None), 4: (0.0199, 70), 6: (0.602, 80)},
    "mcts": {100: (0.0863, 15), 300: (0.2666, 25), 500: (0.3981, 25), 700: (0.5400, 40), 900: (0.7295, 25)},
}
NAMES = {
    "negamax": "Negamax at depth {}",
    "nega-alphabeta": "alpha-beta at depth {}",
    "mcts": "Monte-Carlo with {} iterations",
}
TITLES = {
    "negamax": "Figure 5.4: negamax",
    "nega-alphabeta": "Figure 5.8: negamax with alpha-beta",
    "mcts": "Figure 5.14: Monte-Carlo tree search",
}


def fit_exponential(points: _Points) -> tuple[float, float]:
    """The a and b of y = a b^x with the least squared error of the logarithms.

    >>> a, b = fit_exponential([(2, 12.0), (4, 48.0), (6, 192.0)])
    >>> round(a, 6), round(b, 6)
    (3.0, 2.0)
    """
    slope, start = fit_line([(x, math.log(y)) for x, y in points])
    return math.exp(start), math.exp(slope)


def fit_line(points: _Points) -> tuple[float, float]:
    """The slope and the start of the straight line with the least squared error.

    >>> fit_line([(0, 1.0), (1, 3.0), (2, 5.0)])
    (2.0, 1.0)
    """
    count = len(points)
    mean_x, mean_y = sum(x for x, _ in points) / count, sum(y for _, y in points) / count
    spread = sum((x - mean_x) ** 2 for x, _ in points)
    slope = sum((x - mean_x) * (y - mean_y) for x, y in points) / spread if spread else 0.0
    return slope, mean_y - slope * mean_x


class Timed(Player):
    """Another player, whose processor time is counted: what else the machine does is not in it."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.moves = 0
        self.seconds = 0.0

    def new_game(self, start: Position) -> None:
        """The player is told."""
        self.player.new_game(start)

    def observe(self, move: int) -> None:
        """The player is told."""
        self.player.observe(move)

    def choose(self, position: Position, limit: Limit) -> Result:
        """The player's move."""
        begin = time.thread_time()
        result = self.player.choose(position, limit)
        self.seconds += time.thread_time() - begin
        self.moves += 1
        return result


@dataclass(frozen=True, slots=True)
class Trial:
    """A player to be timed in games against the rival."""

    player: str
    games: int
    seed: int = 0


def measure_trial(job: Trial) -> dict[str, Any]:
    """Mean seconds a move over whole games from balanced starts, both colours of each; and the games won and drawn."""
    timed, rival = Timed(create_player(job.player)), create_player(RIVAL)
    openings = find_openings(BALANCED, (job.games + 1) // 2, STANDARD, job.seed)
    won = drawn = 0
    for game in range(job.games):
        opening = openings[game // 2]
        for player in (timed, rival):
            player.new_game(opening.position())
        black, white = (timed, rival) if game % 2 == 0 else (rival, timed)
        played = play_game(black, white, opening)
        if played.error:
            raise ConfigError(f"{job.player}: {played.error}")
        score = played.score if game % 2 == 0 else -played.score
        won += score > 0
        drawn += score == 0
    return {"seconds": timed.seconds / timed.moves, "won": won, "drawn": drawn}


def _duration(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def _player(algorithm: str, effort: int, backend: str) -> str:
    if algorithm == "mcts":
        return f"mcts:iterations={effort},c=1.5,backend={backend}"
    return f"{algorithm}:depth={effort},ties=random,backend={backend}"


def _fit(algorithm: str, points: _Points) -> tuple[str, _Points]:
    """The curve of the theory that fits the points best, in words and drawn."""
    if algorithm != "mcts":
        late = [point for point in points if point[1] > ASKED]
        points = late if len(late) > 1 else points
    low, high = points[0][0], points[-1][0]
    steps = [low + (high - low) * i / 40 for i in range(41)]
    if algorithm == "mcts":
        slope, start = fit_line(points)
        return f"{_duration(slope)} × n", [(x, slope * x + start) for x in steps]
    a, b = fit_exponential(points)
    power = f"{b:.1f}^d" if algorithm == "negamax" else f"{b * b:.1f}^(d/2)"
    return f"{_duration(a)} × {power}", [(x, a * b**x) for x in steps]


@experiment(
    "timing",
    "S5.5 · INSA study, figures 5.4, 5.8 and 5.14",
    "Seconds a move against depth and iterations",
    "One core of a Ryzen 7 7700X, in Python: negamax 0.74 ms, 79.9 ms and 8.83 s a move at depth 2, 4 and 6; with "
    "alpha-beta 0.67 ms, 19.9 ms and 0.60 s; Monte-Carlo 86 to 729 ms for 100 to 900 iterations. Time grows as n^d, "
    "n^(d/2) and linearly.",
)
def timing(lab: Lab) -> Findings:
    """Every algorithm at every effort, compiled and in Python, against the document's rival."""
    compiled = {
        "negamax": lab.pick((1, 2, 3, 4, 5, 6, 7), (1, 2, 3, 4, 5, 6), (1, 2, 3)),
        "nega-alphabeta": lab.pick((1, 2, 3, 4, 5, 6, 7, 8, 9), (1, 2, 3, 4, 5, 6, 7), (1, 2, 3)),
        "mcts": lab.pick((100, 300, 500, 700, 900, 2000, 5000), (100, 300, 500, 700, 900), (10, 30, 50)),
    }
    python = {
        "negamax": lab.pick((1, 2, 3, 4, 5), (1, 2, 3, 4), (1, 2)),
        "nega-alphabeta": lab.pick((1, 2, 3, 4, 5, 6), (1, 2, 3, 4, 5), (1, 2)),
        "mcts": lab.pick((100, 300, 500, 700, 900), (100, 300, 500), (3, 6)),
    }
    rounds = {"compiled": (compiled, "auto", lab.games(20, 10)), "Python": (python, "python", lab.games(4, 2))}
    seconds: dict[tuple[str, str, int], float] = {}
    won: dict[tuple[str, int], float] = {}
    for name, (efforts, backend, games) in rounds.items():
        trials = {
            Trial(_player(algorithm, effort, backend), games, lab.settings.seed): (algorithm, effort)
            for algorithm, many in efforts.items()
            for effort in many
        }
        for trial, result in lab.measure(name, measure_trial, trials):
            algorithm, effort = trials[trial]
            seconds[name, algorithm, effort] = result["seconds"]
            if name == "compiled":
                won[algorithm, effort] = 100 * result["won"] / games

    tables, figures, told = [], {}, []
    for algorithm, published in PUBLISHED.items():
        steps = sorted({effort for _, a, effort in seconds if a == algorithm} | set(published))
        rows: list[tuple[Value, ...]] = []
        for step in steps:
            taken, share = published.get(step, (None, None))
            ours = [seconds.get((name, algorithm, step)) for name in ("Python", "compiled")]
            milliseconds = [None if value is None else 1000 * value for value in (taken, *ours)]
            rows.append((step, *milliseconds, share, won.get((algorithm, step))))
        of = "iterations" if algorithm == "mcts" else "depth"
        heading = (of, "published, ms", "Python, ms", "compiled, ms", "published: won, %", "won, %")
        tables.append(Table(algorithm, TITLES[algorithm], heading, rows, ("published, ms", "published: won, %")))
        known = [(float(step), taken) for step, (taken, _) in published.items()]
        words, drawn = _fit(algorithm, known)
        curves = [Curve("published", known, "published"), Curve(f"fit: {words}", drawn, "published line")]
        for color, name in enumerate(("compiled", "Python")):
            points = [
                (float(step), seconds[name, algorithm, step]) for step in steps if (name, algorithm, step) in seconds
            ]
            words, drawn = _fit(algorithm, points)
            curves += [Curve(name, points, "points", color), Curve(f"fit: {words}", drawn, "fit", color)]
        figures[algorithm] = draw_curves(TITLES[algorithm], curves, of, "seconds a move", log=True)
        common = [step for step in published if ("compiled", algorithm, step) in seconds]
        if common:
            last = seconds["compiled", algorithm, common[-1]]
            told.append(
                f"{NAMES[algorithm].format(common[-1])} takes {_duration(last)} a move, "
                f"{published[common[-1]][0] / last:,.0f} times faster than published"
            )
    return Findings(
        "; ".join(told) + "." if told else "Measured at small efforts only.",
        tables,
        figures,
        [
            f"Mean seconds of processor time a move over whole games against the document's rival, `{RIVAL}`: "
            f"{rounds['compiled'][2]} games compiled and {rounds['Python'][2]} in Python for each, from balanced "
            f"starts with both colours.",
            "Fitted: a × b^d to the logarithms for negamax, the same read as b^(d/2) for alpha-beta, a straight line "
            "for Monte-Carlo. The document drew its theoretical curves for a factor of 2.5 a ply.",
            "Python is measured less deep where a move would take longer than the experiment should.",
        ],
    )
