"""The tree as JSON says what the tree as objects says, also after changes."""

import json
import random

from othellier.coach.analysis import GameAnalysis
from othellier.coach.judging import judged
from othellier.games.game import Evaluation, Game, GameNode
from othellier.games.results import Result
from othellier.games.symmetry import KINDS, turned
from othellier.page.play.state_view import GameFacts, hint_view, state_text, state_view, value_view
from othellier.page.play.tree_view import TreeText, tree_view
from othellier.rules import native
from othellier.rules.geometry import PASS
from othellier.session.commands import HumanChoice
from othellier.session.session import PlayerChoices, Session


def grow(node: GameNode, rng: random.Random, plies: int) -> GameNode:
    for _ in range(plies):
        if node.position.is_over():
            break
        node = node.add(rng.choice(node.position.moves() or [PASS]))
    return node


def change(game: Game, rng: random.Random) -> None:
    """One of the things that happen to a tree."""
    nodes = list(game.root.walk())
    node = rng.choice(nodes)
    kind = rng.randrange(6)
    if kind == 0:
        grow(node, rng, 3)
    elif kind == 1:
        node.comment = rng.choice(["", 'so "it" was \\', "two\nlines", "日本"])
    elif kind == 2:
        node.evaluation = rng.choice([None, Evaluation(rng.random() * 9 - 4, False, 8, (1, PASS, 3), "book")])
    elif kind == 3:
        node.seconds = rng.choice([None, 0.0, 1.5])
    elif kind == 4:
        node.promote()
    elif node.parent is not None and len(nodes) > 20:
        game.delete(node)


def told(game: Game, texts: TreeText, analysis: GameAnalysis | None = None) -> bool:
    expected = tree_view(game, analysis).model_dump(mode="json", exclude_unset=True)
    return bool(json.loads(texts.write(game, analysis)) == expected)


def test_the_tree_is_told_the_same_after_every_change() -> None:
    for seed in range(8):
        rng, game, texts = random.Random(seed), Game(rng_size(seed)), TreeText()
        grow(game.root, rng, 70)
        for _ in range(25):
            assert told(game, texts)
            assert told(game, texts)  # now of what is known
            change(game, rng)


def rng_size(seed: int) -> int:
    return (8, 6, 4, 10)[seed % 4]


def test_another_game_is_not_taken_for_the_one_before() -> None:
    texts, first, second = TreeText(), Game(), Game()
    for game, words in ((first, "one"), (second, "two")):
        game.push("f5").comment = words
    assert told(first, texts)
    assert told(second, texts)


def test_what_is_judged_later_is_told() -> None:
    texts, game = TreeText(), Game.from_moves([37, 43, 18])
    assert told(game, texts)
    move = judged(game.start, [Result(37, "black", 1.0, pv=(37, 43)), Result(19, "black", 0.0)], 37, 0)
    assert told(game, texts, GameAnalysis(game.start, (37, 43, 18), "quick", (move,)))
    assert told(game, texts)


def test_the_state_with_its_tree_is_told_the_same() -> None:
    players: PlayerChoices = {"black": HumanChoice(name='"Ann"'), "white": HumanChoice()}
    session = Session(Game.from_moves([37, 43]), players)
    facts = GameFacts("game", ("a", "b"), "2024")
    for tree in (None, TreeText().write(session.game)):
        state = state_view(session, facts, 1.0, tree=tree is not None).model_dump(mode="json", exclude_unset=True)
        assert json.loads(state_text(session, facts, 1.0, session.current, tree)) == {"event": "state", "state": state}


def test_what_is_noted_of_moves_turns_with_them() -> None:
    game = Game.from_moves("f5d6c3")
    node = game.root.children[0]
    node.scores, node.evaluation = {43: 1.5}, Evaluation(2.0, pv=(43, 18, PASS))
    twin = turned(game, KINDS["central"])[1][node]
    assert twin.scores == {63 - 43: 1.5}
    assert twin.evaluation == Evaluation(2.0, pv=(63 - 43, 63 - 18, PASS))


def test_a_hint_is_exact_only_if_no_other_move_can_be_better() -> None:
    node = Game(native.random_position(random.Random(1), 8, 12)).root
    move = node.position.moves()[0]
    for beaten in (False, True):
        result = Result(move, node.position.turn, -4.0, depth=12, pv=(move,), source="exact", may_be_beaten=beaten)
        hint, square = hint_view(node, result), value_view(node.position, result, -4.0)
        assert (square.exact, square.win, square.source) == (True, 0, "exact")
        assert hint.exact is not beaten
        assert (hint.win == 0, hint.source) == ((False, "search") if beaten else (True, "exact"))
