"""Another program as a player, over GTP version 2: `gtp:COMMAND`.

The program receives `clear_board` and the moves of the game, then `genmove`. `loadsgf` is only used for positions that
no moves from the usual start are known for: many programs do not have it, or ignore the discs that are set up. GTP has
whole seconds, but neither depth nor nodes: of a limit, the program receives the time, if it has the commands for it.
"""

from __future__ import annotations

import logging
import re
import shlex
import sys
import tempfile
import time
from pathlib import Path

from othellier import records
from othellier.errors import InvalidPosition, PlayerError, Resigned
from othellier.games.game import Game
from othellier.games.results import Limit, Result
from othellier.players.external import ExternalPlayer
from othellier.players.program import Program
from othellier.players.registry import register
from othellier.rules import native
from othellier.rules.board import Color, Position, other
from othellier.rules.geometry import PASS, Size, parse_square, square_name

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
        self._clock: str | None = ""
        """The kind of time that was set for this game; None where a new game has none yet."""
        self._has_time = True
        self._warned = False
        super().__init__(command, timeout=timeout, move_timeout=move_timeout)

    def new_game(self, start: Position) -> None:
        """Note where the game begins; the board is cleared with the next request."""
        super().new_game(start)
        self._there = None

    def choose(self, position: Position, limit: Limit) -> Result:
        """Return the program's move."""
        program = self._running()
        start, moves = self._line_to(position)
        self._bring(program, start, moves)
        seconds = self._send_time(program, limit, position.turn)
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
            shown = ", which it may not have read from loadsgf" if start != native.start(start.size) else ""
            raise program.failure(f"the answer {name} is illegal ({position.board_string()}{shown})")
        self._there = start, (*moves, move)
        return Result(move, position.turn, seconds=spent, pv=(move,))

    def _greet(self, program: Program) -> None:
        self._size, self._there, self._clock = None, None, ""
        self._ask(program, "protocol_version")
        ok, commands = self._ask(program, "list_commands")
        self._known = frozenset(commands.split()) if ok else frozenset()
        self._has_time = not self._known or {"time_settings", "time_left"} <= self._known

    # -- where the game is

    def _bring(self, program: Program, start: Position, moves: tuple[int, ...]) -> None:
        """Bring the program to a position: by the moves it lacks if it is on the way there, else from the start."""
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
        if self._clock:  # each game has its time settings
            self._clock = None
        if start == native.start(start.size):
            self._resize(program, start.size)
            self._demand(program, "clear_board")
        else:
            if self._known and "loadsgf" not in self._known:
                raise PlayerError(
                    f"{self.command!r} does not know loadsgf, and no moves are known that lead to the position"
                    f" {start.board_string()}: hand it the game by new_game and observe"
                )
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

    def _send_time(self, program: Program, limit: Limit, color: Color) -> float:
        """Send the time that is left, in whole seconds, and return the seconds to wait for the move."""
        if limit.time is not None:
            kind, seconds, most = "move", limit.time, max(1, int(limit.time))
            settings, left = f"0 {most} 1", f"{most} 1"
        elif limit.clock is not None:
            kind, seconds = "clock", limit.clock
            period = f"{max(1, int(limit.increment))} 1" if limit.increment else "0 0"
            settings, left = f"{max(1, int(limit.clock))} {period}", f"{int(limit.clock)} 0"
        else:
            kind, seconds, settings, left = "", 0.0, NO_CLOCK, ""
        if kind and not self._has_time:
            self._warn("has no time_settings and time_left: it plays without its time")
        elif kind == "move" and seconds < 1:
            self._warn(f"is given 1 s for a move instead of {seconds:g} s: GTP has whole seconds")
        if kind != self._clock:
            self._clock = kind
            self._send_clock(program, f"time_settings {settings}")
        if kind:
            self._send_clock(program, f"time_left {COLORS[color]} {left}")
        return seconds + self._timeout if kind and self._has_time else self._move_timeout

    def _send_clock(self, program: Program, command: str) -> None:
        if self._has_time:
            self._has_time, reply = self._ask(program, command)
            if not self._has_time:
                self._warn(f"refused {command!r} ({reply[:100]!r}): it plays without its time")

    def _warn(self, words: str) -> None:
        """Log the first difficulty with the time: the game goes on."""
        if not self._warned:
            self._warned = True
            logging.getLogger("othellier").warning("othellier: %r %s", self.command, words)

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
