"""A player within a time limit."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

from othellier.board import Position
from othellier.course import Failed, Task, Told
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
        raise Failed(TOO_FEW, wanted=WON, games=GAMES, won=won)
    return Told(ENOUGH, won=won, games=GAMES, seconds=f"{slowest:.3f}")


def _ask(choose: Callable[..., Any], position: Position) -> tuple[int, float]:
    begin, worked = time.perf_counter(), time.process_time()
    move = choose(position, SECONDS)
    spent = time.perf_counter() - begin
    worked = time.process_time() - worked
    if worked > SECONDS or spent > max(1.0, SPARE * SECONDS):
        raise Failed(LATE, position, seconds=SECONDS, spent=f"{max(worked, spent):.2f}")
    if isinstance(move, bool) or not isinstance(move, int) or not position.is_legal(move):
        name = square_name(move) if isinstance(move, int) and 0 <= move < 64 else repr(move)
        raise Failed(NO_MOVE, position, found=name)
    return move, worked


TOO_FEW = "{wanted} of {games} games against random moves are to be won, {won} were"
ENOUGH = "{won} of {games} games won, the slowest move {seconds} s"
LATE = "a move within {seconds} s expected, it took {spent} s"
NO_MOVE = "one of position.moves() expected, {found} came"
TEXT = f"""Return one of `position.moves()` within {SECONDS:g} seconds, in every position of {GAMES} games
against random moves, and win at least {WON} of them. `seconds` is the time for the move."""

TASK = Task(
    "player",
    "A player within a time limit",
    "choose(position, seconds)",
    TEXT,
    check,
    seconds=120,
    order=6,
    french={
        "A player within a time limit": "Un joueur en temps limité",
        TEXT: f"""Rendez l'un des `position.moves()` en {SECONDS:g} seconde au plus, dans chaque position de
{GAMES} parties contre des coups au hasard, et gagnez-en au moins {WON}. `seconds` est le temps pour le
coup.""",
        TOO_FEW: "{wanted} parties sur {games} sont à gagner contre des coups au hasard, {won} l'ont été",
        ENOUGH: "{won} parties gagnées sur {games}, le coup le plus lent en {seconds} s",
        LATE: "un coup en {seconds} s au plus était attendu, il a pris {spent} s",
        NO_MOVE: "l'un des position.moves() était attendu, {found} est venu",
    },
)
