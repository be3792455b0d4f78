"""The core called by hand with arguments that do not fit: every function says so and none falls over.

Each probe runs in this process: one that crashes takes the tests with it and cannot go unseen.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from othellier.engine.engine import shared_networks, shared_weights
from othellier.evaluation.evaluators import EVALUATORS
from othellier.evaluation.network import shipped_networks
from othellier.rules import native
from othellier.rules.geometry import STANDARD

assert native.core is not None, "the compiled core is missing: run `make test`"
core = native.core
START = native.start()
MINE, THEIRS = START.player, START.opponent
ALL = (1 << 64) - 1
RECORD = 122
NUMBERS = 128 * 64 + 64 + 32 * 64 + 32 + 32 + 1
"""Of a classifier on the bare board: two layers and the last number."""
SHAPES = [(0, 8), (8, 0), (-8, 8), (7, 8), (8, 10), (2, 2), (1 << 30, 8), (2**31 - 1, 2**31 - 1)]

Call = Callable[..., Any]


def bits(count: int, value: int = 0) -> Any:
    return np.full(count, value, np.uint64)


def bytes_(*shape: int) -> Any:
    return np.full(shape, 255, np.uint8)


def good() -> dict[str, tuple[Call, dict[str, Any]]]:
    """Every function that takes more than itself, with arguments it accepts."""
    weights, networks = shared_weights(), shared_networks(None)
    board = {"player": bits(3, MINE), "opponent": bits(3, THEIRS)}
    shape = {"rows": 8, "columns": 8}
    tree = core.Mcts(8, 8, **_mcts())
    probcut = core.Probcut([2.0, 4.0, 4.0, 0.1], [10.0, -0.1, 0.1])
    engine = core.Engine(weights, networks, probcut, 2, 1)
    play = {"probcut": probcut, "depth": 1, "alternate": True, "selectivity": 3, "solve_empties": 4}
    some = {"threads": 1, "seed": 1}
    return {
        "batch_moves": (core.batch_moves, {**board, "masks": bits(3), **shape, "threads": 1}),
        "batch_flips": (core.batch_flips, {**board, "squares": bytes_(3), "masks": bits(3, 9), **shape, "threads": 1}),
        "batch_play": (
            core.batch_play,
            {
                **board,
                "squares": bytes_(3),
                "next_player": bits(3),
                "next_opponent": bits(3),
                "legal": bytes_(3),
                **shape,
                "threads": 1,
            },
        ),
        "random_games": (
            core.random_games,
            {
                **board,
                "seed": 1,
                "last_player": bits(3),
                "last_opponent": bits(3),
                "moves": bytes_(3, 60),
                "width": 60,
                "lengths": bytes_(3),
                "scores": np.zeros(3, np.int8),
                **shape,
                "threads": 1,
            },
        ),
        "replay": (
            core.replay,
            {
                "moves": bytes_(3, 60),
                "width": 60,
                "wthor": False,
                "black": bits(3),
                "white": bits(3),
                "lengths": bytes_(3),
                "illegal": np.zeros(3, np.int16),
                "over": bytes_(3),
                **shape,
                "threads": 1,
            },
        ),
        "fingerprints": (
            core.fingerprints,
            {"moves": bytes_(3, 60), "width": 60, "wthor": True, "prints": bits(183), **shape, "threads": 1},
        ),
        "classic_search": (
            core.classic_search,
            {
                "player": MINE,
                "opponent": THEIRS,
                **shape,
                "first_moves": START.moves_mask(),
                "algorithm": "pvs",
                "depth": 2,
                "evaluator": EVALUATORS["positional"]().data(STANDARD),
                "order": "squares",
                "square_values": [1] * 64,
                **dict.fromkeys(("killer", "table", "symmetry", "deepening", "plain_count", "shuffle_first"), True),
                "seed": 1,
                "time": 10.0,
                "nodes": 1000,
                "table_size": 100,
                "table_depth": 1,
                "weights": weights,
                "stop": None,
                "kept": core.ClassicTable(100, True, 8, 8),
            },
        ),
        "BoardClassifier": (core.BoardClassifier, {"numbers": [1] * NUMBERS}),
        "BoardClassifier.value": (
            core.BoardClassifier([1] * NUMBERS).value,
            {"player": MINE, "opponent": THEIRS},
        ),
        "ClassicTable": (core.ClassicTable, {"size": 100, "symmetry": True, **shape}),
        "Mcts": (core.Mcts, {**shape, **_mcts()}),
        "Mcts.search": (
            tree.search,
            {"player": MINE, "opponent": THEIRS, **shape, "iterations": 10, "time": 10.0, "stop": None},
        ),
        "Weights": (core.Weights, {"payload": b""}),
        "Networks": (core.Networks, {"payload": b""}),
        "Weights.raw": (weights.raw, {**board, "values": np.full(3, 99_999, np.int32)}),
        "Networks.values": (networks.values, {**board, "values": np.zeros(3, np.int32)}),
        "Networks.scores": (shipped_networks(policy=True).scores, {**board, "scores": np.zeros((3, 64), np.int32)}),
        "selfplay": (
            core.selfplay,
            {
                "weights": weights,
                "networks": networks,
                **play,
                "random_min": 50,
                "random_max": 55,
                "exploration": 0,
                **some,
                "out": bytes_(2, RECORD),
            },
        ),
        "complete_games": (
            core.complete_games,
            {"weights": weights, "networks": networks, **play, "exploration": 0, **some, "games": bytes_(2, RECORD)},
        ),
        "depth_values": (
            core.depth_values,
            {
                "weights": weights,
                "networks": networks,
                **board,
                "deepest": 2,
                "solve_empties": 0,
                "threads": 1,
                "values": np.zeros((3, 4), np.int8),
            },
        ),
        "evaluate_leaves": (core.evaluate_leaves, {"weights": weights, "networks": networks, **board}),
        "positions_of_games": (
            core.positions_of_games,
            {
                "games": bytes_(2, RECORD),
                "valued": True,
                "player": bits(120),
                "opponent": bits(120),
                "moves": bytes_(120),
                "opponent_moves": bytes_(120),
                "scores": np.zeros(120, np.int8),
                "values": np.zeros(120, np.int8),
                "game": np.zeros(120, np.int32),
            },
        ),
        "games_through": (
            core.games_through,
            {"games": bytes_(2, RECORD), **board, "reached": bytes_(2)},
        ),
        "Probcut": (core.Probcut, {"midgame": [1.0] * 4, "endgame": [1.0] * 3}),
        "Engine": (
            core.Engine,
            {"weights": weights, "networks": networks, "probcut": probcut, "megabytes": 2, "threads": 1},
        ),
        "Engine.set_threads": (engine.set_threads, {"threads": 1}),
        "Engine.set_megabytes": (engine.set_megabytes, {"megabytes": 2}),
        "Engine.search": (
            engine.search,
            {
                "player": MINE,
                "opponent": THEIRS,
                **shape,
                "plain": False,
                "depth": 2,
                "selectivity": 3,
                "win_only": False,
                "seconds": 10.0,
                "usual": 10.0,
                "nodes": 1000,
                "lines": 1,
                "progress": None,
            },
        ),
        "bench": (core.bench, {"weights": weights, "networks": networks, "probcut": probcut}),
    }


def _mcts() -> dict[str, Any]:
    return {
        "c": 1.5,
        "rollout": "weighted",
        "values": [1] * 64,
        "table": True,
        "symmetry": True,
        "keep": True,
        "seed": 1,
        "max_nodes": 1000,
    }


CALLS = good()
UNCALLED = {"Weights", "Networks", "bench"}  # no payload at all, and too long for its only good arguments


def bad_values(name: str, value: Any) -> list[Any]:
    """What does not fit in the place of an argument that does."""
    if isinstance(value, np.ndarray):
        other = np.uint8 if value.dtype != np.uint8 else np.int64
        wrong = [value.astype(other), value.tolist(), None]
        if value.shape[1:] == (RECORD,):  # any number of games
            return [*wrong, value[:, :-1].copy(), value[0], value[:, ::2], np.zeros((), np.uint8)]
        return [*wrong, value[:-1], value[:0], np.concatenate([value, value]), value[::2]]
    match name:
        case "rows" | "columns":
            return [side for pair in SHAPES for side in pair if side != 8]
        case "threads":
            return [-1, 10**6, 2**31 - 1, 2**40, "many"]
        case "width":
            return [59, 61, 2**63, -1]
        case "depth":
            return [0, -1, 10**6, -(2**31)]
        case "deepest":
            return [-1, -2, 10**9, 2**31 - 1]
        case "selectivity":
            return [-1, 6, 2**31 - 1]
        case "random_min" | "random_max" | "exploration" | "solve_empties":
            return [-5 if name != "solve_empties" else 10**6, 10**9]
        case "megabytes":
            return [-1, 2**44, 2**63]
        case "midgame" | "endgame":
            return [[], [1.0], [1.0] * 5, ["a"] * 4, 3]
        case "probcut":
            return [None, 3, [1.0] * 4]
        case "time" | "seconds" | "usual":
            return [-1.0, float("nan"), "soon"]
        case "evaluator":
            table = (3, 1, False, [1] * 65)
            return [
                [],
                [(64, [(-1, 1, False, [])])],
                [(64, [(99, 1, False, [])])],
                [(64, [table])],
                [(64, [(3, 1, False, [1] * 3)])],
            ]
        case "numbers":
            return [[], [1] * (NUMBERS - 1), [10**9] * NUMBERS, [-(2**31)] * NUMBERS, ["a"] * NUMBERS, None]
        case "square_values" | "values":
            return [[1] * 63, [1] * 65, [1] * 1000, ["a"] * 64]
        case "first_moves":
            return [0, 1, ALL]
        case "player" | "opponent":
            return [ALL, -1, 1 << 64, "x"]
        case "algorithm" | "order" | "rollout":
            return ["none of them", "", 3]
        case "payload":
            return [b"", b"\x00" * 5000, b"\xff" * 5000, np.random.default_rng(1).bytes(100_000), "text", None]
        case "weights":
            return ["x", shared_networks(None)]
        case "networks":
            return ["x", shared_weights()]
        case "progress" | "stop":
            return [] if name == "stop" else [3, "x"]
        case _:
            return []


PROBES = [
    pytest.param(call, name, bad, id=f"{call}-{name}-{number}")
    for call, (_, arguments) in CALLS.items()
    for name, value in arguments.items()
    for number, bad in enumerate(bad_values(name, value))
]


@pytest.mark.parametrize("call", [name for name in CALLS if name not in UNCALLED])
def test_good_arguments_are_taken(call: str) -> None:
    function, arguments = CALLS[call]
    before = [array.copy() for array in arguments.values() if isinstance(array, np.ndarray)]
    answer = function(**arguments)
    after = [array for array in arguments.values() if isinstance(array, np.ndarray)]
    changed = any(not np.array_equal(*pair) for pair in zip(before, after, strict=True))
    if call.startswith("Engine.set_"):  # what it has set is seen in that the engine goes on
        search, wanted = CALLS["Engine.search"]
        answer = search(**wanted)
    assert answer is not None or changed, "it neither answers nor writes anything"


@pytest.mark.parametrize(("call", "name", "bad"), PROBES)
def test_bad_arguments_are_refused(call: str, name: str, bad: object) -> None:
    function, arguments = CALLS[call]
    with pytest.raises((TypeError, ValueError, RuntimeError, OverflowError, MemoryError)):
        function(**{**arguments, name: bad})


@pytest.mark.parametrize("call", [name for name in CALLS if name not in UNCALLED])
@pytest.mark.parametrize("sides", SHAPES)
def test_no_board_but_those_of_the_core_is_taken(call: str, sides: tuple[int, int]) -> None:
    function, arguments = CALLS[call]
    if "rows" not in arguments:
        return
    with pytest.raises(ValueError, match="rows and columns"):
        function(**{**arguments, "rows": sides[0], "columns": sides[1]})


def test_every_function_is_probed() -> None:
    names = {name for name in dir(core) if not name.startswith("_") and callable(getattr(core, name))}
    assert names - {call.partition(".")[0] for call in CALLS} == {"BenchResult", "Line", "Position", "SearchResult"}


@pytest.mark.parametrize("kind", ["BenchResult", "Line", "SearchResult"])
def test_results_cannot_be_made_by_hand(kind: str) -> None:
    with pytest.raises(TypeError):
        getattr(core, kind)()


def test_networks_alone_are_no_engine() -> None:
    for call in ("Engine", "bench", "selfplay"):
        function, arguments = CALLS[call]
        with pytest.raises(ValueError, match="networks need weights"):
            function(**{**arguments, "weights": None})


def test_a_finished_game_is_not_searched() -> None:
    function, arguments = CALLS["Engine.search"]
    for player, opponent in ((0, 0), (ALL, 0), (3, 0), (0, 3)):
        with pytest.raises(ValueError, match="the game is over"):
            function(**{**arguments, "player": player, "opponent": opponent})


def test_a_tree_is_searched_by_one_at_a_time() -> None:
    tree = core.Mcts(8, 8, **_mcts())
    seen: list[str] = []

    def again() -> bool:
        try:
            tree.search(MINE, THEIRS, 8, 8, iterations=1, time=None, stop=None)
        except ValueError as error:
            seen.append(str(error))
        return True

    tree.search(MINE, THEIRS, 8, 8, iterations=10_000, time=None, stop=again)
    assert seen == ["the tree is being searched already"]
    assert tree.search(MINE, THEIRS, 8, 8, iterations=10, time=None, stop=None)[1]


def test_boards_with_the_most_moves_known_have_room_for_them() -> None:
    function, arguments = CALLS["Engine.search"]
    player, opponent = 0x44202806042C2040, 0x25846001A405E00
    assert native.position(player, opponent).moves_mask().bit_count() == 35
    found = function(**{**arguments, "player": player, "opponent": opponent, "depth": 4, "nodes": 2**63, "lines": 64})
    assert len(found.lines) == 35
