"""Chances of a win and of a draw in the notes of a game's moves, as a trace shows them while nothing is proven."""

from __future__ import annotations

import re
from dataclasses import replace

from othellier.evaluation.chances import chances
from othellier.games.game import Evaluation, Game, GameNode
from othellier.openings.book import Book
from othellier.rules.geometry import STANDARD

__all__ = ["add_chances"]


CHANCES = re.compile(r"\bwin \d+ %")
"""The words as `add_chances` writes them: a trace that was read has them already."""


def add_chances(game: Game, book: Book | None = None) -> None:
    """Write the chances of each valued move of the main line into its words, for the side that moved.

    Chances of a book move are the book's own, if the book is given. A proven value has a result and no chances.
    """
    for node in game.main_line():
        evaluation = node.evaluation
        if evaluation is not None and not evaluation.exact and not CHANCES.search(evaluation.text):
            win, draw = _chances(node, evaluation, book)
            words = f"win {100 * win:.0f} %, draw {100 * draw:.0f} %"
            node.evaluation = replace(evaluation, text=", ".join(filter(None, (evaluation.text, words))))


def _chances(node: GameNode, evaluation: Evaluation, book: Book | None) -> tuple[float, float]:
    position = node.position
    known = book is not None and evaluation.text == "book" and position.size == STANDARD
    entry = book.get(position) if book is not None and known else None
    if entry is not None:
        own = entry if position.turn == node.color else entry.flipped()
        return own.win, own.draw
    # The value was found before the move, with one square more to fill.
    return chances(evaluation.score, position.empties + 1, depth=evaluation.depth)
