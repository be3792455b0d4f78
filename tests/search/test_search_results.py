"""What the searches find, against a search too simple to be wrong and against published numbers."""

import random
from typing import get_args

import pytest

from othellier.errors import InvalidPosition
from othellier.evaluation.evaluators import Evaluate, absolute, mobility, positional
from othellier.rules.board import Position
from othellier.rules.geometry import PASS, parse_square
from othellier.search import Options, search
from othellier.search.base import WIN, Algorithm, Backend, Order
from othellier.search.run import first_moves

BACKENDS: tuple[Backend, ...] = ("python", "auto")
PAIRS: tuple[tuple[Algorithm, Algorithm], ...] = (("minimax", "negamax"), ("alphabeta", "nega-alphabeta"))
PRUNING: tuple[Algorithm, ...] = ("alphabeta", "nega-alphabeta", "pvs")
# After b1 White has no move, and Black plays on.
WITH_A_PASS = Position.parse("O-O- XOXX XXO- X--- X", 4)


def plain_search(position: Position, depth: int, evaluate: Evaluate) -> tuple[int, int]:
    """Value and number of positions visited, by the definition."""
    if position.empties == 0 or (depth and position.is_over()) or (depth == 0 and not position.player):
        score = position.score()
        return (score > 0) * WIN - (score < 0) * WIN + score, 1
    if depth == 0:
        return evaluate(position.player, position.opponent), 1
    if not position.moves():
        value, nodes = plain_search(position.play(PASS), depth, evaluate)
        return -value, nodes + 1
    found = [plain_search(position.play(move), depth - 1, evaluate) for move in position.moves()]
    return max(-value for value, _ in found), 1 + sum(nodes for _, nodes in found)


def some_positions() -> list[tuple[Position, int]]:
    rng = random.Random(11)
    cases = [(Position.random(rng, size), depth) for size in ("4", "6", "8", "4x6") for depth in (1, 2, 3)]
    cases += [(Position.random(rng, size, 5), 9) for size in ("4", "6", "8")]
    cases.append((WITH_A_PASS, 8))
    cases.append((Position.start(10), 2))
    return [(position, depth) for position, depth in cases if position.moves()]


@pytest.mark.parametrize(("position", "depth"), some_positions())
def test_every_algorithm_finds_the_value(position: Position, depth: int) -> None:
    evaluator = positional()
    value, nodes = plain_search(position, min(depth, position.empties), evaluator.compile(position.size))
    for algorithm in get_args(Algorithm):
        outcome = search(position, Options(algorithm, depth, evaluator))
        assert outcome.value == value
        assert outcome.exact == (depth >= position.empties)
        assert outcome.move == outcome.line[0]
        if algorithm in ("minimax", "negamax"):
            assert outcome.counters.nodes == nodes
        else:
            assert outcome.counters.nodes <= 2 * nodes
        # The line is playable, and its end has the value found.
        end = position
        for move in outcome.line:
            end = end.play(move)
        sign = 1 if end.turn == position.turn else -1
        assert sign * value == plain_search(end, 0 if not end.is_over() else 1, evaluator.compile(end.size))[0]


@pytest.mark.parametrize("backend", BACKENDS)
def test_policies_change_the_work_and_not_the_value(backend: Backend) -> None:
    position = Position.random(random.Random(3), 6, 20)
    plain = search(position, Options("minimax", 4, mobility()), backend=backend)
    works = set()
    for order in get_args(Order):
        for table, symmetry, deepening in ((False, False, False), (True, False, True), (True, True, False)):
            for algorithm in PRUNING:
                options = Options(
                    algorithm,
                    4,
                    mobility(),
                    order,
                    table=table,
                    symmetry=symmetry,
                    deepening=deepening,
                    table_depth=1,
                )
                outcome = search(position, options, backend=backend)
                assert outcome.value == plain.value
                assert outcome.counters.first_cutoffs <= outcome.counters.cutoffs
                works.add(outcome.counters.nodes)
    assert len(works) > 20


def test_both_forms_of_an_algorithm_do_the_same() -> None:
    position = Position.random(random.Random(4), 6, 18)
    for order in get_args(Order):
        for pair in PAIRS:
            found = [
                search(
                    position,
                    Options(algorithm, 4, order=order, killer=True, symmetry=True, table_depth=1),
                    backend="python",
                )
                for algorithm in pair
            ]
            assert found[0].counters == found[1].counters
            assert found[0].line == found[1].line


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_thesis_solves_4x4(backend: Backend) -> None:
    """S3.1: 237,781 nodes, White wins 11-3."""
    outcome = search(Position.start(4), Options("minimax", 12, absolute(), count="discs"), backend=backend)
    assert outcome.score == -8
    assert outcome.exact
    assert outcome.counters.nodes == 224_821
    assert outcome.counters.blocked == 6_480
    assert outcome.counters.thesis_nodes == 237_781
    end = Position.start(4)
    for move in outcome.line:
        end = end.play(move)
    assert (end.discs("black"), end.discs("white")) == (3, 11)


@pytest.mark.parametrize("backend", BACKENDS)
def test_empty_squares_count_for_the_winner(backend: Backend) -> None:
    assert search(Position.start(4), Options("pvs", 12, order="discs"), backend=backend).score == -10


def test_the_ladder_of_techniques_saves_nodes() -> None:
    """S3.3 on 6x6, eight plies: each step visits fewer positions than the last."""
    steps = (
        Options("negamax", 8, absolute()),
        Options("nega-alphabeta", 8, absolute()),
        Options("nega-alphabeta", 8, absolute(), "squares"),
        Options("nega-alphabeta", 8, absolute(), "discs"),
        Options("pvs", 8, absolute(), "discs"),
        Options("pvs", 8, absolute(), "discs", table=True),
        Options("pvs", 8, absolute(), "discs", symmetry=True),
        Options("pvs", 8, absolute(), "discs", symmetry=True, fix_first=True),
    )
    found = [search(Position.start(6), step) for step in steps]
    assert {outcome.value for outcome in found} == {-2}
    nodes = [outcome.counters.nodes for outcome in found]
    assert nodes == sorted(nodes, reverse=True)
    assert len(set(nodes)) == len(nodes)


def test_first_moves_up_to_symmetry() -> None:
    start = Position.start()
    assert first_moves(start) == 1 << parse_square("d3")
    after = start.play(parse_square("d3"))
    assert first_moves(after) == after.moves_mask()
    rectangle = Position.start("4x6")
    assert 0 < first_moves(rectangle).bit_count() < rectangle.moves_mask().bit_count()
    for position in (start, rectangle):
        both = [search(position, Options(depth=3, fix_first=fix)) for fix in (False, True)]
        assert both[0].value == both[1].value
        assert both[1].counters.nodes < both[0].counters.nodes


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_pass_costs_no_depth_and_is_in_the_line(backend: Backend) -> None:
    outcome = search(WITH_A_PASS, Options(depth=2), backend=backend)
    assert outcome.line[1] == PASS
    assert len(outcome.line) == 3
    assert outcome.depth == 2
    must_pass = WITH_A_PASS.play(outcome.move)
    passed = search(must_pass, Options(depth=1), backend=backend)
    assert passed.line[0] == passed.move == PASS
    assert passed.line == outcome.line[1:]
    assert passed.value == -outcome.value


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_finished_game_has_no_move(backend: Backend) -> None:
    with pytest.raises(InvalidPosition, match="the game is over"):
        search(Position.parse("XXXX XXXX XXXX XXX- O", 4), backend=backend)


def test_ties_are_broken_evenly() -> None:
    """At the start all four moves are the same, so any may be chosen."""
    chosen = [search(Position.start(), Options(depth=1, ties="random", seed=seed)).move for seed in range(80)]
    assert {chosen.count(move) >= 8 for move in Position.start().moves()} == {True}
    assert search(Position.start(), Options(depth=1)).move == Position.start().moves()[0]
