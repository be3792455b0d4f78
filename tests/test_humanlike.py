"""Opponents that play as people do: seeded, varied, not wiped out where it can be helped, a ladder."""

import random
from collections import Counter
from collections.abc import Sequence

import pytest

import othellier
from othellier.engine.engine import Engine
from othellier.engine.humanlike import humanlike_move
from othellier.engine.levels import LEVELS, PEOPLE, HumanStyle, Level
from othellier.rules import native
from othellier.rules.board import Position
from othellier.rules.geometry import PASS

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


# -- what makes a style


def turned(position: Position, move: int) -> int:
    return position.play(move).opponent.bit_count() - position.player.bit_count() - 1


def quiet_and_loud(empties: int) -> tuple[Position, int, int]:
    """A position with a move that turns one disc and one that turns six or more."""
    rng = random.Random(2)
    while True:
        position = native.random_position(rng, 8, empties)
        moves = sorted(position.moves(), key=lambda move: turned(position, move))
        if len(moves) > 3 and turned(position, moves[0]) == 1 and turned(position, moves[-1]) >= 6:
            return position, moves[0], moves[-1]


def chosen(position: Position, style: HumanStyle) -> Counter[int]:
    """How often each move is chosen in 500 draws."""
    rng = random.Random(4)
    return Counter(humanlike_move(position, style, rng, lambda *_: {}).move for _ in range(500))


def test_quiet_moves_are_overlooked() -> None:
    position, quiet, loud = quiet_and_loud(24)
    found = chosen(position, HumanStyle(1000.0, 0, blindness=1.0))
    assert found[loud] > 2 * found[quiet] > 0
    found = chosen(position, HumanStyle(1000.0, 0))
    assert found[loud] < 2 * found[quiet]


def test_greed_fades_towards_the_end() -> None:
    shares = []
    for empties in (40, 8):
        position, quiet, loud = quiet_and_loud(empties)
        found = chosen(position, HumanStyle(2.0, 0, greed=1.0))
        shares.append(found[loud] / (found[loud] + found[quiet]))
    assert shares[0] > 0.85
    assert 0.5 < shares[1] < 0.75


def test_who_looks_two_plies_ahead_expects_the_best_reply(monkeypatch: pytest.MonkeyPatch) -> None:
    def discs(positions: Sequence[Position]) -> list[float]:
        return [float(each.player.bit_count() - each.opponent.bit_count()) for each in positions]

    def worth(position: Position, move: int) -> float:
        after = position.play(move)
        ends = [after.play(reply) for reply in after.moves()] or [after.play(PASS)]
        return min(end.discs(position.turn) - end.discs(after.turn) for end in ends)

    monkeypatch.setattr("othellier.evaluation.network.values", discs)
    rng = random.Random(6)
    for _ in range(10):
        position = native.random_position(rng, 8, 30)
        values = {move: worth(position, move) for move in position.moves()}
        move = humanlike_move(position, HumanStyle(1e-6, 2), rng, lambda *_: {}).move
        assert values[move] == max(values.values())


@pytest.mark.parametrize("depth", [1, 2])
def test_a_move_that_leaves_the_other_side_no_reply_is_liked(depth: int) -> None:
    """Of all moves it is the best by the value network, and a player who looks ahead plays it."""
    position, move = _silencing()
    value = {each: -othellier.evaluation.network.value(position.play(each)) for each in position.moves()}
    assert value[move] == max(value.values())
    played = humanlike_move(position, HumanStyle(1e-6, depth), random.Random(1), lambda *_: {}).move
    assert played == move


def _silencing() -> tuple[Position, int]:
    """A position in which the move that the value network likes best makes the other side pass."""
    rng = random.Random(11)
    while True:
        position = native.random_position(rng, 8, 20)
        moves = position.moves()
        if len(moves) > 4:
            values = {move: -othellier.evaluation.network.value(position.play(move)) for move in moves}
            best = max(values, key=values.__getitem__)
            child = position.play(best)
            if child.must_pass() and not child.play(PASS).is_over() and values[best] > 0:
                return position, best


def test_ratings_rise_with_the_levels() -> None:
    rated = [level.rating for level in LEVELS.values() if level.rating is not None]
    assert rated == sorted(rated)
    assert len(rated) > len(PEOPLE)
