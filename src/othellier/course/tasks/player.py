"""A player within a time limit."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

from othellier.board import Position
from othellier.course import Failed, Task
from othellier.geometry import PASS, square_name

__all__ = ["TASK", "check"]

GAMES, SECONDS, WON = 6, 0.1, 5
SPARE = 2.0
"""How many times its time a move may take by the clock on the wall: the machine may have other things to do."""


def check(choose: Callable[..., Any]) -> str:
    """Whole games against random moves: every move legal and in time, most games won."""
    won, slowest = 0, 0.0
    for game in range(GAMES):
        rng = random.Random(game)
        position = Position.start()
        while not position.is_over():
            move = PASS
            if position.moves() and (position.turn == "black") == (game % 2 == 0):
                move, spent = _ask(choose, position)
                slowest = max(slowest, spent)
            elif position.moves():
                move = rng.choice(position.moves())
            position = position.play(move)
        score = position.score() if (position.turn == "black") == (game % 2 == 0) else -position.score()
        won += score > 0
    if won < WON:
        raise Failed(f"{WON} of {GAMES} games against random moves are to be won, {won} were")
    return f"{won} of {GAMES} games won, the slowest move {slowest:.3f} s"


def _ask(choose: Callable[..., Any], position: Position) -> tuple[int, float]:
    begin, worked = time.perf_counter(), time.process_time()
    move = choose(position, SECONDS)
    spent = time.perf_counter() - begin
    worked = time.process_time() - worked
    if worked > SECONDS or spent > max(1.0, SPARE * SECONDS):
        raise Failed(f"a move within {SECONDS:g} s expected, it took {max(worked, spent):.2f} s", position)
    if isinstance(move, bool) or not isinstance(move, int) or not position.is_legal(move):
        name = square_name(move) if isinstance(move, int) and 0 <= move < 64 else repr(move)
        raise Failed(f"one of position.moves() expected, {name} came", position)
    return move, worked


TASK = Task(
    "player",
    "A player within a time limit",
    "choose(position, seconds)",
    f"""Return one of `position.moves()` within {SECONDS:g} seconds, in every position of {GAMES} games
against random moves, and win at least {WON} of them. `seconds` is the time for the move.""",
    check,
    seconds=120,
    order=6,
)
