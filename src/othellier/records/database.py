"""Whole databases of WTHOR games as NumPy arrays.

One game, with names and all, is the business of `wthor.py`; here are a hundred thousand at once.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from othellier import batch
from othellier.base.files import LIMIT, read_file
from othellier.errors import IllegalMove, RecordError
from othellier.games import game
from othellier.records import wthor
from othellier.records.format import RecordSource
from othellier.rules import native

__all__ = ["GAME", "Database", "load"]

GAME = np.dtype(
    [
        ("year", "<u2"),
        ("tournament", "<u2"),
        ("black", "<u2"),
        ("white", "<u2"),
        ("score", "u1"),
        ("theoretical", "u1"),
        ("depth", "u1"),
        ("moves", "u1", (60,)),
    ]
)
"""One game. `score` and `theoretical` are Black's discs; `moves` are squares, NO_MOVE (255) after the end."""

RECORD = np.dtype(
    [
        ("tournament", "<u2"),
        ("black", "<u2"),
        ("white", "<u2"),
        ("score", "u1"),
        ("theoretical", "u1"),
        ("moves", "u1", (60,)),
    ]
)
NO_SQUARE = 254
"""What a byte that is no square becomes; no board has it, so replaying finds it illegal."""

SQUARES = np.full(256, NO_SQUARE, np.uint8)
SQUARES[list(wthor.SQUARES)] = list(wthor.SQUARES.values())
SQUARES[0] = batch.NO_MOVE


@dataclass(frozen=True)
class Database:
    """The games of some files as one array, and the names their numbers stand for."""

    games: npt.NDArray[np.void]
    """An array of GAME: `database.games["year"]`, `database.games["moves"]` ..."""
    names: wthor.Names
    files: tuple[tuple[str, int], ...]
    """Each file, and the number of its first game in the array."""

    def __len__(self) -> int:
        return len(self.games)

    def __getitem__(self, number: int) -> game.Game:
        """One game, checked; its number counts from 0."""
        record = self.games[number]
        header = wthor.Header(1, int(record["year"]), int(record["depth"]))
        players = int(record["black"]), int(record["white"])
        discs = int(record["score"]), int(record["theoretical"])
        try:
            return wthor.make_game(self._moves(number), self.names, header, int(record["tournament"]), players, discs)
        except IllegalMove as error:
            raise RecordSource(self._file(number)[0], b"").error(self._where(number), error) from None
        except RecordError as error:
            raise self._error(number, error.reason) from None

    def __iter__(self) -> Iterator[game.Game]:
        """The games one by one, made as they are asked for."""
        return (self[number] for number in range(len(self)))

    def _moves(self, number: int) -> list[int]:
        moves = self.games["moves"][number]
        return [int(move) for move in moves[: int((moves != batch.NO_MOVE).sum())]]

    def _file(self, number: int) -> tuple[str, int]:
        return next((name, first) for name, first in reversed(self.files) if first <= number)

    def _where(self, number: int) -> str:
        return f"game {number - self._file(number)[1] + 1}"

    def _error(self, number: int, reason: str) -> RecordError:
        return RecordError(self._file(number)[0], self._where(number), reason)

    def replay(self) -> batch.Replays:
        """Play all games: where they end, how long they are, and the first illegal move of each, if any."""
        if native.available:
            return batch.replay(self.games["moves"])
        return self._replay_plainly()

    def _replay_plainly(self) -> batch.Replays:
        count = len(self)
        ends = batch.Replays(
            np.zeros(count, np.uint64),
            np.zeros(count, np.uint64),
            np.zeros(count, np.uint8),
            np.full(count, -1, np.int16),
            np.zeros(count, np.bool_),
        )
        for number in range(count):
            position = native.start()
            for place, move in enumerate(self._moves(number)):
                try:
                    position = game.replay(position, [move])[1]
                except IllegalMove:
                    ends.illegal[number] = place
                    break
                ends.lengths[number] += 1
            ends.black[number], ends.white[number] = position.black, position.white
            ends.over[number] = position.is_over()
        return ends

    def check(self) -> list[RecordError]:
        """Everything wrong with the games: illegal moves, moves after the end, impossible or wrong scores."""
        ends = self.replay()
        moves, score = self.games["moves"], self.games["score"]
        played = moves != batch.NO_MOVE
        gaps = (played[:, 1:] & ~played[:, :-1]).any(axis=1)
        impossible = np.maximum(score, self.games["theoretical"]) > 64
        wrong = ends.over & (ends.illegal < 0) & (score != _black_discs(ends))
        errors = []
        for number in np.flatnonzero((ends.illegal >= 0) | gaps | impossible | wrong):
            if gaps[number]:
                reason = "the moves go on after their end"
            elif ends.illegal[number] >= 0:
                reason = f"move {ends.illegal[number] + 1} is illegal"
            elif impossible[number]:
                reason = "a score is above 64 discs"
            else:
                reason = f"the score is given as {score[number]}, but Black has {_black_discs(ends)[number]} discs"
            errors.append(self._error(int(number), reason))
        return errors


def _black_discs(ends: batch.Replays) -> npt.NDArray[np.int16]:
    """Black's discs with the empty squares for the winner."""
    black, white = (np.unpackbits(bits.view(np.uint8).reshape(-1, 8), axis=1).sum(axis=1) for bits in ends[:2])
    return np.where(black > white, 64 - white, np.where(black < white, black, 32)).astype(np.int16)


def load(paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]], limit: int = LIMIT) -> Database:
    """The games of files and directories (all their `.wtb`), in that order, and the names beside them.

    The numbers of players mean something only together with their name files, so all files must lie
    beside the same ones.
    """
    given = [Path(path) for path in ([paths] if isinstance(paths, str | os.PathLike) else paths)]
    files = [file for path in given for file in _files(path)]
    if not files:
        raise RecordError(", ".join(map(str, given)) or "database", "", "has no .wtb file")
    directories = {file.parent.resolve(): file.parent for file in files}
    names = [wthor.find_names(directory) for directory in directories.values()]
    if any(other != names[0] for other in names):
        raise RecordError(str(files[0].parent), "", "has other names than the rest; load directories one by one")
    parts, firsts, count = [], [], 0
    for file in files:
        part = _load_file(RecordSource(str(file), read_file(file, limit), file))
        parts.append(part)
        firsts.append((str(file), count))
        count += len(part)
    return Database(np.concatenate(parts), names[0], tuple(firsts))


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    return sorted(file for file in path.iterdir() if file.suffix.lower() == ".wtb")


def _load_file(source: RecordSource) -> npt.NDArray[np.void]:
    header = wthor.parse_header(source)
    records = np.frombuffer(source.data, RECORD, offset=wthor.HEADER_SIZE)
    games = np.empty(len(records), GAME)
    for field in ("tournament", "black", "white", "score", "theoretical"):
        games[field] = records[field]
    games["year"], games["depth"] = header.year, header.depth
    games["moves"] = SQUARES[records["moves"]]
    return games
