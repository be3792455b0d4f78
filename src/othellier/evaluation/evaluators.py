"""Strategies: what the classical searches think a position is worth. Their parameters live here only.

An evaluator is data: phases of the game, each a sum of terms. A term compares one feature of both sides,

    difference   weight * (mine - theirs)
    ratio        weight * ratio(mine, theirs)      a whole number from -100 to 100

where a feature is the number of discs, of legal moves, of stable discs, the sum of a table over one's
discs, discs beside empty squares (`frontier`), discs beside and diagonal to empty corners, or what the learnt
evaluation or a network expects of the position if one is to move (`patterns`, `classifier`). All arithmetic
is in whole numbers, so the compiled core, which is handed the same data, agrees to the last unit. Every
value is for the side to move, changes sign when the sides are exchanged, and is the same for all symmetric
forms of a position (every table below is symmetric, those of the documents too).

| name       | options (defaults)               | value |
|------------|----------------------------------|-------|
| positional | table=heuristic2                 | a table summed over my discs less over theirs |
| absolute   |                                  | my discs less theirs |
| mobility   | corner=10                        | my moves and corners less theirs |
| mixed      | opening=20, ending=10, and those | positional, then mobility, then absolute |
| criteria   | stability=matrix (or real), and weights: discs=2, moves=5, corners=10, stable=15 | a sum of ratios |
| patterns   |                                  | what I expect if I am to move, less what they would; 8x8 only |
| classifier | model=board (or textbook)        | who wins, learnt from games: bare board (8x8 only) or counts |

Written with options: `mixed/opening=25/ending=16`. A finished game is no evaluator's business: the search
knows its result.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Literal, cast, get_args

from othellier.base import aliases
from othellier.errors import ConfigError, expect, nearest
from othellier.evaluation.features import frontier_mask, ratio, stable_mask, weak_squares
from othellier.reference import moves_mask
from othellier.rules.geometry import STANDARD, Size, SizeLike, geometry

__all__ = [
    "EVALUATORS",
    "TABLES",
    "Evaluate",
    "Evaluator",
    "Feature",
    "Phase",
    "Term",
    "absolute",
    "classifier",
    "create_evaluator",
    "criteria",
    "mixed",
    "mobility",
    "patterns",
    "positional",
    "regression_phases",
    "square_values",
    "textbook_term",
]

# -- tables

TABLES: dict[str, tuple[tuple[int, ...], ...]] = {
    # Figure 3 of the Utrecht thesis: its square values, made for 6x6.
    "utrecht": ((10, -2, 4), (-2, -2, 2), (4, 2, 0)),
    # The Neuchâtel project: the weights of its criteria "corners" and "stability".
    "neuchatel-corners": ((20, -10, 1, 1), (-10, -7, 1, 1), (1, 1, 1, 1), (1, 1, 1, 1)),
    "neuchatel-stability": ((4, -3, 2, 2), (-3, -4, -1, -1), (2, -1, 1, 0), (2, -1, 0, 1)),
    # Figure 6.3 of the INSA report: heuristics 1 and 2.
    "heuristic1": ((500, -150, 30, 10), (-150, -250, 0, 0), (30, 0, 1, 2), (10, 0, 2, 16)),
    "heuristic2": ((100, -20, 10, 5), (-20, -50, -2, -2), (10, -2, -1, -1), (5, -2, -1, -1)),
    # One for each corner; and one for each square of the edges that is not beside one.
    "corners": ((1, 0), (0, 0)),
    "edges": ((0, 0, 1), (0, 0, 0), (1, 0, 0)),
}
"""The corner of each table from a1 to the middle of the board: the other three are its mirror images."""


@cache
def square_values(table: str, size: Size) -> tuple[int, ...]:
    """A table's values from a1 on, for a board of any size.

    Squares are told by their distances from the nearest edges. A board smaller than the table leaves out
    the table's middle, a larger one repeats it, so corners and edges keep their values.
    """
    if table not in TABLES:
        raise ConfigError(f"unknown table {table!r}{nearest(table, TABLES)}")
    rows = TABLES[table]

    def distance(index: int, side: int) -> int:
        return min(index, side - 1 - index, len(rows) - 1)

    return tuple(
        rows[distance(row, size.rows)][distance(column, size.columns)]
        for row in range(size.rows)
        for column in range(size.columns)
    )


# -- evaluators as data

Feature = Literal[
    "discs", "moves", "stable", "squares", "patterns", "classifier", "frontier", "beside_corner", "diagonal_to_corner"
]
Evaluate = Callable[[int, int], int]
"""What the searches call: discs of the side to move, discs of the other side, and the value comes back."""


@dataclass(frozen=True, slots=True)
class Term:
    """One feature of both sides compared, times a weight."""

    feature: Feature
    weight: int = 1
    ratio: bool = False
    table: str = ""
    """The table summed up by the feature `squares`."""

    def counter(self, size: Size) -> Evaluate:
        """Counts the feature for the side named first."""
        board = geometry(size)
        if self.feature == "discs":
            return lambda player, opponent: player.bit_count()
        if self.feature == "moves":
            return lambda player, opponent: moves_mask(player, opponent, board).bit_count()
        if self.feature == "stable":
            return lambda player, opponent: stable_mask(player, opponent, board).bit_count()
        if self.feature == "patterns":
            from othellier.evaluation.patterns import (
                shipped_values,  # not needed, nor the time to load them, by any other
            )

            return shipped_values().estimate
        if self.feature == "classifier":
            from othellier.evaluation.classifier import shipped_model

            return shipped_model().value
        if self.feature == "frontier":
            return lambda player, opponent: frontier_mask(player, opponent, board).bit_count()
        if self.feature in ("beside_corner", "diagonal_to_corner"):
            weak = weak_squares(board, diagonal=self.feature == "diagonal_to_corner")
            return lambda player, opponent: sum(
                (player & squares).bit_count() for corner, squares in weak if not (player | opponent) & corner
            )
        groups = _groups(self.table, size)
        return lambda player, opponent: sum(value * (player & mask).bit_count() for value, mask in groups)


@dataclass(frozen=True, slots=True)
class Phase:
    """The terms in force until so many of the sixty moves are played; in proportion on other boards."""

    terms: tuple[Term, ...]
    until: int = 60

    def limit(self, size: Size) -> int:
        """The number of discs on the board at which the phase is over."""
        return 4 + self.until * (size.squares - 4) // 60


@dataclass(frozen=True, slots=True)
class Evaluator:
    """A strategy: its phases in order, the last of which has no end."""

    name: str
    phases: tuple[Phase, ...]

    def __post_init__(self) -> None:
        if not self.phases:
            raise ConfigError(f"evaluator {self.name!r} has no phases")
        for term in (term for phase in self.phases for term in phase.terms):
            if term.feature not in get_args(Feature):
                raise ConfigError(f"unknown feature {term.feature!r}{nearest(term.feature, get_args(Feature))}")
            if (term.feature == "squares") != bool(term.table):
                raise ConfigError(f"evaluator {self.name!r}: the feature squares, and only it, needs a table")

    @property
    def learnt(self) -> bool:
        """Whether weights take part, which know no other board than 8x8."""
        return self.uses("patterns") or self.uses("classifier")

    def uses(self, feature: Feature) -> bool:
        """Whether a feature takes part."""
        return any(term.feature == feature for phase in self.phases for term in phase.terms)

    def check_size(self, size: Size) -> None:
        """Refuse a board it cannot value."""
        if self.learnt and size != STANDARD:
            raise ConfigError(f"evaluator {self.name!r} knows boards of 8x8, not {size}")

    def compile(self, size: SizeLike, moves: Evaluate | None = None) -> Evaluate:
        """The evaluator as a Python function for one board size; `moves` counts the moves of a side more quickly."""
        size = Size.parse(size)
        self.check_size(size)
        phases = [
            (phase.limit(size), [_compile_term(term, size, moves) for term in phase.terms]) for phase in self.phases
        ]
        last = _total(phases.pop()[1])
        if not phases:
            return last
        early = [(limit, _total(terms)) for limit, terms in phases]

        def evaluate(player: int, opponent: int) -> int:
            discs = (player | opponent).bit_count()
            for limit, total in early:
                if discs < limit:
                    return total(player, opponent)
            return last(player, opponent)

        return evaluate

    def data(self, size: SizeLike) -> list[tuple[int, list[tuple[int, int, bool, list[int]]]]]:
        """The evaluator as the compiled core is handed it: (limit, [(feature, weight, ratio, table) ...]) a phase."""
        size = Size.parse(size)
        self.check_size(size)
        features = get_args(Feature)
        return [
            (
                phase.limit(size),
                [
                    (
                        features.index(term.feature),
                        term.weight,
                        term.ratio,
                        list(square_values(term.table, size)) if term.table else [],
                    )
                    for term in phase.terms
                ],
            )
            for phase in self.phases
        ]


def _total(terms: list[Evaluate]) -> Evaluate:
    if len(terms) == 1:
        return terms[0]
    return lambda player, opponent: sum(term(player, opponent) for term in terms)


def _compile_term(term: Term, size: Size, moves: Evaluate | None) -> Evaluate:
    weight = term.weight
    count = moves if moves is not None and term.feature == "moves" else term.counter(size)
    if term.ratio:
        return lambda player, opponent: weight * ratio(count(player, opponent), count(opponent, player))
    if term.feature == "squares":
        # The most common term by far: both sides in one pass.
        groups = [(weight * value, mask) for value, mask in _groups(term.table, size)]

        def squares(player: int, opponent: int) -> int:
            total = 0
            for value, mask in groups:
                total += value * ((player & mask).bit_count() - (opponent & mask).bit_count())
            return total

        return squares
    return lambda player, opponent: weight * (count(player, opponent) - count(opponent, player))


def _groups(table: str, size: Size) -> list[tuple[int, int]]:
    """The distinct values of a table other than 0, each with the squares that have it."""
    masks: dict[int, int] = {}
    for square, value in enumerate(square_values(table, size)):
        masks[value] = masks.get(value, 0) | 1 << square
    return [(value, mask) for value, mask in masks.items() if value]


# -- the strategies of the documents


def positional(*, table: str = "heuristic2") -> Evaluator:
    """Square values: those of one's discs less those of the other's, as in all three studies.

    >>> evaluate = positional().compile(STANDARD)
    >>> evaluate(1, 0), evaluate(0, 1)  # a disc on a1
    (100, -100)
    """
    return Evaluator("positional", (Phase((Term("squares", table=table),)),))


def absolute() -> Evaluator:
    """The difference of discs, as in the Utrecht thesis and the INSA report.

    >>> absolute().compile(STANDARD)(0b111, 0b11000)
    1
    """
    return Evaluator("absolute", (Phase((Term("discs"),)),))


def mobility(*, corner: int = 10) -> Evaluator:
    """The difference of legal moves, a corner counting for `corner` of them (the INSA report gives no number).

    >>> mobility(corner=10).compile(STANDARD)(1, 0)  # a disc on a1 and no move for either
    10
    """
    _check("corner", corner, 0, 1000)
    return Evaluator("mobility", (Phase((Term("moves"), Term("squares", corner, table="corners"))),))


def mixed(*, opening: int = 20, ending: int = 10, table: str = "heuristic2", corner: int = 10) -> Evaluator:
    """Positional for the first `opening` moves, absolute for the last `ending`, mobility in between.

    The document says 20 to 25 and 10 to 16. The phase is that of the position valued, not of the root.
    """
    _check("opening", opening, 0, 60)
    _check("ending", ending, 0, 60 - opening)
    first, middle, last = positional(table=table), mobility(corner=corner), absolute()
    phases = (
        Phase(first.phases[0].terms, opening),
        Phase(middle.phases[0].terms, 60 - ending),
        last.phases[0],
    )
    return Evaluator("mixed", phases)


def criteria(
    *,
    stability: Literal["matrix", "real"] = "matrix",
    discs: int = 2,
    moves: int = 5,
    corners: int = 10,
    stable: int = 15,
) -> Evaluator:
    """The four criteria of the Neuchâtel project with their weights; 0 leaves one out.

    `stability=real` counts discs that can never be turned instead of the project's matrix.
    """
    if stability not in ("matrix", "real"):
        raise ConfigError(f"stability={stability}: matrix or real expected")
    for name, weight in (("discs", discs), ("moves", moves), ("corners", corners), ("stable", stable)):
        _check(name, weight, 0, 1000)
    terms = (
        Term("discs", discs, ratio=True),
        Term("moves", moves, ratio=True),
        Term("squares", corners, ratio=True, table="neuchatel-corners"),
        Term("stable", stable, ratio=True)
        if stability == "real"
        else Term("squares", stable, ratio=True, table="neuchatel-stability"),
    )
    if not any(term.weight for term in terms):
        raise ConfigError("criteria: at least one of discs, moves, corners and stable needs a weight")
    return Evaluator("criteria", (Phase(tuple(term for term in terms if term.weight)),))


def patterns() -> Evaluator:
    """The strong engine's evaluation without its search: the learnt pattern weights, in their own unit.

    The weights know whose turn it is. Taken as a feature of both sides, as all others are, that is a difference: what
    a side expects when it is to move, less what the other would expect, nearly twice what either does.
    """
    return Evaluator("patterns", (Phase((Term("patterns"),)),))


def classifier(*, model: Literal["board", "textbook"] = "board") -> Evaluator:
    """Who wins, learnt from games of people, in thousandths of the logarithm of the odds; a difference like `patterns`.

    `board` is a network on the bare board, 8x8 only. `textbook` is logistic regression on what textbooks count; its
    weights, which change with the phase of the game, are those of terms like any others.
    """
    if model == "board":
        return Evaluator("classifier", (Phase((Term("classifier"),)),))
    if model != "textbook":
        raise ConfigError(f"model={model}: board or textbook expected")
    from othellier.evaluation.textbook import shipped_weights

    return Evaluator("classifier", regression_phases(shipped_weights()))


def regression_phases(learnt: Iterable[tuple[int, dict[str, int]]]) -> tuple[Phase, ...]:
    """The phases of a regression: until so many moves, the weight of each count of `textbook.COUNTS`."""
    return tuple(
        Phase(tuple(textbook_term(name, weight) for name, weight in weights.items() if weight), until)
        for until, weights in learnt
    )


def textbook_term(name: str, weight: int = 1) -> Term:
    """One of `textbook.COUNTS` as a term."""
    if name in ("corners", "edges"):
        return Term("squares", weight, table=name)
    return Term(cast("Feature", name), weight)


EVALUATORS: dict[str, Callable[..., Evaluator]] = {
    factory.__name__: factory for factory in (positional, absolute, mobility, mixed, criteria, patterns, classifier)
}


def create_evaluator(text: str) -> Evaluator:
    """The evaluator a string describes: a name, and options after slashes.

    >>> create_evaluator("positional/table=heuristic1").phases[0].terms
    (Term(feature='squares', weight=1, ratio=False, table='heuristic1'),)
    >>> create_evaluator("mobilty")
    Traceback (most recent call last):
    othellier.errors.ConfigError: unknown evaluator 'mobilty', did you mean 'mobility'?
    """
    expect("eval", text, str, "the name of an evaluator, such as 'mobility',")
    name, *parts = (part.strip() for part in text.split("/"))
    name = aliases.resolve(name, EVALUATORS, aliases.STRATEGIES)
    if name not in EVALUATORS:
        raise ConfigError(f"unknown evaluator {name!r}{nearest(name, EVALUATORS)}")
    factory = EVALUATORS[name]
    defaults = {key: parameter.default for key, parameter in inspect.signature(factory).parameters.items()}
    options: dict[str, int | str] = {}
    for part in parts:
        key, _, value = part.partition("=")
        if key not in defaults:
            raise ConfigError(f"evaluator {name!r}: unknown option {key!r}{nearest(key, defaults)}")
        if isinstance(defaults[key], int):
            if not value.isdecimal():
                raise ConfigError(f"evaluator {name!r}: {key}={value}: a whole number expected")
            options[key] = int(value)
        else:
            options[key] = value
    evaluator = factory(**options)
    evaluator.data(8)  # names its tables: an unknown one is refused now, not at the first move
    return evaluator


def _check(name: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        raise ConfigError(f"{name}={value}: a number from {least} to {most} expected")
