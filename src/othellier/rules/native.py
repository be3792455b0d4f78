"""Chooses the compiled core `_core`, or does without it: once, here, for all others.

The factories below give a position of the compiled class where the core is present and the board fits
(up to 8x8), else of the plain one; both answer every question alike and are equal and hash alike.

The environment variable OTHELLIER_CORE chooses: `python` does without the core; in a wheel that carries
variants of it for several generations of processors, the name of one (`x86-64-v3`) forces that one.
"""

from __future__ import annotations

import os
import random
import sys
from functools import lru_cache
from importlib import import_module, util
from pathlib import Path
from types import ModuleType
from typing import SupportsIndex, cast

from othellier.errors import expect
from othellier.reference import Color, Position
from othellier.rules.geometry import STANDARD, Size, SizeLike

__all__ = ["KINDS", "available", "core", "fits", "parse", "perft", "position", "random_position", "start", "variant"]

VARIABLE = "OTHELLIER_CORE"
VARIANTS = Path(__file__).parents[1] / "_variants"


def _say(message: str, *details: object) -> None:
    # Imported late: only rare paths come here. Where nobody has set up logging, it writes the bare line to
    # standard error: what a user must see, and a program can silence.
    import logging

    logging.getLogger("othellier").warning(f"othellier: {message}", *details)


def _load_variant(wanted: str) -> ModuleType:
    """The core of a wheel with variants: the one asked for, else the newest, of those this processor can run."""
    level: int = import_module("othellier._cpu").level()
    names = [path.name for path in VARIANTS.iterdir() if int(path.name.rpartition("-v")[2]) <= level]
    if not names:
        raise ImportError("this processor is older than every variant")
    folder = VARIANTS / (wanted if wanted in names else max(names))
    # Every variant is the module othellier._core, whatever folder it lies in.
    spec = util.spec_from_file_location("othellier._core", next(folder.glob("_core.*")))
    assert spec is not None
    assert spec.loader is not None
    module = util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def _load() -> tuple[ModuleType | None, str]:
    wanted = os.environ.get(VARIABLE, "")
    if wanted == "python":
        return None, "none, as asked"
    try:
        module = _load_variant(wanted) if VARIANTS.is_dir() else import_module("othellier._core")
    except ImportError as error:
        words = "the compiled core is missing, the plain Python rules take its place, slowly (%s)"
        _say(f"{words}; `othellier version` says how to get it", error)
        return None, "none"
    if wanted not in ("", module.ARCH):
        _say("%s=%s cannot be had here, %s is used", VARIABLE, wanted, module.ARCH)
    return module, module.ARCH


# What no loop asks for needs no compiled twin: the plain class lends these, and they ask the others.
LENT = (
    "__doc__",
    "__match_args__",
    "__repr__",
    "__str__",
    "_repr_svg_",
    "board_string",
    "color_at",
    "discs",
    "move_table",
    "parse",
    "random",
    "start",
    "symmetries",
)

core, variant = _load()
if core is not None:
    for _name in LENT:
        setattr(core.Position, _name, Position.__dict__[_name])

KINDS: tuple[type, ...] = (Position,) if core is None else (core.Position, Position)
"""The classes of positions there are, the faster one first."""

available = core is not None
"""Whether the compiled core is there."""


def fits(size: Size) -> bool:
    """Whether the compiled core takes boards of this size."""
    return core is not None and size.rows in (4, 6, 8) and size.columns in (4, 6, 8)


def _class(size: Size) -> type[Position]:
    # The compiled class is no subclass of the plain one but its twin: same interface, same answers
    # (tests/test_native.py). This cast is the only place that says so to the type checker.
    return cast("type[Position]", core.Position) if core is not None and fits(size) else Position


def start(size: SizeLike = STANDARD) -> Position:
    """The first position of a game.

    >>> len(start().moves()), start("4x6").empties
    (4, 20)
    """
    return _start(Size.parse(size))


@lru_cache(maxsize=64)
def _start(size: Size) -> Position:
    return _class(size).start(size)


def position(player: int, opponent: int, turn: Color = "black", size: SizeLike = STANDARD) -> Position:
    """The position with these discs of the side to move and of the other.

    >>> position(0x0000000810000000, 0x0000001008000000) == start()
    True
    """
    size = Size.parse(size)
    return _class(size)(player, opponent, turn, size)


def parse(text: str, size: SizeLike | None = None) -> Position:
    """Read a board string, as `Position.parse` does.

    >>> parse("---------------------------OX------XO--------------------------- X") == start()
    True
    """
    plain = Position.parse(text, size)  # only its length may tell the size, and so the class
    return position(plain.player, plain.opponent, plain.turn, plain.size)


def random_position(
    rng: random.Random | None = None, size: SizeLike = STANDARD, empties: int | None = None
) -> Position:
    """A position reached by random legal moves, as `Position.random` draws it; the same `rng` draws the same one.

    >>> import random
    >>> random_position(random.Random(1), empties=30).empties
    30
    """
    size = Size.parse(size)
    return _class(size).random(random.Random() if rng is None else rng, size, empties)


def perft(depth: int, size: SizeLike = STANDARD) -> int:
    """Leaves of the game tree from the start; see `Position.perft`.

    >>> perft(5)
    1396
    """
    expect("depth", depth, SupportsIndex, "a whole number (position.perft(6) counts from another position)")
    return start(size).perft(depth)
