"""One measured number and the table of them. What is measured is for the other files to say."""

import argparse
import datetime
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from othellier.base.builds import revision
from othellier.base.machine import machine
from othellier.rules import native


@dataclass(frozen=True, slots=True)
class Row:
    """A measured number beside the one to reach; `beside` is a ratio taken in the same run."""

    what: str
    value: float
    unit: str
    reach: float | None = None
    beside: str = ""
    less_is_better: bool = False

    @property
    def reached(self) -> bool:
        """Whether it is as good as promised."""
        return self.reach is None or (self.value <= self.reach if self.less_is_better else self.value >= self.reach)


def seconds(work: Callable[[], object], repeat: int = 3, clock: Callable[[], float] = time.perf_counter) -> float:
    """The shortest of a few runs: what disturbs a run only ever makes it longer."""
    times = []
    for _ in range(repeat):
        begin = clock()
        work()
        times.append(clock() - begin)
    return min(times)


def rate(count: int, work: Callable[[], object], repeat: int = 3) -> float:
    """How many a second."""
    return count / seconds(work, repeat)


def _number(value: float | None, unit: str) -> str:
    if value is None:
        return ""
    digits = f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
    return f"{digits} {unit}"


def markdown(rows: list[Row]) -> str:
    """The rows as a Markdown table."""
    lines = ["| what | measured | reach | in the same run |", "|---|---|---|---|"]
    for row in rows:
        value = _number(row.value, row.unit) + ("" if row.reached else " (missed)")
        lines.append(f"| {row.what} | {value} | {_number(row.reach, row.unit)} | {row.beside} |")
    return "\n".join(lines) + "\n"


def arguments_of(module: str, description: str) -> argparse.ArgumentParser:
    """What every benchmark takes."""
    parser = argparse.ArgumentParser(prog=f"python -m {module}", description=description)
    parser.add_argument("--out", type=Path, help="write the table to this file too")
    return parser


def publish_rows(title: str, how: str, rows: Iterable[Row], out: Path | None, beside: str = "in the same run") -> None:
    """Publish a table, with its title, how it was measured and on what."""
    table = markdown(list(rows)).replace("in the same run", beside)
    run = f"Measured on {datetime.date.today().isoformat()}, revision {revision() or 'unknown'}."
    publish(f"# {title}\n\n{how}{run}\nMachine: {machine()}. Core: {native.variant}.\n\n{table}", out)


def publish(text: str, out: Path | None) -> None:
    """Print a report, and write it to a file where one is named."""
    print(text, end="")
    if out is not None:
        out.write_text(text)
