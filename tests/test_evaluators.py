"""Every strategy: its formula by hand, its sign, its symmetries, and what it refuses."""

import random

import numpy as np
import pytest

from othellier.errors import ConfigError
from othellier.evaluation.evaluators import (
    EVALUATORS,
    TABLES,
    Evaluator,
    Phase,
    Term,
    create_evaluator,
    square_values,
)
from othellier.evaluation.features import ratio, stable_mask
from othellier.evaluation.patterns import MAX_ESTIMATE, PatternValues, compiled_weights, shipped_values
from othellier.evaluation.weights import Pattern, PatternGeometry
from othellier.players import create_player
from othellier.rules import native
from othellier.rules.board import Position
from othellier.rules.geometry import PASS, Size, geometry, parse_square, squares_of
from othellier.search import Options, search
from othellier.search.base import Backend

VARIANTS = (
    *EVALUATORS,
    *(f"positional/table={table}" for table in TABLES),
    "mobility/corner=25",
    "mixed/opening=25/ending=16",
    "mixed/opening=0/ending=60",
    "criteria/stability=real",
    "classifier/model=textbook",
)
SIZES = ("4", "6", "8", "4x6", "6x8", "10")

needs_core = pytest.mark.skipif(not native.available, reason="there is no compiled core to compare with")


def positions(size: str, number: int = 12) -> list[Position]:
    rng = random.Random(size)
    return [Position.random(rng, size) for _ in range(number)]


@pytest.mark.parametrize(
    ("text", "size"),
    [
        (text, size)
        for text in VARIANTS
        for size in SIZES
        if (size == "8" or not create_evaluator(text).learnt)
        and (text, size) != ("positional/table=edges", "4")  # where every square of an edge is a corner or beside one
    ],
)
def test_sign_and_symmetry(text: str, size: str) -> None:
    evaluate = create_evaluator(text).compile(size)
    values = []
    for position in positions(size):
        value = evaluate(position.player, position.opponent)
        values.append(value)
        assert isinstance(value, int)
        assert evaluate(position.opponent, position.player) == -value
        assert {evaluate(p.player, p.opponent) for p in position.symmetries()} == {value}
    assert len(set(values)) > 1


@pytest.mark.parametrize("table", TABLES)
def test_tables_are_symmetric(table: str) -> None:
    corner = TABLES[table]
    side = 2 * len(corner)
    size = Size(side, side)
    values = square_values(table, size)
    assert tuple(values[side * row : side * row + side // 2] for row in range(side // 2)) == corner
    for symmetry in geometry(size).symmetry_tables:
        assert tuple(values[square] for square in symmetry) == values


def test_tables_on_other_sizes_keep_their_corners_and_edges() -> None:
    assert square_values("utrecht", Size(4, 4)) == (10, -2, -2, 10, -2, -2, -2, -2, -2, -2, -2, -2, 10, -2, -2, 10)
    assert square_values("heuristic2", Size(10, 10))[:10] == (100, -20, 10, 5, 5, 5, 5, 10, -20, 100)
    wide = square_values("heuristic1", Size(4, 6))
    assert wide[:6] == (500, -150, 30, 30, -150, 500)
    assert wide[6:12] == (-150, -250, 0, 0, -250, -150)


# a1 b1 and d4 are the mover's, c1 and e5 the other's.
SMALL = Position.parse("XXO-----" + "-" * 16 + "---X----" + "----O---" + "-" * 24 + "X")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("absolute", 3 - 2),
        ("positional", (100 - 20 - 1) - (10 - 1)),
        ("positional/table=heuristic1", (500 - 150 + 16) - (30 + 16)),
        ("positional/table=utrecht", (10 - 2 + 0) - (4 + 0)),
        # d1 and f6 are the mover's moves; the other side has c3.
        ("mobility", (2 - 1) + 10 * 1),
        ("mobility/corner=0", 2 - 1),
        # discs 3:2, moves 2:1, corners 11:2, matrix 2:3
        ("criteria", 2 * 60 + 5 * 66 + 10 * 84 - 15 * 60),
        # a1 and b1 can never be turned
        ("criteria/stability=real", 2 * 60 + 5 * 66 + 10 * 84 + 15 * 100),
    ],
)
def test_formulas_by_hand(text: str, value: int) -> None:
    assert create_evaluator(text).compile(8)(SMALL.player, SMALL.opponent) == value


@pytest.mark.parametrize(
    ("mine", "theirs", "expected"),
    [(33, 31, 51), (31, 33, -51), (5, 0, 100), (0, 0, 0), (4, 4, 0), (20, -20, 50), (-3, -10, 76), (-10, 3, -76)],
)
def test_ratio(mine: int, theirs: int, expected: int) -> None:
    assert ratio(mine, theirs) == expected


def test_mixed_changes_with_the_moves_played() -> None:
    mixed, parts = create_evaluator("mixed/opening=25/ending=16"), ("positional", "mobility", "absolute")
    evaluate = mixed.compile(8)
    pure = [create_evaluator(part).compile(8) for part in parts]
    rng = random.Random(5)
    for empties, part in ((36, 0), (35, 1), (17, 1), (16, 2), (1, 2)):
        position = Position.random(rng, 8, empties)
        discs = position.player, position.opponent
        assert evaluate(*discs) == pure[part](*discs)
        assert len({f(*discs) for f in pure}) > 1
    # In proportion on a smaller board: 32 moves, 25 * 32 // 60 = 13 of them the opening.
    assert [phase.limit(Size(6, 6)) for phase in mixed.phases] == [17, 27, 36]


@pytest.mark.parametrize("size", ["4", "6", "8", "6x4"])
def test_stable_discs_are_never_turned(size: str) -> None:
    rng = random.Random(7)
    seen = 0
    for position in positions(size, 30):
        mine, theirs = position.player, position.opponent
        stable = {"mine": stable_mask(mine, theirs, geometry(position.size))}
        stable["theirs"] = stable_mask(theirs, mine, geometry(position.size))
        seen += stable["mine"].bit_count()
        turn = position.turn
        while not position.is_over():
            position = position.play(rng.choice(position.moves() or [PASS]))
            now = (position.player, position.opponent)
            now_mine, now_theirs = now if position.turn == turn else now[::-1]
            assert stable["mine"] & ~now_mine == 0
            assert stable["theirs"] & ~now_theirs == 0
    assert seen > 0


def test_stable_discs_by_hand() -> None:
    board = geometry(Size(8, 8))

    def mask(*names: str) -> int:
        return sum(1 << parse_square(name) for name in names)

    corner = mask("a1", "b1", "a2", "b2", "c1", "d4")
    # b2 could still be taken along the diagonal a3-b2-c1? No: c1 is safe beside b1. Along a1-h8: a1 is safe.
    assert stable_mask(corner, 0, board) == mask("a1", "b1", "a2", "c1", "b2")
    assert stable_mask(mask("b1", "c1"), mask("a1"), board) == 0
    assert stable_mask(mask("b1", "c1"), mask("a1", "d1", "e1", "f1", "g1", "h1"), board) == mask("b1", "c1")
    assert stable_mask(board.full, 0, board) == board.full
    assert list(squares_of(stable_mask(0, board.full, board))) == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("positionnal", "did you mean 'positional'"),
        ("", "known: absolute, classifier, criteria, mixed, mobility, patterns, positional"),
        ("positional/table=heuristic3", "did you mean 'heuristic2'"),
        ("positional/tabel=heuristic1", "did you mean 'table'"),
        ("mobility/corner=many", "a whole number expected"),
        ("mobility/corner=1001", "from 0 to 1000"),
        ("mobility/corner=-1", "a whole number expected"),
        ("mixed/opening=61", "from 0 to 60"),
        ("mixed/opening=50/ending=11", "from 0 to 10"),
        ("criteria/stability=none", "matrix or real"),
        ("absolute/x", "unknown option 'x'"),
        ("patterns/depth=1", "unknown option 'depth'"),
    ],
)
def test_refusals(text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        create_evaluator(text)


@needs_core
def test_patterns_are_the_engines_estimate_for_both_sides() -> None:
    weights, values, evaluate = compiled_weights(), shipped_values(), create_evaluator("patterns").compile(8)
    found = positions("8", 40)
    player, opponent = (np.array([getattr(p, side) for p in found], np.uint64) for side in ("player", "opponent"))
    mine, theirs = np.zeros(len(found), np.int32), np.zeros(len(found), np.int32)
    weights.raw(player, opponent, mine)
    weights.raw(opponent, player, theirs)
    most = MAX_ESTIMATE * values.unit
    mine, theirs = mine.clip(-most, most), theirs.clip(-most, most)
    for index, position in enumerate(found):
        assert values.estimate(position.player, position.opponent) == mine[index]
        assert evaluate(position.player, position.opponent) == mine[index] - theirs[index]
    assert max(map(abs, mine)) > values.unit  # worth more than a disc: the weights are not empty


def test_patterns_by_hand() -> None:
    """One pattern of one square in one phase, and mobility: every weight of the sum is known."""
    corner = PatternGeometry((Pattern.parse("a1"),))
    # a1 taken by the other side, empty, mine; then 10, 11 ... for my moves and 1000, 1001 ... for theirs.
    table = [-7, 3, 20, *range(10, 74), *range(1000, 1064)]
    values = PatternValues(corner.payload(np.array([table], np.int16), 128))
    # Of the four corners one is mine, three are empty; I have two moves and they have one.
    assert values.estimate(SMALL.player, SMALL.opponent) == 20 + 3 * 3 + 12 + 1001
    assert values.estimate(SMALL.opponent, SMALL.player) == -7 + 3 * 3 + 11 + 1002
    assert PatternValues(corner.payload(np.array([[30_000] * 131], np.int16), 128)).estimate(1, 2) == 62 * 128


@pytest.mark.parametrize("backend", ["python", pytest.param("native", marks=needs_core)])
def test_patterns_know_8x8_alone(backend: Backend) -> None:
    with pytest.raises(ConfigError, match="boards of 8x8, not 6"):
        search(Position.start(6), Options(depth=2, evaluator=create_evaluator("patterns")), backend=backend)
    with pytest.raises(ConfigError, match="boards of 8x8, not 4x6"):
        create_player("pvs:depth=2,eval=patterns").new_game(Position.start("4x6"))


def test_evaluators_of_ones_own_are_checked() -> None:
    own = Evaluator("own", (Phase((Term("stable", 3), Term("discs")), until=30), Phase((Term("moves"),))))
    assert own.compile(4)(0b1111, 0b10000) == 3 * 4 + 4 - 1
    with pytest.raises(ConfigError, match="no phases"):
        Evaluator("empty", ())
    with pytest.raises(ConfigError, match="needs a table"):
        Evaluator("bare", (Phase((Term("squares"),)),))
    with pytest.raises(ConfigError, match="needs a table"):
        Evaluator("bare", (Phase((Term("discs", table="corners"),)),))
    with pytest.raises(ConfigError, match="did you mean 'discs'"):
        Evaluator("typo", (Phase((Term("disks"),)),))  # type: ignore[arg-type]
