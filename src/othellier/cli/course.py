"""The commands of the course: its tasks, a file to begin with, and the check of a solution."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from othellier.errors import ConfigError, nearest
from othellier.messages.language import language, say
from othellier.terminal.output import JsonOption, board_style, echo, json_line, progress, tell_gaps

if TYPE_CHECKING:
    from othellier.course import Task, TaskReport

app = typer.Typer()
commands = typer.Typer(invoke_without_command=True)
app.add_typer(commands, name="course")

_Folder = Annotated[
    list[Path] | None, typer.Option("--tasks", metavar="FOLDER", help="More tasks: a file each, see docs/teaching.md.")
]


@commands.callback()
def course(context: typer.Context, tasks: _Folder = None) -> None:
    """Exercises that check themselves: list the tasks, show one, begin a file, check a solution."""
    context.obj = tasks or []
    if context.invoked_subcommand is None:
        list_tasks(context)


@commands.command("list")
def list_tasks(context: typer.Context, json: JsonOption = False) -> None:
    """List the tasks."""
    from othellier.course import find_tasks

    for task in find_tasks(context.obj):
        if json:
            title, text = _in_language(task, task.title), _in_language(task, task.text)
            json_line({"name": task.name, "title": title, "function": task.signature, "text": text})
        else:
            title = say("{title}: {signature}", title=_in_language(task, task.title), signature=task.signature)
            echo(f"{task.name:<12} {title}")
    if not json:
        echo(say("othellier course show NAME tells more; othellier course check solution.py checks yours."))


@commands.command()
def show(
    context: typer.Context, name: Annotated[str, typer.Argument(metavar="NAME", help="A task of the list.")]
) -> None:
    """Tell what a task asks for."""
    task = _find(context.obj, name)
    echo(f"{_in_language(task, task.title)}\n\ndef {task.signature}:\n\n{_in_language(task, task.text)}")


@commands.command()
def begin(
    context: typer.Context, file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write.")]
) -> None:
    """Write a file with a function for every task, to be filled in."""
    from othellier.base.files import write_file
    from othellier.course import find_tasks

    if file.exists():
        raise ConfigError(f"{file} is there already: name a new file")
    parts = [f'"""{say("My solutions: delete `raise NotImplementedError` and write what is asked for.")}"""\n']
    for task in find_tasks(context.obj):
        text = "\n    ".join(_in_language(task, task.text).splitlines())
        parts.append(f'\n\ndef {task.signature}:\n    """{text}\n    """\n    raise NotImplementedError\n')
    write_file(file, ["".join(parts).encode()])
    echo(say("{file}: check it with othellier course check {file}", file=file))


@commands.command()
def check(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The solution, a Python file.")],
    task: Annotated[list[str] | None, typer.Option(metavar="NAME", help="Only this task, or these.")] = None,
    json: JsonOption = False,
) -> int:
    """Check a solution: each task it has a function for; status 1 if one of them fails."""
    from othellier.course import check_solution, find_tasks

    tell_gaps()
    folders = context.obj
    chosen = [_find(folders, name) for name in task] if task else find_tasks(folders)
    named = {one.name: one for one in chosen}
    states: list[str] = []
    with progress(say("checking {file}", file=file), len(chosen)) as advance:
        for report in check_solution(file, chosen, folders):
            states.append(report.state)
            advance(1)
            if json:
                words = _words(named[report.task], report)
                json_line({"task": report.task, "state": report.state, "words": words, "board": report.board})
            else:
                echo(_page(named[report.task], report))
    if not json:
        passed, failed, rest = (states.count(state) for state in ("passed", "failed", "not begun"))
        one = "1 task: {passed} passed, {failed} failed, {rest} not begun"
        several = "{tasks} tasks: {passed} passed, {failed} failed, {rest} not begun"
        words = one if len(states) == 1 else several
        echo(say(words, tasks=len(states), passed=passed, failed=failed, rest=rest))
    return 1 if "failed" in states or (task and "not begun" in states) else 0


def _find(folders: list[Path], name: str) -> Task:
    from othellier.course import find_tasks

    tasks = {task.name: task for task in find_tasks(folders)}
    if name not in tasks:
        raise ConfigError(f"there is no task {name!r}{nearest(name, tasks)}")
    return tasks[name]


def _in_language(task: Task, text: str) -> str:
    return task.say(text, language())


def _words(task: Task, report: TaskReport) -> str:
    """What is said of a solution: in the task's words, or in those that fit any task."""
    if report.template in task.french:
        return task.say(report.template, language(), report.values)
    return say(report.template, **report.values) if report.values else report.words


def _page(task: Task, report: TaskReport) -> str:
    from othellier.pictures import text
    from othellier.rules.board import Position

    mark = say({"passed": "passed", "failed": "FAILED", "not begun": "not begun"}[report.state])
    words = _words(task, report)
    lines = [say("{what}: {words}", what=_in_language(task, task.title), words=mark)]
    if words:
        lines = [say("{what}: {words}", what=lines[0], words=words)]
    if report.board:
        lines.append(text(Position.parse(report.board), style=board_style(), say=say))
    return "\n".join(lines)
