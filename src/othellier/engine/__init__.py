"""The strong engine and its levels of play.

analysts   the engine as the judge of many positions, for books and balanced starts
engine     `Engine`: search, solve, analyse; limits and weights
humanlike  opponents that choose as people do
levels     the levels of play: what they are, everywhere
probcut    how far a shallow search may be trusted for a deep one
"""

from __future__ import annotations

TYPE_CHECKING = False  # importing `typing` for it would cost every start

if TYPE_CHECKING:
    from othellier.engine.engine import Analysis, Engine, SearchProgress, bench
    from othellier.engine.humanlike import humanlike_move
    from othellier.engine.levels import LEVELS, PEOPLE, HumanStyle, Level, find_level
    from othellier.engine.probcut import Probcut

__all__ = [
    "LEVELS",
    "PEOPLE",
    "Analysis",
    "Engine",
    "HumanStyle",
    "Level",
    "Probcut",
    "SearchProgress",
    "bench",
    "find_level",
    "humanlike_move",
]

if not TYPE_CHECKING:
    from othellier.base.lazy import lazy_names

    __getattr__, __dir__ = lazy_names(
        __name__,
        {
            "othellier.engine.engine": ["Analysis", "Engine", "SearchProgress", "bench"],
            "othellier.engine.humanlike": ["humanlike_move"],
            "othellier.engine.levels": ["LEVELS", "PEOPLE", "HumanStyle", "Level", "find_level"],
            "othellier.engine.probcut": ["Probcut"],
        },
    )
