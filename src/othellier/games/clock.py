"""The time two players have left. The caller passes the current time to every method."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from othellier.games.game import GameNode
from othellier.rules.board import Color

__all__ = ["Timer"]


@dataclass(slots=True)
class Timer:
    """Seconds left to each side, and the increment a move earns; at most one side's time runs."""

    left: dict[Color, float]
    increment: float = 0.0
    running: Color | None = None
    since: float = 0.0
    """When the running side's time was last taken."""
    before: dict[GameNode, float] = field(default_factory=dict)
    """Seconds that the side which made a move had left when it made it, before the increment."""
    taken: dict[GameNode, float] = field(default_factory=dict)
    """Seconds that taking back a move took from its side."""

    def run(self, color: Color | None, now: float) -> None:
        """Let one side's time run, or nobody's."""
        self.charge(now)
        self.running, self.since = color, now

    def charge(self, now: float) -> None:
        """Take the time that has passed from the side it ran for."""
        if self.running is not None:
            self.left[self.running] = self.seconds(self.running, now)
        self.since = now

    def seconds(self, color: Color, now: float) -> float:
        """Return the seconds that a side has left, at least 0."""
        used = now - self.since if self.running == color else 0.0
        return max(0.0, self.left[color] - used)

    def earn(self, move: GameNode) -> None:
        """Add the increment for a move that has just been made."""
        color = _side(move)
        self.before[move] = self.left[color]
        self.taken.pop(move, None)
        self.left[color] += self.increment

    def relocate(self, old: GameNode, new: GameNode) -> None:
        """Adjust both times when the game goes on at another node, by a turn taken back or replayed.

        Taking back never gains time: a side keeps no more than it had when it made the move that is taken back.
        Replaying the move returns what that took.
        """
        left, entered = old.path(), new.path()
        for move in reversed(left):
            if move in self.before and move not in entered:
                color = _side(move)
                kept = min(self.left[color], self.before[move])
                self.taken[move] = self.left[color] - kept
                self.left[color] = kept
        for move in entered:
            if move in self.taken and move not in left:
                color = _side(move)
                self.before[move] = self.left[color]
                self.left[color] += self.taken.pop(move)

    def rename(self, twins: Mapping[GameNode, GameNode]) -> None:
        """Replace every node by its twin; nodes without one have been deleted."""
        self.before = {twins[move]: seconds for move, seconds in self.before.items() if move in twins}
        self.taken = {twins[move]: seconds for move, seconds in self.taken.items() if move in twins}


def _side(move: GameNode) -> Color:
    """Return the side that made a move."""
    assert move.parent is not None
    return move.parent.position.turn
