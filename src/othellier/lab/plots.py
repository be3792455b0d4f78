"""Figures: the one place that imports matplotlib, and only when a figure is drawn.

A figure is drawn once and written as PNG and as SVG. What is drawn is handed in as plain numbers.
"""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from othellier.errors import MissingExtra
from othellier.files import write_file

__all__ = ["Figure", "draw_cross_table", "draw_ratings", "new_figure"]

DISC = "#1b7a4b"


class Figure:
    """A drawing with a title."""

    def __init__(self, title: str, width: float, height: float) -> None:
        try:
            drawing = import_module("matplotlib.figure")
        except ImportError:
            raise MissingExtra("drawing figures", "lab") from None
        self.title = title
        self._figure: Any = drawing.Figure(figsize=(width, height), layout="constrained")
        self.axes: Any = self._figure.add_subplot()
        self.axes.set_title(title)

    def _bytes(self, kind: str) -> bytes:
        data = io.BytesIO()
        # Without a date and with fixed names the same figure is the same file.
        matplotlib = import_module("matplotlib")
        with matplotlib.rc_context({"svg.hashsalt": self.title}):
            self._figure.savefig(data, format=kind, dpi=150, metadata={"Date": None} if kind == "svg" else None)
        return data.getvalue()

    def svg(self) -> str:
        """The drawing as text, for a page."""
        return self._bytes("svg").decode()

    def write(self, folder: Path, name: str) -> None:
        """Write it as PNG and as SVG."""
        for kind in ("png", "svg"):
            write_file(folder / f"{name}.{kind}", [self._bytes(kind)])


def new_figure(title: str, width: float = 8, height: float = 4.5) -> Figure:
    """An empty figure to draw on by its `axes`."""
    return Figure(title, width, height)


def draw_ratings(title: str, names: Sequence[str], values: Sequence[tuple[float, float, float]]) -> Figure:
    """Elo ratings, the best on top, with the ends of their intervals: (rating, low, high) each."""
    figure = new_figure(title, 8, 1.2 + 0.4 * len(names))
    axes = figure.axes
    for row, (rating, low, high) in enumerate(values):
        reach = [[rating - low], [high - rating]] if math.isfinite(high - low) else None
        axes.errorbar([rating], [row], xerr=reach, fmt="o", color=DISC, capsize=4)
    axes.set_yticks(range(len(names)), [name if len(name) <= 40 else f"{name[:39]}…" for name in names])
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_xlabel("Elo, with 95 % intervals")
    axes.grid(axis="x", alpha=0.3)
    return figure


def draw_cross_table(title: str, names: Sequence[str], scores: Sequence[Sequence[float | None]]) -> Figure:
    """The share of points each row made against each column, from 0 to 1; None where they did not meet."""
    side = 2 + 0.6 * len(names)
    figure = new_figure(title, side + 2, side)
    axes = figure.axes
    filled = [[math.nan if score is None else 100 * score for score in row] for row in scores]
    axes.imshow(filled, cmap="RdYlGn", vmin=0, vmax=100)
    for row, values in enumerate(filled):
        for column, value in enumerate(values):
            if not math.isnan(value):
                ink = "black" if 10 < value < 90 else "white"
                axes.text(column, row, f"{value:.0f}", ha="center", va="center", color=ink)
    short = [name if len(name) <= 24 else f"{name[:23]}…" for name in names]
    axes.set_xticks(range(len(names)), short, rotation=45, ha="right")
    axes.set_yticks(range(len(names)), short)
    axes.set_xlabel("per cent of points, row against column")
    return figure
