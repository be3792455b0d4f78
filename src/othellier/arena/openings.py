"""Where games of a match begin: balanced starts, openings of a file, or openings drawn so that no two are alike.

Every opening is played twice with the colours swapped, so it need not be even to be fair.
"""

from __future__ import annotations

import random
from pathlib import Path

from othellier import records
from othellier.arena.play import OpeningMoves
from othellier.errors import ConfigError, RecordError
from othellier.games.game import replay
from othellier.openings.balanced import starts
from othellier.records.transcript import parse_moves
from othellier.rules import native
from othellier.rules.board import Position
from othellier.rules.geometry import PASS, STANDARD, Size

__all__ = ["BALANCED", "START", "draw_openings", "find_openings", "read_openings"]

START, BALANCED = "start", "balanced"

PLIES = 8
"""Moves of a drawn opening; on small boards, a third of the game."""


def find_openings(name: str, count: int, size: Size, seed: int = 0, plies: int | None = None) -> list[OpeningMoves]:
    """The openings a name stands for: `start`, `balanced`, or a file of games or positions."""
    if name == START:
        return [OpeningMoves(native.start(size))]
    if name == BALANCED:
        if size != STANDARD:  # of other boards nobody knows what is balanced
            return draw_openings(count, size, seed)
        start = native.start()
        return [OpeningMoves(start, replay(start, parse_moves(moves))[0]) for moves in starts(seed)[:count]]
    return read_openings(name, size, plies)


def read_openings(path: str, size: Size, plies: int | None = None) -> list[OpeningMoves]:
    """The games or positions of a record as openings, or their first plies."""
    openings = []
    for number, game in enumerate(records.read(Path(path)), 1):
        opening = OpeningMoves(game.start, tuple(game.moves()[:plies]))
        position = opening.position()
        if position.size != size:
            raise RecordError(path, f"game {number}", f"is on a board of size {position.size}, not {size}")
        if position.is_over():
            raise RecordError(path, f"game {number}", "is over: an opening leaves something to play (see --plies)")
        openings.append(opening)
    return openings


def draw_openings(count: int, size: Size, seed: int = 0) -> list[OpeningMoves]:
    """Random openings, no two the same up to symmetry.

    >>> [len(opening.moves) for opening in draw_openings(2, Size(8, 8))]
    [8, 8]
    """
    rng = random.Random(f"openings {size} {seed}")
    plies = min(PLIES, (size.squares - 4) // 3)
    openings: dict[Position, OpeningMoves] = {}
    misses = 0  # in a row; on a small board there may not be so many
    while len(openings) < count and misses < 20 * len(openings) + 100:
        position = start = native.start(size)
        moves: list[int] = []
        while len(moves) < plies and not position.is_over():
            moves.append(rng.choice(position.moves() or [PASS]))
            position = position.play(moves[-1])
        known = len(openings)
        if position.moves_mask():
            openings.setdefault(position.canonical(), OpeningMoves(start, replay(start, moves)[0]))
        misses = misses + 1 if len(openings) == known else 0
    if not openings:
        raise ConfigError(f"no opening was found on a board of size {size}")
    return list(openings.values())
