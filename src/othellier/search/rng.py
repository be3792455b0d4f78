"""The random numbers of the searches: SplitMix64, so small that both twins carry it.

Python's own generator would do as well; the compiled core could not follow it.
"""

from __future__ import annotations

__all__ = ["MASK", "Rng"]

MASK = (1 << 64) - 1


class Rng:
    """A stream of 64-bit numbers from a seed."""

    __slots__ = ("state",)

    def __init__(self, seed: int) -> None:
        self.state = seed & MASK

    def next(self) -> int:
        """The next 64 bits."""
        self.state = state = (self.state + 0x9E3779B97F4A7C15) & MASK
        state = ((state ^ state >> 30) * 0xBF58476D1CE4E5B9) & MASK
        state = ((state ^ state >> 27) * 0x94D049BB133111EB) & MASK
        return state ^ state >> 31

    def below(self, limit: int) -> int:
        """A number from 0 to limit - 1. The bias of limit / 2^64 is far below what any search could feel."""
        return (self.next() * limit) >> 64

    def shuffle(self, items: list[int]) -> None:
        """Put a list into random order, each order as likely."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]
