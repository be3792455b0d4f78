"""The engines that judge a game: one a core, a position each, so that the same game is judged alike everywhere.

A search by one thread from an empty table always gives the same answer; several threads in one search would not.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace

from othellier.base.system import LOOK
from othellier.coach.advice import BookReader
from othellier.coach.analysis import GameAnalysis
from othellier.coach.judging import Effort, JudgedMove, effort_of, judge
from othellier.engine.engine import HASH_MB, Engine, default_threads
from othellier.errors import ConfigError, InvalidPosition, expect
from othellier.games.game import Game
from othellier.games.results import Stop
from othellier.records import read
from othellier.rules import native
from othellier.rules.board import Position
from othellier.rules.geometry import PASS

__all__ = ["Question", "analyses", "analyze", "questions"]

_Answers = queue.SimpleQueue[JudgedMove | BaseException]


@dataclass(frozen=True, slots=True)
class Question:
    """A move of a game that is to be judged."""

    position: Position
    move: int
    ply: int
    """How many moves were played before it, passes included."""


def questions(game: Game) -> list[Question]:
    """The moves of the main line, passes left out."""
    found = []
    for ply, node in enumerate(game.main_line()):
        if node.move is not None and node.move != PASS:
            assert node.parent is not None
            found.append(Question(node.parent.position, node.move, ply))
    return found


def analyze(
    game: Game | str,
    level: str = "normal",
    *,
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> GameAnalysis:
    """Judge every move of a game's main line: losses, labels, reasons, accuracy, turning points.

    `game` is a game, or a file or moves as `read` takes them; `level` is quick, normal or deep, or depth and empty
    squares from which all is exact, such as "12/18". `progress(done, total)` hears of every move.

    >>> analysis = analyze("f5d6c3", "quick")
    >>> len(analysis.moves), analysis.moves[0].loss
    (3, 0.0)
    """
    last = None
    for last in analyses(game, level, threads=threads):
        if progress is not None:
            progress(len(last.moves), sum(move != PASS for move in last.line))
    assert last is not None
    return last


def analyses(
    game: Game | str, level: str = "normal", *, threads: int | None = None
) -> Generator[GameAnalysis, None, None]:
    """The analysis of a game as it grows, move by move; the last one is done. Whoever leaves it ends the searches."""
    expect("game", game, (Game, str), "a Game, a file or moves (Engine.analyze takes a position)")
    chosen = read(game)[0] if isinstance(game, str) else game
    if not native.available:
        raise ConfigError("analysis needs the compiled engine, which is missing")
    if not native.fits(chosen.start.size):
        raise InvalidPosition(f"the engine plays on boards up to 8x8, not {chosen.start.size}")
    effort = effort_of(level)
    asked = questions(chosen)
    names = chosen.headers.black, chosen.headers.white
    analysis = GameAnalysis(chosen.start, tuple(chosen.moves()), level, (), not asked, *names)
    if not asked:
        yield analysis
        return
    with closing(_judged(asked, effort, min(threads or default_threads(), len(asked)))) as answers:
        for answer in answers:
            moves = (*analysis.moves, answer)
            analysis = replace(analysis, moves=moves, done=len(moves) == len(asked))
            yield analysis


def _judged(asked: Sequence[Question], effort: Effort, threads: int) -> Generator[JudgedMove, None, None]:
    """The moves as they are judged, several at once; whoever leaves it ends the searches."""
    # The last positions first: they are solved, the longest of them early, so that no core waits at the end.
    todo: queue.SimpleQueue[Question] = queue.SimpleQueue()
    for question in sorted(asked, key=lambda question: question.position.empties > effort.exact):
        todo.put(question)
    answers: _Answers = queue.SimpleQueue()
    stop = Stop()
    workers = [threading.Thread(target=_work, args=(todo, answers, effort, stop), daemon=True) for _ in range(threads)]
    try:
        for worker in workers:
            worker.start()
        for _ in asked:
            answer = None
            while answer is None:
                with suppress(queue.Empty):
                    answer = answers.get(timeout=LOOK)
            if isinstance(answer, BaseException):
                raise answer
            yield answer
    finally:
        stop.set()
        for worker in workers:
            worker.join()


def _work(todo: queue.SimpleQueue[Question], answers: _Answers, effort: Effort, stop: Stop) -> None:
    """Judge one move after the other with an engine of one's own, until none is left."""
    try:
        with Engine(threads=1, hash_mb=HASH_MB) as engine:
            reader = BookReader(engine)
            while not stop.is_set():
                question = todo.get_nowait()
                found = judge(reader, question.position, question.move, question.ply, effort, stop)
                if not stop.is_set():
                    answers.put(found)
    except queue.Empty:
        pass
    except BaseException as error:
        answers.put(error)
