"""The networks on patterns and mobility: their shape, their file, and what they say of positions.

Two networks look at the same patterns as the evaluation (weights.py). Both respect the eight symmetries of the
board exactly, because every table is shared by all places a symmetry carries a pattern to:

*   The value network sums a row of WIDTH numbers for each pattern instance, for the number of moves of either
    side and for the number of empty squares. Positive and negative parts of the sum, clipped, pass a layer of
    HIDDEN neurons, and these, clipped, one of SECOND. All neurons of both, clipped, add to the output, and the last
    of the first layer also goes straight to it. Every number of empty squares has layers of its own: whoever has
    the last move is a matter of their parity.
*   The policy network sums, for each square, a row of POLICY_WIDTH numbers for each instance that contains the
    square and its place in it, and one for the kind of square and the empty squares left; the clipped parts of
    the sum give the square's score by weights of its kind and phase.

All is integer arithmetic, in numbers of a small range. The file holds the types of patterns and one row for all
places that share it; the payload for the core, little-endian, has them spread out:

    u16 shape     WIDTH, HIDDEN, SECOND, HEADS
    u16 types     then for each: u8 squares, u8 instances, and the squares of every instance
    u8  kinds     one for each of the 64 squares
    i8  value     rows for the entries of every type, then 64 for moves, replies and empty squares each
    i16 value     for each number of empty squares: weights (2 WIDTH, HIDDEN), out (HIDDEN), i32 biases (HIDDEN);
                  then weights (HIDDEN, SECOND), out (SECOND), i32 biases (SECOND)
    i8  policy    rows for the entries of every type, once for each of its squares; then 64 for each kind
    i16 policy    for each phase and kind: weights (2 POLICY_WIDTH)
"""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from othellier.errors import InvalidPosition, OthellierError, WeightsError
from othellier.evaluation.weights import FileKind, Pattern, PatternGeometry, read_payload, write_payload
from othellier.rules import native
from othellier.rules.board import Position
from othellier.rules.geometry import PASS, STANDARD, SYMMETRIES, geometry

__all__ = [
    "COUNTS",
    "FILE",
    "HEADS",
    "HIDDEN",
    "KINDS",
    "PHASES",
    "POLICY_WIDTH",
    "SECOND",
    "WIDTH",
    "NetworkGeometry",
    "Networks",
    "fits",
    "from_numbers",
    "load_networks",
    "policy",
    "shipped_networks",
    "value",
    "values",
]

FILE = FileKind(b"OTHELNET", 2, "networks")
WIDTH = 32
HIDDEN = 16
SECOND = 16
HEADS = 61
"""From no empty square to 60."""
SHAPE = struct.Struct("<4H")
_OURS = SHAPE.pack(WIDTH, HIDDEN, SECOND, HEADS)
POLICY_WIDTH = 4
PHASES = 20
"""Equal parts of the 60 moves, each with weights of its own for the policy."""
MOST_SQUARES = 10
COUNTS = 64
KINDS = 10
"""Squares that no symmetry carries to one another."""


def _mirrored_roles(pattern: Pattern) -> npt.NDArray[np.int32]:
    """For each place in the pattern and each of its entries, the pair that stands for it and its mirror images."""
    tables = geometry(STANDARD).symmetry_tables
    count = len(pattern.squares)
    index = np.arange(pattern.entries, dtype=np.int32)
    digits = np.stack([index // 3**place % 3 for place in range(count)])
    least = np.arange(count, dtype=np.int32)[:, None] * pattern.entries + index
    for symmetry in SYMMETRIES:
        image = [tables[symmetry][square] for square in pattern.squares]
        if set(image) == set(pattern.squares):
            roles = [pattern.squares.index(square) for square in image]
            mirrored = sum(digits[place] * 3**role for place, role in enumerate(roles))
            least = np.minimum(least, np.array(roles, np.int32)[:, None] * pattern.entries + mirrored)
    # A move goes to an empty square: the other entries are never asked for and share the row of zeros.
    return np.where(digits == 1, least, -1)


def _shared_roles(pattern: Pattern) -> int:
    """How many pairs of `_mirrored_roles` stand for themselves, by Burnside's lemma."""
    tables = geometry(STANDARD).symmetry_tables
    images = (tuple(tables[symmetry][square] for square in pattern.squares) for symmetry in SYMMETRIES)
    mirrors = {
        tuple(pattern.squares.index(square) for square in image)
        for image in images
        if set(image) == set(pattern.squares)
    }
    fixed = 0
    for roles in mirrors:
        cycles = len({min(_cycle(roles, place)) for place in range(len(roles))})
        fixed += sum(role == place for place, role in enumerate(roles)) * 3 ** (cycles - 1)
    return fixed // len(mirrors)


def _cycle(roles: tuple[int, ...], place: int) -> list[int]:
    found = [place]
    while (place := roles[place]) != found[0]:
        found.append(place)
    return found


@dataclass(frozen=True)
class NetworkGeometry:
    """Which rows of the file the networks' tables are made of."""

    patterns: PatternGeometry

    @classmethod
    def default(cls) -> NetworkGeometry:
        """The geometry of the networks we ship: the patterns of the evaluation."""
        return cls(PatternGeometry.default())

    @cached_property
    def kinds(self) -> npt.NDArray[np.uint8]:
        """The kind of each square, the same for all its images."""
        tables = geometry(STANDARD).symmetry_tables
        least = [min(tables[symmetry][square] for symmetry in SYMMETRIES) for square in range(64)]
        return np.unique(least, return_inverse=True)[1].astype(np.uint8)

    @cached_property
    def value_rows(self) -> npt.NDArray[np.int32]:
        """For each row of the value table, its row in the file."""
        entries = self.patterns.offsets[-1]
        representatives = self.patterns.representatives[:entries]
        return _numbered(np.concatenate([representatives, np.arange(entries, entries + 3 * COUNTS, dtype=np.int32)]))

    @cached_property
    def policy_offsets(self) -> list[int]:
        """Where each pattern's part of the policy table starts; the last is where the kinds start."""
        sizes = [len(pattern.squares) * pattern.entries for pattern in self.patterns.patterns]
        return [sum(sizes[:i]) for i in range(len(sizes) + 1)]

    @cached_property
    def policy_rows(self) -> npt.NDArray[np.int32]:
        """For each row of the policy table, its row in the file; -1 for the row of zeros."""
        parts = []
        for pattern, offset in zip(self.patterns.patterns, self.policy_offsets, strict=False):
            roles = _mirrored_roles(pattern).reshape(-1)
            parts.append(np.where(roles < 0, -1, roles + offset))
        start = self.policy_offsets[-1]
        return _numbered(np.concatenate([*parts, np.arange(start, start + KINDS * COUNTS, dtype=np.int32)]))

    @cached_property
    def policy_count(self) -> int:
        """Rows of the policy table in the file; counted, because making them takes much memory."""
        return sum(_shared_roles(pattern) for pattern in self.patterns.patterns) + KINDS * COUNTS

    @cached_property
    def places(self) -> list[list[tuple[int, int]]]:
        """For each square, the instances that contain it, each with the square's place there."""
        instances = self.patterns.instances
        return [
            [(number, squares.index(square)) for number, (_, squares) in enumerate(instances) if square in squares]
            for square in range(64)
        ]


def _numbered(representatives: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """Representatives, which stand for themselves, numbered one after the other; -1 stays."""
    own = representatives == np.arange(len(representatives))
    return np.where(representatives < 0, -1, np.cumsum(own, dtype=np.int32)[representatives] - 1)


@dataclass(frozen=True)
class Networks:
    """The numbers of both networks, each shared row once, in the order of the file."""

    shape: NetworkGeometry
    value_rows: npt.NDArray[np.int8]
    value_weights: npt.NDArray[np.int16]
    value_out: npt.NDArray[np.int16]
    value_biases: npt.NDArray[np.int32]
    second_weights: npt.NDArray[np.int16]
    second_out: npt.NDArray[np.int16]
    second_biases: npt.NDArray[np.int32]
    policy_rows: npt.NDArray[np.int8]
    policy_weights: npt.NDArray[np.int16]

    @staticmethod
    def layout(shape: NetworkGeometry) -> dict[str, tuple[np.dtype[Any], tuple[int, ...]]]:
        """Type and shape of each array."""
        byte, short, word = np.dtype("<i1"), np.dtype("<i2"), np.dtype("<i4")
        return {
            "value_rows": (byte, (int(shape.value_rows.max()) + 1, WIDTH)),
            "value_weights": (short, (HEADS, 2 * WIDTH, HIDDEN)),
            "value_out": (short, (HEADS, HIDDEN)),
            "value_biases": (word, (HEADS, HIDDEN)),
            "second_weights": (short, (HEADS, HIDDEN, SECOND)),
            "second_out": (short, (HEADS, SECOND)),
            "second_biases": (word, (HEADS, SECOND)),
            "policy_rows": (byte, (shape.policy_count, POLICY_WIDTH)),
            "policy_weights": (short, (PHASES, KINDS, 2 * POLICY_WIDTH)),
        }

    def write(self, path: str | Path) -> None:
        """Write a file of networks."""
        parts = [_OURS, self.shape.patterns.types()]
        for name, wanted in self.layout(self.shape).items():
            array = getattr(self, name)
            if (array.dtype, array.shape) != wanted:
                raise WeightsError(f"{name} of {array.dtype}{array.shape} do not fit a file of networks")
            # Numbers of one place of the rows are alike: side by side they deflate better.
            parts.append(np.ascontiguousarray(array.T).tobytes())
        write_payload(path, b"".join(parts), FILE)

    @classmethod
    def read(cls, path: str | Path) -> Networks:
        """Read a file of networks."""
        data = read_payload(path, FILE)
        if data[: SHAPE.size] != _OURS:
            found = "x".join(map(str, SHAPE.unpack_from(data.ljust(SHAPE.size, b"\0"))))
            wanted = "x".join(map(str, SHAPE.unpack(_OURS)))
            raise WeightsError(f"{path}: networks of the shape {found}, this program reads {wanted}")
        try:
            patterns, place = PatternGeometry.read_types(data, SHAPE.size)
        except WeightsError as error:
            raise WeightsError(f"{path}: {error}") from None
        if any(len(pattern.squares) > MOST_SQUARES for pattern in patterns.patterns):
            raise WeightsError(f"{path}: a pattern of more than {MOST_SQUARES} squares")
        shape = NetworkGeometry(patterns)
        layout = cls.layout(shape)
        size = sum(math.prod(sizes) * dtype.itemsize for dtype, sizes in layout.values())
        if len(data) - place != size:
            raise WeightsError(f"{path}: networks of {len(data) - place} bytes, this program reads {size}")
        arrays: dict[str, Any] = {}
        for name, (dtype, sizes) in layout.items():
            flat = np.frombuffer(data, dtype, math.prod(sizes), place)
            arrays[name] = flat.reshape(sizes[::-1]).T
            place += flat.nbytes
        return cls(shape, **arrays)

    def payload(self, *, policy: bool = True) -> bytes:
        """What the core reads: every table spread out."""
        arrays = [
            self.shape.kinds,
            self.value_rows[self.shape.value_rows],
            *(part for empties in range(HEADS) for part in self._head(empties)),
        ]
        if policy:
            zero = np.zeros((1, POLICY_WIDTH), np.int8)
            arrays += [np.concatenate([self.policy_rows, zero])[self.shape.policy_rows], self.policy_weights]
        return b"".join([_OURS, self.shape.patterns.types(), *(np.ascontiguousarray(array).data for array in arrays)])

    def _head(self, empties: int) -> tuple[npt.NDArray[Any], ...]:
        first = (self.value_weights, self.value_out, self.value_biases)
        second = (self.second_weights, self.second_out, self.second_biases)
        return tuple(array[empties] for array in (*first, *second))


def fits(position: Position) -> bool:
    """Whether the networks know such a board, and the compiled core is there to ask them."""
    return native.core is not None and position.size == STANDARD


def from_numbers(networks: Networks, *, policy: bool = True) -> Any:
    """Networks the core can compute with; without the policy they take a quarter of the memory."""
    return _compiled(networks.payload(policy=policy))


def load_networks(path: str | Path, *, policy: bool = True) -> Any:
    """The networks of a file, for the core, checked."""
    try:
        return _compiled(Networks.read(path).payload(policy=policy))
    except RuntimeError as error:  # of the core
        raise WeightsError(f"{path}: {error}") from None


def _compiled(payload: bytes) -> Any:
    if native.core is None:
        raise OthellierError("networks need the compiled core, which is missing here: see othellier version")
    return native.core.Networks(payload)


@cache
def shipped_networks(*, policy: bool = False) -> Any:
    """The networks that come with the package, loaded once: the value network, which searches need, or both."""
    with resources.as_file(resources.files("othellier") / "data" / "networks.weights") as path:
        return load_networks(path, policy=policy)


def policy(position: Position, networks: Any = None) -> dict[int, float]:
    """How likely a strong player chooses each move, the likeliest first; a pass is certain where there is no other."""
    _check(position)
    moves = position.moves()
    if not moves:
        return {PASS: 1.0}
    networks = networks or shipped_networks(policy=True)
    scores = np.zeros(64, np.int32)
    networks.scores(*_boards(position), scores)
    exponents = scores[moves] / networks.SCORE_UNIT
    odds = np.exp(exponents - exponents.max())
    odds /= odds.sum()
    order = np.argsort(-odds, kind="stable")
    return {moves[i]: float(odds[i]) for i in order}


def value(position: Position, networks: Any = None) -> float:
    """The final disc difference the value network expects for the side to move; the score itself at the end.

    The network has learnt from positions with a move to play: where there is none, the other side's view counts.
    """
    return values([position], networks)[0]


def values(positions: Sequence[Position], networks: Any = None) -> list[float]:
    """`value` of many positions in one call."""
    found = [0.0] * len(positions)
    asked: list[tuple[int, Position, int]] = []
    for number, position in enumerate(positions):
        if position.is_over():
            found[number] = float(position.score())
            continue
        _check(position)
        passes = position.must_pass()
        asked.append((number, position.play(PASS) if passes else position, -1 if passes else 1))
    if asked:
        networks = networks or shipped_networks()
        boards = (np.array([getattr(one, side) for _, one, _ in asked], np.uint64) for side in ("player", "opponent"))
        told = np.zeros(len(asked), np.int32)
        networks.values(*boards, told)
        for (number, _, sign), one in zip(asked, told.tolist(), strict=True):
            found[number] = sign * one / networks.VALUE_UNIT
    return found


def _boards(position: Position) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]:
    return np.array([position.player], np.uint64), np.array([position.opponent], np.uint64)


def _check(position: Position) -> None:
    if position.size != STANDARD:
        raise InvalidPosition(f"the networks know the board of 8x8, not {position.size}")
    if position.is_over():
        raise InvalidPosition(f"the game is over: {position.board_string()}")
