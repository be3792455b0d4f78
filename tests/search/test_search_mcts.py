"""Monte-Carlo tree search: what it finds, what its tree looks like, what merging and keeping do."""

import random
from collections import Counter
from typing import get_args

import pytest

from othellier.rules.board import Position
from othellier.rules.geometry import PASS, Size, geometry, parse_square
from othellier.search import MctsOptions, MonteCarlo, Options, search
from othellier.search.mcts import Mcts, MctsNode
from othellier.search.rng import Rng
from othellier.search.rollouts import Rollout, play_out


def nodes_of(root: MctsNode) -> list[MctsNode]:
    """Every node as often as a path leads to it."""
    found = [root]
    for node in found:
        found.extend(node.children)
    return found


def grown(position: Position, iterations: int, options: MctsOptions) -> Mcts:
    tree = Mcts(position.size, options)
    tree.search(position.player, position.opponent, iterations=iterations, time=None, stop=None)
    return tree


def test_random_numbers_are_splitmix64() -> None:
    # The first outputs of the published generator from seed 0.
    rng = Rng(0)
    assert [rng.next() for _ in range(3)] == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]
    counts = Counter(rng.below(5) for _ in range(5000))
    assert set(counts) == set(range(5))
    assert min(counts.values()) > 900
    items = list(range(10))
    rng.shuffle(items)
    assert sorted(items) == list(range(10)) != items


@pytest.mark.parametrize("rollout", get_args(Rollout))
def test_finds_the_only_win(rollout: Rollout) -> None:
    """Endgames with one winning move among several."""
    rng = random.Random(2)
    tried = 0
    while tried < 5:
        position = Position.random(rng, 6, 6)
        values = {}
        for move in position.moves():
            after = position.play(move)
            values[move] = after.score() if after.is_over() else search(after, Options("pvs", 6)).score or 0
        wins = [move for move, value in values.items() if value < 0]
        if len(wins) != 1 or len(values) < 3:
            continue
        tried += 1
        options = MctsOptions(4000, rollout=rollout)
        assert MonteCarlo(position.size, options).search(position).move == wins[0]


def test_the_tree_counts_what_it_played() -> None:
    start = Position.start(6)
    tree = grown(start, 300, MctsOptions())
    root = tree.root
    assert root is not None
    assert tree.counters.rollouts + tree.counters.leaves == 300
    assert root.visits == 300
    nodes = nodes_of(root)
    assert len(nodes) == tree.size == tree.counters.nodes
    for node in nodes:
        assert 0 <= node.wins <= 2 * node.visits
        if node is not root:  # a node's first visit is the one that made it
            assert node.visits == 1 + sum(child.visits for child in node.children) or node.over
    # What one side wins the other loses.
    assert sum(child.wins for child in root.children) == 2 * root.visits - root.wins


def test_a_larger_c_explores_more() -> None:
    def share(c: float) -> float:
        tree = grown(Position.random(random.Random(1), 8, 30), 400, MctsOptions(c=c))
        assert tree.root is not None
        return max(child.visits for child in tree.root.children) / tree.root.visits

    assert share(0.1) > share(1.5) > share(100)


def test_merging_makes_states_unique() -> None:
    start = Position.start(4)
    plain = grown(start, 1500, MctsOptions()).root
    merged = grown(start, 1500, MctsOptions(table=True))
    turned = grown(start, 1500, MctsOptions(symmetry=True))
    assert plain is not None
    assert merged.root is not None
    assert turned.root is not None

    def states(root: MctsNode) -> list[tuple[int, int]]:
        return [(node.player, node.opponent) for node in {id(node): node for node in nodes_of(root)}.values()]

    assert len(set(states(plain))) < len(states(plain))
    assert len(set(states(merged.root))) == len(states(merged.root)) == merged.size
    assert merged.counters.table_hits > 0
    boards = {
        min((p.player, p.opponent) for p in Position(*state, size=Size(4, 4)).symmetries())
        for state in states(turned.root)
    }
    assert len(boards) == len(states(turned.root)) == turned.size
    # All first moves are one.
    assert len(turned.root.children) == 1
    assert len(merged.root.children) == 4


@pytest.mark.parametrize("options", [MctsOptions(), MctsOptions(table=True), MctsOptions(symmetry=True)])
def test_the_tree_is_kept(options: MctsOptions) -> None:
    position = Position.start(6)
    tree = grown(position, 400, options)
    before = tree.root
    assert before is not None
    child = max(before.children, key=lambda node: node.visits)
    grandchild = max(child.children, key=lambda node: node.visits)
    visits = grandchild.visits
    tree.search(grandchild.player, grandchild.opponent, iterations=1, time=None, stop=None)
    assert tree.root is grandchild
    assert grandchild.visits == visits + 1 > 2
    assert tree.size == len({id(node) for node in nodes_of(grandchild)})
    assert tree.known is None or len(tree.known) == tree.size
    # Somewhere else altogether, nothing is of use.
    tree.search(position.player, position.opponent, iterations=1, time=None, stop=None)
    assert tree.root is not None
    assert tree.root.visits == 1


def test_a_full_tree_grows_no_more() -> None:
    tree = grown(Position.start(), 200, MctsOptions(max_nodes=50))
    assert tree.size == 50
    assert tree.root is not None
    assert tree.root.visits == 200


def test_rollouts_end_and_follow_their_policy() -> None:
    board = geometry(Size(4, 4))
    values = (10, -2, -2, 10, -2, -2, -2, -2, -2, -2, -2, -2, 10, -2, -2, 10)
    start = Position.start(4)
    for rollout in get_args(Rollout):
        points = Counter(
            play_out(start.player, start.opponent, True, board, rollout, values, Rng(seed)) for seed in range(300)
        )
        assert set(points) == {0, 1, 2}

    def won(rollout: Rollout, hostile: bool) -> int:
        return sum(
            play_out(start.player, start.opponent, hostile, board, rollout, values, Rng(seed)) for seed in range(400)
        )

    # The side called hostile does better than at random.
    assert won("greedy", True) > won("random", True) > won("greedy", False)
    assert won("weighted", True) > won("random", True)


def test_passes_are_nodes() -> None:
    # After b1 White has no move, and Black plays on.
    position = Position.parse("O-O- XOXX XXO- X--- X", 4).play(parse_square("b1", 4)).play(PASS)
    before = Position.parse("O-O- XOXX XXO- X--- X", 4)
    root = grown(before, 300, MctsOptions()).root
    assert root is not None
    after = root.children[root.moves.index(parse_square("b1", 4))]
    assert after.moves == [PASS]
    assert (after.children[0].player, after.children[0].opponent) == (position.player, position.opponent)
    assert after.children[0].visits == after.visits - 1
    assert after.children[0].wins <= 2 * after.visits - after.wins
