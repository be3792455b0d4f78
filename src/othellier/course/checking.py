"""Solutions of students, run in processes of their own: whatever they do, the next task is checked.

The process is fenced in (`fence`): it may take some memory, read the files beside the solution, and change nothing.
What it prints is thrown away. When its time is up it reports what it was asked about; if it cannot even do that it is
killed. The report comes from the process of the solution, so honest work is judged here: it is no examination.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from queue import Empty, SimpleQueue
from string import Formatter
from typing import IO, Any, Literal, get_args

from othellier.base.fence import confine, environment
from othellier.base.system import APART, kill_all
from othellier.base.text import clean_line, clean_text
from othellier.course.task import Failed, Task, Told, find_tasks
from othellier.errors import ConfigError
from othellier.players.contract import failure
from othellier.rules.board import Position

__all__ = ["TaskReport", "TaskState", "check_solution", "defines", "serve"]

MEMORY = 1024
"""Megabytes a solution may take."""
START_UP = 120.0
"""Seconds a process may take to begin, which a busy machine may need, before those of the task."""
LAST_WORDS = 5.0
"""Seconds it may take to say what it was asked about when its time is up."""
FAREWELL = 30.0
"""Seconds a process that was killed may take to be gone."""

LONGEST = 1 << 16
"""Bytes of a report."""
SPEC = re.compile(r"[+,]?(\.\d)?[a-z%]?")
"""Of a value in a report: a sign, a comma, a digit or so behind the point."""
BEGUN = b"\n"
"""Sent when all is loaded and the time of the solution begins."""

CODE = "import sys; from othellier.course.checking import serve; serve(sys.argv[1:])"

WRITE = "write {function}"
ENDLESS = "{function} did not end within {seconds} s: an endless loop?"
ENDED = "the solution ended Python (status {status})"
NOT_LOADED = "{file} cannot be loaded: {error}"
FELL = "{function} failed: {error}"
NO_INPUT = "{function} asks with input(), and nobody is there to answer"
"""What is said of any task; whoever shows it says it in other languages."""

TaskState = Literal["passed", "failed", "not begun"]


@dataclass(frozen=True, slots=True)
class TaskReport:
    """What became of a task."""

    task: str
    state: TaskState
    words: str = ""
    board: str = ""
    """The position it failed on, as a board string."""
    template: str = ""
    """The words without their values, to be said in another language."""
    values: dict[str, Any] = field(default_factory=dict)


def defines(path: Path) -> set[str]:
    """The functions a file defines at its top; it is read, not run."""
    import ast

    try:
        tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
    except FileNotFoundError:
        raise ConfigError(f"there is no file {path}") from None
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path} is not a text in UTF-8: {error}") from None
    except SyntaxError as error:
        line = (error.text or "").strip()
        raise ConfigError(f"{path.name}, line {error.lineno}: {error.msg} ({clean_line(line)})") from None
    except ValueError as error:  # null bytes
        raise ConfigError(f"{path} is no Python: {error}") from None
    found = {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
    for node in tree.body:
        if isinstance(node, ast.Assign):
            found |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        elif isinstance(node, ast.ImportFrom | ast.Import):
            found |= {alias.asname or alias.name for alias in node.names}
    return found


def check_solution(path: Path, tasks: Sequence[Task], folders: Sequence[Path] = ()) -> Iterator[TaskReport]:
    """Check the tasks a file has functions for, one after the other; `folders` are those the tasks come from."""
    written = defines(path)
    for task in tasks:
        if task.function not in written:
            yield _told(task, "not begun", Told(WRITE, function=task.signature))
        else:
            yield _check(path, task, folders)


def _check(path: Path, task: Task, folders: Sequence[Path]) -> TaskReport:
    facts = (path.resolve(), task.name, f"{task.seconds:g}", *(folder.resolve() for folder in folders))
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", CODE, *map(str, facts)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment(),
        **APART,
    )
    try:
        report = _read_report(task, _receive(process, task.seconds))
        return report or _told(task, "failed", Told(ENDED, status=process.wait(LAST_WORDS)))
    except (TimeoutError, subprocess.TimeoutExpired):
        return _endless(task, task.seconds)
    finally:
        kill_all(process)
        assert process.stdout is not None
        process.stdout.close()
        process.wait(FAREWELL)


def _receive(process: subprocess.Popen[bytes], seconds: float) -> bytes:
    """Return all that the process writes, or its first bytes. The seconds count from the first of them, `BEGUN`."""
    assert process.stdout is not None
    arrived: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_forward, args=(process.stdout, arrived), daemon=True).start()
    begun, end, message = False, time.monotonic() + START_UP, b""
    while len(message) <= LONGEST:
        try:
            piece = arrived.get(timeout=max(0.0, end - time.monotonic()))
        except Empty:
            raise TimeoutError from None
        if not piece:
            break
        if not begun:
            begun, end = True, time.monotonic() + seconds + LAST_WORDS
        message += piece
    return message.removeprefix(BEGUN)


def _forward(stream: IO[bytes], arrived: SimpleQueue[bytes]) -> None:
    with contextlib.suppress(OSError, ValueError):  # closed meanwhile
        while piece := os.read(stream.fileno(), LONGEST):
            arrived.put(piece)
    arrived.put(b"")


def _read_report(task: Task, message: bytes) -> TaskReport | None:
    """Return the report, or None if it is none: the solution may have written it."""
    try:
        facts = json.loads(message)
        state, words, board, template = (facts[name] for name in ("state", "words", "board", "template"))
        values = facts["values"]
        if board:
            Position.parse(board)
        # The template is filled in later, in another language: a width in it could ask for any amount of memory.
        if not all(not spec or SPEC.fullmatch(spec) for _, _, spec, _ in Formatter().parse(template)):
            return None
        template.format(**values)
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        return None
    if state not in get_args(TaskState) or not isinstance(values, dict) or not isinstance(words, str):
        return None
    return TaskReport(task.name, state, clean_text(words), board, template, values)


def serve(arguments: Sequence[str]) -> None:
    """Be the process of one check: the file, the task, its seconds, and the folders of more tasks."""
    file, name, seconds, *folders = arguments
    task = next(task for task in find_tasks([Path(folder) for folder in folders]) if task.name == name)
    answer = os.dup(1)
    with Path(os.devnull).open("wb") as nowhere:
        os.dup2(nowhere.fileno(), 1)
    confine(MEMORY, [Path(file).parent])
    os.write(answer, BEGUN)
    asked = _Asked(task)

    def report(found: TaskReport) -> None:
        data = json.dumps(asdict(found)).encode()
        while data:
            data = data[os.write(answer, data) :]

    def give_up() -> None:
        report(_endless(task, float(seconds), asked.board()))
        os._exit(1)

    timer = threading.Timer(float(seconds), give_up)
    timer.daemon = True
    timer.start()
    found = _run(Path(file), asked)
    timer.cancel()
    report(found)
    os._exit(0)  # whatever threads the solution has left behind


class _Asked:
    """The student's function, which knows what it was asked last: that is shown if it fails in any way."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.function: Callable[..., Any] | None = None
        self._arguments: tuple[Any, ...] = ()

    def __call__(self, *arguments: Any) -> Any:
        assert self.function is not None
        self._arguments = arguments
        return self.function(*arguments)

    def board(self) -> str:
        """The position as a board string, if it was asked about one."""
        position = self.task.position(*self._arguments) if self._arguments else None
        return "" if position is None else position.board_string()


def _run(path: Path, asked: _Asked) -> TaskReport:
    task = asked.task
    sys.path.append(str(path.parent))  # a solution may be in several files, none of which stands in for a module
    spec = importlib.util.spec_from_file_location("solution", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["solution"] = module
    try:
        spec.loader.exec_module(module)
        asked.function = getattr(module, task.function)
    except SystemExit as error:
        return _told(task, "failed", Told(ENDED, status=_status(error)))
    except EOFError:
        return _told(task, "failed", Told(NO_INPUT, function=path.name))
    except BaseException as error:
        return _told(task, "failed", Told(NOT_LOADED, file=path.name, error=failure(error)))
    try:
        praise = task.check(asked)
    except NotImplementedError:  # as `course begin` leaves it
        return _told(task, "not begun", Told(WRITE, function=task.signature))
    except Failed as error:
        board = error.position.board_string() if error.position is not None else ""
        return _told(task, "failed", error.words, board)
    except SystemExit as error:
        return _told(task, "failed", Told(ENDED, status=_status(error)), asked.board())
    except EOFError:
        return _told(task, "failed", Told(NO_INPUT, function=task.function), asked.board())
    except BaseException as error:  # of the student's code, or of a check that did not expect what it got
        return _told(task, "failed", Told(FELL, function=task.function, error=failure(error)), asked.board())
    return _told(task, "passed", praise or "")


def _status(error: SystemExit) -> int:
    """What the shell would be told."""
    return error.code if isinstance(error.code, int) else int(error.code is not None)


def _endless(task: Task, seconds: float, board: str = "") -> TaskReport:
    return _told(task, "failed", Told(ENDLESS, function=task.function, seconds=f"{seconds:g}"), board)


def _told(task: Task, state: TaskState, words: str, board: str = "") -> TaskReport:
    template, values = (words.template, words.values) if isinstance(words, Told) else (words, {})
    return TaskReport(task.name, state, str(words), board, template, values)
