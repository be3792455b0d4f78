"""Othellier: an Othello (Reversi) engine, laboratory and game.

>>> import othellier
>>> position = othellier.start().play("f5")
>>> [othellier.square_name(move) for move in position.moves()]
['f4', 'd6', 'f6']
>>> with othellier.Engine() as engine:
...     result = engine.search(position, depth=8)
>>> othellier.square_name(result.move) in ("d6", "f6"), result.turn
(True, 'white')

Boards and games
    Position, Size, PASS      a board and whose turn it is; start(), parse(), position(), random_position()
    Game                      moves, variations, notes, result; read(), write(), convert() for files
    parse_square, square_name names of squares; pictures for drawings, batch for arrays of positions
Playing and thinking
    Engine, Limit, Result     the strong engine: search, solve, analyze (and search_async ...)
    analyze                   a game judged move by move: losses, labels, reasons, a plot (a GameAnalysis)
    Player, create_player     who can be asked for a move (answer, answer_async): a string, an object or a function
    match, tournament         players against players, with error bars
    train                     games into weights
Knowing
    openings                  names, the book, balanced starts
    databases                 thousands of games, searched by name, year or position
Errors
    OthellierError            the root of all of them: IllegalMove, InvalidPosition, RecordError, WrongType; `errors`

docs/python.md shows them at work, docs/stability.md says which names stay. All are fetched when first used, so that
`import othellier` costs next to nothing.
"""

from __future__ import annotations

TYPE_CHECKING: bool = False  # importing `typing` for it would take longer than all of this

if TYPE_CHECKING:
    from othellier import (
        arena,
        batch,
        databases,
        errors,
        lab,
        learn,
        openings,
        pictures,
        players,
        records,
        reference,
    )
    from othellier.arena.contests import match
    from othellier.coach import GameAnalysis, analyze
    from othellier.config.contests import tournament
    from othellier.engine.engine import Engine
    from othellier.errors import IllegalMove, InvalidPosition, OthellierError, RecordError, WrongType
    from othellier.games.game import Game
    from othellier.games.results import Limit, Result, Stop
    from othellier.learn.training import train
    from othellier.players import Player, answer, answer_async, create_player
    from othellier.records import convert, read, write
    from othellier.rules.board import Position
    from othellier.rules.geometry import PASS, Size, parse_square, square_name
    from othellier.rules.native import parse, perft, position, random_position, start
    from othellier.rules.node import Node

    __version__: str

__all__ = [
    "PASS",
    "Engine",
    "Game",
    "GameAnalysis",
    "IllegalMove",
    "InvalidPosition",
    "Limit",
    "Node",
    "OthellierError",
    "Player",
    "Position",
    "RecordError",
    "Result",
    "Size",
    "Stop",
    "WrongType",
    "analyze",
    "answer",
    "answer_async",
    "arena",
    "batch",
    "convert",
    "create_player",
    "databases",
    "errors",
    "lab",
    "learn",
    "match",
    "openings",
    "parse",
    "parse_square",
    "perft",
    "pictures",
    "players",
    "position",
    "random_position",
    "read",
    "records",
    "reference",
    "square_name",
    "start",
    "tournament",
    "train",
    "write",
]

if not TYPE_CHECKING:
    from othellier.base.lazy import lazy_names

    _fetch, __dir__ = lazy_names(
        __name__,
        {
            "othellier.arena.contests": ["match"],
            "othellier.config.contests": ["tournament"],
            "othellier.rules.board": ["Position"],
            "othellier.coach": ["GameAnalysis", "analyze"],
            "othellier.engine.engine": ["Engine"],
            "othellier.errors": ["IllegalMove", "InvalidPosition", "OthellierError", "RecordError", "WrongType"],
            "othellier.games.game": ["Game"],
            "othellier.rules.geometry": ["PASS", "Size", "parse_square", "square_name"],
            "othellier.learn.training": ["train"],
            "othellier.rules.native": ["parse", "perft", "position", "random_position", "start"],
            "othellier.rules.node": ["Node"],
            "othellier.players": ["Player", "answer", "answer_async", "create_player"],
            "othellier.records": ["convert", "read", "write"],
            "othellier.games.results": ["Limit", "Result", "Stop"],
        },
        [
            "arena",
            "batch",
            "databases",
            "errors",
            "lab",
            "learn",
            "openings",
            "pictures",
            "players",
            "records",
            "reference",
        ],
    )

    # What people try who know other packages, and what it is called here.
    _ELSEWHERE = {
        "Board": "a board is a Position, and start() the first one of a game",
        "load": "read() reads games, databases.load() thousands of them",
        "play": "position.play('f5') plays a move, arena.play_game() a game, match() many",
        "solve": "Engine().solve(position) solves",
        "svg": "pictures.svg(position) draws",
    }

    def __getattr__(name: str) -> object:
        if name == "__version__":
            from importlib.metadata import version

            return version(__name__)
        if name in _ELSEWHERE:
            raise AttributeError(f"module 'othellier' has no attribute {name!r}: {_ELSEWHERE[name]}")
        return _fetch(name)
