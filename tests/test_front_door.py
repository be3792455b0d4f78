"""`import othellier`: its public names, what they cost, and players as objects in matches and tournaments."""

import asyncio
import doctest
import importlib
import inspect
import pydoc
import re
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from unittest.mock import ANY

import numpy as np
import pytest

import othellier
from othellier import Engine, Limit, Player, Position, Result, arena, create_player, match, players, start, tournament
from othellier.errors import ConfigError, InvalidPosition, OthellierError, PlayerError, WrongType
from othellier.players import FunctionPlayer, lent, registered
from waiting import in_loop

ROOT = Path(__file__).parents[1]

# A change of these lists is a change of what people build on: docs/stability.md says when it may be made.
FACES = {
    "": "Engine Game GameAnalysis IllegalMove InvalidPosition Limit Node OthellierError PASS Player Position "
    "RecordError Result Size Stop WrongType analyze answer answer_async arena batch convert create_player databases "
    "errors lab learn match openings parse parse_square perft pictures players position random_position read records "
    "reference square_name start tournament train write",
    "arena": "Estimate Match OpeningMoves Played Sprt Tally Tournament TournamentReport play_game",
    "databases": "Exploration Explorer GameCollection MoveStatistics Query Statistics load",
    "learn": "Archive LearntEvaluation Run shipped_card",
    "openings": "Book Opening Start balanced book name_of names opening_of",
}


NAMES = FACES[""].split()


def face(name: str) -> ModuleType:
    if name == "learn":
        pytest.importorskip("torch")  # which is not to be had everywhere: scripts/pytorch.sh
    return importlib.import_module(f"othellier.{name}".rstrip("."))


@pytest.mark.parametrize("name", FACES)
def test_the_public_names_are_these(name: str) -> None:
    package = face(name)
    assert sorted(package.__all__) == sorted(FACES[name].split())
    for public in package.__all__:
        assert getattr(package, public) is not None
        assert public in dir(package)
    with pytest.raises(AttributeError, match=f"module '{package.__name__}' has no attribute 'nonsense'"):
        package.nonsense  # noqa: B018


MODULES = ["", *(name for name in NAMES if inspect.ismodule(getattr(othellier, name)))]


@pytest.mark.parametrize("name", MODULES)
def test_every_public_class_and_function_has_an_example(name: str) -> None:
    """In its docstring or that of a method; doctests run them."""
    package = face(name)
    without = []
    for public in package.__all__:
        value = getattr(package, public)
        if inspect.isclass(value) or inspect.isfunction(value):
            parts = [value, *(vars(value).values() if inspect.isclass(value) else ())]
            if not any(">>>" in (getattr(part, "__doc__", None) or "") for part in parts):
                without.append(public)
    assert without == []


def test_stability_lists_every_name() -> None:
    text = (ROOT / "docs" / "stability.md").read_text("utf-8")
    assert [name for name in NAMES if f"`{name}`" not in text] == []


def run(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120)
    return done.stdout


def test_importing_costs_nothing_and_a_name_only_what_it_needs() -> None:
    heavy = "{'numpy', 'typer', 'typing', 'pydantic', 'torch', 'matplotlib', 'asyncio', 'othellier._core'}"
    assert run(f"import othellier, sys; print(sorted({heavy} & set(sys.modules)))") == "[]\n"
    # Players, engine and drawings do without what only configurations, figures and training need.
    assert run(f"import othellier as o, sys; o.pictures, o.Engine, o.create_player; print(sorted({heavy} - "
               "{'numpy', 'typing', 'othellier._core'} & set(sys.modules)))") == "[]\n"  # fmt: skip


def test_help_helps() -> None:
    text = pydoc.plain(pydoc.render_doc(othellier))
    for words in ("Playing and thinking", "class Engine", "match(a", "docs/python.md"):
        assert words in text
    for name in NAMES:
        value = getattr(othellier, name)
        if inspect.ismodule(value) or inspect.isclass(value) or inspect.isfunction(value):
            assert inspect.getdoc(value), name


def test_the_tour_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")  # it ends with a training run
    monkeypatch.chdir(tmp_path)
    path = ROOT / "docs" / "python.md"
    result = doctest.testfile(str(path), module_relative=False, encoding="utf-8", optionflags=doctest.ELLIPSIS)
    assert result.attempted >= 30
    assert result.failed == 0


# -- players as objects


class Corners(Player):
    """A corner where there is one, else the first move."""

    def __init__(self) -> None:
        self.games = 0
        self.closed = False

    def new_game(self, start: Position) -> None:
        self.games += 1

    def choose(self, position: Position, limit: Limit) -> Result:
        size = position.size
        corners = {0, size.columns - 1, size.squares - size.columns, size.squares - 1}
        return Result(min(position.moves(), key=lambda move: move not in corners), position.turn)

    def close(self) -> None:
        self.closed = True


def last(position: Position) -> int:
    return position.moves()[-1]


def test_a_match_takes_objects_functions_and_strings() -> None:
    player, told = Corners(), list[tuple[int, int]]()
    with player:
        played = match(player, last, games=4, size=6, progress=lambda done, total: told.append((done, total)))
        assert not player.closed, "it is the caller's"
        again = match("random:seed=1", last, games=2, size=6)
    assert player.closed
    assert played.tally.games == 4
    assert told == [(2, 4), (4, 4)]
    assert player.games > 4, "it was told of every game"
    assert str(played).startswith(f"Corners - last: +{played.tally.wins} ")
    assert again.names == ("random:seed=1", "last")
    assert "Corners" not in {known.name for known in registered()}, "nothing is left behind"


def test_two_of_a_kind_have_names_of_their_own() -> None:
    with lent([Corners(), Corners(), last, lambda position: position.moves()[0]]) as specs:
        assert specs == ["Corners", "Corners-2", "last", "player"]
        assert create_player("Corners-2").choose(start(), Limit()).move == start().moves()[0]
    with pytest.raises(ConfigError, match="unknown player"):
        create_player("Corners-2")


def test_a_player_that_fails_loses_by_its_name(tmp_path: Path) -> None:
    def broken(position: Position) -> str:
        return "z9"

    with pytest.raises(PlayerError, match=r"^broken lost 2 games in a row by errors, .* broken played 'z9', which is"):
        match(broken, "random:seed=1", games=2, size=4, save=tmp_path / "games.jsonl")
    text = (tmp_path / "games.jsonl").read_text()
    assert text.count("\n") == 2
    assert "broken" in text


def test_a_tournament_takes_objects_and_names() -> None:
    report = tournament({"corners": Corners(), "last": last, "dice": "random:seed=2"}, games=2, size=4, title="Three")
    assert report.title == "Three"
    assert {line.name for line in report.standings} == {"corners", "last", "dice"}
    assert all(line.total.games == 4 for line in report.standings)
    assert str(report).splitlines()[0].split()[:2] == ["player", "points"]
    assert "<table>" in report._repr_html_()


def test_a_tournament_goes_on_in_its_folder(tmp_path: Path) -> None:
    first = tournament(["random:seed=1", "random:seed=2"], games=2, size=4, folder=tmp_path)
    written = (tmp_path / "games.jsonl").read_bytes()
    again = tournament(["random:seed=1", "random:seed=2"], games=2, size=4, folder=tmp_path)
    assert (tmp_path / "games.jsonl").read_bytes() == written
    assert str(again) == str(first)


@pytest.mark.parametrize(
    ("settings", "words"),
    [({"system": "knockout"}, "system"), ({"nonsense": 1}, "nonsense"), ({"size": 5}, "size"), ({"games": 0}, "games")],
)
def test_a_wrong_setting_of_a_tournament_is_a_config_error(settings: dict[str, object], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        tournament(["random", "random:seed=1"], **settings)  # type: ignore[arg-type]


def test_create_player_takes_options_objects_and_functions() -> None:
    with create_player("alphabeta", depth=3, killer=True) as searcher:
        assert isinstance(searcher, players.ClassicalPlayer)
        with create_player("alphabeta:depth=3,killer=yes") as same:
            assert vars(searcher).keys() == vars(same).keys()
    player = Corners()
    assert create_player(player) is player
    assert isinstance(create_player(last), FunctionPlayer)
    with create_player(lambda position: np.int64(position.moves()[0])) as numeric:  # as argmax gives it
        assert numeric.choose(start(), Limit()).move == start().moves()[0]
    with pytest.raises(ConfigError, match="unknown option 'dept', did you mean 'depth'"):
        create_player("alphabeta", dept=3)
    for wrong in (5, None, int):
        with pytest.raises(WrongType, match="a string such as 'engine:level=expert', a Player or a function expected"):
            create_player(wrong)  # type: ignore[arg-type]


def test_one_game_between_two_objects() -> None:
    opening = arena.OpeningMoves(start(4))
    played = arena.play_game(create_player(last), Corners(), opening)
    assert played.end().is_over()
    assert played.game("last", "corners").headers.white == "corners"


# -- engines


def test_a_search_can_be_awaited_and_gives_the_same() -> None:
    async def both(engine: Engine) -> tuple[Result, list[Result], Result]:
        found = await engine.search_async(start(), Limit(depth=6))
        moves = await engine.analyze_async(start(6), Limit(depth=4), best=2)
        solved = await engine.solve_async(start(4))
        return found, moves, solved

    with Engine(hash_mb=1) as engine:
        found, moves, solved = in_loop(lambda: both(engine))
        engine.new_game()
        assert found.score == engine.search(start(), Limit(depth=6)).score
        assert [line.score for line in moves] == [
            line.score for line in engine.analyze(start(6), Limit(depth=4), best=2)
        ]
        assert (solved.score, solved.is_exact) == (-10, True)


def test_an_engine_is_closed_at_the_end_of_async_with() -> None:
    async def once() -> Engine:
        async with Engine(hash_mb=1) as engine:
            await engine.search_async(start(), Limit(depth=2))
        return engine

    with pytest.raises(OthellierError, match="the engine is closed"):
        in_loop(once).search(start(), Limit(depth=2))


def test_a_cancelled_search_ends() -> None:
    async def impatient(engine: Engine) -> None:
        task = asyncio.ensure_future(engine.search_async(start(), Limit(infinite=True)))
        await asyncio.sleep(0)  # let it begin
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wait_for(task, 60)

    with Engine(hash_mb=1) as engine:
        in_loop(lambda: impatient(engine))
        assert engine.search(start(), Limit(depth=2)).depth == 2, "the engine can be used again"
    assert not [thread for thread in threading.enumerate() if "asyncio" in thread.name]


def test_an_engine_plays_a_level_by_its_name() -> None:
    with Engine(hash_mb=1) as engine:
        assert engine.play(start(), "amateur").depth >= 1
        with pytest.raises(ConfigError, match="level"):
            engine.play(start(), "wizard")
    with pytest.raises(OthellierError):
        engine.search(start(), Limit(depth=2))


# -- what newcomers try


def test_what_one_sees_says_what_it_is() -> None:
    rectangle = start("4x6").play("d4")
    for position in (start(), start(10), rectangle):
        assert eval(repr(position), {"Position": Position}) == position
    game = othellier.Game.from_moves("f5 D6 c3")
    assert game.transcript() == "F5D6C3"
    assert (repr(game.root), repr(game.goto(2))) == ("<GameNode 0 start>", "<GameNode 2 d6>")


def test_a_disc_is_asked_for_by_its_square() -> None:
    for size in (8, 10):
        position = start(size)
        middle = size // 2 * size + size // 2  # on the falling diagonal
        assert (position.color_at(middle), position.color_at(middle - 1)) == ("white", "black")
        assert position.color_at("a1") is None
        with pytest.raises(InvalidPosition, match="'z9' is not a square"):
            position.color_at("z9")


def test_a_wrong_guess_is_told_the_way() -> None:
    with pytest.raises(WrongType, match=r"Position\.start\(\)"):
        Position()  # type: ignore[call-arg]
    with pytest.raises(InvalidPosition, match=r"Game\.from_moves\('f5d6'\)"):
        othellier.Game("f5d6")
    with pytest.raises(WrongType, match=r"First is a class: First\(\) makes a player of it"):
        create_player(First)  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="did you mean 'engine:level=nora'"):
        create_player("nora")
    with pytest.raises(ConfigError, match="did you mean 'engine:level=nora'"):
        tournament(["nora", "random"], games=2)
    with pytest.raises(ConfigError, match="option depth cannot be a function"):
        create_player("pvs", depth=len)
    for name, words in {
        "Board": "Position",
        "svg": "pictures",
        "solve": "Engine",
        "play": "match",
        "load": "read",
    }.items():
        with pytest.raises(AttributeError, match=f"has no attribute '{name}': .*{words}"):
            getattr(othellier, name)


class First(Player):
    """The first move there is."""

    def choose(self, position: Position, limit: Limit) -> Result:
        return Result(position.moves()[0], position.turn)


def test_an_engine_takes_depth_time_and_nodes_without_a_limit() -> None:
    with Engine(hash_mb=1) as engine:
        assert engine.search(start(), depth=3) == replace(
            engine.search(start(), Limit(depth=3)), seconds=ANY, nodes=ANY
        )
        assert engine.search(start(), depth=9, time=0.0).depth < 9
        assert engine.search(start(), depth=9, nodes=100).depth < 9
        assert in_loop(lambda: engine.search_async(start(), nodes=100)).depth < 9
        assert [line.depth for line in engine.analyze(start(), depth=2, best=2)] == [2, 2]
        assert in_loop(lambda: engine.search_async(start(), depth=2)).depth == 2
        assert len(in_loop(lambda: engine.analyze_async(start(), depth=2, best=3))) == 3
        with pytest.raises(ConfigError, match="not both"):
            engine.search(start(), Limit(depth=3), depth=4)


def test_any_player_can_be_awaited() -> None:
    async def ask() -> Result:
        async with create_player("alphabeta:depth=2") as player:
            return await othellier.answer_async(player, start(), Limit(depth=1))

    assert in_loop(ask).depth == 1


def test_a_cancelled_answer_ends() -> None:
    heard = threading.Event()

    class Waiting(Player):
        def choose(self, position: Position, limit: Limit) -> Result:
            assert limit.stop is not None
            begun.set()
            with limit.stop.calling(heard.set):
                assert heard.wait(60), "the stop of the limit was awaited"
            return Result(position.moves()[0], position.turn)

    begun = threading.Event()

    async def cancel() -> None:
        task = asyncio.ensure_future(othellier.answer_async(Waiting(), start()))
        assert await asyncio.to_thread(begun.wait, 60), "the beginning was awaited"
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    in_loop(cancel)
    assert heard.is_set()


def test_a_search_takes_an_evaluation_of_ones_own() -> None:
    asked = []

    def few(mine: int, theirs: int) -> int:
        asked.append(mine)
        return theirs.bit_count() - mine.bit_count()

    with create_player("alphabeta", depth=2, eval=few) as player:
        assert othellier.answer(player, start()).move in start().moves()
    assert asked
    with pytest.raises(WrongType, match=r"eval .* the name of an evaluator"):
        create_player("knowledge", depth=2, eval=few)


def test_things_say_what_they_are(tmp_path: Path) -> None:
    assert repr(create_player("random:seed=1")) == "<RandomPlayer random:seed=1>"
    assert repr(First()) == "<First>"
    (tmp_path / "cold.py").write_text(
        "from dataclasses import dataclass\nfrom othellier import Player, Result\n\n"
        "@dataclass(frozen=True, repr=False)\nclass Cold(Player):\n"
        "    def choose(self, position, limit):\n        return Result(position.moves()[0], position.turn)\n"
    )
    frozen = f"{tmp_path / 'cold.py'}:Cold"
    assert repr(create_player(frozen)) == f"<Cold {frozen}>"
    assert repr(othellier.analyze("f5d6", "quick")) == "<GameAnalysis of 2 moves, quick, black 100 %, white 100 %>"
    report = tournament(["random:seed=1", "random:seed=2"], games=2, size=4)
    assert repr(report) == "<TournamentReport of 2 players, 2 games>"
    assert re.fullmatch(r"<Book .* of \d+ positions, made .*>", repr(othellier.openings.book.shipped()))


def test_squares_are_drawn_by_name_or_number() -> None:
    named = othellier.pictures.svg(
        start(), last_move="e4", values={"f5": 1.0}, exact=["f5"], circles=["a1"], arrows=[("f5", "d6")]
    )
    assert named == othellier.pictures.svg(
        start(), last_move=28, values={37: 1.0}, exact=[37], circles=[0], arrows=[(37, 43)]
    )
    assert othellier.pictures.text(start(), last_move="e4", values={"f5": 1}) == othellier.pictures.text(
        start(), last_move=28, values={37: 1}
    )
    for wrong in ("z9", 64, -1):
        with pytest.raises(InvalidPosition, match="cannot be drawn"):
            othellier.pictures.svg(start(), circles=[wrong])


def test_games_of_a_database_are_a_list(tmp_path: Path) -> None:
    played = [othellier.Game.from_moves(moves) for moves in ("f5d6c3", "f5f6e6", "f5d6c4")]
    othellier.write(played, tmp_path / "games.ggf")
    games = othellier.databases.load(tmp_path / "games.ggf", tmp_path / "index")
    assert [game.transcript() for game in games] == ["F5D6C3", "F5F6E6", "F5D6C4"]
    assert games[-1].transcript() == "F5D6C4"
    assert repr(games) == "<GameCollection of 3 games>"
    explorer = othellier.databases.Explorer(games)
    assert explorer.search(opening="diagonal").tolist() == [1]
    assert explorer.search().tolist() == [0, 1, 2]
    with pytest.raises(ConfigError, match="unknown key 'openning', did you mean 'opening'"):
        explorer.search(openning="tiger")
    with pytest.raises(ConfigError, match="not both"):
        explorer.search(othellier.databases.Query(), opening="tiger")


def test_a_random_position_needs_nothing() -> None:
    assert 0 <= othellier.random_position().empties <= 60


def test_training_without_settings_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="a full run takes hours"):
        othellier.train({}, tmp_path / "run")
    assert not (tmp_path / "run").exists()


# -- arguments of the wrong type

WRONG = (
    "o.read(5)",
    "o.write([o.Game()], 5)",
    "o.write(5, 'x.ggf')",
    "o.write(['f5'], 'x.ggf')",
    "o.convert(None, 'x.ggf')",
    "o.answer('random', o.start())",
    "o.answer(o.create_player('random'), 5)",
    "o.answer(o.create_player('random'), o.start(), 5)",
    "o.match(5, 'random')",
    "o.match('random', 'random', games='5')",
    "o.tournament('random')",
    "o.analyze(o.start())",
    "o.perft(o.start())",
    "o.train(5, 'folder')",
    "o.Game(2.5)",
    "o.Game.from_moves(5)",
    "o.Game().push(2.5)",
    "o.Game().goto('f5')",
    "o.parse(None)",
    "o.parse_square(37)",
    "o.square_name('f5')",
    "o.start(None)",
    "o.random_position(5)",
    "o.openings.name_of(5)",
    "o.databases.load(5)",
    "o.pictures.svg(5)",
    "o.pictures.text('board')",
    "o.Engine(threads='2')",
    "o.Engine(hash_mb=1.5)",
    "o.Engine(weights=5)",
    "o.Engine(hash_mb=1).analyze(o.start(), best='2')",
    "o.Engine(hash_mb=1).play(o.start(), 5)",
    "o.Limit(time='1')",
)


@pytest.mark.parametrize("call", WRONG)
def test_a_wrong_type_is_told_what_to_be(call: str) -> None:
    with pytest.raises(WrongType, match=r" is of type \w+: .* expected$"):
        eval(call, {"o": othellier})
