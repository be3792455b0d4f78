"""The API fuzzed from its own OpenAPI document: whatever is sent, the answer is JSON of the contract, never a bug."""

import json
import re
from collections.abc import Iterator
from typing import Any, get_args
from urllib.parse import quote

import pytest
from board import HUMANS, Board, Client, new_game, server
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from othellier.page.server.app import ServerSettings, create_app
from othellier.page.server.security import STATUS
from othellier.session.commands import Command, parse_command

DOCUMENT: dict[str, Any] = create_app(ServerSettings()).openapi()
OPERATIONS = [
    (method, path, operation) for path, methods in DOCUMENT["paths"].items() for method, operation in methods.items()
]
JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=10), inner, max_size=3),
    max_leaves=6,
)
WORDS = st.sampled_from(
    ["f5", "d6", "f5d6", "a1", "8", "6", "sgf", "trace", "amateur", "tiger", "X", "\0", "é", "%", "'"]
)


def values(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Values a schema describes, and now and then some it does not."""
    return st.one_of(fitting(schema), fitting(schema), JUNK)


def fitting(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    if "$ref" in schema:
        return fitting(DOCUMENT["components"]["schemas"][schema["$ref"].rpartition("/")[2]])
    if "const" in schema:
        return st.just(schema["const"])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return st.one_of([fitting(part) for part in schema[key]])
    kind = schema.get("type")
    if kind == "object":
        required = set(schema.get("required", ()))
        fields = {name: values(part) for name, part in schema.get("properties", {}).items()}
        return st.fixed_dictionaries(
            {name: part for name, part in fields.items() if name in required},
            optional={name: part for name, part in fields.items() if name not in required},
        )
    if kind == "array":
        return st.lists(values(schema.get("items", {})), max_size=3)
    simple: dict[str | None, st.SearchStrategy[Any]] = {
        "string": st.text(max_size=30) | WORDS,
        "integer": st.integers(-(10**6), 10**6),
        "number": st.floats(allow_nan=False, allow_infinity=False),
        "boolean": st.booleans(),
        "null": st.none(),
    }
    return simple.get(kind, JUNK)


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("othellier.page.server.security.BURST", 1e9)
        with server() as client:
            yield client


@pytest.fixture(scope="module")
def game(client: Client) -> str:
    found: str = new_game(client, **HUMANS)["game"]
    return found


def plain(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    return text.encode("utf-8", "replace").decode()


@pytest.mark.parametrize(
    ("method", "path", "operation"), OPERATIONS, ids=lambda part: part if isinstance(part, str) else ""
)
@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_routes(
    client: Client, game: str, method: str, path: str, operation: dict[str, Any], data: st.DataObject
) -> None:
    query: dict[str, Any] = {}
    for parameter in operation.get("parameters", ()):
        value = data.draw(values(parameter["schema"]), label=parameter["name"])
        if parameter["in"] == "path":
            name = game if parameter["name"] == "game" and data.draw(st.booleans()) else plain(value)
            path = path.replace(f"{{{parameter['name']}}}", quote(name or "x", safe="", errors="replace"))
        elif data.draw(st.booleans()):
            query[parameter["name"]] = [plain(part) for part in value] if isinstance(value, list) else plain(value)
    schema = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
    body = None if schema is None else json.dumps(data.draw(values(schema), label="body")).encode()
    headers = {"content-type": "application/json"}
    answer = client.request(method.upper(), path, params=query, content=body, headers=headers)
    assert answer.status_code < 500 or answer.json()["error"]["code"] in ("busy", "no_engine"), answer.text
    if answer.status_code >= 400:
        error = answer.json()["error"]
        assert set(error) == {"code", "message", "data"}
        assert STATUS[error["code"]] == answer.status_code or answer.status_code in (404, 405)
    check_documented(operation, answer)


def check_documented(operation: dict[str, Any], answer: Any) -> None:
    """The status of an answer and its content type are those of the document."""
    if answer.status_code == 405:
        return  # the values made another path, which is asked otherwise
    told = operation["responses"][str(answer.status_code)]["content"]
    assert answer.headers["content-type"].partition(";")[0] in told


@pytest.mark.parametrize(
    ("method", "path", "operation"), OPERATIONS, ids=lambda part: part if isinstance(part, str) else ""
)
def test_every_answer_is_documented(
    client: Client, game: str, method: str, path: str, operation: dict[str, Any]
) -> None:
    address = re.sub(r"{\w+}", "en", path.replace("{game}", game))
    sendings: list[dict[str, Any]] = [{}, {"content": b"\xff{", "headers": {"content-type": "application/json"}}]
    for sent in sendings:
        check_documented(operation, client.request(method.upper(), address, **sent))
    wrong = client.request(method.upper(), address, headers={"origin": "http://["})
    assert wrong.status_code == 400
    check_documented(operation, wrong)


NAMES = [get_args(kind.model_fields["do"].annotation)[0] for kind in get_args(get_args(Command)[0])]
COMMANDS = st.fixed_dictionaries(
    {"do": st.sampled_from(NAMES)},
    optional={
        "square": WORDS | JUNK,
        "node": st.sampled_from(["", "f5", "f5d6", "c4", "--"]) | JUNK,
        "to": st.sampled_from(["start", "back", "back_turn", "forward", "forward_turn", "end", "live"]) | JUNK,
        "ply": st.integers(-3, 3),
        "kind": st.sampled_from(["central", "falling", "rising"]),
        "text": st.text(max_size=20),
        "title": st.text(max_size=20),
        "on": st.booleans(),
        "depth": st.integers(1, 4),
        "level": st.just("quick"),
        "color": st.sampled_from(["black", "white"]),
        "black": st.sampled_from([{"kind": "human"}, {"kind": "level", "level": "beginner"}]) | JUNK,
    },
)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(commands=st.lists(COMMANDS, min_size=1, max_size=20))
def test_commands(client: Client, commands: list[dict[str, Any]]) -> None:
    answer = client.post("/api/v1/games", json={"size": "4", **HUMANS})
    game = answer.json()["game"]
    with client.socket(game) as socket:
        tab = Board(socket)
        for command in commands:
            fields = {key: value for key, value in command.items() if key != "do"}
            said = tab.ask(command["do"], **fields)
            if said["event"] == "error":
                assert said["error"]["code"] in STATUS
                assert said["error"]["code"] != "internal"
        before = tab.state
    again = client.get(f"/api/v1/games/{game}").json()
    assert again["title"] == before["title"]
    assert again["players"] == before["players"]


@given(st.text(max_size=200) | JUNK.map(json.dumps))
def test_a_command_is_parsed_or_refused(text: str) -> None:
    with pytest.raises(ValueError, match="validation error"):
        parse_command(text)
