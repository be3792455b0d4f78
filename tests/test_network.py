"""The networks: the core computes what the file says, symmetries hold exactly, broken files are refused."""

import random
import struct
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from othellier.engine.engine import Engine
from othellier.engine.levels import LEVELS
from othellier.errors import InvalidPosition, WeightsError
from othellier.evaluation.network import (
    COUNTS,
    FILE,
    HEADS,
    HIDDEN,
    KINDS,
    PHASES,
    POLICY_WIDTH,
    SECOND,
    WIDTH,
    NetworkGeometry,
    Networks,
    from_numbers,
    load_networks,
    policy,
    value,
)
from othellier.evaluation.weights import Pattern, PatternGeometry, write_payload
from othellier.games.results import Limit, Result
from othellier.players import answer, create_player
from othellier.rules import native
from othellier.rules.board import Position
from othellier.rules.geometry import PASS, STANDARD, SYMMETRIES, geometry

SHAPE = NetworkGeometry.default()


@pytest.fixture(scope="module")
def made_up() -> Networks:
    """Networks of random numbers, so that every row and weight counts and some sums are clipped."""
    rng = np.random.default_rng(1)
    return Networks(
        SHAPE,
        rng.integers(-40, 41, (SHAPE.value_rows.max() + 1, WIDTH), np.int8),
        rng.integers(-99, 100, (HEADS, 2 * WIDTH, HIDDEN), np.int16),
        rng.integers(-999, 1000, (HEADS, HIDDEN), np.int16),
        rng.integers(-9999, 10000, (HEADS, HIDDEN), np.int32),
        rng.integers(-99, 100, (HEADS, HIDDEN, SECOND), np.int16),
        rng.integers(-999, 1000, (HEADS, SECOND), np.int16),
        rng.integers(-9999, 10000, (HEADS, SECOND), np.int32),
        rng.integers(-127, 128, (SHAPE.policy_rows.max() + 1, POLICY_WIDTH), np.int8),
        rng.integers(-999, 1000, (PHASES, KINDS, 2 * POLICY_WIDTH), np.int16),
    )


@pytest.fixture(scope="module")
def core(made_up: Networks) -> Any:
    return from_numbers(made_up)


def positions() -> list[Position]:
    rng = random.Random(5)
    drawn = [native.random_position(rng, STANDARD, empties) for empties in range(1, 61)]
    return [position for position in drawn if position.moves()]


def index(position: Position, squares: tuple[int, ...]) -> int:
    """A pattern's place in its table: 0 for an empty square is 1, ours 2, theirs 0."""
    digits = (1 + (position.player >> square & 1) - (position.opponent >> square & 1) for square in squares)
    return sum(digit * 3**place for place, digit in enumerate(digits))


def parts(sums: Any) -> list[int]:
    return [min(max(int(number), 0), 255) for number in (*sums, *-sums)]


def slow_value(networks: Networks, position: Position) -> int:
    rows = [SHAPE.patterns.offsets[kind] + index(position, squares) for kind, squares in SHAPE.patterns.instances]
    passed = Position(position.opponent, position.player)
    counts = (len(position.moves()), len(passed.moves()), position.empties)
    rows += [SHAPE.patterns.offsets[-1] + COUNTS * number + count for number, count in enumerate(counts)]
    clipped = parts(sum(networks.value_rows[SHAPE.value_rows[row]].astype(int) for row in rows))
    head, total = position.empties, 0
    for weights, biases, out in (
        (networks.value_weights, networks.value_biases, networks.value_out),
        (networks.second_weights, networks.second_biases, networks.second_out),
    ):
        neurons = [
            int(bias) + sum(number * int(weights[head, i, n]) for i, number in enumerate(clipped))
            for n, bias in enumerate(biases[head])
        ]
        total += neurons[-1] if len(clipped) == 2 * WIDTH else 0
        clipped = [min(max(number + 128 >> 8, 0), 255) for number in neurons]
        total += sum(number * int(weight) for number, weight in zip(clipped, out[head], strict=True))
    return total


def slow_score(networks: Networks, position: Position, square: int) -> int:
    kind = int(SHAPE.kinds[square])
    rows = [SHAPE.policy_offsets[-1] + COUNTS * kind + position.empties]
    for number, role in SHAPE.places[square]:
        pattern, squares = SHAPE.patterns.instances[number]
        entries = SHAPE.patterns.patterns[pattern].entries
        rows.append(SHAPE.policy_offsets[pattern] + role * entries + index(position, squares))
    assert all(SHAPE.policy_rows[row] >= 0 for row in rows)
    clipped = parts(sum(networks.policy_rows[SHAPE.policy_rows[row]].astype(int) for row in rows))
    phase = min((60 - position.empties) * PHASES // 60, PHASES - 1)
    return sum(number * int(networks.policy_weights[phase, kind, i]) for i, number in enumerate(clipped))


def scores(core: Any, position: Position) -> dict[int, int]:
    found = np.zeros(64, np.int32)
    core.scores(np.array([position.player], np.uint64), np.array([position.opponent], np.uint64), found)
    return {move: int(found[move]) for move in position.moves()}


def test_the_core_computes_what_the_file_says(made_up: Networks, core: Any) -> None:
    for position in positions():
        assert value(position, core) * core.VALUE_UNIT == slow_value(made_up, position)
        assert scores(core, position) == {move: slow_score(made_up, position, move) for move in position.moves()}


def test_the_eight_symmetries_hold_exactly(core: Any) -> None:
    tables = geometry(STANDARD).symmetry_tables
    for position in positions():
        before = scores(core, position)
        for symmetry in SYMMETRIES:
            image = position.transform(symmetry)
            assert value(image, core) == value(position, core)
            assert scores(core, image) == {tables[symmetry][move]: score for move, score in before.items()}


def test_probabilities_are_those_of_the_legal_moves_in_their_order(core: Any) -> None:
    for position in positions():
        odds = policy(position, core)
        assert set(odds) == set(position.moves())
        assert sum(odds.values()) == pytest.approx(1)
        assert list(odds.values()) == sorted(odds.values(), reverse=True)
        found = scores(core, position)
        assert found[next(iter(odds))] == max(found.values())


def test_who_must_pass_sees_the_other_side(core: Any) -> None:
    position = native.parse("OX" + "-" * 62 + " X")
    assert position.must_pass()
    assert policy(position, core) == {PASS: 1.0}
    assert value(position, core) == -value(position.play(PASS), core)


def test_the_end_is_counted(core: Any) -> None:
    over = native.parse("X" * 63 + "O O")
    assert value(over, core) == -62
    with pytest.raises(InvalidPosition, match="the game is over"):
        policy(over, core)


def test_other_boards_are_refused(core: Any) -> None:
    with pytest.raises(InvalidPosition, match="8x8, not 6"):
        value(native.start(6), core)


def test_files_come_back_as_they_were(made_up: Networks, tmp_path: Path) -> None:
    made_up.write(tmp_path / "networks.weights")
    back = Networks.read(tmp_path / "networks.weights")
    assert back.shape == made_up.shape
    for name in Networks.layout(SHAPE):
        assert (getattr(back, name) == getattr(made_up, name)).all()
    assert value(native.start(), load_networks(tmp_path / "networks.weights")) == value(
        native.start(), from_numbers(made_up)
    )


def test_what_does_not_fit_is_not_written(made_up: Networks, tmp_path: Path) -> None:
    narrow = replace(made_up, value_rows=made_up.value_rows[:, :8])
    with pytest.raises(WeightsError, match="value_rows of int8"):
        narrow.write(tmp_path / "networks.weights")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (lambda data: data[:10], "only 10 bytes"),
        (lambda data: data[:-9], "damaged"),
        (lambda data: data[:200] + bytes([data[200] ^ 1]) + data[201:], "damaged"),
        (lambda data: b"OTHELWTS" + data[8:], "another kind"),
        (lambda data: data[:8] + b"\x01" + data[9:], "networks of version 1, this program reads version 2"),
    ],
)
def test_broken_files_are_refused_in_one_line(made_up: Networks, tmp_path: Path, damage: Any, reason: str) -> None:
    path = tmp_path / "networks.weights"
    made_up.write(path)
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(WeightsError, match=reason) as caught:
        load_networks(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_networks_of_another_shape_are_refused(tmp_path: Path) -> None:
    form = struct.pack("<4H", WIDTH, HIDDEN, SECOND, HEADS)
    other = struct.pack("<4H", WIDTH + 16, HIDDEN, SECOND, HEADS)
    write_payload(tmp_path / "other", other + SHAPE.patterns.types(), FILE)
    with pytest.raises(
        WeightsError, match=rf"networks of the shape {WIDTH + 16}x{HIDDEN}x.*, this program reads {WIDTH}x"
    ):
        load_networks(tmp_path / "other")
    write_payload(tmp_path / "small", form + SHAPE.patterns.types() + bytes(1000), FILE)
    with pytest.raises(WeightsError, match="networks of 1000 bytes, this program reads"):
        load_networks(tmp_path / "small")
    write_payload(tmp_path / "cut", form + SHAPE.patterns.types()[:100], FILE)
    with pytest.raises(WeightsError, match=r"cut: .*pattern"):
        load_networks(tmp_path / "cut")
    long = PatternGeometry((Pattern(tuple(range(11))),)).types()
    write_payload(tmp_path / "long", form + long, FILE)
    with pytest.raises(WeightsError, match="more than 10 squares"):
        load_networks(tmp_path / "long")
    many = NetworkGeometry(PatternGeometry((Pattern((1, 2)),) * 9))
    sizes = Networks.layout(many)
    Networks(many, **{name: np.zeros(size, dtype) for name, (dtype, size) in sizes.items()}).write(tmp_path / "many")
    with pytest.raises(WeightsError, match="more pattern instances than the core can hold"):
        load_networks(tmp_path / "many")
    with pytest.raises(WeightsError, match="No such file"):
        load_networks(tmp_path / "none")


@pytest.mark.parametrize("length", [0, 1, 40, 5000, -1])
def test_the_core_refuses_payloads_cut_short(made_up: Networks, length: int) -> None:
    assert native.core is not None
    with pytest.raises(RuntimeError, match="end too early"):
        native.core.Networks(made_up.payload()[:length])
    with pytest.raises(RuntimeError, match="go on after their end"):
        native.core.Networks(made_up.payload() + b"\0")
    with pytest.raises(RuntimeError, match="another shape"):
        native.core.Networks(struct.pack("<4H", WIDTH + 16, HIDDEN, SECOND, HEADS) + made_up.payload()[8:])


# -- the networks we ship


def test_the_levels_of_beginners_are_the_networks() -> None:
    with Engine(hash_mb=1) as engine:
        for position in positions()[::6]:
            odds = policy(position)
            played = engine.play(position, LEVELS["beginner"])
            assert played == Result(next(iter(odds)), position.turn, nodes=1, pv=(played.move,), source="policy")
            wanted = min(position.moves(), key=lambda move: value(position.play(move)))
            played = engine.play(position, LEVELS["beginner+"])
            assert (played.move, played.score) == (wanted, -value(position.play(wanted)))
            assert (played.depth, played.nodes) == (1, len(position.moves()))


def test_beginners_pass_where_they_must() -> None:
    position = native.parse("OX" + "-" * 62 + " X")
    with Engine(hash_mb=1) as engine:
        assert engine.play(position, LEVELS["beginner"]).move == PASS
        assert engine.play(position, LEVELS["beginner+"]).move == PASS


@pytest.mark.parametrize("level", ["beginner", "beginner+"])
def test_beginners_play_small_boards_by_other_means(level: str) -> None:
    with create_player(f"engine:level={level}") as player:
        assert answer(player, native.start(6), Limit()).move in native.start(6).moves()


def match(first: str, second: str, pairs: int) -> float:
    """The first player's share of the points; every opening is played twice, colours swapped."""
    rng = random.Random(11)
    points = 0.0
    with create_player(first) as one, create_player(second) as other:
        for _ in range(pairs):
            opening = native.random_position(rng, STANDARD, 54)
            for black, white in ((one, other), (other, one)):
                position = opening
                while not position.is_over():
                    mover = black if position.turn == "black" else white
                    move = PASS if position.must_pass() else answer(mover, position, Limit()).move
                    position = position.play(move)
                score = position.score() if position.turn == "black" else -position.score()
                score = score if black is one else -score
                points += (score > 0) + (score == 0) / 2
    return points / (2 * pairs)


def test_the_policy_beats_chance_and_the_value_beats_the_policy() -> None:
    assert match("policy", "random:seed=1", 12) > 0.9
    assert match("engine:level=beginner+", "policy", 40) > 0.5


def test_the_networks_know_the_end() -> None:
    """Against exact scores: nearer than half of what saying nothing costs; the best move twice as often as chance."""
    rng = random.Random(4)
    drawn = (native.random_position(rng, STANDARD, 9) for _ in range(60))
    error = nothing = hits = chance = 0.0
    with Engine(hash_mb=4) as engine:
        for position in drawn:
            if not position.moves():
                continue
            lines = engine.analyze(position)
            score = lines[0].score
            assert score is not None
            error, nothing = error + abs(value(position) - score), nothing + abs(score)
            best = [line.move for line in lines if line.score == score]
            hits, chance = hits + (next(iter(policy(position))) in best), chance + len(best) / len(lines)
    assert error < nothing / 2
    assert hits > 2 * chance
