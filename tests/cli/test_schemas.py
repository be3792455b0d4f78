"""What --json promises: every command that has it, and nobody else."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import typer.main

from othellier.cli import app, main
from othellier.cli.schemas import outputs


def commands(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    below = getattr(command, "commands", {})
    for name, one in below.items():
        yield from commands(one, (*path, name))
    if not below:
        yield " ".join(path), command


def test_every_command_that_prints_json_says_what() -> None:
    found = dict(commands(typer.main.get_command(app)))
    with_json = {name for name, one in found.items() if any("--json" in parameter.opts for parameter in one.params)}
    assert set(outputs()) == with_json | {"schema"}  # which prints nothing else


def test_every_key_is_described_once() -> None:
    for output in outputs().values():
        names = [key.name for key in output.keys]
        assert len(names) == len(set(names)), output.command
        assert names, output.command
        assert all(len(key.about) > 3 for key in output.keys)


def test_schemas_are_printed(capsys: pytest.CaptureFixture[str], complaint: Callable[..., str]) -> None:
    assert main(["schema"]) == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(found) == len(outputs())
    assert main(["schema", "book", "info"]) == 0
    one = json.loads(capsys.readouterr().out)
    assert one["title"] == "othellier book info --json"
    assert set(one["required"]) == set(one["properties"])
    assert not one["additionalProperties"]
    assert "no command 'play' prints JSON" in complaint("schema", "play")


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({}, []),
        ({"depth": "6"}, ["depth is '6'"]),
        ({"depth": True}, ["depth is True"]),
        ({"leaves": None}, ["leaves is None"]),
        ({"more": 1}, ["more is unknown"]),
    ],
)
def test_what_is_not_promised_is_noticed(change: dict[str, object], fault: list[str]) -> None:
    line = {"size": "8", "depth": 6, "leaves": 8200, "seconds": 0.1}
    assert outputs()["perft"].faults(line | change) == fault


def test_what_is_missing_is_noticed() -> None:
    assert outputs()["perft"].faults({"size": "8", "depth": 6, "leaves": 1}) == ["seconds is missing"]
    assert outputs()["version"].faults({"version": "1", "revision": None, "core": None, "python": "3"}) == []
    assert outputs()["learn fit"].faults({"event": "fit", "anything": 1}) == []


def test_what_commands_print_is_checked(complaint: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The fixture of conftest.py does so wherever a test runs a command."""
    monkeypatch.setattr("platform.python_version", lambda: 3)
    assert "othellier version --json: python is 3" in complaint("version", "--json")
