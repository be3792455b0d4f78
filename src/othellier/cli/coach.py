"""The engine beside a game in the terminal: advice, the values of squares, the judgement of a game, in plain lines.

What moves cost and why is worked out by `web.analysis`, in the words of the page; here it is asked and written down.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from functools import cache
from typing import TypeVar

from othellier import native
from othellier.board import Position
from othellier.coach.analysis import Analysis, AnalysisLevel, judge
from othellier.engine import Engine
from othellier.errors import ConfigError
from othellier.game import Game
from othellier.geometry import PASS, STANDARD, square_name
from othellier.openings import book, play
from othellier.results import Limit, Result
from othellier.web.contract.game_models import AnalysisView, MistakeView
from othellier.web.play.analysis_view import analysis_view
from othellier.web.play.engine_jobs import Reader, with_book
from othellier.web.server.static_files import Pages

__all__ = ["Coach", "patiently", "report", "result_line"]

T = TypeVar("T")
ADVICE = Limit(depth=14, time=3.0)
VALUES = Limit(depth=10, time=3.0)
SOLVED = 16
"""Empty squares from which all is solved: a second or two."""
NAGGING_SECONDS = 0.05  # between two calls to stop, the first of which may come before the search
SIGNS = {"inaccuracy": "?!", "mistake": "?", "blunder": "??"}


def patiently(work: Callable[[], T], stop: Callable[[], None]) -> T:
    """Do some work; Ctrl-C stops it, and what was found by then counts. A second Ctrl-C is not waited for."""
    found: Future[T] = Future()

    def run() -> None:
        try:
            found.set_result(work())
        except BaseException as error:
            found.set_exception(error)

    try:
        threading.Thread(target=run, daemon=True).start()
        return found.result()
    except KeyboardInterrupt:
        while not found.done():
            stop()
            wait([found], NAGGING_SECONDS)
        return found.result()


class Coach:
    """Advises and judges; its engine is made when it is first asked."""

    def __init__(self) -> None:
        self._engine: Engine | None = None
        self._stopped = False

    def close(self) -> None:
        """Give the engine's memory back."""
        if self._engine is not None:
            self._engine.close()

    def advice(self, position: Position) -> Result:
        """The best move."""
        shipped = book.shipped() if position.size == STANDARD else None
        known = shipped and play.choose(shipped, position)
        if known:
            return known
        engine = self._ready(position)
        limit = _solving(position) or ADVICE
        return patiently(lambda: engine.search(position, limit), engine.stop)

    def values(self, position: Position) -> list[Result]:
        """Every legal move with its value, best first."""
        engine = self._ready(position)
        limit = _solving(position) or VALUES
        return with_book(patiently(lambda: engine.analyze(position, limit), engine.stop), position)

    def judge(self, game: Game, level: AnalysisLevel, heard: Callable[[], None]) -> AnalysisView:
        """The main line judged move by move, `heard` called after each; Ctrl-C ends it with what is known."""
        reader = Reader(self._ready(game.start))
        self._stopped = False
        line = tuple(game.moves())
        analysis = Analysis(level, line)
        for ply, node in enumerate(game.main_line()):
            assert node.parent is not None
            assert node.move is not None
            if self._stopped:
                break
            if node.move != PASS:
                before, move = node.parent.position, node.move
                found = patiently(lambda: judge(reader, before, move, ply, level), self._stop)  # noqa: B023 - done at once
                if not self._stopped:
                    analysis = Analysis(level, line, (*analysis.judgements, found))
            heard()
        return analysis_view(analysis, game)

    def _stop(self) -> None:
        self._stopped = True
        if self._engine is not None:
            self._engine.stop()

    def _ready(self, position: Position) -> Engine:
        if not native.available or not native.fits(position.size):
            raise ConfigError("the engine, which gives advice and values, is missing or does not play on this board")
        if self._engine is None:
            self._engine = Engine()
        return self._engine


def _solving(position: Position) -> Limit | None:
    return Limit(depth=position.size.squares) if position.empties <= SOLVED else None


# -- lines


def result_line(result: Result, position: Position) -> str:
    """A move, what it is worth, and the line expected after it."""
    score = "" if result.score is None else f"{result.score:+.{0 if result.is_exact else 1}f} discs"
    if result.score is not None and abs(result.score) < 0.05:
        score = "even"
    if result.source == "book":
        known = "book"
    elif result.is_exact:
        known = "exact"
    else:
        known = f"depth {result.depth}"
    names = " ".join(square_name(move, position.size) for move in result.pv[1:13])
    told = f" ({', '.join(filter(None, (score, known)))})"
    return square_name(result.move, position.size) + told + (f", then {names}" if names else "")


def report(view: AnalysisView, game: Game) -> Iterator[str]:
    """An analysis in lines: every move with its value for Black, then accuracy, then the mistakes and why."""
    size = game.start.size
    judged = {move.node: move for move in view.moves}
    cells = []
    name = ""
    for number, node in enumerate(game.main_line(), 1):
        assert node.move is not None
        move = square_name(node.move, size)
        name += "--" if node.move == PASS else move
        found = judged.get(name)
        worth = "" if found is None else f"{found.black + 0.0:+.1f} {SIGNS.get(found.label, '')}"
        cells.append(f"{number:>3} {'X' if node.color == 'black' else 'O'} {move:<4} {worth:<9}")
    for first in range(0, len(cells), 4):
        yield " ".join(cells[first : first + 4]).rstrip()
    for color, player in view.players.items():
        if player.accuracy is not None:
            counts = ", ".join(f"{label} {count}" for label, count in player.labels.items() if label in SIGNS)
            told = f"{color}: accuracy {player.accuracy:.0f} %, {player.loss:.0f} discs lost"
            yield f"{told}; {counts}" if counts else told
    for mistake in view.mistakes:
        yield from _mistake(mistake, len(judged[mistake.node + mistake.played].node))


def _mistake(mistake: MistakeView, length: int) -> Iterator[str]:
    sign = SIGNS.get(mistake.label, "")
    yield f"{length // 2:>3} {mistake.color} {mistake.played} {sign} {-mistake.loss:+.1f}: {mistake.best} was better"
    words = _words()
    for reason in mistake.reasons:
        data = {key: ", ".join(value) if isinstance(value, list) else value for key, value in reason.data.items()}
        data = {key: words.get(f"{key}.{value}", value) for key, value in data.items()}
        told = words[f"reasons.{reason.code}"]
        yield f"      {told.format(played=mistake.played, best_move=mistake.best, **data)}"


@cache
def _words() -> dict[str, str]:
    words: dict[str, str] = json.loads(Pages().words("en").data)
    return words
