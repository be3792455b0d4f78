"""Weights as plain NumPy tables and back, for whoever studies them or puts them into an engine of their own.

An archive of arrays (`.npz`) holds, for every pattern k:

    squares_k      its images on the board, a row each; squares are numbers, a1 = 0 to h8 = 63
    table_k        weights of shape (phases, 3^squares); digit 0 is a disc of the side not to move, 1 an empty
                   square, 2 a disc of the side to move, the first square's digit counts 1, the next 3, then 9 …

and `moves` and `replies`, of shape (phases, 64): weights for the number of moves of the side to move and of the
other side; `unit`: a weight of so much is one disc. The value of a position is the sum over all images and both
mobilities, in the phase `(60 - empties) * phases // 60`.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from pathlib import Path

import numpy as np

from othellier.base.files import read_file, write_file
from othellier.errors import RecordError, WeightsError
from othellier.evaluation.weights import (
    MOBILITY_TERMS,
    Pattern,
    PatternGeometry,
    read_payload,
    shipped_weights,
    write_payload,
)

__all__ = ["checksum", "export", "load_payload"]

SUFFIX = ".npz"
LIMIT = 1 << 28


def export(source: Path, out: Path) -> None:
    """Write weights as arrays where the name ends in `.npz`, else as a weights file; the source is either."""
    payload = load_payload(source)
    if SUFFIX not in (source.suffix, out.suffix):
        write_file(out, [source.read_bytes()])  # packing is slow
        return
    if out.suffix != SUFFIX:
        write_payload(out, payload)
        return
    geometry, tables, unit = PatternGeometry.read(payload)
    arrays = {"unit": np.array(unit)}
    for number, pattern in enumerate(geometry.patterns):
        offset = geometry.offsets[number]
        arrays[f"squares_{number}"] = np.array(pattern.instances, np.uint8)
        arrays[f"table_{number}"] = tables[:, offset : offset + pattern.entries]
    arrays["moves"], arrays["replies"] = np.split(tables[:, geometry.offsets[-1] :], [MOBILITY_TERMS], axis=1)
    data = io.BytesIO()
    np.savez_compressed(data, allow_pickle=False, **arrays)
    write_file(out, [data.getvalue()])


def load_payload(path: Path) -> bytes:
    """The payload of a weights file, or of an archive of arrays."""
    if path.suffix != SUFFIX:
        return read_payload(path)
    try:
        with np.load(io.BytesIO(read_file(path, LIMIT))) as arrays:
            found = {name: arrays[name] for name in arrays.files}
        count = sum(name.startswith("table_") for name in found)
        patterns = [Pattern(tuple(found[f"squares_{number}"][0].tolist())) for number in range(count)]
        parts = [*(found[f"table_{number}"] for number in range(count)), found["moves"], found["replies"]]
        tables = np.concatenate(parts, axis=1)
        unit = int(found["unit"])
    except KeyError as error:
        raise WeightsError(f"{path}: lacks the array {error.args[0]!r}") from None
    except RecordError as error:
        raise WeightsError(str(error)) from None
    except (ValueError, IndexError, TypeError, OSError, EOFError, AttributeError, zipfile.BadZipFile) as error:
        raise WeightsError(f"{path}: not an archive of tables ({error})") from None
    if np.issubdtype(tables.dtype, np.floating) and not np.isfinite(tables).all():
        raise WeightsError(f"{path}: a weight is not a number")
    if not np.array_equal(tables, tables.astype(np.int16)):
        raise WeightsError(f"{path}: weights must be whole numbers of sixteen bits")
    try:
        return PatternGeometry(tuple(patterns)).payload(tables.astype(np.int16), unit)
    except (WeightsError, IndexError) as error:
        raise WeightsError(f"{path}: {error}") from None


def checksum(path: Path | None) -> str:
    """What tells weights from others, of a file or of the package: the CRC-32 of their payload."""
    if path is not None:
        return f"{zlib.crc32(load_payload(path)):08x}"
    with shipped_weights() as shipped:
        return checksum(shipped)
