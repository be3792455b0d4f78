"""UCB1, by which a Monte-Carlo search chooses."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from numbers import Real
from typing import Any

from othellier.course import Failed, Task, Told

__all__ = ["TASK", "check"]


def check(ucb1: Callable[..., Any]) -> str:
    """The formula on many numbers, and a child that was never visited."""
    rng = random.Random(3)
    cases = [(1.0, 1, 1, 1.5), (0.0, 1, 10, 1.5), (3.5, 7, 20, 0.0)]
    for _ in range(200):
        parent = rng.randint(2, 10_000)
        visits = rng.randint(1, parent)
        cases.append((rng.randint(0, 2 * visits) / 2, visits, parent, rng.uniform(0, 3)))
    for wins, visits, parent, c in cases:
        expected = wins / visits + c * math.sqrt(math.log(parent) / visits)
        found = ucb1(wins, visits, parent, c)
        if not isinstance(found, Real) or not math.isclose(found, expected, rel_tol=1e-9, abs_tol=1e-12):
            call = f"ucb1({wins:g}, {visits}, {parent}, {c:.4g})"
            raise Failed(OTHER, call=call, expected=f"{expected:.6f}", found=repr(found))
    unseen = ucb1(0.0, 0, 10, 1.5)
    if unseen != math.inf:
        raise Failed(UNSEEN, found=repr(unseen))
    return Told(RIGHT, count=len(cases) + 1)


OTHER = "{call}: {expected} expected, {found} came"
UNSEEN = "a child that was never visited comes first: infinity expected, {found} came"
RIGHT = "right on {count} cases"
TEXT = """Return what a Monte-Carlo search gives a child that won `wins` points in `visits` games, when its
parent was visited `parent_visits` times: the share of points won, plus c times the root of the
natural logarithm of the parent's visits over the child's. A child that was never visited comes
before all others: return math.inf."""

TASK = Task(
    "ucb1",
    "UCB1",
    "ucb1(wins, visits, parent_visits, c)",
    TEXT,
    check,
    seconds=10,
    order=5,
    french={
        TEXT: """Rendez ce qu'une recherche Monte-Carlo donne à un enfant qui a gagné `wins` points en `visits` parties,
quand son parent a été visité `parent_visits` fois : la part des points gagnés, plus c fois la racine du
logarithme népérien des visites du parent sur celles de l'enfant. Un enfant jamais visité passe avant
tous les autres : rendez math.inf.""",
        OTHER: "{call} : {expected} était attendu, {found} est venu",
        UNSEEN: "un enfant jamais visité passe en premier : l'infini était attendu, {found} est venu",
        RIGHT: "juste dans {count} cas",
    },
)
