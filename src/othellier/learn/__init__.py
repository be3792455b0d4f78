"""From games to weights: data, training, export. The only package that imports PyTorch.

`othellier.train` is the short way; here are the parts: a `Run` in its folder, the `Archive` of what it did, the
`LearntEvaluation` that comes out, and the `shipped_card`, what is known of the one that ships.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from othellier.learn.archive import Archive
    from othellier.learn.card import shipped_card
    from othellier.learn.evaluation import LearntEvaluation
    from othellier.learn.run import Run

__all__ = ["Archive", "LearntEvaluation", "Run", "shipped_card"]

if not TYPE_CHECKING:
    from othellier.base.lazy import lazy_names

    __getattr__, __dir__ = lazy_names(
        __name__,
        {
            "othellier.learn.archive": ["Archive"],
            "othellier.learn.card": ["shipped_card"],
            "othellier.learn.evaluation": ["LearntEvaluation"],
            "othellier.learn.run": ["Run"],
        },
    )
