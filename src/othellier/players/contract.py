"""The contract of whoever can be asked for a move, and the one safe way of asking.

Passes are the caller's to play: a player is only asked where there is a move.
"""

from __future__ import annotations

import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Self

from othellier.board import Position
from othellier.errors import OthellierError, PlayerError, expect
from othellier.geometry import PASS, square_name
from othellier.results import Bound, Limit, Result, in_thread, stoppable
from othellier.text import clean_line

__all__ = ["AnalysisProgress", "Player", "answer", "answer_async", "failure"]

AnalysisProgress = Callable[[list[Result]], None]
"""Hears of an analysis while it goes on: the moves judged so far, the best first."""

OURS, PYTHON = Path(__file__).parents[1], Path(traceback.__file__).parent
"""Folders of code that is nobody else's."""

INFINITE = float("inf")
OPPOSITE: dict[Bound, Bound] = {"exact": "exact", "lower": "upper", "upper": "lower"}


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
        """One of the position's legal moves (there is at least one), within the limit.

        Where `limit.stop` is given and set, from another thread, a player that can ends soon with the best found.
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
        return [replace(result, nodes=nodes, seconds=seconds) for result in results[:best]]

    def _judge(self, position: Position, move: int, limit: Limit) -> Result:
        after = position.play(move)
        if after.is_over():
            return Result(move, position.turn, -after.score(), depth=1, pv=(move,), source="exact")
        line = [move]
        if after.must_pass():
            after = after.play(PASS)
            line.append(PASS)
        reply = answer(self, after, limit)
        return replace(
            reply,
            move=move,
            turn=position.turn,
            score=reply.score_for(position.turn),
            bound=reply.bound if after.turn == position.turn else OPPOSITE[reply.bound],
            depth=reply.depth + len(line),
            pv=(*line, *(reply.pv or (reply.move,))),
        )

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
        result = player.choose(position, limit or Limit())
    except OthellierError:
        raise
    except Exception as error:  # a player may be anybody's code
        raise PlayerError(f"{type(player).__name__} failed: {failure(error)}") from error
    if not isinstance(result, Result):
        raise PlayerError(f"{type(player).__name__} answered {clean_line(repr(result))}, which is not a Result")
    if not isinstance(result.move, int) or not position.is_legal(result.move):
        at_home = isinstance(result.move, int) and -1 <= result.move < position.size.squares
        move = square_name(result.move, position.size) if at_home else repr(result.move)
        raise PlayerError(f"{type(player).__name__} played {move}, which is illegal ({position.board_string()})")
    for name, value in (("score", 0 if result.score is None else result.score), ("nodes", result.nodes)):
        if not isinstance(value, int | float) or not -INFINITE < value < INFINITE:
            raise PlayerError(f"{type(player).__name__} answered {name}={clean_line(repr(value))}: a number expected")
    return result


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
    theirs = [(path, line) for path, line in frames if OURS not in path.parents and PYTHON not in path.parents]
    if isinstance(error, SyntaxError) and error.lineno:  # its words tell where; the trace only who read the file
        return f"SyntaxError: {clean_line(str(error))}"
    where = f" ({theirs[-1][0].name}, line {theirs[-1][1]})" if theirs else ""
    words = clean_line(str(error))
    return f"{type(error).__name__}{': ' if words else ''}{words}{where}"
