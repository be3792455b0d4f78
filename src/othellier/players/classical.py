"""The classical algorithms as players: minimax and its relatives, and Monte-Carlo tree search."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Literal, get_args

from othellier.evaluation.evaluators import Evaluator, create_evaluator
from othellier.games.results import Limit, Result
from othellier.players.contract import Player
from othellier.players.registry import Public, register
from othellier.rules.board import Count, Position
from othellier.search import KeptTable, MctsOptions, MonteCarlo, Options, SearchOutcome, search
from othellier.search.base import MAX_DEPTH, Algorithm, Backend, Order
from othellier.search.rng import Rng
from othellier.search.rollouts import Rollout

__all__ = ["ClassicalPlayer", "MonteCarloPlayer", "move_seconds"]

SUMMARIES: dict[Algorithm, str] = {
    "minimax": "Every line to a depth; one side maximizes, the other minimizes.",
    "alphabeta": "Minimax without the lines that cannot matter.",
    "negamax": "Minimax with one rule for both sides.",
    "nega-alphabeta": "Negamax without the lines that cannot matter.",
    "pvs": "Alpha-beta that takes its first move for the best and only proves it (principal variation search).",
}


def move_seconds(limit: Limit, own: float | None, position: Position) -> float | None:
    """The time for this move: the player's own, the limit's, or a share of its clock; the shortest of them."""
    shares = [own, limit.time]
    if limit.clock is not None:
        moves_left = position.empties // 2 + 1
        shares.append(min(limit.clock / (moves_left + 1) + limit.increment, limit.clock))
    return min((share for share in shares if share is not None), default=None)


def _result(position: Position, outcome: SearchOutcome, nodes: int) -> Result:
    # Only finished games are in discs: an evaluator has its own unit, a Monte-Carlo search counts games.
    bound: Literal["exact", "lower", "upper"] = "exact"
    if outcome.score is not None and not outcome.exact:
        bound = "lower" if outcome.score > 0 else "upper"
    return Result(
        outcome.move,
        position.turn,
        outcome.score,
        bound,
        outcome.depth,
        nodes,
        outcome.seconds,
        outcome.line,
        source="exact" if outcome.exact else "search",
        moves=outcome.moves,
    )


class ClassicalPlayer(Player):
    """Any search to a depth. Without a depth of its own it goes as deep as the limit allows.

    >>> from othellier import answer, start
    >>> from othellier.evaluation.evaluators import create_evaluator
    >>> player = ClassicalPlayer(Options("alphabeta", depth=4, evaluator=create_evaluator("mobility")))
    >>> answer(player, start()).depth
    4
    """

    def __init__(self, options: Options, *, keep: bool = False, backend: Backend = "auto") -> None:
        """`keep` has the table stay from move to move."""
        self._options = replace(options, table=True) if keep else options
        self._keep = keep
        self._kept = KeptTable() if keep else None
        self._backend = backend
        self._rng = Rng(options.seed)

    @property
    def options(self) -> Options:
        """How it searches."""
        return self._options

    def new_game(self, start: Position) -> None:
        """Forget the table; refuse a board that the evaluator does not know."""
        self._kept = KeptTable() if self._keep else None
        if isinstance(self._options.evaluator, Evaluator):
            self._options.evaluator.check_size(start.size)

    def choose(self, position: Position, limit: Limit) -> Result:
        """The best move found."""
        own = self._options.depth
        depth = own if limit.depth is None else max(1, min(limit.depth, own or MAX_DEPTH))
        time = move_seconds(limit, self._options.time, position)
        nodes = None if limit.nodes is None else max(1, limit.nodes)
        options = replace(self._options, depth=depth, time=time, nodes=nodes, seed=self._rng.next())
        outcome = search(position, options, backend=self._backend, stop=limit.stop, kept=self._kept)
        return _result(position, outcome, outcome.counters.nodes)


class MonteCarloPlayer(Player):
    """Monte-Carlo tree search; the tree is kept during a game.

    >>> from othellier import answer, start
    >>> answer(MonteCarloPlayer(MctsOptions(iterations=200, seed=1)), start()).nodes
    200
    """

    def __init__(self, options: MctsOptions, *, backend: Backend = "auto") -> None:
        self._options = options
        self._backend = backend
        self._rng = Rng(options.seed)
        self._search: MonteCarlo | None = None

    @property
    def options(self) -> MctsOptions:
        """How it searches."""
        return self._options

    def new_game(self, start: Position) -> None:
        """Begin with an empty tree."""
        self._search = None

    def choose(self, position: Position, limit: Limit) -> Result:
        """The move visited most."""
        if self._search is None or self._search.size != position.size:
            options = replace(self._options, seed=self._rng.next())
            self._search = MonteCarlo(position.size, options, backend=self._backend)
        iterations = self._options.iterations
        if limit.nodes is not None:  # an iteration adds one position to the tree
            iterations = max(1, min(limit.nodes, iterations or limit.nodes))
        time = move_seconds(limit, self._options.time, position)
        outcome = self._search.search(position, iterations=iterations, time=time, stop=limit.stop)
        return _result(position, outcome, outcome.counters.rollouts)


def _factory(algorithm: Algorithm) -> Callable[..., Player]:
    def create(
        *,
        depth: int | None = None,
        time: float | None = None,
        eval: str = "positional",
        order: Order = "none",
        killer: bool = False,
        table: bool = False,
        table_depth: int = 3,
        keep: bool = False,
        symmetry: bool = False,
        fix_first: bool = False,
        deepening: bool = False,
        ties: Literal["first", "random"] = "first",
        count: Count = "winner",
        seed: int = 0,
        backend: Backend = "auto",
    ) -> Player:
        options = Options(
            algorithm,
            depth=depth,
            evaluator=eval if callable(eval) else create_evaluator(eval),
            order=order,
            killer=killer,
            table=table,
            table_depth=table_depth,
            symmetry=symmetry,
            fix_first=fix_first,
            deepening=deepening,
            count=count,
            ties=ties,
            seed=seed,
            time=time,
        )
        return ClassicalPlayer(options, keep=keep, backend=backend)

    create.__doc__ = SUMMARIES[algorithm]
    return create


PUBLIC = Public(
    dict.fromkeys(["eval", "order", "killer", "table", "keep", "symmetry", "fix_first", "deepening"])
    | dict.fromkeys(["ties", "count", "seed", "backend"])
    | {"depth": 60, "time": 30, "table_depth": 60}
)

for _algorithm in get_args(Algorithm):
    register(_algorithm, example=f"{_algorithm}:depth=2", public=PUBLIC)(_factory(_algorithm))


@register(
    "mcts",
    example="mcts:iterations=20,seed=1",
    public=Public(
        dict.fromkeys(["c", "rollout", "heuristic", "table", "symmetry", "keep", "seed", "backend"])
        | {"iterations": 10_000_000, "time": 30}
    ),
)
def _mcts(
    *,
    iterations: int | None = None,
    time: float | None = None,
    c: float = 1.5,
    rollout: Rollout = "random",
    heuristic: str = "heuristic2",
    table: bool = False,
    symmetry: bool = False,
    keep: bool = True,
    seed: int = 0,
    backend: Backend = "auto",
) -> Player:
    """Monte-Carlo tree search: games played out at random, more where they go well."""
    options = MctsOptions(
        iterations=iterations,
        time=time,
        c=c,
        rollout=rollout,
        heuristic=heuristic,
        table=table,
        symmetry=symmetry,
        keep=keep,
        seed=seed,
    )
    return MonteCarloPlayer(options, backend=backend)
