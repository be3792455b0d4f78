"""Othellier: an Othello (Reversi) engine, laboratory and game.

>>> import othellier
>>> position = othellier.start().play(othellier.parse_square("f5"))
>>> [othellier.square_name(move) for move in position.moves()]
['f4', 'd6', 'f6']

The names below are fetched when first used, so that `import othellier` costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from othellier import batch
    from othellier.board import Position
    from othellier.errors import IllegalMove, InvalidPosition, OthellierError, RecordError
    from othellier.game import Game
    from othellier.geometry import PASS, Size, parse_square, square_name
    from othellier.native import parse, perft, position, random_position, start
    from othellier.node import Node
    from othellier.players import create_player
    from othellier.records import convert, read, write
    from othellier.results import Limit, Result

__all__ = [
    "PASS",
    "Game",
    "IllegalMove",
    "InvalidPosition",
    "Limit",
    "Node",
    "OthellierError",
    "Position",
    "RecordError",
    "Result",
    "Size",
    "batch",
    "convert",
    "create_player",
    "parse",
    "parse_square",
    "perft",
    "position",
    "random_position",
    "read",
    "square_name",
    "start",
    "write",
]

_HOMES = {
    "board": ["Position"],
    "errors": ["IllegalMove", "InvalidPosition", "OthellierError", "RecordError"],
    "game": ["Game"],
    "geometry": ["PASS", "Size", "parse_square", "square_name"],
    "native": ["parse", "perft", "position", "random_position", "start"],
    "node": ["Node"],
    "players": ["create_player"],
    "records": ["convert", "read", "write"],
    "results": ["Limit", "Result"],
}


def __getattr__(name: str) -> object:
    if name == "__version__":
        return import_module("importlib.metadata").version(__name__)
    if name == "batch":
        return import_module("othellier.batch")
    for home, names in _HOMES.items():
        if name in names:
            value: object = getattr(import_module(f"othellier.{home}"), name)
            globals()[name] = value  # the next use need not come here
            return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
