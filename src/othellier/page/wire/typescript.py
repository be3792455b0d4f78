"""The contract in the page's language: `static/shell/types.d.ts`, made from the models of this folder.

`make types` (`python -m othellier.page.wire.typescript`) writes it anew; a test tells when that was forgotten.
Answers of `replies` and `learning_models` are sent whole; elsewhere fields that have a default may be missing, for
only what was set is sent.
"""

from __future__ import annotations

import types
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel

from othellier.base.files import write_file
from othellier.coach.scale import GamePhase, Label
from othellier.page.wire import events, explorer_models, game_models, learning_models, library_models, replies
from othellier.rules.board import Color
from othellier.session import commands as requests

FILE = Path(__file__).parents[1] / "static" / "shell" / "types.d.ts"
WORDS = {"Color": Color, "Label": Label, "Phase": GamePhase}
"""Choices of words that have a name of their own."""
WHOLE = (replies.__name__, learning_models.__name__, explorer_models.__name__)
"""Modules whose answers are sent whole."""
PLAIN: dict[Any, str] = {
    str: "string",
    int: "number",
    float: "number",
    bool: "boolean",
    type(None): "null",
    Any: "unknown",
}
HEAD = "// What goes over the wire, made by `make types` from the models of page/wire/: change those, not this file."


def typescript() -> str:
    """All models of the contract, and the events and commands as unions."""
    parts = [HEAD]
    parts += [f"export type {name} = {_choices(words)};" for name, words in WORDS.items()]
    parts += [_interface(model) for model in _models()]
    told = (f'  | ({{ event: "{name}" }} & {model.__name__})' for name, model in events.EVENTS.items())
    parts.append("\n".join(["export type ServerEvent =", *told]) + ";")
    parts.append(f"export type Command = {_type(requests.Command)};")
    parts.append(f"export type PlayerChoice = {_type(requests.PlayerChoice)};")
    return "\n\n".join(parts) + "\n"


def _models() -> Iterator[type[BaseModel]]:
    for module in (requests, game_models, library_models, explorer_models, replies, learning_models, events):
        for name, found in sorted(vars(module).items()):
            here = isinstance(found, type) and found.__module__ == module.__name__
            if here and issubclass(found, BaseModel) and not name.startswith("_"):
                yield found


def _interface(model: type[BaseModel]) -> str:
    lines = [f"/** {' '.join((model.__doc__ or '').split())} */", f"export interface {model.__name__} {{"]
    for name, field in model.model_fields.items():
        mark = "" if field.is_required() or model.__module__ in WHOLE else "?"
        lines.append(f"  {field.serialization_alias or name}{mark}: {_type(field.annotation)};")
    return "\n".join([*lines, "}"])


def _choices(words: Any) -> str:
    return " | ".join(f'"{word}"' for word in get_args(words))


def _type(annotation: Any) -> str:
    """A Python type as TypeScript writes it."""
    if annotation in PLAIN:
        return PLAIN[annotation]
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _type(arguments[0])
    if origin is Literal:
        return next((name for name, words in WORDS.items() if words == annotation), _choices(annotation))
    if origin in (Union, types.UnionType):
        return " | ".join(dict.fromkeys(map(_type, arguments)))
    if origin is tuple:
        return f"[{', '.join(map(_type, arguments))}]"
    if origin is list:
        inner = _type(arguments[0])
        return f"({inner})[]" if "|" in inner else f"{inner}[]"
    if origin is dict:
        return f"Record<{_type(arguments[0])}, {_type(arguments[1])}>"
    if not (isinstance(annotation, type) and issubclass(annotation, BaseModel)):
        raise TypeError(f"the contract has no such type: {annotation}")
    return annotation.__name__


if __name__ == "__main__":
    write_file(FILE, [typescript().encode()])
