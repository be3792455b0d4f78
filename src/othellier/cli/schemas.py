"""What the objects of `--json` hold, command by command: the promise to programs that read them.

`keys.txt` beside this file has a paragraph for each command. `othellier schema COMMAND` prints it as JSON Schema, the
documentation shows it as a table, and every test that runs a command with `--json` holds it to it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Annotated, Any

import typer

from othellier.errors import ConfigError
from othellier.terminal.output import json_line

app = typer.Typer()

TYPES: dict[str, tuple[type, ...]] = {
    "array": (list, tuple),
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
    "object": (dict,),
    "string": (str,),
}
PARAGRAPH = re.compile(r"^\[(.+)\] (.+)$")
LINE = re.compile(r"^  (\w+)(\??) +(\w+)(\??) +(.+)$")


@dataclass(frozen=True, slots=True)
class SchemaKey:
    """One key of an object: `optional` ones may be left out, `nullable` ones may be null."""

    name: str
    type: str
    about: str
    optional: bool
    nullable: bool

    def allows(self, value: object) -> bool:
        """Whether a value is of this key's type."""
        if value is None:
            return self.nullable
        if isinstance(value, bool):
            return self.type == "boolean"
        return isinstance(value, TYPES[self.type])


@dataclass(frozen=True, slots=True)
class Output:
    """What a command prints: so many objects, each with these keys."""

    command: str
    about: str
    keys: tuple[SchemaKey, ...]
    is_open: bool
    """Whether there may be further keys, as where a line tells of an event."""

    def faults(self, value: dict[str, Any]) -> list[str]:
        """Where an object does not hold to this."""
        known = {key.name: key for key in self.keys}
        wrong = [f"{name} is missing" for name, key in known.items() if not key.optional and name not in value]
        wrong += [f"{name} is unknown" for name in value if name not in known and not self.is_open]
        wrong += [
            f"{name} is {value[name]!r}" for name, key in known.items() if name in value and not key.allows(value[name])
        ]
        return wrong

    def json_schema(self) -> dict[str, Any]:
        """The same as JSON Schema."""
        return {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": f"othellier {self.command} --json",
            "description": self.about,
            "type": "object",
            "properties": {
                key.name: {"type": [key.type, "null"] if key.nullable else key.type, "description": key.about}
                for key in self.keys
            },
            "required": [key.name for key in self.keys if not key.optional],
            "additionalProperties": self.is_open,
        }


@cache
def outputs() -> dict[str, Output]:
    """All outputs by their command."""
    found: dict[str, Output] = {}
    paragraphs = (resources.files(__package__) / "keys.txt").read_text("utf-8").strip().split("\n\n")
    for paragraph in paragraphs:
        first, *rest = [line for line in paragraph.splitlines() if not line.startswith("#")]
        heading = PARAGRAPH.match(first)
        assert heading is not None, first
        keys = []
        for line in rest:
            parts = LINE.match(line)
            if parts is not None:
                name, optional, kind, nullable, about = parts.groups()
                assert kind in TYPES, line
                keys.append(SchemaKey(name, kind, about, bool(optional), bool(nullable)))
            else:
                assert line == "  ...", line
        found[heading[1]] = Output(heading[1], heading[2], tuple(keys), rest[-1] == "  ...")
    return found


@app.command()
def schema(
    command: Annotated[
        list[str] | None, typer.Argument(metavar="[COMMAND]", help="Such as `solve` or `book info`; all unless given.")
    ] = None,
) -> None:
    """Print the keys of a command's --json as JSON Schema, one object a command."""
    name = " ".join(command or [])
    known = outputs()
    if name and name not in known:
        raise ConfigError(f"no command {name!r} prints JSON: {', '.join(known)}")
    for output in known.values():
        if name in ("", output.command):
            json_line(output.json_schema())
