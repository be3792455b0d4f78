"""Many games at once, in and out: what a file holds becomes rows of the library, and rows become a file.

These functions run in a helper's process, piece by piece; small imports run in a thread. Who asked, how far it has
come and where it is saved is the business of `transfer_jobs`.
"""

from __future__ import annotations

import io
import re
import secrets
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from othellier import batch, records
from othellier.base.files import read_file
from othellier.errors import BadMove, RecordError
from othellier.games.game import Game, Outcome
from othellier.page.play.opening_names import openings_in
from othellier.page.storage.position_paths import line_prints, line_rows, print_path
from othellier.page.storage.store import Kept
from othellier.page.study.library import LibraryFacts, keep, kept, people, session_of
from othellier.records import find_format, recognise
from othellier.records.format import Item, RecordSource
from othellier.records.wthor import DEFAULT_DEPTH
from othellier.reference import final_score
from othellier.rules import native
from othellier.rules.geometry import PASS, STANDARD, square_name
from othellier.session.commands import FILE_LIMIT
from othellier.session.session import NODE_LIMIT
from othellier.session.snapshot import finished_snapshot

GAME_LIMIT = 200_000
"""Games of one import."""
IMPORT_LIMIT = FILE_LIMIT  # unpacked, too
PIECE = 250
"""Games worked on together: a piece is saved in some milliseconds, and other people's moves in between."""
PART = 100 << 10
"""Bytes read together where every line is a game."""
NAMES = {square: square_name(square, STANDARD) for square in range(STANDARD.squares)} | {PASS: "--"}


# -- in


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a file that can be read by itself: its first and last byte, and the lines before it."""

    start: int
    end: int
    lines: int


@dataclass(frozen=True, slots=True)
class ReadingPlan:
    """How a file is to be read: by its format, and in parts where there are any."""

    format: str
    parts: tuple[Part, ...]


def format_of(source: RecordSource, name: str) -> str:
    """The format of what was handed in; of its name only an ending counts that its bytes do not betray."""
    if Path(name.lower()).suffix == ".wtb":
        return "wthor"
    return recognise(source).name


def plan_reading(path: str, name: str) -> Iterator[ReadingPlan]:
    """How to read a file: in parts where every line is a game, else as a whole."""
    data = read_file(Path(path), IMPORT_LIMIT)
    size = Path(path).stat().st_size
    found = format_of(RecordSource(name or "data", data), name)
    splits = found in ("ggf", "sgf") and len(data) == size > PART and _is_a_line_each(data)
    yield ReadingPlan(found, tuple(_parts(data)) if splits else ())


def _is_a_line_each(data: bytes) -> bool:
    return all(not line or (line[:2] == b"(;" and line[-1:] == b")") for line in map(bytes.strip, data.split(b"\n")))


def _parts(data: bytes) -> Iterator[Part]:
    start = lines = 0
    while start < len(data):
        end = data.find(b"\n", start + PART) + 1 or len(data)
        yield Part(start, end, lines)
        lines += data.count(b"\n", start, end)
        start = end


def read_part(
    path: str, name: str, format_name: str, part: Part | None, owner: str, now: float
) -> Iterator[tuple[list[Kept], list[RecordError]]]:
    """The games of a part of a file, or of all of it, and what was wrong with others, some at a time."""
    if part is None:
        yield from read_data(read_file(Path(path), IMPORT_LIMIT), name, format_name, owner, now)
        return
    with Path(path).open("rb") as file:
        file.seek(part.start)
        data = file.read(part.end - part.start)
    yield from read_data(data, name, format_name, owner, now, part.lines)


def read_data(
    data: bytes, name: str, format_name: str | None, owner: str, now: float, lines: int = 0
) -> Iterator[tuple[list[Kept], list[RecordError]]]:
    """The same of bytes that come after so many lines."""
    source = RecordSource(name or "data", data)
    items = find_format(format_name or format_of(source, name)).read(source)
    number = lines
    games, errors = list[Game](), list[RecordError]()
    try:
        for number, item in enumerate(items, lines):
            if number >= GAME_LIMIT:
                errors.append(RecordError("data", f"game {number + 1}", f"no more than {GAME_LIMIT} games at a time"))
                break
            if isinstance(item, RecordError):
                errors.append(_moved(item, lines))
            elif (size := sum(1 for _ in item.root.walk()) if item.bare() is None else 0) > NODE_LIMIT:
                words = f"has {size} moves, {NODE_LIMIT} at most can be shown"
                errors.append(RecordError("data", f"game {number + 1}", words))
            else:
                games.append(item)
            if len(games) + len(errors) >= PIECE:
                yield keep_imported(games, owner, now, number + 1 - len(games)), errors
                games, errors = [], []
    except RecordError as error:
        errors.append(_moved(error, lines))
    if games or errors:
        yield keep_imported(games, owner, now, number + 1 - len(games)), errors


def _moved(error: RecordError, lines: int) -> RecordError:
    """The same error, its line and its game counted from the beginning of the file."""
    where = re.sub(r"\b(game|line) (\d+)", lambda found: f"{found[1]} {int(found[2]) + lines}", error.where)
    return error.at(error.file, where) if isinstance(error, BadMove) else RecordError(error.file, where, error.reason)


def keep_imported(games: Sequence[Game], owner: str, now: float, first: int = 0) -> list[Kept]:
    """Imported games as they are kept, in their order; `first` is the number of the first.

    Games from the usual start are worked out all at once, the others one by one; both ways give the same.
    """
    usual = native.start()
    bare = [game.bare() if game.start == usual else () for game in games]
    lines = [tuple(game.moves()) if line is None else line for game, line in zip(games, bare, strict=True)]
    if not native.available or not games:
        together = [False] * len(games)
    else:
        rows = line_rows(lines)
        prints, ends = line_prints(rows), _ends(rows, lines)
        openings = openings_in(prints)
        together = [
            game.start == usual and end.open and bool(moves)
            for game, end, moves in zip(games, ends, lines, strict=True)
        ]
    found = []
    for number, game in enumerate(games):
        name, used = secrets.token_urlsafe(12), now - (first + number) / 1000
        outcome = game.result or (ends[number].outcome if together[number] else None)
        if together[number]:
            facts = LibraryFacts("", game.headers, usual.size, outcome, openings[number])
            path = print_path(prints[:, number])
            found.append(_keep_line(facts, game, lines[number], path, name, owner, now, used))
        else:
            found.append(keep(session_of(game), name, owner, now, used, imported=True))
    return found


@dataclass(frozen=True, slots=True)
class _End:
    """Where a line leads: how the game ended on the board, and whether somebody can move or nobody."""

    outcome: Outcome | None
    open: bool


def _ends(rows: batch.Bytes, lines: Sequence[Sequence[int]]) -> list[_End]:
    played = batch.replay(rows)
    black_to_move = np.array([len(moves) % 2 == 0 for moves in lines])
    player = np.where(black_to_move, played.black, played.white)
    opponent = np.where(black_to_move, played.white, played.black)
    can = batch.moves(player, opponent) != 0
    ends = []
    for black, white, over, free in zip(played.black, played.white, played.over, can, strict=True):
        score = final_score(int(black), int(white), STANDARD.squares, "winner")
        ends.append(_End(Outcome(score) if over else None, bool(over or free)))
    return ends


def _keep_line(
    facts: LibraryFacts,
    game: Game,
    moves: Sequence[int],
    path: bytes,
    name: str,
    owner: str,
    now: float,
    used: float,
) -> Kept:
    """A game from the usual start, with the players it names, as `keep(session_of(game))` has it."""
    headers = game.headers
    players = people(headers)
    headers.black, headers.white = players["black"].label, players["white"].label
    game.result = facts.outcome
    node = "".join([NAMES[move] for move in moves])
    return kept(
        facts,
        name,
        owner,
        record=records.dumps([game], "sgf"),
        snapshot=finished_snapshot(players, node, facts.outcome is not None),
        transcript=node.replace("--", ""),
        path=path,
        created=now,
        used=used,
        imported=True,
    )


# -- out


class Written(NamedTuple):
    """A file of games, or a piece of one."""

    data: bytes
    ending: str
    left_out: list[RecordError]
    """What the format cannot hold."""


def export_games(games: Iterable[Item], format_name: str) -> Written:
    """Games as a file of a format, and its ending; several files come in an archive."""
    format_ = find_format(format_name)
    ending = format_.extensions[0]
    left_out: list[RecordError] = []
    if format_.text is not None:
        return Written(records.dumps(games, format_name, left_out).encode(), ending, left_out)
    # WTHOR only writes files, one for the games of a year: it is given a folder that nobody else can name.
    with tempfile.TemporaryDirectory(prefix="othellier-") as folder:
        for year, played in _by_year(games, left_out).items():
            records.write(played, Path(folder) / f"games{year}{ending}", format_name, left_out)
        files = sorted(Path(folder).iterdir())
        if len(files) == 1:
            return Written(files[0].read_bytes(), ending, left_out)
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in files:
                archive.write(file, file.name)
        return Written(packed.getvalue(), ".zip", left_out)


def _by_year(games: Iterable[Item], left_out: list[RecordError]) -> dict[str, list[Game]]:
    """Games by what a WTHOR file has one of: the year, and the depth of theoretical scores where it is no usual one."""
    found: dict[str, list[Game]] = {}
    for game in games:
        if isinstance(game, RecordError):
            left_out.append(game)
            continue
        year = re.match(r"\d{4}(?!\d)", game.headers.date, re.ASCII)
        depth = game.headers.theory[1] if game.headers.theory is not None else DEFAULT_DEPTH
        name = (f"-{year[0]}" if year is not None else "") + (f"-{depth}" if depth != DEFAULT_DEPTH else "")
        found.setdefault(name, []).append(game)
    return found


def export_texts(texts: Sequence[str], format_name: str) -> Iterator[Written]:
    """The same of games as the store keeps them."""
    yield export_games((_item(text) for text in texts), format_name)


def _item(text: str) -> Item:
    """The one game of a text, or what is wrong with it."""
    try:
        return records.read(text.encode(), "sgf")[0]
    except RecordError as error:
        return error
