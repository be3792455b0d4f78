"""The reference of configurations: every key, its default and what it means, as Markdown (`docs/configuration.md`).

All of it is taken from `config` and from the players; nothing is told here for the first time.
"""

from __future__ import annotations

import typing
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

from pydantic.fields import FieldInfo

from othellier.config.models import (
    OPTIONS,
    ChancesConfig,
    DatabaseConfig,
    FitConfig,
    LearnConfig,
    NetworkConfig,
    PlayerConfig,
    ProbcutConfig,
    ReplacementConfig,
    RunConfig,
    Section,
    SelfplayConfig,
    TournamentConfig,
)
from othellier.players import Registration, registered
from othellier.players.registry import option_text

__all__ = ["Say", "parameter_reference"]


Say = Callable[[str], str]
"""Puts a text into the reader's language."""


def parameter_reference(say: Say = str) -> str:
    """All parameters, their defaults and what they mean, as Markdown.

    >>> parameter_reference().startswith("# Configuration")
    True
    """
    return "\n".join(_reference(say)) + "\n"


def _reference(say: Say) -> Iterator[str]:
    yield "# Configuration"
    yield ""
    yield say(NOTE)
    for title, model in (
        ("A game or a series: `othellier run CONFIG.yaml`", RunConfig),
        ("A tournament: `othellier tournament CONFIG.yaml --out DIR`", TournamentConfig),
        ("Learning: `othellier learn run CONFIG.yaml --out DIR`", LearnConfig),
        ("Learning: `selfplay`", SelfplayConfig),
        ("Learning: `database`", DatabaseConfig),
        ("Learning: `fit`", FitConfig),
        ("Learning: `network`", NetworkConfig),
        ("Learning: `probcut`", ProbcutConfig),
        ("Learning: `match`", ReplacementConfig),
        ("Learning: `chances`", ChancesConfig),
        ("A player", PlayerConfig),
    ):
        yield from ("", f"## {say(title)}", "", say(HEAD), "|---|---|---|---|")
        for name, field in model.model_fields.items():
            meaning = say(field.description or "")
            yield f"| `{name}` | {_expected(field.annotation, say)} | {say(_default(field))} | {meaning} |"
    yield ""
    yield say("A player may also be written as a player string: `white: alphabeta:depth=6,eval=mobility`.")
    yield say(
        "Other keys are the options of the algorithm; `evaluation` and `strategy` stand for `eval`. Names of players "
        "and options are read in any case, with `-` or `_`."
    )
    for player in registered():
        yield from ("", f"### `{player.name}`", "", say(player.summary))
        if player.options or player.argument is not None:
            yield from ("", say(HEAD), "|---|---|---|---|", *_options(player, say))


NOTE = "Made by `othellier run --reference`; do not edit. Every key may be left out but those without a default."
HEAD = "| key | value | default | meaning |"


def _options(player: Registration, say: Say) -> Iterator[str]:
    if player.argument is not None:
        yield f"| `{player.argument}` | {say(NAMES[str])} | **needed** | {say(OPTIONS.get(player.argument, ''))} |"
    for option in player.options.values():
        default = f"`{option.default_text}`" if option.default_text else ""
        yield f"| `{option.name}` | {say(option.expected)} | {default} | {say(OPTIONS.get(option.name, ''))} |"


NAMES = {int: "a whole number", float: "a number", str: "a text", bool: "`true` or `false`", Path: "a file"}


def _expected(annotation: Any, say: Say) -> str:
    if annotation in NAMES:
        return say(NAMES[annotation])
    if annotation is PlayerConfig:
        return say("a player")
    if isinstance(annotation, type) and issubclass(annotation, Section):
        return say("keys of its own, below")
    arguments = [part for part in typing.get_args(annotation) if part is not type(None)]
    if typing.get_origin(annotation) is Literal:
        return ", ".join(f"`{choice}`" for choice in arguments)
    if typing.get_origin(annotation) is tuple:
        return f"{len(arguments)} {say('numbers')}"
    words = f" {say('or')} ".join(_expected(part, say) for part in arguments)
    return f"{say('a list')}: {words}" if typing.get_origin(annotation) is list else words


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "**needed**"
    value = field.default
    if value is None or value in ("", []) or isinstance(value, Section | list):
        return ""
    return f"`{value.spec if isinstance(value, PlayerConfig) else option_text(value)}`"
