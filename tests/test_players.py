"""Every registered player keeps the contract; player strings are read strictly."""

import json
import random
from collections.abc import Iterator
from dataclasses import asdict, replace
from importlib import resources
from pathlib import Path
from typing import Literal

import numpy as np
import pytest

from othellier.engine.engine import Engine
from othellier.engine.levels import find_level
from othellier.errors import ConfigError, PlayerError, WeightsError
from othellier.games.results import Limit, MoveValue, Result, compared
from othellier.players import Human, Player, RandomPlayer, answer, create_player, register, registered
from othellier.players.registry import _registry
from othellier.rules import native
from othellier.rules.board import Position
from othellier.rules.geometry import PASS

SIZES = ("4", "6", "8", "4x6")
EXAMPLES = {registration.name: registration.example for registration in registered()}
LIMITS = (Limit(), Limit(depth=1), Limit(nodes=1), Limit(time=0.01), Limit(clock=0.1, increment=0.01))
OVER = Position.parse("XXXX XXXX XXXX XXX- O", 4)
MUST_PASS = Position.parse("OX-- ---- ---- ---- X", 4)


def first_move(position: Position) -> int:
    return position.moves()[0]


def create(name: str) -> Player:
    return create_player(EXAMPLES[name], ask=first_move)


# -- the contract, for every player there is


def test_the_first_players_are_there() -> None:
    assert {"human", "random"} <= set(EXAMPLES)
    assert all(registration.summary for registration in registered())


@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.parametrize("size", SIZES)
def test_answers_legally_within_any_limit(name: str, size: str) -> None:
    """From the opening to the last square. That a limit is kept, not only survived, is for a player's own tests."""
    rng = random.Random(size)
    squares = native.start(size).size.squares
    asked = 0
    with create(name) as player:
        for empties in (1, 4, 7, squares // 2, squares * 3 // 4 - 1, squares - 5):
            position = native.random_position(rng, size, empties)
            if not position.moves():
                continue
            for limit in LIMITS if empties < 8 else LIMITS[1:]:
                result = answer(player, position, limit)
                assert result.turn == position.turn
                assert result.seconds >= 0
                assert result.nodes >= 0
                assert not result.pv or result.pv[0] == result.move
                asked += 1
    assert asked >= 12


@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.parametrize("size", ["4", "6"])
def test_plays_whole_games_and_repeats_them(name: str, size: str) -> None:
    assert play_out(name, size) == play_out(name, size)


def play_out(name: str, size: str) -> list[int]:
    """A game against itself with moves observed; passes are played for it."""
    position, moves = native.start(size), []
    with create(name) as player:
        player.new_game(position)
        while not position.is_over():
            move = PASS if position.must_pass() else answer(player, position, Limit(depth=1)).move
            position = position.play(move)
            player.observe(move)
            moves.append(move)
    return moves


@pytest.mark.parametrize("name", EXAMPLES)
def test_takes_the_only_move(name: str) -> None:
    position = Position.parse("XO-- ---- ---- ---- X", 4)
    with create(name) as player:
        assert answer(player, position).move == 2


@pytest.mark.parametrize("name", EXAMPLES)
def test_is_not_asked_where_there_is_no_move(name: str) -> None:
    with create(name) as player:
        with pytest.raises(PlayerError, match="the game is over"):
            answer(player, OVER)
        with pytest.raises(PlayerError, match="black must pass"):
            answer(player, MUST_PASS)


# -- asking


class Wrong(Player):
    def __init__(self, reply: object) -> None:
        self.reply = reply

    def choose(self, position: Position, limit: Limit) -> Result:
        if isinstance(self.reply, Exception):
            raise self.reply
        return self.reply  # type: ignore[return-value]


WRONG: list[tuple[object, str]] = [
    (Result(0, "black"), "Wrong played a1, which is illegal"),
    (Result(PASS, "black"), "Wrong played pass, which is illegal"),
    (Result(999, "black"), "Wrong played 999, which is illegal"),
    (Result(None, "black"), "Wrong played None, which is illegal"),  # type: ignore[arg-type]
    (7.5, "Wrong answered 7.5, which is no move"),
    ("z9", "Wrong played 'z9', which is illegal"),
    (10**5000, "Wrong played <int>, which is illegal"),
    (Result(19, "black", nodes=10**5000), "Wrong answered nodes=<int>: a number from 0 to 184467"),
    (Result(19, "black", nodes=-1), "Wrong answered nodes=-1: a number from 0"),
    (Result(19, "black", score=10**400), "Wrong answered score=.*: a number from -1000000000 to 1000000000"),
    (Result(19, "black", score=float("nan")), "Wrong answered score=nan: a number"),
    (Result(19, "black", score=float("-inf")), "Wrong answered score=-inf: a number"),
    (Result(19, "black", seconds=float("inf")), "Wrong answered seconds=inf: a number"),
    (Result(19, "black", depth=2**31), "Wrong answered depth=2147483648: a number from 0 to 2147483647"),
    (Result(19, "black", selectivity=101), "Wrong answered selectivity=101: a number from 1 to 100"),
    (Result(19, "green"), "Wrong answered turn='green': black or white expected"),  # type: ignore[arg-type]
    (Result(19, "black", bound="about"), "Wrong answered bound='about': exact or"),  # type: ignore[arg-type]
    (Result(19, "black", pv=("f5", 2.5)), "Wrong answered a pv or moves that hold"),  # type: ignore[arg-type]
    (ZeroDivisionError("no\nway"), r"Wrong failed: ZeroDivisionError: no way \(test_players.py, line \d+\)"),
    (KeyError("x" * 999), r"Wrong failed: KeyError: 'x{198}… \(test_players.py"),
    (PlayerError("the program died"), "^the program died$"),
]


@pytest.mark.parametrize(("reply", "words"), WRONG, ids=[words[:40] for _, words in WRONG])
def test_a_wrong_answer_is_a_player_error(reply: object, words: str) -> None:
    with pytest.raises(PlayerError, match=words):
        answer(Wrong(reply), native.start())


@pytest.mark.parametrize("reply", ["d3", "D3", 19, np.int64(19), np.uint8(19)])
def test_a_class_and_a_function_may_answer_with_a_move_alone(reply: object) -> None:
    for player in (Wrong(reply), create_player(lambda position: reply)):  # type: ignore[arg-type, return-value]
        result = answer(player, native.start())
        assert (type(result.move), result.move, result.turn, result.pv) == (int, 19, "black", (19,))


def test_numbers_of_numpy_become_plain_ones() -> None:
    """What is kept and sent is written as JSON, which has no numbers of NumPy."""
    given = Result(
        np.int64(19),  # type: ignore[arg-type]
        "black",
        np.float32(1.5),  # type: ignore[arg-type]
        depth=np.int8(3),  # type: ignore[arg-type]
        nodes=np.uint64(2**64 - 1),  # type: ignore[arg-type]
        pv=(np.int16(19),),  # type: ignore[arg-type]
        moves=(MoveValue(np.int64(19), np.float64(2)),),  # type: ignore[arg-type]
    )
    result = answer(Wrong(given), native.start())
    assert json.loads(json.dumps(asdict(result)))["nodes"] == 2**64 - 1
    assert (result.score, result.depth, result.pv, result.moves) == (1.5, 3, (19,), (MoveValue(19, 2.0),))
    assert answer(create_player(lambda position: given), native.start()) == result


def test_a_human_needs_somebody_to_ask() -> None:
    with pytest.raises(ConfigError, match="player 'human': there is nobody to ask here"):
        create_player("human")
    assert isinstance(create_player("human", ask=first_move), Human)


def test_random_follows_its_seed_and_uses_all_moves() -> None:
    def moves(spec: str) -> list[int]:
        player = create_player(spec)
        return [answer(player, native.start()).move for _ in range(40)]

    assert moves("random:seed=1") == moves("random:seed=1") != moves("random:seed=2")
    assert set(moves("random:seed=1")) == {19, 26, 37, 44}


# -- player strings


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("", "player '': unknown player, known: .*random"),
        ("randon", "player 'randon': unknown player, did you mean 'random'?"),
        ("random:sed=1", "unknown option 'sed', did you mean 'seed'?"),
        ("random:colour=1", "unknown option 'colour', known: seed"),
        ("random:seed=1,seed=2", "option 'seed' is given twice"),
        ("random:seed=x", "option seed=x: a whole number expected"),
        ("random:seed=", "option seed=: a whole number expected"),
        ("random:seed=1.5", "option seed=1.5: a whole number expected"),
        ("random:seed", "'seed' is not key=value"),
        ("random:seed=1,", "'' is not key=value"),
        ("human:a=1", "unknown option 'a', none is known"),
        ("nowhere.py:Mine", "there is no file nowhere.py"),
    ],
)
def test_bad_player_strings_say_what_is_wrong(spec: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        create_player(spec, ask=first_move)


class Options(RandomPlayer):
    """Takes an option of every type."""

    def __init__(
        self,
        command: str,
        *,
        depth: int,
        c: float = 1.5,
        killer: bool = False,
        order: Literal["none", "discs"] = "none",
        until: Literal["end"] | int = "end",
        eval: str = "mobility",
    ) -> None:
        super().__init__(seed=1)
        self.options = (command, depth, c, killer, order, until, eval)


@pytest.fixture
def options_registered() -> Iterator[None]:
    register("options")(Options)
    yield
    del _registry["options"]


@pytest.mark.usefixtures("options_registered")
def test_options_are_typed_by_their_factory() -> None:
    def options(spec: str) -> tuple[object, ...]:
        player = create_player(spec)
        assert isinstance(player, Options)
        return player.options

    assert options("options:prog,depth=4") == ("prog", 4, 1.5, False, "none", "end", "mobility")
    full = "options: prog -a=1,2 ,depth=4, c=2,killer=yes,order=discs,until=12,eval=mixed"
    assert options(full) == ("prog -a=1,2", 4, 2.0, True, "discs", 12, "mixed")
    registration = next(registration for registration in registered() if registration.name == "options")
    assert [option.default_text for option in registration.options.values()] == [
        "",
        "1.5",
        "no",
        "none",
        "end",
        "mobility",
    ]
    with pytest.raises(ConfigError, match="'options' is already registered"):
        register("options")(Options)


@pytest.mark.usefixtures("options_registered")
@pytest.mark.parametrize(
    ("rest", "words"),
    [
        ("depth=4", "options:COMMAND expected"),
        ("prog", "option depth=… is missing"),
        ("prog,depth=1,killer=perhaps", "option killer=perhaps: yes or no expected"),
        ("prog,depth=1,c=nan", "option c=nan: a number expected"),
        ("prog,depth=1,order=discz", "option order=discz: none, discs expected"),
        ("prog,depth=1,until=dawn", "option until=dawn: end or a whole number expected"),
    ],
)
def test_wrong_options_say_what_is_expected(rest: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        create_player(f"options:{rest}")


def test_a_player_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine.py").write_text(
        "from __future__ import annotations\n"
        "from othellier.players import Player\n"
        "from othellier.games.results import Result\n"
        "class Last(Player):\n"
        "    def __init__(self, *, skip: int = 0) -> None:\n"
        "        self.skip = skip\n"
        "    def choose(self, position, limit):\n"
        "        return Result(position.moves()[-1 - self.skip], position.turn)\n"
        "class Other:\n"
        "    pass\n"
    )
    monkeypatch.chdir(tmp_path)
    assert answer(create_player("mine.py:Last"), native.start()).move == 44
    assert answer(create_player(f"{tmp_path / 'mine.py'}:Last:skip=1"), native.start()).move == 37
    for spec, words in {
        "mine.py:Lst": "mine.py has no class or function 'Lst', did you mean 'Last'?",
        "mine.py:Other": "class 'Other' of mine.py is not a Player",
        "mine.py": r"which player of the file\? Write mine.py:NAME, or mine.py:\* for its only one",
        "mine.py:Last:skp=1": "unknown option 'skp', did you mean 'skip'?",
        "mine.py:Last:skip=a": "option skip=a: a whole number expected",
    }.items():
        with pytest.raises(ConfigError, match=words):
            create_player(spec)
    (tmp_path / "broken.py").write_text("1 / 0\n")
    with pytest.raises(ConfigError, match=r"broken.py cannot be loaded: ZeroDivisionError: .* \(broken.py, line 1\)"):
        create_player("broken.py:Last")


# -- limits and results


@pytest.mark.parametrize(
    "options",
    [{"depth": -1}, {"time": float("nan")}, {"selectivity": 0}, {"selectivity": 101}, {"infinite": True, "depth": 3}],
)
def test_limits_that_make_no_sense_are_refused(options: dict[str, int]) -> None:
    with pytest.raises(ConfigError, match="limit"):
        Limit(**options)  # type: ignore[arg-type]


def test_a_result_knows_whose_score_it_tells() -> None:
    result = Result(19, "white", score=4, source="exact")
    assert (result.score_for("white"), result.score_for("black")) == (4, -4)
    assert result.is_exact
    assert not Result(19, "white", score=4, source="exact", bound="lower").is_exact
    assert not Result(19, "white", score=4, source="search").is_exact
    assert Result(19, "white", score=4, source="search").bound == "estimate"
    assert Result(19, "white", score=4, source="exact", selectivity=95).bound == "estimate"


def test_the_best_of_several_values_is_proven_where_the_others_are_proven_to_be_no_better() -> None:
    best = Result(19, "black", 4.0, source="exact")
    others: list[tuple[Result, bool]] = [
        (Result(26, "black", 4.0, source="exact"), True),
        (Result(26, "black", 2.0, bound="upper", source="exact"), True),
        (Result(26, "black", 2.0, bound="lower", source="exact"), False),
        (Result(26, "black", 2.0, source="search"), False),
        (Result(26, "black", 2.0, bound="upper", source="search"), False),
        (Result(26, "black"), False),
    ]
    for other, exact in others:
        first, second = compared([best, other])
        assert (first.is_move_exact, first.is_exact, second.is_exact) == (True, exact, other == replace(best, move=26))
    assert Result(19, "white").score_for("black") is None


@pytest.mark.parametrize(("asked", "looked"), [(2, 2), (3, 3), (5, 3), (None, 3)])
def test_an_engine_looks_no_deeper_than_it_may_nor_than_it_is_asked_to(asked: int | None, looked: int) -> None:
    player = create_player("engine:depth=3")
    player.new_game(native.start())
    assert answer(player, native.start(), Limit(depth=asked)).depth == looked
    player.close()


@pytest.mark.parametrize(("asked", "used"), [(None, 40_000), (20_000, 20_000), (400_000, 40_000)])
def test_an_engine_visits_no_more_nodes_than_it_may_nor_than_it_is_asked_to(asked: int | None, used: int) -> None:
    with create_player("engine:nodes=40000,hash=1") as player:
        player.new_game(native.start())
        found = answer(player, native.start(), Limit(nodes=asked, clock=1000))
    assert 0.8 * used <= found.nodes <= used + 10_000


@pytest.mark.parametrize(
    ("own", "limit"),
    [("time=30", Limit(time=30)), ("depth=60", Limit(depth=60)), ("nodes=400000000", Limit(nodes=400_000_000))],
)
def test_an_engine_with_a_limit_of_its_own_keeps_to_the_clock_too(
    own: str, limit: Limit, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Limit] = []
    monkeypatch.setattr(Engine, "search", lambda self, position, limit: asked.append(limit))
    with create_player(f"engine:{own},hash=1") as player:
        player.new_game(native.start())
        player.choose(native.start(), Limit(clock=7, increment=0.5))
    assert asked == [replace(limit, clock=7, increment=0.5)]


@pytest.mark.parametrize("options", ["nodes=9,depth=3", "nodes=9,time=1", "depth=3,time=1", "nodes=9,level=expert"])
def test_an_engine_has_one_limit_of_its_own(options: str) -> None:
    with pytest.raises(ConfigError, match="one"):
        create_player(f"engine:{options}")


def test_a_level_has_its_book_and_no_more_of_it_than_it_should() -> None:
    level = find_level("amateur")
    player = create_player("engine:level=amateur,seed=1")
    position = native.start()
    player.new_game(position)
    sources = []
    while 60 - position.empties < level.book_moves + 2:
        result = answer(player, position)
        sources.append(result.source)
        position = position.play(result.move)
    player.close()
    assert sources[0] == "book"
    assert "book" not in sources[level.book_moves :]


def test_the_engine_plays_with_networks_of_a_file(tmp_path: Path) -> None:
    position = native.start().play(19)
    with resources.as_file(resources.files("othellier") / "data" / "networks.weights") as path:
        own, given = create_player("engine:depth=4"), create_player(f"engine:depth=4,networks={path}")
        assert answer(own, position).score == answer(given, position).score
    (tmp_path / "none.weights").write_bytes(b"nothing")
    for missing in (tmp_path / "none.weights", tmp_path / "missing"):
        with pytest.raises(WeightsError, match=missing.name):
            create_player(f"engine:depth=4,networks={missing}")
