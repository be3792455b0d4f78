"""What a tournament brought, as tables: standings, points, a cross table; as CSV, JSON and one HTML page.

Figures are drawn elsewhere and handed in; nothing here is played or counted.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from othellier.arena.match import Side, finite
from othellier.arena.stats import Estimate, points, ratings
from othellier.arena.tournament import Tournament
from othellier.files import write_file
from othellier.sheets import Table, csv_table, html_figure, html_page, html_table

__all__ = ["Cell", "Report", "Standing"]


@dataclass(frozen=True, slots=True)
class Cell:
    """What a player did against another, in all rounds."""

    wins: int
    draws: int
    losses: int
    discs: float
    """Mean disc difference."""

    @property
    def games(self) -> int:
        """How often they met."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """Points a game."""
        return (self.wins + self.draws / 2) / self.games

    def __str__(self) -> str:
        return f"+{self.wins} ={self.draws} -{self.losses}"


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's line of the final table."""

    name: str
    spec: str
    points: float
    """As S5.6 counts them: for each opponent, per cent of games won less per cent lost, or 0."""
    wins: int
    draws: int
    losses: int
    rating: Estimate
    discs: float
    side: Side

    @property
    def games(self) -> int:
        """Games played."""
        return self.wins + self.draws + self.losses

    def facts(self) -> dict[str, Any]:
        """As JSON and CSV tell it."""
        return {
            "name": self.name,
            "player": self.spec,
            "points": round(self.points, 2),
            "games": self.games,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "score": round(self.rating.score, 4),
            "elo": finite(self.rating.elo, 1),
            "elo_low": finite(self.rating.elo_low, 1),
            "elo_high": finite(self.rating.elo_high, 1),
            "discs": round(self.discs, 2),
            **self.side.summary(),
        }


class Report:
    """The tables of a tournament as far as it was played."""

    def __init__(self, tournament: Tournament) -> None:
        self.title = tournament.config.title
        self.names = tournament.names
        self.cells = _cells(tournament)
        self.standings = sorted(_standings(tournament, self.cells), key=lambda line: -line.rating.elo)

    # -- tables

    def table(self) -> Table:
        """The final table, for people."""
        rows = [["", "player", "points", "games", "+", "=", "-", "score", "Elo", "discs", "ms a move", "nodes a move"]]
        for rank, line in enumerate(self.standings, 1):
            reach = (line.rating.elo_high - line.rating.elo_low) / 2
            elo = f"{line.rating.elo:+.0f} ± {reach:.0f}" if math.isfinite(reach) else ""
            facts = line.side.summary()
            counts = map(str, (line.games, line.wins, line.draws, line.losses))
            score, discs = f"{100 * line.rating.score:.1f} %", f"{line.discs:+.1f}"
            effort = f"{1000 * facts['seconds']:.2f}", f"{facts['nodes']:,.0f}"
            rows.append([str(rank), line.name, f"{line.points:.0f}", *counts, score, elo, discs, *effort])
        return rows

    def cross_table(self) -> Table:
        """Who did what against whom: the row's wins, draws and losses against the column."""
        order = [line.name for line in self.standings]
        rows = [["", *order]]
        for name in order:
            cells = (self.cells.get((name, other)) for other in order)
            rows.append([name, *("" if cell is None else str(cell) for cell in cells)])
        return rows

    def points_table(self) -> Table:
        """Points as S5.6 lays them out: what the column made against the row, and the sums."""
        rows = [["", *self.names]]
        for row in self.names:
            made = (self.cells.get((column, row)) for column in self.names)
            rows.append([row, *("/" if c is None else f"{points(c.wins, c.draws, c.losses):.0f}" for c in made)])
        totals = {line.name: line.points for line in self.standings}
        rows.append(["total", *(f"{totals[name]:.0f}" for name in self.names)])
        return rows

    # -- files

    def write(self, folder: Path, figures: Mapping[str, str] | None = None) -> None:
        """Write CSV, JSON and the page; figures are SVG texts by their titles."""
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
                "discs": round(c.discs, 2),
            }
            for (a, b), c in self.cells.items()
        ]
        data = {"title": self.title, "standings": facts, "crosstable": cross}
        write_file(folder / "results.json", [json.dumps(data, indent=2, ensure_ascii=False).encode() + b"\n"])
        write_file(folder / "report.html", [self.page(figures or {}).encode()])

    def page(self, figures: Mapping[str, str]) -> str:
        """One HTML page that needs nothing else."""
        parts = [html_table(self.table())]
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
        return html_page(self.title, parts)


def _cells(tournament: Tournament) -> dict[tuple[str, str], Cell]:
    sums: dict[tuple[str, str], tuple[int, int, int, float]] = {}
    for one in tournament.encounters:
        tally, (a, b) = one.match.tally, one.names
        if tally.games:
            discs = tally.discs * tally.games
            for pair, counted in (
                ((a, b), (tally.wins, tally.draws, tally.losses, discs)),
                ((b, a), (tally.losses, tally.draws, tally.wins, -discs)),
            ):
                old = sums.get(pair, (0, 0, 0, 0.0))  # they may meet in several rounds
                sums[pair] = (old[0] + counted[0], old[1] + counted[1], old[2] + counted[2], old[3] + counted[3])
    return {
        pair: Cell(won, drawn, lost, discs / (won + drawn + lost)) for pair, (won, drawn, lost, discs) in sums.items()
    }


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
        games = sum(cell.games for cell in own)
        lines.append(
            Standing(
                name,
                spec,
                sum(points(cell.wins, cell.draws, cell.losses) for cell in own),
                sum(cell.wins for cell in own),
                sum(cell.draws for cell in own),
                sum(cell.losses for cell in own),
                rated[name],
                sum(cell.discs * cell.games for cell in own) / games if games else 0.0,
                side,
            )
        )
    return lines
