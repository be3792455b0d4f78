"""The classical algorithms in readable Python: the reference for `core/classic` and `core/mcts`.

To read them, begin with `minimax`, then `alphabeta`; `mcts` stands by itself. `run` is where a search
begins, and where the compiled twin takes over unless `backend="python"`.
"""

from othellier.search.base import Counters, Options, SearchOutcome
from othellier.search.mcts import MctsOptions
from othellier.search.observer import Observer
from othellier.search.run import KeptTable, MonteCarlo, search
from othellier.search.trees.recording import Comparison, RecordedNode, RecordedTree, record

__all__ = [
    "Comparison",
    "Counters",
    "KeptTable",
    "MctsOptions",
    "MonteCarlo",
    "Observer",
    "Options",
    "RecordedNode",
    "RecordedTree",
    "SearchOutcome",
    "record",
    "search",
]
