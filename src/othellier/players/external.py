"""Common parts of players that are other programs: the process, its options, and the game as a start and moves."""

from __future__ import annotations

from abc import abstractmethod
from functools import partial

from othellier.errors import ConfigError
from othellier.players.contract import Player
from othellier.players.follower import GameLine
from othellier.players.program import Program
from othellier.rules import native
from othellier.rules.board import Position
from othellier.rules.geometry import PASS

__all__ = ["ExternalPlayer", "find_moves"]

MOST_POSITIONS = 20_000
"""Positions that `find_moves` visits at most, some 0.1 s: random games of 14 moves were all found."""
FEW = 4
"""Moves beside a known line up to which a position is looked for there."""


class ExternalPlayer(Player):
    """Another program. If it failed, it is started again for the next move."""

    def __init__(self, command: str, *, timeout: float, move_timeout: float) -> None:
        for name, seconds in (("timeout", timeout), ("move_timeout", move_timeout)):
            if not 0 < seconds <= 1e6:
                raise ConfigError(f"option {name}={seconds:g}: from just above 0 to a million seconds expected")
        self.command = command
        self._timeout = timeout
        self._move_timeout = move_timeout
        self._game: GameLine | None = None
        self._here: Position | None = None
        self._asked: GameLine | None = None
        """The line to the last position that was asked about outside of the game."""
        self._program = self._open()

    def new_game(self, start: Position) -> None:
        """Note where the game begins; the program receives it with the next request."""
        self._game, self._here, self._asked = _from_usual_start(start), start, None

    def observe(self, move: int) -> None:
        """Note the move."""
        if self._game is not None and self._here is not None:
            start, moves = self._game
            self._game, self._here = (start, (*moves, move)), self._here.play(move)

    @property
    def process_id(self) -> int | None:
        """The program's process."""
        return self._program.process_id

    def close(self) -> None:
        """End the program."""
        self._program.close("quit")

    def abort(self) -> None:
        """Kill the program while another thread waits for its answer, which becomes a PlayerError."""
        self._program.abort()

    def _open(self) -> Program:
        """Start the program and make sure that it speaks the protocol."""
        program = Program(self.command)
        self._greet(program)
        return program

    @abstractmethod
    def _greet(self, program: Program) -> None:
        """Send the first commands of the protocol."""

    def _running(self) -> Program:
        if not self._program.alive:
            self._program.close("quit")  # its children may still run
            self._program = self._open()
        return self._program

    def _line_to(self, position: Position) -> GameLine:
        """Return a start and moves that lead to a position: those of the game, else moves found by a short search.

        Many programs only know the usual start and moves. So a position outside of the game is reached from the game,
        from the position of the last request or from the usual start. If no way is found, it is a start itself.
        """
        if self._game is not None and self._here == position:
            return self._game
        known = [line for line in (self._game, self._asked) if line is not None]
        found = next((line for line in map(partial(_branch, position), known) if line is not None), None)
        self._asked = found or _from_usual_start(position)
        return self._asked


def _branch(position: Position, line: GameLine) -> GameLine | None:
    """Return the line to a position that lies on a line or a few moves beside it, else None."""
    places = [line[0]]
    for move in line[1]:
        places.append(places[-1].play(move))
    for ply in range(len(places) - 1, -1, -1):
        if 0 <= places[ply].empties - position.empties <= FEW:
            more = find_moves(places[ply], position)
            if more is not None:
                return line[0], (*line[1][:ply], *more)
    return None


def find_moves(origin: Position, target: Position) -> tuple[int, ...] | None:
    """Return moves that lead from one position to another, or None if a short search finds none.

    >>> from othellier import start
    >>> find_moves(start(), start().play("f5").play("d6"))
    (37, 43)
    """
    squares = target.black | target.white
    if origin.size != target.size or (origin.black | origin.white) & ~squares:
        return None
    ways: list[tuple[Position, tuple[int, ...]]] = [(origin, ())]
    seen = {origin}
    while ways and len(seen) < MOST_POSITIONS:
        position, moves = ways.pop()
        if position == target:
            return moves
        choices = [PASS] if position.must_pass() else [move for move in position.moves() if squares >> move & 1]
        for move in choices:
            after = position.play(move)
            if after not in seen:
                seen.add(after)
                ways.append((after, (*moves, move)))
    return None


def _from_usual_start(position: Position) -> GameLine:
    usual = native.start(position.size)
    moves = find_moves(usual, position)
    return (position, ()) if moves is None else (usual, moves)
