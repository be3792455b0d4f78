"""The command line: `othellier COMMAND`, one file a group of commands.

A group is a file with a `typer.Typer` named `app`, and one entry in GROUPS. Commands raise errors and
never print them: here they all become one line on standard error and an exit status.
"""

from __future__ import annotations

import codecs
import contextlib
import io
import os
import sys
import unicodedata
from collections.abc import Sequence
from typing import Annotated

import typer
import typer.main
from typer.exceptions import TyperException

from othellier.base.text import LONGEST_TEXT, clean_line
from othellier.cli import (
    about,
    arena,
    book,
    course,
    database,
    engine,
    lab,
    learn,
    notebooks,
    openings,
    play,
    protocols,
    puzzles,
    records,
    run,
    schemas,
    tournament,
    tree,
    welcome,
    xot,
)
from othellier.cli.help import OPTIONS, helpful
from othellier.errors import OthellierError
from othellier.messages.complaints import complaint
from othellier.messages.language import choose_language
from othellier.terminal.output import INTERRUPTED, InterruptedCommand, echo, reason

GROUPS = (
    play,
    engine,
    arena,
    tournament,
    lab,
    tree,
    puzzles,
    course,
    notebooks,
    run,
    book,
    openings,
    xot,
    database,
    learn,
    protocols,
    records,
    welcome,
    about,
    schemas,
)

app = typer.Typer(
    name="othellier",
    help="Othello (Reversi): play, analyse, measure, learn.",
    invoke_without_command=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": OPTIONS},
)
for group in GROUPS:
    app.add_typer(group.app)


@app.callback()
def start(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Say which Othellier this is.")] = False,
    language: Annotated[  # found by `main`, before anything is shown
        str | None, typer.Option(metavar="CODE", help="en or fr; else as the system's locale says.")
    ] = None,
) -> None:
    """Othello (Reversi): play, analyse, measure, learn."""
    if version:
        echo(about.version_line())
    elif context.invoked_subcommand is None:
        echo(welcome.greeting())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit status is 0, 2 for anything wrong, 130 for Ctrl-C."""
    _open_streams()
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        choose_language(given)
        command = helpful(typer.main.get_command(app))
        status = command.main(args=given, prog_name="othellier", standalone_mode=False)
        sys.stdout.flush()
        if status == INTERRUPTED:
            _fail("interrupted")
        return status if isinstance(status, int) else 0
    except TyperException as error:
        return _fail(error.format_message())
    except (BrokenPipeError, SystemExit):  # whoever read our output has seen enough; typer then asks to exit
        _close_output()
        return 0
    except OSError as error:
        _close_output()  # it may be the one that is full
        return _fail(reason(error))
    except OthellierError as error:
        return _fail(reason(error))
    except (KeyboardInterrupt, typer.Abort, InterruptedCommand) as error:
        _fail(str(error) or "interrupted")
        return INTERRUPTED
    except MemoryError:
        return _fail("out of memory")
    except Exception as error:
        if sys.flags.dev_mode:  # python -X dev -m othellier shows where
            raise
        return _fail(f"this is a bug, please report it: {type(error).__name__}: {error}")


def _open_streams() -> None:
    """Closed streams, odd bytes and old terminals are no reason to fall over."""
    for name in ("COLUMNS", "LINES"):
        if os.environ.get(name) == "0":  # a terminal that does not know its size; rich would take it at its word
            del os.environ[name]
    sys.stdin = sys.stdin or io.StringIO()
    sys.stdout = sys.stdout or io.StringIO()
    codecs.register_error("plain", _plain)
    for stream, errors in ((sys.stdin, "replace"), (sys.stdout, "plain"), (sys.stderr, "plain")):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=errors)


def _plain(error: UnicodeError) -> tuple[str, int]:
    """What a stream has no letters for, without its accents, or as question marks."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    letters = unicodedata.normalize("NFKD", error.object[error.start : error.end])
    kept = (letter if letter.isascii() else "?" for letter in letters if not unicodedata.combining(letter))
    return "".join(kept), error.end


def _close_output() -> None:
    """Write what is left to nowhere, so that Python does not try again, and complain, at its end."""
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.flush()
        return
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(words: str) -> int:
    if words:  # without a command the help says it all
        print(f"othellier: {clean_line(complaint(words), LONGEST_TEXT)}", file=sys.stderr)
    return 2
