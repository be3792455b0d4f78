"""What the commands share: options, the way results are written, colours, progress.

Results go to standard output, everything else to standard error.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, partial
from shutil import get_terminal_size
from textwrap import fill
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from othellier.base.text import LONGEST_TEXT, clean_line
from othellier.errors import IllegalMove, InvalidPosition, RecordError
from othellier.messages.language import say
from othellier.rules.geometry import Size, square_name

if TYPE_CHECKING:
    from rich.console import Console

    from othellier.games.game import GameNode
    from othellier.pictures import Style

INTERRUPTED = 130
"""The exit status after Ctrl-C."""


class InterruptedCommand(Exception):
    """Ctrl-C, with words about what becomes of the work."""


FINEST = 1000
"""Steps that a progress bar can show."""
FIRST_COLUMN = re.compile(r" *\S+(?: \S+)* {2,}(?=\S)")
"""What a line of two columns has before its second one."""
WIDE = 60
"""Columns of a terminal from which a progress bar has room for words."""

JobsOption = Annotated[int | None, typer.Option(min=1, metavar="N", help="Processes; all cores unless given.")]
ExecutorOption = Annotated[
    str, typer.Option(metavar="WHERE", help="here, processes, dask (a local cluster) or dask://HOST:PORT.")
]
ReportLanguageOption = Annotated[
    str | None, typer.Option(metavar="CODE", help="Of pages, tables and figures: en or fr; else that of the texts.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON on standard output and nothing else.")]


def parse_size(text: str | Size) -> Size:
    """The value of a `--size`."""
    try:
        return Size.parse(text)
    except InvalidPosition as error:
        raise typer.BadParameter(str(error)) from None


SizeOption = Annotated[
    Size,
    typer.Option(
        parser=parse_size, metavar="SIZE", show_default="8", help="Board size, such as 8 or 4x6 (rows x columns)."
    ),
]


_dumps = json.dumps


@cache
def console() -> Console:
    """The terminal as standard output sees it: its width, its colours (none in a pipe, or with NO_COLOR)."""
    from rich.console import Console

    return Console(highlight=False, soft_wrap=True)


def board_style() -> Style:
    """The best way to draw a board here."""
    terminal = console()
    if not terminal.encoding.lower().startswith("utf"):
        return "ascii"
    if terminal.is_terminal and not terminal.no_color and terminal.color_system in ("256", "truecolor"):
        return "truecolor" if terminal.color_system == "truecolor" else "color"
    return "unicode"


def reason(error: Exception) -> str:
    """What went wrong, in one line."""
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename is not None else ""
        return clean_line(f"{where}{(error.strerror or str(error)).lower()}", LONGEST_TEXT)
    if isinstance(error, IllegalMove):
        return f"illegal move {error.move}: {error.reason}"
    return clean_line(str(error), LONGEST_TEXT)


def move_list(nodes: Sequence[GameNode]) -> str:
    """Moves in numbered pairs, a few on a line; a game that White begins starts with a dash."""
    names = [square_name(node.move, node.position.size) for node in nodes if node.move is not None]
    if nodes and nodes[0].color == "white":
        names.insert(0, "-")
    pairs = [
        f"{index // 2 + 1:>3}. {' '.join(f'{name:<4}' for name in names[index : index + 2])}"
        for index in range(0, len(names), 2)
    ]
    return "\n".join("  ".join(pairs[index : index + 5]).rstrip() for index in range(0, len(pairs), 5))


def json_line(value: dict[str, Any]) -> None:
    """Print one JSON object on one line, at once; `keys.txt` says what is in it, and tests hold us to that."""
    print(_dumps(value), flush=True)


def echo(text: str, err: bool = False) -> None:
    """Print words for people, above the progress bar where there is one; in a terminal no line is wider than it."""
    stream = sys.stderr if err else sys.stdout
    print("\n".join(folded(line, columns(stream)) for line in text.split("\n")), file=stream, flush=True)


def tell_gaps() -> None:
    """Say in one line what this system lacks of the fence around code of others, if anything."""
    from othellier.base.fence import missing

    if parts := missing():
        words = "this system has no {parts}: players and solutions are not wholly fenced in, see docs/teaching.md"
        echo(say(words, parts=", ".join(parts)), err=True)


def columns(stream: TextIO | None = None) -> int:
    """How wide a line may be: as wide as the terminal; in a pipe or a file as wide as it likes."""
    return get_terminal_size().columns if (stream or sys.stdout).isatty() else sys.maxsize


def folded(line: str, width: int) -> str:
    """A line on several where it is too wide, broken between words, the rest below its second column if it has one.

    >>> print(folded("pvs    Alpha-beta that takes its first move for the best", 30))
    pvs    Alpha-beta that takes
           its first move for the
           best
    """
    if len(line) <= width or "\x1b" in line:  # what is coloured is a board, and narrow
        return line
    column = FIRST_COLUMN.match(line)
    indent = len(line) - len(line.lstrip()) + 2
    hang = column.end() if column is not None and column.end() <= width // 2 else min(indent, width // 2)
    rest = " " * hang
    return fill(line, width, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False)


def given(source: str) -> str | bytes:
    """What an argument names: itself, or with `-` all of standard input."""
    if source != "-":
        return source
    from othellier.base.files import LIMIT

    if sys.stdin.isatty():
        print(say("reading standard input: end it with Ctrl-D"), file=sys.stderr)
    stream = getattr(sys.stdin, "buffer", None)
    data: bytes = stream.read(LIMIT + 1) if stream is not None else sys.stdin.read(LIMIT + 1).encode()
    if len(data) > LIMIT:
        raise RecordError("standard input", f"byte {LIMIT}", f"is larger than {LIMIT >> 20} MB")
    if not data.strip():
        raise RecordError("standard input", "", "is empty")
    return data


@contextmanager
def progress(words: str, total: float | None = None) -> Iterator[Callable[[float], None]]:
    """Show that work goes on, on standard error if somebody looks at it; call what it gives to advance.

    With a total there is a bar and the time left; a total of 1 is shown in percent.
    """
    least, waiting = (total or 0) / FINEST, 0.0  # to move the bar is dear where the steps are many and small
    with _bar(say(words), total, counted=total is not None) as update:

        def advance(steps: float) -> None:
            nonlocal waiting
            waiting += steps
            if waiting >= least:
                update(advance=waiting)
                waiting = 0.0

        yield advance


@contextmanager
def progress_share(words: str) -> Iterator[Callable[[float], None]]:
    """The same for work that knows what share of it is done, from 0 to 1; call what it gives with that share."""
    with progress(words, 1.0) as advance:
        done = 0.0

        def reached(share: float) -> None:
            nonlocal done
            advance(share - done)
            done = share

        yield reached


@contextmanager
def stages(name: str) -> Iterator[Callable[[str, int, int], None]]:
    """The same for work in several parts; call what it gives with the part, what is done of it, and how much it is."""
    with _bar(name, None, counted=True) as update:
        yield lambda words, done, total: update(description=f"{name}: {words}", completed=done, total=total)


@contextmanager
def _bar(words: str, total: float | None, *, counted: bool) -> Iterator[Callable[..., None]]:
    if not sys.stderr.isatty():
        yield lambda **_: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        ProgressColumn,
        SpinnerColumn,
        TaskProgressColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )
    from rich.table import Column

    terminal = Console(stderr=True)
    columns: list[ProgressColumn] = [SpinnerColumn()]
    wide = terminal.width >= WIDE
    if not counted or wide:  # where there is little room: numbers before words, words before the time
        columns.append(
            TextColumn("{task.description}", table_column=Column(no_wrap=True, overflow="ellipsis", ratio=1))
        )
    if counted:
        figures = TaskProgressColumn() if total == 1 else MofNCompleteColumn()
        columns += [BarColumn(bar_width=None), figures, TimeRemainingColumn(compact=True)]
    elif wide:
        columns.append(TimeElapsedColumn())
    # Lines printed meanwhile go above the bar; those for a file or a pipe go there, as always.
    with Progress(*columns, console=terminal, transient=True, redirect_stdout=sys.stdout.isatty()) as bar:
        yield partial(bar.update, bar.add_task(words, total=total))
