"""A large network on the whole board that only teaches: the engine's value network learns from what it says.

It is a residual network of convolutions, far slower than the engine's, and sees what no single pattern shows. From
labels that scatter it learns what they have in common. Then it can value any number of positions, those of the games
and others near them, and the small network learns from more than could ever be played.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch

from othellier.errors import ConfigError, RecordError
from othellier.files import read_file, write_file
from othellier.learn.fitting import share
from othellier.learn.network_data import NetworkData, NetworkOptions, device_of_fit, near

__all__ = ["Teacher", "TeacherOptions", "fit_teacher"]

PLANES = 8
DISCS = 16
"""Discs an output of 1 means."""
AT_ONCE = 1 << 15
"""Positions that are valued at once."""
EVERY = 100
"""Steps between two words of progress."""
LIMIT = 1 << 30


@dataclass(frozen=True, slots=True)
class TeacherOptions:
    """Size and fit of a teacher."""

    channels: int = 128
    blocks: int = 8
    samples: int = 120_000_000
    """Positions it learns from, drawn at random from those there are."""
    batch: int = 1 << 13
    rate: float = 0.002
    seed: int = 0

    def __post_init__(self) -> None:
        if min(self.channels, self.blocks, self.samples, self.batch) < 1 or self.rate <= 0:
            raise ConfigError("channels, blocks, samples, batch and rate of a teacher must be positive")


class _Block(torch.nn.Module):
    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = torch.nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.first_norm = torch.nn.BatchNorm2d(channels)
        self.second = torch.nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.second_norm = torch.nn.BatchNorm2d(channels)

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        inside = torch.relu(self.first_norm(self.first(inputs)))
        return torch.relu(inputs + self.second_norm(self.second(inside)))


class Teacher(torch.nn.Module):
    """The final disc difference for the side to move, as far as a large network can tell."""

    def __init__(self, options: TeacherOptions) -> None:
        super().__init__()
        channels = options.channels
        self.stem = torch.nn.Sequential(
            torch.nn.Conv2d(PLANES, channels, 3, padding=1, bias=False), torch.nn.BatchNorm2d(channels), torch.nn.ReLU()
        )
        self.blocks = torch.nn.Sequential(*(_Block(channels) for _ in range(options.blocks)))
        self.squeeze = torch.nn.Sequential(torch.nn.Conv2d(channels, 32, 1), torch.nn.ReLU(), torch.nn.Flatten())
        self.value = torch.nn.Sequential(torch.nn.Linear(32 * 64, 256), torch.nn.ReLU(), torch.nn.Linear(256, 1))

    def forward(self, planes: torch.Tensor) -> torch.Tensor:
        """Values in discs."""
        with torch.autocast(planes.device.type, torch.bfloat16):
            inside = self.blocks(self.stem(planes.contiguous(memory_format=torch.channels_last)))
            values = self.value(self.squeeze(inside))
        found: torch.Tensor = DISCS * values[:, 0].float()
        return found

    def values(self, data: NetworkData) -> torch.Tensor:
        """What it says of positions."""
        self.eval()
        rows = torch.arange(len(data.player), device=data.player.device)
        with torch.no_grad():
            parts = [self(_planes(data, some)) for some in torch.split(rows, AT_ONCE)]
        return torch.cat(parts) if parts else torch.zeros(0, device=data.player.device)

    def taught(self, data: NetworkData, options: NetworkOptions) -> NetworkData:
        """The positions with labels that are mostly its own, and others near them."""
        # What the book says, which teaches no policy, is better than what a teacher thinks.
        mine = torch.where(data.policy_weight == 0, 0.0, options.taught)
        labels = (1 - mine) * data.label + mine * self.values(data)
        parts = [data._replace(label=labels)]
        useful = torch.nonzero((data.weight > 0) & ~data.held_out)[:, 0]
        for copy in range(options.neighbours):
            others = near(data, useful, options, options.seed + copy)
            parts.append(others._replace(label=self.values(others)))
        return NetworkData(*(torch.cat(arrays) for arrays in zip(*parts, strict=True)))

    @classmethod
    def load(cls, path: Path) -> Teacher:
        """The teacher of a file."""
        kept = _read(path)
        teacher = cls(TeacherOptions(**kept["options"]))
        teacher.load_state_dict(kept["teacher"])
        return teacher.to(device_of_fit(), memory_format=torch.channels_last)  # type: ignore[call-overload,no-any-return]


def _planes(data: NetworkData, rows: torch.Tensor) -> torch.Tensor:
    """What a teacher sees: discs, empty squares and moves of both sides, and how many squares are empty."""
    player, opponent = data.player[rows], data.opponent[rows]
    boards = torch.stack([player, opponent, ~(player | opponent), data.legal[rows], data.replies[rows]], 1)
    bits = (boards[:, :, None] >> torch.arange(64, device=rows.device) & 1).float()
    empty = data.counts[rows, 2].float()
    facts = torch.stack([empty / 60, empty % 2, torch.ones_like(empty)], 1)
    return torch.cat([bits, facts[:, :, None].expand(-1, -1, 64)], 1).view(-1, PLANES, 8, 8)


def fit_teacher(
    data: NetworkData, options: TeacherOptions, path: Path, progress: Callable[[float], None] | None = None
) -> float:
    """Fit a teacher, or go on with the one of a file, and write it; its squared error on positions held out comes back.

    `progress` is told how many positions were learnt from. If it raises, what is learnt so far is written.
    """
    torch.manual_seed(options.seed)
    device = data.player.device
    teacher = Teacher(options).to(device, memory_format=torch.channels_last)  # type: ignore[call-overload]
    optimizer = torch.optim.Adam(teacher.parameters(), options.rate, betas=(0.9, 0.99), fused=device.type == "cuda")
    useful = data.weight > 0
    training, held_out = (torch.nonzero(useful & part)[:, 0] for part in (~data.held_out, data.held_out))
    total = max(1, options.samples // options.batch)
    done = 0
    if path.exists() and (kept := _read(path))["options"] == asdict(options):
        teacher.load_state_dict(kept["teacher"])
        optimizer.load_state_dict(kept["optimizer"])
        done = kept["steps"]
    if progress is not None:
        progress(done * options.batch)
    teacher.train()
    try:
        for step in range(done, total):
            rows = training[torch.randint(len(training), (options.batch,), device=device)]
            weight = data.weight[rows]
            errors = teacher(_mirrored(_planes(data, rows), step)) - data.label[rows]
            optimizer.zero_grad(set_to_none=True)
            ((weight * errors**2).sum() / weight.sum()).backward()
            for group in optimizer.param_groups:
                group["lr"] = options.rate * share(step / total)
            optimizer.step()
            done = step + 1
            if progress is not None and (done % EVERY == 0 or done == total):
                progress((done % EVERY or EVERY) * options.batch)
    finally:
        kept = {"options": asdict(options), "steps": done}
        kept |= {"teacher": teacher.state_dict(), "optimizer": optimizer.state_dict()}
        buffer = io.BytesIO()
        torch.save(kept, buffer)
        write_file(path, [buffer.getvalue()])
    weight = data.weight[held_out]
    some = NetworkData(*(tensor[held_out] for tensor in data))
    return float((weight * (teacher.values(some) - some.label) ** 2).sum() / weight.sum().clamp(1e-6))


def _mirrored(planes: torch.Tensor, step: int) -> torch.Tensor:
    """The planes in one of the eight symmetries, another one at each step."""
    if step & 1:
        planes = planes.flip(2)
    if step & 2:
        planes = planes.flip(3)
    return planes.transpose(2, 3) if step & 4 else planes


def _read(path: Path) -> dict[str, Any]:
    try:
        kept = torch.load(io.BytesIO(read_file(path, LIMIT)), map_location="cpu", weights_only=True)
        if not isinstance(kept, dict) or not {"options", "steps", "teacher", "optimizer"} <= set(kept):
            raise ValueError
    except (ValueError, RuntimeError, EOFError, KeyError):
        raise RecordError(str(path), "", "is no teacher") from None
    return kept
