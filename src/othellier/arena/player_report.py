"""What a tournament says of one player: its games, its time, its worst mistakes by the engine's judgement."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from othellier.arena.ledger import parse_line
from othellier.arena.play import Played
from othellier.board import Color, Position
from othellier.coach.advice import BookReader
from othellier.coach.judging import EFFORTS, JudgedMove, judge
from othellier.engine import HASH_MB, Engine
from othellier.files import write_file
from othellier.geometry import PASS, square_name
from othellier.pictures import svg
from othellier.sheets import TableRows, html_page, html_table

__all__ = [
    "PlayerReport",
    "ReportedGame",
    "ReportedMistake",
    "Review",
    "games_of",
    "page_name",
    "review",
    "to_review",
    "write_player_report",
]

REVIEWED = 4
"""Games of a player that the engine looks at: the worst lost ones first."""

WORST = 6
"""Mistakes shown."""


@dataclass(frozen=True, slots=True)
class ReportedGame:
    """A game as one of its players saw it."""

    opponent: str
    color: Color
    game: Played

    @property
    def discs(self) -> int:
        """The discs it won by."""
        return self.game.score if self.color == "black" else -self.game.score

    @property
    def failed(self) -> bool:
        """Whether it lost by failing."""
        return self.game.failed == self.color


@dataclass(frozen=True, slots=True)
class Review:
    """Some games of a player, for the engine to judge."""

    name: str
    games: tuple[ReportedGame, ...]


@dataclass(frozen=True, slots=True)
class ReportedMistake:
    """A mistake: in which game, before which move, and what was wrong."""

    opponent: str
    number: int
    position: Position
    judgement: JudgedMove


@dataclass(frozen=True, slots=True)
class PlayerReport:
    """All that is told of a player."""

    name: str
    rank: int
    games: tuple[ReportedGame, ...]
    mistakes: tuple[ReportedMistake, ...]
    loss: float | None
    """Discs given away a move, of the games looked at."""


def games_of(lines: Iterable[dict[str, Any]], name: str) -> list[ReportedGame]:
    """The games of a player, as a tournament's file holds them."""
    found = []
    for line in lines:
        if name in (line["black"], line["white"]):
            color: Color = "black" if line["black"] == name else "white"
            opponent = line["white"] if color == "black" else line["black"]
            found.append(ReportedGame(opponent, color, parse_line(line)))
    return found


@cache
def _analyst() -> BookReader:
    return BookReader(Engine(threads=1, hash_mb=HASH_MB))


def _own_moves(played: ReportedGame) -> Iterator[tuple[int, Position, int]]:
    position = played.game.start
    for index, ply in enumerate(played.game.plies):
        if index >= played.game.opening and ply.move != PASS and position.turn == played.color:
            yield index, position, ply.move
        position = position.play(ply.move)


def review(job: Review) -> dict[str, Any]:
    """The worst moves of a player's games, and what its moves gave away together; a job for one worker."""
    judged: list[ReportedMistake] = []
    for played in job.games:
        for number, position, move in _own_moves(played):
            judgement = judge(_analyst(), position, move, number, EFFORTS["quick"])
            judged.append(ReportedMistake(played.opponent, number + 1, position, judgement))
    judged.sort(key=lambda one: -one.judgement.loss)
    losses = [one.judgement.loss for one in judged]
    return {
        "mistakes": [one for one in judged[:WORST] if one.judgement.label in ("inaccuracy", "mistake", "blunder")],
        "loss": sum(losses) / len(losses) if losses else None,
    }


def to_review(name: str, games: Sequence[ReportedGame]) -> Review:
    """The games the engine looks at: decided on the board, those lost by most discs first."""
    on_board = sorted((one for one in games if not one.game.error), key=lambda one: one.discs)
    return Review(name, tuple(on_board[:REVIEWED]))


def page_name(name: str) -> str:
    """The file of a player's page.

    >>> page_name("Ann B.")
    'players/Ann_B_.html'
    """
    return f"players/{re.sub(r'[^A-Za-z0-9_-]', '_', name)}.html"


def write_player_report(folder: Path, report: PlayerReport) -> None:
    """The page of a player."""
    won = sum(one.discs > 0 for one in report.games)
    drawn = sum(one.discs == 0 for one in report.games)
    plies = [ply for one in report.games for ply in one.game.chosen(one.color)]
    spent = sum(ply.seconds for ply in plies)
    longest = max((ply.seconds for ply in plies), default=0.0)
    late = sum(_late(one) for one in report.games)
    parts = [
        '<p><a href="../report.html">All players</a></p>',
        f"<p>Place {report.rank}: {won} won, {drawn} drawn, {len(report.games) - won - drawn} lost. "
        f"{spent:.1f} s for {len(plies)} moves, {1000 * spent / max(1, len(plies)):.1f} ms a move, the longest "
        f"{longest:.3f} s; {late} took too long.</p>",
    ]
    if report.mistakes:
        told = f"The engine looked at the {REVIEWED} worst games decided on the board. "
        told += f"{report.loss:.1f} discs were given away a move." if report.loss is not None else ""
        parts += ["<h2>Worst mistakes</h2>", f"<p>{told}</p>", '<div style="display:flex;flex-wrap:wrap;gap:1rem">']
        parts += [*map(_mistake, report.mistakes), "</div>"]
    parts += ["<h2>Games</h2>", html_table(_games_table(report.games))]
    path = folder / page_name(report.name)
    path.parent.mkdir(exist_ok=True)
    write_file(path, [html_page(report.name, parts).encode()])


def _late(one: ReportedGame) -> int:
    own = 0 if one.color == one.game.start.turn else 1
    return sum((ply - 1) % 2 == own for ply in one.game.overruns)


def _games_table(games: Sequence[ReportedGame]) -> TableRows:
    rows = [["opponent", "colour", "result", "discs", "seconds", "what went wrong"]]
    for one in sorted(games, key=lambda one: one.opponent.lower()):
        result = "won" if one.discs > 0 else "lost" if one.discs < 0 else "drawn"
        if one.game.error:
            result += " by error"
        spent = sum(ply.seconds for ply in one.game.chosen(one.color))
        error = one.game.error if one.failed else ""
        discs = "" if one.game.error else f"{one.discs:+d}"
        rows.append([one.opponent, one.color, result, discs, f"{spent:.2f}", error])
    return rows


def _mistake(found: ReportedMistake) -> str:
    judgement, size = found.judgement, found.position.size
    move, best = square_name(judgement.move, size), square_name(judgement.best, size)
    picture = svg(found.position, circles=[judgement.best], arrows=[(judgement.move, judgement.move)], size_px=260)
    lost = min(judgement.loss, size.squares)  # an estimate against an exact value may come to more
    words = f"Move {found.number} against {found.opponent}: {move} ({judgement.label}, {lost:.0f} discs); "
    words += f"{best} was better."
    return f'<figure style="width:270px">{picture}<figcaption>{html.escape(words)}</figcaption></figure>'
