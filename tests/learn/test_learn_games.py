"""Self-play, completion and shards: what the evaluation learns from."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from othellier import batch
from othellier.engine.engine import Engine, shared_weights
from othellier.errors import ConfigError, RecordError
from othellier.evaluation.network import shipped_networks
from othellier.learn import games as made
from othellier.learn.measure import NOT_SEARCHED, depth_values
from othellier.rules.geometry import PASS, SYMMETRIES
from othellier.rules.native import position, start


@pytest.fixture(scope="module")
def games() -> made.GameArray:
    return made.selfplay(shared_weights(), 6, seed=1, depth=2, solve_empties=8, random_moves=(4, 10), threads=2)


def test_games_are_legal_and_finished(games: made.GameArray) -> None:
    replays = batch.replay(games[:, :60])
    assert (replays.illegal == -1).all()
    assert replays.over.all()
    assert ((games[:, made.OPENING] >= 4) & (games[:, made.OPENING] <= 10)).all()


def test_a_game_depends_on_its_number_alone(games: made.GameArray) -> None:
    one = made.selfplay(shared_weights(), 1, seed=4, depth=2, solve_empties=8, random_moves=(4, 10))
    assert (one[0] == games[3]).all()
    # Games with much in common, every second of which looks deeper: what it left would be found by the next.
    options: dict[str, Any] = {"depth": 3, "alternate": True, "solve_empties": 6, "random_moves": (1, 2)}
    many = made.selfplay(shared_weights(), 12, seed=1, **options)
    for number, game in enumerate(many):
        assert (made.selfplay(shared_weights(), 1, seed=1 + number, **options)[0] == game).all()


def test_openings_are_of_every_length_asked_for() -> None:
    games = made.selfplay(shared_weights(), 40, seed=1, depth=1, solve_empties=2, random_moves=(4, 6))
    assert {*games[:, made.OPENING].tolist()} == {4, 5, 6}


def test_positions_after_a_pass_are_on_a_games_way() -> None:
    games = made.selfplay(shared_weights(), 40, seed=1, depth=1, solve_empties=2, random_moves=(20, 30))
    seen = 0
    for number, record in enumerate(games):
        place = start()
        for move in record[:60].tolist():
            if place.must_pass():
                place = place.play(PASS)
                seen += 1
                assert made.through(games, [place])[number]
            if move > 63:
                break
            place = place.play(move)
    assert seen


def test_labels_are_exact_where_the_end_is_solved(games: made.GameArray) -> None:
    found = made.positions(games)
    empties = 64 - np.bitwise_count(found.player | found.opponent)
    engine = Engine(hash_mb=4)
    for row in np.nonzero(empties == 7)[0]:
        asked = position(int(found.player[row]), int(found.opponent[row]))
        assert engine.solve(asked).score == found.score[row]
        assert len(asked.moves()) == found.moves[row]


def test_exploring_games_are_labelled_by_their_searches() -> None:
    games = made.selfplay(shared_weights(), 8, seed=2, depth=1, solve_empties=7, random_moves=(4, 6), exploration=40)
    assert batch.replay(games[:, :60]).over.all()
    ended, valued = made.positions(games), made.positions(games, valued=True)
    assert len(valued.score) > len(ended.score)
    early = valued.score == made.NO_VALUE
    assert early.sum() == len(valued.score) - len(ended.score)
    assert (valued.value[early] != made.NO_VALUE).all()
    corrected = valued.value - valued.bias()[valued.empties]
    assert valued.labels(0.5)[early] == pytest.approx(corrected[early])
    # Somebody errs in most games, so that the result says nothing of what was before; the searches do.
    assert (games[:, made.OPENING] > 30).any()
    engine = Engine(hash_mb=4)
    solved = np.nonzero(early & (valued.empties == 6))[0]
    assert len(solved)
    for row in solved:
        asked = position(int(valued.player[row]), int(valued.opponent[row]))
        assert engine.solve(asked).score == valued.value[row]


def test_labels_take_the_values_of_three_moves_without_their_mean_error(games: made.GameArray) -> None:
    found = made.positions(games)
    bias, labels = found.bias(), found.labels(0.6)
    assert (bias[:9] == 0).all()  # solved
    assert (bias[20:40] != 0).any()
    for row in range(len(labels)):
        values = []
        for at in range(row, min(row + 3, len(labels))):
            if found.game[at] != found.game[row]:
                break
            # The side to move plays the disc that the next position has more; passes keep it to move.
            sign = 1
            for before in range(row, at):
                added = (found.player[before + 1] | found.opponent[before + 1]) & ~(
                    found.player[before] | found.opponent[before]
                )
                sign *= 1 if added & found.player[before + 1] else -1
            values.append(sign * (found.value[at] - bias[found.empties[at]]))
        assert labels[row] == pytest.approx(0.4 * found.score[row] + 0.6 * np.mean(values))


def test_every_second_game_searches_deeper() -> None:
    options: dict[str, Any] = {"solve_empties": 6, "random_moves": (8, 8)}
    both = made.selfplay(shared_weights(), 4, seed=10, depth=1, alternate=True, **options)
    for number, game in enumerate(both):
        depth = 1 + number % 2
        assert (game == made.selfplay(shared_weights(), 1, seed=10 + number, depth=depth, **options)[0]).all()


def test_searches_prune_only_where_they_are_told_to() -> None:
    options: dict[str, Any] = {"seed": 10, "depth": 5, "solve_empties": 6, "random_moves": (8, 8)}
    whole = made.selfplay(shared_weights(), 4, **options)
    sure = made.selfplay(shared_weights(), 4, confidence=100, **options)
    pruned = made.selfplay(shared_weights(), 4, confidence=58, **options)
    again = made.selfplay(shared_weights(), 4, confidence=58, threads=2, **options)
    assert (sure == whole).all()
    assert (pruned != whole).any()
    assert (again == pruned).all()


def test_games_through_positions_are_found_in_any_symmetry(games: made.GameArray) -> None:
    found = made.positions(games[2:3])
    line = position(int(found.player[0]), int(found.opponent[0]))
    for symmetry in SYMMETRIES:
        assert made.through(games, [line.transform(symmetry)]).tolist() == [False, False, True, False, False, False]
    assert not made.through(games, []).any()
    assert made.through(games, [start()]).all()


def test_depths_beyond_the_end_of_a_game_are_not_searched(games: made.GameArray) -> None:
    found = made.positions(games)
    found = found.take(np.nonzero(found.empties <= 6)[0])
    beyond = depth_values(found, 6, 5) == NOT_SEARCHED
    for row, empties in zip(beyond.tolist(), found.empties.tolist(), strict=True):
        assert row == [*(depth >= empties for depth in range(7)), empties > 5]


def test_networks_value_the_leaves_of_self_play(games: made.GameArray) -> None:
    options = {"seed": 1, "depth": 2, "solve_empties": 8, "random_moves": (4, 10)}
    other = made.selfplay(shared_weights(), 6, networks=shipped_networks(), **options)  # type: ignore[arg-type]
    assert batch.replay(other[:, :60]).over.all()
    assert (other[:, made.OPENING] == games[:, made.OPENING]).all()
    assert (other[:, 60:120] != games[:, 60:120]).any()


def test_recorded_games_are_completed(games: made.GameArray) -> None:
    moves = games[:, :60].copy()
    moves[:, 50:] = batch.NO_MOVE
    completed = made.complete(moves, solve_empties=10, unlabelled=3)
    assert (completed[:, :50] == moves[:, :50]).all()
    assert batch.replay(completed[:, :60]).over.all()
    assert (completed[:, made.OPENING] == 3).all()


def test_shards_are_read_back_and_broken_ones_refused(games: made.GameArray, tmp_path: Path) -> None:
    made.save(games, tmp_path / "shard.bin")
    assert (made.load([tmp_path / "shard.bin"]) == games).all()
    (tmp_path / "cut.bin").write_bytes(games.tobytes()[:100])
    with pytest.raises(RecordError, match=r"cut\.bin"):
        made.load([tmp_path / "cut.bin"])
    with pytest.raises(ConfigError, match="no games"):
        made.load([])


def test_listed_games_are_left_out() -> None:
    keep = made.unlisted("a.wtb", 4, ["# why", "a.wtb 2", "b.wtb 1", "a.wtb 9"])
    assert keep.tolist() == [True, True, False, True]
    with pytest.raises(RecordError, match="line 1"):
        made.unlisted("a.wtb", 4, ["a.wtb two"])


def test_senseless_options_are_refused() -> None:
    with pytest.raises(ConfigError):
        made.selfplay(None, 0, seed=1)
    with pytest.raises(ConfigError, match="per cent"):
        made.selfplay(None, 1, seed=1, exploration=101)
