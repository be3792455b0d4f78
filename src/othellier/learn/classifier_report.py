"""How well the classifier does on games it has not seen, beside heuristics and engine: tables, figures, a page.

Every rival is treated alike: its number for a position, with the phase of the game, is turned into chances by a small
network fitted to the same training positions. Its bare sign is told as well. All of it in English or French. The
game is the unit: at a number of discs each game has one position, and where positions of the same games are taken
together intervals are by a bootstrap over games.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from othellier.arena.stats import wilson
from othellier.base.files import write_file
from othellier.base.sheets import TableRows, csv_table, html_figure, html_page, html_table
from othellier.lab.conclusions import level
from othellier.lab.plots import COLORS, Figure, new_figure
from othellier.lab.words import Words
from othellier.learn.by_game import share_by_game
from othellier.learn.classifier import CLASSES, Labels
from othellier.learn.classifier_features import Floats

__all__ = ["STAGES", "Bin", "Method", "Results", "figures", "write_report"]

STAGES = (20, 40, 50)
"""Discs on the board for which the tables speak."""
BINS = 10
SHOWN = 6
"""Methods drawn in the figure by phase."""
WIN = CLASSES.index("win")
NUMBER = re.compile(r"[-\d.,± \[\]]+")
WIDE = ("stages", "phases", "scores")
"""Tables too wide for the page, which has their figures instead."""


@dataclass(frozen=True, slots=True)
class Method:
    """A way to foretell results: its chances for every position of the test, and the bare sign of its number."""

    name: str
    kind: str
    chances: Floats
    sign: npt.NDArray[np.int64] | None = None
    numbers: Mapping[str, int] = field(default_factory=dict)
    """What stands in the places of its name."""

    def title(self, say: Words) -> str:
        """Its name in words."""
        return say(self.name, **self.numbers)

    @property
    def predicted(self) -> Labels:
        """The likeliest class of each position."""
        return np.asarray(self.chances.argmax(axis=1), np.int64)


class Bin(NamedTuple):
    """Positions to which a method gives about the same chance of a win."""

    chance: float
    """The mean of these chances."""
    won: npt.NDArray[np.bool_]
    """For each position, if its game was won."""
    games: npt.NDArray[np.int32]
    """For each position, its game."""


@dataclass(frozen=True, slots=True)
class Results:
    """The test: its positions' discs, results and games, and what each method said of them.

    The first method is the classifier.
    """

    discs: npt.NDArray[np.int64]
    truth: Labels
    games: npt.NDArray[np.int32]
    methods: Sequence[Method]
    facts: dict[str, Any] = field(default_factory=dict)
    leak: TableRows = field(default_factory=list)
    say: Words = field(default_factory=Words)
    """The language of tables and figures."""

    def title(self, method: Method) -> str:
        """What a method is called."""
        return method.title(self.say)

    # -- tables

    def stages(self) -> TableRows:
        """Return the accuracy at some numbers of discs, in per cent with 95 % intervals, the best on top.

        The classifier's leads are a family of comparisons, with each rival at each stage: their intervals are so
        wide that all of them hold together with 95 % (Bonferroni).
        """
        say = self.say
        sure = level(len(STAGES) * (len(self.methods) - 1))
        heading = [say("method"), say("kind")]
        for discs in STAGES:
            ends = [say("low"), say("high")]
            heading += [say("{discs} discs", discs=discs), *ends, say("by sign")]
            heading += [say("classifier ahead by"), *(f"{end} " for end in ends)]
        rows = []
        for method in self.methods:
            row = [self.title(method), say(method.kind)]
            for discs in STAGES:
                here = self.discs == discs
                right = (method.predicted == self.truth)[here]
                ahead = (self.methods[0].predicted == self.truth)[here].astype(float) - right
                reach = sure * ahead.std() / np.sqrt(len(ahead))
                sign = "" if method.sign is None else _percent((method.sign == self.truth - 1)[here].mean())
                row += [_percent(right.mean()), *map(_percent, wilson(float(right.mean()), len(right))), sign]
                row += [_percent(ahead.mean() + shift) for shift in (0.0, -reach, reach)]
            rows.append(row)
        first, *rest = rows
        return [heading, first, *sorted(rest, key=lambda row: -float(row[2 + 7 * STAGES.index(40)]))]

    def summary(self, lead: bool = False) -> TableRows:
        """The same for people: accuracy, or the classifier's lead over the method, with its interval."""
        rows = [[self.say("method"), *(self.say("{discs} discs", discs=discs) for discs in STAGES)]]
        first = 4 if lead else 0
        for name, _, *cells in self.stages()[1:]:
            by_stage = [cells[place + first : place + first + 3] for place in range(0, len(cells), 7)]
            rows.append([name, *(f"{share} [{low}, {high}]" for share, low, high in by_stage)])
        return rows

    def scores(self) -> TableRows:
        """Log loss, Brier score and calibration error of the chances: all positions, then by stage."""
        say = self.say
        heading = [say(words) for words in ("method", "log loss", "Brier", "calibration error")]
        heading += [f"{say(what)} ({discs})" for discs in STAGES for what in ("log loss", "Brier")]
        rows = [heading]
        for method in self.methods:
            everywhere = np.ones(len(self.truth), np.bool_)
            row = [self.title(method), *self._losses(method, everywhere), f"{self._miscalibration(method):.4f}"]
            for discs in STAGES:
                row += self._losses(method, self.discs == discs)
            rows.append(row)
        return rows

    def _losses(self, method: Method, here: npt.NDArray[np.bool_]) -> list[str]:
        chances, truth = method.chances[here].astype(np.float64), self.truth[here]
        log_loss = np.abs(np.log(np.maximum(chances[np.arange(len(truth)), truth], 1e-9))).mean()
        brier = ((chances - np.eye(len(CLASSES))[truth]) ** 2).sum(axis=1).mean()
        return [f"{log_loss:.4f}", f"{brier:.4f}"]

    def _miscalibration(self, method: Method) -> float:
        return sum(abs(one.chance - float(one.won.mean())) * len(one.won) for one in self.bins(method)) / len(
            self.truth
        )

    def bins(self, method: Method) -> list[Bin]:
        """Return the positions by tenths of the chance of a win."""
        chances, won = method.chances[:, WIN], self.truth == WIN
        places = np.minimum((chances * BINS).astype(np.int64), BINS - 1)
        inside = [places == place for place in range(BINS)]
        return [Bin(float(chances[one].mean()), won[one], self.games[one]) for one in inside if one.any()]

    def reliability(self) -> TableRows:
        """Calibration of the classifier: the chances of a win by tenths, and the share that was won."""
        words = ("chance told", "share won", "low", "high", "positions", "games")
        rows = [[self.say(word) for word in words]]
        for chance, won, games in self.bins(self.methods[0]):
            shares = (f"{share:.4f}" for share in share_by_game(won, games))
            rows.append([f"{chance:.4f}", *shares, str(len(won)), str(len(np.unique(games)))])
        return rows

    def phases(self) -> TableRows:
        """Accuracy by discs for every method, in per cent."""
        counts = sorted(set(self.discs.tolist()))
        rows = [[self.say("discs"), self.say("games"), *map(self.title, self.methods)]]
        for discs in counts:
            here = self.discs == discs
            shares = [_percent((method.predicted == self.truth)[here].mean()) for method in self.methods]
            rows.append([str(discs), str(int(here.sum())), *shares])
        return rows

    def confusion(self, discs: int) -> TableRows:
        """How often a result (row) was foretold as what (column) by the classifier."""
        here = self.discs == discs
        counts = np.zeros((3, 3), np.int64)
        np.add.at(counts, (self.truth[here], self.methods[0].predicted[here]), 1)
        say = self.say
        rows = [[say(name), *map(str, counts[place])] for place, name in enumerate(CLASSES)]
        foretold = [say("foretold: {result}", result=say(name)) for name in CLASSES]
        return [[say("at {discs} discs", discs=discs), *foretold], *rows]

    def tables(self) -> dict[str, tuple[str, TableRows]]:
        """Every table by its file's name, with its title."""
        say = self.say
        found = {
            "summary": (say("Accuracy on games not learnt from, per cent with 95 % intervals"), self.summary()),
            "lead": (
                say("How far the classifier is ahead, over the same games; all intervals together hold with 95 %"),
                self.summary(lead=True),
            ),
            "stages": (say("The same in numbers"), self.stages()),
            "chances": (say("How good the chances are"), [row[:4] for row in self.scores()]),
            "scores": (say("The same by stage"), self.scores()),
            "phases": (say("Accuracy by discs, per cent"), self.phases()),
        }
        for discs in STAGES:
            found[f"confusion-{discs}"] = (say("Confusion at {discs} discs", discs=discs), self.confusion(discs))
        title = say("Calibration of the chance of a win, with 95 % intervals by a bootstrap over games")
        found["reliability"] = (title, self.reliability())
        if self.leak:
            told = [[say(cell) if cell and not NUMBER.fullmatch(cell) else cell for cell in row] for row in self.leak]
            found["leak"] = (say("The evaluation on games learnt from and on games of the test"), told)
        return found


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


# -- files


def write_report(results: Results, folder: Path, drawn: dict[str, Figure]) -> Path:
    """Write tables, figures, facts and one page with all of them."""
    folder.mkdir(parents=True, exist_ok=True)
    say = results.say
    parts = [f"<p>{html.escape(line)}</p>" for line in _words(results.facts, say)]
    tables = results.tables()
    for name, (title, table) in tables.items():
        write_file(folder / f"{name}.csv", [csv_table(table)])
        if name not in WIDE:
            cells = [[_local(cell, say) for cell in row] for row in table]
            parts += [f"<h2>{html.escape(title)}</h2>", html_table(cells)]
    for name, figure in drawn.items():
        figure.in_language(say.language).write(folder, name)
        parts.append(html_figure(figure.title, figure.svg()))
    data = {**results.facts, **{name: table for name, (_, table) in tables.items()}}
    write_file(folder / "results.json", [json.dumps(data, indent=1).encode() + b"\n"])
    path = folder / "report.html"
    page = html_page(say("Who wins a game in progress"), parts, language=say.language)
    write_file(path, [page.encode()])
    return path


def _local(cell: str, say: Words) -> str:
    """A number, or one with its interval, as the language writes it."""
    if say.language == "en" or not NUMBER.fullmatch(cell):
        return cell
    return cell.replace(", ", " ; ").replace(".", ",")


def _words(facts: dict[str, Any], say: Words) -> list[str]:
    return [say("{fact}: {value}", fact=say(key.replace("_", " ")), value=_told(facts[key], say)) for key in facts]


def _told(value: Any, say: Words) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{_told(part, say)} {say(key.replace('_', ' '))}" for key, part in value.items())
    if isinstance(value, bool):
        return say("yes") if value else say("not known")
    return say.number(value) if isinstance(value, int) else say(str(value))


def figures(results: Results, curves: Mapping[str, Sequence[float]]) -> dict[str, Figure]:
    """All figures by their files' names."""
    return {
        "accuracy": _accuracy(results),
        "comparison": _comparison(results),
        "reliability": _reliability(results),
        "confusion": _confusion(results),
        "learning": _learning(curves, results.say),
    }


def _accuracy(results: Results) -> Figure:
    figure = new_figure(results.say("Results foretold rightly as the game goes on"))
    classifier, *rest = results.methods
    heuristics = [method for method in rest if method.kind == "heuristic"]
    heuristics.sort(key=lambda method: -(method.predicted == results.truth).mean())
    shown = [classifier, *(method for method in rest if method.kind != "heuristic"), *heuristics]
    counts = sorted(set(results.discs.tolist()))
    for place, method in enumerate(shown[:SHOWN]):
        right = method.predicted == results.truth
        shares = [100 * right[results.discs == discs].mean() for discs in counts]
        style = {"linewidth": 2.2} if method is classifier else {"linewidth": 1.2, "alpha": 0.8}
        figure.axes.plot(counts, shares, label=results.title(method), color=COLORS[place], **style)
    return figure.labelled(results.say("discs on the board"), results.say("per cent right"))


def _comparison(results: Results) -> Figure:
    say = results.say
    title = say("Accuracy at 20, 40 and 50 discs, with 95 % intervals")
    figure = new_figure(title, 8, 1.5 + 0.42 * len(results.methods))
    order = [row[0] for row in results.stages()[1:]]
    by_name = {results.title(method): method for method in results.methods}
    for place, discs in enumerate(STAGES):
        here = results.discs == discs
        for line, name in enumerate(order):
            right = (by_name[name].predicted == results.truth)[here]
            share = float(right.mean())
            low, high = wilson(share, len(right))
            figure.axes.errorbar(
                [100 * share],
                [line],
                xerr=[[100 * (share - low)], [100 * (high - share)]],
                fmt="o",
                markersize=4,
                capsize=3,
                color=COLORS[place],
                label=say("{discs} discs", discs=discs) if not line else None,
            )
    figure.axes.set_yticks(range(len(order)), order)
    figure.axes.invert_yaxis()
    figure.axes.set_xlabel(say("per cent right"))
    figure.axes.grid(axis="x", alpha=0.3)
    figure.axes.legend(loc="lower right")
    return figure


def _reliability(results: Results) -> Figure:
    title = results.say("Calibration: chance of a win told, and share won, with 95 % intervals over games")
    figure = new_figure(title, 5.5, 5)
    figure.axes.plot([0, 1], [0, 1], color="grey", linewidth=0.8)
    models = [method for method in results.methods if method.kind in ("classifier", "model")]
    for place, method in enumerate(models):
        bins = results.bins(method)
        shares, low, high = np.array([share_by_game(one.won, one.games) for one in bins]).T
        chances, reach = [one.chance for one in bins], [shares - low, high - shares]
        style = {"label": results.title(method), "color": COLORS[place]}
        figure.axes.errorbar(chances, shares, yerr=reach, fmt=".-", capsize=2, **style)
    return figure.labelled(results.say("chance told"), results.say("share won"))


def _confusion(results: Results) -> Figure:
    discs = STAGES[1]
    figure = new_figure(results.say("Confusion of the classifier at {discs} discs", discs=discs), 5, 4.2)
    _, *rows = results.confusion(discs)
    counts = np.array([[int(cell) for cell in row[1:]] for row in rows])
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    figure.axes.imshow(shares, cmap="Blues", vmin=0, vmax=1)
    for row in range(3):
        for column in range(3):
            ink = "white" if shares[row, column] > 0.6 else "black"
            words = f"{counts[row, column]:,}\n{100 * shares[row, column]:.0f} %"
            figure.axes.text(column, row, words, ha="center", va="center", color=ink)
    classes = [results.say(name) for name in CLASSES]
    figure.axes.set_xticks(range(3), classes)
    figure.axes.set_yticks(range(3), classes)
    figure.axes.set_xlabel(results.say("foretold, for the side to move"))
    figure.axes.set_ylabel(results.say("result"))
    return figure


def _learning(curves: Mapping[str, Sequence[float]], say: Words) -> Figure:
    figure = new_figure(say("Learning curves"), 6, 3.5)
    for place, (name, curve) in enumerate(curves.items()):
        figure.axes.plot(range(1, len(curve) + 1), curve, ".-", label=say(name), color=COLORS[place])
    return figure.labelled(say("times through the data"), say("mean log loss in training"))
