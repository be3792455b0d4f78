"""One judge behind every door: the page, the command line, the terminal and Python say the same of the same game."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from board import board, server

from othellier import analyze, native
from othellier.cli import main
from othellier.coach.words import report

pytestmark = pytest.mark.skipif(not native.available, reason="the engine needs the compiled core")

MOVES = (
    "f5f6e6f4e3c5c4e7f7d7b5e2g4f3g5d6e8h3g6d8c8f8g8h4c6a5b4a3b6b3"
    "c3d2e1d3d1c1b1c2f2h7h6h5g3a6c7g1g2h1h2f1h8g7b2a1a7a8a2a4b8b7"
)
LEVEL = "quick"


@pytest.fixture(scope="module")
def on_the_page() -> dict[str, Any]:
    """The analysis as the page's server tells it, by several searchers at once."""
    with server() as client:
        imported = client.post("/api/v1/import", content=MOVES.encode()).json()
        with board(client, imported["games"][0]["game"]) as tab:
            tab.do("analyse", level=LEVEL)
            while not (told := tab.hear("analysis"))["done"]:
                pass
    found: dict[str, Any] = told["analysis"]
    return found


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, Any]]:
    assert main(["analyze", MOVES, "--level", LEVEL, "--json", *arguments]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_page_and_command_line_agree_field_by_field(
    on_the_page: dict[str, Any], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    saved = tmp_path / "analysis.json"
    moves = printed(capsys, "--save", str(saved))
    whole = json.loads(saved.read_text(encoding="utf-8"))
    assert len(on_the_page["moves"]) == 60
    for told, line in zip(on_the_page["moves"], moves, strict=True):
        for field in told.keys() | line.keys():
            assert told[field] == line[field], f"{field} of {told['move']}"
    assert whole.keys() == on_the_page.keys()
    for part in whole:
        assert whole[part] == on_the_page[part], part


def test_python_and_the_terminal_agree_with_the_page(
    on_the_page: dict[str, Any], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    analysis = analyze(MOVES, LEVEL)
    assert json.loads(json.dumps(analysis.as_dict())) == on_the_page
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setattr("sys.stdin", __import__("io").StringIO(f"analyse {LEVEL}\nquit\n"))
    assert main(["play", "--terminal", "--black", "human", "--white", "human", "--load", MOVES]) == 0
    said = re.sub(r"[ \t]+", " ", capsys.readouterr().out)
    for line in report(analysis):
        assert re.sub(r"[ \t]+", " ", line) in said
