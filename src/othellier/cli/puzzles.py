"""The commands of the puzzles: what there is, making a new set, checking one."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from othellier.errors import ConfigError
from othellier.messages.language import language, say
from othellier.messages.languages import dictionary
from othellier.terminal.output import JsonOption, board_style, echo, json_line, progress

if TYPE_CHECKING:
    from othellier.coach.puzzle_set import PuzzleSet

app = typer.Typer()
commands = typer.Typer(invoke_without_command=True)
app.add_typer(commands, name="puzzles")

_File = Annotated[Path | None, typer.Argument(metavar="FILE", help="A file of puzzles; without one, those shipped.")]


@commands.callback()
def puzzles(context: typer.Context) -> None:
    """Graded puzzles, solved to the last disc: list them, make a set, check one. They are played on the page."""
    if context.invoked_subcommand is None:
        list_puzzles()


@commands.command("list")
def list_puzzles(
    file: _File = None,
    boards: Annotated[bool, typer.Option("--boards", help="Draw the boards too.")] = False,
    json: JsonOption = False,
) -> None:
    """Say how many puzzles there are of each theme and grade; with --boards or --json, each of them."""
    from othellier.pictures import text

    found = _read(file)
    for puzzle in found:
        if json:
            json_line(puzzle.as_dict())
        elif boards:
            told = puzzle.as_dict()
            answers = f" {say('or')} ".join(told["answers"])
            words = "{theme}, grade {grade}, answer {answers}"
            echo(say(words, theme=_called(puzzle.theme), grade=puzzle.grade, answers=answers))
            echo(text(puzzle.position, style=board_style(), say=say))
    if not json:
        counts = Counter(puzzle.theme for puzzle in found)
        width = max(len(_called(theme)) for theme in counts)
        for theme, count in counts.items():
            grades = Counter(puzzle.grade for puzzle in found if puzzle.theme == theme)
            shown = ", ".join(say("{n} of grade {grade}", n=grades[grade], grade=grade) for grade in sorted(grades))
            echo(f"{_called(theme):<{width}} {count:>3}  ({shown})")


def _called(theme: str) -> str:
    """What the page calls a theme."""
    return dictionary(language())[f"theme.{theme}"]


@commands.command()
def build(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write.")],
    seed: Annotated[int, typer.Option(help="The same seed makes the same puzzles.")] = 2026,
    each: Annotated[int, typer.Option(min=1, max=1000, metavar="N", help="Puzzles of each theme.")] = 24,
) -> None:
    """Make a set of puzzles: games of the ladder's players, every position near the end solved."""
    from othellier.coach.puzzle_making import PLAYERS, make_puzzles
    from othellier.coach.puzzle_set import THEMES

    if file.exists():
        raise ConfigError(f"{file} is there already: name a new file")
    command = f"othellier puzzles build FILE --seed {seed} --each {each}"
    before = 0
    with progress("looking for puzzles", each * len(THEMES)) as advance:

        def heard(found: int, _: int) -> None:
            nonlocal before
            advance(found - before)
            before = found

        made = make_puzzles(seed, each, {"command": command, "players": ", ".join(PLAYERS)}, heard)
    made.write(file)
    words = "{file}: {puzzles} puzzles from {games} games"
    echo(say(words, file=file, puzzles=len(made), games=made.recipe["games"]))


@commands.command()
def check(file: _File = None) -> None:
    """Solve every puzzle again and compare the answers."""
    from othellier.coach.puzzle_play import wrong_answers
    from othellier.engine.engine import Engine

    found = _read(file)
    with Engine(threads=1, hash_mb=16) as engine, progress("solving", len(found)) as advance:
        for number, puzzle in enumerate(found, 1):
            if wrong := wrong_answers(engine, puzzle):
                raise ConfigError(f"puzzle {number}: {wrong}")
            advance(1)
    echo(say("{puzzles} puzzles: every answer is right", puzzles=len(found)))


def _read(file: Path | None) -> PuzzleSet:
    from othellier.coach.puzzle_set import PuzzleSet, shipped_puzzles

    return shipped_puzzles() if file is None else PuzzleSet.read(file)
