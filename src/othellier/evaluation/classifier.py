"""The classifier on the bare board: who wins a game in progress, from nothing but where the discs are.

A small network that learnt from games of people (`othellier learn classify`), in NumPy: no PyTorch is needed to ask it.
It is asked about all eight symmetric forms of a position at once and answers with their mean, so symmetric positions
are equal. Its first layer is a sum over discs, which is looked up byte by byte.

`value` is for searches. It is worked out in whole numbers, so the compiled twin (core/classic/classifier.h), which is
handed the same numbers, agrees to the unit.
"""

from __future__ import annotations

import io
import zipfile
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from othellier.base.files import read_file, write_file
from othellier.errors import WeightsError
from othellier.rules import native
from othellier.rules.geometry import STANDARD, SYMMETRIES, geometry

__all__ = ["UNIT", "BoardModel", "compiled_model", "shipped_model"]

_Floats = npt.NDArray[np.float32]

UNIT = 1000
"""What the evaluator counts for one unit of the logarithm of the odds."""

LAYERS = ("w1", "b1", "w2", "b2", "w3", "b3")
LOSS, WIN = 0, 2
"""The places of the classes in the last layer."""
MOST = 50_000_000
BYTES = np.arange(16)

FIRST, WEIGHT = 1 << 8, 1 << 12
"""Parts of one that whole numbers count in: the first layer with its weights, and the weights of the others."""
LARGEST = (1 << 15) - 1
"""Most of a number of the first layer, of a weight, and half of what a row of weights may come to."""


class BoardModel:
    """The network with its weights: `chances` tells of a position, `value` rates it for a search."""

    def __init__(self, layers: dict[str, _Floats]) -> None:
        self.layers = layers

    @cached_property
    def _sums(self) -> _Floats:
        return _by_byte(self.layers["w1"])

    @cached_property
    def _whole(self) -> dict[str, npt.NDArray[np.float64]]:
        """The layers in whole numbers, the last one for win less loss alone."""
        kept = {name: layer.astype(np.float64) for name, layer in self.layers.items()}
        for name in ("w3", "b3"):
            kept[name] = kept[name][WIN] - kept[name][LOSS]
        units = {"w1": FIRST, "b1": FIRST, "w2": WEIGHT, "b2": FIRST * WEIGHT, "w3": WEIGHT, "b3": FIRST * WEIGHT}
        whole = {name: np.rint(units[name] * layer) for name, layer in kept.items()}
        rows = [np.abs(whole[name]).sum(-1).max() for name in ("w2", "w3")]
        if np.abs(whole["w1"]).max() > LARGEST or max(rows) > 2 * LARGEST:
            raise WeightsError("weights of the classifier that are too large for a search")
        return whole

    @cached_property
    def _whole_sums(self) -> _Floats:
        return _by_byte(self._whole["w1"].astype(np.float32))

    def chances(self, player: int, opponent: int) -> tuple[float, float, float]:
        """The chances of a win, a draw and a loss for the side to move."""
        layers = self.layers
        first = np.maximum(_first(self._sums, player, opponent) + layers["b1"], 0)
        second = np.maximum(first @ layers["w2"].T + layers["b2"], 0)
        logits = (second @ layers["w3"].T + layers["b3"]).mean(0)
        odds = np.exp(logits - logits.max())
        loss, draw, win = (odds / odds.sum()).tolist()
        return win, draw, loss

    def value(self, player: int, opponent: int) -> int:
        """The logarithm of the odds of a win against a loss, in UNITs."""
        whole = self._whole
        first = np.clip(_first(self._whole_sums, player, opponent) + whole["b1"], 0, LARGEST)
        second = np.maximum(first @ whole["w2"].T + whole["b2"], 0) // WEIGHT
        forms = second @ whole["w3"] + whole["b3"]  # floats as exact as whole numbers: all are far below 2**53
        unit = len(SYMMETRIES) * FIRST * WEIGHT
        return (UNIT * int(forms.sum()) + unit // 2) // unit

    def numbers(self) -> list[int]:
        """Its whole numbers as the compiled core is handed them."""
        whole = self._whole
        parts = (whole["w1"].T, *(whole[name] for name in LAYERS[1:]))
        return [int(number) for part in parts for number in part.ravel()]

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


def _by_byte(weights: _Floats) -> _Floats:
    """For every symmetry, byte of the board and value of that byte: what its discs add to the first layer."""
    by_square = weights.T  # own discs first, then the other's
    table = np.zeros((len(SYMMETRIES), 16, 256, by_square.shape[1]), np.float32)
    bits = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little").astype(np.float32)
    for symmetry in SYMMETRIES:
        moved = np.array(geometry(STANDARD).symmetry_tables[symmetry])
        for side in range(2):
            for byte in range(8):
                squares = 64 * side + moved[8 * byte : 8 * byte + 8]
                table[symmetry, 8 * side + byte] = bits @ by_square[squares]
    return table


def _first(table: _Floats, player: int, opponent: int) -> _Floats:
    """The first layer of all eight forms, before its constants."""
    index = np.frombuffer(player.to_bytes(8, "little") + opponent.to_bytes(8, "little"), np.uint8)
    return np.asarray(table[:, BYTES, index].sum(1))


@cache
def shipped_model() -> BoardModel:
    """The one that comes with the package."""
    return BoardModel.load(Path(__file__).parents[1] / "data" / "classifier.npz")


@cache
def compiled_model() -> Any:
    """The same as the compiled searches ask it."""
    assert native.core is not None
    return native.core.BoardClassifier(shipped_model().numbers())
