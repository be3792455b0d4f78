"""A player that owns its tree: what it explored is kept, what it finds does not depend on that."""

import random

import pytest

from othellier.errors import ConfigError
from othellier.games.results import Limit
from othellier.lab.knowledge import KINDS, MONTE_CARLO, Turns, measure_turns
from othellier.players import KnowledgePlayer, create_player
from othellier.rules.board import Position
from othellier.rules.geometry import PASS
from othellier.search import Options, search


@pytest.mark.parametrize("size", [4, 6, 8, "4x6"])
def test_it_finds_what_alpha_beta_finds(size: int | str) -> None:
    rng = random.Random(f"{size}")
    for _ in range(6):
        position = Position.random(rng, size)
        if not position.moves():
            continue
        for depth in (1, 2, 3):
            player = KnowledgePlayer(depth=depth)
            result = player.choose(position, Limit())
            expected = search(position, Options("minimax", depth=depth))
            assert result.moves[0].value == expected.value
            assert (result.move, result.moves[0].bound) == (result.moves[0].move, "exact")
            assert {one.move for one in result.moves} == set(position.moves())
            assert result.score == expected.score
            assert result.pv[0] == result.move


def play(player: KnowledgePlayer, seed: int) -> tuple[list[int], list[int]]:
    """Its moves against random ones, and what it inherited at each turn."""
    rng = random.Random(seed)
    position = Position.start(6)
    player.new_game(position)
    moves, inherited = [], []
    while not position.is_over():
        move = PASS
        if position.moves() and position.turn == "black":
            move = player.choose(position, Limit()).move
            moves.append(move)
            inherited.append(player.thinking.inherited)
        elif position.moves():
            move = rng.choice(position.moves())
        position = position.play(move)
        player.observe(move)
        if player.tree.root is not None:
            assert player.tree.root.position == position
    return moves, inherited


def test_the_explored_subtree_is_kept_and_told_of_every_move() -> None:
    keeping, forgetting = KnowledgePlayer(depth=3), KnowledgePlayer(depth=3, keep=False)
    _, inherited = play(keeping, 1)
    _, nothing = play(forgetting, 1)
    assert inherited[0] == 0
    assert sum(count > 0 for count in inherited) > len(inherited) // 2
    assert not any(nothing)


def test_what_is_inherited_saves_nodes() -> None:
    position = Position.start()
    keeping, forgetting = KnowledgePlayer(depth=5), KnowledgePlayer(depth=5)
    result = keeping.choose(position, Limit())
    for move in result.pv[:2]:  # the line it expects
        position = position.play(move)
        keeping.observe(move)
    one, two = keeping.choose(position, Limit()), forgetting.choose(position, Limit())
    assert one.moves[0].value == two.moves[0].value
    assert keeping.thinking.inherited > 0
    assert keeping.thinking.made < forgetting.thinking.made
    assert keeping.thinking.visited < forgetting.thinking.visited


def test_limits_are_kept() -> None:
    player = create_player("knowledge")
    result = player.choose(Position.start(), Limit(nodes=500))
    assert result.depth >= 1
    assert result.nodes <= 500 + 64
    assert player.choose(Position.start(), Limit(depth=2)).depth == 2
    assert player.choose(Position.start(), Limit(time=0)).move in Position.start().moves()
    with pytest.raises(ConfigError, match="depth=0"):
        create_player("knowledge:depth=0")


@pytest.mark.parametrize("kind", KINDS)
def test_turns_are_measured(kind: str) -> None:
    effort = 30 if kind == MONTE_CARLO else 4
    result = measure_turns(Turns(kind, effort, 1))
    total = {key: sum(phase[key] for phase in result["phases"]) for key in result["phases"][0]}
    assert total["turns"] == result["turns"] > 10
    assert total["inherited"] > 0
    if kind != MONTE_CARLO:
        assert result["values"] == result["turns"]  # what was kept changes the work, not the value
        assert total["nodes"] < total["plain"]
