"""A search from beginning to end: to a depth at once or step by step, in Python or in the compiled core.

The choice between the twins is made here and nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from time import perf_counter
from typing import Any

from othellier.errors import ConfigError, InvalidPosition
from othellier.evaluation.evaluators import Evaluator, square_values
from othellier.games.results import MoveValue
from othellier.rules import native
from othellier.rules.board import Position
from othellier.rules.geometry import PASS, Size, geometry, squares_of
from othellier.search.alphabeta import alphabeta, nega_alphabeta, pvs
from othellier.search.base import Algorithm, Backend, Counters, Options, SearchOutcome, StopSign, check_choice
from othellier.search.mcts import DEFAULT_ITERATIONS, Mcts, MctsOptions
from othellier.search.minimax import minimax, negamax
from othellier.search.observer import Observer, WatchedMcts, WatchedTree
from othellier.search.rng import MASK
from othellier.search.table import TranspositionTable
from othellier.search.tree import Interrupted, Tree

__all__ = ["ALGORITHMS", "KeptTable", "MonteCarlo", "first_moves", "search", "use_native"]

_Found = tuple[int, int, tuple[int, ...], tuple[MoveValue, ...], Counters]
"""Value, depth completed, line, first moves and counters."""

ALGORITHMS: dict[Algorithm, Callable[[Tree, int, int, int], int]] = {
    "minimax": minimax,
    "alphabeta": alphabeta,
    "negamax": negamax,
    "nega-alphabeta": nega_alphabeta,
    "pvs": pvs,
}


def search(
    position: Position,
    options: Options | None = None,
    *,
    backend: Backend = "auto",
    stop: StopSign | None = None,
    kept: KeptTable | None = None,
    observer: Observer | None = None,
) -> SearchOutcome:
    """The best move to the depth asked for, or as deep as time, nodes and `stop` allow.

    `kept` is a table that earlier searches with the same options have filled; this one reads it and adds to it.
    `observer` hears of every step, for which the search runs in Python.

    >>> outcome = search(Position.start(4), Options("minimax", depth=12, count="discs"))
    >>> outcome.score, outcome.counters.nodes, outcome.counters.thesis_nodes
    (-8, 224821, 237781)
    """
    options = options or Options()
    begin = perf_counter()
    if not position.moves_mask():
        if position.is_over():
            raise InvalidPosition(f"the game is over, there is no move to look for ({position.board_string()})")
        after = search(position.play(PASS), options, backend=backend, stop=stop, kept=kept, observer=observer)
        forced = (MoveValue(PASS, -after.value),)
        return replace(after, move=PASS, value=-after.value, line=(PASS, *after.line), moves=forced)
    compiled = use_native(
        position.size,
        backend,
        plain=not isinstance(options.evaluator, Evaluator),
        watched=observer is not None,
    )
    find = _search_native if compiled else _search_python
    depth = options.depth_for(position.empties)
    moves = first_moves(position) if options.fix_first else position.moves_mask()
    value, depth, line, judged, counters = find(position, options, depth, moves, stop, kept, observer)
    seconds, exact = perf_counter() - begin, depth >= position.empties
    return SearchOutcome(line[0], value, depth, line, counters, seconds, exact, judged)


class KeptTable:
    """A table that stays from search to search, of either twin; another size of board begins a new one."""

    def __init__(self) -> None:
        self._size: Size | None = None
        self._python: TranspositionTable | None = None
        self._native: Any = None

    def python(self, size: Size, options: Options) -> TranspositionTable:
        """The table of the readable searches."""
        if self._python is None or self._size != size:
            self._size, self._native = size, None
            self._python = TranspositionTable(geometry(size), options.table_size, options.symmetry)
        return self._python

    def native(self, size: Size, options: Options) -> Any:
        """The table of the compiled ones."""
        if self._native is None or self._size != size:
            assert native.core is not None
            self._size, self._python = size, None
            self._native = native.core.ClassicTable(options.table_size, options.symmetry, *size)
        return self._native


def use_native(size: Size, backend: Backend, *, plain: bool = False, watched: bool = False) -> bool:
    """Whether the compiled twin searches: if asked for, or if it can and nothing else is asked for.

    `plain` says that an evaluator written in Python takes part, `watched` an observer: the core can call neither.
    """
    check_choice("backend", backend, ("auto", "native", "python"))
    if backend == "native":
        if plain:
            raise ConfigError("backend=native: an evaluator written in Python needs backend=python")
        if watched:
            raise ConfigError("backend=native: a search that is watched needs backend=python")
        if not native.available:
            raise ConfigError("backend=native: the compiled core is not installed")
        if not native.fits(size):
            raise ConfigError(f"backend=native: the compiled core takes boards up to 8x8, not {size}")
    return backend != "python" and native.fits(size) and not plain and not watched


def first_moves(position: Position) -> int:
    """The legal moves, one of each kind if the position looks the same from several sides."""
    board = geometry(position.size)
    own = [symmetry for symmetry in board.own_symmetries if position.transform(symmetry) == position]
    return sum(
        1 << move
        for move in squares_of(position.moves_mask())
        if all(move <= board.symmetry_tables[symmetry][move] for symmetry in own)
    )


def _search_python(
    position: Position,
    options: Options,
    depth: int,
    moves: int,
    stop: StopSign | None,
    kept: KeptTable | None,
    observer: Observer | None,
) -> _Found:
    """By the searches written in Python."""
    table = None if kept is None else kept.python(position.size, options)
    board = geometry(position.size)
    if observer is None:
        tree = Tree(board, options, depth, moves, stop, table)
    else:
        tree = WatchedTree(observer, board, options, depth, moves, stop, table)
    algorithm = ALGORITHMS[options.algorithm]
    value, completed = 0, 0
    line: tuple[int, ...] = ()
    judged: tuple[MoveValue, ...] = ()

    def look(step: int) -> None:
        nonlocal value, completed, line, judged
        tree.begin(step)
        value = algorithm(tree, position.player, position.opponent, step)
        completed, line = step, tree.lines[step]
        tree.best = line[0]
        judged = tuple(tree.judged) or (MoveValue(line[0], value),)  # the table may have known it all

    try:
        for step in range(1 if options.deepens else depth, depth + 1):
            look(step)
    except Interrupted:
        if not completed:  # some answer is owed
            tree.limited = False
            look(1)
    return value, completed, line, judged, tree.counters


def _search_native(
    position: Position,
    options: Options,
    depth: int,
    moves: int,
    stop: StopSign | None,
    kept: KeptTable | None,
    _: Observer | None,
) -> _Found:
    """The same by the compiled core, which nobody can watch."""
    assert native.core is not None
    assert isinstance(options.evaluator, Evaluator)
    weights = None
    more = {}
    if options.evaluator.uses("patterns"):
        from othellier.evaluation.patterns import compiled_weights  # which brings NumPy with it

        weights = compiled_weights()
    if options.evaluator.uses("classifier"):
        from othellier.evaluation.classifier import compiled_model

        more["classifier"] = compiled_model()
    value, completed, line, judged, counters = native.core.classic_search(
        position.player,
        position.opponent,
        position.size.rows,
        position.size.columns,
        moves,
        algorithm=options.algorithm,
        depth=depth,
        evaluator=options.evaluator.data(position.size),
        order=options.order,
        square_values=list(square_values("utrecht", position.size)),
        killer=options.uses_killers,
        table=options.uses_table,
        symmetry=options.symmetry,
        deepening=options.deepens,
        plain_count=options.count == "discs",
        shuffle_first=options.ties == "random",
        seed=options.seed & MASK,
        time=options.time,
        nodes=options.nodes,
        table_size=options.table_size,
        table_depth=options.table_depth,
        weights=weights,
        stop=None if stop is None else stop.is_set,
        kept=None if kept is None else kept.native(position.size, options),
        **more,
    )
    values = tuple(MoveValue(move, worth, "exact" if exact else "upper") for move, worth, exact in judged)
    return value, completed, tuple(line), values, Counters(**counters)


class MonteCarlo:
    """A Monte-Carlo search that remembers its tree from move to move, by either twin.

    >>> from othellier.search.mcts import MctsOptions
    >>> MonteCarlo(Size(4, 4), MctsOptions(iterations=200)).search(Position.start(4)).counters.rollouts
    200
    """

    def __init__(
        self,
        size: Size,
        options: MctsOptions | None = None,
        *,
        backend: Backend = "auto",
        observer: Observer | None = None,
    ) -> None:
        self.options = options = options or MctsOptions()
        self.size = size
        self._python: Mcts | None = None
        if observer is not None:
            use_native(size, backend, watched=True)
            self._python = WatchedMcts(observer, size, options)
        elif not use_native(size, backend):
            self._python = Mcts(size, options)
        else:
            assert native.core is not None
            self._native = native.core.Mcts(
                size.rows,
                size.columns,
                c=options.c,
                rollout=options.rollout,
                values=list(square_values(options.heuristic, size)),
                table=options.table,
                symmetry=options.symmetry,
                keep=options.keep,
                seed=options.seed & MASK,
                max_nodes=options.max_nodes,
            )

    def search(
        self,
        position: Position,
        *,
        iterations: int | None = None,
        time: float | None = None,
        stop: StopSign | None = None,
    ) -> SearchOutcome:
        """The best move after so many iterations or so much time; the options say how many where this call does not."""
        begin = perf_counter()
        if position.size != self.size:
            raise InvalidPosition(
                f"a search on boards of size {self.size} cannot look at a board of size {position.size}"
            )
        if not position.moves_mask():
            raise InvalidPosition(f"there is no move to look for ({position.board_string()})")
        player, opponent = position.player, position.opponent
        iterations = self.options.iterations if iterations is None else iterations
        time = self.options.time if time is None else time
        if iterations is None and time is None:
            iterations = DEFAULT_ITERATIONS
        if self._python is not None:
            value, line, moves, counters = self._python.search(
                player, opponent, iterations=iterations, time=time, stop=stop
            )
        else:
            asked = None if stop is None else stop.is_set
            value, line, tried, counts = self._native.search(
                player, opponent, *position.size, iterations=iterations, time=time, stop=asked
            )
            moves = [MoveValue(move, share, visits=visits) for move, share, visits in tried]
            counters = Counters(**counts)
        seconds = perf_counter() - begin
        return SearchOutcome(line[0], value, len(line), tuple(line), counters, seconds, moves=tuple(moves))
