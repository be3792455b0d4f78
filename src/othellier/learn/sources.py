"""Games to learn from, out of records of every format: read, counted, those on a list left out, doubles merged."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from othellier.base.files import read_file
from othellier.batch import NO_MOVE
from othellier.errors import ConfigError, RecordError
from othellier.games.game import Game
from othellier.learn.games import GameArray, through, unlisted
from othellier.records import FORMATS, read, recognise
from othellier.records.database import load
from othellier.records.format import RecordSource
from othellier.rules import native
from othellier.rules.geometry import PASS

__all__ = ["Collected", "collect", "files", "without"]

NAMES = (".jou", ".trn")
"""Endings of files that hold names and no games."""

LIMIT = 1 << 30


@dataclass(frozen=True, slots=True)
class Collected:
    """The squares of games from the start, NO_MOVE after their end, and what became of the others."""

    moves: npt.NDArray[np.uint8]
    listed: int
    """Left out because they are on the list."""
    unusable: int
    """Not readable, or not from the start of 8x8."""
    doubles: int


def files(places: Iterable[Path]) -> list[Path]:
    """Files as they are, and of folders the files whose ending is that of a record."""
    endings = {ending for known in FORMATS for ending in known.extensions if ending not in NAMES}
    found = []
    for place in places:
        inside = sorted(place.iterdir()) if place.is_dir() else [place]
        kept = [path for path in inside if not place.is_dir() or _ending(path) in endings]
        if not kept:
            raise ConfigError(f"no records of games in {place}")
        found += kept
    return found


def _ending(path: Path) -> str:
    return Path(path.name.lower().removesuffix(".gz")).suffix


def without(games: GameArray, suites: Sequence[Path]) -> GameArray:
    """The games that reach no position of test suites, in any symmetry and by any moves."""
    tested = [game.start for suite in suites for game in read(suite)]
    return games[~through(games, tested)] if tested else games


def collect(paths: Sequence[Path], listed: Sequence[str], progress: Callable[[int], None] | None = None) -> Collected:
    """The games of records; `listed` has a `FILE RECORD` a line to leave out, counted from 0."""
    rows, left_out, unusable = [], 0, 0
    for path in paths:
        if _ending(path) == ".wtb":
            squares = load(path).games["moves"]
            keep = unlisted(path.name, len(squares), listed)
            left_out += int((~keep).sum())
            rows.append(squares[keep])
        else:
            squares, skipped, bad = _read(path, listed)
            left_out, unusable = left_out + skipped, unusable + bad
            rows.append(squares)
        if progress is not None:
            progress(1)
    found = np.concatenate(rows) if rows else np.zeros((0, 60), np.uint8)
    moves = np.unique(found, axis=0)
    if not len(moves):
        raise ConfigError("there is no game in these records to learn from")
    return Collected(moves, left_out, unusable, len(found) - len(moves))


def _read(path: Path, listed: Sequence[str]) -> tuple[npt.NDArray[np.uint8], int, int]:
    source = RecordSource(str(path), read_file(path, LIMIT), path)
    items = list(recognise(source).read(source))
    keep = unlisted(path.name, len(items) + 1, listed)
    # Lists count the lines of a text from 0 or from 1: rather leave out a game too many.
    keep = keep[:-1] & keep[1:]
    start = native.start()
    rows, bad = [], 0
    for item, wanted in zip(items, keep.tolist(), strict=True):
        if isinstance(item, RecordError) or item.start != start:
            bad += 1
        elif wanted:
            rows.append(_row(item))
    left_out = len(items) - bad - len(rows)
    return np.array(rows, np.uint8).reshape(-1, 60), left_out, bad


def _row(game: Game) -> list[int]:
    moves = [move for move in game.moves() if move != PASS]
    return moves + [NO_MOVE] * (60 - len(moves))
