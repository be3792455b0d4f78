"""Seconds a move against depth and iterations, with the curves of theory: figures 5.4, 5.8, 5.14 of the INSA report."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from othellier.arena.openings import BALANCED, START, find_openings
from othellier.arena.play import play_game
from othellier.errors import ConfigError
from othellier.games.results import Limit, Result
from othellier.lab.adjacency import conclude_rules, rules_table
from othellier.lab.conclusions import Conclusions, Observed, compare
from othellier.lab.conditions import ITS_CONDITIONS, PRINTED
from othellier.lab.experiment import Findings, Lab, Measured, Table, Value, experiment, share
from othellier.lab.plots import Curve, Figure, draw_curves, draw_panels
from othellier.lab.printed import AlphaBeta, PrintedMatch, PrintedMonteCarlo, measure_printed
from othellier.lab.studies import INSA, Citation
from othellier.lab.words import Words
from othellier.players import Player, create_player
from othellier.players.lent import Borrowed
from othellier.rules.board import Position
from othellier.rules.geometry import STANDARD

__all__ = ["Timed", "Trial", "conclude_timing", "fit_exponential", "fit_line", "measure_trial", "timing"]

_Points = Sequence[tuple[float, float]]

RIVAL = "nega-alphabeta:depth=2,ties=random"
"""Whom the document lets all play against."""

ASKED = 1e-4
"""Seconds below which a move costs little more than to be asked for: the theory is about the others."""

COMPILED, PYTHON = "compiled", "Python"

PUBLISHED: dict[str, dict[int, tuple[float, int | None]]] = {
    # Seconds a move, and per cent of games won against the rival, where the document does not call it useless.
    "negamax": {2: (0.000999, None), 4: (0.0799, 80), 6: (8.833, 85)},
    "nega-alphabeta": {2: (0.000668, None), 4: (0.0199, 70), 6: (0.602, 80)},
    "mcts": {100: (0.0863, 15), 300: (0.2666, 25), 500: (0.3981, 25), 700: (0.5400, 40), 900: (0.7295, 25)},
}
GAMES = 20
"""Behind the published per cents, as it seems: all of them are twentieths."""

NAMES = {
    "negamax": "negamax at depth {step}",
    "nega-alphabeta": "alpha-beta at depth {step}",
    "mcts": "Monte-Carlo with {step} iterations",
}
TITLES = {
    "negamax": "Seconds a move of negamax, with the growth that theory gives (figure 5.4)",
    "nega-alphabeta": "Seconds a move of negamax with alpha-beta, with the growth that theory gives (figure 5.8)",
    "mcts": "Milliseconds a move of Monte-Carlo tree search, with the straight lines that fit best (figure 5.14)",
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


class Timed(Borrowed):
    """Another player, whose processor time is counted: what else the machine does is not in it."""

    def __init__(self, player: Player) -> None:
        super().__init__(player)
        self.moves = 0
        self.choices = 0
        """Legal moves of all positions it was asked about."""
        self.seconds = 0.0

    def choose(self, position: Position, limit: Limit) -> Result:
        """The player's move."""
        begin = time.thread_time()
        result = super().choose(position, limit)
        self.seconds += time.thread_time() - begin
        self.moves += 1
        self.choices += position.moves_mask().bit_count()
        return result


@dataclass(frozen=True, slots=True)
class Trial:
    """A player to be timed in games against the rival."""

    player: str
    games: int
    seed: int = 0
    openings: str = BALANCED
    """From the first position it has the white discs, as in the report; from balanced starts both."""


def measure_trial(job: Trial) -> dict[str, Any]:
    """Mean seconds and legal moves a move over whole games; and the games won and drawn."""
    timed, rival = Timed(create_player(job.player)), create_player(RIVAL)
    openings = find_openings(job.openings, (job.games + 1) // 2, STANDARD, job.seed)
    won = drawn = 0
    for game in range(job.games):
        opening = openings[game // 2 % len(openings)]
        first = game % 2 == 0 and job.openings != START
        for player in (timed, rival):
            player.new_game(opening.start)
        black, white = (timed, rival) if first else (rival, timed)
        played = play_game(black, white, opening)
        if played.error:
            raise ConfigError(f"{job.player}: {played.error}")
        score = played.score if first else -played.score
        won += score > 0
        drawn += score == 0
    return {
        "seconds": timed.seconds / timed.moves,
        "choices": timed.choices / timed.moves,
        "won": won,
        "drawn": drawn,
        "games": job.games,
    }


def _duration(seconds: float, say: Words) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{say.number(seconds / size)} {unit}"
    return f"{say.number(seconds / 1e-9)} ns"


def _player(algorithm: str, effort: int, backend: str) -> str:
    if algorithm == "mcts":
        return f"mcts:iterations={effort},c=1.5,backend={backend}"
    return f"{algorithm}:depth={effort},ties=random,backend={backend}"


def _fit(algorithm: str, points: _Points, say: Words) -> tuple[str, _Points]:
    """The curve of the kind theory gives that fits the points best, in words and drawn."""
    if algorithm != "mcts":
        late = [point for point in points if point[1] > ASKED]
        points = late if len(late) > 1 else points
    low, high = points[0][0], points[-1][0]
    steps = [low + (high - low) * i / 40 for i in range(41)]
    if algorithm == "mcts":
        slope, start = fit_line(points)
        return f"{_duration(slope, say)} × n", [(x, slope * x + start) for x in steps]
    a, b = fit_exponential(points)
    power = f"{say.number(b)}^d" if algorithm == "negamax" else f"{say.number(b * b)}^(d/2)"
    return f"{_duration(a, say)} × {power}", [(x, a * b**x) for x in steps]


def _theory(algorithm: str, points: _Points, moves: float) -> _Points:
    """What n^d or n^(d/2) makes of the first published point, n being the mean number of moves."""
    (first, seconds), last = points[0], points[-1][0]
    factor = moves if algorithm == "negamax" else math.sqrt(moves)
    return [(first + (last - first) * i / 20, seconds * factor ** ((last - first) * i / 20)) for i in range(21)]


_Found = dict[tuple[str, str, int], dict[str, Any]]
"""Results of `measure_trial` by conditions, algorithm and effort."""

NEAR = 1.25
"""A growth is called that of theory if it is at most so many times larger or smaller."""


def _growth(found: _Found, algorithm: str) -> float | None:
    """Return how many times as long a ply more takes, of moves that take long enough; None without three depths."""
    times = [
        (float(step), r["seconds"]) for (n, a, step), r in sorted(found.items()) if (n, a) == (COMPILED, algorithm)
    ]
    late = [point for point in times if point[1] > ASKED]
    return fit_exponential(late)[1] if len(late) > 2 else None


def conclude_timing(found: _Found, printed: dict[int, Observed], moves: float, say: Words) -> list[str]:
    """Conclusions from times and games: growth beside theory, and games won beside those published and as printed.

    Args:
        found: Measurements by conditions, algorithm and effort.
        printed: Games won by Monte-Carlo as the report prints it, by iterations.
        moves: Mean number of moves of a position.
    """
    conclude = Conclusions(say)
    growth = _growth(found, "negamax")
    if growth is not None:
        conclude(
            "Without pruning a ply more takes {growth:.1f} times as long, about the number of moves, {moves:.1f}, as "
            "theory says."
            if moves / NEAR < growth < moves * NEAR
            else "Without pruning a ply more takes {growth:.1f} times as long; theory says the number of moves, "
            "{moves:.1f}.",
            growth=growth,
            moves=moves,
        )
    growth, root = _growth(found, "nega-alphabeta"), math.sqrt(moves)
    if growth is not None:
        conclude(
            "With alpha-beta it takes {growth:.1f} times as long ({published:.1f} times in the report), about the root "
            "of the number of moves, {root:.1f}, as theory says of the best order."
            if root / NEAR < growth < root * NEAR
            else "With alpha-beta it takes {growth:.1f} times as long ({published:.1f} times in the report); theory "
            "says the root of the number of moves, {root:.1f}, if the best move comes first. These searches take the "
            "moves as they come.",
            growth=growth,
            published=fit_exponential([(float(d), taken) for d, (taken, _) in PUBLISHED["nega-alphabeta"].items()])[1],
            root=root,
        )
    times = [
        (math.log(step), math.log(r["seconds"])) for (n, a, step), r in found.items() if (n, a) == (COMPILED, "mcts")
    ]
    power = fit_line(times)[0]
    conclude(
        "The time of Monte-Carlo grows in proportion to its iterations."
        if abs(power - 1) < 0.1
        else "The time of Monte-Carlo grows as its iterations to the power of {power:.2f}.",
        power=power,
    )
    ours = {
        step: Observed(r["won"], r["games"])
        for (n, a, step), r in sorted(found.items())
        if (n, a) == (ITS_CONDITIONS, "mcts")
    }
    told = {
        step: Observed(part * GAMES / 100, GAMES) for step, (_, part) in PUBLISHED["mcts"].items() if part is not None
    }
    published, usual = (sorted(ours.keys() & rival.keys()) for rival in (told, printed))
    family = max(1, len(published) + len(usual))
    more = [step for step in published if compare(ours[step], told[step], family) > 0]
    if more:
        conclude(
            "Monte-Carlo wins more games than published, beyond chance, with {steps} iterations.",
            steps=say.join(map(str, more)),
        )
    if len(more) < len(published):
        conclude(
            "This run cannot show that it wins more games than published with {steps} iterations.",
            steps=say.join(str(step) for step in published if step not in more),
        )
    fewer = [step for step in usual if compare(printed[step], ours[step], family) < 0]
    if fewer:
        conclude(
            "As the report prints it, it wins fewer, beyond chance, with {steps} iterations: its pseudo-code "
            "explains a part of the difference.",
            steps=say.join(map(str, fewer)),
        )
    elif usual:
        conclude("This run cannot show that the pseudo-code explains a difference.")
    conclude("Intervals of games are corrected for {family} comparisons.", family=family)
    return conclude.sentences


@experiment(
    "timing",
    Citation(INSA, "figures 5.1 to 5.14"),
    "Seconds a move against depth and iterations",
    "One core of a Ryzen 7 7700X, in Python: negamax 0.999 ms, 79.9 ms and 8.83 s a move at depth 2, 4 and 6; with "
    "alpha-beta 0.67 ms, 19.9 ms and 0.60 s; Monte-Carlo 86 to 729 ms for 100 to 900 iterations. Time grows as n^d, "
    "n^(d/2) and linearly. Against alpha-beta at depth 2 Monte-Carlo wins 15 to 40 % of its games.",
    notes=(
        (
            "Mean seconds of processor time a move over whole games against the report's rival, `{rival}`. “Its "
            "conditions”: from the first position, the rival with the black discs; “balanced”: from balanced starts "
            "with both colours. Up to {games} games each; in Python {few}."
        ),
        (
            "The dotted line of theory multiplies the first published point by n for each ply (by its root with "
            "alpha-beta), n = {n:.1f} being the mean number of moves in these games. The report drew its curves for a "
            "factor of 2.5, “the mean number of moves × a factor of the processor”, without saying how it was scaled."
        ),
        (
            "As printed, an iteration is spent on adding moves or on one game, results are counted for one side all "
            "the way up, and the move of the largest UCB1 is played, bonus included, instead of the most visited one."
        ),
        (
            "At depth 2 the report's negamax took 0.999 ms (White's figure in its figure 5.1; 0.74 ms is its "
            "rival's). Python is measured less deep where a move would take longer than the experiment should."
        ),
    ),
    compiled=True,
)
def timing(lab: Lab) -> Findings:
    """Every algorithm at every effort, compiled and in Python, against the report's rival, under all conditions."""
    say = lab.say
    games, few = lab.games(200, 40), lab.games(4, 2)
    found = _measured(lab, games, few)
    rules, facts = rules_table(lab)
    many = lab.games(100, 20)
    printed = _printed(lab, many)
    moves = found[COMPILED, "negamax", 2]["choices"]
    told = say.join(_told(found, printed, say))
    return Findings(
        f"{told[0].upper()}{told[1:]}." if told else say("Measured at small efforts only."),
        [*(_table(algorithm, found, printed, say) for algorithm in PUBLISHED), rules],
        {algorithm: _figure(algorithm, found, moves, say) for algorithm in PUBLISHED},
        {"rival": RIVAL, "games": games, "few": few, "n": moves},
        conclusions=[
            *conclude_timing(
                found, {step: Observed(part.value * many / 100, many) for step, part in printed.items()}, moves, say
            ),
            *conclude_rules(facts, say),
        ],
    )


def _measured(lab: Lab, games: int, few: int) -> _Found:
    compiled = {
        "negamax": lab.pick((1, 2, 3, 4, 5, 6), (1, 2, 3, 4, 5, 6), (1, 2, 3)),
        "nega-alphabeta": lab.pick((1, 2, 3, 4, 5, 6, 7, 8), (1, 2, 3, 4, 5, 6, 7), (1, 2, 3)),
        "mcts": lab.pick((100, 300, 500, 700, 900, 2000, 5000), (100, 300, 500, 700, 900), (10, 30, 50)),
    }
    python = {
        "negamax": lab.pick((1, 2, 3, 4, 5), (1, 2, 3), (1, 2)),
        "nega-alphabeta": lab.pick((1, 2, 3, 4, 5, 6), (1, 2, 3, 4), (1, 2)),
        "mcts": lab.pick((100, 300, 500, 700, 900), (100, 200, 300), (3, 6)),
    }
    rounds = {
        COMPILED: (compiled, "auto", games, BALANCED),
        ITS_CONDITIONS: (compiled, "auto", games, START),
        PYTHON: (python, "python", few, BALANCED),
    }
    found: _Found = {}
    for name, (efforts, backend, many, openings) in rounds.items():
        trials = {
            # What takes long to move is timed well by few games; only of Monte-Carlo the results matter too.
            Trial(_player(algorithm, effort, backend), _games(algorithm, effort, many), lab.settings.seed, openings): (
                algorithm,
                effort,
            )
            for algorithm, wanted in efforts.items()
            for effort in wanted
        }
        for trial, result in lab.measure(name, measure_trial, trials):
            found[(name, *trials[trial])] = result
    return found


def _told(found: _Found, printed: dict[int, Measured], say: Words) -> list[str]:
    """The outcome in a few sentences: how much faster, and how much is won."""
    told = []
    for algorithm, published in PUBLISHED.items():
        common = [step for step in published if (COMPILED, algorithm, step) in found]
        if common:
            last = found[COMPILED, algorithm, common[-1]]["seconds"]
            told.append(
                say(
                    "{name} takes {duration} a move, {times:,.0f} times as fast as published",
                    name=say(NAMES[algorithm], step=common[-1]),
                    duration=_duration(last, say),
                    times=published[common[-1]][0] / last,
                )
            )
    if printed:
        ours = [
            share(r["won"], r["games"]).value for (n, a, _), r in found.items() if (n, a) == (ITS_CONDITIONS, "mcts")
        ]
        told.append(
            say(
                "Monte-Carlo wins {ours} of its games under the report's conditions, and {printed} as the report "
                "prints it",
                ours=_span(ours),
                printed=_span([measured.value for measured in printed.values()]),
            )
        )
    return told


def _games(algorithm: str, effort: int, games: int) -> int:
    return games if algorithm == "mcts" or effort < 5 else max(2, games // 4)


def _span(values: Sequence[float]) -> str:
    return f"{min(values):.0f}–{max(values):.0f} %"


def _printed(lab: Lab, games: int) -> dict[int, Measured]:
    """Games won by Monte-Carlo as printed, with the white discs against the rival as printed, in per cent."""
    efforts = lab.pick((100, 300, 500, 700, 900), (100, 300, 500), (5,))
    jobs = {
        PrintedMatch(AlphaBeta(2), PrintedMonteCarlo(effort), games, lab.settings.seed): effort for effort in efforts
    }
    return {
        jobs[job]: share(result["results"][2], games)
        for job, result in sorted(lab.measure(PRINTED, measure_printed, jobs), key=lambda pair: jobs[pair[0]])
    }


def _table(algorithm: str, found: _Found, printed: dict[int, Measured], say: Words) -> Table:
    published = PUBLISHED[algorithm]
    steps = sorted({effort for _, a, effort in found if a == algorithm} | set(published))
    rows: list[tuple[Value, ...]] = []
    for step in steps:
        taken, part = published.get(step, (None, None))
        results = [found.get((name, algorithm, step)) for name in (PYTHON, COMPILED, ITS_CONDITIONS)]
        seconds = [taken, *(None if one is None else one["seconds"] for one in results[:2])]
        milliseconds = [None if value is None else 1000 * value for value in seconds]
        won = [None if one is None else share(one["won"], one["games"]) for one in (results[2], results[1])]
        told = None if part is None else share(part * GAMES / 100, GAMES)
        row: tuple[Value, ...] = (step, *milliseconds, told, *won)
        rows.append((*row, printed.get(step)) if algorithm == "mcts" else row)
    names = ["iterations" if algorithm == "mcts" else "depth", "published, ms", "Python, ms", "compiled, ms"]
    names += ["published: won, %", "its conditions: won, %", "balanced: won, %"]
    names += ["as printed: won, %"] if algorithm == "mcts" else []
    heading = tuple(map(say, names))
    return Table(algorithm, say(TITLES[algorithm]), heading, rows, (heading[1], heading[4]))


def _figure(algorithm: str, found: _Found, moves: float, say: Words) -> Figure:
    known = [(float(step), taken) for step, (taken, _) in PUBLISHED[algorithm].items()]
    measured = {
        name: [(float(step), r["seconds"]) for (n, a, step), r in sorted(found.items()) if (n, a) == (name, algorithm)]
        for name in (COMPILED, PYTHON)
    }
    if algorithm == "mcts":
        panels: dict[str, list[Curve]] = {}
        for color, (name, points) in enumerate({**measured, "published": known}.items()):
            scaled = [(x, 1000 * y) for x, y in points if x <= known[-1][0]]
            words, drawn = _fit(algorithm, [(x, y / 1000) for x, y in scaled], say)
            line = [(x, 1000 * y) for x, y in drawn]
            panels[say(name)] = (
                [Curve(say(name), scaled, "published"), Curve(words, line, "published line")]
                if name == "published"
                else [Curve(say(name), scaled, "points", color), Curve(words, line, "fit", color)]
            )
        return draw_panels(say(TITLES[algorithm]), panels, say("iterations"), say("milliseconds a move"))
    theory = "theory: n^d" if algorithm == "negamax" else "theory: n^(d/2)"
    curves = [
        Curve(say("published"), known, "published"),
        Curve(say(theory), _theory(algorithm, known, moves), "published line"),
    ]
    for color, (name, points) in enumerate(measured.items()):
        words, drawn = _fit(algorithm, points, say)
        curves += [Curve(say(name), points, "points", color), Curve(words, drawn, "fit", color)]
    return draw_curves(say(TITLES[algorithm]), curves, say("depth"), say("seconds a move"), log=True)
