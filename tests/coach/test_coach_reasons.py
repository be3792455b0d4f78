"""Reasons why a move is worse than another: each is there on the board."""

import random
from collections.abc import Sequence
from itertools import permutations

import pytest

from othellier.coach.reasons import Reason, frontier, reasons, regions, stable
from othellier.engine.engine import Engine
from othellier.games.results import Limit
from othellier.rules import native
from othellier.rules.board import Color, Position, after, other
from othellier.rules.geometry import Size, parse_square


def squares(position: Position, line: str) -> list[int]:
    return [parse_square(line[at : at + 2], position.size) for at in range(0, len(line), 2)]


def told(board: str, played: str, best: str, score: float = 0.0) -> dict[str, Reason]:
    position = native.parse(board.replace("/", ""))
    found = reasons(position, squares(position, played), squares(position, best), score, 9)
    return {reason.code: reason for reason in found}


def test_a_corner_missed_and_a_corner_given() -> None:
    missed = told("-OX-----/--------/--------/---OX---/---XO---/--------/--------/-------- X", "d3", "a1")
    assert missed["corner_missed"].squares == (("corner", parse_square("a1")),)
    given = told("--------/--------/--O-----/---XX---/---OO---/--------/--------/-------- X", "b2", "f6")
    assert list(given)[:2] == ["corner_given", "x_square"]
    assert given["corner_given"].squares == (("corner", parse_square("a1")),)
    assert given["x_square"].squares == (("square", parse_square("b2")), ("corner", parse_square("a1")))
    taken = told("--------/--------/--O-----/---XX---/---OO---/--------/--------/-------- X", "b2a1", "f6")
    assert "answer_given" not in taken, "the corner has been told of"


def test_parity_counts_the_regions() -> None:
    position = native.parse("XXXXXXX-XXXXXXX-XXOOOOXXXXOOOOXXXXOOOOXXXXOOOOXXOXXXXXXX-OOOOOOX X")
    sizes = sorted(region.bit_count() for region in regions(position))
    assert sizes == [1, 2]


def test_stable_discs_grow_from_a_corner() -> None:
    position = native.parse("XXX-----X-------" + "-" * 48 + " O")
    assert stable(position, "black").bit_count() == 4
    assert frontier(position, "black").bit_count() == 4
    assert stable(native.parse("X" * 64 + " O"), "black").bit_count() == 64
    assert stable(native.start(), "black") == stable(native.start(), "white") == 0


def test_mobility_is_told_with_its_numbers() -> None:
    position, seen = native.start(), 0
    for name in ("f5", "d6", "c3", "d3", "c4", "f4"):
        position = position.play(parse_square(name))
        for move in position.moves():
            for best in position.moves():
                for reason in reasons(position, [move], [best], 0.0, 9):
                    if reason.code == "mobility":
                        seen += 1
                        theirs, fewer = len(position.play(move).moves()), len(position.play(best).moves())
                        assert dict(reason.numbers) == {"theirs": theirs, "theirs_best": fewer}
                        assert theirs > fewer
    assert seen


def test_without_a_visible_reason_it_is_the_search() -> None:
    start = native.start()  # both moves are the same up to symmetry, and so are their answers
    found = reasons(start, squares(start, "f5"), squares(start, "d3"), 0.0, 9)
    assert found == [Reason("search", numbers=(("plies", 9),))]


QUIET = "--------/--------/--O-----/---XX---/---OO---/--------/--------/-------- X"


def test_a_corner_that_falls_later_in_the_line() -> None:
    position = native.parse(QUIET.replace("/", ""))
    line, same = squares(position, "f6f5b2a1"), squares(position, "f6")
    first = reasons(position, line, same, 0.0, 9)[0]
    assert (first.code, first.squares, dict(first.numbers)) == ("corner_soon", (("corner", 0),), {"plies": 3})
    assert "corner_soon" not in {reason.code for reason in reasons(position, same, line, 0.0, 9)}


def later(board: str, line: str, better: str) -> dict[str, dict[str, int | str]]:
    position = native.parse(board.replace("/", ""))
    found = reasons(position, squares(position, line), squares(position, better), 0.0, 9)
    return {reason.code: dict(reason.numbers) | dict(reason.squares) for reason in found}


def test_the_answer_that_the_best_move_forestalls() -> None:
    start = native.start().board_string()
    assert later(start, "f5f4", "d3c3")["answer_given"] == {"square": parse_square("f4")}
    tiger = played(native.start(), squares(native.start(), "f5d6c3d3c4"))
    assert later(tiger.board_string(), "g5g6", "g6")["square_taken"] == {"square": parse_square("g6")}


def test_lines_known_to_the_end_are_counted_out() -> None:
    seen = 0
    with Engine(hash_mb=1) as engine:
        for number in range(60):
            position = native.random_position(random.Random(number), 4, 5)
            options = engine.analyze(position, Limit(depth=16))
            for worse in options[1:]:
                for reason in reasons(position, worse.pv, options[0].pv, worse.score or 0.0, 5):
                    if reason.code == "ending":
                        seen += 1
                        ends = [played(position, line) for line in (worse.pv, options[0].pv)]
                        assert [end.is_over() for end in ends] == [True, True]
                        discs = [end.discs(position.turn) for end in ends]
                        assert reason.numbers == (("discs", discs[0]), ("best", discs[1]))
    assert seen


def played(position: Position, line: Sequence[int]) -> Position:
    for move in line:
        position = position.play(move)
    return position


def test_every_reason_of_an_engines_game_is_true() -> None:
    """What is said of numbers is counted again, by the plain rules."""
    position, codes = native.start(), set()
    with Engine(hash_mb=1) as engine:
        for _ in range(40):
            options = engine.analyze(position, Limit(depth=4))
            for worse in options[1:]:
                for reason in reasons(position, worse.pv, options[0].pv, worse.score or 0.0, 4):
                    codes.add(reason.code)
                    check(reason, position, worse.pv, options[0].pv)
            position = after(position, options[len(options) // 2].move)
            if position.is_over():
                break
    assert len(codes) > 12


def test_every_reason_between_any_two_moves_is_true() -> None:
    told: list[Reason] = []
    for number in range(40):
        position = native.random_position(random.Random(number), 8, 8 + number)
        moves = position.moves()[:6]
        for played, best in permutations(moves, 2):
            for reason in reasons(position, [played], [best], 0.0, 9):
                told.append(reason)
                check(reason, position, (played,), (best,))
    codes = {reason.code for reason in told}
    assert codes >= {"safe_moves", "own_safe_moves", "parity", "greedy", "mobility", "frontier", "edge", *AROUND}
    assert codes >= {"their_stable", "stable"}
    for code, name, most in (("own_safe_moves", "mine", 3), ("safe_moves", "theirs_best", 3), ("parity", "size", 8)):
        assert max(int(dict(reason.numbers)[name]) for reason in told if reason.code == code) == most


def test_a_pass_is_told_where_the_best_move_alone_brings_it() -> None:
    """After h1 and after h4 Black has no move, after a8 there is one."""
    board = "XXXXXXX-/XXXXXOXX/XXXXXOXX/XXXXXOX-/XOOXXOXO/XOOOOXXO/XXXXXXXO/--OOOO-O O"
    assert told(board, "a8", "h1")["passed"].numbers == (("color", "black"),)
    assert "passed" not in told(board, "h1", "h4")
    assert "passed" not in told(board, "h1", "a8")


def check(reason: Reason, position: Position, line: tuple[int, ...], better: tuple[int, ...]) -> None:
    facts = dict(reason.numbers)
    plies = facts.get("plies", 1) if reason.code.endswith("_soon") else 1
    boards = [played(position, moves[: int(plies)]) for moves in (line, better)]
    mine, theirs = position.turn, other(position.turn)
    if reason.code.startswith(("mobility", "own_mobility", "balance")):
        for board, key in zip(boards, ("", "_best"), strict=True):
            for color, name in ((mine, "mine"), (theirs, "theirs")):
                if name + key in facts:
                    turned = Position(board.player, board.opponent, board.turn, board.size)
                    if turned.turn != color:
                        turned = Position(board.opponent, board.player, color, board.size)
                    assert facts[name + key] == len(turned.moves())
    elif reason.code.startswith("frontier"):
        assert [facts["discs"], facts["best"]] == [frontier(board, mine).bit_count() for board in boards]
    elif reason.code == "move_lost":
        again = Position(boards[0].opponent, boards[0].player, mine, position.size)
        assert not again.is_legal(better[0])
    elif reason.code == "answer_given":
        assert boards[0].is_legal(line[1])
        assert not boards[1].is_legal(line[1])
    elif reason.code in ("safe_moves", "own_safe_moves"):
        color, name = (theirs, "theirs") if reason.code == "safe_moves" else (mine, "mine")
        assert [facts[name], facts[f"{name}_best"]] == [safe_moves(board, color) for board in boards]
    elif reason.code == "parity":
        even, odd = (next(r for r in regions(position) if r >> moves[0] & 1).bit_count() for moves in (line, better))
        assert (even % 2, odd % 2, facts["size"]) == (0, 1, even)
    elif reason.code == "greedy":
        flips = [position.flips_mask(moves[0]).bit_count() for moves in (line, better)]
        assert [facts["flips"], facts["best"]] == flips
        assert flips[0] > flips[1]
        assert position.empties > 32, "later, discs are what counts"
    elif reason.code.startswith(("stable", "their_stable")):
        color = mine if reason.code.startswith("stable") else theirs
        discs, best = (stable(board, color).bit_count() for board in boards)
        assert (facts["discs"], facts["best"], best > discs) == (discs, best, color == mine)
    elif reason.code == "passed":
        assert (boards[0].must_pass(), boards[1].must_pass(), facts["color"]) == (False, True, theirs)
    elif reason.code == "edge":
        assert [weak(board, reason.region) for board in boards] == [True, False]
    elif reason.code in (*AROUND, "square_taken"):
        check_squares(reason.code, dict(reason.squares), position, line[0], better[0])


AROUND = (
    *("corner_given", "corner_missed", "corner_lost_access", "corner_threat_missed"),
    *("x_square", "c_square", "wedge_missed"),
)


def weak(board: Position, edge: tuple[int, ...]) -> bool:
    """Whether whoever has just moved holds five of an edge and nothing else is there, or leaves a hole to play into."""
    line = "".join(
        "x" if board.opponent >> square & 1 else "o" if board.player >> square & 1 else "." for square in edge
    )
    holes = [at for at in range(1, 7) if line[at - 1 : at + 2] == "x.x"]
    return line in (".xxxxx..", "..xxxxx.") or any(board.is_legal(edge[at]) for at in holes)


def check_squares(code: str, named: dict[str, int], position: Position, move: int, best: int) -> None:
    """What is said of squares is looked up again, square by square."""
    after, good = position.play(move), position.play(best)
    again, better = (Position(board.opponent, board.player, position.turn) for board in (after, good))
    corner = named.get("corner", -1)
    if "corner" in named:
        assert corner in CORNERS
        assert position.empty_mask >> corner & 1
    if code == "corner_given":
        assert (after.is_legal(corner), good.is_legal(corner)) == (True, False)
    elif code == "corner_missed":
        assert best == corner
        assert move not in CORNERS
    elif code in ("corner_lost_access", "corner_threat_missed"):
        assert (again.is_legal(corner), better.is_legal(corner)) == (False, True)
        assert position.is_legal(corner) == (code == "corner_lost_access")
    elif code in ("x_square", "c_square"):
        assert (named["square"], distance(move, corner)) == (move, 2 if code == "x_square" else 1)
        empty = [each for each in CORNERS if position.empty_mask >> each & 1]
        assert all(max(abs(best % 8 - each % 8), abs(best // 8 - each // 8)) != 1 for each in empty)
    elif code == "wedge_missed":
        assert (named["square"], between(position, best), between(position, move)) == (best, True, False)
    else:
        assert named["square"] == best


CORNERS = (0, 7, 56, 63)


def distance(one: int, other: int) -> int:
    """Rows and columns between two squares."""
    return abs(one % 8 - other % 8) + abs(one // 8 - other // 8)


def between(position: Position, square: int) -> bool:
    """Whether a square lies on an edge between two of the opponent's discs there."""
    row, column = divmod(square, 8)
    theirs = position.opponent
    along_row = row in (0, 7) and 0 < column < 7 and theirs >> square - 1 & 1 and theirs >> square + 1 & 1
    along_column = column in (0, 7) and 0 < row < 7 and theirs >> square - 8 & 1 and theirs >> square + 8 & 1
    return bool(along_row or along_column)


def test_what_became_of_the_game_comes_first_where_it_is_proven() -> None:
    start = native.start()
    f5, d3 = squares(start, "f5"), squares(start, "d3")
    for score, best, said in (
        (-2.0, 6.0, Reason("win_lost", numbers=(("best", 6), ("discs", 2)))),
        (0.0, 2.0, Reason("win_drawn", numbers=(("best", 2),))),
        (-4.0, 0.0, Reason("draw_lost", numbers=(("discs", 4),))),
    ):
        assert reasons(start, f5, d3, score, 9, best) == [said, Reason("search", numbers=(("plies", 9),))]
        assert said not in reasons(start, f5, d3, score, 9), "estimates prove nothing"
    for score, best in ((2.0, 6.0), (-6.0, -2.0)):
        assert [reason.code for reason in reasons(start, f5, d3, score, 9, best)] == ["search"]


def test_a_corner_closed_and_a_corner_not_threatened() -> None:
    closed = told("--------/XO------/--X-----/---O----/--------/--------/--------/-------- X", "c2", "e5")
    assert closed["corner_lost_access"].squares == (("corner", parse_square("a1")),)
    missed = told("--------/-O------/--O-----/--------/---O----/---XO---/--------/-------- X", "f6", "d4")
    assert missed["corner_threat_missed"].squares == (("corner", parse_square("a1")),)


def test_an_edge_of_five_is_weak_without_a_hole() -> None:
    """After b1 Black has five discs of the upper edge: side by side, or with a hole that White cannot play into."""
    rest = "-O------/-X------/--------/---OX---/---XO---/--------/-------- X"
    assert told(f"--XXXX--/{rest}", "b1", "c5")["edge"].data(Size.parse("8")) == {"edge": "top"}
    assert "edge" not in told(f"--X-XXX-/{rest}", "b1", "c5")


def test_parity_is_told_of_small_regions_only() -> None:
    """b1 lies in a region of two or of ten squares, h8 in one of its own."""
    small = "--OX--XX/" + "XXXXXXXX/" * 6 + "XXXXXXO- X"
    large = "--OX----/----XXXX/" + "XXXXXXXX/" * 5 + "XXXXXXO- X"
    assert "parity" in told(small, "b1", "h8")
    assert "parity" not in told(large, "b1", "h8")


def test_parity_is_not_told_where_the_line_shows_otherwise() -> None:
    """White plays a2 and, as Black has nothing but e8, b3 too: White moves last in the region after all."""
    board = "OOOOOOOO/-OOOOOOO/X-OOOOOO/XXXXXOOO/XXXXOOXO/XXXXXXXO/OOXXXOOO/XXXX-XXO O"
    assert "parity" in told(board, "a2", "e8")
    assert "parity" not in told(board, "a2e8b3", "e8")


def safe_moves(board: Position, color: Color) -> int:
    """A side's moves after which the other has no corner, were it to move."""
    if board.turn != color:
        board = Position(board.opponent, board.player, color, board.size)
    return sum(not {0, 7, 56, 63} & {*board.play(move).moves()} for move in board.moves())


def test_a_wipeout_comes_first() -> None:
    assert reasons(native.start(), [parse_square("f5")], [parse_square("d3")], -64.0, 9)[0].code == "wipeout"


@pytest.mark.parametrize("size", ["4", "6", "8", "4x6", "10"])
def test_reasons_are_found_on_every_board(size: str) -> None:
    position = native.start(Size.parse(size))
    for _ in range(20):
        moves = position.moves()
        if not moves:
            break
        for move in moves:
            assert reasons(position, [move], [moves[0]], 0.0, 1)
        position = position.play(moves[-1])
