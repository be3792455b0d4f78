"""The classifier: who wins a game in progress, as the chances of a win, a draw and a loss for the side to move.

A small network on the numbers of `classifier_features.py`; where the games come from is the business of
`classifier_data.py`, how well it does that of `classifier_report.py`.
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch

from othellier import batch
from othellier.base.files import read_file, write_file
from othellier.engine.engine import Engine, shared_weights
from othellier.errors import ConfigError, InvalidPosition, WeightsError
from othellier.learn.classifier_features import FEATURES, Floats, features, search_values, static_values
from othellier.learn.fitting import one_thread
from othellier.learn.games import Positions
from othellier.rules.board import Position

__all__ = ["CLASSES", "MANY_STEPS", "Classifier", "ClassifierOptions", "Labels", "Network", "labels", "train"]


Labels = npt.NDArray[np.int64]

CLASSES = ("loss", "draw", "win")

FEW_STEPS = 300
"""Least steps of a fit of a large network: with many more it learns a few hundred games by heart."""
MANY_STEPS = 1800
"""Least steps of a fit of few weights. The textbook features of 600 games of WTHOR (2,400 positions, twelve epochs)
named 43 % of the results rightly after the 24 steps that batches of 1024 make, and 67 % after 1800."""
LEAST_BATCH = 16
"""Positions of a step at least."""


@dataclass(frozen=True, slots=True)
class ClassifierOptions:
    """How to learn; the defaults made the numbers of docs/classifier.md."""

    depth: int = 6
    """Plies of the search whose value is a feature."""
    solve: int = 14
    """Empty squares from which that value is exact."""
    per_game: int = 4
    """Positions drawn from each game."""
    least_discs: int = 10
    """Before, games are still openings by heart."""
    hidden: tuple[int, ...] = (128, 64)
    epochs: int = 12
    batch: int = 1024
    """Positions of a step at most: where there are few, steps are smaller, so that there are enough of them."""
    rate: float = 3e-3
    decay: float = 1e-2
    seed: int = 0

    def __post_init__(self) -> None:
        if min(self.per_game, self.epochs, self.batch, self.depth, *self.hidden) < 1 or self.solve > 20:
            raise ConfigError("depth, positions a game, epochs, batch and layers must be positive, solve at most 20")


def labels(found: Positions) -> Labels:
    """The places in CLASSES of the results."""
    return np.sign(found.score).astype(np.int64) + 1


class Network(torch.nn.Module):
    """Layers over numbers brought to mean 0 and spread 1."""

    mean: torch.Tensor
    spread: torch.Tensor

    def __init__(self, inputs: int, hidden: Sequence[int]) -> None:
        super().__init__()
        self.register_buffer("mean", torch.zeros(inputs))
        self.register_buffer("spread", torch.ones(inputs))
        layers: list[torch.nn.Module] = []
        for before, after in zip([inputs, *hidden], hidden, strict=False):
            layers += [torch.nn.Linear(before, after), torch.nn.ReLU()]
        self.layers = torch.nn.Sequential(*layers, torch.nn.Linear([inputs, *hidden][-1], len(CLASSES)))

    def forward(self, numbers: torch.Tensor) -> torch.Tensor:
        """The logarithms of the chances, up to a constant."""
        values: torch.Tensor = self.layers((numbers - self.mean) / self.spread)
        return values

    def chances(self, numbers: Floats) -> Floats:
        """The chances of CLASSES, a row a position."""
        with torch.no_grad():
            return torch.softmax(self(torch.from_numpy(numbers)), 1).numpy()


@one_thread()
def train(
    numbers: Floats,
    truth: Labels,
    options: ClassifierOptions,
    progress: Callable[[float], None] | None = None,
    least_steps: int = FEW_STEPS,
) -> Network:
    """Return a network fitted to labelled rows, by smaller batches where there would be fewer steps than `least_steps`.

    `progress` is called with the mean log loss of each epoch.
    """
    if not len(numbers) or len(numbers) != len(truth):
        raise ConfigError(f"{len(numbers)} positions with {len(truth)} results: nothing to learn from")
    if not np.isfinite(numbers).all():
        bad = int((~np.isfinite(numbers).all(axis=1)).sum())
        raise ConfigError(f"{bad} of {len(numbers)} positions have features that are not numbers")
    if len(np.unique(truth)) < 2:
        raise ConfigError(f"every position ends in a {CLASSES[int(truth[0])]}: there is nothing to tell apart")
    torch.manual_seed(options.seed)
    network = Network(numbers.shape[1], options.hidden)
    network.mean.copy_(torch.from_numpy(numbers.mean(axis=0)))
    network.spread.copy_(torch.from_numpy(numbers.std(axis=0) + np.float32(1e-6)))
    rows, results = torch.from_numpy(numbers), torch.from_numpy(truth)
    batch = min(options.batch, max(LEAST_BATCH, len(rows) * options.epochs // least_steps), len(rows))
    steps = len(rows) // batch
    optimizer = torch.optim.AdamW(network.parameters(), lr=options.rate, weight_decay=options.decay)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, options.rate, total_steps=max(options.epochs * steps, 2), pct_start=0.3
    )
    for _ in range(options.epochs):
        order, total = torch.randperm(len(rows)), 0.0
        for step in range(steps):
            part = order[step * batch : (step + 1) * batch]
            loss = torch.nn.functional.cross_entropy(network(rows[part]), results[part])
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
            schedule.step()
            total += loss.item()
        if progress is not None:
            progress(total / steps)
    return network


class Classifier:
    """A trained network with the engine it asks.

    classifier = Classifier.load("classifier.pt")
    classifier.rate(position)               (win, draw, loss) for the side to move
    """

    def __init__(self, network: Network, options: ClassifierOptions, weights: str | Path | None = None) -> None:
        self.network = network
        self.options = options
        self._weights = shared_weights(weights)
        self._engine = Engine(hash_mb=2, weights=weights)

    def features(self, found: Positions, progress: Callable[[int], None] | None = None) -> Floats:
        """What the network is given of the positions."""
        static = static_values(self._weights, found)
        search = search_values(self._engine, found, self.options.depth, self.options.solve, progress)
        return features(found, static, search, self.options.solve)

    def rate(self, position: Position) -> tuple[float, float, float]:
        """The chances of a win, a draw and a loss for the side to move."""
        if position.size.squares != 64 or not position.moves():
            raise InvalidPosition("the classifier rates positions of the 8x8 board with a move to make")
        player, opponent = np.array([position.player], np.uint64), np.array([position.opponent], np.uint64)
        moves, replies = batch.moves(player, opponent), batch.moves(opponent, player)
        unknown = np.zeros(1, np.int8)
        counts = np.bitwise_count(moves), np.bitwise_count(replies)
        asked = Positions(player, opponent, *counts, unknown, unknown, np.zeros(1, np.int32))
        loss, draw, win = self.network.chances(self.features(asked))[0].tolist()
        return win, draw, loss

    def save(self, path: Path) -> None:
        """Write it as PyTorch does."""
        data = io.BytesIO()
        torch.save({"features": FEATURES, "options": asdict(self.options), "state": self.network.state_dict()}, data)
        write_file(path, [data.getvalue()])

    @classmethod
    def load(cls, path: str | Path, weights: str | Path | None = None) -> Classifier:
        """Read one back; it must be given the weights it was trained with."""
        try:
            kept = torch.load(io.BytesIO(read_file(Path(path))), weights_only=True)
            if tuple(kept["features"]) != FEATURES:
                raise WeightsError(f"{path}: a classifier of other features")
            options = ClassifierOptions(**kept["options"])
            network = Network(len(FEATURES), options.hidden)
            network.load_state_dict(kept["state"])
        except (RuntimeError, KeyError, TypeError, pickle.UnpicklingError, EOFError):
            raise WeightsError(f"{path}: no classifier of this program") from None
        return cls(network, options, weights)
