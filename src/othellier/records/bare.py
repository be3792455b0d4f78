"""Games of one line of moves of which nothing is said: nearly all there are, so they are read and written at once.

What is not that simple, or not right, is left to those who go move by move and have words for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import cycle
from typing import NamedTuple

from othellier.errors import IllegalMove
from othellier.games.game import Game, Headers, Outcome
from othellier.rules.board import Position
from othellier.rules.geometry import PASS, Size, square_name

__all__ = ["MoveStyle", "bare_game", "bare_moves"]

PASSES = ("", "PA")
"""The names of a pass, in SGF and in GGF."""


class MoveStyle(NamedTuple):
    """How a format writes a bare move."""

    move: str
    """The pattern of it, which is given the side and the name."""
    passed: str
    """The name of a pass."""
    capitals: bool
    sides: str = "BW"
    """Black's name and White's."""


@cache
def _squares(size: Size) -> dict[str, int]:
    """The squares of a board by their names, in small letters and in capitals."""
    named = {square_name(square, size): square for square in range(size.squares)}
    return named | {name.upper(): square for name, square in named.items()} | dict.fromkeys(PASSES, PASS)


def bare_game(
    moves: Sequence[tuple[str, str]], start: Position, headers: Headers, result: Outcome | None
) -> Game | None:
    """The game of such moves, each with its side (`B` or `W`) and its name; None where it is not that simple."""
    squares = _squares(start.size)
    try:
        named = [squares[name] for _, name in moves]
        game = Game.from_moves(named, start, headers, result)
    except (KeyError, IllegalMove):
        return None
    line = game.bare() or ()
    ply = 0
    movers = "BW" if start.turn == "black" else "WB"
    for (side, _), move in zip(moves, named, strict=True):
        if line[ply] != move:  # a pass that nobody wrote down
            ply += 1
        if side != movers[ply % 2]:
            return None
        ply += 1
    return game


def bare_moves(start: Position, line: Iterable[int], style: MoveStyle) -> list[str]:
    """Each move of such a line as it is written."""
    texts = _texts(start.size, style)
    movers = cycle((True, False) if start.turn == "black" else (False, True))
    return [texts[move] for move in zip(movers, line, strict=False)]


@cache
def _texts(size: Size, style: MoveStyle) -> dict[tuple[bool, int], str]:
    """What is written for a move, by whether it is Black's and by its square."""
    names = {square: square_name(square, size) for square in range(size.squares)}
    if style.capitals:
        names = {square: name.upper() for square, name in names.items()}
    names[PASS] = style.passed
    return {
        (side is style.sides[0], square): style.move.format(side, name)
        for side in style.sides
        for square, name in names.items()
    }
