"""The trace of a game played in the terminal: saved when it has ended, or when asked for."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from othellier import records
from othellier.engine.engine import HASH_MB, default_threads
from othellier.games.game import Game
from othellier.games.results import Result
from othellier.openings.book import shipped
from othellier.openings.move_chances import add_chances
from othellier.records import forest
from othellier.rules.board import Color


class Tracer:
    """Counts what the machines of a game search, and writes its trace."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder
        """Where the trace of each game goes; None where none is wanted."""
        self._nodes, self._seconds = 0, 0.0

    def count(self, result: Result) -> None:
        """A machine has moved."""
        self._nodes += result.nodes
        self._seconds += result.seconds

    def told(self, game: Game, machines: Mapping[Color, str], over: bool) -> Game:
        """A copy of a game with what a trace says of the program; `machines` are the players of each colour."""
        copy = game.copy()
        book = shipped()
        add_chances(copy, book)
        strong = any(name.startswith("engine") for name in machines.values())
        copy.headers.extra |= forest.facts(
            level=", ".join(name.removeprefix("engine:level=") for name in machines.values()),
            computer=", ".join(machines),
            cores_used=default_threads() if strong else None,
            table_mb=HASH_MB if strong else None,
            speed=self._nodes / self._seconds if self._nodes and self._seconds else None,
            book="not used" if book is None or not strong else book.facts,
        )
        if over:
            copy.headers.extra["End"] = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        return copy

    def save(self, game: Game) -> Path:
        """Write a trace, named by date and time; another of the same second is left as it is."""
        folder = self.folder or Path()
        for each in (folder.parent, folder):  # only their owner may read them, where they are made here
            each.mkdir(mode=0o700, parents=True, exist_ok=True)
        name, number = forest.trace_name(), 1
        path = folder / f"{name}.log"
        while path.exists():
            number += 1
            path = folder / f"{name} {number}.log"
        records.write([game], path, "trace")
        return path
