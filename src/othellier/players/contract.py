"""The contract of whoever can be asked for a move, and the one safe way of asking.

Passes are the caller's to play: a player is only asked where there is a move.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path
from typing import Self

from othellier.board import Position
from othellier.errors import OthellierError, PlayerError
from othellier.geometry import square_name
from othellier.results import Limit, Result

__all__ = ["Player", "answer", "failure"]


class Player(ABC):
    """One contract for humans, searches, engines and other programs. Only `choose` must be written."""

    @abstractmethod
    def choose(self, position: Position, limit: Limit) -> Result:
        """One of the position's legal moves (there is at least one), within the limit."""

    def new_game(self, start: Position) -> None:  # noqa: B027 - nothing to forget is the common case
        """Forget the last game; the next one begins here."""

    def observe(self, move: int) -> None:  # noqa: B027 - nor anything to keep
        """A move was played on the board, by either side, passes included: what was learnt of it may be kept."""

    def close(self) -> None:  # noqa: B027 - nor anything to give back
        """Give back threads, memory and programs. The player is not asked again."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def answer(player: Player, position: Position, limit: Limit | None = None) -> Result:
    """Ask a player for a move and check what it says: every failure is a PlayerError."""
    if not position.moves_mask():
        reason = "the game is over" if position.is_over() else f"{position.turn} must pass"
        raise PlayerError(f"{type(player).__name__} cannot be asked for a move: {reason}")
    try:
        result = player.choose(position, limit or Limit())
    except OthellierError:
        raise
    except Exception as error:  # a player may be anybody's code
        raise PlayerError(f"{type(player).__name__} failed: {failure(error)}") from error
    if not isinstance(result, Result):
        raise PlayerError(f"{type(player).__name__} answered {result!r}, which is not a Result")
    if not isinstance(result.move, int) or not position.is_legal(result.move):
        at_home = isinstance(result.move, int) and -1 <= result.move < position.size.squares
        move = square_name(result.move, position.size) if at_home else repr(result.move)
        raise PlayerError(f"{type(player).__name__} played {move}, which is illegal ({position.board_string()})")
    return result


def failure(error: Exception) -> str:
    """An exception of somebody else's code in one line, with where it happened."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = f" ({Path(trace.tb_frame.f_code.co_filename).name}, line {trace.tb_lineno})" if trace else ""
    words = " ".join(str(error).split())
    return f"{type(error).__name__}: {words if len(words) <= 200 else words[:200] + '…'}{where}"
