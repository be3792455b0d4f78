"""Games: pushing, passes, variations, moving about, outcomes, equality."""

import pickle
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from othellier.errors import IllegalMove, InvalidPosition, WrongType
from othellier.games.game import Evaluation, Game, Headers, Outcome, replay
from othellier.rules.board import Position
from othellier.rules.geometry import PASS, parse_square

SHORTEST = "e6f4e3f6g5d6e7f5c5"  # Black takes every white disc at ply 9


def play(game: Game, text: str) -> Game:
    for i in range(0, len(text), 2):
        game.push(text[i : i + 2])
    return game


def random_moves(seed: int, size: int | str = 8) -> list[int]:
    rng = random.Random(seed)
    position, moves = Position.start(size), []
    while not position.is_over():
        move = rng.choice(position.moves() or [PASS])
        moves.append(move)
        position = position.play(move)
    return moves


def game_with_pass(size: int | str = 4) -> tuple[list[int], int]:
    """A random game with a pass in it, and where the pass is."""
    for seed in range(1000):
        moves = random_moves(seed, size)
        if PASS in moves:
            return moves, moves.index(PASS)
    raise AssertionError("no random game has a pass")


def test_push_and_pop() -> None:
    game = play(Game(), "f5d6")
    assert game.moves() == [parse_square("f5"), parse_square("d6")]
    assert game.position == Position.start().play(37).play(43)
    assert game.pop() == 43
    assert (game.moves(), game.current.ply) == ([37], 1)
    assert game.pop() == 37
    with pytest.raises(InvalidPosition, match="no move to take back"):
        game.pop()


@given(st.integers(0, 10**6), st.sampled_from([4, 6, 8, 10, "4x6"]))
def test_passes_are_inferred(seed: int, size: int | str) -> None:
    moves = random_moves(seed, size)
    without = [move for move in moves if move != PASS]
    pushed = Game(size)
    for move in without:
        pushed.push(move)
    told = Game.from_moves(moves, size)
    assert pushed.moves() == told.moves() == Game.from_moves(without, size).moves() == moves
    assert pushed == told
    assert replay(Position.start(size), without)[1] == pushed.position
    assert pushed.position.is_over()


def test_illegal_move_tells_its_ply_and_changes_nothing() -> None:
    game = play(Game(), "f5d6")
    with pytest.raises(IllegalMove, match="illegal move a1 at ply 3: it flips nothing") as caught:
        game.push("a1")
    assert caught.value.ply == 3
    assert pickle.loads(pickle.dumps(caught.value)).ply == 3
    assert game.transcript() == "F5D6"
    with pytest.raises(IllegalMove, match="at ply 3"):
        Game.from_moves([37, 43, 0])
    with pytest.raises(IllegalMove, match="pass at ply 3"):
        game.push(PASS)


def test_illegal_move_after_a_pass_leaves_no_pass_behind() -> None:
    moves, where = game_with_pass()
    game = Game(4)
    for move in moves[:where]:
        game.push(move)
    taken = next(move for move in moves if move != PASS)
    with pytest.raises(IllegalMove, match=f"at ply {where + 2}"):
        game.push(taken)
    assert game.moves() == moves[:where]
    with pytest.raises(IllegalMove, match=f"at ply {where + 2}"):
        Game.from_moves([*moves[:where], taken], 4)


def test_playing_on_after_the_end() -> None:
    game = play(Game(), SHORTEST)
    assert game.outcome() == Outcome(64)
    with pytest.raises(IllegalMove, match="a1 at ply 10: the game is over"):
        game.push("a1")
    with pytest.raises(IllegalMove, match="at ply 10: the game is over"):
        Game.from_moves([*game.moves(), 0])
    with pytest.raises(IllegalMove, match="pass at ply 10: the game is over"):
        game.push(PASS)


def test_headers_of_another_type_are_refused() -> None:
    wrong: Any = 5
    with pytest.raises(WrongType, match="headers 5 is of type int: Headers expected"):
        Game(headers=wrong)


def test_what_was_deleted_is_not_redone() -> None:
    game = play(Game(), "f5d6c3")
    other = play(Game(), "f5d6")
    game.undo()
    game.delete(game.current.children[0])
    game.redo()
    assert game.current.move == parse_square("d6")
    assert game.moves() == other.moves()


def test_undo_and_redo_remember_the_variation() -> None:
    game = play(Game(), "f5d6c3")
    game.undo().undo()
    side = game.push("f6")
    assert side.parent is game.root.main
    assert game.transcript() == "F5D6C3"
    game.undo().redo()
    assert game.current is side
    game.undo().undo().undo()
    assert game.current is game.root
    for _ in range(5):
        game.redo()
    assert game.current is side
    game.goto(0)
    for _ in range(5):
        game.redo()
    assert game.current is game.end


def test_goto() -> None:
    game = play(Game(), "f5d6c3")
    assert game.goto(0) is game.root
    assert game.goto(-1) is game.end
    assert game.goto(2).ply == 2
    for wrong in (4, -5):
        with pytest.raises(InvalidPosition, match="no ply"):
            game.goto(wrong)
    assert game.goto(game.end).ply == 3
    with pytest.raises(InvalidPosition, match="another game"):
        game.goto(play(Game(), "f5").current)
    with pytest.raises(InvalidPosition, match="another game"):
        game.goto(Game().root)


def test_promote_and_delete() -> None:
    game = play(Game(), "f5d6c3")
    game.goto(1)
    side = play(game, "f6e6").current
    side.promote()
    assert game.transcript() == "F5F6E6"
    first = game.root.children[0]
    assert [child.position.turn for child in first.children] == ["black", "black"]
    game.delete(first.children[0])
    assert game.current is first
    assert game.transcript() == "F5D6C3"
    with pytest.raises(InvalidPosition, match="start of a game"):
        game.delete(game.root)


def test_walk_meets_the_main_line_first() -> None:
    game = play(Game(), "f5d6c3")
    game.goto(1)
    game.push("f6")
    assert [node.move for node in game.root.walk()] == [None, *map(parse_square, ("f5", "d6", "c3", "f6"))]


def test_outcome() -> None:
    game = play(Game(), "f5d6")
    assert game.outcome() is None
    game.result = Outcome(-64, "resigned")
    assert game.outcome() == Outcome(-64, "resigned")
    assert game.outcome() == game.result
    assert [Outcome(score).winner for score in (2, 0, -2)] == ["black", None, "white"]


@given(st.integers(0, 10**6))
def test_outcome_of_finished_games_is_blacks_score(seed: int) -> None:
    game = Game.from_moves(random_moves(seed))
    last = game.end.position
    empties = last.empties
    black, white = last.discs("black"), last.discs("white")
    winner_takes = black - white + (empties if black > white else -empties if black < white else 0)
    assert game.outcome() == Outcome(winner_takes)
    recorded = game.copy()
    recorded.result = Outcome(winner_takes)
    assert recorded == game


def test_a_bare_pass_at_the_end_says_nothing() -> None:
    moves, where = game_with_pass()
    short, long = Game.from_moves(moves[:where], 4), Game.from_moves(moves[: where + 1], 4)
    assert short == long
    long.end.comment = "White must pass"
    assert short != long
    timed = Game.from_moves(moves[: where + 1], 4)
    timed.end.seconds = 0.0
    assert short != timed


def test_equality_sees_everything() -> None:
    def make() -> Game:
        game = play(Game(headers=Headers(black="Ann", extra={"TY": "8r20"})), "f5d6c3")
        game.goto(1)
        game.push("f6").comment = "sharper"
        game.end.evaluation = Evaluation(2.5, depth=12, pv=(1, 2))
        game.end.seconds = 3.5
        game.root.scores = {37: 0.0}
        return game

    def changes() -> list[Game]:
        games = [make() for _ in range(8)]
        games[0].headers.white = "Bob"
        games[1].headers.extra["TY"] = "8"
        games[2].result = Outcome(2)
        games[3].current.comment = ""
        games[4].end.evaluation = Evaluation(2.5, depth=12, pv=(1, 2), exact=True)
        games[5].end.seconds = None
        games[6].root.scores[37] = 1.0
        games[7].current.promote()
        return games

    assert make() == make() == make().copy()
    assert all(game != make() for game in changes())
    assert make() != "F5D6C3"
    assert Game(6) != Game(8)


def test_copy_shares_nothing_that_changes() -> None:
    game = play(Game(headers=Headers(extra={"A": "1"})), "f5d6")
    game.root.scores[37] = 1.0
    twin = game.copy()
    twin.headers.extra["A"] = "2"
    twin.headers.black = "Ann"
    twin.root.scores[37] = 2.0
    twin.goto(-1)
    twin.push("c3")
    assert (game.headers, game.root.scores, game.transcript()) == (Headers(extra={"A": "1"}), {37: 1.0}, "F5D6")


def test_a_copy_has_every_note_of_a_move() -> None:
    game = play(Game(), "f5")
    (node,) = game.main_line()
    node.comment, node.seconds, node.nodes = "bold", 1.5, 4321
    node.evaluation, node.scores = Evaluation(2.0, False, 8), {43: 1.0}
    (twin,) = game.copy().main_line()
    assert (twin.comment, twin.seconds, twin.nodes) == ("bold", 1.5, 4321)
    assert (twin.evaluation, twin.scores) == (node.evaluation, node.scores)


def test_start_positions() -> None:
    start = Position.parse("OX-- OX-- OX-- ---- X", "4x4")
    game = Game(start)
    assert game.start == start
    assert game.root.color == "black"
    with pytest.raises(IllegalMove):
        game.push("a1")
    assert Game("4x6").start == Position.start("4x6")


def test_color_is_whose_move_it_was() -> None:
    game = play(Game(), "f5d6")
    assert [node.color for node in game.main_line()] == ["black", "white"]
    assert game.root.color == "black"


def test_repr_names_players_and_moves() -> None:
    assert repr(play(Game(headers=Headers(black="Ann")), "f5")) == "<Game Ann - ? F5>"
