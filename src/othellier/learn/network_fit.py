"""Fits the networks to labelled games: values by regression, the policy by the moves that were played."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch

from othellier import batch
from othellier.errors import ConfigError, OthellierError
from othellier.evaluation.network import NetworkGeometry, Networks, from_numbers
from othellier.learn.fitting import share
from othellier.learn.games import MOST_REPEATS, NO_VALUE, GameArray, positions
from othellier.learn.network_model import PolicyNetwork, ValueNetwork
from othellier.openings import book

__all__ = ["Measures", "NetworkOptions", "NetworkProgress", "fit_networks"]

NetworkProgress = Callable[[str, int, float], None]
"""Called after each epoch with the network's name, the epoch and the loss held out."""

SAMPLE = 4096
"""Positions of games held out by which trainer and core are compared."""


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
    held_out: int = 50
    """One game in so many is kept from training, to measure by."""
    seed: int = 0

    def __post_init__(self) -> None:
        if (
            min(self.epochs, self.tune_epochs, self.policy_epochs, self.batch) < 1
            or self.held_out < 2
            or not 0 <= self.blend <= 1
        ):
            raise ConfigError("epochs and batch must be positive, held_out at least 2, blend from 0 to 1")
        if min(self.rate, self.tune_rate, self.policy_rate, self.caution) <= 0:
            raise ConfigError("rates and caution must be positive")
        if min(self.scatter, self.book_weight) < 0:
            raise ConfigError("scatter and the book's weight must not be negative")


class Measures(NamedTuple):
    """What the networks are worth on games they have not seen, by empty squares from 0 to 60."""

    counts: list[int]
    value_error: list[float]
    """Mean absolute error in discs."""
    value_bias: list[float]
    """Mean error in discs: how far values are above what was to learn."""
    policy_accuracy: list[float]
    """Share of positions where the likeliest move was the one played."""
    policy_loss: list[float]
    compared: int
    """Positions on which trainer and core were found to agree to the unit."""


class _Data(NamedTuple):
    player: torch.Tensor
    opponent: torch.Tensor
    counts: torch.Tensor
    """Moves of the side to move, moves of the other, empty squares."""
    legal: torch.Tensor
    label: torch.Tensor
    weight: torch.Tensor
    """Of the position in the value's loss: none where an earlier row has it already."""
    move: torch.Tensor
    """The square played next, -1 where the game does not tell."""
    policy_weight: torch.Tensor
    held_out: torch.Tensor


def fit_networks(
    sets: list[tuple[GameArray, float]],
    options: NetworkOptions,
    progress: NetworkProgress | None = None,
    exploring: GameArray | None = None,
    *,
    start: Networks | None = None,
    policy_of: Networks | None = None,
) -> tuple[Networks, Measures]:
    """Networks fitted to sets of games, each with its weight; on a GPU where there is one.

    With games with random moves the value network first learns from all, then is tuned without them. It begins with the
    value network of `start`; the policy is fitted too, unless it is taken from `policy_of`.
    """
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.manual_seed(options.seed)
    shape = NetworkGeometry.default()
    parts = [_prepared(games, weight, options, device) for games, weight in sets]
    steady = sum(len(part.player) for part in parts)
    measured = [part.held_out.float().mean() for part in parts if len(part.held_out)]
    if all(part == 0 for part in measured) or all(part == 1 for part in measured):
        raise ConfigError("too few games: nothing is left to train on, or nothing to measure by")
    known = _book_positions(options, device)
    if known is not None:
        parts.insert(0, known)
        steady += len(known.player)
    if exploring is not None:
        parts.append(_prepared(exploring, 1.0, options, device))
    data = _Data(*(torch.cat(arrays) for arrays in zip(*parts, strict=True)))
    del parts, known
    value, policy = ValueNetwork(shape), PolicyNetwork(shape)
    if start is not None:
        value.begin_with(start)
    if policy_of is not None:
        policy.begin_with(policy_of)
    value, policy = value.to(device), policy.to(device)

    def value_loss(rows: torch.Tensor) -> torch.Tensor:
        weight = data.weight[rows]
        return (weight * (_values(value, data, rows) - data.label[rows]) ** 2).sum() / weight.sum().clamp(1e-6)

    def policy_loss(rows: torch.Tensor) -> torch.Tensor:
        weight = data.policy_weight[rows]
        losses = torch.nn.functional.cross_entropy(_scores(policy, data, rows), data.move[rows], reduction="none")
        return (weight * losses).sum() / weight.sum().clamp(1e-6)

    plan = _Plan(options.epochs, options.batch, options.rate, options.caution)
    useful = data.weight > 0
    _train("value", value, value_loss, useful, data, plan, progress)
    if exploring is not None:
        useful[steady:] = False
        plan = _Plan(options.tune_epochs, options.batch, options.tune_rate, options.caution)
        _train("tuning", value, value_loss, useful, data, plan, progress)
    if policy_of is None:
        plan = _Plan(options.policy_epochs, 2 * options.batch, options.policy_rate, options.caution)
        _train("policy", policy, policy_loss, data.move >= 0, data, plan, progress)
    networks = Networks(shape, *value.arrays(), policy.file_rows, policy.file_weights())
    rows = torch.nonzero(data.held_out[:steady] & (data.move[:steady] >= 0))[:, 0]
    _compare(networks, value, policy, data, rows[:SAMPLE])
    return networks, _measure(value, policy, data, rows, options.batch)


class _Plan(NamedTuple):
    epochs: int
    batch: int
    rate: float
    caution: float


def _train(
    name: str,
    network: torch.nn.Module,
    loss_of: Callable[[torch.Tensor], torch.Tensor],
    useful: torch.Tensor,
    data: _Data,
    plan: _Plan,
    progress: NetworkProgress | None,
) -> None:
    training = torch.nonzero(useful & ~data.held_out)[:, 0]
    held_out = torch.nonzero(useful & data.held_out)[:, 0]
    if not len(training) or not len(held_out):
        raise ConfigError("too few games: nothing is left to train on, or nothing to measure by")
    size = min(plan.batch, len(training))
    steps = len(training) // size
    fused = training.device.type == "cuda"
    optimizer = torch.optim.Adam(network.parameters(), plan.rate, betas=(0.9, 0.99), eps=plan.caution, fused=fused)
    total = plan.epochs * steps
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: share(step / total))
    for epoch in range(plan.epochs):
        order = training[torch.randperm(len(training), device=training.device)]
        for step in range(steps):
            optimizer.zero_grad(set_to_none=True)
            loss_of(order[step * size : (step + 1) * size]).backward()  # type: ignore[no-untyped-call]
            optimizer.step()
            schedule.step()
        if progress is not None:
            with torch.no_grad():
                losses = [float(loss_of(rows)) * len(rows) for rows in _chunks(held_out, size)]
            progress(name, epoch, sum(losses) / len(held_out))


def _chunks(rows: torch.Tensor, size: int) -> Iterator[torch.Tensor]:
    return (rows[start : start + size] for start in range(0, len(rows), size))


def _values(network: ValueNetwork, data: _Data, rows: torch.Tensor) -> torch.Tensor:
    indices = network.indices(data.player[rows], data.opponent[rows])
    counts = data.counts[rows]
    values: torch.Tensor = network(network.features(indices, counts), counts[:, 2])
    return values


class _Moves(NamedTuple):
    """All legal moves of some positions."""

    position: torch.Tensor
    square: torch.Tensor
    features: torch.Tensor
    empties: torch.Tensor


def _moves(network: PolicyNetwork, data: _Data, rows: torch.Tensor) -> _Moves:
    indices = network.indices(data.player[rows], data.opponent[rows])
    empties = data.counts[rows, 2]
    squares = torch.arange(64, device=rows.device)
    position, square = torch.nonzero(data.legal[rows][:, None] >> squares & 1, as_tuple=True)
    return _Moves(position, square, network.features(indices, empties, position, square), empties[position])


def _scores(network: PolicyNetwork, data: _Data, rows: torch.Tensor) -> torch.Tensor:
    """Scores of all 64 squares, -inf where there is no move."""
    moves = _moves(network, data, rows)
    scores = torch.full((len(rows), 64), -torch.inf, device=rows.device)
    return scores.index_put(moves[:2], network(moves.features, moves.empties, moves.square))


def _compare(networks: Networks, value: ValueNetwork, policy: PolicyNetwork, data: _Data, rows: torch.Tensor) -> None:
    """See that the core computes what was trained, to the unit."""
    core = from_numbers(networks)
    boards = [tensor[rows].cpu().numpy().view(np.uint64) for tensor in (data.player, data.opponent)]
    values, scores = np.zeros(len(rows), np.int32), np.zeros((len(rows), 64), np.int32)
    core.values(*boards, values)
    core.scores(*boards, scores)
    counts = data.counts[rows]
    features = value.features(value.indices(data.player[rows], data.opponent[rows]), counts)
    moves = _moves(policy, data, rows)
    found = scores[moves.position.cpu().numpy(), moves.square.cpu().numpy()]
    trained = policy.exact(moves.features, moves.empties, moves.square)
    if (values != value.exact(features, counts[:, 2])).any() or (found != trained).any():
        raise OthellierError("the core does not compute what was trained: its networks are of another shape")


def _measure(value: ValueNetwork, policy: PolicyNetwork, data: _Data, held_out: torch.Tensor, size: int) -> Measures:
    device = data.player.device
    counts, errors, bias, right, loss = (torch.zeros(61, device=device) for _ in range(5))
    with torch.no_grad():
        for rows in _chunks(held_out, size):
            empties = data.counts[rows, 2].long()
            scores = _scores(policy, data, rows)
            move = data.move[rows]
            counts.index_add_(0, empties, torch.ones(len(rows), device=device))
            off = _values(value, data, rows) - data.label[rows]
            errors.index_add_(0, empties, off.abs())
            bias.index_add_(0, empties, off)
            right.index_add_(0, empties, (scores.argmax(1) == move).float())
            loss.index_add_(0, empties, torch.nn.functional.cross_entropy(scores, move, reduction="none"))
    error, mean, accuracy, entropy = ((total / counts.clamp(1)).tolist() for total in (errors, bias, right, loss))
    return Measures(counts.int().tolist(), error, mean, accuracy, entropy, min(SAMPLE, len(held_out)))


def _book_positions(options: NetworkOptions, device: torch.device) -> _Data | None:
    """The positions of the shipped book with a move to play, labelled with the values there."""
    known = book.shipped()
    if known is None or not options.book_weight:
        return None
    legal = batch.moves(known.columns.player, known.columns.opponent)
    kept = np.nonzero(legal)[0]
    player, opponent, legal = known.columns.player[kept], known.columns.opponent[kept], legal[kept]
    theirs = batch.moves(opponent, player)
    stacked = np.stack([*map(np.bitwise_count, (legal, theirs)), 64 - np.bitwise_count(player | opponent)], 1)
    counts = torch.from_numpy(stacked.astype(np.int32)).to(device)
    count = len(kept)
    ours, others, moves = (torch.from_numpy(array.view(np.int64)).to(device) for array in (player, opponent, legal))
    return _Data(
        ours,
        others,
        counts,
        moves,
        torch.from_numpy(known.columns.stats["value"][kept].astype(np.float32)).to(device),
        options.book_weight * _certainty(counts, options),
        torch.full((count,), -1, device=device),
        torch.zeros(count, device=device),
        torch.arange(count, device=device) % options.held_out == 0,
    )


def _certainty(counts: torch.Tensor, options: NetworkOptions) -> torch.Tensor:
    return 20 / (20 + options.scatter * counts[:, 2])


def _prepared(games: GameArray, weight: float, options: NetworkOptions, device: torch.device) -> _Data:
    """All positions of a set; repeated ones count once for the value, with their mean."""
    found = positions(games, valued=True)
    player, opponent = (torch.from_numpy(array.view(np.int64)).to(device) for array in found[:2])
    legal = torch.from_numpy(batch.moves(found.player, found.opponent).view(np.int64)).to(device)
    discs = found.player | found.opponent
    stacked = np.stack([found.moves, found.opponent_moves, found.empties], 1)
    counts = torch.from_numpy(stacked.astype(np.int32)).to(device)

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
    return _Data(
        player,
        opponent,
        counts,
        legal,
        torch.from_numpy(mean.astype(np.float32)).to(device),
        weight * _certainty(counts, options) * torch.from_numpy(counted).to(device),
        torch.from_numpy(move).to(device),
        torch.full((len(same),), weight, device=device),
        torch.from_numpy(found.game % options.held_out == 0).to(device),
    )
