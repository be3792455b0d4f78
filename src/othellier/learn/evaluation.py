"""An evaluation as a folder: tables, networks and the numbers of forward pruning, files that belong together.

They have the names that the package has them under. An evaluation without networks values the leaves of searches by
its tables.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from othellier.base.files import read_file, write_file

__all__ = ["CHANCES", "NETWORKS", "PROBCUT", "WEIGHTS", "LearntEvaluation", "copy", "digest", "shipped_data"]

WEIGHTS, NETWORKS, PROBCUT, CHANCES = "evaluation.weights", "networks.weights", "probcut.json", "chances.json"

LIMIT = 1 << 30


@dataclass(frozen=True, slots=True)
class LearntEvaluation:
    """What values positions, and how far its searches may be trusted.

    >>> import othellier
    >>> evaluation = othellier.train("learn.yaml", "run")  # doctest: +SKIP
    >>> engine = othellier.Engine(weights=evaluation.weights)  # doctest: +SKIP
    """

    folder: Path

    @property
    def weights(self) -> Path:
        """The tables."""
        return self.folder / WEIGHTS

    @property
    def networks(self) -> Path | None:
        """The networks, if there are any."""
        path = self.folder / NETWORKS
        return path if path.exists() else None

    @property
    def probcut(self) -> Path:
        """The numbers of forward pruning."""
        return self.folder / PROBCUT

    def player(self, spec: str) -> str:
        """A player of the engine with this evaluation instead of the built-in one."""
        parts = {"weights": self.weights, "networks": self.networks, "probcut": self.probcut}
        options = ",".join(f"{name}={path.resolve()}" for name, path in parts.items() if path is not None)
        return f"{spec}{',' if ':' in spec else ':'}{options}"

    def digests(self, *names: str) -> dict[str, str]:
        """The checksums of its files, or of some of them."""
        wanted = names or (WEIGHTS, NETWORKS, PROBCUT)
        return {name: digest(self.folder / name) for name in wanted if (self.folder / name).exists()}


def digest(path: Path) -> str:
    """What tells a file from any other: the SHA-256 of its bytes."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def copy(source: Path, target: Path) -> None:
    """Copy a file, whole or not at all."""
    write_file(target, [read_file(source, LIMIT)])


@contextmanager
def shipped_data() -> Iterator[Path]:
    """The folder of the files that come with the package."""
    with resources.as_file(resources.files("othellier") / "data") as folder:
        yield folder
