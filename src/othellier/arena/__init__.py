"""Players against players: one game, matches, tournaments, and what their results mean.

`play` plays one game, `match` two players over many openings, `tournament` many players; `guard` keeps players of
one's own from doing harm, `ledger` writes every game down, `stats` judges. Nothing is imported here, so that
worker processes start quickly.
"""

from __future__ import annotations

__all__: list[str] = []
