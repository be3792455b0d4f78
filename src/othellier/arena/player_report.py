"""What a tournament says of one player: its games, its time, its worst mistakes by the engine's judgement."""

from __future__ import annotations

import hashlib
import html
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from othellier.arena.ledger import parse_line
from othellier.arena.play import Played
from othellier.base.files import write_file
from othellier.base.sheets import TableRows, html_page, html_table
from othellier.coach.advice import BookReader
from othellier.coach.judging import EFFORTS, JudgedMove, judge
from othellier.coach.words import sentence
from othellier.engine.engine import HASH_MB, Engine
from othellier.messages.languages import ENGLISH, Translator, dictionary, english
from othellier.pictures import svg
from othellier.rules.board import Color, Position
from othellier.rules.geometry import PASS, square_name

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

FAILURES = 3
"""Failures shown, of different kinds."""

LONGEST_NAME = 50
"""Characters of a name that the file of its page shows."""

DIGEST = re.compile(r"-[0-9a-f]{8}$")
"""The end of the file's name where the player's name could not be kept as it is."""

BOARD = re.compile(r" \([XO-]+ [XO]\)$")
"""The position at the end of what is said of a failure: the page has a picture of it."""


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
    """Return the file of a player's page, a different one for each name.

    Letters of all languages are kept. A name that holds anything else, or that could be taken for such a file's name,
    gets a digest of its own.

    >>> page_name("Ann_B"), page_name("Ann B")
    ('players/Ann_B.html', 'players/Ann_B-1923efbf.html')
    """
    plain = re.sub(r"[^\w-]", "_", name)[:LONGEST_NAME]
    if plain != name or DIGEST.search(name):
        plain += f"-{hashlib.sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"
    return f"players/{plain}.html"


def write_player_report(
    folder: Path, report: PlayerReport, *, say: Translator = english, language: str = ENGLISH
) -> None:
    """The page of a player."""
    won = sum(one.discs > 0 for one in report.games)
    drawn = sum(one.discs == 0 for one in report.games)
    plies = [ply for one in report.games for ply in one.game.chosen(one.color)]
    spent = sum(ply.seconds for ply in plies)
    told = say(
        "Place {rank}: {won} won, {drawn} drawn, {lost} lost. {spent:.1f} s for {moves} moves, {ms:.1f} ms a move, the "
        "longest {longest:.3f} s; {late} took too long.",
        rank=report.rank,
        won=won,
        drawn=drawn,
        lost=len(report.games) - won - drawn,
        spent=spent,
        moves=len(plies),
        ms=1000 * spent / max(1, len(plies)),
        longest=max((ply.seconds for ply in plies), default=0.0),
        late=sum(_late(one) for one in report.games),
    )
    parts = [f'<p><a href="../report.html">{say("All players")}</a></p>', f"<p>{told}</p>"]
    if report.mistakes:
        told = say("The engine looked at the {number} worst games decided on the board.", number=REVIEWED)
        if report.loss is not None:
            told += " " + say("{loss:.1f} discs were given away a move.", loss=report.loss)
        parts += [f"<h2>{say('Worst mistakes')}</h2>", f"<p>{told}</p>"]
        parts.append('<div style="display:flex;flex-wrap:wrap;gap:1rem">')
        parts += [*(_mistake(one, say, language) for one in report.mistakes), "</div>"]
    failures = _failures(report.games)
    if failures:
        parts += [f"<h2>{say('Where it failed')}</h2>", '<div style="display:flex;flex-wrap:wrap;gap:1rem">']
        parts += [*(_failure(words, one, say) for words, one in failures.items()), "</div>"]
    parts += [f"<h2>{say('Games')}</h2>", html_table(_games_table(report.games, say))]
    path = folder / page_name(report.name)
    path.parent.mkdir(exist_ok=True)
    write_file(path, [html_page(report.name, parts, language=language).encode()])


def _late(one: ReportedGame) -> int:
    own = 0 if one.color == one.game.start.turn else 1
    return sum((ply - 1) % 2 == own for ply in one.game.overruns)


def _games_table(games: Sequence[ReportedGame], say: Translator) -> TableRows:
    rows = [list(map(say, ("opponent", "colour", "result", "discs", "seconds", "what went wrong")))]
    for one in sorted(games, key=lambda one: one.opponent.lower()):
        result = "victory" if one.discs > 0 else "defeat" if one.discs < 0 else "draw"
        if one.game.error:
            result += " by error"
        spent = say("{seconds:.2f}", seconds=sum(ply.seconds for ply in one.game.chosen(one.color)))
        error = BOARD.sub("", one.game.error) if one.failed else ""
        discs = "" if one.game.error else f"{one.discs:+d}"
        rows.append([one.opponent, say(one.color), say(result), discs, spent, error])
    return rows


def _failures(games: Sequence[ReportedGame]) -> dict[str, ReportedGame]:
    """The first game of each kind of failure, by what is said of it."""
    found: dict[str, ReportedGame] = {}
    for one in games:
        if one.failed and len(found) < FAILURES:
            found.setdefault(BOARD.sub("", one.game.error), one)
    return found


def _failure(words: str, found: ReportedGame, say: Translator) -> str:
    """The position it was asked about, and what came of it."""
    position = found.game.start
    for ply in found.game.plies:
        position = position.play(ply.move)
    against = say("Against {opponent}, here: {error}", opponent=found.opponent, error=words)
    caption = f"<figcaption>{html.escape(against)}</figcaption>"
    return f'<figure style="width:270px">{svg(position, size_px=260)}{caption}</figure>'


def _mistake(found: ReportedMistake, say: Translator, language: str) -> str:
    """A picture of it, and below what the coach says of it everywhere."""
    judgement, size = found.judgement, found.position.size
    move, best = square_name(judgement.move, size), square_name(judgement.best, size)
    picture = svg(found.position, circles=[judgement.best], arrows=[(judgement.move, judgement.move)], size_px=260)
    words = say(
        "Move {number} against {opponent}: {move} ({label}, {lost:.0f} discs); {best} was better.",
        number=found.number,
        opponent=found.opponent,
        move=move,
        label=dictionary(language)[f"label.{judgement.label}"],
        lost=min(judgement.loss, size.squares),  # an estimate against an exact value may come to more
        best=best,
    )
    words = " ".join([words, *(sentence(reason, size, move, best, language) for reason in judgement.reasons)])
    return f'<figure style="width:270px">{picture}<figcaption>{html.escape(words)}</figcaption></figure>'
