"""The profile of a player: results by level, a rating over time, accuracy, openings, weak phases, frequent reasons.

The rating is Elo's, on the scale on which `levels` has those of the levels; a first game begins at the opponent's.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from othellier.coach.lessons import Lessons, learn_from
from othellier.coach.scale import PHASES
from othellier.engine.levels import LEVELS
from othellier.page.study.library import date_text
from othellier.page.study.played_games import PlayedGame
from othellier.page.wire.game_models import OpeningView
from othellier.page.wire.learning_models import (
    LevelRecord,
    OpeningRecord,
    PhaseRecord,
    ProfileView,
    PuzzlesView,
    RatedGame,
    ReasonCount,
    ResultCount,
)
from othellier.rules.geometry import STANDARD

FIRST_GAMES, FIRST_STEP, STEP = 10, 64.0, 32.0
"""What a surprising result changes at most, in the first games and later."""
SCALE = 400.0
"""Elo's: so many points more are ten times the odds."""
MOST_OPENINGS = 12
MOST_REASONS = 8

R = TypeVar("R", bound=ResultCount)


def profile(games: Iterable[PlayedGame], puzzles: PuzzlesView, message: str) -> ProfileView:
    """What somebody's games say, the first one first; those that go on are left out."""
    ended = [game for game in games if game.points is not None]
    history = rated(ended)
    lessons = learn_from((game.analysis, game.color) for game in ended if game.analysis is not None)
    ratings = [game.rating for game in history if game.rating is not None]
    return ProfileView(
        results=_counted(ResultCount(), ended),
        rating=ratings[-1] if ratings else None,
        accuracy=_rounded(lessons.totals.accuracy),
        analysed=sum(game.analysis is not None for game in ended),
        levels=[
            _counted(LevelRecord(level=name, rating=level.rating), played)
            for name, level in LEVELS.items()
            if (played := [game for game in ended if game.level == name])
        ],
        history=history,
        phases=_phases(lessons),
        weakest=lessons.weakest,
        openings=_openings(ended),
        reasons=[ReasonCount(code=code, count=count) for code, count in list(lessons.reasons.items())[:MOST_REASONS]],
        solved=sum(theme.solved for theme in puzzles.themes),
        stars=sum(theme.stars for theme in puzzles.themes),
        message=message or puzzles.message,
    )


def rated(games: Iterable[PlayedGame]) -> list[RatedGame]:
    """Each game with the rating after it: only games on the usual board against levels with a rating change it."""
    rating: float | None = None
    counted, told = 0, []
    for game in games:
        level = LEVELS.get(game.level)
        theirs = None if level is None or game.size != str(STANDARD) else level.rating
        assert game.points is not None
        if theirs is not None:
            mine = float(theirs) if rating is None else rating
            expected = 1 / (1 + 10 ** ((theirs - mine) / SCALE))
            rating = mine + (FIRST_STEP if counted < FIRST_GAMES else STEP) * (game.points - expected)
            counted += 1
        totals = None if game.analysis is None else game.analysis.players[game.color]
        told.append(
            RatedGame(
                game=game.game,
                date=date_text(game.created),
                level=game.level,
                points=game.points,
                rating=None if theirs is None or rating is None else round(rating),
                accuracy=None if totals is None else _rounded(totals.accuracy),
            )
        )
    return told


def _counted(record: R, games: Iterable[PlayedGame]) -> R:
    for game in games:
        record.games += 1
        record.wins += game.points == 1
        record.draws += game.points == 0.5
        record.losses += game.points == 0
    return record


def _phases(lessons: Lessons) -> list[PhaseRecord]:
    parts = lessons.totals.phases
    return [
        PhaseRecord(
            phase=phase,
            moves=parts[phase].moves,
            loss=round(parts[phase].loss, 1),
            accuracy=_rounded(parts[phase].accuracy),
        )
        for phase in PHASES
    ]


def _openings(games: Iterable[PlayedGame]) -> list[OpeningRecord]:
    """The openings played most."""
    found: dict[str, list[PlayedGame]] = {}
    for game in games:
        if game.opening is not None:
            found.setdefault(game.opening["id"], []).append(game)
    most = sorted(found.values(), key=len, reverse=True)[:MOST_OPENINGS]
    return [
        _counted(OpeningRecord(opening=OpeningView.model_validate(games[-1].opening)), games)
        for games in most
        if games[-1].opening is not None
    ]


def _rounded(accuracy: float | None) -> float | None:
    return None if accuracy is None else round(accuracy, 1)
