"""The classifier on the bare board: who wins a game in progress, from nothing but where the discs are.

A small network that learnt from games of people (`othellier learn classify`), in NumPy: no PyTorch is needed to ask it.
It is asked about all eight symmetric forms of a position at once and answers with their mean, so symmetric positions
are equal. Its first layer is a sum over discs, which is looked up byte by byte.
"""

from __future__ import annotations

import io
import math
import zipfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from othellier.errors import WeightsError
from othellier.files import read_file, write_file
from othellier.geometry import STANDARD, SYMMETRIES, geometry

__all__ = ["UNIT", "BoardModel", "shipped_model"]

_Floats = npt.NDArray[np.float32]

UNIT = 1000
"""What the evaluator counts for one unit of the logarithm of the odds."""

LAYERS = ("w1", "b1", "w2", "b2", "w3", "b3")
MOST = 50_000_000


class BoardModel:
    """The network with its weights: `chances` tells of a position, `value` rates it for a search."""

    def __init__(self, layers: dict[str, _Floats]) -> None:
        self.layers = layers
        hidden = len(layers["b1"])
        # For every symmetry, byte of the board and value of that byte: what its discs add to the first layer.
        table = np.zeros((len(SYMMETRIES), 16, 256, hidden), np.float32)
        bits = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little").astype(np.float32)
        weights = layers["w1"].T  # by square: own discs first, then the other's
        for symmetry in SYMMETRIES:
            moved = np.array(geometry(STANDARD).symmetry_tables[symmetry])
            for side in range(2):
                for byte in range(8):
                    squares = 64 * side + moved[8 * byte : 8 * byte + 8]
                    table[symmetry, 8 * side + byte] = bits @ weights[squares]
        self._table = table
        self._bytes = np.arange(16)

    def chances(self, player: int, opponent: int) -> tuple[float, float, float]:
        """The chances of a win, a draw and a loss for the side to move."""
        layers = self.layers
        index = np.frombuffer(player.to_bytes(8, "little") + opponent.to_bytes(8, "little"), np.uint8)
        first = np.maximum(self._table[:, self._bytes, index].sum(1) + layers["b1"], 0)
        second = np.maximum(first @ layers["w2"].T + layers["b2"], 0)
        logits = (second @ layers["w3"].T + layers["b3"]).mean(0)
        odds = np.exp(logits - logits.max())
        loss, draw, win = (odds / odds.sum()).tolist()
        return win, draw, loss

    def value(self, player: int, opponent: int) -> int:
        """The logarithm of the odds of winning, a draw being half a win, in UNITs."""
        win, draw, loss = self.chances(player, opponent)
        return round(UNIT * math.log(max(win + draw / 2, 1e-6) / max(loss + draw / 2, 1e-6)))

    def save(self, path: Path) -> None:
        """Write the weights, half as exact as they were learnt, which is enough."""
        data = io.BytesIO()
        halves: dict[str, Any] = {name: layer.astype(np.float16) for name, layer in self.layers.items()}
        np.savez_compressed(data, **halves)
        write_file(path, [data.getvalue()])

    @classmethod
    def load(cls, path: Path) -> BoardModel:
        """Read weights back; what is none is refused."""
        try:
            with np.load(io.BytesIO(read_file(path, MOST)), allow_pickle=False) as kept:
                layers = {name: np.asarray(kept[name], np.float32) for name in LAYERS}
        except (KeyError, ValueError, OSError, EOFError, zipfile.BadZipFile):
            raise WeightsError(f"{path}: no classifier of the bare board") from None
        one, two = (len(layers[name]) for name in ("b1", "b2"))
        shapes = [layers[name].shape for name in LAYERS]
        if shapes != [(one, 128), (one,), (two, one), (two,), (3, two), (3,)]:
            raise WeightsError(f"{path}: a classifier of another shape")
        if not all(np.isfinite(layer).all() for layer in layers.values()):
            raise WeightsError(f"{path}: weights that are not numbers")
        return cls(layers)


@cache
def shipped_model() -> BoardModel:
    """The one that comes with the package."""
    return BoardModel.load(Path(__file__).parent / "data" / "classifier.npz")
