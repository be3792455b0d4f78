"""A puzzle played: whether a move is right, what the other side answers, and when the task is done.

Everything is counted to the end of the game by an engine, so no answer is a matter of opinion.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from othellier.coach.judging import Analyst, JudgedMove, judged
from othellier.coach.puzzle_set import GradedPuzzle
from othellier.coach.scale import SAME
from othellier.engine.engine import Analysis
from othellier.errors import IllegalMove
from othellier.games.results import Limit
from othellier.rules.board import Position
from othellier.rules.geometry import PASS, square_name

__all__ = ["Turn", "best_replies", "play_turn", "right_moves", "solved", "wrong_answers"]


@dataclass(frozen=True, slots=True)
class Turn:
    """What became of one move of whoever solves the puzzle."""

    right: bool
    done: bool
    """Whether the task is solved with it."""
    before: Position
    """The position it was asked in."""
    judged: JudgedMove
    replies: tuple[int, ...]
    """What the other side then plays, passes included, until whoever solves is to move again."""
    position: Position
    """Where it goes on: where the move was wrong, as before."""
    answers: tuple[int, ...]
    """The moves that were right."""


def solved(analyst: Analyst, position: Position) -> Analysis:
    """Every legal move with its exact value, best first."""
    return analyst.analyze(position, Limit(depth=position.size.squares))


def right_moves(options: Analysis, wants_win: bool) -> tuple[int, ...]:
    """The moves that are right: the best ones, or all that win."""
    top = options[0].score or 0.0
    return tuple(
        option.move
        for option in options
        if top - (option.score or 0.0) < SAME or (wants_win and (option.score or 0.0) > 0)
    )


def play_turn(analyst: Analyst, puzzle: GradedPuzzle, moves: Sequence[int]) -> Turn:
    """The last of some moves of whoever solves a puzzle; those before it must have been right.

    The other side always answers with its best move, so the same moves always lead to the same position.
    """
    position, turn = puzzle.position, None
    for number, move in enumerate(moves, 1):
        if turn is not None and (turn.done or not turn.right):
            raise IllegalMove(square_name(move, position.size), "", "the task has ended before")
        turn = _turn(analyst, puzzle, position, move, number)
        position = turn.position
    if turn is None:
        raise IllegalMove("", "", "no move was given")
    return turn


def _turn(analyst: Analyst, puzzle: GradedPuzzle, position: Position, move: int, number: int) -> Turn:
    if move == PASS or not position.is_legal(move):
        raise IllegalMove(square_name(move, position.size), position.board_string())
    options = solved(analyst, position)
    answers = right_moves(options, puzzle.wants_win)
    verdict = judged(position, options, move, number - 1)
    if move not in answers:
        return Turn(False, False, position, verdict, (), position, answers)
    replies, reached = best_replies(analyst, position, move)
    done = number >= puzzle.turns or reached.is_over()
    return Turn(True, done, position, verdict, replies, reached, answers)


def best_replies(analyst: Analyst, position: Position, move: int) -> tuple[tuple[int, ...], Position]:
    """What follows a move, passes included, until whoever made it has a move again, and the position then."""
    mine, replies = position.turn, []
    position = position.play(move)
    while not position.is_over() and (position.turn != mine or position.must_pass()):
        replies.append(PASS if position.must_pass() else solved(analyst, position)[0].move)
        position = position.play(replies[-1])
    return tuple(replies), position


def wrong_answers(analyst: Analyst, puzzle: GradedPuzzle) -> str:
    """What is wrong with the answers of a puzzle, in words; nothing if they are those of a proof."""
    options = solved(analyst, puzzle.position)
    if not all(option.is_move_exact for option in options):
        return "it could not be solved"
    right = right_moves(options, puzzle.wants_win)
    if {*right} != {*puzzle.answers}:
        names = ", ".join(square_name(move, puzzle.position.size) for move in right)
        return f"the right answers are {names}"
    return ""
