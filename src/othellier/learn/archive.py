"""The archive of a run: what went in, what was measured on the way, what came out. Small text files for good.

A folder with

    run.json       title, recipe, revision, date, machine, seed, the whole configuration, what the run began with
    log.jsonl      what happened, an event a line, in order

A line of the log says what it is by `event`, and belongs to a `round`, counted from 1. Where a run has made more than
pattern weights, `model` says what was fitted or measured: `patterns` unless told, `network` or `policy`.

    data           source, games, positions, and whatever tells how they came about
    epoch          epoch (from 1), training, held_out: mean squared errors in discs, of the labels; for networks `part`
                   too: value and tuning, whose errors are of other positions, and policy, which has a log loss
    error          empties, positions, mse, mae, bias: of held-out positions, against the results of their games
    calibration    stage, predicted, observed, won, positions: held-out positions by predicted value
    fit            device, seconds, positions, training, held_out
    parity         positions on which trainer and core were found to agree
    match          new, old, player, and all that a match tells (wins, elo, sprt …)
    policy         empties, positions, accuracy, loss: how often the policy's first move was the one played
    probcut        positions, midgame, endgame as measured, and `taken`: the numbers of the file
    weights        accepted, checksum, bytes, and the checksums of all `files`: whether what is new replaced the old
    chances        estimates, log_loss, brier, error of those held out, and what `files` the chances belong to

Games and weights of a run may lie beside them, and tables (CSV) are made from the log; none of these is needed to
read it. Doing the run is the business of `run`, showing it that of `report`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from othellier.base.files import read_file, write_file
from othellier.base.sheets import TableRows, csv_table
from othellier.errors import RecordError

__all__ = ["NETWORK", "PATTERNS", "POLICY", "TABLES", "Archive", "shipped_archive"]

PATTERNS, NETWORK, POLICY = "patterns", "network", "policy"
"""What a run may fit."""

TABLES = {
    "curves": ("epoch", ("round", "model", "part", "epoch", "training", "held_out")),
    "errors": ("error", ("round", "model", "empties", "positions", "mse", "mae", "bias")),
    "calibration": ("calibration", ("round", "model", "stage", "predicted", "observed", "won", "positions")),
    "matches": (
        "match",
        ("round", "new", "old", "player", "games", "wins", "draws", "losses", "elo", "elo_low", "elo_high"),
    ),
    "data": ("data", ("round", "source", "games", "positions")),
    "policy": ("policy", ("round", "empties", "positions", "accuracy", "loss")),
}
"""The tables made of a log: their events and columns."""

NEEDED = {
    "data": ("source", "games"),
    "epoch": ("epoch", "training", "held_out"),
    "error": ("empties", "mae"),
    "calibration": ("stage", "predicted", "observed", "won"),
    "match": ("new", "old", "player", "wins", "draws", "losses"),
}
"""What an event cannot be shown without."""


@dataclass(frozen=True, slots=True)
class Archive:
    """A run that is told by its folder.

    >>> archive = Archive.read("run")  # doctest: +SKIP
    >>> archive.events("fit")  # doctest: +SKIP
    """

    facts: dict[str, Any]
    lines: list[dict[str, Any]]

    @classmethod
    def read(cls, folder: str | Path) -> Archive:
        """Read an archive; a last line that was cut off is left out."""
        folder = Path(folder)
        facts = _object(folder / "run.json", read_file(folder / "run.json"))
        path = folder / "log.jsonl"
        data = read_file(path) if path.exists() else b""
        lines = []
        for number, line in enumerate(data.splitlines(keepends=True), 1):
            if line.endswith(b"\n"):
                value = _object(path, line, f"line {number}")
                if not isinstance(value.get("event"), str):
                    raise RecordError(str(path), f"line {number}", "names no event")
                if missing := [key for key in NEEDED.get(value["event"], ()) if key not in value]:
                    raise RecordError(str(path), f"line {number}", f"its {value['event']} lacks {', '.join(missing)}")
                lines.append(value)
        return cls(facts, lines)

    def events(self, name: str, number: int | None = None, model: str | None = None) -> list[dict[str, Any]]:
        """All events of a kind, or those of a round, or of a model."""
        return [
            line
            for line in self.lines
            if line["event"] == name
            and number in (None, line.get("round"))
            and model in (None, line.get("model", PATTERNS))
        ]

    @property
    def last_round(self) -> int:
        """The round whose weights were the last to be taken; the last one at all where none were."""
        rounds = [line.get("round", 1) for line in self.lines]
        taken = [line.get("round", 1) for line in self.events("weights") if line.get("accepted")]
        return int(max(taken or rounds or [1]))

    def table(self, name: str) -> TableRows:
        """A table with its heading."""
        event, columns = TABLES[name]
        lines = [{"model": PATTERNS, **line} for line in self.events(event)]
        rows = [["" if line.get(key) is None else str(line[key]) for key in columns] for line in lines]
        return [list(columns), *rows]

    def write_tables(self, folder: Path) -> None:
        """Write the tables that are not empty as CSV."""
        for name in TABLES:
            table = self.table(name)
            if len(table) > 1:
                write_file(folder / f"{name}.csv", [csv_table(table)])


def _object(path: Path, data: bytes, where: str = "") -> dict[str, Any]:
    try:
        value = json.loads(data)
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise RecordError(str(path), where, "is not a JSON object")
    return value


def shipped_archive() -> Archive:
    """The run that made the weights of this package."""
    with resources.as_file(resources.files("othellier") / "data" / "training") as folder:
        return Archive.read(folder)
