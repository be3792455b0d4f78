"""Games of any source in one table, and a fingerprint of every position in them: what a search looks through.

    games = load(["wthor"])            from its index file, made anew when a source has changed
    games.find(position)               the numbers of all games that pass through a position, any way up

The index is one file in the user's cache, or where one wants it: sources, names, a row of GAME for each game, and
the fingerprints, those after the same number of moves side by side. A position is only looked for among those with as
many discs, so no order is needed: a plain comparison of 150,000 numbers takes a tenth of a millisecond.
Questions beyond that are the business of `explorer.py`.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import mmap
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from platformdirs import user_cache_path

from othellier import batch, records
from othellier.base.files import map_file, read_file, write_file
from othellier.base.text import clean_line
from othellier.batch import NO_MOVE, Bits
from othellier.errors import RecordError, expect
from othellier.games.game import Game, Headers, Outcome
from othellier.openings.keys import key_of
from othellier.records import database
from othellier.records.format import RecordSource, ending_of
from othellier.records.wthor import NAME_SIZES
from othellier.rules import native
from othellier.rules.board import Position, past_pass
from othellier.rules.geometry import PASS, STANDARD

__all__ = ["GAME", "UNKNOWN", "GameCollection", "build", "fingerprint", "index_path", "load"]

GAME = np.dtype(
    [
        ("year", "<u2"),
        ("tournament", "<u4"),
        ("black", "<u4"),
        ("white", "<u4"),
        ("score", "i1"),
        ("theory", "i1"),
        ("depth", "u1"),
        ("length", "u1"),
        ("moves", "u1", (60,)),
    ]
)
"""One game. `score` is the disc difference for Black, `theory` that under perfect play from `depth` empty squares on;
`moves` are squares, NO_MOVE after the end; names are numbers into lists."""

COMMON = {".txt", ".json", ".log", ".csv"}
"""Endings of records that many other files have too."""
UNKNOWN = -128
"""A score that nobody has written down."""

KIND = b"othellier games "
MAGIC = KIND + b"1\n"
ALIGN = 64
MASK = (1 << 64) - 1


def fingerprint(position: Position) -> int:
    """The number of a position up to symmetry, with the colour to move, as `batch.fingerprints` gives it."""
    position = past_pass(position)
    player, opponent = key_of(position)
    mixed = (player ^ 0x9E3779B97F4A7C15) * 0xD6E8FEB86659FD93 & MASK
    mixed ^= mixed >> 32
    mixed = (mixed ^ opponent) * 0xA0761D6478BD642F & MASK
    mixed ^= mixed >> 29
    return mixed if position.turn == "black" else ~mixed & MASK


@dataclass(frozen=True, repr=False)
class GameCollection:
    """Games from the usual start, their names, and where they came from. As a list, it holds a `Game` for each.

    >>> import tempfile
    >>> from othellier import write
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "games.ggf"
    ...     write([Game.from_moves("f5d6c3"), Game.from_moves("f5f6e6")], path)
    ...     games = load(path, Path(folder) / "index")
    ...     len(games), games[1].transcript(), [game.moves()[1] for game in games]
    (2, 'F5F6E6', [43, 45])
    """

    table: npt.NDArray[np.void]
    """An array of GAME."""
    prints: Bits
    """Row `p` has the fingerprints of all games after `p` moves."""
    players: list[str]
    tournaments: list[str]
    sources: list[tuple[str, int, int]]
    """Each file with its size and time, name files included."""
    left_out: int = 0
    """Games that could not be read, or start elsewhere."""
    nameless: list[str] = field(default_factory=list)
    """Files whose players and tournaments are only numbers."""

    def __len__(self) -> int:
        return len(self.table)

    def __getitem__(self, number: int) -> Game:
        return self.game(number)

    def __iter__(self) -> Iterator[Game]:
        return map(self.game, range(len(self)))

    def __repr__(self) -> str:
        years = self.table["year"][self.table["year"] > 0]
        span = f", {years.min()} to {years.max()}" if len(years) else ""
        return f"<GameCollection of {len(self):,} games{span}>"

    def find(self, position: Position) -> npt.NDArray[np.int64]:
        """The numbers of the games that pass through a position, in any of its symmetries."""
        if position.size != STANDARD:
            return np.empty(0, np.int64)
        row = 60 - position.empties
        if not 0 <= row < len(self.prints):
            return np.empty(0, np.int64)
        return np.flatnonzero(self.prints[row] == np.uint64(fingerprint(position)))

    def game(self, number: int) -> Game:
        """One game of the table; its number counts from 0."""
        record = self.table[number]
        year, depth = int(record["year"]), int(record["depth"])
        known, theory = int(record["score"]) != UNKNOWN, int(record["theory"])
        headers = Headers(
            black=self.players[record["black"]],
            white=self.players[record["white"]],
            event=self.tournaments[record["tournament"]],
            date=f"{year:04}" if year else "",
            theory=None if theory == UNKNOWN else ((theory + 64) // 2, depth),
        )
        result = Outcome(int(record["score"])) if known else None
        return Game.from_moves(record["moves"][: record["length"]].tolist(), native.start(), headers, result)


# -- building


class _Names:
    """Names as numbers; equal names are one."""

    def __init__(self) -> None:
        self.listed: list[str] = []
        self._numbers: dict[str, int] = {}

    def number(self, name: str) -> int:
        known = self._numbers.setdefault(name, len(self.listed))
        if known == len(self.listed):
            self.listed.append(name)
        return known

    def numbers(self, names: Sequence[str], used: npt.NDArray[Any]) -> npt.NDArray[np.uint32]:
        """The numbers here of names known elsewhere by their place in a list; `#12` where there is no list."""
        table = np.zeros(int(used.max(initial=0)) + 1, np.uint32)
        for place in np.unique(used):
            name = f"#{place}" if place >= len(names) else names[place] if names[place] != "???" else ""
            table[place] = self.number(name)
        numbers: npt.NDArray[np.uint32] = table[used]
        return numbers


def _files(paths: Iterable[str | Path]) -> list[Path]:
    """Paths, and the files in folders whose endings are those of games, gzipped or not; one of two where both are."""
    found = []
    endings = {ending for format_ in records.FORMATS for ending in format_.extensions} - set(NAME_SIZES)
    for path in map(Path, paths):
        if not path.is_dir():
            found.append(path)
            continue
        there = {file for file in path.iterdir() if file.is_file() and ending_of(file) in endings}
        inside = sorted(file for file in there if file.suffix.lower() != ".gz" or file.with_suffix("") not in there)
        if not inside:
            raise RecordError(str(path), "", "has no file of games in it")
        found += inside
    if not found:
        raise RecordError("database", "", "needs files or folders of games")
    return found


def _stamps(files: Sequence[Path]) -> list[tuple[str, int, int]]:
    """What tells whether a source has changed; the names beside games belong to them."""
    names = {
        path
        for folder in {file.resolve().parent for file in files if ending_of(file) == ".wtb"}
        if folder.is_dir()
        for path in folder.iterdir()
        if path.suffix.lower() in NAME_SIZES
    }
    stamps = []
    for file in [*files, *sorted(names)]:
        try:
            status = file.stat()
        except OSError as error:
            raise RecordError(str(file), "", f"cannot be read: {error.strerror}") from None
        stamps.append((str(file.resolve()), status.st_size, status.st_mtime_ns))
    return stamps


def build(paths: Iterable[str | Path], progress: Callable[[float], None] | None = None) -> GameCollection:
    """The games of files and folders, read anew. Those that cannot be read are counted, and left out.

    Of a folder, files that only end as games may, such as a `README.txt`, are passed over.
    `progress` is told how much of them has been read, from 0 to 1.
    """
    named = list(map(Path, paths))
    files = _files(named)
    sources = _stamps(files)
    players, tournaments = _Names(), _Names()
    nameless: list[str] = []
    parts, left_out = [], 0
    sizes = [size for _, size, _ in sources[: len(files)]]
    whole, before = max(1, sum(sizes)), 0
    for file, size in zip(files, sizes, strict=True):

        def told(share: float, before: int = before, size: int = size) -> None:
            if progress is not None:
                progress((before + share * size) / whole)

        if ending_of(file) == ".wtb":
            parts.append(_wthor(file, players, tournaments, nameless))
        elif file in named or ending_of(file) not in COMMON or _is_record(file):
            part, bad = _others(file, players, tournaments, told)
            parts.append(part)
            left_out += bad
        told(1.0)
        before += size
    if not parts:
        raise RecordError(str(files[0]), "", "has no game in it, nor has any other file there")
    table = np.concatenate(parts)
    prints = batch.fingerprints(table["moves"])
    played = table["length"].astype(np.int64)
    legal = prints[np.minimum(played, 60), np.arange(len(table))] != 0
    table, prints = table[legal], np.ascontiguousarray(prints[:, legal]) if not legal.all() else prints
    left_out += int((~legal).sum())
    return GameCollection(table, prints, players.listed, tournaments.listed, sources, left_out, nameless)


def _is_record(file: Path) -> bool:
    """Whether a file is a record by what is in it; one that cannot be read is none."""
    try:
        source = RecordSource(str(file), read_file(file), file)
    except RecordError:
        return False
    return any(format_.sniff(source) for format_ in records.FORMATS)


def _wthor(file: Path, players: _Names, tournaments: _Names, nameless: list[str]) -> npt.NDArray[np.void]:
    loaded = database.load(file)
    games, table = loaded.games, np.zeros(len(loaded), GAME)
    if not loaded.names.players:
        nameless.append(str(file))
    for field_ in ("year", "depth", "moves"):
        table[field_] = games[field_]
    for field_ in ("black", "white"):
        table[field_] = players.numbers(loaded.names.players, games[field_])
    table["tournament"] = tournaments.numbers(loaded.names.tournaments, games["tournament"])
    for field_, given in (("score", games["score"]), ("theory", games["theoretical"])):
        table[field_] = np.where(given <= 64, 2 * given.astype(np.int16) - 64, UNKNOWN)
    table["length"] = (table["moves"] != NO_MOVE).sum(axis=1)
    return table


def _others(
    file: Path, players: _Names, tournaments: _Names, progress: Callable[[float], None]
) -> tuple[npt.NDArray[np.void], int]:
    found = records.read(file, errors="collect", progress=progress)
    if not found and found.errors:
        raise found.errors[0]
    usual = [game for game in found if game.start == native.start()]
    table = np.zeros(len(usual), GAME)
    table["moves"], table["theory"] = NO_MOVE, UNKNOWN
    for row, game in zip(table, usual, strict=True):
        headers, outcome = game.headers, game.outcome()
        row["year"] = int(headers.date[:4]) if headers.date[:4].isdecimal() else 0
        row["black"], row["white"] = players.number(headers.black), players.number(headers.white)
        row["tournament"] = tournaments.number(headers.event)
        row["score"] = UNKNOWN if outcome is None or abs(outcome.score) > 64 else round(outcome.score)
        if headers.theory is not None and headers.theory[0] <= 64 and headers.theory[1] <= 60:
            row["theory"], row["depth"] = 2 * headers.theory[0] - 64, headers.theory[1]
        moves = [move for move in game.moves() if move != PASS]
        row["length"] = len(moves)
        row["moves"][: len(moves)] = moves
    return table, len(found) - len(usual) + len(found.errors)


# -- the index file


def index_path(paths: Iterable[str | Path]) -> Path:
    """Where the index of these sources is kept unless somebody says otherwise."""
    names = "\n".join(str(file.resolve()) for file in _files(paths))
    return user_cache_path("othellier") / f"games-{hashlib.sha256(names.encode()).hexdigest()[:16]}.index"


def load(
    paths: str | Path | Iterable[str | Path],
    index: Path | None = None,
    progress: Callable[[float], None] | None = None,
) -> GameCollection:
    """The games of files and folders by their index, which is made anew where a source has changed.

    `progress` is told how much of the files has been read, from 0 to 1.

    >>> import tempfile
    >>> from othellier import Game, write
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "games.ggf"
    ...     write([Game.from_moves(["f5", "d6", "c3"]), Game.from_moves(["f5", "f6", "e6"])], path)
    ...     len(load(path, Path(folder) / "index"))
    2
    """
    expect("paths", paths, (str, Path, Iterable), "names of files or folders")
    paths = [paths] if isinstance(paths, str | Path) else list(paths)
    path = index_path(paths) if index is None else index
    known = _read(path)
    if known is not None and known.sources == _stamps(_files(paths)):
        return known
    games = build(paths, progress)
    if index is not None:
        _write(games, path)
        return games
    # Where a cache cannot be kept, the index is made anew each time.
    with contextlib.suppress(OSError, RecordError):
        path.parent.mkdir(parents=True, exist_ok=True)
        _write(games, path)
    return games


def _write(games: GameCollection, path: Path) -> None:
    facts = {
        "games": len(games),
        "rows": len(games.prints),
        "players": games.players,
        "tournaments": games.tournaments,
        "sources": games.sources,
        "left_out": games.left_out,
        "nameless": games.nameless,
    }
    text = json.dumps(facts).encode()
    head = MAGIC + len(text).to_bytes(8, "little") + text
    head += bytes(-len(head) % ALIGN)
    rows = games.table.tobytes()
    write_file(path, [head, rows, bytes(-len(rows) % ALIGN), games.prints.astype("<u8", copy=False).tobytes()])


def _read(path: Path) -> GameCollection | None:
    """The games of an index file, mapped into memory; None where there is none, or an incomplete one."""
    data = map_file(path, missing_ok=True)
    if not data:
        return None
    if data[: len(KIND)] != KIND:
        raise RecordError(str(path), "byte 0", "is not an index of games, and is left as it is")
    if data[: len(MAGIC)] != MAGIC:
        return None  # of another version: it can be made anew
    start = len(MAGIC) + 8
    end = start + int.from_bytes(data[len(MAGIC) : start], "little")
    try:
        return _parse(data, end + -end % ALIGN, json.loads(data[start:end]))
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
        return None  # cut short, damaged or of another time: it can be made anew


def _parse(data: bytes | mmap.mmap, at: int, facts: Any) -> GameCollection:
    """The games of an index by what its head says of them; an error where that cannot be."""
    count, rows, left_out = (_count(facts[key]) for key in ("games", "rows", "left_out"))
    players, tournaments = (_names(facts[key]) for key in ("players", "tournaments"))
    sources = [(str(name), _count(size), _count(time)) for name, size, time in facts["sources"]]
    nameless = [str(name) for name in facts["nameless"]]
    table = np.frombuffer(data, GAME, count, at)
    at += table.nbytes + -table.nbytes % ALIGN
    prints = np.frombuffer(data, "<u8", rows * count, at).astype(np.uint64, copy=False).reshape(rows, count)
    limits = (
        ("black", len(players)),
        ("white", len(players)),
        ("tournament", len(tournaments)),
        ("length", GAME["moves"].shape[0] + 1),
    )
    if rows != GAME["moves"].shape[0] + 1 or any((table[field_] >= limit).any() for field_, limit in limits):
        raise ValueError("a number is beyond what there is")
    return GameCollection(table, prints, players, tournaments, sources, left_out, nameless)


def _count(value: object) -> int:
    if not isinstance(value, int) or value < 0:
        raise TypeError(f"{value!r} is not a count")
    return value


def _names(value: object) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(one, str) and one == clean_line(one) for one in value):
        raise TypeError("this is not a list of names")
    return value
