"""The engines that judge a game: one a core, a position each, so that the same game is judged alike everywhere.

A search by one thread from an empty table always gives the same answer; several threads in one search would not.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Generator
from contextlib import suppress
from dataclasses import dataclass, replace

from othellier import native
from othellier.board import Position
from othellier.coach.advice import BookReader
from othellier.coach.analysis import GameAnalysis
from othellier.coach.judging import JudgedMove, effort_of, judge
from othellier.engine import HASH_MB, Engine, default_threads
from othellier.errors import ConfigError, expect
from othellier.game import Game
from othellier.geometry import PASS
from othellier.records import read
from othellier.results import Stop
from othellier.system import LOOK

__all__ = ["Question", "analyses", "analyze", "questions"]


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
    if not native.available or not native.fits(chosen.start.size):
        raise ConfigError("analysis needs the compiled engine, which is missing or does not play on this board")
    effort = effort_of(level)
    asked = questions(chosen)
    names = chosen.headers.black, chosen.headers.white
    analysis = GameAnalysis(chosen.start, tuple(chosen.moves()), level, (), not asked, *names)
    if not asked:
        yield analysis
        return
    count = min(threads or default_threads(), len(asked))
    # The last positions first: they are solved, the longest of them early, so that no core waits at the end.
    todo: queue.SimpleQueue[Question] = queue.SimpleQueue()
    for question in sorted(asked, key=lambda question: question.position.empties > effort.exact):
        todo.put(question)
    answers: queue.SimpleQueue[JudgedMove | BaseException] = queue.SimpleQueue()
    stop = Stop()

    def work() -> None:
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

    workers = [threading.Thread(target=work, daemon=True) for _ in range(count)]
    try:
        for worker in workers:
            worker.start()
        for done in range(1, len(asked) + 1):
            answer = None
            while answer is None:
                with suppress(queue.Empty):
                    answer = answers.get(timeout=LOOK)
            if isinstance(answer, BaseException):
                raise answer
            analysis = replace(analysis, moves=(*analysis.moves, answer), done=done == len(asked))
            yield analysis
    finally:
        stop.set()
        for worker in workers:
            worker.join()
