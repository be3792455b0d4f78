"""Another program as a player, over GTP version 2: `gtp:COMMAND`.

The program is brought to the position by `clear_board` and `play`, or by `loadsgf` where the game did not
begin at the usual start; then `genmove` asks for a move. GTP knows seconds, but neither depth nor nodes: of
a limit, the program is told the time, if it understands that.
"""

from __future__ import annotations

import re
import shlex
import sys
import tempfile
import time
from pathlib import Path

from othellier import native, records
from othellier.board import Color, Position, other
from othellier.errors import InvalidPosition, PlayerError, Resigned
from othellier.game import Game
from othellier.geometry import PASS, Size, parse_square, square_name
from othellier.players.external import ExternalPlayer
from othellier.players.program import Program
from othellier.players.registry import register
from othellier.results import Limit, Result

__all__ = ["GtpPlayer"]

COLORS: dict[Color, str] = {"black": "b", "white": "w"}
NO_CLOCK = "0 1 0"
"""Main time, a period and its moves: a period for no moves means that there is no limit."""
MOST_LINES = 10_000
"""Lines of an answer after which it is none."""


@register("gtp", example=f"gtp:{shlex.quote(sys.executable or 'python')} -m othellier gtp --player random:seed=1")
class GtpPlayer(ExternalPlayer):
    """Another program that speaks GTP; COMMAND starts it, commas in it stand in quotes.

    >>> from othellier import answer, start
    >>> with GtpPlayer(f"{shlex.quote(sys.executable)} -m othellier gtp --player pvs:depth=2") as player:
    ...     answer(player, start()).move in start().moves()
    True
    """

    def __init__(self, command: str, *, timeout: float = 30.0, move_timeout: float = 3600.0) -> None:
        """`timeout`: seconds for any answer; `move_timeout`: for a move, where the limit says nothing of time."""
        self._known: frozenset[str] = frozenset()
        self._size: Size | None = None
        self._there: tuple[Position, tuple[int, ...]] | None = None
        self._clock = NO_CLOCK
        super().__init__(command, timeout=timeout, move_timeout=move_timeout)

    def choose(self, position: Position, limit: Limit) -> Result:
        """The program's move."""
        program = self._running()
        start, moves = self._history(position)
        self._bring(program, start, moves)
        seconds = self._tell_time(program, limit, position.turn)
        begin = time.perf_counter()
        ok, reply = self._ask(program, f"genmove {COLORS[position.turn]}", seconds)
        spent = time.perf_counter() - begin
        self._there = None  # until its move is known to be right
        if not ok:
            raise program.failure(f"it refused: {reply[:100]!r}")
        name = reply.split(maxsplit=1)[0].lower() if reply else ""
        if name == "resign":
            raise Resigned(f"{self.command!r} resigned ({position.board_string()})")
        try:
            move = parse_square(name, position.size)
        except InvalidPosition:
            raise program.failure(f"the answer {reply[:100]!r} is not a move") from None
        if not position.is_legal(move):
            raise program.failure(f"the answer {name} is illegal ({position.board_string()})")
        self._there = start, (*moves, move)
        return Result(move, position.turn, seconds=spent, pv=(move,))

    def _greet(self, program: Program) -> None:
        self._size, self._there, self._clock = None, None, NO_CLOCK
        self._ask(program, "protocol_version")
        ok, commands = self._ask(program, "list_commands")
        self._known = frozenset(commands.split()) if ok else frozenset()

    # -- where the game is

    def _bring(self, program: Program, start: Position, moves: tuple[int, ...]) -> None:
        """Bring the program to a position; where it is on the way there already, it hears the rest."""
        told = 0
        if self._there is not None and self._there[0] == start and moves[: len(self._there[1])] == self._there[1]:
            told = len(self._there[1])
        else:
            self._there = None
            self._begin(program, start)
        color = start.turn if told % 2 == 0 else other(start.turn)
        for move in moves[told:]:
            ok, reply = self._ask(program, f"play {COLORS[color]} {square_name(move, start.size)}")
            # Some programs pass by themselves, and refuse to be told. Whoever is lost then will move illegally.
            if not ok and move != PASS:
                raise program.failure(f"it refused: {reply[:100]!r}")
            color = other(color)
        self._there = start, moves

    def _begin(self, program: Program, start: Position) -> None:
        if start == native.start(start.size):
            self._resize(program, start.size)
            self._demand(program, "clear_board")
        else:
            if self._known and "loadsgf" not in self._known:
                raise PlayerError(f"{self.command!r} cannot be shown a position (it does not know loadsgf)")
            with tempfile.TemporaryDirectory(prefix="othellier-") as folder:
                path = Path(folder) / "position.sgf"
                records.write([Game(start)], path)
                self._demand(program, f"loadsgf {path}")
            self._size = start.size

    def _resize(self, program: Program, size: Size) -> None:
        if size == self._size:
            return
        if size.rows == size.columns:
            ok, reply = self._ask(program, f"boardsize {size.columns}")
        elif "rectangular_boardsize" in self._known:
            ok, reply = self._ask(program, f"rectangular_boardsize {size.columns} {size.rows}")
        else:
            ok, reply = False, "GTP has no rectangles"
        # A program that knows one size alone may not know the command either.
        if not ok and size != native.start().size:
            raise PlayerError(f"{self.command!r} does not play on boards of size {size}: {reply[:100]}")
        self._size = size

    def _tell_time(self, program: Program, limit: Limit, color: Color) -> float:
        """Tell how much time there is, and say how long to wait for the move."""
        if not {"time_settings", "time_left"} <= self._known:
            return self._move_timeout
        if limit.time is not None:
            seconds, stones, settings = limit.time, 1, f"0 {_plain(limit.time)} 1"
        elif limit.clock is not None:
            seconds, stones = limit.clock, 0
            settings = f"{_plain(limit.clock)} {_plain(limit.increment)} {1 if limit.increment else 0}"
        else:
            self._set_clock(program, NO_CLOCK)
            return self._move_timeout
        self._set_clock(program, settings)
        self._ask(program, f"time_left {COLORS[color]} {_plain(seconds)} {stones}")
        return seconds + self._timeout

    def _set_clock(self, program: Program, settings: str) -> None:
        if settings != self._clock:
            self._ask(program, f"time_settings {settings}")
            self._clock = settings

    # -- talking

    def _demand(self, program: Program, command: str) -> None:
        ok, reply = self._ask(program, command)
        if not ok:
            raise program.failure(f"it refused: {reply[:100]!r}")

    def _ask(self, program: Program, command: str, seconds: float | None = None) -> tuple[bool, str]:
        """Whether the program could do it, and what it said. Lines that belong to no answer are passed over."""
        program.send(command, self._timeout if seconds is None else seconds)
        line = program.receive()
        while not line.startswith(("=", "?")):
            line = program.receive()
        match = re.match(r"[=?]\d*\s*(.*)", line)
        assert match is not None
        lines = [match[1]]
        while more := program.receive():
            lines.append(more)
            if len(lines) > MOST_LINES:
                raise program.failure("its answer has no end")
        return line.startswith("="), "\n".join(lines).strip()


def _plain(seconds: float) -> str:
    """Seconds as every program reads them: whole where they are whole, never with an exponent."""
    return f"{seconds:.3f}".rstrip("0").rstrip(".")
