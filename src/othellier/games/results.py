"""What a player is asked and what it answers: `Limit` goes down, `Result` comes up.

Both are plain values shared by every player, search and engine. How a limit is kept is the search's
own business; how a clock is turned into time for one move stands in timing.py.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from operator import index
from typing import Literal, ParamSpec, SupportsIndex, TypeVar

from othellier.errors import ConfigError, WrongType, expect
from othellier.rules.board import Color

__all__ = [
    "LARGEST",
    "Bound",
    "Limit",
    "MoveSource",
    "MoveValue",
    "Result",
    "ResultBound",
    "Stop",
    "clocked",
    "compared",
    "in_thread",
    "limited",
    "stoppable",
]

P = ParamSpec("P")
T = TypeVar("T")

Bound = Literal["exact", "lower", "upper"]
"""A value within the window of its search is the one found; beyond it, the value found is at least or at most this."""

ResultBound = Literal["exact", "lower", "upper", "estimate"]
"""The score is the proven value of the move (`exact`), or the value is at least or at most the score, or nothing is
proven (`estimate`)."""

MoveSource = Literal["book", "search", "exact", "policy", "choice"]
"""Where a move comes from: an opening book, a search with an estimate, a proof to the end of the game,
a rule without search, or somebody's free choice (a human, a die, another program)."""


LARGEST = {"depth": 2**31 - 1, "nodes": 2**64 - 1}
"""What the compiled core can be given."""


class Stop:
    """Ends whatever was asked with it, from any thread: a search under way ends soon with the best it has found, one
    that has not begun yet answers after a glance. Once set it stays so; each request has its own.

    >>> stop = Stop()
    >>> stop.is_set(), stop.set(), stop.is_set()
    (False, None, True)
    """

    def __init__(self) -> None:
        self._set = False
        self._guard = threading.RLock()
        self._calls: list[Callable[[], None]] = []

    def is_set(self) -> bool:
        """Whether somebody wants an end."""
        return self._set

    def set(self) -> None:
        """Say that an end is wanted."""
        with self._guard:
            self._set = True
            for call in self._calls:
                call()

    @contextmanager
    def calling(self, call: Callable[[], None]) -> Iterator[None]:
        """While the block runs, `set` calls this function too; at once where it is set already.

        A function that is forgotten where nothing runs yet must look at `is_set` itself once it runs.
        """
        with self._guard:
            self._calls.append(call)
            if self._set:
                call()
        try:
            yield
        finally:
            with self._guard:
                self._calls.remove(call)

    def __reduce__(self) -> tuple[type[Stop], tuple[()]]:
        return Stop, ()  # nobody can be reached in another process


@dataclass(frozen=True, slots=True)
class Limit:
    """How long to think about one move. Whatever is reached first ends it; nothing set leaves it to the player.

    >>> Limit(depth=8, time=0.5)
    Limit(depth=8, nodes=None, time=0.5, clock=None, increment=0.0, selectivity=None, infinite=False)
    """

    depth: int | None = None
    """Plies to look ahead."""
    nodes: int | None = None
    """Positions to visit."""
    time: float | None = None
    """Seconds for this move."""
    clock: float | None = None
    """Seconds left for the rest of the game."""
    increment: float = 0.0
    """Seconds added to the clock after each move."""
    selectivity: int | None = None
    """Confidence asked of forward pruning, in per cent; 100 forbids it."""
    infinite: bool = False
    """Think until told to stop."""
    stop: Stop | None = field(default=None, repr=False, compare=False)
    """Whoever asks keeps it, and sets it to have an answer now."""

    def __post_init__(self) -> None:
        for name, most in LARGEST.items():
            value = getattr(self, name)
            expect(f"limit {name}", value, (SupportsIndex, type(None)), "a whole number")
            if value is not None and index(value) > most:
                raise ConfigError(f"limit {name} is above {most}")
        for name in ("depth", "nodes", "time", "clock", "increment"):
            value = getattr(self, name)
            try:
                bad = value is not None and not value >= 0  # written so that NaN is refused too
            except TypeError:
                raise WrongType.of(f"limit {name}", value, "a number") from None
            if bad:
                raise ConfigError(f"limit {name}={value} is not a number from 0 on")
        if self.selectivity is not None and not 0 < self.selectivity <= 100:
            raise ConfigError(f"limit selectivity={self.selectivity} is not a percentage from 1 to 100")
        if self.infinite and any(value is not None for value in (self.depth, self.nodes, self.time, self.clock)):
            raise ConfigError("an infinite limit takes no depth, nodes, time or clock")


def clocked(clock: float | str | None, time: float | None = None) -> Limit:
    """A limit with a clock: seconds for the whole game, also as text, and with `+` what each move adds.

    >>> clocked("60+0.5")
    Limit(depth=None, nodes=None, time=None, clock=60.0, increment=0.5, selectivity=None, infinite=False)
    """
    if clock is None:
        return Limit(time=time)
    seconds, plus, increment = str(clock).partition("+")
    try:
        left, added = float(seconds), float(increment) if plus else 0.0
    except ValueError:
        left = math.nan
    if not (0 < left < math.inf and 0 <= added < math.inf):
        raise ConfigError(f"clock {clock!r}: seconds for a game and for each move expected, such as 60 or 60+0.5")
    return Limit(time=time, clock=left, increment=added)


def limited(limit: Limit | None, depth: int | None, time: float | None, nodes: int | None, default: Limit) -> Limit:
    """What somebody asks for by a limit, by depth, time or nodes alone, or by nothing, which is the default.

    >>> limited(None, 4, None, None, Limit(depth=12)).depth, limited(None, None, None, None, Limit(depth=12)).depth
    (4, 12)
    """
    if depth is None and time is None and nodes is None:
        return default if limit is None else limit
    if limit is not None:
        raise ConfigError("give a Limit, or depth, time and nodes, not both")
    return Limit(depth=depth, time=time, nodes=nodes)


@dataclass(frozen=True, slots=True)
class MoveValue:
    """What a search found of one of the moves it chose among.

    >>> from othellier import answer, create_player, start
    >>> result = answer(create_player("minimax:depth=1,eval=absolute"), start())
    >>> [(found.move, found.value) for found in result.moves][:2]
    [(19, 3), (26, 3)]
    """

    move: int
    value: float
    """For the side to move, in the unit of the search: of its evaluator, or the share of points won."""
    bound: Bound = "exact"
    """`upper` where the search only proved that the move is worth no more than this."""
    visits: int = 0
    """How often a Monte-Carlo search went that way."""


@dataclass(frozen=True, slots=True)
class Result:
    """One answer: a move and what is known about it, seen by `turn`, the side that was to move."""

    move: int
    """A square, or PASS."""
    turn: Color
    """The side to move of the position asked about: the score's point of view."""
    score: float | None = None
    """Final disc difference expected by `turn`; None from those who do not judge positions."""
    bound: ResultBound = "exact"
    """Relation of the score to the value of the move. `exact` becomes `estimate` where the source proves nothing."""
    depth: int = 0
    nodes: int = 0
    seconds: float = 0.0
    pv: tuple[int, ...] = ()
    """The line of best play, this move first; passes included."""
    source: MoveSource = "choice"
    selectivity: int = 100
    """Confidence of the forward pruning used, in per cent; 100 means none."""
    moves: tuple[MoveValue, ...] = ()
    """Every move a classical search looked at, in the order it did; empty from other players."""
    may_be_beaten: bool = False
    """Another move is worth more than the proven score, or nothing proves that none is: a limit ended the search before
    it had compared them all, or this is the value of another move than the best."""

    def __post_init__(self) -> None:
        if self.bound == "exact" and not (self.source == "exact" and self.selectivity == 100):
            object.__setattr__(self, "bound", "estimate")

    @property
    def is_exact(self) -> bool:
        """True if the score is proven to be the value of the position, which no other move can beat."""
        return self.is_move_exact and not self.may_be_beaten

    @property
    def is_move_exact(self) -> bool:
        """True if the score is proven to be the value of this move; another may be better.

        >>> slow = Result(19, "black", 4.0, source="exact", may_be_beaten=True)
        >>> slow.is_move_exact, slow.is_exact
        (True, False)
        """
        return self.bound == "exact"

    def score_for(self, color: Color) -> float | None:
        """The score as this colour sees it.

        >>> Result(19, "black", score=3.0, source="search").score_for("white")
        -3.0
        """
        return self.score if self.score is None or color == self.turn else -self.score


def compared(lines: Sequence[Result]) -> list[Result]:
    """Return the values of all moves of a position, each marked with whether another move may be worth more.

    >>> best, other = Result(19, "black", 4.0, source="exact"), Result(26, "black", 2.0, source="exact")
    >>> [line.is_exact for line in compared([best, other])]
    [True, False]
    """
    most = max(_most(line) for line in lines)
    return [replace(line, may_be_beaten=line.is_move_exact and _most(line) < most) for line in lines]


def _most(line: Result) -> float:
    """Return the most that a move can be worth by what is proven of it."""
    proven = line.source == "exact" and line.selectivity == 100 and line.bound in ("exact", "upper")
    return line.score if proven and line.score is not None else math.inf


# -- asking from an event loop


def stoppable(limit: Limit) -> Limit:
    """The same limit, with a `Stop` of its own where it has none.

    >>> stoppable(Limit(depth=4)).stop.is_set()
    False
    """
    return limit if limit.stop is not None else replace(limit, stop=Stop())


async def in_thread(stop: Stop | None, ask: Callable[P, T], *arguments: P.args, **options: P.kwargs) -> T:
    """Call something slow in a thread of its own and await it. If the task is cancelled, `stop` is set, and the end of
    the call awaited.

    >>> import asyncio
    >>> asyncio.run(in_thread(None, max, 2, 3))
    3
    """
    import asyncio  # not before: it takes longer to import than all of this

    work = asyncio.ensure_future(asyncio.to_thread(ask, *arguments, **options))
    try:
        return await asyncio.shield(work)
    except asyncio.CancelledError:
        if stop is not None:
            stop.set()
        await asyncio.wait([work])
        raise
