"""The accuracy benchmark counts rightly, and sees a curve that falls."""

import random
from pathlib import Path

import pytest
from benchmarks import accuracy, positions, threads
from benchmarks.accuracy import Line, falls, judge, table
from benchmarks.positions import Known, complete, load, save

from othellier.base.jobs import Crew
from othellier.engine.engine import Engine
from othellier.rules import native
from othellier.rules.board import Position


def line(losses: list[int], kind: str = "depth", value: float = 4) -> Line:
    return Line(kind, value, tuple(losses), (), 0.1, 0)


def test_losses_are_counted_from_the_best_move() -> None:
    known = Known(native.start(), {19: 4, 26: 2, 37: -2})
    assert known.best == 4
    assert [known.loss(move) for move in (19, 26, 37, 44)] == [(0, True), (2, True), (6, True), (6, False)]
    judged = judge("time", 0.1, [known, known], [(19, 5.0, 0.25), (44, 1.0, 0.75)])
    assert (judged.best, judged.loss, judged.error, judged.lean) == (0.5, 3.0, 2.0, -1.0)
    assert (judged.seconds, judged.bounds, judged.name) == (0.5, 1, "0.1 s")
    assert "| ≤ 50.0 % | ≥ 3.000 |" in table([judged])  # what a move of unknown score loses may be more
    assert "| 100.0 % | 0.000 |" in table([judge("time", 0.1, [known], [(19, 5.0, 0.25)])])


def test_every_suite_is_looked_at_before_the_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing_run(*_: object) -> None:
        raise AssertionError("work was done, and would be lost")

    monkeypatch.setattr(accuracy, "run", nothing_run)
    save(tmp_path / "unsolved.obf", [Known(native.start(), {})])
    for name, reason in (("missing.obf", "no such file"), ("unsolved.obf", "holds no position with scores")):
        monkeypatch.setattr("sys.argv", ["accuracy", "--suite", str(tmp_path / name)])
        with pytest.raises(SystemExit, match=f"{name}: {reason}"):
            accuracy.main()


def test_threads_without_their_file_say_so_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["threads", str(tmp_path / "missing.obf")])
    with pytest.raises(SystemExit) as ended:
        threads.main()
    assert ended.value.code == 2
    assert capsys.readouterr().err == f"threads: {tmp_path / 'missing.obf'}: no such file\n"


def test_squares_are_counted_one_or_many() -> None:
    assert list(accuracy.square_counts("28")) == [28]
    assert list(accuracy.square_counts("31-34")) == [31, 32, 33, 34]


def test_a_curve_that_falls_is_marked_and_chance_is_not() -> None:
    rng = random.Random(1)
    good = [rng.choice([0, 0, 0, 2]) for _ in range(400)]
    worse = [loss + rng.choice([0, 0, 0, 2]) for loss in good]
    shuffled = rng.sample(good, len(good))
    assert falls(line(good), line(worse))
    assert not falls(line(worse), line(good))
    assert not falls(line(good), line(shuffled))
    assert not falls(line(good), line(good))
    assert table([line(good), line(worse)]).count("falls") == 1
    assert "falls" not in table([line(good), line(worse, "time")])  # another kind begins anew


def test_positions_are_solved_and_kept(tmp_path: Path) -> None:
    rng = random.Random(2)
    drawn = [native.random_position(rng, 8, 10) for _ in range(8)]
    path = tmp_path / "set.obf"
    save(path, [Known(position, {}) for position in drawn if len(position.moves()) > 1])
    positions.solve_all(path, Crew("here"), 60, None)
    known = load(path)
    assert known
    with Engine() as engine:
        for one in known:
            assert one.best == engine.solve(one.position).score
            assert len(one.scores) == 1
            for move in one.position.moves():
                exact = complete((one.position, move))
                assert exact == one.scores[move] if move in one.scores else exact <= min(one.scores.values())


def test_solving_that_is_interrupted_keeps_what_is_solved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(position: Position, **engine: int) -> dict[int, int]:
        if position == drawn[2]:
            raise KeyboardInterrupt
        return solve(position, **engine)

    solve = positions.solve
    monkeypatch.setattr(positions, "solve", interrupted)
    rng = random.Random(3)
    drawn = [native.random_position(rng, 8, 8) for _ in range(4)]
    path = tmp_path / "set.obf"
    save(path, [Known(position, {}) for position in drawn])
    positions.solve_all(path, Crew("here"), 60, None)
    assert [bool(one.scores) for one in load(path)] == [True, True, False, False]


def test_chosen_moves_without_a_score_are_solved(tmp_path: Path) -> None:
    position = native.random_position(random.Random(5), 8, 8)
    every = {move: complete((position, move)) for move in position.moves()}
    best = max(every, key=every.__getitem__)
    other = next(move for move in every if move != best)
    known = Known(position, {best: every[best]})
    assert accuracy.solve_chosen([known], [[(other, 0.0, 0.1)], [(best, 0.0, 0.1)]], Crew("here")) == 1
    assert known.scores == {best: every[best], other: every[other]}
