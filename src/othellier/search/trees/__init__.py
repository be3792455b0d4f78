"""Searches recorded move by move, drawn as trees and walked through step by step.

drawing    trees as SVG
recording  searches recorded as trees
steps      trees to walk through step by step
"""

from __future__ import annotations

TYPE_CHECKING = False  # importing `typing` for it would cost every start

if TYPE_CHECKING:
    from othellier.search.trees.drawing import draw
    from othellier.search.trees.recording import Comparison, RecordedNode, RecordedTree, record
    from othellier.search.trees.steps import stepper_page

__all__ = ["Comparison", "RecordedNode", "RecordedTree", "draw", "record", "stepper_page"]

if not TYPE_CHECKING:
    from othellier.base.lazy import lazy_names

    __getattr__, __dir__ = lazy_names(
        __name__,
        {
            "othellier.search.trees.drawing": ["draw"],
            "othellier.search.trees.recording": ["Comparison", "RecordedNode", "RecordedTree", "record"],
            "othellier.search.trees.steps": ["stepper_page"],
        },
    )
