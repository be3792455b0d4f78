"""Alpha-beta: the value of minimax, with far fewer positions."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from othellier.course import Counted, Failed, Task, Told
from othellier.course.tasks.minimax import VALUE, VALUE_FRENCH, WON, evaluate
from othellier.rules.board import Position

__all__ = ["TASK", "check", "reference"]

INFINITE = 1_000_000


def reference(position: Position, depth: int, alpha: int = -INFINITE, beta: int = INFINITE) -> tuple[int, int]:
    """Value and number of positions visited, with the moves as they come."""
    if position.is_over():
        return WON * position.score(), 1
    if depth == 0:
        return evaluate(position), 1
    best, nodes, moves = -INFINITE, 1, position.moves()
    for move in moves or [-1]:
        value, below = reference(position.play(move), depth - 1 if moves else depth, -beta, -alpha)
        nodes += below
        best = max(best, -value)
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best, nodes


def check(alphabeta: Callable[..., Any]) -> str:
    """The right value, with no more positions than plain alpha-beta needs."""
    rng = random.Random(8)
    cases = [(Position.start(), 3), (Position.start(), 5)]
    cases += [(Position.random(rng, 8, empties), depth) for empties, depth in ((40, 4), (30, 4), (7, 8), (6, 7))]
    visited = allowed = 0
    for position, depth in cases:
        value, nodes = reference(position, depth)
        counted = Counted(position)
        found = alphabeta(counted, depth, evaluate)
        if found != value:
            raise Failed(VALUE, position, depth=depth, value=value, found=repr(found))
        if counted.visited > nodes:
            raise Failed(TOO_MANY, position, depth=depth, nodes=nodes, visited=counted.visited)
        visited += counted.visited
        allowed += nodes
    return Told(RIGHT, visited=visited, allowed=allowed)


TOO_MANY = "depth {depth}: at most {nodes} positions allowed, {visited} were visited"
RIGHT = "right, with {visited} positions of {allowed} allowed"
TEXT = """As minimax, but leave out the moves that cannot change the result. The value must be the same; no
more positions may be made than alpha-beta makes that takes the moves in the order of
`position.moves()` and cuts when alpha reaches beta. A better order is welcome."""

TASK = Task(
    "alphabeta",
    "Alpha-beta",
    "alphabeta(position, depth, evaluate)",
    TEXT,
    check,
    seconds=60,
    order=3,
    french={
        "Alpha-beta": "Alpha-bêta",
        TEXT: """Comme minimax, mais laissez de côté les coups qui ne peuvent rien changer au résultat. La valeur
doit être la même ; il ne faut pas faire plus de positions qu'un alpha-bêta qui prend les coups dans
l'ordre de `position.moves()` et coupe quand alpha atteint bêta. Un meilleur ordre est bienvenu.""",
        VALUE: VALUE_FRENCH,
        TOO_MANY: "profondeur {depth} : {nodes} positions permises au plus, {visited} ont été visitées",
        RIGHT: "juste, avec {visited} positions pour {allowed} permises",
    },
)
