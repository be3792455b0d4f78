"""Balanced starts (XOT): openings of eight moves after which neither side stands better.

All of them up to symmetry are made here, valued by whoever is asked to, and kept where the value lies within a
band. Whoever values may lean to one side: values count from that of best play, found by minimax over all the
openings, since with best play the game is a draw (Takizawa, 2023). The list we ship is `data/balanced.tsv`: a
transcript and its value for Black, a line each; a user's own list may leave the values out. Who values the
positions, and on how many cores, is the caller's business.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

from othellier.base.files import read_file, write_file
from othellier.errors import IllegalMove, RecordError
from othellier.games.game import replay
from othellier.openings.keys import PositionKey, key_of
from othellier.records.format import RecordSource, parse_number
from othellier.records.transcript import format_moves, parse_moves
from othellier.rules import native
from othellier.rules.board import Position
from othellier.rules.geometry import parse_square

__all__ = [
    "BAND",
    "PLIES",
    "Judge",
    "Overlap",
    "Start",
    "all_openings",
    "build",
    "check",
    "comment",
    "compare",
    "for_black",
    "lean",
    "narrow",
    "read",
    "refine",
    "sample",
    "shipped",
    "stages",
    "starts",
    "write",
]

PLIES = 8
BAND = 2.0
"""Discs either way within which a start is called balanced."""

Judge = Callable[[Sequence[Position]], Iterable[float]]
"""Values positions in discs for the side to move, in their order."""

STAGES = ((6, 4.5), (10, 2.5))
"""Depths of the quick looks that come before the last one, and by how much they widen the band: three standard
deviations from depth 14 (1.4 and 0.9 discs, of 80 openings)."""


@dataclass(frozen=True, slots=True)
class Start:
    """A start and what it is worth to Black in discs, None where nobody has said.

    >>> len(sample(seed=1).moves)
    8
    """

    moves: tuple[int, ...]
    value: float | None = None

    @property
    def transcript(self) -> str:
        """The moves as `F5D6C3…`."""
        return format_moves(self.moves)

    @property
    def position(self) -> Position:
        """Where the game starts."""
        return replay(native.start(), self.moves)[1]


def all_openings(plies: int = PLIES) -> dict[PositionKey, tuple[int, ...]]:
    """Every position after that many moves, once up to symmetry, with the first sequence (from f5 on) that leads
    to it.

    >>> [len(all_openings(plies)) for plies in range(6)]
    [1, 1, 3, 14, 60, 322]
    """
    first = native.start()
    level: dict[PositionKey, tuple[tuple[int, ...], Position]] = {key_of(first): ((), first)}
    for ply in range(plies):
        following: dict[PositionKey, tuple[tuple[int, ...], Position]] = {}
        for moves, position in level.values():
            for move in position.moves() if ply else [parse_square("f5")]:
                after = position.play(move)
                following.setdefault(key_of(after), ((*moves, move), after))
        level = following
    return {key: moves for key, (moves, _) in level.items()}


def build(judges: Sequence[tuple[Judge, float]], plies: int = PLIES) -> tuple[list[Start], float]:
    """The openings that every judge in turn finds within its band, valued by the last, and what that one gave to
    best play, from which the values count. Weak judges come first and spare the strong ones work.
    """
    moves = all_openings(plies)
    values = dict.fromkeys(moves, 0.0)
    found, centre = list(moves), 0.0
    for judge, band in judges:
        positions = [Start(moves[key]).position for key in found]
        for key, position, value in zip(found, positions, judge(positions), strict=True):
            values[key] = value if position.turn == "black" else -value
        centre = _best_play(values, plies)
        found = [key for key in found if abs(values[key] - centre) <= band]
    starts = [Start(moves[key], values[key] - centre) for key in found]
    return sorted(starts, key=lambda start: start.transcript), centre


def stages(judge: Callable[[int], Judge], depth: int, band: float = BAND) -> list[tuple[Judge, float]]:
    """Judges for `build`: quick looks first, then one that searches to a depth."""
    quick = [(judge(plies), wider + band) for plies, wider in STAGES if plies < depth]
    return [*quick, (judge(depth), band)]


def comment(depth: int, centre: float, band: float = BAND) -> str:
    """What a list says of itself."""
    return (
        f"Openings of 8 moves worth {band:g} discs or less to either side, and their value for Black: the mean of\n"
        f"depths {depth} and {depth + 1} of our engine, less the {centre:+g} that it gives to best play, a draw."
    )


def _best_play(values: Mapping[PositionKey, float], plies: int) -> float:
    """What the start is worth to Black, by minimax over the values of all openings."""

    @cache
    def value(position: Position, left: int) -> float:
        if not left:
            return values[key_of(position)]
        best = max if position.turn == "black" else min
        return best(value(position.play(move), left - 1) for move in position.moves())

    return value(native.start(), plies)


def for_black(found: Sequence[Start], judge: Judge) -> list[float]:
    """What a judge thinks of starts, for Black."""
    positions = [start.position for start in found]
    return [v if p.turn == "black" else -v for p, v in zip(positions, judge(positions), strict=True)]


def lean(found: Sequence[Start], values: Sequence[float]) -> float:
    """By how much a judge leans to Black, against the values of a list."""
    leans = [now - start.value for start, now in zip(found, values, strict=True) if start.value is not None]
    return sum(leans) / len(leans) if leans else 0.0


def refine(found: Sequence[Start], judge: Judge, band: float = BAND) -> list[Start]:
    """Those of a list that another judge finds within the band too, with its values."""
    values = for_black(found, judge)
    centre = lean(found, values)
    again = [Start(start.moves, value - centre) for start, value in zip(found, values, strict=True)]
    return [start for start in again if start.value is not None and abs(start.value) <= band]


def narrow(found: Sequence[Start], band: float) -> list[Start]:
    """Those of a list whose own values lie within a band. A start without a value cannot be told, and is refused.

    >>> narrow([Start((37,), 0.5), Start((26,), -2.0)], 1)
    [Start(moves=(37,), value=0.5)]
    """
    for start in found:
        if start.value is None:
            raise RecordError("balanced starts", start.transcript, "has no value: search it to a depth")
    return [start for start in found if start.value is not None and abs(start.value) <= band]


def check(found: Sequence[Start], plies: int = PLIES, band: float = BAND) -> None:
    """Raise what is wrong with a list: a start of another length, one that is there twice, or out of the band."""
    seen: dict[PositionKey, str] = {}
    for start in found:
        if len(start.moves) != plies:
            raise RecordError("balanced starts", start.transcript, f"has {len(start.moves)} moves, not {plies}")
        if start.value is not None and not abs(start.value) <= band:
            reason = f"is worth {start.value:+g} to Black, outside the band of {band:g}"
            raise RecordError("balanced starts", start.transcript, reason)
        twin = seen.setdefault(key_of(start.position), start.transcript)
        if twin != start.transcript:
            raise RecordError("balanced starts", start.transcript, f"is the same as {twin}")


# -- lists


def read(path: Path) -> list[Start]:
    """The starts of a file: a transcript a line, a value for Black after it if there is one; # begins a comment."""
    source = RecordSource(str(path), read_file(path), path)
    found = []
    for number, line in enumerate(source.lines, 1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        try:
            value = parse_number(words.pop()) if len(words) > 1 and not words[-1][0].isalpha() else None
            moves, position = replay(native.start(), parse_moves("".join(words)))
        except RecordError as error:
            raise source.error(f"line {number}, {error.where}", error.reason) from None
        except (IllegalMove, ValueError) as error:
            raise source.error(f"line {number}", error) from None
        if position.is_over():
            raise source.error(f"line {number}", "the game is over before it starts")
        found.append(Start(moves, value))
    if not found:
        raise source.error("", "holds no start")
    return found


def write(found: Iterable[Start], path: Path, comment: str = "") -> None:
    """Write a list of starts, whole or not at all."""
    lines = [f"# {line}" for line in comment.splitlines()]
    lines += [start.transcript + ("" if start.value is None else f"\t{round(start.value, 2):+g}") for start in found]
    write_file(path, ["".join(f"{line}\n" for line in lines).encode()])


@cache
def shipped() -> tuple[Start, ...]:
    """The starts that come with the package; without their list, every opening of eight moves, unvalued."""
    file = resources.files("othellier.openings").joinpath("data/balanced.tsv")
    with resources.as_file(file) as path:
        if path.exists():
            return tuple(read(path))
    return tuple(Start(moves) for moves in all_openings().values())


def starts(seed: int) -> list[str]:
    """All balanced starts as transcripts, in an order drawn by the seed."""
    found = [start.transcript for start in shipped()]
    random.Random(seed).shuffle(found)
    return found


def sample(seed: int | None = None, among: Sequence[Start] | None = None) -> Start:
    """One start drawn at random, always the same for a seed."""
    return random.Random(seed).choice(shipped() if among is None else among)


# -- comparing


@dataclass(frozen=True, slots=True)
class Overlap:
    """How our list and another overlap, up to symmetry."""

    ours: int
    theirs: int
    both: int
    only_theirs: tuple[Start, ...]
    only_ours: tuple[Start, ...]


def compare(ours: Sequence[Start], theirs: Sequence[Start]) -> Overlap:
    """Put two lists side by side; starts of either that are the same up to symmetry count once."""
    mine, other = ({key_of(start.position): start for start in found} for found in (ours, theirs))
    return Overlap(
        len(mine),
        len(other),
        len(mine.keys() & other.keys()),
        tuple(start for key, start in other.items() if key not in mine),
        tuple(start for key, start in mine.items() if key not in other),
    )
