"""The coach beside a game in the terminal: advice, the values of squares, the judgement of a game, in plain lines.

What moves cost and why is worked out by the package `coach`; here it is asked, and stopped by Ctrl-C.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import closing, suppress
from typing import TypeVar

from othellier.base.system import await_result
from othellier.coach.advice import SOLVED, BookReader, advise, value_limits
from othellier.coach.analysis import GameAnalysis
from othellier.coach.review import analyses
from othellier.engine.engine import Engine
from othellier.errors import ConfigError
from othellier.games.game import Game
from othellier.games.results import Result, Stop
from othellier.messages.language import say
from othellier.rules import native
from othellier.rules.board import Position
from othellier.rules.geometry import square_name

T = TypeVar("T")
VALUE_PLIES = 10


def patiently(work: Callable[[Stop], T]) -> T:
    """Do some work; Ctrl-C stops it, and what was found by then counts. A second Ctrl-C is not waited for."""
    found: Future[T] = Future()
    stop = Stop()

    def run() -> None:
        try:
            found.set_result(work(stop))
        except BaseException as error:
            found.set_exception(error)

    try:
        threading.Thread(target=run, daemon=True).start()
        return await_result(found)
    except KeyboardInterrupt:
        stop.set()
        return await_result(found)


class Coach:
    """Advises and judges; its engine is made when it is first asked."""

    def __init__(self) -> None:
        self._engine: Engine | None = None

    def close(self) -> None:
        """Give the engine's memory back."""
        if self._engine is not None:
            self._engine.close()

    def advice(self, position: Position) -> Result:
        """The best move."""
        engine = self._ready(position)
        return patiently(lambda stop: advise(engine, position, stop))

    def values(self, position: Position) -> list[Result]:
        """Every legal move with its value, best first."""
        reader = BookReader(self._ready(position))
        most = position.empties if position.empties <= SOLVED else VALUE_PLIES
        return patiently(lambda stop: reader.analyze(position, value_limits(position, most, stop)[-1]))

    def judge(self, game: Game, level: str, heard: Callable[[], None]) -> GameAnalysis:
        """The main line judged move by move, `heard` called after each; Ctrl-C ends it with what is known."""
        self._ready(game.start)
        analysis = GameAnalysis(game.start, tuple(game.moves()), level)
        with closing(analyses(game, level)) as growing, suppress(KeyboardInterrupt):
            for found in growing:
                analysis = found
                heard()
        return analysis

    def _ready(self, position: Position) -> Engine:
        if not native.available or not native.fits(position.size):
            raise ConfigError("the engine, which gives advice and values, is missing or does not play on this board")
        if self._engine is None:
            self._engine = Engine()
        return self._engine


def result_line(result: Result, position: Position) -> str:
    """A move, what it is worth, and the line expected after it."""
    score = ""
    if result.score is not None:
        score = say("{score} discs", score=f"{result.score:+.{0 if result.is_exact else 1}f}")
        if abs(result.score) < 0.05:
            score = say("even")
    if result.source == "book":
        known = say("book")
    elif result.is_exact:
        known = say("exact")
    else:
        known = say("depth {depth}", depth=result.depth)
    names = " ".join(square_name(move, position.size) for move in result.pv[1:13])
    told = f" ({', '.join(filter(None, (score, known)))})"
    return square_name(result.move, position.size) + told + (say(", then {moves}", moves=names) if names else "")
