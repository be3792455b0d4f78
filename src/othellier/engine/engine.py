"""The strong engine: search, exact solving and analysis of positions, by the compiled core.

An `Engine` owns a transposition table and its threads; several may live in one process. Scores are discs for the
side to move of the position asked about.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, Self

from othellier.base.system import available_megabytes, cores
from othellier.engine.humanlike import humanlike_move
from othellier.engine.levels import Level, find_level
from othellier.engine.probcut import load_probcut, shipped_probcut
from othellier.errors import ConfigError, InvalidPosition, OthellierError, WeightsError, expect
from othellier.evaluation import network
from othellier.evaluation.network import load_networks, shipped_networks
from othellier.evaluation.patterns import compiled_weights, load_weights
from othellier.games.results import Limit, Result, ResultBound, in_thread, limited, stoppable
from othellier.games.timing import longest_time, time_for_move
from othellier.rules import native
from othellier.rules.board import Count, Position
from othellier.rules.geometry import PASS

__all__ = [
    "HASH_MB",
    "SURE",
    "Analysis",
    "Engine",
    "SearchProgress",
    "bench",
    "compiled_probcut",
    "default_threads",
    "network_move",
    "selectivity_level",
    "shared_networks",
    "shared_weights",
]

SearchProgress = Callable[[Result], None]
Analysis = list[Result]

HASH_MB = 16
"""Megabytes of table of engines that play a level or judge. Its size can change an answer, so all have the same."""
ALL_THE_WAY = 60
NO_LIMIT = 1e9
"""Seconds that no search takes."""
MAX_THREADS = 256
SURE = 100
MIDGAME_SELECTIVITY = 95
"""Confidence of forward pruning in estimates, unless the limit names another."""
DEFAULT_LIMIT = Limit(depth=12)
SOLVING = Limit(depth=ALL_THE_WAY, selectivity=SURE)
CLOCKLESS_SECONDS = 5.0
"""What a level that uses the clock takes for a move when there is none."""


def default_threads() -> int:
    """As many threads as this process may use cores."""
    return cores()


class Engine:
    """The strong search with its memory.

    Threads: every method may be called from any thread. An engine thinks about one position at a time: who calls
    while it does waits for its turn, and a limit in seconds counts from there. `stop` ends the search that is
    running, which answers with the best it has found; calls that wait go on waiting for their turn. `close` ends
    it too, and from then on every search raises an `OthellierError`.

    Progress: the function is called by the thread that asked, in the middle of its search. It may call `stop`; what
    would have to wait for the search itself (another search, `close`, a new size) raises an `OthellierError`. What it
    raises ends the search and comes out of it.

    Ctrl-C: a search, a benchmark and every long call of the core end within a fraction of a second, and
    `KeyboardInterrupt` comes out of them; the engine can be used again. Python delivers it to the main thread alone.

    Fork: a child process may use the engines of its parent, each has its own from then on. A search that another
    thread was running is not there; its engine has an empty table. A child forked by a progress function must not
    return from it: the search has no threads there, and the process ends with a message.

    >>> from othellier import parse, square_name, start
    >>> with Engine() as engine:
    ...     result = engine.solve(parse("-XXO XOOX XXOX OO-X X"))
    ...     guess, best_two = engine.search(start(), depth=4), engine.analyze(start(), depth=4, best=2)
    >>> square_name(result.move, 4), result.score, result.is_exact, guess.depth, len(best_two)
    ('a1', 4.0, True, 4, 2)
    """

    def __init__(
        self,
        *,
        threads: int = 1,
        hash_mb: int = 64,
        weights: str | Path | None = None,
        networks: str | Path | None = None,
        probcut: str | Path | None = None,
    ) -> None:
        """With weights of a file but no networks, the weights value the leaves of a search too."""
        core = native.core
        if core is None:
            raise OthellierError("the engine needs the compiled core, which is missing here: see othellier version")
        self._threads = _checked_threads(threads)
        self._hash_mb = _checked_hash(hash_mb)
        values = shared_networks(weights, networks)  # first: the weights then take the memory used to unpack them
        loaded = shared_weights(weights)
        try:
            self._core: Any = core.Engine(loaded, values, compiled_probcut(probcut), self._hash_mb, self._threads)
        except RuntimeError as error:
            raise WeightsError(f"{networks or 'built-in networks'}: {error}") from None
        except MemoryError:
            raise _too_large(hash_mb) from None

    # -- settings

    @property
    def threads(self) -> int:
        """Number of threads that share a search, fewer where the system starts no more; they stay until `close`."""
        return self._threads

    @threads.setter
    def threads(self, threads: int) -> None:
        self._core.set_threads(_checked_threads(threads))
        self._threads = threads

    @property
    def hash_mb(self) -> int:
        """Size of the transposition table; a change forgets what it held, one that is refused changes nothing."""
        return self._hash_mb

    @hash_mb.setter
    def hash_mb(self, hash_mb: int) -> None:
        hash_mb = _checked_hash(hash_mb, self._hash_mb)
        try:
            self._core.set_megabytes(hash_mb)
        except MemoryError:
            raise _too_large(hash_mb) from None
        self._hash_mb = hash_mb

    def new_game(self) -> None:
        """Forget everything: the next answer does not depend on earlier ones."""
        self._core.clear()

    def stop(self) -> None:
        """End the running search soon, from any thread; where none runs, nothing happens."""
        self._core.stop()

    def close(self) -> None:
        """End the running search, give the table's memory back and refuse to search again."""
        self._core.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()

    # -- questions

    def search(
        self,
        position: Position,
        limit: Limit | None = None,
        progress: SearchProgress | None = None,
        *,
        depth: int | None = None,
        time: float | None = None,
        nodes: int | None = None,
    ) -> Result:
        """The best move within a limit; solved exactly where the depth reaches the end of the game.

        `depth=8` is short for `Limit(depth=8)`, so are `time=1.0`, `nodes=9000`; without any it looks 12 plies ahead.
        """
        return self._ask(position, limited(limit, depth, time, nodes, DEFAULT_LIMIT), progress=_first(progress))[0]

    def solve(
        self,
        position: Position,
        *,
        wld: bool = False,
        count: Count = "winner",
        limit: Limit | None = None,
        progress: SearchProgress | None = None,
    ) -> Result:
        """The game's value with best play: the score, or with `wld` only who wins.

        With `wld` the score is a bound: at least 2 for a win, at most -2 for a loss, 0 for a draw.
        """
        limit = limit or SOLVING
        results = self._ask(position, limit, wld=wld, count=count, progress=_first(progress))
        return results[0]

    def analyze(
        self,
        position: Position,
        limit: Limit | None = None,
        progress: Callable[[Analysis], None] | None = None,
        *,
        best: int | None = None,
        count: Count = "winner",
        depth: int | None = None,
        time: float | None = None,
        nodes: int | None = None,
    ) -> Analysis:
        """The value of every legal move, or of the `best` few, best first; each searched for itself.

        `depth`, `time`, `nodes` are short for a `Limit`. The table is cleared first: same question, same answer.
        """
        limit = limited(limit, depth, time, nodes, DEFAULT_LIMIT)
        expect("best", best, (int, type(None)), "how many moves to list")
        if best is not None and best < 1:
            raise ConfigError(f"best={best} moves cannot be listed")
        _check(position, limit)
        self._core.clear()
        return self._ask(position, limit, lines=best or position.size.squares, count=count, progress=progress)

    async def search_async(
        self,
        position: Position,
        limit: Limit | None = None,
        *,
        depth: int | None = None,
        time: float | None = None,
        nodes: int | None = None,
    ) -> Result:
        """`search` in a thread of its own, for programs with an event loop; cancelling the task ends the search."""
        limit = stoppable(limited(limit, depth, time, nodes, DEFAULT_LIMIT))
        return await in_thread(limit.stop, self.search, position, limit)

    async def solve_async(self, position: Position, *, wld: bool = False, limit: Limit | None = None) -> Result:
        """`solve` in a thread of its own; cancelling the task ends it."""
        limit = stoppable(limit or SOLVING)
        return await in_thread(limit.stop, self.solve, position, wld=wld, limit=limit)

    async def analyze_async(
        self,
        position: Position,
        limit: Limit | None = None,
        *,
        best: int | None = None,
        depth: int | None = None,
        time: float | None = None,
        nodes: int | None = None,
    ) -> Analysis:
        """`analyze` in a thread of its own; cancelling the task ends it."""
        limit = stoppable(limited(limit, depth, time, nodes, DEFAULT_LIMIT))
        return await in_thread(limit.stop, self.analyze, position, limit, best=best)

    def play(
        self,
        position: Position,
        level: Level | str,
        limit: Limit | None = None,
        progress: SearchProgress | None = None,
        rng: random.Random | None = None,
    ) -> Result:
        """A move as a level plays it, given by name or as it is; a limit may cut its thinking short.

        Levels that play as people do draw with `rng`, where it is given.
        """
        level = find_level(level) if isinstance(level, str) else level
        expect("level", level, Level, "the name of a level, such as 'expert' (Engine.search takes a limit alone),")
        limit = limit or Limit()
        _check(position, limit)
        empties = position.empties
        if level.network is not None and network.fits(position):
            return network_move(position, level.network)
        if level.style is not None and network.fits(position):
            return humanlike_move(position, level.style, rng or random.Random(), self._look)
        if level.uses_clock:
            free = limit.time is None and limit.clock is None
            seconds = CLOCKLESS_SECONDS if free else limit.time
            kept = replace(limit, depth=limit.depth or ALL_THE_WAY, time=seconds, infinite=False)
            return self.search(position, kept, progress)
        if empties <= level.exact_empties:
            depth, wld = ALL_THE_WAY, False
        elif empties <= level.win_empties:
            depth, wld = ALL_THE_WAY, True
        else:
            depth, wld = max(level.depth, 1), False
        if limit.depth is not None:
            depth = min(depth, limit.depth)
        return self._ask(position, replace(limit, depth=depth, infinite=False), wld=wld, progress=_first(progress))[0]

    def _look(self, position: Position, depth: int) -> dict[int, float]:
        found = self.analyze(position, Limit(depth=depth))
        return {line.move: line.score for line in found if line.move is not None and line.score is not None}

    # -- asking the core

    def _ask(
        self,
        position: Position,
        limit: Limit,
        *,
        wld: bool = False,
        count: Count = "winner",
        lines: int = 1,
        progress: Callable[[Analysis], None] | None = None,
    ) -> Analysis:
        _check(position, limit)
        seconds, usual = limit.time, NO_LIMIT
        if limit.clock is not None:
            usual = time_for_move(limit.clock, limit.increment, position.empties)
            longest = longest_time(limit.clock, limit.increment, position.empties)
            seconds = longest if seconds is None else min(seconds, longest)
        unlimited = limit.infinite or seconds is not None or limit.nodes is not None
        depth = limit.depth if limit.depth is not None else ALL_THE_WAY if unlimited else DEFAULT_LIMIT.depth
        assert depth is not None
        depth = min(max(depth, 1), ALL_THE_WAY)
        default = SURE if depth >= position.empties else MIDGAME_SELECTIVITY
        stop = limit.stop
        if stop is not None and stop.is_set():
            depth, wld = 1, False

        def heard(partial: Any) -> None:
            if stop is not None and stop.is_set():  # what came before the search had begun is heard here
                self._core.stop()
            if progress is not None:
                progress(_results(partial, position))

        with nullcontext() if stop is None else stop.calling(self._core.stop):
            found = self._search(
                position.player,
                position.opponent,
                position.size.rows,
                position.size.columns,
                count == "discs",
                depth,
                selectivity_level(limit.selectivity or default),
                wld,
                NO_LIMIT if seconds is None else seconds,
                usual,
                2**64 - 1 if limit.nodes is None else limit.nodes,
                lines,
                None if progress is None and stop is None else heard,
            )
        return _results(found, position)

    def _search(self, *arguments: Any) -> Any:
        try:
            return self._core.search(*arguments)
        except MemoryError:
            raise OthellierError(
                "there is no memory for a search: close other programs, or use fewer threads"
            ) from None


def network_move(position: Position, kind: Literal["policy", "value"]) -> Result:
    """The move of a network alone: the policy's likeliest, or the one after which the value is worst for the other."""
    if kind == "policy":
        move = next(iter(network.policy(position)))
        return Result(move, position.turn, nodes=1, pv=(move,), source="policy")
    values = {move: -network.value(position.play(move)) for move in position.moves() or [PASS]}
    move = max(values, key=values.__getitem__)
    return Result(move, position.turn, values[move], depth=1, nodes=len(values), pv=(move,), source="search")


def bench(weights: str | Path | None = None, told: Callable[[int, int], None] | None = None) -> dict[str, int | float]:
    """Search fixed positions with one thread; the signature is the same on every machine."""
    if native.core is None:
        raise OthellierError("the engine needs the compiled core, which is missing here: see othellier version")
    found = native.core.bench(shared_weights(weights), shared_networks(weights), compiled_probcut(), told)
    return {
        "nodes": found.nodes,
        "signature": found.signature,
        "seconds": round(found.seconds, 6),
        "nps": round(found.nodes / found.seconds),
    }


def shared_weights(path: str | Path | None = None) -> Any:
    """Weights for the core: of a file, or the built-in ones, loaded once as long as the file does not change."""
    if path is None:
        return compiled_weights()
    return _kept_weights(*_facts(path))


def shared_networks(weights: str | Path | None, path: str | Path | None = None) -> Any:
    """Networks for the core that go with weights: of a file, or the built-in ones with the built-in weights."""
    if path is not None:
        return _kept_networks(*_facts(path))
    return shipped_networks() if weights is None else None


def compiled_probcut(path: str | Path | None = None) -> Any:
    """How far shallow searches may be trusted, for the core: by the numbers of a file, or by the built-in ones."""
    assert native.core is not None
    numbers = shipped_probcut() if path is None else load_probcut(path)
    return native.core.Probcut(numbers.midgame, numbers.endgame)


def _facts(path: str | Path) -> tuple[Path, int, int]:
    """What tells a file from one that has been written over it: path, time and size."""
    expect("weights", path, (str, Path), "the name of a file")
    try:
        facts = Path(path).stat()
    except OSError as error:
        raise WeightsError(f"{path}: {error.strerror or error}") from None
    return Path(path), facts.st_mtime_ns, facts.st_size


@lru_cache(maxsize=4)
def _kept_weights(path: Path, changed: int, size: int) -> Any:
    return load_weights(path)


@lru_cache(maxsize=4)
def _kept_networks(path: Path, changed: int, size: int) -> Any:
    return load_networks(path, policy=False)  # searches ask for values alone


def _checked_threads(threads: int) -> int:
    expect("threads", threads, int, "a whole number")
    if not 1 <= threads <= MAX_THREADS:
        raise ConfigError(f"{threads} threads: 1 to {MAX_THREADS} can be used")
    return threads


def _checked_hash(hash_mb: int, held_mb: int = 0) -> int:
    """The size of a table that takes the place of one of `held_mb`, if there is the memory for it."""
    expect("hash_mb", hash_mb, int, "megabytes, a whole number,")
    if hash_mb < 1:
        raise ConfigError(f"a table of {hash_mb} MB holds nothing: 1 MB is the least")
    # The system promises memory it does not have and kills whoever touches it: ask before.
    free = available_megabytes()
    if free is not None and hash_mb > free + held_mb:
        raise ConfigError(f"a table of {hash_mb} MB is more memory than there is: {free} MB are free")
    return hash_mb


def _too_large(hash_mb: int) -> ConfigError:
    return ConfigError(f"a table of {hash_mb} MB is more memory than there is")


def _check(position: Position, limit: Limit) -> None:
    expect("position", position, Position, "a Position, such as othellier.start() or game.position,")
    expect("limit", limit, Limit, "a Limit, such as Limit(depth=12) or Limit(time=1.0),")
    if not position.player and not position.opponent:
        raise InvalidPosition("an empty board has nothing to search")
    if not native.fits(position.size):
        raise InvalidPosition(f"the engine plays on boards up to 8x8, not {position.size}")
    if position.is_over():
        raise InvalidPosition(f"the game is over: {position.board_string()}")


def selectivity_level(percent: int) -> int:
    """The core's level for a confidence: the least sure one that is sure enough."""
    assert native.core is not None
    levels: Sequence[int] = native.core.SELECTIVITIES
    return next(index for index, sure in enumerate(levels) if sure >= percent)


def _first(progress: SearchProgress | None) -> Callable[[Analysis], None] | None:
    return None if progress is None else lambda results: progress(results[0])


def _results(found: Any, position: Position) -> Analysis:
    assert native.core is not None
    results = []
    for line in found.lines:
        bound: ResultBound = "lower" if line.lower > -65 else "upper"
        if line.lower == line.upper:
            bound = "exact" if line.exact else "estimate"
        to_end = line.depth >= position.empties
        percent = native.core.SELECTIVITIES[line.selectivity]
        results.append(
            Result(
                PASS if line.move < 0 else line.move,
                position.turn,
                float(line.score),
                bound,
                line.depth,
                found.nodes,
                found.seconds,
                tuple(PASS if square < 0 else square for square in line.pv),
                "exact" if to_end and percent == SURE else "search",
                percent,
                may_be_beaten=line.exact and line.score < found.upper,
            )
        )
    return results
