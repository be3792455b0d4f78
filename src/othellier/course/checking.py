"""Solutions of students, run in processes of their own: whatever they do, the next task is checked.

The process may take some memory and no others may be started; what it prints is heard by nobody; when its time is up
it says what it was asked about, and if it cannot even do that it is killed.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

from othellier.course.task import Failed, Task, Told, find_tasks
from othellier.errors import ConfigError
from othellier.players.contract import failure
from othellier.system import APART, LOOK, confine, kill_all
from othellier.text import clean_line

__all__ = ["TaskReport", "TaskState", "check_solution", "defines", "serve"]

MEMORY = 1024
"""Megabytes a solution may take."""
START_UP = 120.0
"""Seconds a process may take to begin, which a busy machine may need, before those of the task."""
LAST_WORDS = 5.0
"""Seconds it may take to say what it was asked about when its time is up."""
FAREWELL = 30.0
"""Seconds a process that was killed may take to be gone."""

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
    with tempfile.TemporaryDirectory(prefix="othellier-") as scratch:
        answer = Path(scratch) / "answer.json"
        facts = (path.resolve(), task.name, f"{task.seconds:g}", answer, *(folder.resolve() for folder in folders))
        process = subprocess.Popen(
            [sys.executable, "-c", CODE, *map(str, facts)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            **APART,
        )
        try:
            status = _wait(process, answer, task.seconds)
        except TimeoutError:
            return _endless(task, task.seconds)
        finally:
            kill_all(process)
            process.wait(FAREWELL)
        try:
            return TaskReport(**json.loads(answer.read_text("utf-8")))
        except (OSError, ValueError, TypeError):
            return _told(task, "failed", Told(ENDED, status=status))


def _wait(process: subprocess.Popen[bytes], answer: Path, seconds: float) -> int:
    """Its status when it has ended. The seconds count from when it has begun, of which an empty answer tells."""
    begun, end = False, time.monotonic() + START_UP
    while True:
        try:
            return process.wait(LOOK)
        except subprocess.TimeoutExpired:
            if not begun and answer.exists():
                begun, end = True, time.monotonic() + seconds + LAST_WORDS
            if time.monotonic() > end:
                raise TimeoutError from None


def serve(arguments: Sequence[str]) -> None:
    """Be the process of one check: the file, the task, its seconds, where to write, and the folders of more tasks."""
    file, name, seconds, place, *folders = arguments
    task = next(task for task in find_tasks([Path(folder) for folder in folders]) if task.name == name)
    confine(MEMORY)
    answer, asked = Path(place), _Asked(task)
    answer.touch()  # the time of the solution begins

    def give_up() -> None:
        answer.write_text(json.dumps(asdict(_endless(task, float(seconds), asked.board()))), "utf-8")
        os._exit(1)

    timer = threading.Timer(float(seconds), give_up)
    timer.daemon = True
    timer.start()
    report = _run(Path(file), asked)
    timer.cancel()
    answer.write_text(json.dumps(asdict(report)), "utf-8")
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
    sys.path.insert(0, str(path.parent))  # a solution may be in several files
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
