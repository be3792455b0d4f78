"""The least tree of theory, by hand: what alpha-beta visits where the best move always comes first."""

import pytest

from othellier.lab.branching import _least


@pytest.mark.parametrize(("moves", "depth", "leaves"), [(3, 1, 3), (3, 2, 5), (3, 3, 11), (3, 4, 17), (10, 5, 1099)])
def test_the_least_tree_has_as_many_leaves_as_knuth_and_moore_say(moves: int, depth: int, leaves: int) -> None:
    assert _least(moves, depth) == leaves
