"""The games the evaluation learns from: databases completed by our solver, and the engine's own.

A game is a row of 122 bytes, as the core writes it: 60 squares (255 after the end), what the search found each
move worth for Black (a signed byte, -128 where nothing was searched), how many moves there are up to the last random
or given one, and the final score for Black as a signed byte. Every position after that opening is labelled with that
score and that value: play is perfect from some number of empty squares on, so both are exact there; before, one is
the result of good play and the other an estimate. Before the last random move the score tells nothing, but what a
search found is a label all the same.

Searches of one depth from one position end at leaves of one parity, and evaluations err differently on either. So a
label takes the values of this move and the next two, each without what values so far from the end are off by on
average.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from othellier.base.files import read_file, write_file
from othellier.batch import NO_MOVE
from othellier.engine.engine import SURE, compiled_probcut, selectivity_level
from othellier.errors import ConfigError, OthellierError, RecordError
from othellier.rules import native
from othellier.rules.board import Position
from othellier.rules.geometry import SYMMETRIES

__all__ = [
    "MOST_REPEATS",
    "NO_VALUE",
    "ROW",
    "GameArray",
    "Positions",
    "complete",
    "load",
    "positions",
    "save",
    "selfplay",
    "through",
    "unlisted",
]

GameArray = npt.NDArray[np.uint8]

ROW = 122
OPENING = 120
NO_VALUE = -128
MOST_REPEATS = 4
"""A position met often counts more in a fit, but not without end."""
AHEAD = 2
"""Moves after a position whose values go into its label."""
FEW = 200
"""So few results tell half of a bias; fewer still less."""
LIMIT = 1 << 34
CHUNK = 2000


class Positions(NamedTuple):
    """Labelled positions, one a row of each array."""

    player: npt.NDArray[np.uint64]
    opponent: npt.NDArray[np.uint64]
    moves: npt.NDArray[np.uint8]
    opponent_moves: npt.NDArray[np.uint8]
    score: npt.NDArray[np.int8]
    """The result, `NO_VALUE` where a random move came after."""
    value: npt.NDArray[np.int8]
    game: npt.NDArray[np.int32]

    def take(self, rows: slice | npt.NDArray[np.intp]) -> Positions:
        """Some of them."""
        return Positions(
            self.player[rows],
            self.opponent[rows],
            self.moves[rows],
            self.opponent_moves[rows],
            self.score[rows],
            self.value[rows],
            self.game[rows],
        )

    def distinct(self) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        """The row where each different board occurs first, and for each row which of those boards it has."""
        order = np.lexsort((self.opponent, self.player))
        player, opponent = self.player[order], self.opponent[order]
        new = np.ones(len(order), bool)
        new[1:] = (player[1:] != player[:-1]) | (opponent[1:] != opponent[:-1])
        which = np.empty(len(order), np.intp)
        which[order] = np.cumsum(new) - 1
        return order[new], which

    @property
    def empties(self) -> npt.NDArray[np.int64]:
        """Empty squares of each."""
        return np.asarray(64 - np.bitwise_count(self.player | self.opponent).astype(np.int64), np.int64)

    def labels(self, blend: float) -> npt.NDArray[np.float64]:
        """What to learn: results, with a share of the searches' values where there are any, or those alone."""
        valued = self.value != NO_VALUE
        values = np.where(valued, self.value - self.bias()[self.empties], 0.0)
        total, count = values.copy(), valued.astype(np.float64)
        if len(total) > AHEAD:
            # For whom the next position of the game is; nobody's where the game ends or a random move may lie between.
            discs = self.player | self.opponent
            added = discs[1:] & ~discs[:-1]
            follows = (self.game[1:] == self.game[:-1]) & (self.score[:-1] != NO_VALUE) & valued[1:]
            sign = np.where(follows, np.where(added & self.player[1:] != 0, 1.0, -1.0), 0.0)
            factor = np.ones(len(sign) + 1)
            for ahead in range(1, AHEAD + 1):
                factor = factor[: len(sign) + 1 - ahead] * sign[ahead - 1 :]
                total[:-ahead] += factor * values[ahead:]
                count[:-ahead] += np.abs(factor)
        shares = np.where(self.score == NO_VALUE, 1.0, np.where(valued, blend, 0.0))
        return np.asarray((1 - shares) * self.score + shares * total / np.maximum(count, 1), np.float64)

    def bias(self) -> npt.NDArray[np.float64]:
        """By empty squares, how far the searches' values are above the results on average."""
        known = (self.score != NO_VALUE) & (self.value != NO_VALUE)
        empties = self.empties[known]
        differences = self.value[known].astype(np.float64) - self.score[known]
        counts = np.bincount(empties, minlength=65)
        return np.asarray(np.bincount(empties, differences, 65) / (counts + FEW), np.float64)


def _core() -> Any:
    if native.core is None:
        raise OthellierError("learning needs the compiled core, which is missing here: see othellier version")
    return native.core


def selfplay(
    weights: Any,
    count: int,
    *,
    seed: int,
    depth: int = 5,
    alternate: bool = False,
    confidence: int = SURE,
    solve_empties: int = 14,
    random_moves: tuple[int, int] = (6, 26),
    exploration: int = 0,
    networks: Any = None,
    probcut: Any = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> GameArray:
    """Games of the engine against itself; game i depends on seed + i alone, and may alternate between two depths.

    After the opening `exploration` per cent of the moves are random too, so that there are positions in which somebody
    has just gone wrong: those are what a search meets most, and good play never shows.
    """
    if count < 1 or depth < 1 or not 0 <= random_moves[0] <= random_moves[1] <= 60 or not 1 <= solve_empties <= 30:
        raise ConfigError("self-play needs at least one game, a depth, random moves from 0 to 60, 1 to 30 solved")
    if not 0 <= exploration <= 100:
        raise ConfigError("the share of random moves is between 0 and 100 per cent")
    games = np.zeros((count, ROW), np.uint8)
    for first in range(0, count, CHUNK):
        part = games[first : first + CHUNK]
        search = (probcut or compiled_probcut(), depth, alternate, selectivity_level(confidence), solve_empties)
        _core().selfplay(weights, networks, *search, *random_moves, exploration, threads, seed + first, part)
        if progress is not None:
            progress(len(part))
    return games


def complete(
    moves: npt.NDArray[np.uint8],
    *,
    solve_empties: int = 16,
    unlabelled: int = 4,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> GameArray:
    """Recorded games (squares, 255 after the end) played on perfectly from some number of empty squares."""
    games = np.full((len(moves), ROW), NO_MOVE, np.uint8)
    games[:, :60] = moves[:, :60]
    games[:, OPENING] = 60 - solve_empties
    for first in range(0, len(games), CHUNK):
        part = np.ascontiguousarray(games[first : first + CHUNK])
        search = (compiled_probcut(), 1, False, selectivity_level(SURE), solve_empties)
        _core().complete_games(None, None, *search, 0, threads, 0, part)
        games[first : first + CHUNK] = part
        if progress is not None:
            progress(len(part))
    games[:, OPENING] = unlabelled
    return games


def unlisted(file: str, count: int, listed: Iterable[str]) -> npt.NDArray[np.bool_]:
    """Which records of a file are not on a list of games to leave out (`FILE RECORD` a line, from 0)."""
    keep = np.ones(count, np.bool_)
    for number, line in enumerate(listed, 1):
        fields = line.split("#")[0].split()
        if not fields:
            continue
        if len(fields) != 2 or not fields[1].isdigit():
            raise RecordError("the list of games to leave out", f"line {number}", f"FILE RECORD expected, not {line!r}")
        if fields[0] == file and int(fields[1]) < count:
            keep[int(fields[1])] = False
    return keep


def through(games: GameArray, listed: Iterable[Position]) -> npt.NDArray[np.bool_]:
    """Which games reach one of the positions, as it is or mirrored, by whatever moves."""
    images = {position.transform(symmetry) for position in listed for symmetry in SYMMETRIES}
    boards = (np.array([getattr(image, side) for image in images], np.uint64) for side in ("player", "opponent"))
    reached = np.zeros(len(games), np.uint8)
    _core().games_through(np.ascontiguousarray(games), *boards, reached)
    return reached.astype(np.bool_)


def positions(games: GameArray, *, valued: bool = False) -> Positions:
    """Every position of the games with a result, and on demand those that only a search has valued."""
    most = 60 * len(games)
    arrays = Positions(
        np.zeros(most, np.uint64),
        np.zeros(most, np.uint64),
        np.zeros(most, np.uint8),
        np.zeros(most, np.uint8),
        np.zeros(most, np.int8),
        np.zeros(most, np.int8),
        np.zeros(most, np.int32),
    )
    count = _core().positions_of_games(np.ascontiguousarray(games), valued, *arrays)
    return arrays.take(slice(count))


def save(games: GameArray, path: str | Path) -> None:
    """Write a shard, whole or not at all: a kill in the middle leaves nothing half."""
    write_file(Path(path), [games.tobytes()])


def load(paths: Iterable[str | Path]) -> GameArray:
    """Read shards."""
    shards = []
    for path in paths:
        data = np.frombuffer(read_file(Path(path), LIMIT), np.uint8)
        if not len(data):
            raise RecordError(str(path), "", "is empty: there is no game in it")
        if len(data) % ROW:
            raise RecordError(str(path), f"byte {len(data)}", f"is cut in the middle of a game of {ROW} bytes")
        shards.append(data.reshape(-1, ROW))
    if not shards:
        raise ConfigError("no games to learn from")
    return np.concatenate(shards)
