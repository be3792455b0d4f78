"""The time two players have left. Whoever holds a clock says what time it is."""

from __future__ import annotations

from dataclasses import dataclass

from othellier.board import Color


@dataclass(slots=True)
class Timer:
    """Seconds left to each side, and the increment a move earns; at most one side's time runs."""

    left: dict[Color, float]
    increment: float = 0.0
    running: Color | None = None
    since: float = 0.0
    """When the running side's time was last taken."""

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
        """What a side has left, never less than nothing."""
        used = now - self.since if self.running == color else 0.0
        return max(0.0, self.left[color] - used)
