"""Sizes, squares, directions and symmetries."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from othellier.errors import InvalidPosition
from othellier.rules.geometry import (
    DIRECTIONS,
    PASS,
    STANDARD,
    SYMMETRIES,
    Size,
    SizeLike,
    geometry,
    inverse_symmetry,
    parse_square,
    square_name,
    squares_of,
)

sides = st.sampled_from(range(4, 13, 2))
sizes = st.builds(Size, sides, sides)


@pytest.mark.parametrize(
    ("given_as", "size"),
    [(8, Size(8, 8)), ("6", Size(6, 6)), ("4x6", Size(4, 6)), (" 6 X 8 ", Size(6, 8)), ((12, 10), Size(12, 10))],
)
def test_sizes_are_read(given_as: SizeLike, size: Size) -> None:
    assert Size.parse(given_as) == size


@pytest.mark.parametrize("size", [0, 2, 7, 14, -8, "", "8x", "x8", "8x8x8", "eight", "4x5", "999", (8, 3)])
def test_impossible_sizes_are_refused(size: SizeLike) -> None:
    with pytest.raises(InvalidPosition, match="size"):
        Size.parse(size)


@given(sizes)
def test_sizes_print_as_they_are_read(size: Size) -> None:
    assert Size.parse(str(size)) == size
    assert size.transposed.transposed == size
    assert size.squares == size.rows * size.columns


def test_corners_have_the_usual_names() -> None:
    assert [square_name(square) for square in (0, 7, 56, 63)] == ["a1", "h1", "a8", "h8"]
    assert parse_square("F5") == 37
    assert parse_square("f6", 6) == 35
    assert parse_square("l12", 12) == 143
    assert square_name(PASS) == "pass"
    assert parse_square("PASS") == PASS


@given(sizes, st.data())
def test_squares_are_read_as_they_are_named(size: Size, data: st.DataObject) -> None:
    square = data.draw(st.integers(0, size.squares - 1))
    assert parse_square(square_name(square, size), size) == square


@pytest.mark.parametrize("name", ["", "a", "a0", "i1", "a9", "a10", "11", "a1 ", "a01", "é1"])
def test_what_is_no_square_is_refused(name: str) -> None:
    with pytest.raises(InvalidPosition, match="not a square of a board of size 8"):
        parse_square(name)


@pytest.mark.parametrize("square", [-2, 64, 1000])
def test_numbers_off_the_board_have_no_name(square: int) -> None:
    with pytest.raises(InvalidPosition, match="no square"):
        square_name(square)


@given(st.sets(st.integers(0, 143)))
def test_squares_of_a_bitboard_come_in_order(squares: set[int]) -> None:
    assert list(squares_of(sum(1 << square for square in squares))) == sorted(squares)


@given(sizes, st.data())
def test_shifts_drop_what_leaves_the_board(size: Size, data: st.DataObject) -> None:
    square = data.draw(st.integers(0, size.squares - 1))
    row, column = divmod(square, size.columns)
    for direction in DIRECTIONS:
        r, c = row + direction.rows, column + direction.columns
        there = 1 << (size.columns * r + c) if 0 <= r < size.rows and 0 <= c < size.columns else 0
        assert geometry(size).shift(1 << square, direction) == there
        assert direction.opposite.opposite == direction
        if there:
            assert geometry(size).shift(there, direction.opposite) == 1 << square


@given(sizes, st.data())
def test_symmetries_undo_each_other(size: Size, data: st.DataObject) -> None:
    bits = data.draw(st.integers(0, (1 << size.squares) - 1))
    for symmetry in SYMMETRIES:
        seen = geometry(size).transform(bits, symmetry)
        seen_size = size.transposed if symmetry & 4 else size
        assert seen.bit_count() == bits.bit_count()
        assert geometry(seen_size).transform(seen, inverse_symmetry(symmetry)) == bits


def test_symmetries_do_what_their_names_say() -> None:
    board = geometry(STANDARD)
    c1 = 1 << parse_square("c1")
    names = [square_name(next(squares_of(board.transform(c1, symmetry)))) for symmetry in SYMMETRIES]
    assert names == ["c1", "f1", "c8", "f8", "a3", "a6", "h3", "h6"]


def test_a_rectangle_keeps_its_size_under_four_symmetries() -> None:
    assert list(geometry(Size(4, 6)).own_symmetries) == [0, 1, 2, 3]
    assert list(geometry(Size(6, 6)).own_symmetries) == list(SYMMETRIES)
