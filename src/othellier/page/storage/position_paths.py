"""The way of a game through positions, as a few bytes that can be searched: which of one's games came by here?

A position is a number of eight bytes, the same for all its symmetric forms; a path is the numbers of the positions of
a game, one after another, up to a point. The store looks for a number in paths and finds what came after it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np

from othellier import batch
from othellier.batch import NO_MOVE, Bits, Bytes
from othellier.errors import OthellierError
from othellier.games.game import replay
from othellier.openings.games import fingerprint
from othellier.records.transcript import parse_moves
from othellier.rules import native
from othellier.rules.board import Position, after, past_pass
from othellier.rules.geometry import PASS, STANDARD

VISITED = 40
"""Moves of a game whose positions are remembered for the explorer."""
WIDTH = 8
"""Bytes of a position."""


def key(position: Position) -> bytes:
    """A position up to symmetry, as eight bytes."""
    if position.size == STANDARD:
        return fingerprint(position).to_bytes(WIDTH, "little")
    form = position.canonical() if position.size.rows == position.size.columns else position
    words = f"{position.size} {form.player:x} {form.opponent:x} {position.turn}"
    return hashlib.blake2b(words.encode(), digest_size=WIDTH).digest()


def path(start: Position, moves: Iterable[int]) -> bytes:
    """The path of a game; as after every move, a pass that is forced at the start is made."""
    position = past_pass(start)
    keys = [key(position)]
    for move in [move for move in moves if move != PASS][:VISITED]:
        position, name = _step(position, move)
        keys.append(name)
    return b"".join(keys)


@lru_cache(1 << 14)
def _step(position: Position, move: int) -> tuple[Position, bytes]:
    """Where a move leads: a running game goes the same way again each time it is saved."""
    position = after(position, move)
    return position, key(position)


def line_rows(lines: Sequence[Sequence[int]]) -> Bytes:
    """Many lines of moves from the usual start as rows of squares."""
    rows = np.full((len(lines), 60), NO_MOVE, np.uint8)
    for row, moves in zip(rows, lines, strict=True):
        played = [move for move in moves if move != PASS]
        row[: len(played)] = played
    return rows


def line_prints(rows: Bytes) -> Bits:
    """The numbers of the positions of such rows, all at once, as `key` gives them.

    Row `p` has those after `p` moves; 0 where a line has ended before.
    """
    return batch.fingerprints(rows)


def print_path(prints: Bits) -> bytes:
    """The path of one line: its column of `line_prints`."""
    numbers = prints[: VISITED + 1]
    return bytes(numbers[numbers != 0].astype("<u8", copy=False).tobytes())


def transcript_path(transcript: str) -> bytes:
    """The path of a game from the usual start that was written as its transcript; nothing where that cannot be."""
    start = native.start()
    try:
        moves, _ = replay(start, parse_moves(transcript, start.size))
    except OthellierError:
        return b""
    return path(start, moves)
