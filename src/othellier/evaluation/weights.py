"""The weights file of the evaluation: its pattern geometry, its layout, reading and writing.

The file is a header (magic, version, CRC-32 and length of what follows) and the payload, deflated. The
payload, little-endian, is what the core reads:

    u16 unit      weights are in 1/unit disc, a power of two
    u16 phases    equal parts of the 60 moves
    u16 types     then for each: u8 squares, u8 instances, and the squares of every instance
    i16 tables    for each phase: a table of 3^squares weights for each type, then 64 weights for the
                  number of moves of the side to move and 64 for those of the other side

An instance's index has digit +1 for a disc of the side to move, -1 for one of the other side, 0 for an
empty square, times 3^place; a table starts with the smallest index.

Mirror images share a weight, so a file of version 2 has each only once: in the place of the tables come, for every
weight that stands for others or for itself, its values in all phases, all their low bytes before all their high bytes.
That is half the size. In version 1 the payload stands as it is; both are read, and tables whose mirror images differ
are still written so.
"""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from othellier.base.files import write_file
from othellier.errors import WeightsError
from othellier.rules.geometry import STANDARD, SYMMETRIES, geometry, parse_square

__all__ = [
    "DEFAULT_PATTERNS",
    "MOBILITY_TERMS",
    "WEIGHTS",
    "FileKind",
    "Pattern",
    "PatternGeometry",
    "read_payload",
    "shipped_weights",
    "write_payload",
]

HEADER = struct.Struct("<8sHHIQ")
MAX_PAYLOAD = 1 << 28
PIECE = 1 << 16
MOBILITY_TERMS = 64


class _Packing(NamedTuple):
    """How a payload is made smaller in a file, and the version of files that have it as it is."""

    plain: int
    pack: Callable[[bytes], bytes | None]
    unpack: Callable[[bytes], bytes]


class FileKind(NamedTuple):
    """A kind of file with this header: how it begins, the version this program writes, its name and its packing."""

    magic: bytes
    version: int
    name: str
    packing: _Packing | None = None


# Lines that touch the edge matter most, so edges and corners are seen in several overlapping cuts of
# ten squares; the straight lines and diagonals carry mobility and what is left of the board.
DEFAULT_PATTERNS = (
    "a1 b1 c1 d1 e1 f1 g1 h1 b2 g2",  # edge and its X-squares
    "a1 b1 c1 d1 e1 a2 b2 c2 d2 e2",  # two rows from the corner
    "a1 b1 c1 d1 a2 b2 c2 a3 b3 a4",  # triangle in the corner
    "a1 c1 d1 e1 f1 h1 c2 d2 e2 f2",  # edge with the block behind it
    "a1 b1 a2 b2 c2 b3 c3 d3 c4 d4",  # corner towards the centre
    "a1 b1 c1 a2 b2 c2 a3 b3 c3",  # square in the corner
    "a2 b2 c2 d2 e2 f2 g2 h2",
    "a3 b3 c3 d3 e3 f3 g3 h3",
    "a4 b4 c4 d4 e4 f4 g4 h4",
    "a1 b2 c3 d4 e5 f6 g7 h8",
    "b1 c2 d3 e4 f5 g6 h7",
    "c1 d2 e3 f4 g5 h6",
    "d1 e2 f3 g4 h5",
    "b1 c1 d1 e1 b2 c2 d2 e2 c3 d3",  # block at the edge, without the corner
)


@dataclass(frozen=True)
class Pattern:
    """A set of squares with its images on the board, which share one table."""

    squares: tuple[int, ...]

    @classmethod
    def parse(cls, names: str) -> Pattern:
        """Read squares by name, in the order of their digits."""
        return cls(tuple(parse_square(name) for name in names.split()))

    @property
    def entries(self) -> int:
        """Size of the table."""
        return int(3 ** len(self.squares))

    @cached_property
    def instances(self) -> list[tuple[int, ...]]:
        """The distinct images under the eight symmetries, each with its squares in the same roles."""
        tables = geometry(STANDARD).symmetry_tables
        images = [tuple(tables[s][square] for square in self.squares) for s in SYMMETRIES]
        seen: dict[frozenset[int], tuple[int, ...]] = {}
        for image in images:
            seen.setdefault(frozenset(image), image)
        return list(seen.values())

    @cached_property
    def representatives(self) -> npt.NDArray[np.int32]:
        """For each table entry, the entry that stands for it and its mirror images: they share a weight."""
        tables = geometry(STANDARD).symmetry_tables
        count = len(self.squares)
        index = np.arange(self.entries, dtype=np.int32)
        digits = np.stack([index // 3**place % 3 for place in range(count)])
        least = index
        for symmetry in SYMMETRIES:
            image = [tables[symmetry][square] for square in self.squares]
            if set(image) == set(self.squares):
                mirrored = sum(digits[place] * 3 ** self.squares.index(square) for place, square in enumerate(image))
                least = np.minimum(least, mirrored)
        return least


@dataclass(frozen=True)
class PatternGeometry:
    """The patterns of an evaluation, in the order of their tables."""

    patterns: tuple[Pattern, ...]

    @classmethod
    def default(cls) -> PatternGeometry:
        """The geometry of the weights we ship."""
        return cls(tuple(Pattern.parse(names) for names in DEFAULT_PATTERNS))

    @cached_property
    def offsets(self) -> list[int]:
        """Where each pattern's table starts within a phase; the last is where mobility starts."""
        return [sum(p.entries for p in self.patterns[:i]) for i in range(len(self.patterns) + 1)]

    @property
    def phase_size(self) -> int:
        """Weights in one phase."""
        return self.offsets[-1] + 2 * MOBILITY_TERMS

    @cached_property
    def instances(self) -> list[tuple[int, tuple[int, ...]]]:
        """Every instance with the number of its pattern."""
        return [(i, squares) for i, pattern in enumerate(self.patterns) for squares in pattern.instances]

    @cached_property
    def representatives(self) -> npt.NDArray[np.int32]:
        """For each weight of a phase, the weight it is tied to by symmetry."""
        tied = [offset + p.representatives for offset, p in zip(self.offsets, self.patterns, strict=False)]
        return np.concatenate([*tied, np.arange(self.offsets[-1], self.phase_size, dtype=np.int32)])

    @cached_property
    def once(self) -> npt.NDArray[np.bool_]:
        """Which weights of a phase stand for themselves and those tied to them."""
        return np.equal(self.representatives, np.arange(self.phase_size, dtype=np.int32))

    def payload(self, tables: npt.NDArray[np.int16], unit: int) -> bytes:
        """The payload for tables of shape (phases, phase_size)."""
        phases = len(tables)
        if tables.shape != (phases, self.phase_size) or tables.dtype != np.int16:
            raise WeightsError(f"tables of {tables.dtype}{tables.shape} do not fit {self.phase_size} weights a phase")
        return struct.pack("<HH", unit, phases) + self.types() + tables.astype("<i2").tobytes()

    def types(self) -> bytes:
        """The types of patterns as files hold them."""
        parts = [struct.pack("<H", len(self.patterns))]
        for pattern in self.patterns:
            parts.append(bytes([len(pattern.squares), len(pattern.instances)]))
            parts.extend(bytes(instance) for instance in pattern.instances)
        return b"".join(parts)

    @classmethod
    def read_types(cls, payload: bytes, place: int) -> tuple[PatternGeometry, int]:
        """The geometry that begins at a place of a payload, and where it ends."""
        try:
            (types,) = struct.unpack_from("<H", payload, place)
            place += 2
            patterns: list[Pattern] = []
            for _ in range(types):
                squares, instances = payload[place : place + 2]
                pattern = Pattern(tuple(payload[place + 2 : place + 2 + squares]))
                images = b"".join(bytes(instance) for instance in pattern.instances)
                place += 2 + len(images)
                if instances != len(pattern.instances) or payload[place - len(images) : place] != images:
                    raise WeightsError(f"pattern {len(patterns)} is not a set of squares with its mirror images")
                patterns.append(pattern)
        except WeightsError:
            raise
        except (struct.error, ValueError, IndexError):
            raise WeightsError("weights end in the middle of their patterns") from None
        return cls(tuple(patterns)), place

    @classmethod
    def _read_head(cls, payload: bytes) -> tuple[PatternGeometry, int, int, int]:
        """What stands before the tables: the geometry, where it ends, the unit and the number of phases."""
        if len(payload) < 4:
            raise WeightsError("weights end in the middle of their patterns")
        unit, phases = struct.unpack_from("<HH", payload)
        return *cls.read_types(payload, 4), unit, phases

    @classmethod
    def read(cls, payload: bytes) -> tuple[PatternGeometry, npt.NDArray[np.int16], int]:
        """What a payload holds: the geometry, the tables of shape (phases, phase_size), and the unit."""
        geometry, place, unit, phases = cls._read_head(payload)
        _check_tables(payload, place, phases, geometry.phase_size)
        return geometry, np.frombuffer(payload, "<i2", offset=place).reshape(phases, -1).astype(np.int16), unit


def _check_tables(payload: bytes, place: int, phases: int, weights: int) -> None:
    if len(payload) - place != 2 * phases * weights:
        raise WeightsError(f"{len(payload) - place} bytes of tables, not {phases} phases of {weights} weights")


def _packed(payload: bytes) -> bytes | None:
    """A payload of weights with every weight once, beside those it resembles; nothing where that cannot be."""
    try:
        geometry, tables, _ = PatternGeometry.read(payload)
    except WeightsError:
        return None
    if not np.array_equal(tables, tables[:, geometry.representatives]):
        return None
    planes = np.ascontiguousarray(tables[:, geometry.once].T, "<i2").view(np.uint8).reshape(-1, 2).T
    return payload[: len(payload) - 2 * tables.size] + planes.tobytes()


def _unpacked(packed: bytes) -> bytes:
    """The payload that was packed."""
    geometry, place, _, phases = PatternGeometry._read_head(packed)
    count = int(np.count_nonzero(geometry.once))
    _check_tables(packed, place, phases, count)
    planes = np.frombuffer(packed, np.uint8, offset=place).reshape(2, -1)
    tables = np.ascontiguousarray(planes.T).view("<i2").reshape(count, phases)
    places = (np.cumsum(geometry.once) - 1)[geometry.representatives]
    return packed[:place] + np.take(np.ascontiguousarray(tables.T), places, axis=1).tobytes()


WEIGHTS = FileKind(b"OTHELWTS", 2, "weights", _Packing(1, _packed, _unpacked))
"""Weights with every one once, where those that symmetry ties are equal."""


def shipped_weights() -> AbstractContextManager[Path]:
    """The file of the weights that come with the package, for as long as it is needed."""
    return resources.as_file(resources.files("othellier") / "data" / "evaluation.weights")


def write_payload(path: str | Path, payload: bytes, kind: FileKind = WEIGHTS) -> None:
    """Write a weights file of a kind."""
    version, content = kind.version, payload
    if kind.packing is not None:
        packed = kind.packing.pack(payload)
        version, content = (kind.packing.plain, payload) if packed is None else (version, packed)
    header = HEADER.pack(kind.magic, version, 0, zlib.crc32(content), len(content))
    write_file(Path(path), [header, zlib.compress(content, 9)])


def read_payload(path: str | Path, kind: FileKind = WEIGHTS) -> bytes:
    """The checked payload of a weights file of a kind."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise WeightsError(f"{path}: {error.strerror or error}") from None
    if len(data) < HEADER.size:
        raise WeightsError(f"{path}: not a weights file, only {len(data)} bytes")
    found, version, _, checksum, length = HEADER.unpack_from(data)
    if found != kind.magic:
        raise WeightsError(f"{path}: not a weights file of Othellier, or one of another kind")
    packing = kind.packing
    if version not in (kind.version, kind.version if packing is None else packing.plain):
        raise WeightsError(f"{path}: {kind.name} of version {version}, this program reads version {kind.version}")
    if length > MAX_PAYLOAD:
        raise WeightsError(f"{path}: claims {length} bytes of weights, more than any file of ours")
    # Piece by piece into one buffer: all at once takes twice the memory, and more than that for a malicious file.
    inflate, buffer = zlib.decompressobj(), io.BytesIO()
    try:
        for start in range(HEADER.size, len(data), PIECE):
            buffer.write(inflate.decompress(memoryview(data)[start : start + PIECE]))
            if buffer.tell() > length:
                break
    except zlib.error as error:
        raise WeightsError(f"{path}: damaged ({error})") from None
    payload = buffer.getvalue()
    if len(payload) != length or zlib.crc32(payload) != checksum:
        raise WeightsError(f"{path}: damaged, its checksum does not match")
    try:
        return payload if packing is None or version == packing.plain else packing.unpack(payload)
    except WeightsError as error:
        raise WeightsError(f"{path}: {error}") from None
