"""Batch operations, against one position at a time."""

import random
from collections.abc import Callable, Iterable
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from othellier import batch
from othellier.errors import IllegalMove, InvalidPosition, OthellierError
from othellier.reference import Position
from othellier.rules import native
from othellier.rules.geometry import PASS, STANDARD, Size, SizeLike

SIZES = [Size(*sides) for sides in product((4, 6, 8), repeat=2)]


def drawn(size: SizeLike, count: int = 200) -> tuple[list[Position], batch.Bits, batch.Bits]:
    rng = random.Random(5)
    positions = [native.random_position(rng, size) for _ in range(count)]
    return (
        positions,
        np.array([p.player for p in positions], np.uint64),
        np.array([p.opponent for p in positions], np.uint64),
    )


def same(left: Iterable[npt.NDArray[Any]], right: Iterable[npt.NDArray[Any]]) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(left, right, strict=True))


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_moves_flips_and_play_are_those_of_each_position(size: Size) -> None:
    positions, player, opponent = drawn(size)
    assert batch.moves(player, opponent, size=size).tolist() == [p.moves_mask() for p in positions]
    for square in (*range(size.squares), size.squares, batch.NO_MOVE):
        squares = np.full(len(positions), square, np.uint8)
        flips = [p.flips_mask(square) for p in positions]
        assert batch.flips(player, opponent, squares, size=size).tolist() == flips
    rng = random.Random(6)
    going = [p for p in positions if not p.is_over()]
    moves = [rng.choice(p.moves() or [PASS]) for p in going]
    after = [p.play(move) for p, move in zip(going, moves, strict=True)]
    mine, theirs = batch.play(
        [p.player for p in going],
        [p.opponent for p in going],
        [batch.NO_MOVE if move == PASS else move for move in moves],
        size=size,
    )
    assert mine.tolist() == [p.player for p in after]
    assert theirs.tolist() == [p.opponent for p in after]


def test_forced_passes_are_played() -> None:
    passing = native.parse("OX------" + "-" * 56 + "X")
    mine, theirs = batch.play([passing.player], [passing.opponent], [batch.NO_MOVE])
    assert (mine[0], theirs[0]) == (passing.opponent, passing.player)


@pytest.mark.parametrize(
    ("square", "reason"), [(0, "a1: it flips"), (27, "d4: the square is taken"), (64, "no such"), (255, "pass")]
)
def test_an_illegal_move_is_named(square: int, reason: str) -> None:
    start = native.start()
    with pytest.raises(IllegalMove, match=reason):
        batch.play([start.player] * 2, [start.opponent] * 2, [37, square])


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_random_games_are_games(size: Size) -> None:
    games = batch.random_games(100, seed=1, size=size)
    assert games.moves.shape == (100, size.squares - 4)
    for player, opponent, moves, length, score in zip(*games, strict=True):
        position = native.start(size)
        for move in moves[:length].tolist():
            if position.must_pass():
                position = position.play(PASS)
            position = position.play(move)
        assert (moves[length:] == batch.NO_MOVE).all()
        assert position.is_over()
        assert (position.black, position.white) == (player, opponent)
        assert score == (position.score() if position.turn == "black" else -position.score())


def test_random_games_depend_on_the_seed_and_nothing_else() -> None:
    one = batch.random_games(1000, seed=1, threads=1)
    for again in (batch.random_games(1000, seed=1, threads=4), batch.random_games(1000, seed=1)):
        assert same(one, again)
    assert np.array_equal(batch.random_games(10, seed=1).moves, one.moves[:10])
    assert not np.array_equal(batch.random_games(1000, seed=2).moves, one.moves)
    assert len(np.unique(one.moves, axis=0)) == 1000


def test_every_first_move_is_as_likely() -> None:
    first = batch.random_games(40_000, seed=3).moves[:, 0]
    squares, counts = np.unique(first, return_counts=True)
    assert squares.tolist() == native.start().moves()
    # Four standard deviations of a binomial count: fixed by the seed, so it holds always or never.
    assert np.abs(counts - 10_000).max() < 4 * (40_000 * 0.25 * 0.75) ** 0.5


def test_random_games_go_on_from_given_positions() -> None:
    positions, player, opponent = drawn(6, 50)
    games = batch.random_games((player, opponent), seed=9, size=6)
    assert games.moves.shape == (50, max(p.empties for p in positions))
    for i, start in enumerate(positions):
        position = start
        for move in games.moves[i, : games.lengths[i]].tolist():
            position = position.play(PASS) if position.must_pass() else position
            position = position.play(move)
        assert position.is_over()
        mine = position.black if start.turn == "black" else position.white
        assert games.player[i] == mine
        assert games.scores[i] == (position.score() if position.turn == start.turn else -position.score())


def test_boards_with_few_discs_have_room_for_all_their_moves() -> None:
    games = batch.random_games(([1 << 27] * 100, [1 << 28] * 100), seed=1)
    assert games.moves.shape == (100, 62)
    assert games.lengths.max() <= 62


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_random_games_replay_to_the_same_end(size: Size) -> None:
    games = batch.random_games(200, seed=4, size=size)
    replays = batch.replay(games.moves, size=size)
    assert np.array_equal(replays.black, games.player)
    assert np.array_equal(replays.white, games.opponent)
    assert np.array_equal(replays.lengths, games.lengths)
    assert (replays.illegal == -1).all()
    assert replays.over.all()


def test_games_are_replayed_from_wthor_bytes() -> None:
    games = batch.random_games(200, seed=5)
    squares = games.moves.astype(int)
    wthor = np.where(games.moves == batch.NO_MOVE, 0, 10 * (squares // 8 + 1) + squares % 8 + 1)
    assert same(batch.replay(wthor, encoding="wthor"), batch.replay(games.moves))


def test_a_replay_says_where_a_game_goes_wrong() -> None:
    rows = np.full((6, 60), batch.NO_MOVE, np.uint8)
    rows[1, :3] = 37, 43, 37  # f5 d6 f5: taken
    rows[2, :2] = 37, 0  # a1: flips nothing
    rows[3, 0] = 200  # no square at all
    rows[4] = batch.random_games(1, seed=1).moves
    rows[5, 0] = 37
    replays = batch.replay(rows)
    assert replays.illegal.tolist() == [-1, 2, 1, 0, -1, -1]
    assert replays.lengths.tolist()[:4] == [0, 2, 1, 0]
    assert replays.over.tolist() == [False, False, False, False, True, False]
    after = native.start().play(37)
    assert (replays.black[5], replays.white[5]) == (after.black, after.white)


def test_a_game_that_goes_on_after_its_end_is_illegal_there() -> None:
    games = batch.random_games(50, seed=2, size=4)
    rows = np.full((50, 20), batch.NO_MOVE, np.uint8)
    rows[:, : games.moves.shape[1]] = games.moves
    rows[np.arange(50), games.lengths] = 5
    replays = batch.replay(rows, size=4)
    assert np.array_equal(replays.illegal, games.lengths)
    assert replays.over.all()


def test_wthor_bytes_that_are_no_square_are_illegal() -> None:
    replays = batch.replay([[byte] for byte in range(256)], encoding="wthor")
    d3, c4, f5, e6 = 34, 43, 56, 65
    assert np.flatnonzero(replays.lengths).tolist() == [d3, c4, f5, e6]
    assert np.flatnonzero(replays.illegal == -1).tolist() == [0, d3, c4, f5, e6]


def test_nothing_is_a_batch_too() -> None:
    nothing = np.empty(0, np.uint64)
    assert len(batch.moves(nothing, nothing)) == 0
    assert batch.random_games(0, seed=1).moves.shape == (0, 60)
    assert batch.random_games((nothing, nothing), seed=1).moves.shape == (0, 60)
    assert len(batch.replay(np.empty((0, 60), np.uint8)).black) == 0
    assert batch.replay(np.empty((3, 0), np.uint8)).lengths.tolist() == [0, 0, 0]


def test_arrays_may_be_strided_or_of_another_integer_type() -> None:
    _, player, opponent = drawn(8)
    expected = batch.moves(player, opponent)[::2]
    assert np.array_equal(batch.moves(player[::2], opponent[::2]), expected)
    small = np.array([1, 2], np.int16)
    assert batch.moves(small, small[::-1]).tolist() == [Position(1, 2).moves_mask(), Position(2, 1).moves_mask()]


BAD: dict[str, tuple[Callable[[], object], str]] = {
    "lengths": (lambda: batch.moves([1, 2], [4]), "2 positions have a player and 1 an opponent"),
    "dimensions": (lambda: batch.moves([[1]], [[2]]), "player: an array of 1 dimension expected, not 2"),
    "floats": (lambda: batch.moves([1.0], [2.0]), "player: whole numbers from 0 to 18446744073709551615 expected"),
    "negative": (lambda: batch.moves([-1], [2]), "player: whole numbers"),
    "too large": (lambda: batch.moves([1 << 64], [2]), "player: whole numbers"),
    "text": (lambda: batch.moves(["a1"], ["a2"]), "player: whole numbers"),
    "two discs": (lambda: batch.moves([1, 3], [2, 1]), "position 1: a square holds two discs"),
    "outside": (lambda: batch.moves([1 << 16], [1], size=4), "position 0: a disc lies outside the board of size 4"),
    "square count": (lambda: batch.flips([1], [2], [3, 4]), "2 squares for 1 positions"),
    "square range": (lambda: batch.flips([1], [2], [256]), "squares: whole numbers from 0 to 255"),
    "one game": (lambda: batch.replay([1, 2, 3]), "moves: an array of 2 dimensions expected, not 1"),
    "ragged": (lambda: batch.replay([[1, 2], [3]]), "moves: "),
    "large board": (lambda: batch.moves([1], [2], size=10), "boards up to 8x8, not 10"),
    "no size": (lambda: batch.moves([1], [2], size="big"), "size 'big'"),
    "threads": (lambda: batch.moves([1], [2], threads=-1), "-1 threads"),
    "encoding": (lambda: batch.replay([[0]], encoding="pgn"), "encoding 'pgn'"),  # type: ignore[arg-type]
    "seed": (lambda: batch.random_games(1, seed=-1), "seed -1"),
    "count": (lambda: batch.random_games(-1, seed=1), "-1 games"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_arguments_get_one_clear_error(case: str) -> None:
    call, reason = BAD[case]
    with pytest.raises(OthellierError, match=reason) as caught:
        call()
    assert "\n" not in str(caught.value)


def test_without_the_core_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native, "core", None)
    with pytest.raises(OthellierError, match="need the compiled core"):
        batch.random_games(1, seed=1)


def test_a_position_error_is_an_invalid_position() -> None:
    with pytest.raises(InvalidPosition):
        batch.moves([1], [1], size=STANDARD)
