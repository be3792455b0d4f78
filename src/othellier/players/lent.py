"""Players given as objects, known by a name for a while: so that all that takes player strings takes them too.

    with lent([my_player, "random"]) as specs:
        match = Match(plan(specs, ...))

They are asked in the process and the thread that calls, and stay the caller's: nobody here closes them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from othellier.games.results import Limit, Result
from othellier.players.contract import AnalysisProgress, Player, checked_result
from othellier.players.registry import PlayerLike, create_player, register, registered, unregister
from othellier.rules.board import Position

__all__ = ["Borrowed", "lent"]

_lock = threading.Lock()


class Borrowed(Player):
    """Somebody else's player: asked as it is, but not closed."""

    def __init__(self, player: Player) -> None:
        self._player = player

    def choose(self, position: Position, limit: Limit) -> Result:
        """Its move."""
        return checked_result(type(self).__name__, self._player.choose(position, limit), position)

    def new_game(self, start: Position) -> None:
        """Hand the news on."""
        self._player.new_game(start)

    def observe(self, move: int) -> None:
        """Hand the move on."""
        self._player.observe(move)

    @property
    def process_id(self) -> int | None:
        """The process that thinks for the player."""
        return self._player.process_id

    def analyze(
        self, position: Position, limit: Limit, *, best: int | None = None, progress: AnalysisProgress | None = None
    ) -> list[Result]:
        """Its own analysis."""
        return self._player.analyze(position, limit, best=best, progress=progress)


@contextmanager
def lent(players: Sequence[PlayerLike]) -> Iterator[list[str]]:
    """A player string for each of the players, good until the end of the `with`; strings stay as they are.

    >>> with lent([lambda position: position.moves()[0], "random"]) as specs:
    ...     specs
    ['player', 'random']
    """
    names: list[str] = []
    specs: list[str] = []
    try:
        for player in players:
            if isinstance(player, str):
                specs.append(player)
                continue
            made = create_player(player)
            title = getattr(player, "__name__", "") if not isinstance(player, Player) else type(player).__name__
            with _lock:
                name = _free_name(title if title.isidentifier() else "player")
                register(name)(_maker(name, made))
            names.append(name)
            specs.append(name)
        yield specs
    finally:
        for name in names:
            unregister(name)


def _free_name(title: str) -> str:
    taken = {known.name for known in registered()}
    return next(name for name in (title, *(f"{title}-{n}" for n in range(2, 1000))) if name not in taken)


def _maker(name: str, player: Player) -> Callable[[], Player]:
    kind = type(name, (Borrowed,), {})  # by its own name in errors
    return lambda: kind(player)
