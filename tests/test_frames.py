"""The number of calls on the way to the engine, so that the path of a move stays short enough to be read."""

import contextlib
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from board import board, new_game, server

import othellier
from othellier.cli import main
from othellier.engine.engine import Engine

PACKAGE = str(Path(othellier.__file__).parent)
ENGINE = {method.__code__ for method in (Engine.search, Engine.solve, Engine.analyze, Engine.play)}


@contextlib.contextmanager
def calls() -> Iterator[list[int]]:
    """Collect how many functions of the package have led to each search of the engine, within its thread."""
    found: list[int] = []

    def look(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code in ENGINE:
            caller, count = frame.f_back, 0
            while caller is not None:
                count += caller.f_code.co_filename.startswith(PACKAGE)
                caller = caller.f_back
            found.append(count)

    threading.setprofile(look)
    sys.setprofile(look)
    try:
        yield found
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


def test_from_a_match_to_the_engine(capsys: pytest.CaptureFixture[str]) -> None:
    with calls() as found:
        assert main(["match", "engine:depth=1", "random", "--games", "2", "--executor", "here"]) == 0
    assert found
    assert min(found) <= 17, "more calls than in November 2026"


def test_from_a_click_to_the_engine() -> None:
    machine = {"kind": "player", "spec": "engine:depth=1"}
    with calls() as found, server() as client:
        game = new_game(client, black={"kind": "human"}, white=machine)
        with board(client, game["game"]) as tab:
            tab.do("move", square="f5")
            tab.until(your_turn=True)
    assert found
    assert min(found) <= 5, "more calls than in November 2026"
