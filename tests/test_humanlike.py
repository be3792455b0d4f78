"""Opponents that play as people do: seeded, varied, not wiped out where it can be helped, a ladder."""

from __future__ import annotations

import random

import pytest

import othellier
from othellier.board import Position
from othellier.engine import Engine
from othellier.geometry import PASS
from othellier.levels import LEVELS, PEOPLE, Level

NAMES = [level.name for level in PEOPLE]


def moves_of(level: Level, seed: int, plies: int = 12) -> list[int]:
    """How a level plays both sides of a game's beginning."""
    rng, position, played = random.Random(seed), othellier.start(), []
    with Engine(hash_mb=1) as engine:
        for _ in range(plies):
            move = engine.play(position, level, rng=rng).move
            assert move is not None
            assert position.is_legal(move)
            played.append(move)
            position = position.play(move)
    return played


@pytest.mark.parametrize("level", PEOPLE, ids=NAMES)
def test_a_seed_gives_the_same_game_again_and_others_other_games(level: Level) -> None:
    assert moves_of(level, 1) == moves_of(level, 1)
    assert len({tuple(moves_of(level, seed)) for seed in range(6)}) > 1


def test_nobody_lets_himself_be_wiped_out_where_another_move_is_there() -> None:
    """On boards with few discs, some moves allow a reply that takes every one."""
    rng, met = random.Random(7), 0
    with Engine(hash_mb=1) as engine:
        for _ in range(3000):
            squares = rng.sample(range(64), 7)
            player, opponent = (sum(1 << square for square in part) for part in (squares[:2], squares[2:]))
            position = othellier.Position(player, opponent)
            fatal = {move for move in position.moves() if _can_be_wiped_out(position.play(move))}
            if fatal and fatal != set(position.moves()):
                met += 1
                assert engine.play(position, PEOPLE[0], rng=rng).move not in fatal
    assert met >= 3


def _can_be_wiped_out(child: Position) -> bool:
    return any(not child.play(reply).player for reply in child.moves())


def test_a_player_without_a_move_passes() -> None:
    with Engine(hash_mb=1) as engine:
        assert engine.play(_forced_pass(), "oscar").move == PASS


def _forced_pass() -> Position:
    rng = random.Random(3)
    while True:
        position = othellier.start()
        while not position.is_over():
            if position.must_pass():
                return position
            position = position.play(rng.choice(position.moves()))


def test_the_ladder_rises() -> None:
    """Each wins most games against the one four steps below: seeded, so always the same games."""
    for below, above in zip(NAMES, NAMES[4:], strict=False):
        tally = othellier.match(
            f"engine:level={above},seed=1,book=no", f"engine:level={below},seed=2,book=no", games=8
        ).tally
        assert tally.wins > tally.losses, f"{above} against {below}: {tally}"


def test_ratings_rise_with_the_levels() -> None:
    rated = [level.rating for level in LEVELS.values() if level.rating is not None]
    assert rated == sorted(rated)
    assert len(rated) > len(PEOPLE)
