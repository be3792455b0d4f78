"""What the networks learn from: positions of games and of the book with their labels, on the device they are fitted on.

With a teacher (`teacher`) come others that nobody has played: a random move or two away from those of the games, as
searches meet them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch

from othellier import batch
from othellier.errors import ConfigError
from othellier.learn.games import MOST_REPEATS, NO_VALUE, GameArray, positions
from othellier.openings import book

__all__ = ["NetworkData", "NetworkOptions", "Sets", "device_of_fit", "gather", "near"]

Sets = list[tuple[GameArray, float]]
"""Games, each set with what its positions count."""


@dataclass(frozen=True, slots=True)
class NetworkOptions:
    """How to fit; the defaults made the shipped networks."""

    epochs: int = 18
    tune_epochs: int = 13
    """Epochs after that without the games with random moves, where there are any: play that matters is mostly good."""
    policy_epochs: int = 2
    batch: int = 1 << 15
    """Positions a step; the policy, whose errors scatter more, takes twice as many."""
    rate: float = 0.002
    tune_rate: float = 0.0008
    policy_rate: float = 0.015
    scatter: float = 1.0
    """What each empty square adds to the variance of results, 20 at the end: positions count by its inverse."""
    caution: float = 1e-4
    """Added to the mean size of gradients (Adam's epsilon): the more, the less rarely met rows move."""
    blend: float = 0.7
    """Share of the searches' values in a label, where there are any; the rest is the game's result."""
    book_weight: float = 8.0
    """What a position of the shipped book counts, one of a game counting 1: nothing else teaches the first moves."""
    taught: float = 0.8
    """With a teacher: the share of its value in the labels of games."""
    neighbours: int = 1
    """With a teacher: how many positions near each of the games' are learnt from besides."""
    held_out: int = 50
    """One game in so many is kept from training, to measure by."""
    seed: int = 0

    def __post_init__(self) -> None:
        if (
            min(self.epochs, self.tune_epochs, self.policy_epochs, self.batch) < 1
            or self.held_out < 2
            or not 0 <= min(self.blend, self.taught) <= max(self.blend, self.taught) <= 1
        ):
            raise ConfigError("epochs and batch must be positive, held_out at least 2, blend and taught from 0 to 1")
        if min(self.rate, self.tune_rate, self.policy_rate, self.caution) <= 0:
            raise ConfigError("rates and caution must be positive")
        if min(self.scatter, self.book_weight, self.neighbours) < 0:
            raise ConfigError("scatter, the book's weight and neighbours must not be negative")


class NetworkData(NamedTuple):
    """Positions, one a row of each tensor."""

    player: torch.Tensor
    opponent: torch.Tensor
    counts: torch.Tensor
    """Moves of the side to move, moves of the other, empty squares."""
    legal: torch.Tensor
    replies: torch.Tensor
    """Moves of the other side, if it were its turn."""
    label: torch.Tensor
    weight: torch.Tensor
    """Of the position in the value's loss: none where an earlier row has it already."""
    move: torch.Tensor
    """The square played next, -1 where the game does not tell."""
    policy_weight: torch.Tensor
    held_out: torch.Tensor


class _Boards(NamedTuple):
    """What `NetworkData` begins with."""

    player: torch.Tensor
    opponent: torch.Tensor
    counts: torch.Tensor
    legal: torch.Tensor
    replies: torch.Tensor


def _boards(player: batch.Bits, opponent: batch.Bits, legal: batch.Bits, device: torch.device) -> _Boards:
    replies = batch.moves(opponent, player)
    stacked = np.stack([*map(np.bitwise_count, (legal, replies)), 64 - np.bitwise_count(player | opponent)], 1)
    counts = torch.from_numpy(stacked.astype(np.int32)).to(device)
    ours, others, mine, theirs = (
        torch.from_numpy(array.view(np.int64)).to(device) for array in (player, opponent, legal, replies)
    )
    return _Boards(ours, others, counts, mine, theirs)


def device_of_fit() -> torch.device:
    """A GPU where there is one."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def gather(sets: Sets, exploring: GameArray | None, options: NetworkOptions) -> tuple[NetworkData, int]:
    """All there is to learn from, and how many of its rows are not of games with random moves: those come last."""
    device = device_of_fit()
    parts = [_prepared(games, weight, options, device) for games, weight in sets]
    measured = [part.held_out.float().mean() for part in parts if len(part.held_out)]
    if all(part == 0 for part in measured) or all(part == 1 for part in measured):
        raise ConfigError("too few games: nothing is left to train on, or nothing to measure by")
    known = _book_positions(options, device)
    if known is not None:
        parts.insert(0, known)
    steady = sum(len(part.player) for part in parts)
    if exploring is not None:
        parts.append(_prepared(exploring, 1.0, options, device))
    return NetworkData(*(torch.cat(arrays) for arrays in zip(*parts, strict=True))), steady


def near(data: NetworkData, rows: torch.Tensor, options: NetworkOptions, seed: int) -> NetworkData:
    """Positions a random move away from some, or two in every second case; they have no labels yet."""
    draw = np.random.default_rng(seed)
    player, opponent = (tensor[rows].cpu().numpy().view(np.uint64) for tensor in (data.player, data.opponent))
    once = _moved(player, opponent, draw)
    again = draw.random(len(once[0])) < 0.5
    twice = _moved(once[0][again], once[1][again], draw)
    player, opponent = (np.concatenate([some[~again], more]) for some, more in zip(once, twice, strict=True))
    legal = batch.moves(player, opponent)
    kept = legal != 0
    count, device = int(kept.sum()), data.player.device
    boards = _boards(player[kept], opponent[kept], legal[kept], device)
    nothing = torch.zeros(count, device=device)
    return NetworkData(
        *boards,
        nothing,
        _certainty(boards.counts, options),
        torch.full((count,), -1, device=device),
        nothing,
        torch.arange(count, device=device) % options.held_out == 0,
    )


def _moved(player: batch.Bits, opponent: batch.Bits, draw: np.random.Generator) -> tuple[batch.Bits, batch.Bits]:
    """The positions that have a move, after one of them."""
    legal = batch.moves(player, opponent)
    kept = legal != 0
    # The first move from a random square on, around the board.
    start = draw.integers(0, 64, int(kept.sum())).astype(np.uint64)
    turned = legal[kept] >> start | legal[kept] << (-start & np.uint64(63))
    steps = np.bitwise_count(~turned & (turned - np.uint64(1)))
    return batch.play(player[kept], opponent[kept], ((steps + start) % np.uint64(64)).astype(np.uint8))


def _book_positions(options: NetworkOptions, device: torch.device) -> NetworkData | None:
    """The positions of the shipped book with a move to play, labelled with the values there."""
    known = book.shipped()
    if known is None or not options.book_weight:
        return None
    legal = batch.moves(known.columns.player, known.columns.opponent)
    kept = np.nonzero(legal)[0]
    player, opponent, legal = known.columns.player[kept], known.columns.opponent[kept], legal[kept]
    boards = _boards(player, opponent, legal, device)
    count = len(kept)
    return NetworkData(
        *boards,
        torch.from_numpy(known.columns.stats["value"][kept].astype(np.float32)).to(device),
        options.book_weight * _certainty(boards.counts, options),
        torch.full((count,), -1, device=device),
        torch.zeros(count, device=device),
        torch.arange(count, device=device) % options.held_out == 0,
    )


def _certainty(counts: torch.Tensor, options: NetworkOptions) -> torch.Tensor:
    return 20 / (20 + options.scatter * counts[:, 2])


def _prepared(games: GameArray, weight: float, options: NetworkOptions, device: torch.device) -> NetworkData:
    """All positions of a set; repeated ones count once for the value, with their mean."""
    found = positions(games, valued=True)
    boards = _boards(found.player, found.opponent, batch.moves(found.player, found.opponent), device)
    discs = found.player | found.opponent

    # The move played is the disc the next position of the game has more. Where the score tells nothing, it may have
    # been a random one.
    added = discs[1:] & ~discs[:-1]
    told = (found.game[1:] == found.game[:-1]) & (np.bitwise_count(added) == 1) & (found.score[:-1] != NO_VALUE)
    move = np.full(len(discs), -1, np.int64)
    move[:-1][told] = np.bitwise_count(added[told] - np.uint64(1))

    first, same = found.distinct()
    repeats = np.bincount(same)
    mean = (np.bincount(same, found.labels(options.blend)) / repeats)[same]
    counted = np.zeros(len(same), np.float32)
    counted[first] = np.minimum(repeats, MOST_REPEATS)
    return NetworkData(
        *boards,
        torch.from_numpy(mean.astype(np.float32)).to(device),
        weight * _certainty(boards.counts, options) * torch.from_numpy(counted).to(device),
        torch.from_numpy(move).to(device),
        torch.full((len(same),), weight, device=device),
        torch.from_numpy(found.game % options.held_out == 0).to(device),
    )
