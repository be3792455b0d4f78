"""Every error a user can meet, and nothing else.

    OthellierError(ValueError)
    ├── IllegalMove        a move the rules forbid, with the square and the position
    ├── InvalidPosition    a board, size or square that cannot exist
    ├── WrongType          an argument of the wrong kind (a TypeError too), with what to give instead
    ├── RecordError        a file or text that cannot be read, with where and why
    │   └── BadMove        a move of a transcript that cannot be played, with those before it that can
    ├── ConfigError        a player string, an option or a configuration that makes no sense
    ├── PlayerError        a player that failed: no answer, a wrong answer, a dead program
    │   └── Resigned       a player that gave the game up
    ├── WeightsError       a weights file that is short, foreign or damaged
    ├── RequestError       something asked of a running game that cannot be done there, with a code and data
    └── MissingExtra       a feature whose optional dependency is not installed

The command line prints the message of any of these as one line and exits with status 2.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

__all__ = [
    "NO_THREAD",
    "BadMove",
    "ConfigError",
    "IllegalMove",
    "InvalidPosition",
    "MissingExtra",
    "OthellierError",
    "PlayerError",
    "RecordError",
    "RequestError",
    "Resigned",
    "WeightsError",
    "WrongType",
    "closest",
    "expect",
    "extra",
    "install_command",
    "nearest",
]


NO_THREAD = "the system cannot start another thread: end other programs, or allow more processes or memory"
"""The message of the compiled core where it cannot do without another thread."""


class OthellierError(ValueError):
    """The root of all errors raised on purpose by this package.

    >>> import othellier
    >>> try:
    ...     othellier.start().play("a1")
    ... except OthellierError as error:
    ...     print(type(error).__name__)
    IllegalMove
    """


class InvalidPosition(OthellierError):
    """A board, a size or a square that cannot exist.

    >>> import othellier
    >>> othellier.start(5)  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    othellier.errors.InvalidPosition: a size is even
    """


class IllegalMove(OthellierError):
    """A move the rules forbid; within a game `ply` says which move it would have been, counted from 1.

    >>> error = IllegalMove("a1", "-" * 64)
    >>> error.move, error.reason
    ('a1', 'it flips nothing')
    """

    def __init__(self, move: str, board: str, reason: str = "it flips nothing", ply: int | None = None) -> None:
        self.move = move
        self.board = board
        self.reason = reason
        self.ply = ply
        place = "" if ply is None else f" at ply {ply}"
        super().__init__(f"illegal move {move}{place}: {reason} ({board})")

    def __reduce__(self) -> tuple[type[IllegalMove], tuple[str, str, str, int | None]]:
        return IllegalMove, (self.move, self.board, self.reason, self.ply)


class WrongType(OthellierError, TypeError):
    """An argument of the wrong kind; the message says what to give instead.

    >>> import othellier
    >>> othellier.square_name("f5")  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    othellier.errors.WrongType: square 'f5' is of type str: a whole number expected
    """

    @classmethod
    def of(cls, name: str, value: object, expected: str) -> WrongType:
        """The error of an argument: its name, what it was, and what was expected."""
        shown = repr(value)
        shown = shown if len(shown) <= 60 else f"{shown[:57]}..."
        return cls(f"{name} {shown} is of type {type(value).__name__}: {expected} expected")


def expect(name: str, value: object, kind: type | tuple[type, ...], expected: str) -> None:
    """Refuse an argument that is not of a type; `expected` says in words what to give.

    >>> expect("depth", "six", int, "a whole number")
    Traceback (most recent call last):
    othellier.errors.WrongType: depth 'six' is of type str: a whole number expected
    """
    if not isinstance(value, kind):
        raise WrongType.of(name, value, expected)


class RecordError(OthellierError):
    """A record that cannot be read: `file` names it, `where` is a line, a byte or a ply.

    >>> error = RecordError("games.ggf", "line 3", "a move is missing")
    >>> error.file, error.where
    ('games.ggf', 'line 3')
    """

    def __init__(self, file: str, where: str, reason: str) -> None:
        self.file = file
        self.where = where
        self.reason = reason
        place = f"{file}, {where}" if where else file
        super().__init__(f"{place}: {reason}")

    def __reduce__(self) -> tuple[type[RecordError], tuple[str, str, str]]:
        return RecordError, (self.file, self.where, self.reason)


class BadMove(RecordError):
    """A move of a transcript that cannot be played.

    `number` counts the moves from 1, passes left out; `move` is what stands there; `why` is a word for the reason
    (`no_square`, `taken`, `flips_nothing`, `over`, `no_pass`, `too_long`); `good` are the moves before it.

    >>> import othellier
    >>> try:
    ...     othellier.read("F5D6A1")
    ... except BadMove as error:
    ...     print(error.number, error.move, error.why, error.good)
    3 a1 flips_nothing F5D6
    """

    def __init__(self, file: str, where: str, reason: str, number: int, move: str, why: str, good: str) -> None:
        super().__init__(file, where, reason)
        self.number, self.move, self.why, self.good = number, move, why, good

    def at(self, file: str, where: str) -> BadMove:
        """The same, in a file and at a place of it."""
        return BadMove(file, where, self.reason, self.number, self.move, self.why, self.good)

    def __reduce__(self) -> tuple[type[BadMove], tuple[str, str, str, int, str, str, str]]:  # type: ignore[override]
        return BadMove, (self.file, self.where, self.reason, self.number, self.move, self.why, self.good)


class ConfigError(OthellierError):
    """A player string, an option or a configuration that makes no sense.

    >>> import othellier
    >>> othellier.create_player("engine:depth=deep")
    Traceback (most recent call last):
    othellier.errors.ConfigError: player 'engine:depth=deep': option depth=deep: a whole number expected
    """


class PlayerError(OthellierError):
    """A player that failed to give a legal answer.

    >>> import othellier
    >>> player = othellier.create_player(lambda position: "a1")
    >>> othellier.answer(player, othellier.start())  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    othellier.errors.PlayerError: ...a1...
    """


class Resigned(PlayerError):
    """A player that gave the game up, which is no mistake of its own.

    >>> issubclass(Resigned, PlayerError)  # who waits for failures hears of it too
    True
    """


class WeightsError(OthellierError):
    """A weights file that is short, foreign or damaged.

    >>> import othellier
    >>> othellier.Engine(weights=__file__)  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    othellier.errors.WeightsError: this is no file of weights
    """


class RequestError(OthellierError):
    """Something asked of a running game that cannot be done: `code` names the case, `data` its particulars.

    >>> error = RequestError("too_late", "the game is over", move=60)
    >>> error.code, error.data
    ('too_late', {'move': 60})
    """

    def __init__(self, code: str, message: str, **data: str | int | float) -> None:
        self.code = code
        self.message = message
        self.data = data
        super().__init__(message)

    def __reduce__(self) -> tuple[type[RequestError], tuple[str, str], dict[str, object]]:
        return RequestError, (self.code, self.message), {"data": self.data}


class MissingExtra(OthellierError):
    """A feature whose optional dependency is not installed.

    >>> print(MissingExtra("the laboratory", "lab"))  # doctest: +ELLIPSIS
    the laboratory needs the extra lab: ...python... -m pip install 'matplotlib>=...'
    """

    def __init__(self, feature: str, extra: str) -> None:
        self.feature = feature
        self.extra = extra
        super().__init__(f"{feature} needs the extra {extra}: {install_command(extra)}")

    def __reduce__(self) -> tuple[type[MissingExtra], tuple[str, str]]:
        return MissingExtra, (self.feature, self.extra)


def install_command(extra: str) -> str:
    """Return the command that installs what an extra brings into the environment that runs.

    It names the packages themselves: `pip install othellier[lab]` would install this package again.

    >>> install_command("lab")  # doctest: +ELLIPSIS
    "...python... -m pip install 'matplotlib>=...'"
    """
    import shlex
    import sys
    from importlib import metadata

    try:
        requirements = metadata.requires("othellier") or []
    except metadata.PackageNotFoundError:  # run from its sources
        requirements = []
    parts = (requirement.partition(";") for requirement in requirements)
    packages = [package.strip() for package, _, marker in parts if f"extra=={extra}" in re.sub(r"[\s'\"]", "", marker)]
    return shlex.join([sys.executable or "python", "-m", "pip", "install", *(packages or [f"othellier[{extra}]"])])


def closest(word: str, known: Iterable[str]) -> str:
    """The known word that somebody who typed this may have meant; empty where none is like it.

    >>> closest("dept", ["depth", "time"]), closest("size", ["depth", "time"])
    ('depth', '')
    """
    import difflib

    return next(iter(difflib.get_close_matches(word, known, n=1)), "")


def nearest(word: str, known: Iterable[str]) -> str:
    """The end of a message about a wrong word: the known one nearest to it, or all of them.

    >>> "unknown option 'dept'" + nearest("dept", ["depth", "time"])
    "unknown option 'dept', did you mean 'depth'?"
    """
    names = sorted(known)
    if near := closest(word, names):
        return f", did you mean {near!r}?"
    return f", known: {', '.join(names)}" if names else ", none is known"


@contextmanager
def extra(name: str, feature: str) -> Iterator[None]:
    """Around imports that an extra brings: where they fail, say in one line what to install.

    >>> with extra("learn", "training"):  # doctest: +ELLIPSIS
    ...     import no_such_package
    Traceback (most recent call last):
    othellier.errors.MissingExtra: training needs the extra learn: ...python... -m pip install 'torch>=...'
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "othellier":
            raise
        raise MissingExtra(feature, name) from None
