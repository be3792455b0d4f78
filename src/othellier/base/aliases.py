"""Words of published studies for players, options and strategies, beside ours, and names in any spelling.

The studies write `Negamax-AlphaBeta`, `negamax_alpha_beta`, `MCTS` or `strategy: positional`. Names are compared
without regard to case, blanks, hyphens and underscores. What a name stands for is the business of its registry.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Mapping

__all__ = ["CHOICES", "OPTIONS", "PLAYERS", "STRATEGIES", "resolve"]

PLAYERS = {
    "alpha-beta": "alphabeta",
    "humain": "human",
    "monte-carlo": "mcts",
    "nega-alpha-beta": "nega-alphabeta",
    "negamax-alpha-beta": "nega-alphabeta",
    "negamax-alphabeta": "nega-alphabeta",
}

OPTIONS = {
    "avoid-duplicates": "table",
    "evaluation": "eval",
    "max-depth": "depth",
    "max-iter": "iterations",
    "mc-rollout-method": "rollout",
    "strategy": "eval",
}

STRATEGIES = {
    "absolu": "absolute",
    "absolue": "absolute",
    "mixte": "mixed",
    "mobile": "mobility",
    "mobilite": "mobility",
    "positionnel": "positional",
    "positionnelle": "positional",
}

CHOICES = {"deterministe": "greedy", "deterministic": "greedy", "probabiliste": "weighted", "probabilistic": "weighted"}
"""Words for the ways to play a game out."""


def _plain(name: str) -> str:
    """Return a name in small letters without accents, its words joined by hyphens."""
    letters = unicodedata.normalize("NFKD", name.strip().lower())
    return re.sub(r"[\s_-]+", "-", "".join(letter for letter in letters if not unicodedata.combining(letter)))


def resolve(name: str, known: Collection[str], aliases: Mapping[str, str]) -> str:
    """Return the known name that a name stands for; the name itself where it stands for none.

    >>> resolve("Negamax_AlphaBeta", ["nega-alphabeta", "mcts"], PLAYERS), resolve("Table Depth", ["table_depth"], {})
    ('nega-alphabeta', 'table_depth')
    """
    if name in known:
        return name
    plain = _plain(name)
    spelled = {_plain(one): one for one in known}
    return spelled.get(aliases.get(plain, plain), name)
