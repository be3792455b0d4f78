"""Figures: the one place that imports matplotlib, and only when a figure is drawn.

A figure is drawn once and written as PNG and as SVG. What is drawn is handed in as plain numbers.
"""

from __future__ import annotations

import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

from othellier.errors import extra
from othellier.files import write_file

__all__ = ["Curve", "Figure", "draw_bars", "draw_cross_table", "draw_curves", "draw_ratings", "new_figure"]

DISC = "#1b7a4b"

COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f3c8d", "#8c6d31", "#5f6b73")
"""Told apart also by those who do not tell red from green (after Okabe and Ito)."""

PUBLISHED = "#333333"
"""What comes from a document, in every figure."""


@dataclass(frozen=True, slots=True)
class Curve:
    """Points with a name. A fit or a theory is dashed; what was published is grey and hollow, or dotted."""

    name: str
    points: Sequence[tuple[float, float]]
    kind: Literal["line", "points", "fit", "published", "published line"] = "line"
    color: int = 0
    """A number: curves that belong together share it."""
    ranges: Sequence[tuple[float, float]] = ()
    """The ends of the error bars, where there are some."""


class Figure:
    """A drawing with a title."""

    def __init__(self, title: str, width: float, height: float) -> None:
        with extra("lab", "drawing figures"):
            drawing = import_module("matplotlib.figure")
        self.title = title
        self._figure: Any = drawing.Figure(figsize=(width, height), layout="constrained")
        self.axes: Any = self._figure.add_subplot()
        self.axes.set_title(title, loc="left", fontweight="bold", fontsize=11)
        self.axes.spines[["top", "right"]].set_visible(False)
        self.axes.set_axisbelow(True)

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

    def _repr_svg_(self) -> str:
        return self.svg()

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
    short = [name if len(name) <= 32 else f"{name[:31]}…" for name in names]
    axes.set_xticks(range(len(names)), short, rotation=45, ha="right")
    axes.set_yticks(range(len(names)), short)
    axes.set_xlabel("per cent of points, row against column")
    return figure


def draw_curves(
    title: str, curves: Sequence[Curve], x: str, y: str, *, log: bool = False, limits: tuple[float, float] | None = None
) -> Figure:
    """Curves over whole or broken numbers, the ordinate logarithmic if wanted; the legend beside them."""
    figure = new_figure(title, 9, 4.8)
    axes = figure.axes
    markers = "osD^vP*Xh"
    for curve in curves:
        if not curve.points:
            continue
        xs, ys = zip(*curve.points, strict=True)
        color = COLORS[curve.color % len(COLORS)]
        if curve.kind in ("line", "points"):
            style = {"color": color, "marker": markers[curve.color % len(markers)], "markersize": 4.5, "linewidth": 1.6}
            style["linestyle"] = "-" if curve.kind == "line" else ""
        elif curve.kind == "fit":
            style = {"color": color, "linestyle": "--", "linewidth": 1.1}
        elif curve.kind == "published line":
            style = {"color": PUBLISHED, "linestyle": ":", "linewidth": 1.5}
        else:
            style = {"color": PUBLISHED, "marker": "o", "linestyle": "", "markerfacecolor": "white", "markersize": 7}
        if curve.ranges:
            reach = [[value - low for value, (low, _) in zip(ys, curve.ranges, strict=True)]]
            reach.append([high - value for value, (_, high) in zip(ys, curve.ranges, strict=True)])
            axes.errorbar(xs, ys, yerr=reach, label=curve.name, capsize=3, elinewidth=1, **style)
        else:
            axes.plot(xs, ys, label=curve.name, **style)
    if log:
        axes.set_yscale("log")
    if limits is not None:
        axes.set_ylim(*limits)
    everywhere = [x for curve in curves for x, _ in curve.points]
    if everywhere and all(float(x).is_integer() for x in everywhere) and max(everywhere) <= 40:
        axes.set_xticks(range(int(min(everywhere)), int(max(everywhere)) + 1, 1 if max(everywhere) <= 20 else 2))
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.grid(alpha=0.25)
    axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False, fontsize=9)
    return figure


def draw_bars(
    title: str, names: Sequence[str], groups: Mapping[str, Sequence[float | None]], x: str, *, log: bool = False
) -> Figure:
    """Bars for each name, one below the other; the group `published` has the colour of what was published."""
    figure = new_figure(title, 8, 1.4 + len(names) * (0.16 + 0.26 * len(groups)))
    axes = figure.axes
    width = 0.8 / len(groups)
    measured = 0
    for number, (group, values) in enumerate(groups.items()):
        color = "#c9ced3" if group == "published" else COLORS[measured % len(COLORS)]
        measured += group != "published"
        places = [row - 0.4 + width * (number + 0.5) for row in range(len(names))]
        bars = axes.barh(places, [value or 0 for value in values], width * 0.9, label=group, color=color)
        labels = ["" if value is None else f"{value:,.0f}" if value >= 10 else f"{value:.3g}" for value in values]
        axes.bar_label(bars, labels, fontsize=8, padding=3)
    if log:
        axes.set_xscale("log")
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.45, -0.55)
    axes.set_xlabel(x)
    axes.margins(x=0.1)
    axes.grid(axis="x", alpha=0.25)
    if len(groups) > 1:
        axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False, fontsize=9)
    return figure
