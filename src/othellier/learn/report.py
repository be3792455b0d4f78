"""A page about a run: the model card, learning curves, held-out errors, calibration, matches, sizes of the data.

All of it is read from an archive; figures are drawn where there is matplotlib, and tables stand for themselves.
"""

from __future__ import annotations

import html
import json
import math
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from othellier.base.files import write_file
from othellier.base.sheets import html_figure, html_page, html_table
from othellier.lab.plots import COLORS, Figure, draw_ratings, new_figure
from othellier.learn.archive import NETWORK, PATTERNS, Archive
from othellier.learn.card import card_table
from othellier.learn.measure import STAGES

__all__ = ["figures", "write_report"]

PARTS = {"value": "value, all games", "tuning": "value, tuned without games that explore"}
"""Headings of the parts of a fit of networks."""


def write_report(archive: Archive, card: dict[str, Any], folder: Path, drawn: dict[str, Figure]) -> Path:
    """Write the page with figures, and beside it figures, tables and the card by themselves."""
    folder.mkdir(parents=True, exist_ok=True)
    write_file(folder / "model_card.json", [json.dumps(card, indent=1).encode() + b"\n"])
    archive.write_tables(folder)
    parts = [f"<p>{html.escape(card['recipe'])}</p>"] if card["recipe"] else []
    parts.append(html_table([row for row in card_table(card) if row[0] != "recipe"]))
    for name, figure in drawn.items():
        figure.write(folder, name)
        parts.append(html_figure(figure.title, figure.svg()))
    for title, name in (("Matches", "matches"), ("Data", "data"), ("Held-out errors", "errors")):
        table = archive.table(name)
        if len(table) > 1:
            parts += [f"<h2>{title}</h2>", html_table(table)]
    patterns = [["pattern", "squares"], *([str(number), names] for number, names in enumerate(card["patterns"], 1))]
    parts += ["<h2>Patterns</h2>", html_table(patterns), "<h2>Configuration</h2>"]
    parts.append(f"<pre>{html.escape(json.dumps(card['config'], indent=2))}</pre>")
    path = folder / "report.html"
    write_file(path, [html_page(card["title"] or "Learning", parts).encode()])
    return path


def figures(archive: Archive) -> dict[str, Figure]:
    """All figures that the archive has numbers for."""
    return dict(_figures(archive))


def _figures(archive: Archive) -> Iterator[tuple[str, Figure]]:
    last = archive.last_round
    for model in (PATTERNS, NETWORK):
        if curve := archive.events("epoch", model=model):
            yield f"curves_{model}", _curves(model, curve)
    if errors := archive.events("error", last):
        yield "errors", _errors(errors)
    if bins := archive.events("calibration", last, PATTERNS):
        yield "calibration", _calibration("Calibration of held-out positions: discs", bins, "observed")
        yield "chances", _calibration("Share of points by predicted value", bins, "won")
    if policy := archive.events("policy", last):
        yield "policy", _policy(policy)
    if matches := archive.events("match"):
        names = [f"{line['new']} against {line['old']}" for line in matches]
        values = [tuple(_number(line.get(key)) for key in ("elo", "elo_low", "elo_high")) for line in matches]
        known = [(name, (a, b, c)) for name, (a, b, c) in zip(names, values, strict=True) if math.isfinite(a)]
        if known:
            yield "elo", draw_ratings("New weights against old", [n for n, _ in known], [v for _, v in known])
    if data := archive.events("data"):
        yield "data_sizes", _sizes(data)


def _number(value: float | None) -> float:
    return math.nan if value is None else value


def _curves(model: str, lines: list[dict[str, Any]]) -> Figure:
    """Draw each part of a fit in a panel of its own: their losses are of other positions, and cannot be compared."""
    parts = list(dict.fromkeys(line.get("part", "") for line in lines))
    figure = new_figure(f"Learning curves: {model}", 1.5 + 5 * len(parts), panels=len(parts))
    for part, axes in zip(parts, figure.panels, strict=True):
        for number in sorted({line.get("round", 1) for line in lines}):
            own = [line for line in lines if line.get("round", 1) == number and line.get("part", "") == part]
            for key, words, style in (("training", "training", "--"), ("held_out", "held out", "-")):
                known = [line for line in own if line[key] is not None]
                points = [line["epoch"] for line in known], [line[key] for line in known]
                if known:
                    axes.plot(
                        *points, f".{style}", label=f"round {number}, {words}", color=COLORS[(number - 1) % len(COLORS)]
                    )
        axes.set_title(PARTS.get(part, part))
        axes.set_xlabel("times through the data")
        axes.set_ylabel("mean squared error, discs²")
        axes.xaxis.get_major_locator().set_params(integer=True)
        axes.grid(alpha=0.3)
        axes.legend()
    return figure


def _errors(errors: list[dict[str, Any]]) -> Figure:
    figure = new_figure("Held-out error by empty squares")
    for model in sorted({line.get("model", PATTERNS) for line in errors}, reverse=True):
        for key, words in (("mae", "mean absolute error"), ("bias", "mean error")):
            lines = [line for line in errors if key in line and line.get("model", PATTERNS) == model]
            places = [line["empties"] for line in lines]
            figure.axes.plot(places, [line[key] for line in lines], ".-", label=f"{model}, {words}")
    figure.axes.invert_xaxis()  # as the game goes
    return figure.labelled("empty squares", "discs")


def _calibration(title: str, bins: list[dict[str, Any]], key: str) -> Figure:
    figure = new_figure(title)
    if key == "observed":
        figure.axes.plot([-64, 64], [-64, 64], color="grey", linewidth=0.8)
    for stage, low, high in STAGES:
        lines = [line for line in bins if line["stage"] == stage]
        if lines:
            label = f"{low} to {high} empty squares"
            figure.axes.plot([one["predicted"] for one in lines], [one[key] for one in lines], ".-", label=label)
    return figure.labelled(
        "predicted, discs for the side to move", "mean result, discs" if key == "observed" else "points a game"
    )


def _policy(lines: list[dict[str, Any]]) -> Figure:
    figure = new_figure("How often the policy's first move is the one played")
    shares = [100 * line["accuracy"] for line in lines]
    figure.axes.plot([line["empties"] for line in lines], shares, ".-", label="held-out games")
    figure.axes.invert_xaxis()
    return figure.labelled("empty squares", "per cent")


def _sizes(data: list[dict[str, Any]]) -> Figure:
    figure = new_figure("What was learnt from", height=1.5 + 0.7 * len(data))
    names = [textwrap.fill(f"round {line.get('round', 1)}: {line['source']}", 36) for line in data]
    bars = figure.axes.barh(names, [line.get("positions", 0) / 1000 for line in data])
    figure.axes.bar_label(bars, [f" {line['games']:,} games" for line in data])
    figure.axes.invert_yaxis()
    figure.axes.margins(x=0.25)
    figure.axes.set_xlabel("thousands of positions")
    return figure
