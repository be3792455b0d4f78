"""An evaluation that beats the table of square values."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Real
from typing import Any

from othellier.arena.openings import BALANCED, find_openings
from othellier.board import Position
from othellier.course import Failed, Task, Told
from othellier.geometry import PASS, STANDARD
from othellier.search import Options, search

__all__ = ["TASK", "check"]

GAMES, DEPTH, POINTS = 120, 2, 60


def check(evaluate: Callable[..., Any]) -> str:
    """A match of two searches that differ in their evaluation alone."""

    def own(player: int, opponent: int) -> int:
        position = Position(player, opponent)
        value = evaluate(position)
        if isinstance(value, bool) or not isinstance(value, Real) or value != value:
            raise Failed(NO_NUMBER, position, found=repr(value))
        return round(100 * max(-9000.0, min(9000.0, float(value))))

    mine = Options("nega-alphabeta", depth=DEPTH, evaluator=own)
    theirs = Options("nega-alphabeta", depth=DEPTH)
    made = 0.0
    for number, opening in enumerate(find_openings(BALANCED, GAMES // 2, STANDARD, 15)):
        for black in (True, False):
            position = opening.position()
            while not position.is_over():
                if position.must_pass():
                    position = position.play(PASS)
                    continue
                options = mine if (position.turn == "black") == black else theirs
                position = position.play(search(position, options).move)
            score = position.score() if (position.turn == "black") == black else -position.score()
            made += 1 if score > 0 else 0.5 if score == 0 else 0
        if number + 1 == GAMES // 2:
            break
    share = 100 * made / GAMES
    if share < POINTS:
        raise Failed(TOO_FEW, points=POINTS, games=GAMES, share=round(share))
    return Told(ENOUGH, games=GAMES, share=round(share))


NO_NUMBER = "a number expected, {found} came"
TOO_FEW = "{points} % of points expected in {games} games against positional, {share} % were made"
ENOUGH = "{share} % of points in {games} games against positional"
TEXT = f"""Return what a position is worth to the side to move, as a number from -9000 to 9000. Alpha-beta to
depth {DEPTH} with your evaluation plays {GAMES} games against the same search with the table of
square values (`eval=positional`), from balanced openings with both colours. Make at least {POINTS}
% of the points. `position.player` and `position.opponent` are bitboards, `position.moves()` the
legal moves."""

TASK = Task(
    "evaluation",
    "An evaluation that beats positional",
    "evaluate(position)",
    TEXT,
    check,
    seconds=180,
    order=4,
    french={
        "An evaluation that beats positional": "Une évaluation qui bat positional",
        TEXT: f"""Rendez ce que vaut une position pour le camp au trait, un nombre de -9000 à 9000. Alpha-bêta à la
profondeur {DEPTH} avec votre évaluation joue {GAMES} parties contre la même recherche avec la table des
valeurs de cases (`eval=positional`), depuis des ouvertures équilibrées, avec les deux couleurs. Faites au
moins {POINTS} % des points. `position.player` et `position.opponent` sont des bitboards, `position.moves()`
les coups possibles.""",
        NO_NUMBER: "un nombre était attendu, {found} est venu",
        TOO_FEW: "{points} % des points attendus en {games} parties contre positional, {share} % ont été faits",
        ENOUGH: "{share} % des points en {games} parties contre positional",
    },
)
