"""Minimax: the value must be right, and every position visited exactly once."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from othellier.course import Counted, Failed, Task, Told
from othellier.evaluation.evaluators import positional
from othellier.rules.board import Position
from othellier.rules.geometry import STANDARD

__all__ = ["TASK", "VALUE", "VALUE_FRENCH", "WON", "cases", "check", "evaluate", "reference"]

WON = 1000
_positional = positional().compile(STANDARD)


def evaluate(position: Any) -> int:
    """The evaluation handed to the student: squares by their value, for the side to move."""
    return _positional(position.player, position.opponent)


def reference(position: Position, depth: int) -> tuple[int, int]:
    """Value and number of positions visited, by the definition."""
    if position.is_over():
        return WON * position.score(), 1
    if depth == 0:
        return evaluate(position), 1
    moves = position.moves()
    found = [reference(position.play(move), depth - 1 if moves else depth) for move in moves or [-1]]
    return max(-value for value, _ in found), 1 + sum(nodes for _, nodes in found)


def cases() -> list[tuple[Position, int]]:
    """Positions and depths to try."""
    rng = random.Random(7)
    found = [(Position.start(), 1), (Position.start(), 3)]
    later = ((40, 2), (30, 3), (6, 4), (5, 6), (4, 8))
    return found + [(Position.random(rng, 8, empties), depth) for empties, depth in later]


def check(minimax: Callable[..., Any]) -> str:
    """Value and count on every case."""
    visited = 0
    for position, depth in cases():
        value, nodes = reference(position, depth)
        counted = Counted(position)
        found = minimax(counted, depth, evaluate)
        if found != value:
            raise Failed(VALUE, position, depth=depth, value=value, found=repr(found))
        if counted.visited != nodes:
            raise Failed(OTHER_COUNT, position, depth=depth, nodes=nodes, visited=counted.visited)
        visited += nodes
    return Told(RIGHT, visited=visited)


VALUE = "depth {depth}: the value {value} expected, {found} came"
VALUE_FRENCH = "profondeur {depth} : la valeur {value} était attendue, {found} est venu"
OTHER_COUNT = "depth {depth}: exactly {nodes} positions expected, {visited} were visited"
RIGHT = "right, with exactly {visited} positions"
TEXT = """Return the value of a position for the side to move, looking `depth` moves ahead. `position.moves()`
is the list of legal moves, `position.play(move)` the position after one, `position.is_over()` says
that neither side can move. A side without a move passes: `position.play(-1)`, which costs no depth.
At depth 0 the value is `evaluate(position)`; that of a finished game is 1000 * `position.score()`,
at any depth. Both are for the side to move. Make every position once and only once: they are
counted."""

TASK = Task(
    "minimax",
    "Minimax",
    "minimax(position, depth, evaluate)",
    TEXT,
    check,
    seconds=60,
    order=2,
    french={
        TEXT: """Rendez la valeur d'une position pour le camp au trait, en regardant `depth` coups à l'avance.
`position.moves()` est la liste des coups possibles, `position.play(move)` la position après l'un d'eux,
`position.is_over()` dit que plus personne ne peut jouer. Un camp sans coup passe : `position.play(-1)`,
ce qui ne coûte pas de profondeur. À la profondeur 0, la valeur est `evaluate(position)` ; celle d'une
partie finie est 1000 * `position.score()`, à toute profondeur. Toutes deux sont pour le camp au trait.
Faites chaque position une fois et une seule : elles sont comptées.""",
        VALUE: VALUE_FRENCH,
        OTHER_COUNT: "profondeur {depth} : exactement {nodes} positions attendues, {visited} ont été visitées",
        RIGHT: "juste, avec exactement {visited} positions",
    },
)
