"""What the engine answers when a limit cuts its search short: a sensible move, and no more said than was proven."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from othellier import parse
from othellier.engine.engine import Engine, selectivity_level
from othellier.engine.levels import find_level
from othellier.errors import ConfigError, WrongType
from othellier.evaluation.evaluators import create_evaluator
from othellier.games.results import Limit, Result, Stop
from othellier.games.timing import longest_time, time_for_move
from othellier.rules import native
from othellier.rules.board import Position
from othellier.rules.geometry import PASS
from othellier.search import Options, search

pytestmark = pytest.mark.skipif(native.core is None, reason="the engine is compiled")

INTERRUPTED = [int(20 * 1.4**step) for step in range(26)]
NODES = [1, 30, 100, 300, 1_000, 2_000, 4_000, 8_000, 12_000, 20_000, 35_000, 60_000, 100_000, 200_000, 400_000]


def with_empties(empties: int, seed: int) -> Position:
    """A position of a random game in which somebody has a choice."""
    choice = random.Random(seed)
    while True:
        position = native.start()
        while position.empties > empties and not position.is_over():
            position = position.play(choice.choice(position.moves() or [PASS]))
        if len(position.moves()) > 1:
            return position


def solved(position: Position) -> int:
    """The score with best play, by the plain solver: none of its code is the engine's."""
    if position.is_over():
        return position.score()
    if position.must_pass():
        return -solved(position.play(PASS))
    options = Options("pvs", position.empties, evaluator=create_evaluator("mobility"), order="evaluator", table=True)
    score = search(position, options).score
    assert score is not None
    return int(score)


BEATEN = "O-----X-OO-OOOXOOXOOOOX-OOXXXXX-OXOOOXOX--XOXOOX-XXOXXOOXXXXXXO- O"
"""A limit of 100 nodes ends its search when the first move's value, -4, is proven: another is worth 2."""


def test_the_value_of_a_move_that_another_beats_is_not_that_of_the_position() -> None:
    position = parse(BEATEN)
    with Engine() as engine:
        found = engine.search(position, nodes=100)
        assert (found.score, found.bound, found.is_move_exact, found.is_exact) == (-4, "exact", True, False)
        assert solved(position.play(found.move)) == 4
        found = engine.solve(position)
        assert (found.score, found.is_move_exact, found.is_exact) == (2, True, True) == (solved(position), True, True)


@pytest.mark.parametrize("threads", [1, 2])
def test_what_is_called_exact_is_the_value_of_the_position(threads: int) -> None:
    """Whatever ends a search, and whatever is asked: all of it, a few moves, or who wins."""
    count = dict.fromkeys(("exact", "move", "not", "win"), 0)
    with Engine(hash_mb=1, threads=threads) as engine:
        for seed in range(60):
            position = with_empties(8 + seed % 7, seed)
            score = solved(position)
            answers: list[Result] = []
            for nodes in INTERRUPTED:
                engine.new_game()
                limit = Limit(nodes=nodes, depth=60 if nodes % 2 else None)
                answers.append(engine.search(position, limit, answers.append))
                best = engine.analyze(position, limit, best=2)
                answers += [best[0], *(line for line in best[1:] if line.is_exact)]
                who = engine.solve(position, wld=True, limit=limit, progress=answers.append)
                if who.is_exact:
                    assert who.score == score == 0
                elif who.source == "exact" and who.bound != "estimate":
                    count["win"] += 1
                    assert who.bound == "upper" or score > 0, (position.board_string(), nodes)
            for found in answers:
                count["exact" if found.is_exact else "move" if found.is_move_exact else "not"] += 1
                assert not found.is_exact or found.score == score, (position.board_string(), found)
                assert (found.bound == "exact") == found.is_move_exact
                if found.is_move_exact:
                    assert (found.score or 0) <= score
    assert all(count[name] for name in ("exact", "move", "not", "win")), count


def test_a_search_that_is_told_to_stop_calls_nothing_exact_that_is_not() -> None:
    position = parse(BEATEN)
    for calls in range(1, 30):
        stop, steps = Stop(), list[Result]()

        def heard(result: Result, stop: Stop = stop, steps: list[Result] = steps, calls: int = calls) -> None:
            steps.append(result)
            if len(steps) == calls:
                stop.set()

        with Engine(hash_mb=1) as engine:
            found = engine.search(position, Limit(depth=60, stop=stop), heard)
        for result in (*steps, found):
            assert not result.is_exact or result.score == 2
        if not stop.is_set():
            assert found.is_exact
            return
    raise AssertionError("the search never ended by itself")


def test_discs_alone_are_exact_only_where_they_are_proven() -> None:
    exact = 0
    with Engine(hash_mb=1) as engine:
        for seed in range(10):
            position = with_empties(9, seed)
            score = engine.solve(position, count="discs").score
            for nodes in INTERRUPTED:
                engine.new_game()
                found = engine.solve(position, count="discs", limit=Limit(nodes=nodes))
                exact += found.is_exact
                assert not found.is_exact or found.score == score
    assert exact


@pytest.mark.parametrize(("depth", "selectivity"), [(60, 100), (60, 99), (60, 73), (10, 100), (4, 95)])
def test_only_exact_searches_to_the_end_prove_bounds(depth: int, selectivity: int) -> None:
    no_time, no_count = 1e9, 2**64 - 1
    level = selectivity_level(selectivity)
    with Engine(hash_mb=1) as engine:
        for seed in range(3):
            position = with_empties(15, seed)
            board = position.player, position.opponent, 8, 8
            found = engine._core.search(*board, False, depth, level, False, no_time, no_time, no_count, 1, None)
            proven = solved(position) if (depth, selectivity) == (60, 100) else None
            assert (found.lower, found.upper) == ((-64, 64) if proven is None else (proven, proven))
            assert found.complete


@pytest.mark.parametrize("seed", range(3))
def test_what_is_called_exact_of_a_move_under_a_limit_is_exact(seed: int) -> None:
    position = with_empties(12 + seed, seed)
    with Engine(hash_mb=16) as engine:
        truth = {one.move: one.score for one in engine.analyze(position, Limit(depth=60, selectivity=100))}
        assert len(truth) == len(position.moves())
        proven = 0
        for nodes in NODES:
            for found in engine.analyze(position, Limit(nodes=nodes)):
                assert found.pv[0] == found.move
                assert found.depth <= position.empties
                if found.is_move_exact:
                    proven += 1
                    assert found.score == truth[found.move], f"{nodes} nodes"
        assert proven > len(truth)


@pytest.mark.parametrize("seed", range(6))
def test_a_search_cut_short_plays_the_best_of_its_last_finished_step_or_what_proved_better(seed: int) -> None:
    position = with_empties(18 + 2 * seed, seed)
    with Engine(hash_mb=16) as engine:
        for nodes in NODES:
            engine.new_game()
            steps: list[Result] = []
            found = engine.search(position, Limit(nodes=nodes), steps.append)
            assert found.pv[0] == found.move
            if not steps:
                assert found.depth <= 1
                continue
            last = steps[-1]
            if found.move != last.move:
                assert (found.depth, found.selectivity) != (last.depth, last.selectivity), f"{nodes} nodes"
            elif (found.depth, found.selectivity) == (last.depth, last.selectivity):
                assert (found.score, found.bound) == (last.score, last.bound)


def test_a_search_that_ends_between_two_windows_keeps_the_value_of_the_step_before() -> None:
    """A window that fails says on which side of it the value is; the next one finds the value."""
    interrupted = 0
    with Engine(hash_mb=1) as engine:
        for seed in range(8):
            position = with_empties(16 + seed, seed)
            for nodes in range(100, 3000, 60):
                engine.new_game()
                steps: list[Result] = []
                found = engine.search(position, Limit(nodes=nodes), steps.append)
                if steps and found.move == steps[-1].move:
                    interrupted += found.depth == steps[-1].depth
                    assert found.bound in ("estimate", "exact"), f"{position.board_string()} {nodes} nodes"
                lines = engine.analyze(position, Limit(nodes=nodes))
                assert {line.bound for line in lines} <= {"estimate", "exact"}, f"{position.board_string()} {nodes}"
    assert interrupted


@pytest.mark.parametrize(
    "limit", [Limit(time=0), Limit(nodes=0), Limit(nodes=1), Limit(clock=0), Limit(time=0, depth=1)]
)
@pytest.mark.parametrize("empties", [1, 5, 20, 60])
def test_no_time_at_all_still_gives_a_move(limit: Limit, empties: int) -> None:
    position = native.start() if empties == 60 else with_moves(empties)
    with Engine(hash_mb=1) as engine:
        found = engine.search(position, limit)
    assert found.move in position.moves()
    assert found.pv[0] == found.move
    assert found.score is not None


def with_moves(empties: int) -> Position:
    """A position of a random game in which there is a move, perhaps only one."""
    for seed in range(1000):
        choice, position = random.Random(seed), native.start()
        while position.empties > empties and not position.is_over():
            position = position.play(choice.choice(position.moves() or [PASS]))
        if position.moves():
            return position
    raise AssertionError(f"no game reaches {empties} empty squares")


def test_a_node_limit_is_used_and_kept() -> None:
    position = with_empties(40, 3)
    with Engine(hash_mb=16) as engine:
        for nodes in (50_000, 500_000):
            found = engine.search(position, Limit(nodes=nodes))
            assert 0.95 * nodes <= found.nodes <= nodes + 20_000


def test_the_table_serves_the_next_move_of_a_game() -> None:
    """In whatever orientation: what was found for one position is found again for those after it."""
    spared = 0
    for seed in range(4):
        position = with_empties(36, seed)
        with Engine(hash_mb=64) as engine:
            line = engine.search(position, Limit(depth=13)).pv
            after = position.play(line[0])
            warm = engine.search(after, Limit(depth=10)).nodes
            engine.new_game()
            spared += warm < engine.search(after, Limit(depth=10)).nodes / 3
    assert spared == 4


def test_mirrored_positions_get_mirrored_answers_from_an_empty_table() -> None:
    position = with_empties(30, 5)
    answers = set()
    with Engine(hash_mb=4) as engine:
        for symmetry in range(8):
            engine.new_game()
            found = engine.search(position.transform(symmetry), Limit(depth=9))
            answers.add((found.score, found.nodes, position.transform(symmetry).play(found.move).canonical()))
    assert len(answers) == 1


def test_a_hard_move_may_take_longer_but_never_the_whole_clock() -> None:
    for clock in (0.2, 1.0, 5.0, 60.0, 900.0):
        for increment in (0.0, 2.0):
            for empties in range(1, 61):
                usual, longest = time_for_move(clock, increment, empties), longest_time(clock, increment, empties)
                assert 0 < usual <= longest < clock
    assert longest_time(300, 0, 40) > 2 * time_for_move(300, 0, 40)


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (
            lambda engine: engine.search(native.start(), 5),
            r"limit 5 is of type int: a Limit, such as",
        ),
        (lambda engine: engine.search("start"), "position 'start' is of type str: a Position"),
        (lambda engine: engine.solve(None), "position None is of type NoneType: a Position"),
        (lambda engine: engine.analyze(8), "position 8 is of type int: a Position"),
        (lambda engine: engine.play((1, 2), find_level("master")), "a Position, such as"),
        (lambda engine: engine.search(native.start(), Limit(depth="5")), "limit depth '5' is of type str: a whole"),  # type: ignore[arg-type]
        (lambda engine: engine.search(native.start(), depth=2.5), "limit depth 2.5 is of type float: a whole number"),
        (lambda engine: engine.search(native.start(), nodes=2.5), "limit nodes 2.5 is of type float: a whole number"),
    ],
)
def test_arguments_of_the_wrong_type_are_told_what_to_be(ask: Callable[[Any], object], words: str) -> None:
    with Engine(hash_mb=1) as engine, pytest.raises(WrongType, match=words):
        ask(engine)


@pytest.mark.parametrize("limit", [{"depth": 2**31}, {"nodes": 2**64}, {"nodes": 10**5000}])
def test_limits_beyond_the_core_are_refused(limit: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match=r"limit (depth|nodes) is above \d+"):
        Limit(**limit)
    with Engine(hash_mb=1) as engine:
        assert engine.search(native.start(), depth=2**31 - 1, nodes=1).move in native.start().moves()
        assert engine.search(native.start(), depth=2, nodes=2**64 - 1).depth == 2
