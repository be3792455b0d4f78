"""Openings: their names, a book of positions, balanced starts, and what games in databases did with them.

    openings.name_of("F5D6C3D3C4")       the name of an opening; opening_of tells more
    openings.book.shipped()              the book that comes with the package
    openings.balanced.sample(seed=1)     a balanced start

Each file below is used by its own name: `openings.names`, `openings.book`, `openings.balanced`. This package knows
no engine: whoever values positions is handed down to it. Games in databases: `othellier.databases`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from othellier.openings import balanced, book, names
    from othellier.openings.balanced import Start
    from othellier.openings.book import Book
    from othellier.openings.names import Opening, name_of, opening_of

__all__ = ["Book", "Opening", "Start", "balanced", "book", "name_of", "names", "opening_of"]

if not TYPE_CHECKING:
    from othellier.base.lazy import lazy_names

    __getattr__, __dir__ = lazy_names(
        __name__,
        {
            "othellier.openings.balanced": ["Start"],
            "othellier.openings.book": ["Book"],
            "othellier.openings.names": ["Opening", "name_of", "opening_of"],
        },
        ["balanced", "book", "names"],
    )
