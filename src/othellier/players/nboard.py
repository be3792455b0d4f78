"""Another program as a player, over the NBoard protocol, version 2: `nboard:COMMAND,depth=18`.

The program receives the game as GGF by `set game`, with its moves wherever they are known; `go` asks for a move. NBoard
has a depth, but neither time nor nodes: of a limit, the program receives the depth.
"""

from __future__ import annotations

import re
import shlex
import sys
import time

from othellier import records
from othellier.errors import ConfigError, InvalidPosition
from othellier.games.game import Game
from othellier.games.results import Limit, Result
from othellier.players.external import ExternalPlayer
from othellier.players.program import Program
from othellier.players.registry import register
from othellier.records.format import parse_number
from othellier.rules.board import Position
from othellier.rules.geometry import parse_square

__all__ = ["NBoardPlayer"]


@register(
    "nboard", example=f"nboard:{shlex.quote(sys.executable or 'python')} -m othellier nboard --player random:seed=1"
)
class NBoardPlayer(ExternalPlayer):
    """Another program that speaks NBoard; COMMAND starts it, commas in it stand in quotes.

    >>> from othellier import answer, start
    >>> with NBoardPlayer(f"{shlex.quote(sys.executable)} -m othellier nboard --player pvs:depth=2", depth=2) as player:
    ...     answer(player, start()).move in start().moves()
    True
    """

    def __init__(self, command: str, *, depth: int = 12, timeout: float = 30.0, move_timeout: float = 3600.0) -> None:
        """`timeout`: seconds for any answer but a move; `move_timeout`: for a move."""
        if depth < 1:
            raise ConfigError(f"option depth={depth}: a depth from 1 on expected")
        self._depth = depth
        self._told_depth = 0
        self._pings = 0
        super().__init__(command, timeout=timeout, move_timeout=move_timeout)

    def choose(self, position: Position, limit: Limit) -> Result:
        """The program's move, and what it says about it."""
        program = self._running()
        depth = self._depth if limit.depth is None else max(1, min(limit.depth, self._depth))
        if depth != self._told_depth:
            program.send(f"set depth {depth}", self._timeout)
            self._told_depth = depth
        start, moves = self._line_to(position)
        program.send(f"set game {records.dumps([Game.from_moves(moves, start)], 'ggf').strip()}", self._timeout)
        self._ping(program)
        begin = time.perf_counter()
        program.send("go", self._move_timeout)
        line, nodes = program.receive(), 0
        while not line.startswith("==="):
            if line.startswith("nodestats "):
                nodes = max(0, int(_number(line.split()[1]) or 0))
            line = program.receive()
        # Some write move/eval/time, others put blanks between them.
        name, score, *_ = [*re.split(r"/|\s+", line[3:].strip()), "", ""]
        try:
            move = parse_square(name, position.size)
        except InvalidPosition:
            raise program.failure("the answer is not a move") from None
        if not position.is_legal(move):
            raise program.failure(f"the answer {name} is illegal ({position.board_string()})")
        spent = time.perf_counter() - begin
        return Result(move, position.turn, _number(score), nodes=nodes, seconds=spent, pv=(move,))

    def _greet(self, program: Program) -> None:
        self._told_depth = 0
        program.send("nboard 2", self._timeout)
        self._ping(program)

    def _ping(self, program: Program) -> None:
        """Wait until the program has heard all that was said, and has stopped talking of anything earlier."""
        self._pings += 1
        program.send(f"ping {self._pings}", self._timeout)
        while program.receive().split() != ["pong", str(self._pings)]:
            pass


def _number(text: str) -> float | None:
    try:
        return parse_number(text)
    except ValueError:
        return None
