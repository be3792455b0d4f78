"""Reading and writing games in every format, recognised by what is in it.

    read("game.ggf")                   the games of a file, or of a text given as it is
    write(games, "games.sgf")          all or nothing; the format by the file's ending, or by name
    convert("WTH_2024.wtb", "g.ggf")   from one to the other, a game at a time
    dumps(games, "transcript")         the text itself

One file a format; a new one is one more entry in FORMATS. What a format cannot hold is told by `Format.holds`
and done by `Format.fitted`: left out where that makes sense, refused where it does not.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Literal

from othellier.base.files import LIMIT, read_file, write_file
from othellier.errors import ConfigError, RecordError, expect
from othellier.games.game import Game
from othellier.records import boardstring, eothello, forest, ggf, lines, logbook, obf, quest, sgf, transcript, wthor
from othellier.records.format import Format, FormatFeature, Item, RecordSource, ending_of

__all__ = [
    "FORMATS",
    "Format",
    "FormatFeature",
    "ReadGames",
    "convert",
    "dumps",
    "find_format",
    "read",
    "recognise",
    "write",
]

FORMATS: tuple[Format, ...] = (
    ggf.FORMAT,
    sgf.FORMAT,
    forest.FORMAT,
    lines.FORMAT,
    quest.FORMAT,
    obf.FORMAT,
    logbook.FORMAT,
    eothello.FORMAT,
    boardstring.FORMAT,
    transcript.FORMAT,
    wthor.FORMAT,
)
"""All formats, the more telling ones first: the first to recognise a text has it."""


MOST = 500_000
"""Games read into one list: a small file can hold millions of tiny ones. `convert` takes them one by one."""


class ReadGames(list[Game]):
    """The games read, and what was wrong with those that are not among them.

    >>> games = read("F5D6C3\\nF5A1", errors="collect")
    >>> len(games), len(games.errors)
    (1, 1)
    """

    def __init__(self) -> None:
        super().__init__()
        self.errors: list[RecordError] = []


def find_format(name: str) -> Format:
    """The format with a name or a file ending: `ggf`, `.ggf`.

    >>> find_format("ggf").name, find_format(".wtb").name
    ('ggf', 'wthor')
    """
    for format_ in FORMATS:
        if name.lower() == format_.name or name.lower() in format_.extensions:
            return format_
    raise ConfigError(f"{name!r} is no record format; there are {', '.join(format_.name for format_ in FORMATS)}")


def recognise(source: RecordSource) -> Format:
    """The format of a source by its content, and by its ending where several would do or none does.

    >>> recognise(RecordSource("a text", b"F5D6C3")).name
    'transcript'
    """
    if not source.data.strip():
        raise source.error("byte 0", "is empty")
    ending = ending_of(source.path) if source.path is not None else ""
    named = [format_ for format_ in FORMATS if ending in format_.extensions]
    for format_ in (*named, *FORMATS):
        if format_.sniff(source):
            return format_
    if named:
        return named[0]  # its reader will say what is wrong
    raise source.error("", "is in no known format")


def _open(source: str | bytes | os.PathLike[str], limit: int) -> RecordSource:
    """A path, or a text where there is no such file and it looks like a record."""
    expect("source", source, (str, bytes, os.PathLike), "the name of a file, or a record as it is,")
    if isinstance(source, bytes):
        return RecordSource("data", source)
    if isinstance(source, str):
        text = RecordSource("text", source.encode("utf-8", "replace"))
        try:
            is_file = 0 < len(source) < 4096 and Path(source).exists()
        except (OSError, ValueError):
            is_file = False
        if not is_file:
            if "\n" in source or any(format_.sniff(text) for format_ in FORMATS):
                return text
            if not source.strip():
                raise RecordError("text", "", "is empty")
            if len(source) >= 4096 or "." not in source:
                raise RecordError(repr(source[:60]), "", "is neither a file nor a record in a known format")
    path = Path(source)
    return RecordSource(str(path), read_file(path, limit), path)


def _items(
    source: str | bytes | os.PathLike[str],
    format_name: str | None,
    limit: int,
    most: int | None = None,
    progress: Callable[[float], None] | None = None,
) -> Iterator[Item]:
    opened = _open(source, limit)
    format_ = find_format(format_name) if format_name is not None else recognise(opened)
    count = 0
    for count, item in enumerate(format_.read(opened), 1):
        if most is not None and count > most:
            raise opened.error(f"game {count}", f"holds more than the {most} games that are read at once")
        yield item
        if progress is not None:
            progress(opened.done)
    if not count:
        raise opened.error("", f"holds no {format_.name} game")


def read(
    source: str | bytes | os.PathLike[str],
    format: str | None = None,  # noqa: A002  # the word everybody looks for
    errors: Literal["raise", "collect"] = "raise",
    limit: int = LIMIT,
    progress: Callable[[float], None] | None = None,
) -> ReadGames:
    """The games of a file, or of a text. A file of WTHOR games takes its names from the name files beside it.

    The first bad game is raised as a RecordError; with `errors="collect"` the good games are returned, and
    their list has the errors in `errors`. Files of more than `limit` bytes are refused. `progress` is told after each
    game how much of the source has been read, from 0 to 1.

    >>> read("F5D6C3")
    [<Game ? - ? F5D6C3>]
    >>> read("F5D6C3\\nF5A1", errors="collect").errors
    [BadMove('text, line 2, ply 2: illegal move a1: it flips nothing')]
    """
    games = ReadGames()
    try:
        for item in _items(source, format, limit, MOST, progress):
            if isinstance(item, Game):
                games.append(item)
            elif errors == "raise":
                raise item
            else:
                games.errors.append(item)
    except RecordError as error:
        if errors == "raise":
            raise
        games.errors.append(error)
    return games


def _fitted(items: Iterable[Item], format_: Format, name: str, left_out: list[RecordError] | None) -> Iterator[Game]:
    """The games as a format keeps them; what it cannot keep, and what could not be read, is raised or told."""
    first: Game | None = None
    for number, item in enumerate(items, 1):
        try:
            if isinstance(item, RecordError):
                raise item
            expect(f"game {number}", item, Game, "a Game")
            fitted = format_.fitted(item)
            first = first or fitted
            if format_.check_beside is not None:
                format_.check_beside(fitted, first)
        except RecordError as error:
            refused = error
            if error is not item:
                refused = RecordError(name, f"game {number}", f"cannot be written as {format_.name}: {error.reason}")
            if left_out is None:
                raise refused from None
            left_out.append(refused)
        else:
            yield fitted


def dumps(
    games: Iterable[Item],
    format: str = "transcript",  # noqa: A002
    left_out: list[RecordError] | None = None,
) -> str:
    """The text of games in a format. What it cannot hold is an error, or left out and told where a list is given.

    An error among the games, of one that could not be read, is taken as one of them.

    >>> dumps(read("f5d6"), "ggf").count("B[F5]W[D6]")
    1
    """
    format_ = find_format(format)
    if format_.text is None:
        raise RecordError(format_.name, "", "cannot be written as text")
    return "".join(format_.text(_fitted(games, format_, format_.name, left_out)))


def write(
    games: Iterable[Game] | Game,
    path: str | os.PathLike[str],
    format: str | None = None,  # noqa: A002
    left_out: list[RecordError] | None = None,
) -> None:
    """Write games to a file, whole or not at all; the format by name, else by the file's ending.

    A game that the format cannot hold is an error; where a list is given it is left out, and the list told.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write([Game.from_moves(["f5", "d6", "c3"])], f"{folder}/game.ggf")
    ...     read(f"{folder}/game.ggf")[0].transcript()
    'F5D6C3'
    """
    games = [games] if isinstance(games, Game) else games
    expect("games", games, Iterable, "a game, or a list of games,")
    _write(games, path, format, left_out)


def _write(
    items: Iterable[Item], path: str | os.PathLike[str], name: str | None, left_out: list[RecordError] | None
) -> None:
    expect("path", path, (str, os.PathLike), "the name of a file")
    path = Path(path)
    if name is None and not any(path.suffix.lower() in format_.extensions for format_ in FORMATS):
        endings = ", ".join(format_.extensions[0] for format_ in FORMATS if format_.writes)
        raise RecordError(str(path), "", f"no format has the ending {path.suffix!r}; known are {endings}")
    format_ = find_format(name or path.suffix)
    fitted = _fitted(items, format_, str(path), left_out)
    try:
        if format_.text is not None:
            write_file(path, (piece.encode("utf-8") for piece in format_.text(fitted)))
        elif format_.write is not None:
            format_.write(fitted, path)
        else:
            raise RecordError(str(path), "", f"{format_.name} is only read, not written")
    except RecordError as error:
        raise RecordError(error.file or str(path), error.where, error.reason) from None


def convert(
    source: str | bytes | os.PathLike[str],
    target: str | os.PathLike[str],
    source_format: str | None = None,
    target_format: str | None = None,
    limit: int = LIMIT,
    left_out: list[RecordError] | None = None,
    progress: Callable[[float], None] | None = None,
) -> int:
    """Write the games of one record as another, a game at a time; how many were written.

    The first game that cannot be read, or that the other format cannot hold, is an error, and nothing is written; where
    a list is given it is left out, and the list told. If none can be written, that is an error all the same.
    `progress` is told after each game how much of the source has been read, from 0 to 1.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     convert("F5D6C3", f"{folder}/game.sgf")
    1
    """
    count, refused = 0, list[RecordError]()

    def items() -> Iterator[Item]:
        nonlocal count
        for item in _items(source, source_format, limit, progress=progress):
            count += 1
            yield item
        if len(refused) == count:
            raise refused[0]

    _write(items(), target, target_format, None if left_out is None else refused)
    if left_out is not None:
        left_out += refused
    return count - len(refused)
