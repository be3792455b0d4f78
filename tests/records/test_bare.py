"""Lines of bare moves are read and written at once: nothing else may come of it than move by move."""

import random
import re
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from record_games import SIZES, games, headers, play_at_random

from damage import mutate
from othellier import records
from othellier.games.game import Game, Headers, Outcome
from othellier.records import ggf, sgf
from othellier.rules import native
from othellier.rules.geometry import PASS

READERS = {"ggf": ggf, "sgf": sgf}
NEVER = re.compile(r"(?!)")
MARKS = [b"B[", b"W[", b"]", b";", b"[", b"(", b")", b" ", b"\n", b"B[A1]", b";W[]", b"C[x]", b"PA", b"W[PA]", b"/1/2"]


def slowly(text: bytes, name: str) -> list[Game | str]:
    """What is read move by move."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(READERS[name], "MOVES", NEVER)
        patch.setattr(READERS[name], "bare_game", lambda *_: None)
        return read(text, name)


def read(text: bytes, name: str) -> list[Game | str]:
    found = records.read(text, name, errors="collect")
    return [*found, *map(str, found.errors)]


@st.composite
def lines(draw: st.DrawFn) -> Game:
    """A game of bare moves, often with passes: random games on small boards have many."""
    rng = random.Random(draw(st.integers(0, 2**32)))
    size = draw(st.sampled_from(SIZES))
    start = native.start(size) if draw(st.integers(0, 2)) else native.random_position(rng, size)
    game = Game(start, draw(headers()), draw(st.none() | st.just(Outcome(2.0))))
    play_at_random(game.root, rng, draw(st.sampled_from([0, 1, 5, 20, 100])))
    return game


@pytest.mark.parametrize("name", READERS)
@settings(max_examples=60)
@given(game=lines())
def test_bare_games_are_read_as_move_by_move(name: str, game: Game) -> None:
    text = records.dumps([game], name).encode()
    assert read(text, name) == slowly(text, name) == [records.find_format(name).fitted(game)]


@pytest.mark.parametrize("name", READERS)
def test_damaged_games_are_read_or_refused_as_move_by_move(name: str) -> None:
    good, errors = 0, 0
    for seed in range(300):
        rng = random.Random(seed)
        game = Game(headers=Headers("Ann", "Bob"))
        play_at_random(game.root, rng, 70)
        text = records.dumps([game], name).encode()
        if seed % 3:
            text = mutate(text, rng, MARKS, (1, 2, 5, 6))
        else:  # no damage, but no longer a run of bare moves
            brackets = [place.end() for place in re.finditer(rb"[BW]\[..\]", text)]
            at = rng.choice(brackets)
            text = text[:at] + rng.choice([b" ", b"\n", b"\t \n", b"ZZ[1]"]) + text[at:]
        found = read(text, name)
        assert found == slowly(text, name), text
        good += sum(isinstance(item, Game) for item in found)
        errors += sum(isinstance(item, str) for item in found)
    assert good > 50
    assert errors > 50


@given(game=games())
def test_a_clean_game_is_written_the_same_without_looking_through_it(game: Game) -> None:
    clean = sgf.FORMAT.fitted(game)
    assert sgf.written(clean) == records.dumps([clean], "sgf")


def passing_game() -> Game:
    """A game in which somebody has to pass and the game goes on."""
    for seed in range(1000):
        game = Game()
        play_at_random(game.root, random.Random(seed), 100)
        if PASS in game.moves()[:-1]:
            return game
    raise AssertionError("no random game has a pass")


@pytest.mark.parametrize(("name", "passed"), [("ggf", r"[BW]\[PA\]"), ("sgf", r";[BW]\[\]")])
def test_passes_may_be_written_or_left_out(name: str, passed: str) -> None:
    game = passing_game()
    text = records.dumps([game], name)
    without = re.sub(passed, "", text)
    assert without != text
    assert records.read(text.encode(), name) == records.read(without.encode(), name) == [game]


@pytest.mark.parametrize(("name", "move"), [("ggf", "B[F5]"), ("sgf", ";B[f5]")])
def test_a_move_of_the_wrong_side_is_refused(name: str, move: str) -> None:
    text = records.dumps([Game.from_moves([37, 43, 18])], name)
    assert move in text
    (error,) = records.read(text.replace(move, move.replace("B", "W")).encode(), name, errors="collect").errors
    assert "white moves" in str(error)


def bare_pieces() -> Iterator[Game]:
    for seed in range(5):
        game = Game()
        play_at_random(game.root, random.Random(seed), 100)
        yield Game.from_moves(game.moves())


def test_reading_and_copying_leave_a_line_folded() -> None:
    for game in bare_pieces():
        (twin,) = records.read(records.dumps([game], "sgf").encode(), "sgf")
        copy = twin.copy()
        assert twin.outcome() == copy.outcome() == game.outcome()
        assert twin.moves() == copy.moves() == game.moves()
        assert not twin.root._children
        assert not copy.root._children
        copy.push(copy.moves()[0])
        assert twin == game
