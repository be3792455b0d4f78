"""Searches written down: nothing changes by being watched, and what is drawn is what happened."""

import json
import random
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from itertools import pairwise, product
from typing import Any, get_args

import pytest

from othellier import create_player
from othellier.errors import ConfigError, InvalidPosition
from othellier.games.results import Limit
from othellier.records.transcript import parse_moves
from othellier.rules import native
from othellier.rules.board import Position
from othellier.rules.geometry import PASS
from othellier.search import Comparison, MctsOptions, MonteCarlo, Observer, Options, RecordedNode, record, search
from othellier.search.base import Algorithm
from othellier.search.trees.drawing import WORDS, heading, lay_out
from othellier.search.trees.steps import steps

CUTTING: tuple[Algorithm, ...] = ("alphabeta", "nega-alphabeta", "pvs")
FLAGS: tuple[dict[str, Any], ...] = (
    {},
    {"table": True, "table_depth": 1},
    {"symmetry": True, "table_depth": 1, "fix_first": True},
    {"order": "discs", "killer": True},
    {"deepening": True},
    {"ties": "random", "seed": 3},
)
WITH_A_PASS = Position.parse("O-O- XOXX XXO- X--- X", 4)


def after(moves: str) -> Position:
    position = native.start()
    for move in parse_moves(moves):
        position = position.play(move)
    return position


F5 = after("f5d6c3d3")


@pytest.mark.parametrize("algorithm", get_args(Algorithm))
def test_a_watched_search_is_the_same_search(algorithm: Algorithm) -> None:
    rng = random.Random(algorithm)
    positions = [Position.start(4), Position.random(rng, 6, 12), F5, WITH_A_PASS]
    for position, flags in product(positions, FLAGS):
        options = replace(Options(algorithm, depth=3), **flags)
        tree = record(position, options)
        alone = search(position, options)
        assert replace(tree.outcome, seconds=0) == replace(alone, seconds=0)
        assert (tree.root.value, tree.root.kind) == (alone.value, "inner")
        if not options.deepening:
            assert tree.visited == tree.recorded == alone.counters.nodes
            leaves = sum(node.kind in ("leaf", "over") for node in tree.root.walk())
            assert leaves == alone.counters.leaves
            assert sum(event.what == "cut" for event in tree.events) == alone.counters.cutoffs
            assert sum(event.what == "recall" for event in tree.events) == alone.counters.table_hits
        line = [node.move for node in tree.root.line()[1:]]
        assert line == list(alone.line[: len(line)])


def plain_minimax(node: RecordedNode) -> int:
    """The value of a recorded tree from its leaves."""
    if not node.children:
        assert node.value is not None
        return node.value
    return max(-plain_minimax(child) for child in node.children)


def test_values_follow_from_the_leaves() -> None:
    tree = record(F5, Options("minimax", depth=3))
    for node in tree.root.walk():
        assert node.value == plain_minimax(node)
        assert node.bound == "exact"


@pytest.mark.parametrize("algorithm", CUTTING)
def test_windows_and_cuts_are_those_of_alpha_beta(algorithm: Algorithm) -> None:
    tree = record(F5, Options(algorithm, depth=4))
    cuts = 0
    for node in tree.root.walk():
        assert node.alpha < node.beta
        assert node.value is not None
        if node.cut:
            cuts += 1
            assert node.value >= node.beta
            legal = Position(node.player, node.opponent, node.turn, tree.size).moves()
            assert {*node.cut, *(child.move for child in node.children)} == set(legal)
        for child in node.children:
            # The window of a child lies within what is still open at its parent.
            assert -child.beta >= node.alpha
            assert -child.alpha <= node.beta
        if node.best is not None and node.bound == "exact":
            assert node.best.value == -node.value
    assert cuts


def test_the_exact_root_moves_are_the_values_of_a_search_of_their_own() -> None:
    for algorithm in get_args(Algorithm):
        outcome = search(F5, Options(algorithm, depth=4))
        assert sorted(one.move for one in outcome.moves) == sorted(F5.moves())
        for one in outcome.moves:
            value = -search(F5.play(one.move), Options("minimax", depth=3)).value
            assert value == one.value if one.bound == "exact" else value <= one.value
        assert max(one.value for one in outcome.moves) == outcome.value
        if algorithm in ("minimax", "negamax"):
            assert {one.bound for one in outcome.moves} == {"exact"}
    result = create_player("alphabeta:depth=3").choose(F5, Limit())
    assert {one.move for one in result.moves} == set(F5.moves())


def test_a_forced_pass_is_recorded_from_the_position_after_it() -> None:
    position = WITH_A_PASS.play(1)
    assert position.must_pass()
    tree = record(position, Options("alphabeta", depth=2))
    assert tree.passed
    assert tree.position == position.play(PASS)
    assert "after a forced pass" in tree.svg()


def test_monte_carlo_trees_count_what_went_through_them() -> None:
    options = MctsOptions(200, seed=5)
    tree = record(F5, options)
    alone = MonteCarlo(F5.size, options).search(F5)
    assert replace(tree.outcome, seconds=0) == replace(alone, seconds=0)
    assert tree.root.visits == len(tree.iterations) == 200
    assert tree.recorded == alone.counters.nodes
    for node in tree.root.walk():
        assert node.visits >= sum(child.visits for child in node.children) >= node.visits - 1
    shares = {one.move: (one.visits, one.value) for one in alone.moves}
    assert {node.move: (node.visits, node.wins / (2 * node.visits)) for node in tree.root.children} == shares
    assert sum(visits for visits, _ in shares.values()) == 200


def test_large_trees_are_counted_and_folded() -> None:
    whole = record(F5, Options("minimax", depth=3))
    few = record(F5, Options("minimax", depth=3), most=50)
    assert few.outcome.value == whole.outcome.value
    assert (few.recorded, few.visited) == (50, whole.visited)
    panel = lay_out(whole, 40)
    assert len(panel.nodes) == 40
    assert sum(panel.folded.values()) == whole.visited - 40
    assert {node.index for node in whole.root.line()} <= {node.index for node in panel.nodes}
    assert f"40 of {whole.visited} positions shown, {whole.visited - 40} folded" in whole.svg(shown=40)
    mcts = record(F5, MctsOptions(100, seed=1), most=20)
    assert (mcts.recorded, mcts.root.visits) == (20, 100)
    json.loads(mcts.json())
    assert "folded" in mcts.svg()


def test_one_cut_is_not_called_cuts() -> None:
    tree = record(Position.parse("O---XOX--XX---X- O", 4), Options("alphabeta", depth=2))
    for language, words in [("en", "7 leaves, 1 cut (1 by"), ("fr", "7 feuilles, 1 coupe (1 au")]:
        assert words in heading(lay_out(tree, 300), WORDS[language])[1]  # type: ignore[index]


def overlaps(tree: Any, shown: int) -> list[tuple[int, int]]:
    places = sorted(lay_out(tree, shown).places.values())
    return [a for a, b in pairwise(places) if a[0] == b[0] and b[1] - a[1] < 52]


@pytest.mark.parametrize("spec", ["alphabeta:depth=3", "pvs:depth=4", "mcts:iterations=150,seed=1", "negamax:depth=2"])
def test_pictures_are_well_formed_and_cards_do_not_overlap(spec: str) -> None:
    tree = record(F5, create_player(spec))  # type: ignore[arg-type]
    for shown in (1, 20, 300):
        picture = ET.fromstring(tree.svg(shown=shown))
        cards = [one for one in picture.iter() if (one.get("class") or "").startswith("card")]
        assert len(cards) == len(tree.shown(shown))
        assert not overlaps(tree, shown)
    texts = [one.text or "" for one in ET.fromstring(tree.svg()).iter() if one.tag.endswith("text")]
    if spec.startswith(("alphabeta", "pvs")):
        assert any(text.startswith("✂") for text in texts)
        assert any(text.startswith("α") for text in texts)
    if spec.startswith("mcts"):
        assert any(text.startswith("UCB1") for text in texts)
    assert tree._repr_html_().count("<svg") == 1


def test_pages_need_nothing_else_and_steps_end_where_the_search_does() -> None:
    trees = [record(F5, Options("minimax", depth=2)), record(F5, Options("alphabeta", depth=2))]
    page = Comparison(trees).html(language="fr")
    assert not re.search(r"""(src|href)=["']|@import|url\(|https?://(?!www\.w3\.org/2000/svg)""", page)
    assert 'lang="fr"' in page
    data = steps(trees[1], 300, "en")
    entered = [step[0] for step in data["steps"] if "look at it" in step[6]]
    assert entered == [node.index for node in trees[1].shown()]
    assert data["steps"][-1][1:3] == ["start = 0", "α 0  β ∞"]
    cut = [step for step in data["steps"] if step[5]]
    assert len(cut) == trees[1].outcome.counters.cutoffs
    with pytest.raises(ConfigError, match="the same position"):
        Comparison([trees[0], record(Position.start(4))])


def test_json_holds_the_whole_tree() -> None:
    tree = record(F5, Options("alphabeta", depth=3))
    facts = json.loads(tree.json())
    assert [node["id"] for node in facts["nodes"]] == list(range(tree.recorded))
    assert facts["counts"]["nodes"] == facts["visited"] == tree.recorded
    assert facts["nodes"][0]["alpha"] is None
    assert sum(len(node["cut"]) > 0 for node in facts["nodes"]) > 0
    assert facts["board"] == F5.board_string()


def test_what_cannot_be_recorded_is_refused() -> None:
    over = Position.parse("XXXX XXXX XXXX XXXX X")
    with pytest.raises(InvalidPosition, match="the game is over"):
        record(over)
    with pytest.raises(ConfigError, match="create_player"):
        record(F5, "alphabeta:depth=3")  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="not"):
        record(F5, create_player("random"))  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="most=0"):
        record(F5, most=0)


def test_an_observer_of_ones_own_hears_everything() -> None:
    class Counter(Observer):
        def __init__(self) -> None:
            self.entered = self.left = 0

        def enter(self, move: int, player: int, opponent: int, depth: int, alpha: int, beta: int) -> None:
            self.entered += 1

        def leaf(self, value: int, over: bool) -> None:
            self.left += 1

        def leave(self, value: int) -> None:
            self.left += 1

    counter = Counter()
    outcome = search(F5, Options("pvs", depth=4), observer=counter)
    assert counter.entered == counter.left == outcome.counters.nodes
    with pytest.raises(ConfigError, match="watched"):
        search(F5, Options(depth=2), observer=counter, backend="native")
