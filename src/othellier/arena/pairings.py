"""Who meets whom: all against all, one against all, or those of equal score. Pure functions of names and scores."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from itertools import combinations

__all__ = ["Pairing", "gauntlet", "round_robin", "swiss_round", "swiss_rounds"]

Pairing = tuple[str, str]

TRIES = 10_000
"""Steps after which a Swiss round without a second meeting is no longer looked for."""


def round_robin(names: Sequence[str]) -> list[Pairing]:
    """Everybody against everybody.

    >>> round_robin(["a", "b", "c"])
    [('a', 'b'), ('a', 'c'), ('b', 'c')]
    """
    return list(combinations(names, 2))


def gauntlet(names: Sequence[str], hero: str) -> list[Pairing]:
    """One against all others.

    >>> gauntlet(["a", "b", "c"], "b")
    [('b', 'a'), ('b', 'c')]
    """
    return [(hero, name) for name in names if name != hero]


def swiss_rounds(players: int) -> int:
    """Rounds until only one can have won them all."""
    return max(1, math.ceil(math.log2(players)))


def swiss_round(
    names: Sequence[str], scores: Mapping[str, float], met: Collection[frozenset[str]], rested: Collection[str]
) -> tuple[list[Pairing], str | None]:
    """The pairings of the next round, and who has none where the number is odd.

    The best two who have not met meet, then the best two of the rest, and so on; a second meeting only
    where it cannot be helped. The last who has not rested yet rests.

    >>> swiss_round(["a", "b", "c"], {"a": 2, "b": 0, "c": 1}, {frozenset("ac")}, [])
    ([('a', 'c')], 'b')
    >>> swiss_round(["a", "b", "c", "d"], {"a": 1, "b": 0, "c": 1, "d": 0}, {frozenset("ac")}, [])
    ([('a', 'b'), ('c', 'd')], None)
    """
    order = sorted(names, key=lambda name: -scores[name])  # a stable sort: equal scores keep the list's order
    rest = None
    if len(order) % 2:
        rest = next((name for name in reversed(order) if name not in rested), order[-1])
        order.remove(rest)
    steps = TRIES

    def pair(left: list[str]) -> list[Pairing] | None:
        nonlocal steps
        if not left:
            return []
        first, *others = left
        for second in others:
            steps -= 1
            if steps < 0:
                return None
            if frozenset((first, second)) not in met:
                following = pair([name for name in others if name != second])
                if following is not None:
                    return [(first, second), *following]
        return None

    pairs = pair(order)
    if pairs is None:
        pairs = list(zip(order[::2], order[1::2], strict=True))
    return pairs, rest
