"""Figures: the one place that imports matplotlib, and only when a figure is drawn.

A figure is drawn once and written as PDF, SVG and PNG (300 dots an inch), ready for a paper: its title is a caption,
which stands beside the picture and not in it. What is drawn is handed in as plain numbers.
"""

from __future__ import annotations

import html
import io
import math
import re
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

from othellier.base.files import write_file
from othellier.errors import extra
from othellier.messages.languages import french_number
from othellier.search.trees.drawing import Language

__all__ = [
    "COLORS",
    "Bar",
    "Curve",
    "Figure",
    "draw_bars",
    "draw_cross_table",
    "draw_curves",
    "draw_panels",
    "draw_ratings",
    "new_figure",
]

COLORS = ("#0072b2", "#e69f00", "#7f3c8d", "#56b4e9", "#d55e00", "#8c6d31", "#cc79a7", "#1d2327", "#8a949b")
"""Told apart also by those who do not tell red from green: there is no green (after Okabe and Ito)."""

PUBLISHED = "#333333"
"""What comes from a document, in every figure."""

DPI = 300

STYLE = {
    "font.size": 9,
    "axes.labelsize": 9,
    "legend.fontsize": 8,
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
    "pdf.fonttype": 42,  # letters stay letters, as journals ask
    "axes.prop_cycle": f"cycler('color', {list(COLORS)})",  # of lines that choose no colour themselves
}

Bar = float | tuple[float, float, float] | None
"""A bar's length, alone where it is a count, or with the ends of its interval; None where there is none."""


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

    @classmethod
    def measured(cls, name: str, found: Mapping[float, tuple[float, float, float]], color: int = 0) -> Curve:
        """A curve through values with the ends of their intervals, by their abscissae."""
        points = [(x, value) for x, (value, _, _) in found.items()]
        return cls(name, points, color=color, ranges=[(low, high) for _, low, high in found.values()])


class Figure:
    """A drawing with a caption."""

    def __init__(self, title: str, width: float, height: float, panels: int = 1) -> None:
        with extra("lab", "drawing figures"):
            drawing = import_module("matplotlib.figure")
        self.title = title
        with self._style():
            self._figure: Any = drawing.Figure(figsize=(width, height), layout="constrained")
            self.panels: list[Any] = list(self._figure.subplots(1, panels, squeeze=False)[0])
            for axes in self.panels:
                axes.spines[["top", "right"]].set_visible(False)
                axes.set_axisbelow(True)
        self.axes: Any = self.panels[0]

    def labelled(self, x: str, y: str) -> Figure:
        """The figure with names at its axes, a grid and a legend."""
        self.axes.set_xlabel(x)
        self.axes.set_ylabel(y)
        self.axes.grid(alpha=0.3)
        self.axes.legend()
        return self

    def _style(self, letters: str = "path") -> Any:
        # Without a date and with fixed names the same figure is the same file.
        return import_module("matplotlib").rc_context({**STYLE, "svg.hashsalt": self.title, "svg.fonttype": letters})

    def _bytes(self, kind: str, letters: str = "path") -> bytes:
        data = io.BytesIO()
        dates: dict[str, Any] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
        with self._style(letters), warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            self._figure.savefig(data, format=kind, dpi=DPI, metadata=dates.get(kind))
        missing = [one for one in found if "missing from font" in str(one.message)]
        for one in found:
            if one not in missing:
                warnings.warn_explicit(one.message, one.category, one.filename, one.lineno)
        # Names in writing that our font lacks: a browser has a font for them, other formats show boxes.
        return self._bytes(kind, "none") if missing and kind == "svg" and letters == "path" else data.getvalue()

    def svg(self) -> str:
        """Return the drawing as text, for a page; its styles concern nothing else on the page."""
        picture = self._bytes("svg").decode()
        style = re.search(r"<style[^>]*>\*\{([^}]*)\}</style>", picture)
        if style is None:
            return picture
        return picture.replace(style[0], "").replace("<svg ", f'<svg style="{style[1]}" ', 1)

    def _repr_html_(self) -> str:
        picture = self.svg()
        caption = f"<figcaption><b>{html.escape(self.title)}</b></figcaption>"
        return f'<figure style="margin: 0; max-width: 44em">{caption}{picture[picture.find("<svg") :]}</figure>'

    def in_language(self, language: Language) -> Figure:
        """The figure with the numbers of its axes and bars as the language writes them."""
        if language == "fr":
            plain = import_module("matplotlib.ticker").ScalarFormatter
            formatted = {"__call__": lambda self, value, place=None: french_number(plain.__call__(self, value, place))}
            for axes in self.panels:
                for axis in (axes.xaxis, axes.yaxis):
                    if type(axis.get_major_formatter()) is plain:  # neither names nor powers of ten
                        axis.set_major_formatter(type("French", (plain,), formatted)())
                for label in axes.texts:
                    label.set_text(french_number(label.get_text()))
        return self

    def write(self, folder: Path, name: str) -> None:
        """Write it as PDF, PNG and SVG."""
        for kind in ("pdf", "png", "svg"):
            write_file(folder / f"{name}.{kind}", [self._bytes(kind)])


def new_figure(title: str, width: float = 6.5, height: float = 3.6, panels: int = 1) -> Figure:
    """An empty figure to draw on by its `axes`."""
    return Figure(title, width, height, panels)


def draw_ratings(
    title: str,
    names: Sequence[str],
    values: Sequence[tuple[float, float, float]],
    label: str = "Elo, with 95 % intervals",
) -> Figure:
    """Elo ratings, the best on top, with the ends of their intervals: (rating, low, high) each."""
    figure = new_figure(title, 6.5, 0.9 + 0.26 * len(names))
    axes = figure.axes
    for row, (rating, low, high) in enumerate(values):
        reach = [[rating - low], [high - rating]] if math.isfinite(high - low) else None
        axes.errorbar([rating], [row], xerr=reach, fmt="o", color=COLORS[0], capsize=3, markersize=4)
    axes.set_yticks(range(len(names)), [name if len(name) <= 40 else f"{name[:39]}…" for name in names])
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_xlabel(label)
    axes.grid(axis="x", alpha=0.3)
    return figure


def draw_cross_table(
    title: str,
    names: Sequence[str],
    scores: Sequence[Sequence[float | None]],
    label: str = "per cent of points, row against column",
) -> Figure:
    """The share of points each row made against each column, from 0 to 1; None where they did not meet."""
    side = 1.6 + 0.36 * len(names)
    figure = new_figure(title, side + 1.4, side)
    axes = figure.axes
    filled = [[math.nan if score is None else 100 * score for score in row] for row in scores]
    axes.imshow(filled, cmap="PuOr", vmin=0, vmax=100)
    for row, values in enumerate(filled):
        for column, value in enumerate(values):
            if not math.isnan(value):
                ink = "black" if 15 < value < 85 else "white"
                axes.text(column, row, f"{value:.0f}", ha="center", va="center", color=ink, fontsize=7)
    short = [name if len(name) <= 32 else f"{name[:31]}…" for name in names]
    axes.set_xticks(range(len(names)), short, rotation=45, ha="right")
    axes.set_yticks(range(len(names)), short)
    axes.set_xlabel(label)
    return figure


def _draw_curve(axes: Any, curve: Curve) -> None:
    markers = "osD^vP*Xh<>"  # more of them than colours: a colour that comes again has another sign
    xs, ys = zip(*curve.points, strict=True)
    color = COLORS[curve.color % len(COLORS)]
    style: dict[str, Any]
    if curve.kind in ("line", "points"):
        style = {"color": color, "marker": markers[curve.color % len(markers)], "markersize": 3.5, "linewidth": 1.3}
        style["linestyle"] = "-" if curve.kind == "line" else ""
    elif curve.kind == "fit":
        style = {"color": color, "linestyle": "--", "linewidth": 1.0}
    elif curve.kind == "published line":
        style = {"color": PUBLISHED, "linestyle": ":", "linewidth": 1.3}
    else:
        style = {"color": PUBLISHED, "marker": "o", "linestyle": "", "markerfacecolor": "white", "markersize": 5.5}
    if curve.ranges:
        reach = [[value - low for value, (low, _) in zip(ys, curve.ranges, strict=True)]]
        reach.append([high - value for value, (_, high) in zip(ys, curve.ranges, strict=True)])
        axes.errorbar(xs, ys, yerr=reach, label=curve.name, capsize=2.5, elinewidth=0.9, **style)
    else:
        axes.plot(xs, ys, label=curve.name, **style)


def draw_curves(
    title: str, curves: Sequence[Curve], x: str, y: str, *, log: bool = False, limits: tuple[float, float] | None = None
) -> Figure:
    """Curves over whole or broken numbers, the ordinate logarithmic if wanted; the legend beside them."""
    figure = new_figure(title, 7.2, 3.7)
    axes = figure.axes
    curves = [curve for curve in curves if curve.points]
    for curve in curves:
        _draw_curve(axes, curve)
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
    if len(curves) > 1:
        axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False)
    return figure


def draw_panels(title: str, panels: Mapping[str, Sequence[Curve]], x: str, y: str) -> Figure:
    """Curves of very different height beside one another, each on linear axes of its own that begin at 0."""
    figure = Figure(title, 2.5 * len(panels), 2.7, len(panels))
    for number, (axes, (name, curves)) in enumerate(zip(figure.panels, panels.items(), strict=True)):
        for curve in curves:
            if curve.points:
                _draw_curve(axes, curve)
        axes.set_xlim(left=0)
        axes.set_ylim(bottom=0)
        axes.set_title(name, fontsize=9)  # which of the panels it is, not what the figure shows
        axes.set_xlabel(x)
        if number == 0:
            axes.set_ylabel(y)
        axes.grid(alpha=0.25)
        axes.legend(loc="upper left", frameon=False, fontsize=7)
    return figure


def draw_bars(
    title: str,
    names: Sequence[str],
    groups: Mapping[str, Sequence[Bar]],
    x: str,
    *,
    log: bool = False,
    published: int = 0,
) -> Figure:
    """Bars for each name, one below the other; the first so many groups have the colour of what was published."""
    figure = new_figure(title, 6.5, 0.9 + len(names) * (0.12 + 0.2 * len(groups)))
    axes = figure.axes
    width = 0.8 / len(groups)
    for number, (group, values) in enumerate(groups.items()):
        color = "#c9ced3" if number < published else COLORS[(number - published) % len(COLORS)]
        places = [row - 0.4 + width * (number + 0.5) for row in range(len(names))]
        bars = [(value, value, value) if isinstance(value, int | float) else value for value in values]
        lengths = [0.0 if bar is None else bar[0] for bar in bars]
        axes.barh(places, lengths, width * 0.9, label=group, color=color)
        reach: list[list[float]] = [[], []]
        for bar in bars:
            reach[0].append(0.0 if bar is None else bar[0] - bar[1])
            reach[1].append(0.0 if bar is None else bar[2] - bar[0])
        if any(map(any, reach)):
            axes.errorbar(lengths, places, xerr=reach, fmt="none", ecolor=PUBLISHED, elinewidth=0.9, capsize=2)
        for bar, place, spread in zip(bars, places, reach[1], strict=True):
            if bar is not None:
                label = f"{bar[0]:,.0f}" if abs(bar[0]) >= 10 else f"{bar[0]:.3g}"
                axes.annotate(
                    label, (bar[0] + spread, place), (3, 0), textcoords="offset points", va="center", fontsize=7
                )
    if log:
        axes.set_xscale("log")
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.45, -0.55)
    axes.set_xlabel(x)
    axes.margins(x=0.1)
    axes.grid(axis="x", alpha=0.25)
    if len(groups) > 1:
        axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False)
    return figure
