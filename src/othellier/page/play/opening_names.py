"""The openings there are, by name: of a game, of many games at once, and the moves a name or chance begins with."""

from __future__ import annotations

import random
import re
import unicodedata
from dataclasses import dataclass
from functools import cache

import numpy as np

from othellier.batch import Bits
from othellier.errors import RequestError
from othellier.games.game import GameNode
from othellier.openings import balanced, names
from othellier.openings.games import fingerprint
from othellier.page.wire.explorer_models import NamedOpening
from othellier.page.wire.game_models import OpeningView
from othellier.rules.geometry import STANDARD


@dataclass(frozen=True, slots=True)
class _Index:
    by_id: dict[str, names.Opening]
    ids: dict[tuple[int, ...], str]


@cache
def _index() -> _Index:
    """Readable names for links, made of the English ones; openings that share one get their moves besides."""
    by_id: dict[str, names.Opening] = {}
    for opening in names.openings():
        letters = unicodedata.normalize("NFKD", opening.name("en")).encode("ascii", "ignore").decode()
        word = re.sub(r"[^a-z0-9]+", "-", letters.lower()).strip("-")
        key = word if word and word not in by_id else f"{word}-{opening.transcript.lower()}".strip("-")
        by_id[key] = opening
    return _Index(by_id, {opening.moves: key for key, opening in by_id.items()})


def opening_view(opening: names.Opening, left: bool = False) -> OpeningView:
    """A named opening as the page is told it; `left` says that the game has gone on."""
    return OpeningView(
        id=_index().ids[opening.moves],
        en=opening.name("en"),
        fr=opening.name("fr"),
        moves=opening.transcript.lower(),
        left=left,
    )


def opening_list() -> list[NamedOpening]:
    """All named openings, by their moves, with their boards."""
    return [
        NamedOpening(**opening_view(opening).model_dump(), board=opening.position.board_string())
        for opening in names.openings()
    ]


def opening_at(node: GameNode) -> OpeningView | None:
    """The last named opening on the way to a node."""
    if node.position.size != STANDARD:
        return None
    longest = _longest()
    last: names.Opening | None = None
    place = 0
    path = node.path()
    for number, step in enumerate(path[: longest + 1], 1):
        found = names.find(step.position)
        if found is not None:
            last, place = found, number
    return None if last is None else opening_view(last, left=place < len(path))


@cache
def _longest() -> int:
    """Moves of the longest named opening."""
    return max(len(opening.moves) for opening in names.openings())


@cache
def _by_print() -> dict[int, OpeningView]:
    return {fingerprint(opening.position): opening_view(opening) for opening in names.openings()}


def openings_in(prints: Bits) -> list[OpeningView | None]:
    """The last named opening of each of many games, a column of `paths.line_prints` each."""
    known = _by_print()
    longest = _longest()
    last: list[OpeningView | None] = [None] * prints.shape[1]
    rows = prints[1 : longest + 2]
    for row, column in zip(*np.nonzero(np.isin(rows, np.fromiter(known, np.uint64))), strict=True):  # row by row
        last[column] = known[int(rows[row, column])]
    return last


def named_moves(key: str) -> tuple[int, ...]:
    """The moves of a named opening."""
    opening = _index().by_id.get(key)
    if opening is None:
        raise RequestError("unknown_opening", f"there is no opening {key!r}")
    return opening.moves


def balanced_moves(rng: random.Random) -> tuple[int, ...]:
    """The moves of a balanced start drawn at random."""
    return balanced.sample(rng.getrandbits(32)).moves


# -- a position
