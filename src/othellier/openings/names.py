"""The names of openings, in English, French and Japanese: which one a game has, and where to find one.

An opening is known by its position, so it is found under every symmetry and whatever the order of its
moves. The names are facts gathered from the federations' lists and players' pages, written down in
`data/names.tsv`; those marked doubtful there are translations, or sources disagree about them.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from typing import Literal

from othellier.errors import ConfigError, expect
from othellier.games.game import Game, replay
from othellier.openings.keys import PositionKey, key_of
from othellier.records.transcript import format_moves, parse_moves
from othellier.rules import native
from othellier.rules.board import Position
from othellier.rules.geometry import PASS, STANDARD

__all__ = [
    "LANGUAGES",
    "NameLanguage",
    "Opening",
    "comparable",
    "find",
    "line_of",
    "name_of",
    "opening_of",
    "openings",
    "search",
]

NameLanguage = Literal["en", "fr", "ja"]
LANGUAGES: tuple[NameLanguage, ...] = ("en", "fr", "ja")


@dataclass(frozen=True)
class Opening:
    """A named opening: its usual sequence of moves and its names by language, "" where none is known.

    >>> from othellier import Game, openings
    >>> openings.opening_of(Game.from_moves(["f5", "d6", "c3", "d3", "c4"])).names["fr"]
    'Tigre'
    """

    moves: tuple[int, ...]
    names: dict[NameLanguage, str]
    doubtful: frozenset[NameLanguage]
    """The languages whose name is a translation of ours, or disputed."""

    def name(self, lang: NameLanguage = "en") -> str:
        """The name in a language, else in English."""
        return self.names[lang] or self.names["en"]

    @property
    def transcript(self) -> str:
        """The moves as `F5D6C3`."""
        return format_moves(self.moves)

    @property
    def position(self) -> Position:
        """The position the moves lead to."""
        return replay(native.start(), self.moves)[1]


@cache
def openings() -> tuple[Opening, ...]:
    """All openings with a name, by their moves.

    >>> [opening.name("fr") for opening in openings() if len(opening.moves) == 2]
    ['Perpendiculaire', 'Parallèle', 'Diagonale']
    """
    text = resources.files("othellier.openings").joinpath("data/names.tsv").read_text(encoding="utf-8")
    return tuple(_opening(line) for line in text.splitlines() if not line.startswith("#"))


def _opening(line: str) -> Opening:
    moves, *words = line.split("\t")
    names = dict(zip(LANGUAGES, words, strict=True))
    doubtful = frozenset(lang for lang, word in names.items() if word.endswith("?"))
    plain = {lang: word.removesuffix("?") for lang, word in names.items()}
    return Opening(tuple(parse_moves(moves)), plain, doubtful)


@cache
def _by_position() -> dict[PositionKey, Opening]:
    return {key_of(opening.position): opening for opening in openings()}


@lru_cache(1 << 12)
def find(position: Position) -> Opening | None:
    """The opening that has exactly this position, in any of its symmetries."""
    return _by_position().get(key_of(position))


def line_of(game: Game | str | Iterable[int]) -> Iterator[tuple[int, Opening]]:
    """The openings a game passes through, shallowest first, with the number of moves that lead to each."""
    expect("game", game, (Game, Iterable), "a Game, or moves such as 'f5d6c3',")
    start = game.start if isinstance(game, Game) else native.start()
    moves = parse_moves(game) if isinstance(game, str) else game.moves() if isinstance(game, Game) else game
    if start.size != STANDARD:
        return
    longest = max(len(opening.moves) for opening in openings())
    position, count = start, 0
    for move in replay(start, moves)[0]:
        if count > longest:
            return
        position = position.play(move)
        count += move != PASS
        opening = find(position)
        if opening is not None:
            yield count, opening


def opening_of(game: Game | str | Iterable[int]) -> Opening | None:
    """The deepest opening a game passes through; of a game, its main line.

    >>> opening_of("c4e3f6e6f5").transcript
    'F5D6C3D3C4'
    """
    line = list(line_of(game))
    return line[-1][1] if line else None


def name_of(game: Game | str | Iterable[int], lang: NameLanguage = "en") -> str:
    """The name of the deepest opening a game passes through, or "".

    >>> name_of("f5d6c3d3c4"), name_of("f5d6c3d3c4", "fr"), name_of("")
    ('Tiger', 'Tigre', '')
    """
    opening = opening_of(game)
    return "" if opening is None else opening.name(lang)


def search(text: str) -> list[Opening]:
    """The openings whose name in any language holds a text, the same name first; capitals and accents are alike.

    >>> [opening.transcript for opening in search("perpendiculaire")]
    ['F5D6', 'F5D6C5']
    """
    wanted = comparable(text)
    if not wanted:
        raise ConfigError("the name of an opening is expected")
    found = [opening for opening in openings() if any(wanted in comparable(name) for name in opening.names.values())]
    return sorted(found, key=lambda opening: wanted not in map(comparable, opening.names.values()))


def comparable(text: str) -> str:
    """A name for comparing: without capitals, accents and blanks around it."""
    letters = unicodedata.normalize("NFKD", text.strip().casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))
