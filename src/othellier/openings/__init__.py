"""Openings: their names, a book of positions, balanced starts, and what games in databases did with them.

Each file below is used by its own name: `openings.names`, `openings.book`, `openings.balanced`. This room knows
no engine: whoever values positions is handed down to it.
"""

__all__: list[str] = []
