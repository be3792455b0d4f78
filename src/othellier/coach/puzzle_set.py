"""The graded puzzles that come with the package: positions near the end of a game, solved to the last disc.

A file of them is JSON: `version`, the `recipe` it was made by, and `puzzles`, an object each. `puzzle_making` makes
one, `puzzle_play` has one played.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, Literal, get_args

from othellier.base.files import read_file, write_file
from othellier.errors import OthellierError, RecordError
from othellier.openings.keys import key_of
from othellier.rules.board import Position
from othellier.rules.geometry import STANDARD, parse_square, square_name

__all__ = ["THEMES", "GradedPuzzle", "PuzzleSet", "Theme", "puzzle_name", "shipped_puzzles"]

Theme = Literal["corners", "x_squares", "quiet", "parity", "swindles", "win8"]
"""What a puzzle is about; `win8` is to win from eight empty squares."""
THEMES: tuple[Theme, ...] = get_args(Theme)
"""In the order in which one learns them."""
GRADES = (1, 2, 3)
MOST_TURNS = 8
MOST_EMPTIES = 20
"""Empty squares up to which a puzzle is solved while somebody waits."""
VERSION = 1


def puzzle_name(position: Position) -> str:
    """What a puzzle is remembered by: its position up to symmetry."""
    player, opponent = key_of(position)
    return f"{player:016x}{opponent:016x}"


@dataclass(frozen=True, slots=True)
class GradedPuzzle:
    """A position with a right answer that is proven."""

    theme: Theme
    grade: int
    """How hard it is, from 1, where the first glance is right, to 3."""
    position: Position
    answers: tuple[int, ...]
    """The right first moves."""
    turns: int
    """Moves to be found one after the other, at most; fewer where the game ends before."""

    @property
    def name(self) -> str:
        """What it is remembered by."""
        return puzzle_name(self.position)

    @property
    def wants_win(self) -> bool:
        """Whether every move that wins is right, not only the best one."""
        return self.theme == "win8"

    def as_dict(self) -> dict[str, Any]:
        """In plain values."""
        return {
            "theme": self.theme,
            "grade": self.grade,
            "turns": self.turns,
            "board": self.position.board_string(),
            "answers": [square_name(move, STANDARD) for move in self.answers],
        }


@dataclass(frozen=True, slots=True)
class PuzzleSet:
    """Puzzles, and how they were made."""

    recipe: dict[str, str | int]
    puzzles: tuple[GradedPuzzle, ...]

    def __iter__(self) -> Iterator[GradedPuzzle]:
        return iter(self.puzzles)

    def __len__(self) -> int:
        return len(self.puzzles)

    def find(self, name: str) -> GradedPuzzle | None:
        """A puzzle by its name."""
        return next((puzzle for puzzle in self.puzzles if puzzle.name == name), None)

    def write(self, path: Path) -> None:
        """Write the file, a line a puzzle."""
        lines = ",\n".join(json.dumps(puzzle.as_dict()) for puzzle in self.puzzles)
        head = f'{{"version": {VERSION},\n"recipe": {json.dumps(self.recipe)},\n"puzzles": [\n'
        write_file(path, [f"{head}{lines}\n]}}\n".encode()])

    @classmethod
    def read(cls, path: Path) -> PuzzleSet:
        """Read a file; whatever is wrong with it is one `RecordError`, which says where."""
        try:
            told = json.loads(read_file(path))
            version, recipe, rows = told["version"], dict(told["recipe"]), list(told["puzzles"])
        except (KeyError, TypeError, ValueError, RecursionError) as error:
            if isinstance(error, RecordError):
                raise
            raise RecordError(str(path), "", "is no file of puzzles, or it is damaged") from None
        if version != VERSION:
            raise RecordError(str(path), "", f"has version {version}, this program reads {VERSION}: please update")
        found = []
        for number, row in enumerate(rows, 1):
            try:
                found.append(_puzzle(row))
            except (KeyError, TypeError, AttributeError, ValueError) as error:
                reason = str(error) if isinstance(error, OthellierError) else f"it is damaged: {error!r}"
                raise RecordError(str(path), f"puzzle {number}", " ".join(reason.split())) from None
        return cls(recipe, tuple(found))


def _puzzle(row: dict[str, Any]) -> GradedPuzzle:
    position = Position.parse(row["board"], STANDARD)
    answers = tuple(parse_square(answer, STANDARD) for answer in row["answers"])
    if row["theme"] not in THEMES or row["grade"] not in GRADES or row["turns"] not in range(1, MOST_TURNS + 1):
        raise ValueError("theme, grade or turns")
    if not answers or not all(position.is_legal(answer) for answer in answers):
        raise ValueError("an answer is no legal move")
    if position.empties > MOST_EMPTIES:
        raise ValueError(f"more than {MOST_EMPTIES} empty squares")
    return GradedPuzzle(row["theme"], row["grade"], position, answers, row["turns"])


@cache
def shipped_puzzles() -> PuzzleSet:
    """The puzzles that come with the package."""
    with resources.as_file(resources.files("othellier") / "data" / "puzzles.json") as path:
        return PuzzleSet.read(path)
