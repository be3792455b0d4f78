"""Effort of the players of a match: moves, time, nodes and failures of each, and their times compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from othellier.arena.play import Played
from othellier.messages.languages import Translator, english
from othellier.rules.board import Color

__all__ = ["EqualTime", "Side", "differs", "used"]

TENTH = 0.1
"""Relative difference of two times that a report must point out."""


@dataclass(slots=True)
class Side:
    """Effort and failures of one player of a match.

    `errors` are games it lost by failing, `timeouts` those of them that it lost on its clock. `processor` is
    the processor time of `measured` moves.
    """

    moves: int = 0
    seconds: float = 0.0
    nodes: int = 0
    overruns: int = 0
    slowest: float = 0.0
    errors: int = 0
    first_error: str = ""
    timeouts: int = 0
    processor: float = 0.0
    measured: int = 0

    def add(self, game: Played, color: Color) -> None:
        """Count the moves of a game."""
        own = 1 if color == game.start.turn else 0
        for ply in game.chosen(color):
            self.moves += 1
            self.seconds += ply.seconds
            self.nodes += ply.nodes
            if ply.processor is not None:
                self.processor += ply.processor
                self.measured += 1
            self.slowest = max(self.slowest, ply.seconds)
        self.overruns += sum(ply % 2 == own for ply in game.overruns)
        if game.failed == color:
            self.errors += 1
            self.timeouts += not game.broken
            self.first_error = self.first_error or game.error

    def merge(self, other: Side) -> None:
        """Count all that another has counted."""
        self.moves += other.moves
        self.seconds += other.seconds
        self.nodes += other.nodes
        self.overruns += other.overruns
        self.errors += other.errors
        self.timeouts += other.timeouts
        self.processor += other.processor
        self.measured += other.measured
        self.first_error = self.first_error or other.first_error
        self.slowest = max(self.slowest, other.slowest)

    def summary(self) -> dict[str, Any]:
        """As JSON tells it: seconds and nodes are means of a move."""
        moves = max(1, self.moves)
        return {
            "moves": self.moves,
            "seconds": round(self.seconds / moves, 6),
            "slowest": round(self.slowest, 6),
            "nodes": round(self.nodes / moves, 1),
            "overruns": self.overruns,
            "errors": self.errors,
            "timeouts": self.timeouts,
        } | ({"processor": round(self.processor / self.measured, 6)} if self.measured else {})


@dataclass(frozen=True, slots=True)
class EqualTime:
    """The outcome of a pilot: the fitted player (0 or 1), its seconds a move, and both players' strings."""

    side: int
    seconds: float
    players: tuple[str, str]

    def summary(self, sides: tuple[Side, Side]) -> dict[str, Any]:
        """Return the times of a match as JSON has them; `ratio` is that of the fitted player to the other one."""
        own, other, measured = used(sides, self.side)
        return {
            "player": "ab"[self.side],
            "time": self.seconds,
            "measured": "processor" if measured else "clock",
            "ratio": round(own / other, 4) if other else None,
        }

    def remarks(self, sides: tuple[Side, Side], say: Translator = english) -> list[str]:
        """Return the lines that report the times of both players in a match."""
        own, other, measured = used(sides, self.side)
        facts: dict[str, Any] = {"seconds": self.seconds, "own": 1000 * own, "other": 1000 * other}
        if measured:
            words = "time=fit gave {seconds:g} s a move; processor time a move: {own:.2f} ms against {other:.2f} ms"
        else:
            words = (
                "time=fit gave {seconds:g} s a move; the processor time of other programs cannot be measured on this "
                "system, by the clock a move took {own:.2f} ms against {other:.2f} ms"
            )
        lines = [say(words, **facts)]
        if differs(own, other, TENTH):
            share = 100 * (own / other - 1) if other else 100.0
            words = "these times differ by more than a tenth ({share:+.0f} %): the match is not at equal time"
            lines.append(say(words, share=share))
        return lines


def used(sides: tuple[Side, Side], side: int) -> tuple[float, float, bool]:
    """Return the seconds a move of a player and of its opponent, and whether they are processor time."""
    both = sides[side], sides[1 - side]
    measured = all(one.measured for one in both)
    own, other = (one.processor / one.measured if measured else one.seconds / max(1, one.moves) for one in both)
    return own, other, measured


def differs(own: float, other: float, by: float) -> bool:
    """Return True if two times differ by more than a share of the second one."""
    return abs(own - other) > by * other
