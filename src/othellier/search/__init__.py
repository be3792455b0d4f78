"""The classical algorithms in readable Python: the reference for `core/classic` and `core/mcts`."""

from othellier.search.base import Counters, Options, Outcome
from othellier.search.run import search

__all__ = ["Counters", "Options", "Outcome", "search"]
