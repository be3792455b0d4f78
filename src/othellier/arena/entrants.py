"""The players of a folder: every Python file in it is one, named by its file.

Each is made once, behind its guard, before anything is played. A file that cannot play is told of in one line, and
the others go on without it.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from othellier.arena.guard import FILE, READY, Guard
from othellier.base.system import cores
from othellier.base.text import clean_line
from othellier.errors import ConfigError, OthellierError
from othellier.players.registry import ONLY
from othellier.rules import native
from othellier.rules.geometry import STANDARD, Size

__all__ = ["MEMORY", "Entrant", "find_entrants", "player_files"]

MEMORY = 512
"""Megabytes a player of a folder may take, unless told otherwise."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A file of the folder, and why it does not play, if so."""

    name: str
    path: Path
    file: str
    """Where it is in the folder."""
    problem: str = ""

    @property
    def spec(self) -> str:
        """Its player string."""
        return f"{self.path.with_suffix('')}{FILE}{ONLY}"


def player_files(folder: Path) -> list[Path]:
    """The files of players in a folder and the folders in it, by name; of one name, that which lies highest first."""
    if not folder.is_dir():
        raise ConfigError(f"{folder}: there is no such folder of players")
    return sorted(
        (path for path in folder.rglob("*.py") if not any(part[0] in "_." for part in path.relative_to(folder).parts)),
        key=lambda path: (path.stem.lower(), len(path.parts), str(path)),
    )


def find_entrants(
    folder: Path,
    *,
    memory: int = MEMORY,
    patience: float = READY,
    size: Size = STANDARD,
    told: Callable[[Entrant], None] | None = None,
) -> list[Entrant]:
    """Every file of a folder and the folders in it, by name; names that begin with `_` or `.` are left out."""
    paths = player_files(folder)
    seen: dict[str, Path] = {}
    found: list[Entrant] = []
    for path in paths:
        first = seen.setdefault(path.stem.lower(), path)
        twice = "" if first is path else f"{first.relative_to(folder)} has the same name and plays"
        found.append(Entrant(path.stem, path.resolve(), str(path.relative_to(folder)), twice))

    def check(entrant: Entrant) -> Entrant:
        if entrant.problem:
            return entrant
        guard = Guard(entrant.spec, patience, memory)
        try:
            guard.begin(native.start(size), 0)
        except OthellierError as error:
            words = clean_line(str(error).replace(f"player {guard.spec!r}: ", "").replace(str(entrant.path), path_name))
            return replace(entrant, problem=words)
        finally:
            guard.close()
        return entrant

    path_name = "the file"
    with ThreadPoolExecutor(cores()) as pool:
        checked = []
        for entrant in pool.map(check, found):
            checked.append(entrant)
            if told is not None:
                told(entrant)
    return checked
