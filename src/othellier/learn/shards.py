"""Self-play in shards: varied openings, files that survive a kill, work that goes on where it was interrupted.

A shard is written whole or not at all, and holds games whose numbers its name tells; a game depends on its number,
the settings and the weights alone, so whoever plays what is missing gets the same games. `selfplay.json` beside the
shards says what they were played with. How a game is played is the core's business, what it looks like that of `games`.
"""

from __future__ import annotations

import json
import random
import time
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from othellier.base.files import read_file, write_file
from othellier.base.jobs import Crew
from othellier.batch import NO_MOVE, replay
from othellier.config.models import SelfplayConfig
from othellier.engine.engine import SURE, compiled_probcut, selectivity_level, shared_networks, shared_weights
from othellier.engine.probcut import load_probcut, shipped_probcut
from othellier.errors import ConfigError, OthellierError, RecordError
from othellier.evaluation.network import FILE
from othellier.evaluation.weights import read_payload
from othellier.learn import games as made
from othellier.learn.tables import checksum
from othellier.openings.balanced import all_openings, shipped
from othellier.rules import native
from othellier.rules.board import past_pass

__all__ = ["Shard", "ShardsPlayed", "check", "load", "opening", "play", "play_shard"]

SCORE = made.OPENING + 1

PATIENCE = 1.5
"""Seconds between two looks at the keyboard: the threads wait for each other then, which costs a game's time."""


@dataclass(frozen=True, slots=True)
class Shard:
    """Games to be played by whoever has time for them."""

    path: Path
    config: SelfplayConfig
    weights: str | None
    networks: str | None
    probcut: str | None
    seed: int
    first: int
    count: int
    threads: int = 1


@dataclass(frozen=True, slots=True)
class ShardsPlayed:
    """What a call has done: the games played by it and the seconds it took, and all shards that there are now."""

    games: int
    seconds: float
    paths: list[Path]

    @property
    def rate(self) -> float:
        """Games a second."""
        return self.games / self.seconds if self.games else 0.0


def play(
    folder: Path,
    config: SelfplayConfig,
    *,
    seed: int = 0,
    weights: Path | None = None,
    networks: Path | None = None,
    probcut: Path | None = None,
    threads: int = 1,
    executor: str = "here",
    progress: Callable[[int], None] | None = None,
) -> ShardsPlayed:
    """Play all games that the folder lacks, in threads of this process or in workers of an executor."""
    if native.core is None:
        raise OthellierError("self-play needs the compiled core, which is missing here: see othellier version")
    folder.mkdir(parents=True, exist_ok=True)
    _check_folder(folder, config, seed, weights, networks, probcut)
    tables, nets, spreads = (None if path is None else str(path.resolve()) for path in (weights, networks, probcut))
    shards, missing = [], []
    for first in range(0, config.games, config.shard):
        count = min(config.shard, config.games - first)
        shard = Shard(folder / f"games-{first:010d}.bin", config, tables, nets, spreads, seed, first, count)
        shards.append(shard.path)
        if shard.path.exists() and shard.path.stat().st_size == count * made.ROW:
            if progress is not None:
                progress(count)
        else:  # also one that something has cut: it is played again
            missing.append(shard)
    begin = time.perf_counter()
    if executor == "here":
        for shard in missing:
            made.save(_games(shard, threads, progress), shard.path)
    else:
        with Crew(executor, threads) as crew:
            for shard, games in crew.map(play_shard, missing):
                made.save(games, shard.path)
                if progress is not None:
                    progress(shard.count)
    return ShardsPlayed(sum(shard.count for shard in missing), time.perf_counter() - begin, shards)


def _check_folder(
    folder: Path,
    config: SelfplayConfig,
    seed: int,
    weights: Path | None,
    networks: Path | None,
    probcut: Path | None,
) -> None:
    """Refuse to mix games of different settings. More games may be asked for later."""
    facts = config.model_dump(exclude={"games"}) | {"seed": seed, "weights": checksum(weights)}
    facts["networks"] = None if networks is None else f"{zlib.crc32(read_payload(networks, FILE)):08x}"
    if config.confidence < SURE:
        numbers = shipped_probcut() if probcut is None else load_probcut(probcut)
        facts["probcut"] = [*numbers.midgame, *numbers.endgame]
    path = folder / "selfplay.json"
    if path.exists():
        try:
            # What a folder does not mention was not there yet when its games were played.
            old = SelfplayConfig().model_dump() | json.loads(read_file(path))
            old["exploration"] = old.get("wander", old["exploration"])  # its name before 1.0
            changed = [key for key, value in facts.items() if old.get(key) != value]
        except (ValueError, TypeError):
            raise RecordError(str(path), "", "is no description of self-play") from None
        if changed:
            raise ConfigError(f"{folder} holds other games: {', '.join(changed)} changed; choose another folder")
    write_file(path, [json.dumps(facts, indent=2).encode() + b"\n"])


def play_shard(shard: Shard) -> made.GameArray:
    """The games of a shard: a job for one worker."""
    return _games(shard, shard.threads, None)


def _games(shard: Shard, threads: int, progress: Callable[[int], None] | None) -> made.GameArray:
    weights = shared_weights(shard.weights)
    networks = None if shard.networks is None else shared_networks(shard.weights, shard.networks)
    files = (weights, networks, compiled_probcut(shard.probcut))
    parts = []
    first, end, size = shard.first, shard.first + shard.count, 2 * threads
    while first < end:
        count = min(size, end - first)
        begin = time.perf_counter()
        parts.append(_some_games(files, shard.config, (shard.seed << 32) + first, count, threads))
        spent = max(time.perf_counter() - begin, 1e-3)
        first += count
        size = max(2 * threads, min(2 * size, int(count * PATIENCE / spent)))
        if progress is not None:
            progress(count)
    return np.concatenate(parts)


def _some_games(
    files: tuple[Any, Any, Any], config: SelfplayConfig, number: int, count: int, threads: int
) -> made.GameArray:
    """Games from a number on; they do not depend on how many are asked for at once."""
    weights, networks, probcut = files
    if config.openings == "random":
        return made.selfplay(
            weights,
            count,
            seed=number,
            depth=config.depth,
            alternate=config.alternate,
            confidence=config.confidence,
            solve_empties=config.solve,
            random_moves=(config.random_min, config.random_max),
            exploration=config.exploration,
            networks=networks,
            probcut=probcut,
            threads=threads,
        )
    games = np.full((count, made.ROW), NO_MOVE, np.uint8)
    for row in range(count):
        moves = opening(config, number + row)
        games[row, : len(moves)] = moves
        games[row, made.OPENING] = len(moves)
    assert native.core is not None
    search = (config.depth, config.alternate, selectivity_level(config.confidence), config.solve)
    native.core.complete_games(*files, *search, config.exploration, threads, number, games)
    return games


@cache
def _openings(kind: str, plies: int) -> Sequence[tuple[int, ...]]:
    """In an order that mixes them, so that few games have openings of all kinds."""
    found = [start.moves for start in shipped()] if kind == "balanced" else list(all_openings(plies).values())
    random.Random(kind).shuffle(found)
    return found


def opening(config: SelfplayConfig, number: int) -> list[int]:
    """The moves, without passes, that game `number` begins with where openings are taken from a list."""
    known = _openings(config.openings, config.plies)
    draw = random.Random(number)
    moves = list(known[number % len(known)])
    position = native.start()
    for move in moves:
        position = position.play(move)
    for _ in range(draw.randint(config.random_min, config.random_max)):
        position = past_pass(position)
        choice = position.moves()
        if not choice:
            break
        moves.append(draw.choice(choice))
        position = position.play(moves[-1])
    return moves


# -- reading


def load(paths: Sequence[Path]) -> made.GameArray:
    """Games of shards, each of them checked: what is not a game teaches nothing."""
    parts = []
    for path in paths:
        games = made.load([path])
        check(games, str(path))
        parts.append(games)
    if not parts:
        raise ConfigError("no games to learn from")
    return np.concatenate(parts)


def check(games: made.GameArray, name: str) -> None:
    """Refuse games with illegal moves, without an end, or with labels that cannot be."""
    replays = replay(games[:, :60])
    black, white = (np.bitwise_count(discs).astype(np.int64) for discs in (replays.black, replays.white))
    ends = np.sign(black - white) * (64 - 2 * np.minimum(black, white)) * (black != white)
    score = games[:, SCORE].view(np.int8)
    values = games[:, 60:120].view(np.int8)
    for wrong, words in (
        (replays.illegal >= 0, "has an illegal move"),
        (~replays.over, "is not finished"),
        (score != ends, "has a result that contradicts its moves"),
        (((values < -64) & (values != made.NO_VALUE)).any(1) | (values > 64).any(1), "has a value beyond 64 discs"),
    ):
        if wrong.any():
            raise RecordError(name, f"game {int(np.argmax(wrong)) + 1}", words)
