"""A training run in one call, for programs: `othellier.train`. The command line's `learn run` does the same."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from othellier.config.models import LearnConfig, load, parse
from othellier.errors import ConfigError, expect, extra
from othellier.learn.evaluation import LearntEvaluation

__all__ = ["train"]


def train(
    settings: Mapping[str, Any] | str | Path,
    folder: str | Path,
    *,
    data: str | Path = ".",
    minutes: float | None = None,
) -> LearntEvaluation | None:
    """Play, fit and compare in rounds, as the settings say, and keep all of it in a folder.

    Settings are the keys of docs/configuration.md, or the name of a file of them; `data` is where files that they name
    are looked for. What is left out is as in a full run, which takes hours: no settings at all are refused. The best
    evaluation comes back, or None where `minutes` were over first: the same call goes on.

    >>> settings = {"selfplay": {"games": 1000, "depth": 3}, "fit": {"epochs": 4}}
    >>> evaluation = train(settings, "run")  # doctest: +SKIP
    """
    expect("settings", settings, (Mapping, str, Path), "keys and values, or the name of a file of them,")
    expect("folder", folder, (str, Path), "the name of a folder")
    place = Path(folder)
    if isinstance(settings, Mapping):
        if not settings:
            raise ConfigError(
                'settings: none given, and a full run takes hours: name some, {"selfplay": {"games": 1000}}'
            )
        config = parse(dict(settings), LearnConfig, "settings")
    else:
        config = load(settings, LearnConfig)
    with extra("learn", "learning"):
        from othellier.learn.run import Run
    best = Run(config, place, data=Path(data), minutes=minutes).go()
    return None if best is None else LearntEvaluation(best)
