"""The plain rules, against known numbers and against a walk from square to square."""

import random
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from othellier.errors import IllegalMove, InvalidPosition
from othellier.reference import Color, Position, final_score, get_square, move_table, other, play_from_table, set_square
from othellier.rules.geometry import PASS, SYMMETRIES, Size, geometry, parse_square, square_name

PERFT = tomllib.loads((Path(__file__).parent / "data" / "perft.toml").read_text())

sides = st.sampled_from(range(4, 13, 2))


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Positions of real games and boards that no game can reach, of every size."""
    size = draw(st.builds(Size, sides, sides))
    rng = draw(st.randoms(use_true_random=False))
    if draw(st.booleans()):
        return Position.random(rng, size)
    occupied = rng.getrandbits(size.squares) | rng.getrandbits(size.squares)
    mine = occupied & rng.getrandbits(size.squares)
    return Position(mine, occupied & ~mine, draw(st.sampled_from(["black", "white"])), size)


def walked_flips(position: Position, square: int) -> int:
    """The rule of the game as one reads it: walk from the square in each direction."""
    rows, columns = position.size
    if not position.empty_mask >> square & 1:
        return 0
    flips = 0
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            row, column = square // columns + down, square % columns + right
            run = 0
            while (down or right) and 0 <= row < rows and 0 <= column < columns:
                if get_square(position.player, row, column, position.size):
                    flips |= run
                    break
                if not get_square(position.opponent, row, column, position.size):
                    break
                run = set_square(run, row, column, position.size)
                row, column = row + down, column + right
    return flips


@pytest.mark.parametrize("size", PERFT)
def test_perft_counts_the_known_leaves(size: str) -> None:
    start = Position.start(size)
    assert start.perft(0) == 1
    for depth, leaves in enumerate(PERFT[size][:6], start=1):
        assert start.perft(depth) == leaves


def test_perft_counts_a_finished_game_once_and_a_pass_as_a_ply() -> None:
    assert Position.parse("X" * 64 + "O").perft(5) == 1
    passing = Position.parse("OX------" + "-" * 48 + "OX------" + "X")
    assert passing.must_pass()
    assert [passing.perft(depth) for depth in range(3)] == [1, 1, 2]
    with pytest.raises(InvalidPosition, match="negative"):
        passing.perft(-1)


@pytest.mark.parametrize("size", ["4", "6", "8", "12", "4x6", "10x4"])
def test_the_start_is_the_usual_one(size: str) -> None:
    start = Position.start(size)
    row, column = start.size.rows // 2, start.size.columns // 2
    assert get_square(start.white, row - 1, column - 1, size) == get_square(start.white, row, column, size) == 1
    assert get_square(start.black, row - 1, column, size) == get_square(start.black, row, column - 1, size) == 1
    assert (start.turn, start.discs("black"), start.discs("white")) == ("black", 2, 2)
    assert start.empties == start.size.squares - 4


def test_squares_are_set_and_got() -> None:
    assert set_square(0, 4, 3) == 1 << parse_square("d5")
    assert get_square(1 << parse_square("d5"), 4, 3) == 1
    assert get_square(1 << parse_square("d5"), 3, 4) == 0
    assert set_square(1, 1, 1, "4x6") == 1 | 1 << parse_square("b2", "4x6")


@given(positions())
def test_moves_and_flips_follow_the_rule(position: Position) -> None:
    for square in range(position.size.squares):
        flips = walked_flips(position, square)
        assert position.flips_mask(square) == flips
        assert position.is_legal(square) == (flips != 0) == bool(position.moves_mask() >> square & 1)
    assert position.moves() == [s for s in range(position.size.squares) if position.moves_mask() >> s & 1]


@given(positions())
def test_the_table_of_moves_plays_like_the_flips(position: Position) -> None:
    board = geometry(position.size)
    table = move_table(position.player, position.opponent, board)
    assert table == position.move_table()
    assert list(table) == position.moves()
    for square, runs in table.items():
        assert sum(run for _, run in runs) == position.flips_mask(square).bit_count()
        after = position.play(square)
        assert play_from_table(position.player, position.opponent, square, table, board) == (
            after.opponent,
            after.player,
        )


def test_the_table_says_where_from_and_how_far() -> None:
    table = Position.start().move_table()
    assert {square_name(square): [(d.name, run) for d, run in runs] for square, runs in table.items()} == {
        "d3": [("north", 1)],
        "c4": [("west", 1)],
        "f5": [("east", 1)],
        "e6": [("south", 1)],
    }


@given(positions())
def test_a_move_adds_one_disc_and_turns_the_flips(position: Position) -> None:
    for move in position.moves():
        after = position.play(move)
        assert after.turn == other(position.turn)
        assert after.empties == position.empties - 1
        assert after.opponent == position.player | position.flips_mask(move) | 1 << move
        assert after.player == position.opponent & ~position.flips_mask(move)
        assert position.flips(move) == [s for s in range(position.size.squares) if position.flips_mask(move) >> s & 1]


@given(positions())
def test_a_pass_is_legal_only_where_forced(position: Position) -> None:
    reversed_ = Position(position.opponent, position.player, other(position.turn), position.size)
    forced = not position.moves() and bool(reversed_.moves())
    assert position.must_pass() == position.is_legal(PASS) == forced
    assert position.is_over() == (not position.moves() and not reversed_.moves())
    if forced:
        assert position.play(PASS) == reversed_
    else:
        with pytest.raises(IllegalMove, match="a pass is only legal when it is forced"):
            position.play(PASS)


@pytest.mark.parametrize(
    ("move", "reason"),
    [(0, "illegal move a1: it flips nothing"), (27, "illegal move d4: the square is taken")]
    + [(square, f"illegal move {square}: no such square") for square in (-2, 64, 10**30)],
)
def test_illegal_moves_say_why(move: int, reason: str) -> None:
    start = Position.start()
    with pytest.raises(IllegalMove) as caught:
        start.play(move)
    assert str(caught.value) == f"{reason} ({start.board_string()})"
    assert not start.is_legal(move)
    assert start.flips(move) == []


@pytest.mark.parametrize(
    ("player", "opponent", "winner", "discs"), [(13, 3, 10, 10), (11, 3, 10, 8), (3, 11, -10, -8), (7, 7, 0, 0)]
)
def test_empty_squares_go_to_the_winner(player: int, opponent: int, winner: int, discs: int) -> None:
    mine, theirs = (1 << player) - 1, (1 << opponent) - 1 << player
    assert final_score(mine, theirs, 16) == winner
    assert Position(mine, theirs, "white", Size(4, 4)).score("winner") == winner
    assert Position(mine, theirs, "white", Size(4, 4)).score(count="discs") == discs


@given(positions())
def test_symmetric_positions_have_one_canonical_form(position: Position) -> None:
    forms = position.symmetries()
    assert len(forms) == (8 if position.size.rows == position.size.columns else 4)
    assert forms[0] == position
    assert {form.canonical() for form in forms} == {position.canonical()}
    assert (position.canonical().player, position.canonical().opponent) == min((f.player, f.opponent) for f in forms)


@given(positions())
def test_a_symmetry_changes_the_squares_and_nothing_else(position: Position) -> None:
    for symmetry in SYMMETRIES:
        seen = position.transform(symmetry)
        assert seen.moves_mask() == geometry(position.size).transform(position.moves_mask(), symmetry)
        assert (seen.score(), seen.turn, seen.is_over()) == (position.score(), position.turn, position.is_over())


@pytest.mark.parametrize("symmetry", [-1, 8])
def test_there_are_eight_symmetries(symmetry: int) -> None:
    with pytest.raises(InvalidPosition, match="no symmetry"):
        Position.start().transform(symmetry)


@given(positions())
def test_board_strings_are_read_as_they_are_written(position: Position) -> None:
    assert Position.parse(position.board_string(), position.size) == position
    assert hash(Position.parse(position.board_string(), position.size)) == hash(position)


def test_board_strings_may_use_every_known_sign_and_blanks() -> None:
    text = "- . - .\n.O*-\n-b w -\r\n\t..-- x"
    start = Position.start(4)
    assert Position.parse(text) == start
    assert Position.parse("-----WB--BW----- o") == Position(start.opponent, start.player, "white", start.size)


@pytest.mark.parametrize(
    ("text", "size", "reason"),
    [
        ("", None, "empty"),
        ("X" * 17, 6, "16 squares given, a board of size 6 has 36"),
        ("X" * 18, None, "not a square board"),
        ("X" * 10, None, "sides are even"),
        ("hello", None, "unknown sign 'h': a board is X, O or - for each square, then the side to move"),
        (
            "-----OX--XO-----",
            None,
            "15 squares and a side to move are not a square board: the side to move, X or O, is",
        ),
        ("-----0X--XO----- X", None, "unknown sign '0' on b2"),
        ("-----OX--XO----- ?", None, "unknown side to move"),
        ("-----OX--XO------", None, "unknown side to move"),
    ],
)
def test_bad_board_strings_say_why(text: str, size: int | None, reason: str) -> None:
    with pytest.raises(InvalidPosition, match=reason):
        Position.parse(text, size)


@pytest.mark.parametrize(
    ("player", "opponent", "turn", "reason"),
    [
        (3, 2, "black", "b1 holds two discs"),
        (1 << 64, 0, "black", "outside the board of size 8"),
        (-1, 0, "black", "outside the board of size 8"),
        (1, 2, "green", "turn 'green'"),
    ],
)
def test_impossible_positions_are_refused(player: int, opponent: int, turn: Color, reason: str) -> None:
    with pytest.raises(InvalidPosition, match=reason):
        Position(player, opponent, turn)


@pytest.mark.parametrize("empties", [0, 1, 14, 32])
def test_random_positions_have_the_empties_asked_for(empties: int) -> None:
    for seed in range(5):
        position = Position.random(random.Random(seed), 6, empties)
        assert position.empties == empties
        assert position == Position.random(random.Random(seed), 6, empties)
        assert position.moves() or position.is_over()


@pytest.mark.parametrize("empties", [-1, 13])
def test_random_positions_need_empties_the_board_has(empties: int) -> None:
    with pytest.raises(InvalidPosition, match="empty squares: a board of size 4 has 0 to 12"):
        Position.random(random.Random(1), 4, empties)
