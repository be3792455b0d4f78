"""The engine of another build as a player: `build:REVISION,time=0.1`.

Each player is a process of its own that imports that build's package and asks its engine, told what to do in lines of
JSON: so two revisions play each other under the same conditions, one thread each, no book, tables of the same size. The
other end is `build_server.py`, which is this build's even where the package it imports is not. Finding and compiling
builds is the business of `builds.py`.
"""

from __future__ import annotations

import json
import shlex
import sys
import time as clock
from pathlib import Path
from typing import Any

from othellier.base.builds import INSTALLED, find_build
from othellier.errors import ConfigError, PlayerError
from othellier.games.results import Limit, Result
from othellier.players.contract import Player
from othellier.players.program import Program
from othellier.players.registry import register
from othellier.rules.board import Position

__all__ = ["BuildPlayer", "resolve_build"]

SERVER = Path(__file__).parent / "build_server.py"
PATIENCE = 60.0
"""Seconds a build has to start, and beyond its time to answer."""
WITHOUT_TIME = 3600.0
"""Seconds for a move where nothing limits its time."""
USUAL = 1.0
"""Seconds a move where neither the player nor the game says how long it may take."""
PREFIX = "build:"
FIELDS = ("depth", "nodes", "time", "clock", "increment", "selectivity")


@register("build", example=f"build:{INSTALLED},depth=3,hash=1")
class BuildPlayer(Player):
    """The engine of another revision, source tree or build of this package; `installed` is the one that runs.

    >>> from othellier import answer, start
    >>> with BuildPlayer("installed", depth=3) as player:
    ...     answer(player, start()).depth
    3
    """

    def __init__(
        self,
        revision: str,
        *,
        time: float | None = None,
        nodes: int | None = None,
        depth: int | None = None,
        threads: int = 1,
        hash: int = 64,  # noqa: A002 - the word of player strings
        weights: str | None = None,
        networks: str | None = None,
    ) -> None:
        if sum(value is not None for value in (time, nodes, depth)) > 1:
            raise ConfigError("build: give a time, nodes or a depth, one of them")
        self.build = find_build(revision)
        self._free = time is None and nodes is None and depth is None
        self._nodes = nodes
        # Nodes are a matter of the limit: no revision's engine had an option for them when this was written.
        own: dict[str, object] = {"time": time, "depth": 60 if time is None and depth is None else depth}
        own |= {"threads": threads, "hash": hash, "weights": weights, "networks": networks}
        options = ",".join(f"{key}={value}" for key, value in own.items() if value is not None)
        self._command = shlex.join([sys.executable, "-P", str(SERVER), self.build.path, f"engine:{options}"])
        self._observed: list[int] = []
        self._start: Position | None = None
        self._program = self._open()

    def new_game(self, start: Position) -> None:
        """Tell it that a game begins."""
        self._observed.clear()
        self._start = start
        self._ask({"start": _board(start)}, PATIENCE)

    def choose(self, position: Position, limit: Limit) -> Result:
        """That engine's move; the time is ours, from asking to hearing."""
        asked = {name: getattr(limit, name) for name in FIELDS if getattr(limit, name) is not None}
        if self._free and asked.keys().isdisjoint(("time", "nodes", "depth", "clock")):
            asked["time"] = USUAL
        if self._nodes is not None:
            asked["nodes"] = min(self._nodes, asked.get("nodes", self._nodes))
        request = {"board": _board(position), "observed": list(self._observed), "limit": asked}
        self._observed.clear()
        begin = clock.perf_counter()
        reply = self._ask(request, PATIENCE + asked.get("time", WITHOUT_TIME))
        spent = clock.perf_counter() - begin
        try:
            score = None if reply["score"] is None else float(reply["score"])
            move, depth, nodes = (int(reply[name]) for name in ("move", "depth", "nodes"))
        except (KeyError, TypeError, ValueError):
            raise self._program.failure("that is no answer") from None
        return Result(move, position.turn, score, depth=depth, nodes=nodes, seconds=spent, pv=(move,), source="search")

    def observe(self, move: int) -> None:
        """Kept until it is asked: what it would do with the news meanwhile is nothing."""
        self._observed.append(move)

    @property
    def process_id(self) -> int | None:
        """The build's process."""
        return self._program.process_id

    def close(self) -> None:
        """End the process."""
        self._program.close("")

    def _open(self) -> Program:
        program = Program(self._command)
        program.send("{}", PATIENCE)
        self._read(program)
        return program

    def _ask(self, request: dict[str, Any], seconds: float) -> dict[str, Any]:
        if not self._program.alive:  # it failed: the next game has another chance
            self._program.close("")
            self._program = self._open()
            if self._start is not None and "start" not in request:
                self._ask({"start": _board(self._start)}, PATIENCE)
        self._program.send(json.dumps(request), seconds)
        return self._read(self._program)

    def _read(self, program: Program) -> dict[str, Any]:
        try:
            reply = json.loads(program.receive())
        except json.JSONDecodeError:
            reply = None
        if not isinstance(reply, dict):
            raise program.failure("that is no answer")
        if "error" in reply:
            raise PlayerError(f"build {self.build.name}: {reply['error']}")
        return reply


def resolve_build(spec: str) -> str:
    """The player string of a build with its revision settled, whatever is committed while a match goes on.

    >>> resolve_build("random:seed=1"), resolve_build("build:installed,depth=2")
    ('random:seed=1', 'build:installed,depth=2')
    """
    if not spec.startswith(PREFIX):
        return spec
    text, comma, options = spec.removeprefix(PREFIX).partition(",")
    build = find_build(text.strip())
    return f"{PREFIX}{build.folder or INSTALLED}{comma}{options}"


def _board(position: Position) -> list[object]:
    return [f"{position.player:x}", f"{position.opponent:x}", position.turn, str(position.size)]
