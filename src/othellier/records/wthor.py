"""WTHOR, the database of the French federation: `.wtb` games, `.jou` players, `.trn` tournaments.

Little-endian; a header of 16 bytes, then 68 bytes a game: tournament, black, white (numbers into the name
files), Black's discs with empty squares for the winner, Black's discs under perfect play from the depth in
the header, and 60 moves as 10 * row + column. Names are looked up in the name files that lie beside the
games; where there are none a player is `#12`. `???`, WTHOR's own word for it, is an unknown name.

What a game must give up here: it is 8x8 from the usual start; of its date the year is kept; names are
Latin-1 and cut to 19 letters, the event to 25; a game without a result is counted as it stands; where no
theoretical score is known the real one is put down, as the database itself does, at 24 empty squares.
All games of a file are of one year and one depth.

Whole databases as NumPy arrays are the business of `database.py`.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable, Iterator
from datetime import date
from pathlib import Path
from typing import NamedTuple

from othellier.base.files import read_file, write_file
from othellier.base.text import clean_line
from othellier.errors import IllegalMove, RecordError
from othellier.games.game import Game, Headers, Outcome
from othellier.records.format import Format, Item, RecordSource, fit
from othellier.rules import native
from othellier.rules.geometry import PASS

__all__ = [
    "DEFAULT_DEPTH",
    "FORMAT",
    "HEADER_SIZE",
    "RECORD_SIZE",
    "SQUARES",
    "Header",
    "Names",
    "find_names",
    "make_game",
    "parse_header",
    "read_names",
    "write_names",
]

HEADER = struct.Struct("<4BIHH4B")
RECORD = struct.Struct("<3H2B60s")
HEADER_SIZE, RECORD_SIZE = HEADER.size, RECORD.size
DEFAULT_DEPTH = 24
UNKNOWN = "???"
NAME_SIZES = {".jou": 20, ".trn": 26}

SQUARES: dict[int, int] = {10 * row + column: 8 * row + column - 9 for row in range(1, 9) for column in range(1, 9)}
"""The square of each byte that is a move."""

BYTES = {square: byte for byte, square in SQUARES.items()}


class Header(NamedTuple):
    """What the header of a file of games says."""

    games: int
    year: int
    depth: int


class Names(NamedTuple):
    """The players and tournaments that games refer to by number; empty where there is no file of them."""

    players: list[str]
    tournaments: list[str]

    @staticmethod
    def look_up(names: list[str], number: int) -> str:
        """The name with this number; `#12` where there are no names."""
        if not names:
            return f"#{number}"
        if number >= len(names):
            raise RecordError("", "", f"refers to name {number} of {len(names)}")
        return names[number] if names[number] != UNKNOWN else ""


# -- reading


def parse_header(source: RecordSource) -> Header:
    """The header of a file of games, checked against the length of the file."""
    data = source.data
    if len(data) < HEADER_SIZE:
        raise source.error(f"byte {len(data)}", f"is too short for a WTHOR header of {HEADER_SIZE} bytes")
    _, _, _, _, games, _, year, size, kind, depth, _ = HEADER.unpack_from(data)
    if size not in (0, 8):
        raise source.error("byte 12", f"is for boards of size {size}; only 8x8 is read")
    if kind != 0:
        raise source.error("byte 13", "holds solitaires, not games")
    expected = HEADER_SIZE + RECORD_SIZE * games
    if len(data) != expected:
        place = f"byte {min(len(data), expected)}"
        raise source.error(place, f"has {len(data)} bytes, but its {games} games make {expected}")
    return Header(games, year, depth or 22)


def _sniff(source: RecordSource) -> bool:
    """Whether this is a header whose number of games fits the length."""
    if source.path is not None and source.path.suffix.lower() in NAME_SIZES:
        return True
    try:
        return bool(source.data) and parse_header(source).games >= 0
    except RecordError:
        return False


def _read(source: RecordSource) -> Iterator[Item]:
    """The games one by one."""
    if source.path is not None and source.path.suffix.lower() in NAME_SIZES:
        raise source.error("", "is a file of WTHOR names, without games")
    header = parse_header(source)
    names = find_names(source.path.parent) if source.path is not None else Names([], [])
    for number, (tournament, black, white, score, theoretical, moves) in enumerate(
        source.walk(RECORD.iter_unpack(memoryview(source.data)[HEADER_SIZE:]), header.games)
    ):
        where = f"game {number + 1} at byte {HEADER_SIZE + RECORD_SIZE * number}"
        try:
            squares = _squares(moves)
            yield make_game(squares, names, header, tournament, (black, white), (score, theoretical))
        except IllegalMove as error:
            yield source.error(where, error)
        except RecordError as error:
            yield source.error(", ".join(filter(None, (where, error.where))), error.reason)


def _squares(moves: bytes) -> list[int]:
    played = moves.rstrip(b"\0")
    squares = []
    for ply, byte in enumerate(played, 1):
        if byte not in SQUARES:
            reason = "the moves go on after their end" if byte == 0 else f"{byte} is not a square"
            raise RecordError("", f"move {ply}", reason)
        squares.append(SQUARES[byte])
    return squares


def make_game(
    squares: Iterable[int],
    names: Names,
    header: Header,
    tournament: int,
    players: tuple[int, int],
    discs: tuple[int, int],
) -> Game:
    """The game of one record, its moves checked; `discs` are Black's, in fact and in theory."""
    if max(discs) > 64:
        raise RecordError("", "", f"gives Black {max(discs)} discs")
    headers = Headers(
        black=Names.look_up(names.players, players[0]),
        white=Names.look_up(names.players, players[1]),
        event=Names.look_up(names.tournaments, tournament),
        date=f"{header.year:04}" if header.year else "",
        theory=(discs[1], header.depth),
    )
    return Game.from_moves(squares, native.start(), headers, Outcome(2 * discs[0] - 64))


def read_names(path: Path) -> list[str]:
    """The names of a `.jou` or `.trn` file, told apart by what their length allows."""
    source = RecordSource(str(path), read_file(path), path)
    size = NAME_SIZES.get(path.suffix.lower())
    if size is None:
        raise source.error("", "is neither .jou nor .trn")
    data = source.data
    if len(data) < HEADER_SIZE:
        raise source.error(f"byte {len(data)}", f"is too short for a WTHOR header of {HEADER_SIZE} bytes")
    count = HEADER.unpack_from(data)[5]
    expected = HEADER_SIZE + size * count
    if len(data) != expected:
        place = f"byte {min(len(data), expected)}"
        raise source.error(place, f"has {len(data)} bytes, but its {count} names make {expected}")
    fields = (data[at : at + size] for at in range(HEADER_SIZE, len(data), size))
    return [clean_line(field.partition(b"\0")[0].decode("latin-1")) for field in fields]


def _name_file(directory: Path, suffix: str) -> Path | None:
    """The name file of a directory, WTHOR's own if there are several; systems differ in capitals."""
    try:
        files = [path for path in directory.iterdir() if path.suffix.lower() == suffix]
    except OSError:
        return None
    return min(files, key=lambda path: (path.stem.lower() != "wthor", path.name), default=None)


def find_names(directory: Path) -> Names:
    """The names beside the games of a directory."""
    players, tournaments = (_name_file(directory, suffix) for suffix in (".jou", ".trn"))
    return Names(read_names(players) if players else [], read_names(tournaments) if tournaments else [])


# -- writing


def write_names(path: Path, names: list[str]) -> None:
    """Write a `.jou` or `.trn` file; names are cut to what fits."""
    size = NAME_SIZES[path.suffix.lower()]
    if len(names) > 0xFFFF:
        raise RecordError(str(path), "", f"{len(names)} names are more than a WTHOR file can number")
    fields = (name.encode("latin-1", "replace")[: size - 1].ljust(size, b"\0") for name in names)
    write_file(path, [_header(count=len(names)), *fields])


def _header(games: int = 0, count: int = 0, year: int = 0, depth: int = 0) -> bytes:
    today = date.today()
    century, rest = divmod(today.year, 100)
    return HEADER.pack(century, rest, today.month, today.day, games, count, year, 8, 0, depth, 0)


def _write(games: Iterable[Game], path: Path) -> None:
    """Write fitted games, and the names they add to the name files beside them."""
    known = find_names(path.parent)
    names = Names(known.players or [UNKNOWN], known.tournaments or [UNKNOWN])
    numbers = [{name: number for number, name in reversed(list(enumerate(listed)))} for listed in names]
    sizes = len(known.players), len(known.tournaments)
    common = 0, DEFAULT_DEPTH
    records = []

    def number(kind: int, name: str) -> int:
        name = name or UNKNOWN
        if name not in numbers[kind]:
            numbers[kind][name] = len(names[kind])
            names[kind].append(name)
        return numbers[kind][name]

    for count, game in enumerate(games, 1):
        headers, outcome = game.headers, game.outcome()
        assert headers.theory is not None
        assert outcome is not None
        common = _common(game)
        moves = bytes(BYTES[move] for move in game.moves() if move != PASS)
        ids = number(1, headers.event), number(0, headers.black), number(0, headers.white)
        records.append(RECORD.pack(*ids, (int(outcome.score) + 64) // 2, headers.theory[0], moves))
        if max(map(len, names)) > 0xFFFF:
            raise RecordError(str(path), f"game {count}", "has one name more than WTHOR can number")
    for kind, suffix in enumerate(NAME_SIZES):
        if len(names[kind]) != sizes[kind]:  # names come first, so that no game ever refers to a missing one
            write_names(_name_file(path.parent, suffix) or path.parent / f"WTHOR{suffix.upper()}", names[kind])
    write_file(path, [_header(games=len(records), year=common[0], depth=common[1]), *records])


def _common(game: Game) -> tuple[int, int]:
    """What all games of a file share: the year, and the depth of the theoretical score."""
    assert game.headers.theory is not None
    return int(game.headers.date or 0), game.headers.theory[1]


def _check_beside(game: Game, first: Game) -> None:
    (year, depth), common = _common(game), _common(first)
    if (year, depth) != common:
        reason = f"is of the year {year}, depth {depth}; the first is of {common[0]}, {common[1]}: a file has one"
        raise RecordError("", "", reason)


def _fit_game(game: Game) -> Game:
    """The game as one record keeps it; the rules stand at the top of this file."""
    kept = fit(game, FORMAT.holds)
    headers = kept.headers
    headers.black, headers.white = _fit_name(headers.black, ".jou"), _fit_name(headers.white, ".jou")
    headers.event = _fit_name(headers.event, ".trn")
    year = re.match(r"\d{4}(?!\d)", headers.date, re.ASCII)
    headers.date = year[0] if year is not None and year[0] != "0000" else ""
    outcome = kept.outcome()
    if outcome is None:
        last = kept.end.position
        outcome = Outcome(last.score() if last.turn == "black" else -last.score())
    discs = (outcome.score + 64) / 2
    if not (discs.is_integer() and 0 <= discs <= 64):
        raise RecordError("", "", f"has the result {outcome.score:+g}, which is no number of discs for Black")
    kept.result = Outcome(2 * discs - 64)  # which takes in a score too small to matter
    headers.theory = headers.theory or (int(discs), DEFAULT_DEPTH)
    if not (0 <= headers.theory[0] <= 64 and 1 <= headers.theory[1] <= 60):
        raise RecordError("", "", f"has the theoretical score {headers.theory}, which cannot be")
    return kept


def _fit_name(name: str, suffix: str) -> str:
    encoded = name.encode("latin-1", "replace")[: NAME_SIZES[suffix] - 1]
    name = encoded.decode("latin-1").strip()
    return "" if name == UNKNOWN else name


FORMAT = Format(
    name="wthor",
    extensions=(".wtb", ".jou", ".trn"),
    holds=frozenset({"moves", "names", "event", "date", "theory", "outcome"}),
    sniff=_sniff,
    read=_read,
    write=_write,
    fit=_fit_game,
    check_beside=_check_beside,
)
