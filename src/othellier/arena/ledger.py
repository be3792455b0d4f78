"""Every game on a line of JSON: written at once and for good, read back whole, never counted twice.

A line holds the game itself, as moves, and what went into it. Lines are only ever appended. When they are read again
the moves are replayed: a line whose result they contradict is refused.
A line that a full disk cuts off is removed at once, one that a crash has cut off when the file is opened again.
"""

from __future__ import annotations

import contextlib
import json
import os
import stat
from collections.abc import Iterable, Iterator
from io import FileIO
from pathlib import Path
from typing import Any, Self, get_args

from othellier.arena.play import Played, Ply
from othellier.base.system import lock
from othellier.errors import RecordError
from othellier.games.game import EndReason
from othellier.records.lines import parse_game
from othellier.records.transcript import format_moves
from othellier.rules import native

__all__ = ["Ledger", "game_line", "parse_line"]

MOST = 2**64
"""The largest number that a move may have."""


def game_line(game: Played, black: str, white: str, /, **facts: Any) -> dict[str, Any]:
    """A game as a JSON object; the facts say which of all games it is."""
    size = game.start.size
    line: dict[str, Any] = {**facts, "black": black, "white": white, "size": str(size)}
    if game.start != native.start(size):
        line["start"] = game.start.board_string()
    line["moves"] = format_moves((ply.move for ply in game.plies), size)
    line["score"] = game.score
    line["opening"] = game.opening
    chosen = game.plies[game.opening :]
    line["seconds"] = [ply.seconds for ply in chosen]
    line["nodes"] = [ply.nodes for ply in chosen]
    line["scores"] = [ply.score for ply in chosen]
    if any(ply.processor is not None for ply in chosen):
        line["processor"] = [ply.processor for ply in chosen]
    line |= {key: value for key in ("reason", "error", "failed") if (value := getattr(game, key))}
    if game.overruns:
        line["overruns"] = list(game.overruns)
    return line


def parse_line(line: dict[str, Any]) -> Played:
    """Return the game of a JSON object; raise ValueError where its result is not the one that its moves come to."""
    start, moves = parse_game(line)
    opening = line["opening"]
    if type(opening) is not int or not 0 <= opening <= len(moves):
        raise ValueError(f"an opening of {opening!r} moves of {len(moves)}")
    processor = line.get("processor") or [None] * len(line["seconds"])
    chosen = zip(moves[opening:], line["seconds"], line["nodes"], line["scores"], processor, strict=True)
    plies = (*(Ply(move) for move in moves[:opening]), *(Ply(*_numbers(*values)) for values in chosen))
    overruns = tuple(line.get("overruns", ()))
    if any(type(ply) is not int or not 0 < ply <= len(moves) + 1 for ply in overruns):
        raise ValueError(f"moves that took too long: {overruns!r}")
    game = Played(start, plies, opening, line["score"], line.get("reason", ""), line.get("error", ""), overruns)
    if contradiction := _contradiction(game, line.get("failed")):
        raise ValueError(contradiction)
    return game


def _numbers(move: int, *values: Any) -> tuple[Any, ...]:
    """The move and its seconds, nodes, score and processor seconds; the last two may be unknown."""
    seconds, nodes, *unsure = values
    for value in (seconds, nodes, *(value for value in unsure if value is not None)):
        if type(value) not in (int, float) or not -MOST <= value <= MOST:  # NaN is not
            raise ValueError(f"{str(value)[:20]} is no number of a move")
    return move, *values


def _contradiction(game: Played, failed: object) -> str:
    """Return what of the result the moves contradict, if anything."""
    end = game.end()
    if not game.reason:
        score = end.score() if end.turn == "black" else -end.score()
        if not end.is_over():
            return "its moves do not come to the end, and no reason is given"
        if game.score != score or type(game.score) is not int:
            return f"its moves come to {score:+d}, its score is {game.score!r}"
        return "a game that was played to the end has an error" if game.error or failed else ""
    if game.reason not in get_args(EndReason):
        return f"{game.reason!r} is no reason"
    if end.is_over():
        return f"its moves come to the end, and yet it ended otherwise ({game.reason})"
    if game.reason != "agreed" and game.score not in (end.size.squares, -end.size.squares):
        return f"a side that gave up has lost all squares, its score is {game.score!r}"
    return "" if failed == game.failed else f"the loser is {game.failed}, not {failed}"


class Ledger:
    """A file of games that grows. One process at a time may write to it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lines: list[dict[str, Any]] = []
        """What the file held when it was opened."""
        self._kept = 0
        self._file = self._open()

    def _open(self) -> FileIO:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            file = self.path.open("a+b", buffering=0)  # nothing is left behind by a write that failed
        except OSError as error:
            raise RecordError(str(self.path), "", f"cannot be opened: {error.strerror or error}") from None
        if not lock(file):
            file.close()
            raise RecordError(str(self.path), "", "is being written by another run") from None
        if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            file.seek(0)
            self._read(file)
        return file

    def _read(self, file: FileIO) -> None:
        whole = 0
        for number, line in enumerate(file.readall().splitlines(keepends=True), 1):
            if not line.endswith(b"\n"):
                file.truncate(whole)  # it was cut off: that game is played again
                break
            whole += len(line)
            try:
                value = json.loads(line)
            except ValueError:
                value = None
            if not isinstance(value, dict):
                file.close()
                raise RecordError(str(self.path), f"line {number}", "is not a game")
            self.lines.append(value)
        self._kept = len(self.lines)

    def games(self, *facts: str) -> Iterator[tuple[dict[str, Any], Played]]:
        """Return the lines that the file held, with their games; `facts` are whole numbers that each must have.

        Raise RecordError, which names the file and the line, for the first that is wrong.
        """
        for number, line in enumerate(self.lines, 1):
            try:
                if lacking := [name for name in facts if type(line.get(name)) is not int]:
                    raise ValueError(f"{lacking[0]} is not a whole number")
                yield line, parse_line(line)
            except (KeyError, TypeError, ValueError, OverflowError) as error:
                raise RecordError(str(self.path), f"line {number}", f"is not a game: {error}") from None

    def append(self, lines: Iterable[dict[str, Any]]) -> None:
        """Write lines so that they outlast a crash of the machine: all of them, or none."""
        texts = [json.dumps(line) for line in lines]
        before, written = os.fstat(self._file.fileno()).st_size, 0
        try:
            data = "".join(f"{text}\n" for text in texts).encode()
            while written < len(data):
                written += self._file.write(data[written:])
            os.fsync(self._file.fileno())
        except OSError as error:
            with contextlib.suppress(OSError):  # a device has no end to cut off
                if os.fstat(self._file.fileno()).st_size == before + written:  # nobody else has written meanwhile
                    self._file.truncate(before)
            reason = f"cannot be written: {(error.strerror or str(error)).lower()}; lines kept: {self._kept}"
            raise RecordError(str(self.path), "", reason) from None
        self._kept += len(texts)

    def close(self) -> None:
        """Let others write."""
        with contextlib.suppress(OSError):  # what could not be written was told already
            self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
