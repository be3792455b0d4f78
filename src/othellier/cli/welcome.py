"""What newcomers see: a greeting with the things people do, and the levels they can play against."""

from __future__ import annotations

import typer

from othellier.messages.language import say
from othellier.terminal.output import JsonOption, columns, echo, json_line

app = typer.Typer()

HELLO = "Othellier: play Othello and study it."
DEEDS = (
    ("othellier play", "play in your browser"),
    ("othellier analyze GAME", "every move of a game judged"),
    ("othellier show GAME", "the board and the moves of a record"),
    ("othellier match A B", "let two players play each other"),
    ("othellier solve --obf FILE", "endgames solved exactly"),
)
WIDE = 44
"""Columns that the longest line of the levels takes."""
MORE = "All commands: othellier --help\nOne command: othellier COMMAND --help"


def greeting() -> str:
    """Who we are and the five things people do."""
    width = max(len(command) for command, _ in DEEDS)
    lines = [f"  {command:<{width}}  {say(deed)}" for command, deed in DEEDS]
    if columns() < max(map(len, lines)):
        lines = [f"  {command}\n    {say(deed)}" for command, deed in DEEDS]
    return "\n".join([say(HELLO), "", *lines, "", say(MORE)])


@app.command()
def levels(json: JsonOption = False) -> None:
    """List the levels of play, weakest first, with their ratings as far as they are measured."""
    from othellier.engine.levels import LEVELS

    wide = columns() >= WIDE
    for level in LEVELS.values():
        player = f"engine:level={level.name}"
        if json:
            json_line({"name": level.name, "player": player, "rating": level.rating})
        else:
            told = "" if level.rating is None else level.rating
            echo(f"{level.name:<12} {told:>5}  {player if wide else ''}".rstrip())
