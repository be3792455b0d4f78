"""GTP's clock: main time, then periods in which a number of moves must be made (Canadian byo-yomi)."""

from __future__ import annotations

from dataclasses import dataclass

from othellier.games.results import Limit

__all__ = ["Clock", "TimeSettings"]


@dataclass(frozen=True, slots=True)
class TimeSettings:
    """Seconds of main time, then `period` seconds for every `stones` moves."""

    main: float = 0.0
    period: float = 1.0
    stones: int = 0

    @property
    def unlimited(self) -> bool:
        """By convention a period for no moves means that there is no limit, and so does no time at all."""
        return self.stones == 0 and (self.period > 0 or self.main == 0)


class Clock:
    """What one side has left. Told from outside or counted here, whichever comes last."""

    def __init__(self, settings: TimeSettings) -> None:
        self._settings = settings
        self._running = not settings.unlimited
        self._left, self._stones = settings.main, 0
        self._enter_period()

    def set(self, seconds: float, stones: int) -> None:
        """This much is left: of the main time, or of a period for so many more moves."""
        self._running, self._left, self._stones = True, seconds, stones

    def spend(self, seconds: float) -> None:
        """A move was made in so many seconds."""
        self._left = max(0.0, self._left - seconds)
        if self._stones:
            self._stones -= 1
            if not self._stones:  # a new period, with all its time
                self._left = 0.0
        self._enter_period()

    def _enter_period(self) -> None:
        if not self._left and not self._stones and self._settings.stones:
            self._left, self._stones = self._settings.period, self._settings.stones

    def limit(self) -> Limit:
        """The time for the next move."""
        settings = self._settings
        if not self._running:
            return Limit()
        if self._stones:
            return Limit(time=self._left / self._stones)
        increment = settings.period / settings.stones if settings.stones else 0.0
        return Limit(clock=self._left, increment=increment)
