"""What `--help` shows: the commands in groups, in the language of this run, readable in narrow terminals too.

typer draws it. Here its commands are given our groups and words, and what typer writes for programmers (`<bool>` after
a flag, braces around an argument) is taken off.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from functools import partial
from typing import Any

from typer import Context

from othellier.messages.language import say

OPTIONS = ["-h", "--help"]
"""The options that show help."""
NARROW = 70
"""Columns below which typer's frames would cut off the names of options."""
FRAME = {
    "COMMANDS_PANEL_TITLE": "Commands",
    "DEFAULT_STRING": "[default: {}]",
    "REQUIRED_LONG_STRING": "[required]",
}
"""Words of typer's own around a help text."""
GROUPS = {
    "Play and study": ("play", "levels", "analyze", "evaluate", "solve", "puzzles", "show", "convert"),
    "Matches and tournaments": ("match", "tournament", "run", "players"),
    "Teach and experiment": ("tree", "course", "notebooks", "lab"),
    "Openings and databases": ("openings", "book", "xot", "database"),
    "Engine and learning": ("learn", "bench", "perft"),
    "Other programs": ("gtp", "nboard", "schema", "version"),
}
"""The commands in the order people look for them."""


def helpful(root: Any) -> Any:
    """All commands of typer, made ready to be shown and run."""
    for title, names in GROUPS.items():
        for name in names:
            root.commands[name].rich_help_panel = say(title)
    placed = {name: root.commands[name] for names in GROUPS.values() for name in names}
    root.commands = {**placed, **root.commands}
    columns = shutil.get_terminal_size().columns
    narrow = columns < NARROW
    if narrow:
        root.context_settings = {**root.context_settings, "terminal_width": columns}
    for command in _walk(root):
        command.format_help = partial(_draw, command.format_help)
        if narrow:
            command.rich_markup_mode = None
        for name in ("help", "short_help", "epilog"):
            _translate(command, name)
        for parameter in _parameters(command):
            _translate(parameter, "help")
            _translate(parameter, "metavar")
            _tidy(parameter)
    return root


def words_of(root: Any) -> set[str]:
    """Every English text that help may show: what a language has to know."""
    found: set[str | None] = {*FRAME.values(), *GROUPS}
    for command in _walk(root):
        found |= {command.help, command.short_help, command.epilog}
        found |= {getattr(parameter, "help", None) for parameter in _parameters(command)}
    return {text for text in found if text}


def _draw(drawn: Callable[..., None], *arguments: Any) -> None:
    """Let typer draw a help text, with our words around it."""
    from typer import rich_utils  # it brings all of rich along: most commands show no help

    for name, text in FRAME.items():
        setattr(rich_utils, name, say(text))
    drawn(*arguments)


def _walk(command: Any) -> list[Any]:
    below = getattr(command, "commands", {}).values()
    return [command, *(one for part in below for one in _walk(part))]


def _parameters(command: Any) -> list[Any]:
    parameters: list[Any] = command.get_params(Context(command, help_option_names=OPTIONS))
    return parameters


def _translate(thing: Any, name: str) -> None:
    text = getattr(thing, name, None)
    if isinstance(text, str):
        setattr(thing, name, say(text))


def _tidy(parameter: Any) -> None:
    """A flag takes no value, and an argument is called by its name alone."""
    if getattr(parameter, "is_flag", False):
        parameter.metavar = ""
    if parameter.param_type_name == "argument":
        name = parameter.metavar or parameter.name.upper()
        shown = name if parameter.required or name.startswith("[") else f"[{name}]"
        parameter.metavar = name
        parameter.display_type_rich = lambda ctx: None
        parameter.get_usage_pieces = lambda ctx: [shown]
