"""Judging moves: chances, labels, accuracy, and reasons that are there on the board."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from othellier import native
from othellier.analysis import label_for
from othellier.board import Position, after, other
from othellier.coach.analysis import Judgement, accuracy, judge, phase_of, summarise
from othellier.coach.reasons import Reason, frontier, reasons, regions, stable
from othellier.engine import Engine
from othellier.geometry import Size, parse_square
from othellier.results import Limit, Result


class Fixed:
    """An analyst with a ready answer."""

    def __init__(self, scores: dict[str, float], exact: bool = False) -> None:
        self.scores, self.exact = scores, exact

    def analyze(self, position: Position, limit: Limit) -> list[Result]:
        source = "exact" if self.exact else "search"
        found = [
            Result(parse_square(name, position.size), position.turn, score, depth=10, source=source)  # type: ignore[arg-type]
            for name, score in self.scores.items()
        ]
        return sorted(found, key=lambda result: -(result.score or 0))


def judged(move: str, scores: dict[str, float], exact: bool = False) -> Judgement:
    return judge(Fixed(scores, exact), native.start(), parse_square(move), 0, "normal")


def test_the_same_discs_weigh_more_in_a_close_game() -> None:
    close = judged("d3", {"f5": 4, "d3": -4, "c4": 0, "e6": 0})
    lost = judged("d3", {"f5": -40, "d3": -48, "c4": -50, "e6": -50})
    assert close.loss == lost.loss == 8
    assert close.lost_chance > 10 * lost.lost_chance
    assert (close.label, lost.label) == ("blunder", "good")


def test_exact_scores_are_judged_by_who_wins() -> None:
    assert judged("d3", {"f5": 10, "d3": 2, "c4": -2, "e6": 0}, exact=True).label == "good"
    assert judged("d3", {"f5": 30, "d3": 2, "c4": -2, "e6": 0}, exact=True).label == "inaccuracy"  # a waste of discs
    assert judged("e6", {"f5": 2, "d3": 2, "c4": -2, "e6": 0}, exact=True).label == "blunder"
    assert judged("d3", {"f5": 2, "d3": 2, "c4": -2, "e6": 0}, exact=True).label == "best"


def test_a_move_without_a_choice_is_no_merit() -> None:
    forced = judge(Fixed({"f5": -50}), native.start(), parse_square("f5"), 0, "quick")
    assert forced.label == "forced"
    assert summarise([forced]).accuracy is None


@pytest.mark.parametrize(
    ("loss", "lost", "label"),
    [(0.4, 0.5, "best"), (1, 0.01, "good"), (4, 0.07, "inaccuracy"), (6, 0.15, "mistake"), (9, 0.4, "blunder")],
)
def test_labels(loss: float, lost: float, label: str) -> None:
    assert label_for(loss, lost) == label


@pytest.mark.parametrize(
    ("below", "at", "bound"),
    [("good", "inaccuracy", 0.05), ("inaccuracy", "mistake", 0.10), ("mistake", "blunder", 0.20)],
)
def test_labels_change_exactly_at_their_bounds(below: str, at: str, bound: float) -> None:
    assert label_for(2.0, bound - 1e-9) == below
    assert label_for(2.0, bound) == at


def test_what_is_the_same_and_what_is_wasteful_is_told_by_discs() -> None:
    assert [label_for(loss, 0.0) for loss in (0.0, 0.499, 0.5, 11.99, 12.0)] == [
        "best",
        "best",
        "good",
        "good",
        "inaccuracy",
    ]
    assert label_for(0.499, 0.9) == "best"
    assert label_for(12.0, 0.2) == "blunder"


def test_accuracy_falls_with_what_is_given_away() -> None:
    assert accuracy(0) == 100
    assert accuracy(0.15) == pytest.approx(50)
    assert accuracy(1) < 2


def test_summaries_add_up() -> None:
    best = judged("f5", {"f5": 2, "d3": 0})
    bad = judged("d3", {"f5": 2, "d3": -10})
    summary = summarise([best, bad])
    assert (summary.moves, summary.loss, summary.labels) == (2, 12, {"best": 1, "blunder": 1})
    assert summary.accuracy == pytest.approx((100 + accuracy(bad.lost_chance)) / 2)


def test_phases_are_thirds() -> None:
    boards = [native.parse("X" * (64 - empties) + "-" * empties + " O") for empties in (41, 40, 21, 20)]
    assert [phase_of(board) for board in boards] == ["opening", "middle", "middle", "end"]


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


def test_the_engines_analysis_is_judged() -> None:
    with Engine(hash_mb=1) as engine:
        options = engine.analyze(native.start(4), Limit(depth=16))
        judgement = judge(engine, native.start(4), options[0].move, 0, "quick")
    assert (judgement.score, judgement.exact, judgement.label, judgement.win) == (-10.0, True, "best", 0.0)


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
    elif reason.code in ("corner_given", "corner_missed", "square_taken"):
        assert 0 <= dict(reason.squares).popitem()[1] < 64


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
