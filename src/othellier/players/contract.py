"""The contract of whoever can be asked for a move, and the one safe way of asking.

Passes are the caller's to play: a player is only asked where there is a move.
"""

from __future__ import annotations

import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import replace
from numbers import Integral, Real
from operator import index
from pathlib import Path
from typing import Any, Self, SupportsIndex, get_args

from othellier.base.text import clean_line
from othellier.errors import OthellierError, PlayerError, expect
from othellier.games.results import (
    LARGEST,
    Limit,
    MoveSource,
    MoveValue,
    Result,
    ResultBound,
    compared,
    in_thread,
    stoppable,
)
from othellier.rules.board import Color, Position
from othellier.rules.geometry import PASS, Move, square_name, to_square

__all__ = ["AnalysisProgress", "Answer", "Player", "answer", "answer_async", "checked_result", "failure"]

Answer = Result | Move
"""Everything a player may answer: a Result, or the move alone, by its number or its name."""

AnalysisProgress = Callable[[list[Result]], None]
"""Hears of an analysis while it goes on: the moves judged so far, the best first."""

OURS, PYTHON = Path(__file__).parents[1], Path(traceback.__file__).parent
"""Folders of code that is nobody else's."""

INFINITE = float("inf")
RANGES: dict[str, tuple[int, int]] = {
    "score": (-(10**9), 10**9),
    "depth": (0, LARGEST["depth"]),
    "nodes": (0, LARGEST["nodes"]),
    "seconds": (0, 10**9),
    "selectivity": (1, 100),
}
"""The least and the greatest value of each number of a Result."""
WORDS: dict[str, tuple[str, ...]] = {"bound": get_args(ResultBound), "source": get_args(MoveSource)}
"""The words that each text of a Result may be."""
OPPOSITE: dict[ResultBound, ResultBound] = {
    "exact": "exact",
    "lower": "upper",
    "upper": "lower",
    "estimate": "estimate",
}


class Player(ABC):
    """One contract for humans, searches, engines and other programs. Only `choose` must be written.

    >>> from othellier import Player, Result, answer, start
    >>> class First(Player):
    ...     def choose(self, position, limit):
    ...         return Result(position.moves()[0], position.turn)
    >>> answer(First(), start()).move == start().moves()[0]
    True
    """

    @abstractmethod
    def choose(self, position: Position, limit: Limit) -> Result:
        """Return one of the position's legal moves (there is at least one), within the limit.

        Instead of a `Result`, the move alone will do: a whole number, of NumPy too, or a name such as "f5". Where
        `limit.stop` is given and set, from another thread, a player that can ends soon with the best found.
        """

    def new_game(self, start: Position) -> None:  # noqa: B027 - nothing to forget is the common case
        """Forget the last game; the next one begins here."""

    def observe(self, move: int) -> None:  # noqa: B027 - nor anything to keep
        """A move was played on the board, by either side, passes included: what was learnt of it may be kept."""

    def analyze(
        self, position: Position, limit: Limit, *, best: int | None = None, progress: AnalysisProgress | None = None
    ) -> list[Result]:
        """What each legal move is worth, the best first, or only so many of the best; nodes and seconds are for all.

        Here each move is judged by asking for the best reply to it. A player that can do it in one search should.
        """
        moves = position.moves()
        if best == 1 or len(moves) <= 1:
            return [answer(self, position, limit)]
        share = replace(
            limit,
            depth=None if limit.depth is None else max(1, limit.depth - 1),
            nodes=None if limit.nodes is None else max(1, limit.nodes // len(moves)),
            time=None if limit.time is None else limit.time / len(moves),
            clock=None if limit.clock is None else limit.clock / len(moves),
        )
        results: list[Result] = []
        for move in moves:
            results.append(self._judge(position, move, share))
            results.sort(key=lambda result: -INFINITE if result.score is None else result.score, reverse=True)
            if progress is not None:
                progress(results[:best])
        if any(result.score is None for result in results):  # who does not judge still has a favourite
            favourite = answer(self, position, limit).move
            results.sort(key=lambda result: result.move != favourite)
        nodes, seconds = sum(result.nodes for result in results), sum(result.seconds for result in results)
        return [replace(result, nodes=nodes, seconds=seconds) for result in compared(results)[:best]]

    def _judge(self, position: Position, move: int, limit: Limit) -> Result:
        after = position.play(move)
        if after.is_over():
            score = -after.score()
            return Result(move, position.turn, score, depth=1, pv=(move,), source="exact", may_be_beaten=True)
        line = [move]
        if after.must_pass():
            after = after.play(PASS)
            line.append(PASS)
        reply = answer(self, after, limit)
        # A proven move that may be beaten proves that the position is worth at least as much.
        bound = "lower" if reply.is_move_exact and reply.may_be_beaten else reply.bound
        return replace(
            reply,
            move=move,
            turn=position.turn,
            score=reply.score_for(position.turn),
            bound=bound if after.turn == position.turn else OPPOSITE[bound],
            depth=reply.depth + len(line),
            pv=(*line, *(reply.pv or (reply.move,))),
            may_be_beaten=True,  # by the moves that are not judged yet
        )

    @property
    def process_id(self) -> int | None:
        """The process that thinks for the player; None if that is the process of the caller."""
        return None

    def close(self) -> None:  # noqa: B027 - nor anything to give back
        """Give back threads, memory and programs. The player is not asked again."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<{type(self).__name__}{' ' if self._described else ''}{self._described}>"

    _described = ""
    """The string it was made of, where it was."""


def answer(player: Player, position: Position, limit: Limit | None = None) -> Result:
    """Ask a player for a move and check what it says: every failure is a PlayerError.

    >>> from othellier import create_player, start
    >>> answer(create_player("random:seed=1"), start()).turn
    'black'
    """
    expect("player", player, Player, "a Player, as create_player makes it,")
    expect("position", position, Position, "a Position, such as Position.start(),")
    expect("limit", limit, (Limit, type(None)), "a Limit, such as Limit(time=1.0),")
    if not position.moves_mask():
        over = position.is_over()
        reason = "the game is over" if over else f"{position.turn} must pass, which game.push('pass') plays"
        raise PlayerError(f"{type(player).__name__} cannot be asked for a move: {reason}")
    try:
        return checked_result(type(player).__name__, player.choose(position, limit or Limit()), position)
    except OthellierError:
        raise
    except Exception as error:  # a player may be anybody's code
        raise PlayerError(f"{type(player).__name__} failed: {failure(error)}") from error


def checked_result(name: str, reply: object, position: Position) -> Result:
    """Return what a player answered as a Result of plain values; raise PlayerError where a value cannot be used.

    >>> from othellier import start
    >>> checked_result("Mine", "d3", start()).move
    19
    >>> checked_result("Mine", Result(19, "black", nodes=-1), start())
    Traceback (most recent call last):
    othellier.errors.PlayerError: Mine answered nodes=-1: a number from 0 to 18446744073709551615 expected
    """
    if not isinstance(reply, Result):
        if not isinstance(reply, SupportsIndex | str):
            raise PlayerError(f"{name} answered {_shown(reply)}, which is no move ({position.board_string()})")
        square = _square(name, reply, position)
        return Result(square, position.turn, pv=(square,))
    square = _square(name, reply.move, position)
    numbers = {key: _number(name, key, getattr(reply, key)) for key in RANGES}
    for key, choices in (*WORDS.items(), ("turn", get_args(Color))):
        if getattr(reply, key) not in choices:
            raise PlayerError(f"{name} answered {key}={_shown(getattr(reply, key))}: {' or '.join(choices)} expected")
    try:
        line, may_be_beaten = tuple(index(move) for move in reply.pv), bool(reply.may_be_beaten)
        moves = tuple(
            MoveValue(index(one.move), _plain(one.value), one.bound, index(one.visits)) for one in reply.moves
        )
    except (AttributeError, TypeError, ValueError, OverflowError):
        raise PlayerError(f"{name} answered a pv or moves that hold something else than moves") from None
    return replace(reply, move=square, pv=line, moves=moves, may_be_beaten=may_be_beaten, **numbers)


def _square(name: str, move: Any, position: Position) -> int:
    """The legal move that a player means."""
    square = None
    if isinstance(move, SupportsIndex | str):
        try:
            square = int(to_square(move, position.size))
            if position.is_legal(square):
                return square
        except (TypeError, ValueError, OverflowError):  # an `__index__` of the player's own, or a number too large
            square = None
    at_home = square is not None and -1 <= square < position.size.squares
    shown = square_name(square, position.size) if square is not None and at_home else _shown(move)
    raise PlayerError(f"{name} played {shown}, which is illegal ({position.board_string()})")


def _number(name: str, key: str, value: Any) -> Any:
    """A number of a Result as a plain one."""
    least, most = RANGES[key]
    if value is None and key == "score":
        return None
    if isinstance(value, Integral):
        if least <= int(value) <= most:
            return int(value)
    elif isinstance(value, Real) and least <= float(value) <= most:  # NaN is not
        return float(value) if key in ("score", "seconds") else int(float(value))
    raise PlayerError(f"{name} answered {key}={_shown(value)}: a number from {least} to {most} expected")


def _plain(value: Any) -> int | float:
    """Return a number as a plain one; raise OverflowError where no float can hold it."""
    number = float(value)
    return int(value) if isinstance(value, Integral) else number


def _shown(value: object) -> str:
    """A value of anybody's as part of a message: one that cannot be shown, as a number of 5,000 digits, by its type."""
    try:
        return clean_line(repr(value))
    except Exception:  # the `__repr__` may be anybody's code
        return f"<{type(value).__name__}>"


async def answer_async(player: Player, position: Position, limit: Limit | None = None) -> Result:
    """`answer` in a thread of its own, for programs with an event loop. Cancelling the task sets the limit's `stop`.

    >>> import asyncio
    >>> from othellier import create_player, start
    >>> async def ask():
    ...     async with create_player("random:seed=1") as player:
    ...         return await answer_async(player, start())
    >>> asyncio.run(ask()).turn
    'black'
    """
    expect("limit", limit, (Limit, type(None)), "a Limit, such as Limit(time=1.0),")
    limit = stoppable(limit or Limit())
    return await in_thread(limit.stop, answer, player, position, limit)


def failure(error: BaseException) -> str:
    """An exception of somebody else's code in one line, with the last line of that code it came through."""
    frames = [(Path(frame.f_code.co_filename), line) for frame, line in traceback.walk_tb(error.__traceback__)]
    frames = [(path, line) for path, line in frames if not path.name.startswith("<frozen ")]  # parts of Python
    theirs = [(path, line) for path, line in frames if OURS not in path.parents and PYTHON not in path.parents]
    if isinstance(error, SyntaxError) and error.lineno:  # its words tell where; the trace only who read the file
        return f"SyntaxError: {clean_line(str(error))}"
    where = f" ({theirs[-1][0].name}, line {theirs[-1][1]})" if theirs else ""
    words = clean_line(str(error))
    return f"{type(error).__name__}{': ' if words else ''}{words}{where}"
