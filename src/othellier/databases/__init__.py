"""Databases of games: thousands at once, opened quickly, searched by name, year or position, explored move by move.

games = databases.load(["wthor"])                    the games of files and folders, from an index kept beside them
explorer = databases.Explorer(games)
explorer.search(player="tamenori")                   the numbers of games; games[number] is one of them
explorer.explore(position)                           what was played from there, and with what success
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from othellier.openings.explorer import Exploration, Explorer, MoveStatistics, Query, Statistics
    from othellier.openings.games import GameCollection, load

__all__ = ["Exploration", "Explorer", "GameCollection", "MoveStatistics", "Query", "Statistics", "load"]

if not TYPE_CHECKING:
    from othellier.base.lazy import lazy_names

    __getattr__, __dir__ = lazy_names(
        __name__,
        {
            "othellier.openings.explorer": ["Exploration", "Explorer", "MoveStatistics", "Query", "Statistics"],
            "othellier.openings.games": ["GameCollection", "load"],
        },
    )
