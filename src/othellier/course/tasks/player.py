"""A player within a time limit."""

from __future__ import annotations

import random
from collections.abc import Callable
from numbers import Integral
from typing import Any

from othellier.base.system import Stopwatch
from othellier.course import Failed, Task, Told
from othellier.rules.board import Position
from othellier.rules.geometry import PASS, square_name

__all__ = ["TASK", "check"]

GAMES, SECONDS, WON = 6, 0.1, 5
SPARE, TRIES = 10, 3
"""How many times its time a move may take by the clock on the wall, and how often it is asked for before time that was
not spent on work counts: the machine may have other things to do."""


def check(choose: Callable[..., Any]) -> str:
    """Whole games against random moves: every move legal and in time, most games won."""
    won, slowest = 0, 0.0
    lost: tuple[Position, int] | None = None
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
        if score <= 0 and lost is None:
            lost = position, game + 1
    if won < WON:
        assert lost is not None
        raise Failed(TOO_FEW, lost[0], wanted=WON, games=GAMES, won=won, game=lost[1])
    return Told(ENOUGH, won=won, games=GAMES, seconds=f"{slowest:.3f}")


def _ask(choose: Callable[..., Any], position: Position) -> tuple[int, float]:
    for _ in range(TRIES):
        watch = Stopwatch()
        move = choose(position, SECONDS)
        slept, worked, passed = watch.slept(), watch.worked(), watch.passed()
        if worked > SECONDS or (slept + worked <= SECONDS and passed <= SPARE * SECONDS):
            break
    if slept > worked and slept + worked > SECONDS:
        raise Failed(ASLEEP, position, seconds=SECONDS, spent=f"{slept + worked:.2f}", slept=f"{slept:.2f}")
    if slept + worked > SECONDS or passed > SPARE * SECONDS:
        raise Failed(LATE, position, seconds=SECONDS, spent=f"{max(worked, passed):.2f}")
    whole = isinstance(move, Integral) and not isinstance(move, bool)
    if not whole or not position.is_legal(int(move)):
        name = square_name(int(move)) if whole and 0 <= move < 64 else repr(move)
        raise Failed(NO_MOVE, position, found=name)
    return int(move), worked


TOO_FEW = "{wanted} of {games} games against random moves are to be won, {won} were; game {game} ended so"
ENOUGH = "{won} of {games} games won, the slowest move {seconds} s"
LATE = "a move within {seconds} s expected, it took {spent} s"
ASLEEP = "a move within {seconds} s expected, it took {spent} s, {slept} s of them asleep or waiting"
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
        TOO_FEW: "{wanted} parties sur {games} sont à gagner contre des coups au hasard, {won} l'ont été ; "
        "la partie {game} a fini ainsi",
        ENOUGH: "{won} parties gagnées sur {games}, le coup le plus lent en {seconds} s",
        LATE: "un coup en {seconds} s au plus était attendu, il a pris {spent} s",
        ASLEEP: "un coup en {seconds} s au plus était attendu, il a pris {spent} s, dont {slept} s à dormir",
        NO_MOVE: "l'un des position.moves() était attendu, {found} est venu",
    },
)
