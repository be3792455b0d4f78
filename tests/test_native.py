"""The compiled Position answers every question as the plain one does."""

import copy
import inspect
import os
import pickle
import random
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import othellier
from othellier.errors import IllegalMove, InvalidPosition, OthellierError, WrongType
from othellier.reference import Position
from othellier.rules import native
from othellier.rules.geometry import PASS, SYMMETRIES, Size, square_name

PERFT = tomllib.loads((Path(__file__).parent / "data" / "perft.toml").read_text())
SIZES = [Size(*sides) for sides in product((4, 6, 8), repeat=2)]

assert native.core is not None, "the compiled core is missing: run `make test`"
core = native.core


@st.composite
def twins(draw: st.DrawFn) -> tuple[Position, Position]:
    """The same position of both kinds: of a real game, or one that no game can reach."""
    size = draw(st.sampled_from(SIZES))
    rng = draw(st.randoms(use_true_random=False))
    if draw(st.booleans()):
        plain = Position.random(rng, size)
    else:
        occupied = rng.getrandbits(size.squares) | rng.getrandbits(size.squares)
        mine = occupied & rng.getrandbits(size.squares)
        plain = Position(mine, occupied & ~mine, draw(st.sampled_from(["black", "white"])), size)
    twin = native.position(plain.player, plain.opponent, plain.turn, plain.size)
    assert type(twin) is core.Position
    return plain, twin


def answer(ask: Callable[[Position], object], position: Position) -> object:
    """What a question brings: a value, or an error's kind and words."""
    try:
        value = ask(position)
    except OthellierError as error:
        return type(error), str(error)
    if isinstance(value, core.Position):
        return Position(value.player, value.opponent, value.turn, value.size)
    return value


QUESTIONS: dict[str, Callable[[Position], object]] = {
    "player": lambda p: p.player,
    "opponent": lambda p: p.opponent,
    "turn": lambda p: p.turn,
    "size": lambda p: (type(p.size), p.size, str(p.size)),
    "black": lambda p: p.black,
    "white": lambda p: p.white,
    "empty_mask": lambda p: p.empty_mask,
    "empties": lambda p: p.empties,
    "discs": lambda p: (p.discs("black"), p.discs("white")),
    "moves_mask": lambda p: p.moves_mask(),
    "moves": lambda p: p.moves(),
    "move_table": lambda p: p.move_table(),
    "must_pass": lambda p: p.must_pass(),
    "is_over": lambda p: p.is_over(),
    "score": lambda p: (p.score(), p.score("winner"), p.score(count="discs")),
    "perft": lambda p: (p.perft(0), p.perft(1), p.perft(depth=2)),
    "perft -1": lambda p: p.perft(-1),
    "symmetries": lambda p: p.symmetries(),
    "canonical": lambda p: p.canonical(),
    "transform -1": lambda p: p.transform(-1),
    "transform 8": lambda p: p.transform(8),
    "board_string": lambda p: p.board_string(),
    "repr": repr,
    "str": str,
    "svg": lambda p: p._repr_svg_(),
    "hash": hash,
    "match": lambda p: p.__match_args__,
    "doc": lambda p: p.__doc__,
}


@given(twins())
def test_both_answer_alike(pair: tuple[Position, Position]) -> None:
    plain, twin = pair
    for question, ask in QUESTIONS.items():
        assert answer(ask, twin) == answer(ask, plain), question


@given(twins())
def test_both_take_every_square_alike(pair: tuple[Position, Position]) -> None:
    plain, twin = pair
    for square in (*range(-3, plain.size.squares + 3), 10**30, -(10**30)):
        assert twin.flips_mask(square) == plain.flips_mask(square)
        assert twin.flips(square) == plain.flips(square)
        assert twin.is_legal(square) == plain.is_legal(square)
        assert answer(lambda p, s=square: p.play(s), twin) == answer(lambda p, s=square: p.play(s), plain)  # type: ignore[misc]


@given(twins())
def test_both_take_every_name_alike(pair: tuple[Position, Position]) -> None:
    plain, twin = pair
    names = [square_name(square, plain.size) for square in range(-1, plain.size.squares)]
    for name in (*names, "PASS", "H8", "i1", "a9", "a0", "", "f", "f55", "é", "\ud800", " a1"):
        assert twin.flips_mask(name) == plain.flips_mask(name), name
        assert twin.flips(name) == plain.flips(name)
        assert twin.is_legal(name) == plain.is_legal(name)
        assert answer(lambda p, n=name: p.play(n), twin) == answer(lambda p, n=name: p.play(n), plain)  # type: ignore[misc]
    for square, name in enumerate(names, -1):
        assert twin.is_legal(name) == twin.is_legal(square)
        assert answer(lambda p, n=name: p.play(n), twin) == answer(lambda p, s=square: p.play(s), twin)  # type: ignore[misc]


@given(twins())
def test_both_see_every_symmetry_alike(pair: tuple[Position, Position]) -> None:
    plain, twin = pair
    for symmetry in SYMMETRIES:
        assert answer(lambda p, s=symmetry: p.transform(s), twin) == plain.transform(symmetry)  # type: ignore[misc]


@given(twins(), twins())
def test_equality_and_hash_do_not_see_the_kind(
    pair: tuple[Position, Position], others: tuple[Position, Position]
) -> None:
    plain, twin = pair
    assert plain == twin
    assert twin == plain
    assert (plain != twin) is (twin != plain) is False
    assert len({plain, twin, copy.copy(twin)}) == 1
    for other in others:
        assert (twin == other) == (plain == other) == (other == twin)
    things: list[object] = [None, "position", plain.player]
    assert twin not in things


@given(twins())
def test_positions_survive_pickling_and_copying(pair: tuple[Position, Position]) -> None:
    plain, twin = pair
    for again in (pickle.loads(pickle.dumps(twin)), copy.copy(twin), copy.deepcopy([twin])[0]):
        assert type(again) is core.Position
        assert again == twin == plain


def test_positions_cannot_be_changed() -> None:
    for name in ("player", "opponent", "turn", "size", "anything"):
        with pytest.raises(AttributeError):
            setattr(native.start(), name, 0)


def test_no_public_name_is_missing_on_either_side() -> None:
    public = {name for name in dir(Position) if not name.startswith("_")}
    assert {name for name in dir(core.Position) if not name.startswith("_")} == public
    assert {"_repr_svg_", "__match_args__"} <= set(dir(core.Position))


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_start_is_the_same(size: Size) -> None:
    assert native.start(size) == Position.start(size) == core.Position.start(str(size))
    assert type(native.start(size)) is core.Position


@pytest.mark.parametrize("size", ["10", "12", "4x10"])
def test_larger_boards_are_plain(size: str) -> None:
    assert type(native.start(size)) is Position
    assert type(native.random_position(random.Random(1), size, 90 if size == "10" else None)) is Position
    assert type(native.parse(Position.start(size).board_string(), size)) is Position
    with pytest.raises(InvalidPosition, match="4x4 to 8x8"):
        core.Position.start(size)


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_random_positions_are_the_same(size: Size) -> None:
    for seed in range(10):
        ours, theirs = random.Random(seed), random.Random(seed)
        assert native.random_position(ours, size) == Position.random(theirs, size)
        assert ours.random() == theirs.random()
    assert native.random_position(random.Random(1), size, 5).empties == 5
    with pytest.raises(InvalidPosition, match="empty squares"):
        native.random_position(random.Random(1), size, -1)


@pytest.mark.parametrize("text", ["", "X", "-" * 17, "-----OX--XO----- 0", "-----OX--XO----- X"])
def test_board_strings_are_read_alike(text: str) -> None:
    expected = answer(lambda _: Position.parse(text), native.start())
    assert answer(lambda _: native.parse(text), native.start()) == expected
    assert answer(lambda _: core.Position.parse(text), native.start()) == expected


@pytest.mark.parametrize(
    "fields",
    [
        (3, 2),
        (1 << 64, 0),
        (0, -1),
        (1 << 16, 0, "black", Size(4, 4)),
        (1, 2, "green"),
        (1, 2, None),
        (0, 1 << 99, "white", Size(6, 4)),
    ],
)
def test_impossible_positions_are_refused_alike(fields: tuple[Any, ...]) -> None:
    with pytest.raises(InvalidPosition) as plain:
        Position(*fields)
    with pytest.raises(InvalidPosition) as ours:
        native.position(*fields)
    assert str(ours.value) == str(plain.value)


@pytest.mark.parametrize("fields", [("1", 2), (1, 2.0), (None, 2), (1, 2, "black", 2.5), (1, 2, "black", None)])
def test_discs_of_the_wrong_type_are_refused_in_words(fields: tuple[Any, ...]) -> None:
    for make in (native.position, Position, othellier.Position):
        with pytest.raises(WrongType, match="expected") as error:
            make(*fields)
        assert isinstance(error.value, TypeError)
    assert "Position" in repr(native.position(1, 2, "white", 8))


QUESTIONS_OF_THE_WRONG_TYPE: list[Callable[[Position], object]] = [
    lambda p: p.play(2.5),  # type: ignore[arg-type]
    lambda p: p.play(None),  # type: ignore[arg-type]
    lambda p: p.is_legal([37]),  # type: ignore[arg-type]
    lambda p: p.flips(b"f5"),  # type: ignore[arg-type]
    lambda p: p.perft("3"),  # type: ignore[arg-type]
    lambda p: p.transform(1.0),  # type: ignore[arg-type]
    lambda p: p.parse(64),  # type: ignore[arg-type]
    lambda p: p.start(None),  # type: ignore[arg-type]
]


@pytest.mark.parametrize("ask", QUESTIONS_OF_THE_WRONG_TYPE)
def test_arguments_of_the_wrong_type_are_refused_alike(ask: Callable[[Position], object]) -> None:
    with pytest.raises(WrongType, match="expected") as error:
        ask(Position.start())
    assert answer(ask, native.start()) == (WrongType, str(error.value))


def test_a_move_that_is_no_square_is_illegal_whatever_its_form() -> None:
    for move in ("i9", 64, "f55"):
        with pytest.raises(IllegalMove, match=f"illegal move {move}: no such square"):
            native.start().play(move)


# -- one class to the eye


@pytest.mark.parametrize("size", ["4", "8", "6x4", "10", "4x12"])
def test_one_class_stands_for_both_kinds(size: str) -> None:
    shown = othellier.Position
    text = Position.start(size).board_string()
    made = (
        shown.start(size),
        othellier.start(size),
        shown.parse(text, size),
        shown.random(random.Random(1), size),
        shown(1, 2, "white", Size.parse(size)),
        shown(1, 2, size=size),  # type: ignore[arg-type]
    )
    kind = type(native.start(size))
    for position in (
        *made,
        pickle.loads(pickle.dumps(made[0])),
        copy.deepcopy(made[0]),
        made[0].play("pass" if not made[0].moves() else made[0].moves()[0]),
    ):
        assert type(position) is kind, "the faster kind where there is one"
        assert isinstance(position, shown)
        assert issubclass(type(position), shown)
    assert isinstance(Position.start(size), shown)
    assert made[0] == othellier.start(size) == made[2] == Position.start(size)
    match made[0]:
        case shown(player=player, turn="black"):
            assert player == made[0].player
        case _:
            pytest.fail("a position matches its class")


def test_what_is_no_position_is_no_instance() -> None:
    assert not isinstance((1, 2), othellier.Position)
    assert not issubclass(int, othellier.Position)
    assert issubclass(othellier.Position, othellier.Position)
    assert pickle.loads(pickle.dumps(othellier.Position)) is othellier.Position


def test_methods_can_be_taken_from_the_class() -> None:
    positions = [native.start(), native.start(4), native.start(10)]
    assert [othellier.Position.moves(position) for position in positions] == [p.moves() for p in positions]


@pytest.mark.parametrize("size", [size for size in PERFT if native.fits(Size.parse(size))])
def test_perft_counts_the_known_leaves(size: str) -> None:
    for depth, leaves in enumerate(PERFT[size][:9], start=1):
        assert native.perft(depth, size) == leaves


def test_perft_is_the_same_below_the_depth_where_it_looks_for_interrupts() -> None:
    position = native.random_position(random.Random(3), 4, 7)
    plain = Position(position.player, position.opponent, position.turn, position.size)
    assert [position.perft(depth) for depth in (8, 11, 12, 15)] == [plain.perft(depth) for depth in (8, 11, 12, 15)]


def test_whole_games_are_the_same() -> None:
    rng = random.Random(11)
    for size in SIZES:
        plain, twin = Position.start(size), native.start(size)
        while not twin.is_over():
            assert plain.moves() == twin.moves()
            move = rng.choice(twin.moves() or [PASS])
            plain, twin = plain.play(move), twin.play(move)
            assert plain == twin
        assert plain.is_over()
        assert plain.score() == twin.score()


def run(code: str, *options: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *options, "-c", inspect.cleandoc(code)],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def test_the_package_works_without_the_core() -> None:
    done = run(
        """
        from othellier.rules import native
        print(native.available, native.variant, type(native.start()).__module__, native.perft(4))
        """,
        OTHELLIER_CORE="python",
    )
    assert (done.stdout, done.stderr) == ("False none, as asked othellier.reference 244\n", "")


def test_a_missing_core_is_said_in_one_line() -> None:
    done = run(
        """
        import sys
        sys.modules["othellier._core"] = sys.modules["othellier._cpu"] = None  # alone, or in variants
        from othellier.rules import native
        print(native.available, native.variant, native.perft(3))
        """
    )
    assert done.stdout == "False none 56\n"
    assert done.stderr.count("\n") == 1
    assert "the compiled core is missing" in done.stderr


def test_positions_are_unpickled_as_plain_ones_without_the_core() -> None:
    data = pickle.dumps(native.start("4x6"))
    done = run(
        f"""
        import pickle
        position = pickle.loads({data!r})
        print(type(position).__module__, position.board_string())
        """,
        OTHELLIER_CORE="python",
    )
    assert done.stdout == f"othellier.reference {native.start('4x6').board_string()}\n"


def test_a_core_that_cannot_be_had_is_said_in_one_line() -> None:
    done = run("from othellier.rules import native; print(native.variant)", OTHELLIER_CORE="x86-64-v9")
    assert done.stdout == f"{core.ARCH}\n"
    assert done.stderr == f"othellier: OTHELLIER_CORE=x86-64-v9 cannot be had here, {core.ARCH} is used\n"


@pytest.mark.parametrize(("level", "chosen"), [(1, "none"), (2, "x86-64-v2"), (3, "x86-64-v3"), (4, "x86-64-v3")])
def test_a_wheel_with_variants_takes_the_newest_the_processor_runs(level: int, chosen: str, tmp_path: Path) -> None:
    package = tmp_path / "othellier"
    compiled = shutil.ignore_patterns("*.so", "__pycache__", "_variants")
    shutil.copytree(Path(othellier.__file__).parent, package, ignore=compiled)
    (package / "_cpu.py").write_text(f"def level() -> int: return {level}")
    for name in ("x86-64-v2", "x86-64-v3"):
        (package / "_variants" / name).mkdir(parents=True)
        shutil.copy(str(core.__file__), package / "_variants" / name)
    # -S: without the site packages, where the package under test would be found first.
    done = run(
        """
        from pathlib import Path
        from othellier.rules import native
        print(Path(native.core.__file__).parent.name if native.core else native.variant, native.perft(3))
        """,
        "-S",
        PYTHONPATH=str(tmp_path),
    )
    assert done.stdout == f"{chosen} 56\n", done.stderr
    assert ("older than every variant" in done.stderr) == (chosen == "none")


def test_importing_the_package_imports_nothing_heavy() -> None:
    done = run("import othellier, sys; print(sorted({'numpy', 'typer', 'othellier._core'} & set(sys.modules)))")
    assert done.stdout == "[]\n"


def test_every_name_of_the_package_can_be_had() -> None:
    for name in othellier.__all__:
        assert getattr(othellier, name) is not None
        assert name in dir(othellier)
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        othellier.nonsense  # type: ignore[attr-defined]  # noqa: B018


def test_the_stub_is_what_the_core_offers() -> None:
    # As `python -m nanobind.stubgen -m othellier._core -o src/othellier/_core.pyi` writes it, in a process
    # where the plain class has lent nothing to the compiled one. In a wheel the core lies in a folder of variants.
    stub = Path(othellier.__file__).with_name("_core.pyi")
    done = run(
        f"""
        import sys
        from importlib import util
        from nanobind.stubgen import StubGen
        spec = util.spec_from_file_location("othellier._core", {core.__file__!r})
        sys.modules[spec.name] = core = util.module_from_spec(spec)
        spec.loader.exec_module(core)
        core.ARCH = "native"  # whatever it was compiled for
        stub = StubGen(core)
        stub.put(core)
        print(stub.get(), end="")
        """
    )
    assert done.stdout == stub.read_text(), "regenerate the stub: see the comment in this test"
