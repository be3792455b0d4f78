"""The strong engine as a player: by level with its book, by depth or by time; thinking ahead if asked."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from othellier.engine.engine import CLOCKLESS_SECONDS, HASH_MB, Engine, default_threads
from othellier.engine.levels import DEFAULT_LEVEL, Level, find_level
from othellier.errors import ConfigError
from othellier.evaluation import network
from othellier.games.results import Limit, Result, Stop
from othellier.players.contract import AnalysisProgress, Player
from othellier.players.policy import by_rule
from othellier.players.registry import Public, register
from othellier.rules import native
from othellier.rules.board import Position

if TYPE_CHECKING:
    from othellier.openings.play import Opener

__all__ = ["EnginePlayer", "lent_player", "opener_of"]

T = TypeVar("T", int, float)


class EnginePlayer(Player):
    """Plays at a level, which may be changed at any time, or to a depth, time or number of nodes of its own.

    >>> from othellier import answer, create_player, start
    >>> with create_player("engine:level=amateur") as player:
    ...     player.level.name, answer(player, start()).source
    ('amateur', 'book')
    """

    def __init__(
        self,
        level: Level | None,
        own: Limit,
        *,
        threads: int,
        hash_mb: int,
        ponder: bool = False,
        opener: Opener | None = None,
        weights: str | None = None,
        networks: str | None = None,
        probcut: str | None = None,
        seed: int | None = None,
        engine: Engine | None = None,
        progress: Callable[[Result], None] | None = None,
    ) -> None:
        """An `engine` that is handed in is lent: it stays open. `progress` hears of a level's search."""
        self.level = level
        self._own = own
        self._opener = opener
        self._random = random.Random(seed)
        self._lent = engine is not None
        self._engine = engine or Engine(
            threads=threads, hash_mb=hash_mb, weights=weights, networks=networks, probcut=probcut
        )
        self._engine.threads = threads
        self._progress = progress
        self._ponder = ponder
        self._pondering: tuple[threading.Thread, Stop] | None = None
        self._position: Position | None = None

    def new_game(self, start: Position) -> None:
        """Forget the last game; refuse a board that is too large."""
        if not native.fits(start.size) and (self.level is None or self.level.depth > 0):
            raise ConfigError(f"the engine plays on boards up to 8x8, not {start.size}: see othellier players")
        self._stop_pondering()
        self._engine.new_game()
        self._position = start

    def choose(self, position: Position, limit: Limit) -> Result:
        """The engine's move."""
        self._stop_pondering()
        self._position = position
        if self.level is not None:
            if self.level.depth == 0 and not network.fits(position):
                return by_rule(position)
            known = self._opener.choose(position, self.level.book_moves) if self._opener is not None else None
            if known is not None:
                return known
            if not self.level.uses_clock and not self._ponder:
                self._engine.new_game()  # what a level answers does not depend on what was searched before
            return self._engine.play(position, self.level, limit, self._progress, self._random)
        return self._engine.search(position, _tighter(limit, self._own))

    def observe(self, move: int) -> None:
        """Follow the game; on the opponent's turn think ahead, if that was asked for."""
        self._stop_pondering()
        if self._position is None or not self._position.is_legal(move):
            return
        self._position = self._position.play(move)
        if self._ponder and not self._position.is_over():
            stop = Stop()
            thread = threading.Thread(target=self._think_ahead, args=(self._position, stop), daemon=True)
            self._pondering = thread, stop
            thread.start()

    def analyze(
        self, position: Position, limit: Limit, *, best: int | None = None, progress: AnalysisProgress | None = None
    ) -> list[Result]:
        """Every move, or the best few, by one search that deepens; no deeper than the player looks itself."""
        self._stop_pondering()
        own = self._own if self.level is None else Limit(depth=max(1, self.level.depth))
        if self.level is not None and self.level.uses_clock and limit.clock is None:
            own = Limit(time=CLOCKLESS_SECONDS)
        return self._engine.analyze(position, limit if limit.infinite else _tighter(limit, own), progress, best=best)

    def close(self) -> None:
        """Give the table's memory back."""
        self._stop_pondering()
        if not self._lent:
            self._engine.close()

    def _think_ahead(self, position: Position, stop: Stop) -> None:
        """Fill the table; whatever the opponent plays, much of it will serve."""
        self._engine.search(position, Limit(infinite=True, stop=stop))

    def _stop_pondering(self) -> None:
        if self._pondering is not None:
            thread, stop = self._pondering
            stop.set()
            thread.join()
            self._pondering = None


def _tighter(limit: Limit, own: Limit) -> Limit:
    """What is asked, within what the player allows itself; a clock is kept."""
    return replace(
        limit,
        depth=_least(own.depth, limit.depth),
        time=_least(own.time, limit.time),
        nodes=_least(own.nodes, limit.nodes),
        infinite=limit.infinite and own == Limit(),
    )


def _least(own: T | None, asked: T | None) -> T | None:
    """The smaller of two limits, either of which may not be set."""
    return asked if own is None else own if asked is None else min(own, asked)


def opener_of(level: Level, width: float | None = None, seed: int | None = None) -> Opener | None:
    """A level's way with the book; None where the book was left out."""
    from othellier.openings.play import Opener

    return Opener.shipped(level.book_width if width is None else width, seed)


def lent_player(
    level: Level, engine: Engine, position: Position, seed: int | None, progress: Callable[[Result], None] | None
) -> EnginePlayer:
    """A level that thinks about a position with an engine of somebody else, and that has looked into the book already.

    Several threads are for those that use a clock, and to solve a position sooner: that does not change its value.
    """
    threads = engine.threads if level.uses_clock or level.solves(position.empties) else 1
    return EnginePlayer(level, Limit(), threads=threads, hash_mb=HASH_MB, seed=seed, engine=engine, progress=progress)


@register(
    "engine",
    example="engine:depth=4",
    public=Public(dict.fromkeys(["level", "book", "seed"]) | {"depth": 60, "time": 30, "width": 64}),
)
def _engine(
    *,
    level: str | None = None,
    depth: int | None = None,
    time: float | None = None,
    nodes: int | None = None,
    threads: int | None = None,
    hash: int = HASH_MB,  # noqa: A002 - the word of player strings
    ponder: bool = False,
    book: bool = True,
    width: float | None = None,
    seed: int | None = None,
    weights: str | None = None,
    networks: str | None = None,
    probcut: str | None = None,
) -> Player:
    """The strong engine, at a level or to a depth, time or number of nodes of its own."""
    own = Limit(depth=depth, time=time, nodes=nodes)
    given = sum(value is not None for value in (depth, time, nodes))
    if level is not None and given:
        raise ConfigError("engine: a level sets its own depth and time, give one or the other")
    if given > 1:
        raise ConfigError("engine: give a depth, a time or nodes, one of them")
    if depth is not None and depth < 1:
        raise ConfigError(f"engine: depth={depth} looks nowhere, 1 is the least")
    chosen = None
    if not given:
        chosen = find_level(level or DEFAULT_LEVEL)
    if threads is None:
        threads = default_threads() if chosen is not None and chosen.uses_clock else 1
    opener = None
    if book and chosen is not None:  # only levels say how far to trust the book
        opener = opener_of(chosen, width, seed)
    return EnginePlayer(
        chosen,
        own,
        threads=threads,
        hash_mb=hash,
        ponder=ponder,
        opener=opener,
        weights=weights,
        networks=networks,
        probcut=probcut,
        seed=seed,
    )
