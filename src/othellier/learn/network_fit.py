"""Fits the networks to labelled games: values by regression, the policy by the moves that were played."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
import torch

from othellier.errors import ConfigError, OthellierError
from othellier.learn.fitting import share
from othellier.learn.games import GameArray
from othellier.learn.network_data import NetworkData, NetworkOptions, Sets, gather
from othellier.learn.network_model import PolicyNetwork, ValueNetwork
from othellier.learn.teacher import Teacher
from othellier.network import NetworkGeometry, Networks, from_numbers

__all__ = ["Measures", "NetworkProgress", "fit_networks"]

NetworkProgress = Callable[[str, int, float], None]
"""Called after each epoch with the network's name, the epoch and the loss held out."""

SAMPLE = 4096
"""Positions of games held out by which trainer and core are compared."""


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


def fit_networks(
    sets: Sets,
    options: NetworkOptions,
    progress: NetworkProgress | None = None,
    exploring: GameArray | None = None,
    *,
    start: Networks | None = None,
    policy_of: Networks | None = None,
    teacher: Teacher | None = None,
) -> tuple[Networks, Measures]:
    """Networks fitted to sets of games, each with its weight; on a GPU where there is one.

    With games with random moves the value network first learns from all, then is tuned without them. It begins with the
    value network of `start`; the policy is fitted too, unless it is taken from `policy_of`. With a teacher it learns
    what that says, also of positions near those of the games; errors are still measured by the games' own labels.
    """
    torch.manual_seed(options.seed)
    shape = NetworkGeometry.default()
    data, steady = gather(sets, exploring, options)
    labels = data.label[:steady].clone()
    if teacher is not None:
        data = teacher.taught(data, options)
    value, policy = ValueNetwork(shape), PolicyNetwork(shape)
    if start is not None:
        value.begin_with(start)
    if policy_of is not None:
        policy.begin_with(policy_of)
    device = data.player.device
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
    data.label[:steady] = labels
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
    data: NetworkData,
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


def _values(network: ValueNetwork, data: NetworkData, rows: torch.Tensor) -> torch.Tensor:
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


def _moves(network: PolicyNetwork, data: NetworkData, rows: torch.Tensor) -> _Moves:
    indices = network.indices(data.player[rows], data.opponent[rows])
    empties = data.counts[rows, 2]
    squares = torch.arange(64, device=rows.device)
    position, square = torch.nonzero(data.legal[rows][:, None] >> squares & 1, as_tuple=True)
    return _Moves(position, square, network.features(indices, empties, position, square), empties[position])


def _scores(network: PolicyNetwork, data: NetworkData, rows: torch.Tensor) -> torch.Tensor:
    """Scores of all 64 squares, -inf where there is no move."""
    moves = _moves(network, data, rows)
    scores = torch.full((len(rows), 64), -torch.inf, device=rows.device)
    return scores.index_put(moves[:2], network(moves.features, moves.empties, moves.square))


def _compare(
    networks: Networks, value: ValueNetwork, policy: PolicyNetwork, data: NetworkData, rows: torch.Tensor
) -> None:
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


def _measure(
    value: ValueNetwork, policy: PolicyNetwork, data: NetworkData, held_out: torch.Tensor, size: int
) -> Measures:
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
