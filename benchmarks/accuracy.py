"""`python -m benchmarks.accuracy`: how good moves and values are, by depth and by time; more must never be worse.

Every position is searched from a cold table by one thread: to depths 4 … 18, and for 0.01 … 3 s. Told are the share of
best moves, the discs that moves give away, how far values are from the exact ones, and by how much they lean to the
side to move. Where a deeper or longer search loses more discs than the one before, beyond what chance explains, the
line is marked: that is a bug. `--build REVISION` asks the engine of another revision. The positions are those of
`benchmarks.positions`; `--suite FILE` adds a file of one's own, every line with the scores of its moves.
"""

import argparse
import json
import math
import shlex
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.measure import publish
from benchmarks.positions import Known, complete, load, save
from othellier.base.builds import INSTALLED, find_build
from othellier.base.jobs import Crew
from othellier.base.machine import machine
from othellier.errors import MissingExtra, OthellierError
from othellier.games.results import Limit
from othellier.players import Player, answer, create_player
from othellier.rules.board import Position

OWN = Path(__file__).parent / "data" / "accuracy.obf"
DEPTHS = tuple(range(4, 19))
TIMES = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0)
HASH = 64
CHUNK = 8
"""Positions of a job."""
CHANCE = 2.5
"""Standard errors beyond which a curve that falls is no accident: one step of 200 exceeds them by chance."""

INTRODUCTION = """\
How good moves and values are, by depth and by time. Written by

    python -m benchmarks.accuracy {arguments}

The values of even depths lean to one side, those of odd depths to the other: the side that chooses last chooses among
values that are a little off, and takes one that is off in its favour. Timed searches end at leaves of one parity and
solve the end, so they lean less.
"""

Answer = tuple[int, float | None, float]
"""The move, the value and the seconds of a search."""


@dataclass(frozen=True, slots=True)
class Line:
    """What searches of a kind did on a suite."""

    kind: str
    value: float
    losses: tuple[int, ...]
    errors: tuple[float, ...]
    """Values less the exact ones."""
    seconds: float
    bounds: int
    """How many losses are only known to be at least so much."""

    @property
    def name(self) -> str:
        """The limit as the table tells it."""
        return f"depth {self.value:g}" if self.kind == "depth" else f"{self.value:g} s"

    @property
    def best(self) -> float:
        """The share of best moves."""
        return sum(loss == 0 for loss in self.losses) / len(self.losses)

    @property
    def loss(self) -> float:
        """Discs given away by a move."""
        return sum(self.losses) / len(self.losses)

    @property
    def error(self) -> float:
        """How far values are off, in discs."""
        return sum(map(abs, self.errors)) / max(1, len(self.errors))

    @property
    def lean(self) -> float:
        """By how much values are too high for the side to move."""
        return sum(self.errors) / max(1, len(self.errors))


def judge(kind: str, value: float, known: Sequence[Known], answers: Sequence[Answer]) -> Line:
    """Compare answers with what is known."""
    judged = [one.loss(move) for one, (move, _, _) in zip(known, answers, strict=True)]
    errors = [score - one.best for one, (_, score, _) in zip(known, answers, strict=True) if score is not None]
    seconds = sum(spent for _, _, spent in answers) / len(answers)
    losses = tuple(loss for loss, _ in judged)
    return Line(kind, value, losses, tuple(errors), seconds, sum(not exact for _, exact in judged))


def falls(before: Line, after: Line) -> bool:
    """Whether more was worse: the moves lose more discs, position by position, than chance explains."""
    changes = [b - a for a, b in zip(before.losses, after.losses, strict=True)]
    mean = sum(changes) / len(changes)
    spread = sum((change - mean) ** 2 for change in changes) / max(1, len(changes) - 1)
    return mean > CHANCE * math.sqrt(spread / len(changes))


# -- asking


_kept: dict[str, Player] = {}


def _player(spec: str) -> Player:
    """The player of a string; only the last one is kept, a table each is too much."""
    if spec not in _kept:
        for player in _kept.values():
            player.close()
        _kept.clear()
        _kept[spec] = create_player(spec)
    return _kept[spec]


def ask(job: tuple[str, tuple[Position, ...]]) -> list[Answer]:
    """What a player answers, each position as if it were the first."""
    spec, positions = job
    player = _player(spec)
    answers = []
    for position in positions:
        player.new_game(position)
        result = answer(player, position, Limit())
        answers.append((result.move, result.score, result.seconds))
    return answers


def run(known: Sequence[Known], specs: Iterable[tuple[str, float, str]], crew: Crew) -> list[tuple[Line, list[Answer]]]:
    """A line for each kind of search."""
    found = []
    for kind, value, spec in specs:
        positions = [one.position for one in known]
        chunks = [tuple(positions[start : start + CHUNK]) for start in range(0, len(positions), CHUNK)]
        jobs = [(spec, chunk) for chunk in chunks]
        answers: dict[Position, Answer] = {}
        for (_, chunk), results in crew.map(ask, jobs):
            answers |= zip(chunk, results, strict=True)
        ordered = [answers[position] for position in positions]
        found.append((judge(kind, value, known, ordered), ordered))
        line = found[-1][0]
        print(f"{line.name}: {100 * line.best:.1f} %, {line.loss:.3f} discs", file=sys.stderr, flush=True)
    return found


def solve_chosen(known: Sequence[Known], answers: Iterable[Sequence[Answer]], crew: Crew, empties: int = 60) -> int:
    """Solve the chosen moves whose scores are not known yet, with at most so many empty squares; how many they were."""
    jobs = {
        (one.position, move): one
        for chosen in answers
        for one, (move, _, _) in zip(known, chosen, strict=True)
        if move not in one.scores and one.position.empties <= empties
    }
    dear_first = sorted(jobs, key=lambda job: -job[0].empties)  # nobody waits long for the last one
    for job, score in crew.map(complete, dear_first):
        jobs[job].scores[job[1]] = score
    return len(jobs)


# -- telling


def table(lines: Sequence[Line]) -> str:
    """The lines of a suite, as Markdown."""
    text = (
        "| search | best move | loss, discs | value off by | value leans by | time | |\n|---|---|---|---|---|---|---|\n"
    )
    before: Line | None = None
    for line in lines:
        fell = before is not None and before.kind == line.kind and falls(before, line)
        cells = [
            line.name,
            f"{'≤ ' if line.bounds else ''}{100 * line.best:.1f} %",
            f"{'≥ ' if line.bounds else ''}{line.loss:.3f}",
            f"{line.error:.2f}",
            f"{line.lean:+.2f}",
            f"{line.seconds:.3g} s",
            "**falls**" if fell else "",
        ]
        text += f"| {' | '.join(cells)} |\n"
        before = line
    return text


def draw(suites: dict[str, list[Line]], out: Path) -> None:
    """The curves as a figure beside the table: discs lost against the seconds really taken."""
    from othellier.lab.plots import Curve, draw_curves

    curves = [
        Curve(f"{name}, by {kind}", [(line.seconds, line.loss) for line in lines if line.kind == kind], color=number)
        for number, (name, kind, lines) in enumerate(
            (name, kind, lines) for name, lines in suites.items() for kind in ("depth", "time")
        )
    ]
    try:
        figure = draw_curves("What a move gives away", curves, "seconds a move, one thread", "discs")
    except MissingExtra as error:
        print(f"no figure: {error}", file=sys.stderr)
        return
    figure.axes.set_xscale("log")
    out.write_text(figure.svg(), encoding="utf-8")


def choose(known: Sequence[Known], empties: range | None, sample: int | None) -> list[Known]:
    """Those positions of a suite with scores and a choice of moves that are asked about."""
    chosen = [one for one in known if one.scores and len(one.position.moves()) > 1]
    chosen = [one for one in chosen if empties is None or one.position.empties in empties]
    return chosen[:: math.ceil(len(chosen) / sample)] if sample and chosen else chosen


def _facts(line: Line) -> dict[str, Any]:
    facts = {name: round(getattr(line, name), 5) for name in ("best", "loss", "error", "lean", "seconds", "bounds")}
    return {"kind": line.kind, "value": line.value, **facts}


def _numbers(text: str) -> tuple[float, ...]:
    return tuple(float(part) for part in text.split(",") if part)


def square_counts(text: str) -> range:
    """How many squares may be empty, as somebody has typed it: 28, or 31-34."""
    least, _, most = text.partition("-")
    return range(int(least), int(most or least) + 1)


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.accuracy", description="How good moves and values are, by depth and by time."
    )
    parser.add_argument("--own", type=Path, default=OWN, metavar="FILE", help="the positions of our own")
    parser.add_argument(
        "--suite", type=Path, action="append", default=[], metavar="FILE", help="a suite besides (.obf)"
    )
    parser.add_argument("--build", default=INSTALLED, metavar="REVISION", help="whose engine; the installed one's")
    parser.add_argument("--depths", type=_numbers, default=DEPTHS, metavar="N,N", help="4 to 18 unless given")
    parser.add_argument("--times", type=_numbers, default=TIMES, metavar="S,S", help="0.01 to 3 s unless given")
    parser.add_argument("--sample", type=int, metavar="N", help="only so many positions of each suite")
    parser.add_argument(
        "--empties", type=square_counts, metavar="N", help="only positions with so many empty squares; 31-34 for some"
    )
    parser.add_argument("--networks", type=Path, metavar="FILE", help="networks instead of the build's own")
    parser.add_argument("--jobs", type=int, metavar="N", help="positions at a time; all cores unless given")
    parser.add_argument(
        "--complete",
        nargs="?",
        type=int,
        const=60,
        metavar="E",
        help="solve chosen moves of unknown score, and keep them; with E only where at most E squares are empty",
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the table to this file, a figure beside it")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to this file")
    arguments = parser.parse_args()
    suites: dict[str, list[Line]] = {}
    try:
        loaded = {path: load(path) for path in (arguments.own, *arguments.suite)}
        asked = {path: choose(known, arguments.empties, arguments.sample) for path, known in loaded.items()}
        for path, known in asked.items():
            if not known:
                raise SystemExit(f"{path}: holds no position with scores")
        build = find_build(arguments.build)
        start = f"build:{build.folder or build.name},hash={HASH}"
        start += f",networks={arguments.networks.resolve()}" if arguments.networks else ""
        specs = [("depth", depth, f"{start},depth={depth:.0f}") for depth in arguments.depths]
        specs += [("time", seconds, f"{start},time={seconds:g}") for seconds in arguments.times]
        text = f"# Accuracy\n\n{INTRODUCTION.format(arguments=shlex.join(sys.argv[1:]))}\n"
        text += f"Machine: {machine()}. Build: {build.name}. One thread, a table of {HASH} MB, cold.\n"
        with Crew("processes", arguments.jobs) as crew:
            for path, known in asked.items():
                found = run(known, specs, crew)
                if arguments.complete is not None:
                    chosen = (answers for _, answers in found)
                    print(f"{solve_chosen(known, chosen, crew, arguments.complete)} moves solved", file=sys.stderr)
                    if path == arguments.own:
                        save(path, loaded[path])
                name = f"{path.stem}, {len(known)} positions"
                suites[name] = [judge(line.kind, line.value, known, answers) for line, answers in found]
                text += f"\n## {name}\n\n{table(suites[name])}"
    except OthellierError as error:
        raise SystemExit(f"accuracy: {error}") from None
    publish(text, arguments.out)
    if arguments.out is not None:
        draw(suites, arguments.out.with_suffix(".svg"))
    if arguments.json is not None:
        facts = {name: [_facts(line) for line in lines] for name, lines in suites.items()}
        arguments.json.write_text(f"{json.dumps({'build': build.name, 'suites': facts}, indent=1)}\n")


if __name__ == "__main__":
    main()
