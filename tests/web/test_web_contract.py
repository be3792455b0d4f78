"""The contract of docs/api.md, the code behind it and the words of the page name the same things."""

import ast
import json
import re
from pathlib import Path
from typing import get_args

import pytest

from othellier.coach import reasons
from othellier.coach.scale import Label
from othellier.engine.levels import FIRST_LEVEL
from othellier.page.server.app import ServerSettings, create_app
from othellier.page.server.security import STATUS
from othellier.page.server.static_files import HERE
from othellier.page.wire.events import EVENTS
from othellier.page.wire.game_models import GameState, NodeView
from othellier.page.wire.typescript import FILE, typescript
from othellier.session.commands import Command

TEXT = (Path(__file__).parents[2] / "docs" / "api.md").read_text(encoding="utf-8")


def section(title: str) -> str:
    """What stands under a heading."""
    body = re.split(rf"\n#+ {title}\n", TEXT)[1]
    return re.split(r"\n#+ ", body)[0]


def column(text: str) -> list[str]:
    """The names in the first column of the tables in a text."""
    cells = re.findall(r"^\| ([^|]+) \|", text, re.MULTILINE)
    return [name for cell in cells for name in re.findall(r"`([^`]+)`", cell)]


def test_errors() -> None:
    rows = re.findall(r"^\| (`[^|]+) \| (\d+) \|", section("Errors"), re.MULTILINE)
    told = {name: int(status) for cell, status in rows for name in re.findall(r"`(\w+)`", cell)}
    assert told == STATUS


def test_commands() -> None:
    known = {get_args(kind.model_fields["do"].annotation)[0]: kind for kind in get_args(get_args(Command)[0])}
    assert set(column(section("Commands"))) == set(known)
    for line in section("Commands").splitlines():
        match = re.match(r"\| (`[^|]+`) \|([^|]*)\|", line)
        for name in re.findall(r"`(\w+)`", match[1]) if match else ():
            told = set(re.findall(r"`(\w+)`", re.sub(r": `[^`]*`", "", match[2] if match else "")))
            assert told == set(known[name].model_fields) - {"do", "id"}, name


def test_routes() -> None:
    paths = set(create_app(ServerSettings()).openapi()["paths"])
    told = set(re.findall(r"`(?:GET|POST|PATCH|DELETE) (/[^`?]*)", section("REST")))
    assert {f"/api/v1{re.sub('{id}', '{game}', path)}" for path in told} == paths


def test_states() -> None:
    state, node = (json.loads(block) for block in re.findall(r"```json\n(.*?)```", section("The state"), re.DOTALL))
    assert set(state) == set(GameState.model_fields)
    assert set(node) == set(NodeView.model_fields)


def codes_of_reasons() -> set[str]:
    tree = ast.parse(Path(reasons.__file__).read_text(encoding="utf-8"))
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call) and ast.unparse(node.func) == "Reason")
    named = {str(call.args[0].value) for call in calls if isinstance(call.args[0], ast.Constant)}
    counted = {
        str(node.slice.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Subscript)
        and ast.unparse(node.value) == "found"
        and isinstance(node.slice, ast.Constant)
    }
    assert "mobility" in counted
    return named | {"x_square", "c_square"} | counted | {f"{code}_soon" for code in counted}


def test_reasons() -> None:
    assert set(column(section("The analysis"))) == codes_of_reasons()


@pytest.mark.parametrize("path", sorted((HERE / "i18n").glob("*.json")), ids=lambda path: path.stem)
def test_the_page_has_words_for_all_of_them(path: Path) -> None:
    words = json.loads(path.read_text(encoding="utf-8"))
    unseen = {"unknown_language"}  # the page asks only for those it was told of
    wanted = {f"error.{code}" for code in STATUS.keys() - unseen} | {f"reasons.{code}" for code in codes_of_reasons()}
    wanted |= {f"label.{label}" for label in get_args(Label)}
    assert not wanted - set(words)


def test_page_and_server_begin_with_the_same_opponent() -> None:
    text = (HERE / "static" / "play" / "opponents.js").read_text(encoding="utf-8")
    assert re.findall(r'const EASY = "(\w+)"', text) == [FIRST_LEVEL]


def test_the_types_of_the_page_are_made_from_the_models() -> None:
    assert FILE.read_text(encoding="utf-8") == typescript(), "make them again: make types"


def test_everything_sent_is_a_model_of_the_contract() -> None:
    """What a route is asked and answers with has a type in types.d.ts."""
    described = set(re.findall(r"export interface (\w+)", typescript()))
    sent = set(create_app(ServerSettings()).openapi()["components"]["schemas"])
    standard = {"HTTPValidationError", "ValidationError"}
    assert sent - described <= standard


def test_events() -> None:
    examples = re.findall(r'^\{"event": "(\w+)", ((?:.|\n )*)\}$', section("Events"), re.MULTILINE)
    assert {name for name, _ in examples} == set(EVENTS)
    for name, fields in examples:
        if "{…}" not in fields:
            assert set(json.loads(f"{{{fields}}}")) <= set(EVENTS[name].model_fields), name
            EVENTS[name].model_validate_json(f"{{{fields}}}")
