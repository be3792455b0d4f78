"""Games in progress with their results, from WTHOR: which games count, and which of them are kept to test by.

Games are split, never positions. Those that the evaluation's weights were fitted to can be named: they may teach the
classifier, which reads the evaluation, but never test it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from othellier.errors import ConfigError
from othellier.learn.games import NO_VALUE, OPENING, ROW, GameArray, Positions, positions, unlisted
from othellier.records import database

__all__ = ["Extraction", "Split", "extract", "sample", "split"]

SAME_MOVES = 36
"""Games are told apart by so many moves: after them, `learn complete` may have played on by itself."""
UNKNOWN = 0
"""The number of players whose name is not known."""
FEWEST = 20
"""Below so many games on either side nothing can be learnt or said."""


@dataclass(frozen=True, slots=True)
class Extraction:
    """Finished games in rows of `learn.games`, and how many others were left out for what."""

    games: GameArray
    read: int
    left_out: dict[str, int]


@dataclass(frozen=True, slots=True)
class Split:
    """Games to learn from and games to test by."""

    training: GameArray
    test: GameArray
    unseen: bool
    """Whether the weights are known not to have been fitted to any game of the test."""


def extract(paths: Sequence[str | Path], listed: Sequence[str] = ()) -> Extraction:
    """The games of WTHOR files and folders whose results are beyond doubt, each once."""
    found = database.load(paths)
    firsts = [*(first for _, first in found.files), len(found)]
    named = [
        unlisted(Path(name).name, end - first, listed)
        for (name, first), end in zip(found.files, firsts[1:], strict=True)
    ]
    ends, records = found.replay(), found.games
    black, white = (np.bitwise_count(bits).astype(np.int64) for bits in ends[:2])
    score = np.where(black > white, 64 - 2 * white, np.where(black < white, 2 * black - 64, 0))
    keep = np.ones(len(found), np.bool_)
    left_out = {}
    for reason, bad in (
        ("listed", ~np.concatenate(named)),
        ("illegal", ends.illegal >= 0),
        ("unfinished", ~ends.over),
        ("contradictory", score != 2 * records["score"].astype(np.int64) - 64),
        ("one_player", (records["black"] == records["white"]) & (records["black"] != UNKNOWN)),
    ):
        left_out[reason] = int((keep & bad).sum())
        keep &= ~bad
    games = np.full((int(keep.sum()), ROW), NO_VALUE & 0xFF, np.uint8)
    games[:, :60] = records["moves"][keep]
    games[:, OPENING] = 0
    games[:, OPENING + 1] = score[keep].astype(np.int8).view(np.uint8)
    once = np.unique(games, axis=0)
    left_out["repeated"] = len(games) - len(once)
    return Extraction(once, len(found), left_out)


def split(
    games: GameArray, *, seen: GameArray | None = None, held_out: int = 50, most: int = 40_000, seed: int = 0
) -> Split:
    """One game in ten to test by, or those the weights have not `seen` in a fit that held out one row in `held_out`.

    At most so many games are learnt from.
    """
    rng = np.random.default_rng(seed)
    if seen is None:
        test = rng.random(len(games)) < 0.1
    else:
        fitted = _beginnings(seen[np.arange(len(seen)) % held_out != 0])
        test = ~np.isin(_beginnings(games), fitted)
    training = np.flatnonzero(~test)
    parts = rng.permutation(training)[:most], np.flatnonzero(test)
    if min(map(len, parts)) < FEWEST:
        counts = f"{len(parts[0])} to learn from and {len(parts[1])} to test by"
        raise ConfigError(f"too few games: {counts}, at least {FEWEST} of each are needed")
    return Split(games[parts[0]], games[parts[1]], seen is not None)


def _beginnings(games: GameArray) -> npt.NDArray[np.void]:
    return np.ascontiguousarray(games[:, :SAME_MOVES]).view(f"V{SAME_MOVES}")[:, 0]


def sample(games: GameArray, per_game: int, least_discs: int, seed: int = 0) -> Positions:
    """Some positions of the games with a move to make, drawn evenly from so many discs on."""
    found = positions(games)
    late = np.flatnonzero(np.bitwise_count(found.player | found.opponent) >= least_discs)
    chosen = np.random.default_rng(seed).permutation(late)[: per_game * len(games)]
    return found.take(np.sort(chosen))
