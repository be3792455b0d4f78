"""What every classical search shares: its options, its counters and what it finds.

No search is here. The algorithms are in `minimax` and `alphabeta`, the order in which they look at moves in
`ordering`, the positions they remember in `table`; `mcts` is a world of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, Protocol, get_args

from othellier.errors import ConfigError, nearest
from othellier.evaluation.evaluators import Evaluate, Evaluator, positional
from othellier.games.results import MoveValue
from othellier.reference import final_score
from othellier.rules.board import Count

__all__ = [
    "DEFAULT_DEPTH",
    "INFINITE",
    "MAX_DEPTH",
    "WIN",
    "Algorithm",
    "Backend",
    "Counters",
    "Options",
    "Order",
    "SearchOutcome",
    "StopSign",
    "check_choice",
    "check_range",
    "finished_value",
]

Algorithm = Literal["minimax", "alphabeta", "negamax", "nega-alphabeta", "pvs"]
Order = Literal["none", "random", "squares", "discs", "both", "killers", "history", "evaluator"]
Backend = Literal["auto", "native", "python"]

DEFAULT_DEPTH = 4

MAX_DEPTH = 60
"""The moves of a whole game on 8x8."""

WIN = 1_000_000
"""A won game is worth this and the discs it is won by: more than any evaluator gives."""

INFINITE = 2 * WIN


class StopSign(Protocol):
    """Anything that can be asked whether to stop: `results.Stop` and `threading.Event` are such."""

    def is_set(self) -> bool:
        """Whether the search should end now."""


@dataclass(slots=True)
class Counters:
    """What a search did.

    >>> from othellier import start
    >>> from othellier.search import Options, search
    >>> search(start(), Options("minimax", depth=2)).counters.leaves
    12
    """

    nodes: int = 0
    """Positions visited, as often as they were; passes too. In a Monte-Carlo search: positions added to the tree."""
    leaves: int = 0
    """Those of them at the horizon or at the end of a game."""
    blocked: int = 0
    """Ends of games on a board that is not full."""
    cutoffs: int = 0
    """Moves good enough to end the search of their position."""
    first_cutoffs: int = 0
    """Those of them that were the first move tried."""
    table_hits: int = 0
    """Positions whose value was known from the table; in a Monte-Carlo search, states met again."""
    rollouts: int = 0
    """Games played out by a Monte-Carlo search."""
    kept: int = 0
    """Positions known from earlier searches when this one began: of its tree, or of its table."""

    @property
    def thesis_nodes(self) -> int:
        """Nodes as the Utrecht thesis counts them: a blocked end is found by passing twice more."""
        return self.nodes + 2 * self.blocked


@dataclass(frozen=True, slots=True)
class Options:
    """Everything that may be chosen about a search to a depth.

    >>> Options("pvs", depth=6, order="squares", table=True).order
    'squares'
    """

    algorithm: Algorithm = "alphabeta"
    depth: int | None = None
    """Discs to look ahead; a pass costs nothing, so a depth of all empty squares is exact. None is as deep
    as time or nodes allow, or DEFAULT_DEPTH where they are not limited."""
    evaluator: Evaluator | Evaluate = field(default_factory=positional)
    """A plain function will do for the Python searches."""
    order: Order = "none"
    killer: bool = False
    """Moves that cut off elsewhere at the same depth come first; `order=killers` is no more than this."""
    table: bool = False
    """Remember positions and do not search them twice."""
    symmetry: bool = False
    """Take symmetric positions for the same one (with the table, which this turns on)."""
    fix_first: bool = False
    """Of the first moves that are the same up to symmetry, look at one."""
    deepening: bool = False
    """Search to depth 1, 2, 3 ... rather than to the depth at once; a limit of time or nodes turns this on."""
    count: Count = "winner"
    """Whether empty squares count for the winner of a finished game."""
    ties: Literal["first", "random"] = "first"
    """Which of several best moves is played: the first, or any (the first moves are then shuffled)."""
    seed: int = 0
    time: float | None = None
    """Seconds after which the last depth completed must do."""
    nodes: int | None = None
    """Nodes after which it must; a few more are visited before that is noticed."""
    table_size: int = 1 << 20
    """Positions the table holds; a full table is emptied."""
    table_depth: int = 3
    """Positions with less depth left are searched again sooner than looked up. Measured in the compiled twin,
    9 plies deep on 8x8 from ply 14, with 1, 2, 3 and no table: PVS 111, 89, 78 and 115 ms; nodes 1.4, 1.6, 1.8
    and 2.7 million."""

    def __post_init__(self) -> None:
        check_choice("algorithm", self.algorithm, get_args(Algorithm))
        check_choice("order", self.order, get_args(Order))
        check_choice("count", self.count, get_args(Count))
        check_choice("ties", self.ties, ("first", "random"))
        check_range("depth", self.depth, 1, MAX_DEPTH)
        check_range("table_size", self.table_size, 1, 1 << 26)
        check_range("table_depth", self.table_depth, 1, MAX_DEPTH)
        check_range("time", self.time, 0, None)
        check_range("nodes", self.nodes, 1, None)

    @property
    def uses_table(self) -> bool:
        """Whether positions are remembered."""
        return self.table or self.symmetry

    @property
    def uses_killers(self) -> bool:
        """Whether killer moves are tried first."""
        return self.killer or self.order == "killers"

    @property
    def limited(self) -> bool:
        """Whether time or nodes may end the search."""
        return self.time is not None or self.nodes is not None

    @property
    def deepens(self) -> bool:
        """Whether the search goes to its depth step by step."""
        return self.deepening or self.limited

    def depth_for(self, empties: int) -> int:
        """The depth of a search with so many empty squares."""
        return min(self.depth or (MAX_DEPTH if self.limited else DEFAULT_DEPTH), empties)


@dataclass(frozen=True, slots=True)
class SearchOutcome:
    """What a search found, for the side to move.

    >>> from othellier import start
    >>> from othellier.search import Options, search
    >>> outcome = search(start(), Options("alphabeta", depth=4))
    >>> outcome.depth, outcome.line[0] == outcome.move
    (4, True)
    """

    move: int
    value: float
    """In units of the evaluator; beyond WIN for games won or lost. From 0 to 1 in a Monte-Carlo search."""
    depth: int
    """The depth completed."""
    line: tuple[int, ...]
    """The line of best play, passes included; short where the table knew the rest."""
    counters: Counters
    seconds: float = 0.0
    exact: bool = False
    """Whether every line was followed to the end of the game."""
    moves: tuple[MoveValue, ...] = ()
    """The first moves looked at, in that order, and what each is worth (the last depth completed)."""

    @property
    def score(self) -> int | None:
        """The discs a finished game is won or lost by; None where the value is an estimate."""
        if abs(self.value) > WIN:
            return int(self.value - WIN if self.value > 0 else self.value + WIN)
        return 0 if self.exact else None


def finished_value(player: int, opponent: int, squares: int, count: Count) -> int:
    """The value of a finished game: no estimate comes near it."""
    score = final_score(player, opponent, squares, count)
    return score + WIN if score > 0 else score - WIN if score < 0 else 0


def check_choice(name: str, value: str, choices: tuple[str, ...]) -> None:
    """Refuse a word that is none of the choices."""
    if value not in choices:
        raise ConfigError(f"unknown {name} {value!r}{nearest(value, choices)}")


def check_range(name: str, value: float | None, least: float, most: float | None) -> None:
    """Refuse a number outside its range; None stands for no number, or no end."""
    if value is None or (value >= least and (most is None or value <= most)):
        return
    expected = f"from {least} to {most}" if most is not None else f"from {least} on"
    raise ConfigError(f"{name}={value}: a number {expected} expected")
