"""The command that puts the notebooks where a student works."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from othellier.base.files import read_file, write_file
from othellier.errors import ConfigError, install_command
from othellier.messages.language import language as spoken
from othellier.messages.language import say
from othellier.terminal.output import JsonOption, echo, json_line

app = typer.Typer()


def _source() -> Path:
    """Where the notebooks lie: in the package, or beside the source of a checkout."""
    package = Path(__file__).parents[1]
    for folder in (package / "notebooks", package.parents[1] / "notebooks"):
        if folder.is_dir():
            return folder
    raise ConfigError("this installation has no notebooks: install it again")


@app.command()
def notebooks(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where to put them; made if it is not there.")],
    language: Annotated[
        Literal["en", "fr"] | None, typer.Option(help="en or fr; else the language of the texts.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over notebooks that were changed.")] = False,
    json: JsonOption = False,
) -> None:
    """Copy the notebooks of the course to a folder: bitboards, searches, Monte-Carlo, a model, an experiment."""
    source = _source() / (language or spoken())
    if folder.exists() and not folder.is_dir():
        raise ConfigError(f"{folder} is a file: name a folder for the notebooks")
    folder.mkdir(parents=True, exist_ok=True)
    written, kept = [], []
    for path in sorted(source.glob("*.ipynb")):
        data, target = read_file(path), folder / path.name
        if target.exists() and not force and read_file(target) != data:
            kept.append(str(target))
            continue
        write_file(target, [data])
        written.append(str(target))
    if json:
        json_line({"written": written, "kept": kept})
        return
    for name in written:
        echo(name)
    for name in kept:
        echo(say("{name}: kept, it was changed (--force writes over it)", name=name))
    start = shlex.join([sys.executable, "-m", "jupyterlab", str(folder)])
    echo(say("To work in them: {install}, then {start}", install=install_command("notebooks"), start=start))
