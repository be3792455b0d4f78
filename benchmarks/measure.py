"""One measured number and the table of them. What is measured is for the other files to say."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Row", "markdown", "publish", "rate", "seconds"]


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


def seconds(work: Callable[[], object], repeat: int = 3) -> float:
    """The shortest of a few runs: what disturbs a run only ever makes it longer."""
    times = []
    for _ in range(repeat):
        begin = time.perf_counter()
        work()
        times.append(time.perf_counter() - begin)
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


def publish(text: str, out: Path | None) -> None:
    """Print a report, and write it to a file where one is named."""
    print(text, end="")
    if out is not None:
        out.write_text(text)
