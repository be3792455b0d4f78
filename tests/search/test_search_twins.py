"""The readable search and the compiled one are one: same value, line, depth and counts for every combination."""

import random
from dataclasses import replace
from itertools import product
from typing import Any, get_args

import pytest

from othellier.evaluation.evaluators import create_evaluator
from othellier.rules import native
from othellier.rules.board import Position
from othellier.search import KeptTable, MctsOptions, MonteCarlo, Options, search
from othellier.search.base import Algorithm, Order
from othellier.search.rollouts import Rollout

pytestmark = pytest.mark.skipif(not native.available, reason="there is no compiled core to compare with")

EVALUATORS = [
    create_evaluator(text)
    for text in (
        "positional",
        "positional/table=heuristic1",
        "absolute",
        "mobility",
        "mixed/opening=25/ending=16",
        "criteria",
        "criteria/stability=real",
        "patterns",
        "classifier",
        "classifier/model=textbook",
    )
]
SIZES = ("4", "6", "8", "4x6")
FLAGS: tuple[dict[str, Any], ...] = (
    {},
    {"killer": True},
    {"table": True, "table_depth": 1, "table_size": 20},
    {"symmetry": True, "table_depth": 1, "fix_first": True},
    {"deepening": True, "table": True, "table_depth": 2, "killer": True},
    {"ties": "random", "count": "discs", "seed": 7},
    {"nodes": 300, "depth": 5},
)

KEEPING: tuple[dict[str, Any], ...] = (
    {},
    {"deepening": True, "killer": True},
    {"deepening": True, "symmetry": True},
    {"table_size": 30},
)


def positions(size: str) -> list[Position]:
    """A start, a middle and an end."""
    rng = random.Random(size)
    squares = Position.start(size).size.squares
    return [Position.start(size), Position.random(rng, size, squares // 2), Position.random(rng, size, 4)]


POSITIONS = {size: positions(size) for size in SIZES}


@pytest.mark.parametrize("order", get_args(Order))
@pytest.mark.parametrize("algorithm", get_args(Algorithm))
def test_searches_agree(algorithm: Algorithm, order: Order) -> None:
    for index, (evaluator, size, flags) in enumerate(product(EVALUATORS, SIZES, FLAGS)):
        position = POSITIONS[size][index % 3]
        if position.is_over() or (evaluator.learnt and size != "8"):
            continue
        # Four empty squares are searched to the end, and a little beyond.
        depth = 2 if position.empties > 4 else 6
        options = replace(Options(algorithm, depth, evaluator, order, seed=index), **flags)
        python = search(position, options, backend="python")
        compiled = search(position, options, backend="native")
        assert replace(python, seconds=0) == replace(compiled, seconds=0), (options, position)


@pytest.mark.parametrize("algorithm", get_args(Algorithm))
def test_searches_that_keep_their_table_agree(algorithm: Algorithm) -> None:
    for size, flags in product(SIZES, KEEPING):
        rng = random.Random(size)
        options = replace(Options(algorithm, 4, EVALUATORS[0], table=True, table_depth=1), **flags)
        position = Position.random(rng, size, 9)
        python, compiled = KeptTable(), KeptTable()
        for _ in range(3):
            if not position.moves():
                break
            one = search(position, options, backend="python", kept=python)
            two = search(position, options, backend="native", kept=compiled)
            assert replace(one, seconds=0) == replace(two, seconds=0), (options, position)
            assert one.value == search(position, options).value  # a kept table changes the work, not what is found
            position = position.play(one.move)
            if position.moves():
                position = position.play(rng.choice(position.moves()))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("rollout", get_args(Rollout))
def test_monte_carlo_searches_agree(rollout: Rollout, size: str) -> None:
    rng = random.Random(size)
    for table, symmetry, keep in product((False, True), repeat=3):
        options = MctsOptions(
            30, c=rng.choice((0, 0.5, 1.5)), rollout=rollout, table=table, symmetry=symmetry, keep=keep, max_nodes=70
        )
        position = Position.start(size)
        python = MonteCarlo(position.size, options, backend="python")
        compiled = MonteCarlo(position.size, options, backend="native")
        for _ in range(4):  # a few moves of a game: the tree is kept
            one, two = python.search(position), compiled.search(position)
            assert replace(one, seconds=0) == replace(two, seconds=0), (options, position)
            position = position.play(one.move)
            if position.moves():
                position = position.play(rng.choice(position.moves()))
            if not position.moves():
                break


@pytest.mark.parametrize("size", SIZES)
def test_evaluators_agree_everywhere(size: str) -> None:
    """At depth 1 the value is that of a leaf: many positions, every feature."""
    rng = random.Random(size)
    for evaluator in EVALUATORS:
        if evaluator.learnt and size != "8":
            continue
        for _ in range(20):
            position = Position.random(rng, size)
            if position.moves():
                options = Options("negamax", 1, evaluator)
                assert search(position, options, backend="python").value == search(position, options).value
