"""Evaluations of positions: classical strategies, the learnt patterns, networks and classifiers.

chances     the chances of a win and a draw that a score stands for
classifier  the network on the bare board: who wins a game in progress, without PyTorch
evaluators  the classical strategies and their parameters
features    what evaluators count on a board: stable discs, weak ones, shares
network     the networks on patterns: their shape, their file, what they say
patterns    the learnt evaluation in plain Python, and its weights for the core
textbook    logistic regression on what textbooks count: its weights, phase by phase
weights     the weights file of the evaluation
"""

from __future__ import annotations

TYPE_CHECKING = False  # importing `typing` for it would cost every start

if TYPE_CHECKING:
    from othellier.evaluation.classifier import BoardModel
    from othellier.evaluation.evaluators import EVALUATORS, Evaluator, create_evaluator
    from othellier.evaluation.network import Networks, load_networks, shipped_networks
    from othellier.evaluation.patterns import PatternValues, compiled_weights, load_weights
    from othellier.evaluation.weights import PatternGeometry

__all__ = [
    "EVALUATORS",
    "BoardModel",
    "Evaluator",
    "Networks",
    "PatternGeometry",
    "PatternValues",
    "compiled_weights",
    "create_evaluator",
    "load_networks",
    "load_weights",
    "shipped_networks",
]

if not TYPE_CHECKING:
    from othellier.base.lazy import lazy_names

    __getattr__, __dir__ = lazy_names(
        __name__,
        {
            "othellier.evaluation.classifier": ["BoardModel"],
            "othellier.evaluation.evaluators": ["EVALUATORS", "Evaluator", "create_evaluator"],
            "othellier.evaluation.network": ["Networks", "load_networks", "shipped_networks"],
            "othellier.evaluation.patterns": ["PatternValues", "compiled_weights", "load_weights"],
            "othellier.evaluation.weights": ["PatternGeometry"],
        },
    )
