"""What a tournament brought, as tables: standings, points, a cross table; as CSV, JSON and one HTML page.

Figures are drawn elsewhere and handed in; nothing here is played or counted.
"""

from __future__ import annotations

import html
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

from othellier.arena.effort import Side
from othellier.arena.entrants import Entrant
from othellier.arena.match import finite
from othellier.arena.player_report import page_name
from othellier.arena.rating_scale import RatingScale, Score
from othellier.arena.stats import Estimate, points
from othellier.arena.tournament import Tournament
from othellier.base.files import write_file
from othellier.base.sheets import TableRows, csv_table, html_figure, html_page, html_table, text_table
from othellier.messages.languages import ENGLISH, Translator, english

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

    def told(self, say: Translator = english) -> str:
        """Games won, drawn and lost, and how many of these by failing."""
        words = "+{wins} ={draws} -{losses} ({errors} by error)" if self.errors else "+{wins} ={draws} -{losses}"
        return say(words, wins=self.wins, draws=self.draws, losses=self.losses, errors=self.errors)


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

    @property
    def score(self) -> float:
        """Points a game, of all games; a half where there are none."""
        return self.total.score if self.total.games else 0.5

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
            "score": round(self.score, 4),
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
        self.scores = _scores(tournament)
        self.standings = sorted(_standings(tournament, self.cells, self.scores), key=lambda line: -line.rating.elo)
        self.repeated = sum(one.match.repeated for one in tournament.encounters)

    # -- tables

    def table(self, say: Translator = english) -> TableRows:
        """The final table, for people."""
        heading = ["", "player", "points", "games", "+", "=", "-", "errors", "score", "Elo", "discs", "ms a move"]
        rows = [[say(word) if word.isalpha() or " " in word else word for word in (*heading, "nodes a move")]]
        for rank, line in enumerate(self.standings, 1):
            total = line.total
            reach = (line.rating.elo_high - line.rating.elo_low) / 2
            elo = f"{line.rating.elo:+.0f} ± {reach:.0f}" if math.isfinite(reach) else ""
            facts = line.side.summary()
            counts = map(str, (total.games, total.wins, total.draws, total.losses, total.errors))
            score = say("{score:.1f} %", score=100 * line.score)
            discs = say("{discs:+.1f}", discs=total.discs) if total.on_board else ""
            effort = say("{ms:.2f}", ms=1000 * facts["seconds"]), say("{nodes:,.0f}", nodes=facts["nodes"])
            rows.append([str(rank), line.name, f"{line.points:.0f}", *counts, score, elo, discs, *effort])
        if not any(line.side.summary()["nodes"] for line in self.standings):  # as in most classes: nobody counts them
            rows = [row[:-1] for row in rows]
        return rows

    def cross_table(self, say: Translator = english) -> TableRows:
        """Who did what against whom: the row's wins, draws and losses against the column."""
        order = [line.name for line in self.standings]
        rows = [["", *order]]
        for name in order:
            cells = (self.cells.get((name, other)) for other in order)
            rows.append([name, *("" if cell is None else cell.told(say) for cell in cells)])
        return rows

    def points_table(self, say: Translator = english) -> TableRows:
        """Points as the INSA report lays them out: what the column made against the row, and the sums."""
        rows = [["", *self.names]]
        for row in self.names:
            made = (self.cells.get((column, row)) for column in self.names)
            rows.append([row, *("/" if c is None else f"{points(c.wins, c.draws, c.losses):.0f}" for c in made)])
        totals = {line.name: line.points for line in self.standings}
        rows.append([say("total"), *(f"{totals[name]:.0f}" for name in self.names)])
        return rows

    def remarks(self, say: Translator = english) -> list[str]:
        """Return what a reader of the table must know beside it: games that repeat, and games lost by errors."""
        lines = []
        if errors := sum(line.side.errors for line in self.standings):
            lines.append(say("{errors} games were lost by errors: they count as lost, in the Elo too.", errors=errors))
        words = (
            "{repeated} games repeat earlier ones of the same players: for the Elo, games that repeat are counted once."
        )
        if self.repeated:
            lines.append(say(words, repeated=self.repeated))
        return lines

    def __str__(self) -> str:
        return "\n".join([text_table(self.table()), *self.remarks()])

    def __repr__(self) -> str:
        games = sum(line.total.games for line in self.standings) // 2
        return f"<TournamentReport of {len(self.standings)} players, {games} games>"

    def _repr_html_(self) -> str:
        return html_table(self.table())

    # -- files

    def write(
        self,
        folder: str | Path,
        figures: Mapping[str, str] | None = None,
        above: Sequence[str] = (),
        *,
        say: Translator = english,
        language: str = ENGLISH,
    ) -> None:
        """Write CSV, JSON and the page; figures are SVG texts by their titles, `above` stands over its tables.

        The page is in the language, what programs read is not.
        """
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
        data = {"title": self.title, "repeated": self.repeated, "standings": facts, "crosstable": cross}
        write_file(folder / "results.json", [json.dumps(data, indent=2, ensure_ascii=False).encode() + b"\n"])
        page = self.page(figures or {}, above, say=say, language=language)
        write_file(folder / "report.html", [page.encode()])

    def page(
        self,
        figures: Mapping[str, str],
        above: Sequence[str] = (),
        *,
        refresh: int = 0,
        say: Translator = english,
        language: str = ENGLISH,
    ) -> str:
        """One HTML page that needs nothing else, with these parts above; `refresh` seconds until it is read again."""

        def words(text: str) -> str:
            return f"<p>{html.escape(say(text))}</p>"

        failing = (
            "Errors are games lost by failing: no answer, too late a one, an illegal move, a crash. They count as "
            "lost, in the Elo too, and not among the discs, which are means of the games decided on the board."
        )
        column = "What the column made against the row: per cent of games won less per cent lost, or 0."
        zero = "Elo is the difference to the mean of all players, with the 95 % interval of that difference."
        parts = [*above, html_table(self.table(say)), words(failing), words(zero)]
        parts += [f"<p>{html.escape(remark)}</p>" for remark in self.remarks(say)]
        parts += [_heading(say("Cross table")), words("The row's wins, draws and losses against the column.")]
        parts += [html_table(self.cross_table(say)), _heading(say("Points")), words(column)]
        parts.append(html_table(self.points_table(say)))
        parts += [html_figure(title, svg) for title, svg in figures.items()]
        players = [[say("player"), say("player string")], *([line.name, line.spec] for line in self.standings)]
        failed = [line for line in self.standings if line.side.overruns or line.side.errors]
        parts += [_heading(say("Players")), html_table(players)]
        if failed:
            troubles = [list(map(say, ("player", "moves that took too long", "slowest", "games lost by errors")))]
            for line in failed:
                side = line.side
                slowest = say("{seconds:.3f} s", seconds=side.slowest)
                troubles.append([line.name, str(side.overruns), slowest, str(side.errors)])
            parts += [_heading(say("Troubles")), html_table(troubles)]
        return html_page(self.title, parts, refresh=refresh, language=language)

    def above(self, planned: int, entrants: Sequence[Entrant] = (), say: Translator = english) -> list[str]:
        """What stands over the tables: how far it has come; of a class each player's page, and who does not play."""
        played = sum(line.total.games for line in self.standings) // 2
        done = played >= planned
        told = say("{total} games.", total=planned)
        parts = [told if done else say("{played} of {total} games played.", played=played, total=planned)]
        if entrants and done:
            links = (f'<a href="{page_name(line.name)}">{html.escape(line.name)}</a>' for line in self.standings)
            parts.append(say("Each player: {links}.", links=", ".join(links)))
        parts = [f"<p>{part}</p>" for part in parts]
        out = [f"<li>{html.escape(f'{one.file}: {one.problem}')}</li>" for one in entrants if one.problem]
        return parts + ([f"<p>{say('Not playing:')}</p>", "<ul>", *out, "</ul>"] if out else [])


def _heading(text: str) -> str:
    return f"<h2>{html.escape(text)}</h2>"


def _cells(tournament: Tournament) -> dict[tuple[str, str], Cell]:
    cells: dict[tuple[str, str], Cell] = {}
    for one in tournament.encounters:
        tally, (a, b) = one.match.everything, one.names
        if tally.games:
            forth, back = (side.errors for side in one.match.sides)
            for pair, cell in (
                ((a, b), Cell(tally.wins, tally.draws, tally.losses, forth, tally.on_board, tally.difference)),
                ((b, a), Cell(tally.losses, tally.draws, tally.wins, back, tally.on_board, -tally.difference)),
            ):
                cells[pair] = cells.get(pair, Cell()) + cell  # they may meet in several rounds
    return cells


def _scores(tournament: Tournament) -> dict[tuple[str, str], Score]:
    """Return the points of the first of two players against the second, in all rounds."""
    scores: dict[tuple[str, str], Score] = {}
    for one in tournament.encounters:
        (a, b), score = one.names, Score.of(one.match.tally)
        if (b, a) in scores:
            (a, b), score = (b, a), score.turned()
        scores[a, b] = scores.get((a, b), Score()) + score
    return scores


def _standings(
    tournament: Tournament, cells: Mapping[tuple[str, str], Cell], scores: Mapping[tuple[str, str], Score]
) -> list[Standing]:
    rated = RatingScale(scores, tournament.names).estimates()
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
