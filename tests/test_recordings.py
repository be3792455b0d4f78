"""Recordings of what people and programs receive: commands, GTP, NBoard, games in the terminal and on the page.

Each file of `data/recordings` holds scenarios, begun by a line `== TITLE`: inputs, and below each its answer. A test
gives the inputs of a scenario and compares the answers. An answer changes only on purpose; to record all anew:

    pytest tests/test_recordings.py --record

`$ othellier ...` runs a command, and the lines `> ...` below it are typed. `$ file NAME TEXT` writes a file beforehand.
Standard error is marked by `!`. On the page, `$ new JSON`, `$ open TAB [NODE]`, `$ close TAB` and `$ GET PATH` (or POST
or PATCH, with JSON) are requests. `> TAB JSON [until JSON]` sends a command through a tab and waits for an event or a
state; the answer is what has changed in every tab. `# ...` is a comment. What differs between machines is a `*`.
"""

import contextlib
import difflib
import io
import json
import re
import shlex
import sys
from collections.abc import Callable, Iterator
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest
from board import Board, Client, board, new_game, server

import othellier
from othellier.cli import main
from othellier.engine.engine import Engine
from othellier.players.pool import Searchers
from othellier.terminal.output import console
from waiting import until

PACKAGE = Path(othellier.__file__).parent
FOLDER = Path(__file__).parent / "data" / "recordings"
INPUTS = ("== ", "# ", "$ ", "> ")
MACHINE = re.compile(
    r"(.*_)?seconds?(_.*)?|nps|revision|core|python|created|used|date|slowest|processor|thinking|retry"
)
"""Keys whose values differ from one run to the next."""
TEXTS = re.compile(
    r"(?<![\w.,])\d[\d.,]*(?= (?:m?s|min)\b)"  # times
    r"|(?<=^nodestats )\d+ \d+\.\d\d$|(?<=/)\d+\.\d\d$"
    r"|\d{4}-\d\d-\d\d[ T]\d\d[-:]\d\d[-:]\d\dZ?|(?<=DT\[)[^]]*",
    re.MULTILINE,
)
"""What differs in texts."""
THINKING = ("go", "hint", "analyze")
"""NBoard's commands that are answered by another thread."""


# -- files


def scenarios() -> list[tuple[str, str]]:
    """All recordings: file and title."""
    return [
        (path.name, title)
        for path in sorted(FOLDER.glob("*.txt"))
        for title in re.findall(r"^== (.*)$", path.read_text("utf-8"), re.MULTILINE)
    ]


def scenario(text: str, title: str) -> str:
    """Return one scenario of a file, with its title."""
    found = re.search(rf"^== {re.escape(title)}\n(?:(?!== ).*\n)*", text, re.MULTILINE)
    assert found is not None
    return found[0]


@pytest.mark.parametrize(("file", "title"), scenarios())
def test_recording(
    file: str, title: str, request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("LC_ALL", "LC_MESSAGES", "LANG", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    path = FOLDER / file
    text = path.read_text("utf-8")
    recorded = scenario(text, title)
    inputs = [line for line in recorded.splitlines() if line.startswith(INPUTS)]
    replay = replay_page if file == "page.txt" else replay_commands
    answered = "\n".join(replay(inputs)) + "\n"
    if request.config.getoption("--record"):
        path.write_text(text.replace(recorded, answered), "utf-8")
        return
    changes = difflib.unified_diff(recorded.splitlines(), answered.splitlines(), "recorded", "now", lineterm="", n=1)
    difference = "\n".join(changes)
    assert not difference, f"{file}, {title} (--record accepts this):\n{difference}"


def stable(value: Any) -> Any:
    """Return a value of JSON without what a machine decides."""
    if isinstance(value, dict):
        return {
            key: "*" if MACHINE.fullmatch(key) and inner is not None else stable(inner) for key, inner in value.items()
        }
    if isinstance(value, list):
        return [stable(inner) for inner in value]
    return float(f"{value:.6g}") if isinstance(value, float) else value


def written(value: Any) -> str:
    """Return a value as the recordings have it."""
    return masked(json.dumps(stable(value), ensure_ascii=False))


def masked(line: str) -> str:
    """Return a line without what a machine decides."""
    line = re.sub(rf'{re.escape(str(PACKAGE))}[^\s"]*/', "PACKAGE/", line.replace(f"{Path.cwd()}/", ""))
    return TEXTS.sub("*", line).rstrip()


# -- commands


class Typist(io.TextIOBase):
    """Standard input: each line is typed after the answer to the one before, and written below it."""

    def __init__(self, lines: list[str], output: io.StringIO, thinking: tuple[str, ...]) -> None:
        self._lines, self._output, self._thinking, self._last = lines, output, thinking, ""

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
        """The next line typed."""
        if self._last in self._thinking:
            until(self._is_answered, f"the answer to {self._last}")
        if not self._lines:
            return ""
        line = self._lines.pop(0)
        self._output.write(f"{line}\n")
        self._last = line[2:].partition(" ")[0]
        return line[2:] + "\n"

    def read(self, size: int | None = -1, /) -> str:
        """All lines typed."""
        return "".join(iter(self.readline, ""))

    def _is_answered(self) -> bool:
        last = self._output.getvalue().rpartition("> ")[2].splitlines()[-1]
        return last.startswith("status ") and not last.endswith("is thinking")


def replay_commands(inputs: list[str]) -> Iterator[str]:
    """Run the commands of a scenario."""
    while inputs:
        line = inputs.pop(0)
        yield line
        if not line.startswith("$ "):
            continue
        program, *words = shlex.split(line[2:])
        if program == "file":
            Path(words[0]).write_bytes(words[1].encode().decode("unicode_escape").encode())
            continue
        typed = list(takewhile(lambda one: one.startswith("> "), inputs))
        del inputs[: len(typed)]
        yield from run(words, typed)


def run(words: list[str], typed: list[str]) -> Iterator[str]:
    """Run a command, and return what it prints, its errors and its status."""
    output, errors = io.StringIO(), io.StringIO()
    console.cache_clear()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", Typist(typed, output, THINKING if words[0] == "nboard" else ()))
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
            status = main(words)
    console.cache_clear()
    for line in output.getvalue().splitlines():
        yield written(json.loads(line)) if line.startswith('{"') else masked(line)
    yield from (masked(f"! {line}") for line in errors.getvalue().splitlines())
    if status:
        yield f"! exit status {status}"


# -- the page


class SingleThreaded(Engine):
    """An engine of one thread, whatever the number of cores: its searches are the same everywhere."""

    @property
    def threads(self) -> int:
        """One."""
        return 1

    @threads.setter
    def threads(self, threads: int) -> None:
        pass


class Page:
    """One game on a server, and its tabs."""

    def __init__(self, client: Client, stack: contextlib.ExitStack) -> None:
        self.client, self.stack = client, stack
        self.game = ""
        self.tabs: dict[str, Board] = {}
        self.shown: dict[str, dict[str, str]] = {}
        self.closing: dict[str, Callable[[], None]] = {}

    def request(self, word: str, rest: str) -> Iterator[str]:
        """Do what a line beginning with `$` says."""
        first, _, body = rest.partition(" ")
        if word == "new":
            self.game = new_game(self.client, **json.loads(rest))["game"]
        elif word == "open":
            tab = contextlib.ExitStack()
            node, _, awaited = body.partition("until ")
            self.tabs[first] = tab.enter_context(board(self.client, self.game, node.strip() or None))
            self.closing[first] = self.stack.enter_context(tab).close
            self.shown[first] = {}
            yield from self.changes(self.heard(), first, awaited)
        elif word == "close":
            self.closing.pop(first)()
            del self.tabs[first]
        else:
            path = first.replace("GAME", self.game)
            headers = {"Content-Type": "application/json"} if body else None
            answer = self.client.request(word, f"/api/v1{path}", content=body or None, headers=headers)
            is_json = answer.headers.get("Content-Type") == "application/json"
            yield f"{answer.status_code} {self.named(answer.json() if is_json else answer.text)}"

    def command(self, name: str, rest: str) -> Iterator[str]:
        """Send a command through a tab."""
        before = self.heard()
        asked, _, awaited = rest.partition(" until ")
        answer = self.tabs[name].ask(**json.loads(asked))
        if answer["event"] == "error":
            yield f"{name} {self.named(answer['error'])}"
        yield from self.changes(before, name, awaited)

    def heard(self) -> dict[str, int]:
        """Return how many events each tab has received."""
        return {name: len(tab.heard) for name, tab in self.tabs.items()}

    def changes(self, before: dict[str, int], waiting: str, awaited: str) -> Iterator[str]:
        """Wait for what a tab awaits. Return the events of every tab, and what is new in its state."""
        if awaited:
            fields = json.loads(awaited)
            if "event" in fields:
                self.tabs[waiting].hear(fields.pop("event"), **fields)
            else:
                self.tabs[waiting].until(**fields)
        for name, tab in self.tabs.items():
            tab.do("ping")
            for event in tab.heard[before[name] :]:
                what = event["event"]
                if what not in ("state", "thinking", "done") and "id" not in event and event.get("done", True):
                    told = {key: value for key, value in event.items() if key not in ("event", "analysis")}
                    yield f"{name} event {what} {self.named(told)}"
            state = {key: self.named(value) for key, value in parts(tab.state)}
            known, self.shown[name] = self.shown[name], state
            yield from (f"{name} {key} {text}" for key, text in state.items() if known.get(key) != text)
            yield from (f"{name} {key} is gone" for key in known if key not in state)

    def named(self, value: Any) -> str:
        """Return a value as the recordings have it, without the random names of games."""
        return re.sub(r'(?<="game": ")[\w-]{16}(?=")', "*", written(value))


def parts(state: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Return the parts of a state, so that what changes is a line: nodes of the tree, moves of the analysis."""
    for key, value in state.items():
        if key == "tree":
            yield from nodes(value)
        elif key == "analysis" and value is not None:
            for part, content in value.items():
                listed = enumerate(content) if isinstance(content, list) else [("", content)]
                yield from ((f"analysis.{part}.{at}", one) for at, one in listed)
        elif key == "clock" and value is not None:
            # Scenarios take less than half a minute.
            left = {color: 60 * -(-value[color] // 60) for color in ("black", "white")}
            yield key, {**value, **left}
        elif key not in ("game", "revision") and not MACHINE.fullmatch(key):
            yield key, value


def nodes(node: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Return a node and all that follow, each without those that follow."""
    children = node.get("children", [])
    yield f"tree.{node['id']}", {**node, "children": [child["move"] for child in children]}
    for child in children:
        yield from nodes(child)


def replay_page(inputs: list[str]) -> Iterator[str]:
    """Play a scenario on a server with one search thread."""
    searchers = partial(Searchers, 1, partial(SingleThreaded, hash_mb=1))
    with server(searchers=searchers) as client, contextlib.ExitStack() as stack:
        page = Page(client, stack)
        for line in inputs:
            yield line
            word, _, rest = line[2:].partition(" ")
            if line.startswith("$ "):
                yield from page.request(word, rest)
            elif line.startswith("> "):
                yield from page.command(word, rest)
