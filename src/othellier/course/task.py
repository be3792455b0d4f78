"""What a task is, and what its check may use. How a solution is run is the business of `checking`.

A task is a file that makes a `Task` named TASK:

    from othellier.course import Failed, Task

    def check(count_discs):
        position = Position.start()
        if count_discs(position) != 4:
            raise Failed("4 discs expected", position)

    TASK = Task("discs", "Count the discs", "count_discs(position)", "Return the number of discs.", check)
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from othellier.base.text import LONGEST_TEXT, clean_line
from othellier.errors import ConfigError
from othellier.players.contract import failure
from othellier.rules.board import Position

__all__ = ["OWN", "Counted", "Failed", "Task", "Told", "find_tasks"]

OWN = Path(__file__).parent / "tasks"
"""The tasks that come with the package."""


class Told(str):
    """Words with values in them, which another language can say too.

    >>> told = Told("{count} moves expected", count=4)
    >>> told, told.template
    ('4 moves expected', '{count} moves expected')
    """

    template: str
    values: dict[str, Any]

    def __new__(cls, template: str, **values: Any) -> Self:
        """The words in English, which are the template with its values."""
        told = super().__new__(cls, template.format(**values))
        told.template, told.values = template, values
        return told


class Failed(Exception):
    """A solution is not right: what was expected and what came, and the position it was asked about."""

    def __init__(self, words: str, position: Position | None = None, **values: Any) -> None:
        """`values` are put into the words, so that they can be said in another language; long ones are cut."""
        shown = {name: clean_line(value) if isinstance(value, str) else value for name, value in values.items()}
        self.words = Told(words, **shown) if values else clean_line(words, LONGEST_TEXT)
        super().__init__(self.words)
        self.position = position


def _asked_about(*arguments: Any) -> Position | None:
    return next((one for one in arguments if hasattr(one, "board_string")), None)


@dataclass(frozen=True, slots=True)
class Task:
    """Something to be written by a student, and how it is checked."""

    name: str
    title: str
    signature: str
    """The function to write, such as `legal_moves(player, opponent)`."""
    text: str
    """What it is to do, for the student."""
    check: Callable[[Callable[..., Any]], str | None]
    """Handed the student's function: raises Failed, or says a word of praise or nothing."""
    seconds: float = 60.0
    """After which a solution is given up."""
    order: int = 100
    """Where it stands in the list."""
    position: Callable[..., Position | None] = _asked_about
    """The position to show of what the function was called with; unless given, the first that is one."""
    french: Mapping[str, str] = field(default_factory=dict)
    """The French of its title, its text and the words of its check, by their English; what is missing stays English."""

    @property
    def function(self) -> str:
        """The name of the function to write."""
        return self.signature.partition("(")[0]

    def say(self, text: str, language: str, values: Mapping[str, Any] | None = None) -> str:
        """One of its texts in a language."""
        found = self.french.get(text, text) if language == "fr" else text
        return found.format(**values) if values else found


class Counted:
    """A position that counts how many positions a search makes of it: one for itself, one for every `play`."""

    def __init__(self, position: Position, counter: list[int] | None = None) -> None:
        self.position = position
        self.counter = [0] if counter is None else counter
        self.counter[0] += 1

    @property
    def visited(self) -> int:
        """Positions made so far."""
        return self.counter[0]

    def play(self, move: int) -> Counted:
        """The position after a move, -1 for a pass."""
        return Counted(self.position.play(move), self.counter)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.position, name)


def find_tasks(folders: Sequence[Path] = ()) -> list[Task]:
    """The tasks that come with the package, and those of more folders; a name of one's own takes the place of ours."""
    found: dict[str, Task] = {}
    for folder in (OWN, *folders):
        if not folder.is_dir():
            raise ConfigError(f"{folder}: there is no such folder of tasks")
        for task in _read(folder):
            found[task.name] = task
    return sorted(found.values(), key=lambda task: (task.order, task.name))


def _read(folder: Path) -> Iterator[Task]:
    for path in sorted(folder.glob("*.py")):
        if path.name.startswith("_"):
            continue
        spec = importlib.util.spec_from_file_location(f"othellier_task_{path.stem}", path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        try:
            spec.loader.exec_module(module)
        except Exception as error:  # a teacher's file
            raise ConfigError(f"{path} cannot be loaded: {failure(error)}") from error
        task = getattr(module, "TASK", None)
        if not isinstance(task, Task):
            raise ConfigError(f"{path} has no TASK: a task file makes one, see docs/teaching.md")
        yield task
