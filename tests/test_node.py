"""Nodes of S1.3 and the tree that survives from turn to turn (S1.4)."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from othellier.errors import IllegalMove
from othellier.rules.board import Position
from othellier.rules.geometry import PASS
from othellier.rules.node import KeptTree, Node

SIZES = st.sampled_from([4, 6, 8, 10, "4x6"])


def passing_position() -> Position:
    rng = random.Random(1)
    position = Position.start(4)
    while not position.must_pass():
        position = Position.start(4) if position.is_over() else position.play(rng.choice(position.moves()))
    return position


@given(st.integers(0, 10**6), SIZES)
def test_children_are_what_the_rules_say(seed: int, size: int | str) -> None:
    position = Position.random(random.Random(seed), size)
    node = Node(position)
    node.expand()
    assert node.moves == position.moves()
    assert node.directions == position.move_table()
    for move in node.moves:
        child = node.set_child(move)
        assert child.position == position.play(move)
        assert node.move_to_child[move] is child is node.set_child(move)
        assert child.parent is node
    assert node.children == list(node.move_to_child.values())
    assert node.count_all_children() == len(node.moves)


def test_attributes_at_birth() -> None:
    start = Position.start(6)
    node = Node(start)
    assert (node.player, node.opponent, node.turn, node.size) == (start.player, start.opponent, "black", (6, 6))
    assert (node.parent, node.value, node.visited, node.children, node.moves) == (None, None, False, [], [])


def test_a_forced_pass_is_the_only_move() -> None:
    position = passing_position()
    node = Node(position)
    child = node.set_child(PASS)
    assert node.moves == [PASS]
    assert child.position == position.play(PASS)


def test_a_finished_game_has_no_moves() -> None:
    node = Node(Position(1, 0))
    node.expand()
    assert node.expanded
    assert node.moves == []


@pytest.mark.parametrize(("move", "name"), [(0, "a1"), (PASS, "pass"), (64, "64"), (-7, "-7")])
def test_illegal_children(move: int, name: str) -> None:
    with pytest.raises(IllegalMove, match=f"illegal move {name}:"):
        Node(Position.start()).set_child(move)


def test_other_child_is_known_or_copied_without_knowledge() -> None:
    mine, theirs = Node(Position.start()), Node(Position.start())
    known = mine.set_child(37)
    known.value = 3.0
    assert mine.add_other_child(theirs.set_child(37)) is known
    told = theirs.set_child(19)
    told.value, told.visited = 5.0, True
    told.set_child(18)
    copy = mine.add_other_child(told)
    assert (copy.position, copy.parent, copy.value, copy.visited, copy.children) == (
        told.position,
        mine,
        None,
        False,
        [],
    )
    assert mine.set_child(19) is copy
    assert mine.children == [known, copy]


def test_other_child_after_a_pass() -> None:
    position = passing_position()
    mine, theirs = Node(position), Node(position)
    copy = mine.add_other_child(theirs.set_child(PASS))
    assert mine.set_child(PASS) is copy


def test_invert() -> None:
    node = Node(Position.start())
    node.set_child(37)
    node.invert()
    start = Position.start()
    assert node.position == Position(start.opponent, start.player, "white")
    assert node.children == []
    assert len(node.set_child(34).children) == 0


def test_count_all_children_counts_every_generation() -> None:
    root = Node(Position.start())
    for move in (19, 26, 37, 44):
        child = root.set_child(move)
        child.expand()
        for reply in child.moves:
            child.set_child(reply)
    assert root.count_all_children() == 4 + 12


def all_below(node: Node) -> list[Node]:
    return [node, *(below for child in node.children for below in all_below(child))]


def explore(node: Node, depth: int) -> None:
    node.expand()
    if depth:
        for move in node.moves:
            explore(node.set_child(move), depth - 1)


@given(st.integers(0, 10**6))
def test_the_tree_keeps_the_subtree_through_moves_and_passes(seed: int) -> None:
    rng = random.Random(seed)
    tree, position = KeptTree(), Position.start(4)
    while not position.is_over():
        root = tree.turn(position)
        assert (root.position, root.parent) == (position, None)
        explore(root, 3)
        for _ in range(2):  # the player's move and the answer, each of which may be a pass
            if not position.is_over():
                position = position.play(rng.choice(position.moves() or [PASS]))
        # Moves in another order may lead to the same position: any node of it will do, with all below it.
        known = {id(node): node.count_all_children() for node in all_below(root) if node.position == position}
        kept = tree.turn(position)
        assert kept.count_all_children() == known[id(kept)]
        assert kept.parent is None


def test_the_tree_starts_anew_on_an_unknown_position() -> None:
    tree = KeptTree()
    explore(tree.turn(Position.start()), 1)
    other = Position.start().transform(1)
    assert tree.turn(other).position == other
    assert tree.turn(Position.start(6)).position == Position.start(6)
    assert tree.root is not None
    assert tree.root.count_all_children() == 0
