"""What players that are other programs share: the program, the game so far, options and how they are checked."""

from __future__ import annotations

from abc import abstractmethod

from othellier.board import Position
from othellier.errors import ConfigError
from othellier.players.contract import Player
from othellier.players.program import Program

__all__ = ["ExternalPlayer"]


class ExternalPlayer(Player):
    """Another program. One that failed is started again when it is next asked."""

    def __init__(self, command: str, *, timeout: float, move_timeout: float) -> None:
        for name, seconds in (("timeout", timeout), ("move_timeout", move_timeout)):
            if not 0 < seconds <= 1e6:
                raise ConfigError(f"option {name}={seconds:g}: from just above 0 to a million seconds expected")
        self.command = command
        self._timeout = timeout
        self._move_timeout = move_timeout
        self._start: Position | None = None
        self._moves: list[int] = []
        self._here: Position | None = None
        self._program = self._open()

    def new_game(self, start: Position) -> None:
        """Keep where the game begins; the program hears of it when it is asked."""
        self._start = self._here = start
        self._moves = []

    def observe(self, move: int) -> None:
        """Keep the move."""
        if self._here is not None:
            self._here = self._here.play(move)
            self._moves.append(move)

    def close(self) -> None:
        """End the program."""
        self._program.close("quit")

    def _open(self) -> Program:
        """Start the program and make sure that it speaks the protocol."""
        program = Program(self.command)
        self._greet(program)
        return program

    @abstractmethod
    def _greet(self, program: Program) -> None:
        """The first words of the protocol."""

    def _running(self) -> Program:
        if not self._program.alive:
            self._program.close("quit")  # what it has started may still be there
            self._program = self._open()
        return self._program

    def _history(self, position: Position) -> tuple[Position, tuple[int, ...]]:
        """How the position came about, as far as known: a start and moves. Asked out of turn, it is a start itself."""
        if self._start is not None and self._here == position:
            return self._start, tuple(self._moves)
        return position, ()
