"""Games through the symmetries of the board: turned with all that was said about them, compared with an opening."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from othellier.games.game import Game, GameNode
from othellier.rules.geometry import PASS, Size, geometry

__all__ = ["KINDS", "START_KEEPING", "following", "mapping", "turned"]

KINDS = {"central": 3, "falling": 4, "rising": 7}
"""The symmetries by name: half a turn, and the mirrors along the two diagonals."""

START_KEEPING = (0, *KINDS.values())
"""The symmetries that leave the usual start as it is, so that transcripts stay legal."""


def mapping(symmetry: int, size: Size) -> Callable[[int], int]:
    """Where a symmetry takes each square; a pass stays one."""
    table = geometry(size).symmetry_tables[symmetry]
    return lambda move: move if move == PASS else table[move]


def following(line: Sequence[int], played: Sequence[int], size: Size) -> list[int]:
    """The moves that go on with a line after those played, in whichever of its symmetric forms."""
    forms = ([*map(mapping(symmetry, size), line)] for symmetry in START_KEEPING)
    at = len(played)
    return sorted({form[at] for form in forms if at < len(form) and form[:at] == [*played]})


def turned(game: Game, symmetry: int) -> tuple[Game, dict[GameNode, GameNode]]:
    """The game seen through a symmetry, and which node has become which."""
    seen = mapping(symmetry, game.start.size)
    twin = Game(game.start.transform(symmetry), game.headers, game.result)
    twins = {game.root: twin.root}
    for node in game.root.walk():
        made = twins[node]
        made.copy_notes(node)
        made.scores = {seen(move): score for move, score in node.scores.items()}
        if node.evaluation is not None:
            made.evaluation = replace(node.evaluation, pv=tuple(map(seen, node.evaluation.pv)))
        for child in node.children:
            assert child.move is not None
            twins[child] = made.add(seen(child.move))
    twin.current = twins[game.current]
    return twin, twins
