"""The graded puzzles: those shipped are right and enough, making them is repeatable, playing one keeps to the proof."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from othellier.cli import main
from othellier.coach.puzzle_making import _grade, _is_swindle, make_puzzles
from othellier.coach.puzzle_play import best_replies, play_turn, right_moves, solved, wrong_answers
from othellier.coach.puzzle_set import GRADES, THEMES, GradedPuzzle, PuzzleSet, shipped_puzzles
from othellier.engine.engine import Analysis, Engine, network_move
from othellier.errors import IllegalMove, RecordError
from othellier.games.results import Limit
from othellier.rules import native
from othellier.rules.board import Position
from othellier.rules.geometry import PASS, parse_square


def test_every_shipped_answer_is_proven() -> None:
    puzzles = shipped_puzzles()
    assert len(puzzles) >= 120
    assert len({puzzle.name for puzzle in puzzles}) == len(puzzles)
    for theme in THEMES:
        grades = [puzzle.grade for puzzle in puzzles if puzzle.theme == theme]
        assert len(grades) >= 20
        assert grades == sorted(grades)
        assert {grades.count(grade) for grade in GRADES} == {len(grades) // len(GRADES)}
    with Engine(threads=1, hash_mb=4) as engine:
        assert [wrong_answers(engine, puzzle) for puzzle in puzzles if wrong_answers(engine, puzzle)] == []


def test_a_grade_counts_the_glances_that_go_wrong() -> None:
    """The move that looks natural and the one after which the board looks best: neither is right in a hard puzzle."""
    for puzzle in shipped_puzzles():
        policy, value = network_move(puzzle.position, "policy"), network_move(puzzle.position, "value")
        wrong = [glance for glance in (policy, value) if glance.move not in puzzle.answers]
        assert _grade(puzzle.position, puzzle.answers) == puzzle.grade == 1 + len(wrong)


@pytest.mark.parametrize(
    ("board", "swindle"),
    [
        ("---XX-OXOOOOOOOXOXOOOXOOOXOOXXOXOXXOXXOXOXOXXXOXOOOXXXX-O-X--XO- O", True),
        ("--XXX-X--XXX-XX-XXXOXXXXOOOOXXOXOOXXXOXXOOOOXXXXOOOOXXOOOOOOX-X- O", True),
        ("--OOOOOO-OXXXXXX-XXXOOXXXXXOXXX-XOXXOXX-OOXXXOXOXXXOOOOOXXXXXXX- O", False),
        ("-X-OOX--OXOOOX-XOOXOOOX-OXXXOOXXOOXXXXXXOOXXOOXXOOXOOOXXOOOOOOOX X", False),
    ],
)
def test_a_swindle_is_a_region_that_the_other_side_cannot_play_into(board: str, swindle: bool) -> None:
    """In the last two positions the other side plays into the region first, or in between."""
    position = Position.parse(board)
    with Engine(threads=1, hash_mb=4) as engine:
        assert _is_swindle(position, solved(engine, position)) is swindle


def test_the_same_seed_makes_the_same_puzzles(tmp_path: Path) -> None:
    made = make_puzzles(1, 1, {})
    assert [puzzle.theme for puzzle in made] == list(THEMES)
    assert make_puzzles(1, 1, {}) == made
    made.write(tmp_path / "puzzles.json")
    assert PuzzleSet.read(tmp_path / "puzzles.json") == made


def _puzzle(theme: str, turns: int) -> GradedPuzzle:
    return next(puzzle for puzzle in shipped_puzzles() if puzzle.theme == theme and puzzle.turns == turns)


def test_a_win_is_brought_home_and_a_mistake_is_refused() -> None:
    puzzle = _puzzle("win8", 8)
    with Engine(threads=1, hash_mb=4) as engine:
        moves: list[int] = []
        position = puzzle.position
        while True:
            moves.append(right_moves(solved(engine, position), True)[-1])  # any winning move will do
            turn = play_turn(engine, puzzle, moves)
            assert turn.right
            position = turn.position
            if turn.done:
                break
            assert position.turn == puzzle.position.turn
        assert position.is_over()
        assert position.discs(puzzle.position.turn) > 32
        with pytest.raises(IllegalMove, match="ended before"):
            play_turn(engine, puzzle, [*moves, 0])
        wrong = next(move for move in puzzle.position.moves() if move not in puzzle.answers)
        turn = play_turn(engine, puzzle, [wrong])
        assert (turn.right, turn.done, turn.position) == (False, False, puzzle.position)
        assert turn.judged.score <= 0 < turn.judged.best_score
        assert turn.judged.reasons


def test_a_task_of_three_moves_ends_with_the_third() -> None:
    puzzle = _puzzle("corners", 3)
    with Engine(threads=1, hash_mb=4) as engine:
        moves: list[int] = []
        position = puzzle.position
        for number in (1, 2, 3):
            moves.append(solved(engine, position)[0].move)
            turn = play_turn(engine, puzzle, moves)
            assert turn.done == (number == 3)
            position = turn.position


def test_the_other_side_answers_with_its_best_move() -> None:
    choices = 0
    with Engine(threads=1, hash_mb=4) as engine:
        for puzzle in [puzzle for puzzle in shipped_puzzles() if puzzle.turns > 1][::6]:
            after = puzzle.position.play(puzzle.answers[0])
            if after.is_over() or after.must_pass():
                continue
            options = solved(engine, after)
            turn = play_turn(engine, puzzle, puzzle.answers[:1])
            assert next(option.score for option in options if option.move == turn.replies[0]) == options[0].score
            choices += options[-1].score != options[0].score
    assert choices >= 3


def test_whoever_solves_is_asked_again_only_with_a_move_to_make() -> None:
    """Black plays b2, White takes h8, and then Black has none: White is asked again."""
    position = native.parse("--XXXX-XX-OOX-XXXOOOXXXXXOXXOXOXXOOOXOOXXOXOOOOOXOOOOOOOXOOXXXX- X")
    with Engine(threads=1, hash_mb=4) as engine:
        replies, reached = best_replies(engine, position, parse_square("b2"))
    assert replies[:2] == (parse_square("h8"), PASS)
    assert reached.is_over() or (reached.turn == "black" and reached.moves())


def test_a_puzzle_is_proven_where_every_move_is() -> None:
    puzzle = _puzzle("corners", 1)

    class Unsure:
        """Sure of the best move alone."""

        def analyze(self, position: Position, limit: Limit) -> Analysis:
            best, *others = engine.analyze(position, limit)
            return [best, *(replace(other, source="search") for other in others)]

    with Engine(threads=1, hash_mb=4) as engine:
        assert len(engine.analyze(puzzle.position)) > 1
        assert wrong_answers(engine, puzzle) == ""
        assert wrong_answers(Unsure(), puzzle) == "it could not be solved"


GOOD = {
    "theme": "corners",
    "grade": 1,
    "turns": 1,
    "board": "-" * 27 + "OX------XO" + "-" * 27 + " X",
    "answers": ["f5"],
}


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("", "no file of puzzles"),
        ("[]", "no file of puzzles"),
        ('{"version": 1, "recipe": {}}', "no file of puzzles"),
        ('{"version": 2, "recipe": {}, "puzzles": []}', "please update"),
        (json.dumps({"version": 1, "recipe": {}, "puzzles": [GOOD]}), "puzzle 1"),  # too many empty squares
        (json.dumps({"version": 1, "recipe": {}, "puzzles": [{**GOOD, "answers": ["a1"]}]}), "puzzle 1"),
        (json.dumps({"version": 1, "recipe": {}, "puzzles": [{**GOOD, "board": "XO"}]}), "puzzle 1"),
        (json.dumps({"version": 1, "recipe": {}, "puzzles": [3]}), "puzzle 1"),
    ],
)
def test_a_damaged_file_is_refused_in_one_line(text: str, where: str, tmp_path: Path) -> None:
    path = tmp_path / "puzzles.json"
    path.write_text(text)
    with pytest.raises(RecordError, match=where) as caught:
        PuzzleSet.read(path)
    assert "\n" not in str(caught.value)


def test_the_command_line_lists_and_checks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], complaint: Callable[..., str]
) -> None:
    path = tmp_path / "puzzles.json"
    puzzle = _puzzle("win8", 8)
    PuzzleSet({}, (puzzle,)).write(path)
    assert main(["puzzles", "list", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == puzzle.as_dict()
    assert main(["puzzles", "check", str(path)]) == 0
    wrong = next(move for move in puzzle.position.moves() if move not in puzzle.answers)
    PuzzleSet({}, (GradedPuzzle("win8", 1, puzzle.position, (wrong,), 8),)).write(path)
    assert "puzzle 1: the right answers are" in complaint("puzzles", "check", path)
    assert "is there already" in complaint("puzzles", "build", path)
