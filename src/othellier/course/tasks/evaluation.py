"""An evaluation that beats the table of square values."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Real
from typing import Any, NamedTuple

from othellier.arena.openings import BALANCED, find_openings
from othellier.course import Failed, Task, Told
from othellier.rules.board import Position
from othellier.rules.geometry import PASS, STANDARD
from othellier.search import Options, search

__all__ = ["TASK", "check"]

GAMES, DEPTH, POINTS = 120, 2, 60
MOST = 9000
"""The largest value an evaluation may give."""


class _Misjudged(NamedTuple):
    """The position of a lost game that the evaluation liked best."""

    value: float
    position: Position
    discs: int
    """By which the game was lost."""


def check(evaluate: Callable[..., Any]) -> str:
    """A match of two searches that differ in their evaluation alone."""

    def own(player: int, opponent: int) -> int:
        position = Position(player, opponent)
        value = evaluate(position)
        if isinstance(value, bool) or not isinstance(value, Real) or not -MOST <= float(value) <= MOST:
            raise Failed(NO_NUMBER, position, most=MOST, found=repr(value))
        return round(100 * float(value))

    mine = Options("nega-alphabeta", depth=DEPTH, evaluator=own)
    theirs = Options("nega-alphabeta", depth=DEPTH)
    made = 0.0
    worst: _Misjudged | None = None
    for number, opening in enumerate(find_openings(BALANCED, GAMES // 2, STANDARD, 15)):
        for black in (True, False):
            position = opening.position()
            asked = []
            while not position.is_over():
                if position.must_pass():
                    position = position.play(PASS)
                    continue
                own_turn = (position.turn == "black") == black
                if own_turn:
                    asked.append(position)
                position = position.play(search(position, mine if own_turn else theirs).move)
            score = position.score() if (position.turn == "black") == black else -position.score()
            made += 1 if score > 0 else 0.5 if score == 0 else 0
            if score < 0 and asked:
                valued = [(own(one.player, one.opponent) / 100, one) for one in asked]
                value, liked = max(valued, key=lambda pair: pair[0])
                if worst is None or value > worst.value:
                    worst = _Misjudged(value, liked, -score)
        if number + 1 == GAMES // 2:
            break
    share = 100 * made / GAMES
    if share < POINTS:
        assert worst is not None  # too few points are made by losing
        facts = {"value": f"{worst.value:g}", "discs": worst.discs}
        raise Failed(TOO_FEW, worst.position, points=POINTS, games=GAMES, share=round(share), **facts)
    return Told(ENOUGH, games=GAMES, share=round(share))


NO_NUMBER = "a number from -{most} to {most} expected, {found} came"
TOO_FEW = (
    "{points} % of points expected in {games} games against positional, {share} % were made; of the games it lost, "
    "this is the position it liked best: it gave {value}, and lost by {discs} discs"
)
ENOUGH = "{share} % of points in {games} games against positional"
TEXT = f"""Return what a position is worth to the side to move, as a number from -{MOST} to {MOST}. Alpha-beta to
depth {DEPTH} with your evaluation plays {GAMES} games against the same search with the table of square values
(`eval=positional`), from balanced openings with both colours. Make at least {POINTS} % of the points.
`position.player` and `position.opponent` are bitboards, `position.moves()` the legal moves. Worth a
try: corners and the squares beside them, the moves each side has, and the empty squares beside each
side's discs, where moves of the other will be. What counts when few squares are empty?"""

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
        TEXT: f"""Rendez ce que vaut une position pour le camp au trait, un nombre de -{MOST} à {MOST}. Alpha-bêta à la
profondeur {DEPTH} avec votre évaluation joue {GAMES} parties contre la même recherche avec la table des
valeurs de cases (`eval=positional`), depuis des ouvertures équilibrées, avec les deux couleurs. Faites au
moins {POINTS} % des points. `position.player` et `position.opponent` sont des bitboards,
`position.moves()` les coups possibles. À essayer : les coins et les cases à côté, les coups que chaque
camp peut jouer, et les cases vides à côté des pions de chacun, où l'autre jouera. Qu'est-ce qui compte
quand peu de cases sont vides ?""",
        NO_NUMBER: "un nombre de -{most} à {most} était attendu, {found} est venu",
        TOO_FEW: "{points} % des points attendus en {games} parties contre positional, {share} % ont été faits ; "
        "des parties perdues, voici la position qu'elle préférait : elle a donné {value}, et perdu de {discs} pions",
        ENOUGH: "{share} % des points en {games} parties contre positional",
    },
)
