"""What a tournament brought, as tables: standings, points, a cross table; as CSV, JSON and one HTML page.

Figures are drawn elsewhere and handed in; nothing here is played or counted.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

from othellier.arena.match import Side, finite
from othellier.arena.stats import Estimate, points, ratings
from othellier.arena.tournament import Tournament
from othellier.files import write_file
from othellier.sheets import TableRows, csv_table, html_figure, html_page, html_table, text_table

__all__ = ["Cell", "Standing", "TournamentReport"]


@dataclass(frozen=True, slots=True)
class Cell:
    """What a player did against another, in all rounds."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    errors: int = 0
    """Games lost by failing, not on the board."""
    on_board: int = 0
    """Games decided on the board."""
    difference: float = 0.0
    """The sum of their disc differences."""

    def __add__(self, other: Cell) -> Cell:
        return Cell(*(mine + theirs for mine, theirs in zip(astuple(self), astuple(other), strict=True)))

    @property
    def games(self) -> int:
        """How often they met."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """Points a game."""
        return (self.wins + self.draws / 2) / self.games

    @property
    def discs(self) -> float:
        """Mean disc difference of the games decided on the board; not a number where there are none."""
        return self.difference / self.on_board if self.on_board else math.nan

    def __str__(self) -> str:
        return f"+{self.wins} ={self.draws} -{self.losses}" + (f" ({self.errors} by error)" if self.errors else "")


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's line of the final table."""

    name: str
    spec: str
    points: float
    """As the INSA report counts them: for each opponent, per cent of games won less per cent lost, or 0."""
    total: Cell
    """What it did against all others together."""
    rating: Estimate
    side: Side

    def facts(self) -> dict[str, Any]:
        """As JSON and CSV tell it."""
        return {
            "name": self.name,
            "player": self.spec,
            "points": round(self.points, 2),
            "games": self.total.games,
            "wins": self.total.wins,
            "draws": self.total.draws,
            "losses": self.total.losses,
            "score": round(self.rating.score, 4),
            "elo": finite(self.rating.elo, 1),
            "elo_low": finite(self.rating.elo_low, 1),
            "elo_high": finite(self.rating.elo_high, 1),
            "discs": finite(self.total.discs),
            **self.side.summary(),
        }


class TournamentReport:
    """The tables of a tournament as far as it was played.

    >>> from othellier import tournament
    >>> report = tournament({"dice": "random:seed=1", "coin": "random:seed=2"}, games=2, size=4)
    >>> sorted(line.name for line in report.standings)
    ['coin', 'dice']
    """

    def __init__(self, tournament: Tournament) -> None:
        self.title = tournament.config.title
        self.names = tournament.names
        self.cells = _cells(tournament)
        self.standings = sorted(_standings(tournament, self.cells), key=lambda line: -line.rating.elo)

    # -- tables

    def table(self) -> TableRows:
        """The final table, for people."""
        heading = ["", "player", "points", "games", "+", "=", "-", "errors", "score", "Elo", "discs", "ms a move"]
        rows = [[*heading, "nodes a move"]]
        for rank, line in enumerate(self.standings, 1):
            total = line.total
            reach = (line.rating.elo_high - line.rating.elo_low) / 2
            elo = f"{line.rating.elo:+.0f} ± {reach:.0f}" if math.isfinite(reach) else ""
            facts = line.side.summary()
            counts = map(str, (total.games, total.wins, total.draws, total.losses, total.errors))
            score, discs = f"{100 * line.rating.score:.1f} %", f"{total.discs:+.1f}" if total.on_board else ""
            effort = f"{1000 * facts['seconds']:.2f}", f"{facts['nodes']:,.0f}"
            rows.append([str(rank), line.name, f"{line.points:.0f}", *counts, score, elo, discs, *effort])
        if not any(line.side.summary()["nodes"] for line in self.standings):  # as in most classes: nobody counts them
            rows = [row[:-1] for row in rows]
        return rows

    def cross_table(self) -> TableRows:
        """Who did what against whom: the row's wins, draws and losses against the column."""
        order = [line.name for line in self.standings]
        rows = [["", *order]]
        for name in order:
            cells = (self.cells.get((name, other)) for other in order)
            rows.append([name, *("" if cell is None else str(cell) for cell in cells)])
        return rows

    def points_table(self) -> TableRows:
        """Points as the INSA report lays them out: what the column made against the row, and the sums."""
        rows = [["", *self.names]]
        for row in self.names:
            made = (self.cells.get((column, row)) for column in self.names)
            rows.append([row, *("/" if c is None else f"{points(c.wins, c.draws, c.losses):.0f}" for c in made)])
        totals = {line.name: line.points for line in self.standings}
        rows.append(["total", *(f"{totals[name]:.0f}" for name in self.names)])
        return rows

    def __str__(self) -> str:
        return text_table(self.table())

    def _repr_html_(self) -> str:
        return html_table(self.table())

    # -- files

    def write(self, folder: str | Path, figures: Mapping[str, str] | None = None, above: Sequence[str] = ()) -> None:
        """Write CSV, JSON and the page; figures are SVG texts by their titles, `above` stands over its tables."""
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        facts = [line.facts() for line in self.standings]
        heading = list(facts[0])
        standings = [heading, *([("" if v is None else str(v)) for v in line.values()] for line in facts)]
        for name, table in (
            ("standings", standings),
            ("crosstable", self.cross_table()),
            ("points", self.points_table()),
        ):
            write_file(folder / f"{name}.csv", [csv_table(table)])
        cross = [
            {
                "player": a,
                "opponent": b,
                "wins": c.wins,
                "draws": c.draws,
                "losses": c.losses,
                "errors": c.errors,
                "discs": finite(c.discs),
            }
            for (a, b), c in self.cells.items()
        ]
        data = {"title": self.title, "standings": facts, "crosstable": cross}
        write_file(folder / "results.json", [json.dumps(data, indent=2, ensure_ascii=False).encode() + b"\n"])
        write_file(folder / "report.html", [self.page(figures or {}, above).encode()])

    def page(self, figures: Mapping[str, str], above: Sequence[str] = (), *, refresh: int = 0) -> str:
        """One HTML page that needs nothing else, with these parts above; `refresh` seconds until it is read again."""
        parts = [*above, html_table(self.table())]
        parts += ["<p>Errors are games lost by failing: no answer, too late a one, an illegal move, a crash. They"]
        parts += ["count as lost, and not among the discs, which are means of the games decided on the board.</p>"]
        parts += ["<h2>Cross table</h2>", "<p>The row's wins, draws and losses against the column.</p>"]
        parts += [html_table(self.cross_table()), "<h2>Points</h2>"]
        parts += ["<p>What the column made against the row: per cent of games won less per cent lost, or 0.</p>"]
        parts.append(html_table(self.points_table()))
        parts += [html_figure(title, svg) for title, svg in figures.items()]
        players = [["player", "player string"], *([line.name, line.spec] for line in self.standings)]
        failed = [line for line in self.standings if line.side.overruns or line.side.errors]
        parts += ["<h2>Players</h2>", html_table(players)]
        if failed:
            troubles = [["player", "moves that took too long", "slowest", "games lost by errors"]]
            for line in failed:
                side = line.side
                troubles.append([line.name, str(side.overruns), f"{side.slowest:.3f} s", str(side.errors)])
            parts += ["<h2>Troubles</h2>", html_table(troubles)]
        return html_page(self.title, parts, refresh=refresh)


def _cells(tournament: Tournament) -> dict[tuple[str, str], Cell]:
    cells: dict[tuple[str, str], Cell] = {}
    for one in tournament.encounters:
        tally, (a, b) = one.match.tally, one.names
        if tally.games:
            forth, back = (side.errors for side in one.match.sides)
            for pair, cell in (
                ((a, b), Cell(tally.wins, tally.draws, tally.losses, forth, tally.on_board, tally.difference)),
                ((b, a), Cell(tally.losses, tally.draws, tally.wins, back, tally.on_board, -tally.difference)),
            ):
                cells[pair] = cells.get(pair, Cell()) + cell  # they may meet in several rounds
    return cells


def _standings(tournament: Tournament, cells: Mapping[tuple[str, str], Cell]) -> list[Standing]:
    order = tournament.names.index
    once = {(a, b): cell for (a, b), cell in cells.items() if order(a) < order(b)}
    rated = ratings({pair: (cell.score * cell.games, cell.games) for pair, cell in once.items()}, tournament.names)
    lines = []
    for name, spec in tournament.specs.items():
        own = [cell for (a, _), cell in cells.items() if a == name]
        side = Side()
        for one in tournament.encounters:
            if name in one.names:
                side.merge(one.match.sides[one.names.index(name)])
        made = sum(points(cell.wins, cell.draws, cell.losses) for cell in own)
        lines.append(Standing(name, spec, made, sum(own, Cell()), rated[name], side))
    return lines
