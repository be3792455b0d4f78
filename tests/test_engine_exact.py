"""The engine against scores proven by the plain solver (tests/data/exact.toml), on every way to a solved game.

Through the table, fresh and warm, after selective previews and without, by one thread and through split points; and
what forward pruning may cost: seldom wrong, and not to one side.
"""

import random
import tomllib
from pathlib import Path

import pytest

from othellier import PASS, Limit, parse
from othellier.engine.engine import Engine, bench
from othellier.rules import native

DATA = Path(__file__).parent / "data"
PROVEN = [
    (parse(board), score)
    for source in tomllib.loads((DATA / "exact.toml").read_text()).values()
    for group in source.values()
    for board, score in group
]
BENCH = tomllib.loads((DATA / "bench.toml").read_text())
SHORT = [(position, score) for position, score in PROVEN if position.empties <= 18]
LONG = [(position, score) for position, score in PROVEN if position.empties >= 23]
MIDDLE = [native.random_position(random.Random(number), 8, 30 + number % 16) for number in range(30)]
END = 60
MOST_NODES = {"up to 18": 30_000_000, "more": 200_000_000}
"""Twice what all proven positions took when this was written. A search whose moves are in a worse order finds the same
scores, in many times as many nodes."""
PREVIEWS = (58, 73, 87, 95, 99)


@pytest.fixture
def engine() -> Engine:
    return Engine(hash_mb=16)


def test_the_bench_is_as_written_down() -> None:
    told: list[tuple[int, int]] = []
    found = bench(told=lambda done, total: told.append((done, total)))
    assert told == [(done, len(told)) for done in range(1, len(told) + 1)]
    assert {name: found[name] for name in BENCH} == BENCH, (
        "the search has changed: if that is meant, write the new numbers into tests/data/bench.toml and "
        f"'Bench: {found['nodes']}' into the commit"
    )


def test_scores_are_the_proven_ones_in_few_nodes(engine: Engine) -> None:
    spent = {"up to 18": 0, "more": 0}
    for position, score in PROVEN:
        engine.new_game()
        found = engine.solve(position)
        assert (found.score, found.is_exact) == (score, True), position.board_string()
        spent["up to 18" if position.empties <= 18 else "more"] += found.nodes
    assert all(spent[part] < MOST_NODES[part] for part in spent), spent


@pytest.mark.parametrize("threads", [2, 4])
def test_split_points_do_not_change_a_score(threads: int) -> None:
    with Engine(hash_mb=16, threads=threads) as engine:
        for position, score in PROVEN:
            if position.empties >= 16:
                engine.new_game()
                assert engine.solve(position).score == score, position.board_string()


def test_split_points_prune_as_the_search_does() -> None:
    nodes = []
    for threads in (1, 4):
        with Engine(hash_mb=16, threads=threads) as engine:
            nodes.append(0)
            for position in MIDDLE[4:7]:
                engine.new_game()
                nodes[-1] += engine.search(position, Limit(depth=16, selectivity=58)).nodes
    assert nodes[1] < 3 * nodes[0], "without pruning it would be many times as many"


@pytest.mark.parametrize("threads", [1, 2])
def test_tables_warm_from_less_sure_searches_prove_nothing(threads: int) -> None:
    """Whatever pruned searches have left in the table, an exact one must not take their word."""
    with Engine(hash_mb=16, threads=threads) as engine:
        for position, score in [*SHORT, *LONG]:
            for selectivity in PREVIEWS:
                engine.search(position, Limit(depth=END, selectivity=selectivity))
            for depth in (6, 10):
                engine.search(position, Limit(depth=depth))
            assert engine.solve(position).score == score, position.board_string()


def test_tables_warm_from_the_moves_before_and_after_change_nothing() -> None:
    """As in a game: from position to position, forth and back, the table is never cleared."""
    with Engine(hash_mb=2) as engine:
        for position, score in SHORT:
            line = [position]
            for move in engine.search(position, Limit(depth=END, selectivity=73)).pv[:4]:
                line.append(line[-1].play(move))
            for later in reversed(line):
                if not later.is_over():
                    engine.solve(later, wld=later.empties % 2 == 0)
            assert engine.solve(position).score == score, position.board_string()


def test_every_move_of_a_proven_position_has_its_score(engine: Engine) -> None:
    for position, score in SHORT[::4]:
        found = engine.analyze(position, Limit(depth=END))
        assert found[0].score == score
        for result in found[1:4]:
            if result.move != PASS and not (after := position.play(result.move)).is_over():
                engine.new_game()
                assert engine.solve(after).score == -(result.score or 0)


def test_who_wins_is_known_from_the_score(engine: Engine) -> None:
    for position, score in SHORT:
        found = engine.solve(position, wld=True)
        assert ((found.score or 0) > 0, (found.score or 0) < 0) == (score > 0, score < 0)
        bounds = {"lower": score >= (found.score or 0), "upper": score <= (found.score or 0), "exact": score == 0}
        assert bounds[found.bound]


def test_a_move_that_makes_the_other_pass_has_the_score_of_what_follows(engine: Engine) -> None:
    rng = random.Random(12)
    seen = 0
    while seen < 6:
        position = native.random_position(rng, 8, 16)
        passing = [move for move in position.moves() if position.play(move).must_pass()]
        if passing:
            seen += 1
            scores = {result.move: result.score for result in engine.analyze(position, Limit(depth=END))}
            for move in passing:
                after = position.play(move).play(PASS)
                engine.new_game()
                assert engine.solve(after).score == scores[move], position.board_string()


def test_a_pass_turns_bounds_around(engine: Engine) -> None:
    rng = random.Random(6)
    seen: set[str] = set()
    while len(seen) < 2:
        position = native.random_position(rng, 8, rng.randrange(8, 14))
        for move in position.moves():
            before = position.play(move)
            if before.must_pass():
                after = before.play(PASS)
                engine.new_game()
                one = engine.solve(before, wld=True)
                engine.new_game()  # what the first left in the table would make the second bound tighter
                other = engine.solve(after, wld=True)
                opposite = {"lower": "upper", "upper": "lower", "exact": "exact"}
                assert (one.score, one.bound) == (-(other.score or 0), opposite[other.bound])
                if one.bound != "exact":
                    seen.add(one.bound)


def test_forward_pruning_is_seldom_wrong_and_never_to_one_side() -> None:
    """The discs by which pruned searches are wrong, above and below; the limits are some three times what they were."""
    with Engine(hash_mb=16) as engine:

        def errors(percent: int) -> list[float]:
            found = []
            for position, score in truth:
                engine.new_game()
                found.append((engine.search(position, Limit(depth=8, selectivity=percent)).score or 0) - score)
            return found

        truth = [(position, 0.0) for position in MIDDLE]
        truth = list(zip(MIDDLE, errors(100), strict=True))
        for percent, most in ((73, 15), (95, 8)):
            wrong = errors(percent)
            assert sum(error for error in wrong if error > 0) <= most, (percent, wrong)
            assert -sum(error for error in wrong if error < 0) <= most, (percent, wrong)


def test_selective_ends_are_nearly_right(engine: Engine) -> None:
    for percent, most in ((73, 30), (99, 4)):
        wrong = 0.0
        for position, score in PROVEN:
            if 16 <= position.empties <= 19:
                engine.new_game()
                wrong += abs((engine.search(position, Limit(depth=END, selectivity=percent)).score or 0) - score)
        assert wrong <= most, percent


def test_the_line_of_who_wins_ends_where_nothing_is_proven() -> None:
    """Who wins is known long before by how much: what the search has not proven is no part of its line."""
    rng = random.Random(1)
    with Engine(hash_mb=1, threads=1) as engine:
        for _ in range(8):
            position = native.random_position(rng, empties=17)
            assert len(engine.solve(position, wld=True).pv) < position.empties
