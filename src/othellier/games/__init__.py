"""Games and the values that travel with them: moves with variations, notes, limits, results, clocks.

clock       the clock of a game in play
game        `Game`: start, a tree of moves with inferred passes, notes, headers, outcome
node_names  names of nodes in the tree of a game, and marks on boards
results     `Limit`, what a player is asked with, and `Result`, what it answers
symmetry    a game seen through a symmetry
timing      how a clock for a whole game becomes time for one move
walking     steps through the tree of a game, turn by turn
"""

from __future__ import annotations

TYPE_CHECKING = False  # importing `typing` for it would cost every start

if TYPE_CHECKING:
    from othellier.games.game import Evaluation, Game, GameNode, Headers, Outcome, replay
    from othellier.games.results import Limit, MoveValue, Result, Stop, clocked
    from othellier.games.timing import longest_time, time_for_move

__all__ = [
    "Evaluation",
    "Game",
    "GameNode",
    "Headers",
    "Limit",
    "MoveValue",
    "Outcome",
    "Result",
    "Stop",
    "clocked",
    "longest_time",
    "replay",
    "time_for_move",
]

if not TYPE_CHECKING:
    from othellier.base.lazy import lazy_names

    __getattr__, __dir__ = lazy_names(
        __name__,
        {
            "othellier.games.game": ["Evaluation", "Game", "GameNode", "Headers", "Outcome", "replay"],
            "othellier.games.results": ["Limit", "MoveValue", "Result", "Stop", "clocked"],
            "othellier.games.timing": ["longest_time", "time_for_move"],
        },
    )
