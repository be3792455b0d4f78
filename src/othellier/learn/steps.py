"""The steps of a run, in order."""

from __future__ import annotations

from typing import Literal, get_args

__all__ = ["STEPS", "TrainingStep"]

TrainingStep = Literal["games", "tables", "networks", "probcut", "match", "chances"]
STEPS: tuple[TrainingStep, ...] = get_args(TrainingStep)
"""What a run does, round by round; the last when all rounds are over."""
