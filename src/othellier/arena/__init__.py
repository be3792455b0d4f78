"""Players against players: one game, matches, tournaments, and what their results mean.

`othellier.match` and `othellier.tournament` are the short way; here are the parts. `play` plays one game, `match` two
players over many openings, `tournament` many players; `guard` keeps players of one's own from doing harm, `ledger`
writes every game down, `stats` judges. Names are fetched when first used, so that worker processes start quickly.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from othellier.arena.match import Match
    from othellier.arena.play import OpeningMoves, Played, play_game
    from othellier.arena.report import TournamentReport
    from othellier.arena.stats import Estimate, Sprt, Tally
    from othellier.arena.tournament import Tournament

__all__ = [
    "Estimate",
    "Match",
    "OpeningMoves",
    "Played",
    "Sprt",
    "Tally",
    "Tournament",
    "TournamentReport",
    "play_game",
]

if not TYPE_CHECKING:
    from othellier.base.lazy import lazy_names

    __getattr__, __dir__ = lazy_names(
        __name__,
        {
            "othellier.arena.match": ["Match"],
            "othellier.arena.play": ["OpeningMoves", "Played", "play_game"],
            "othellier.arena.report": ["TournamentReport"],
            "othellier.arena.stats": ["Estimate", "Sprt", "Tally"],
            "othellier.arena.tournament": ["Tournament"],
        },
    )
