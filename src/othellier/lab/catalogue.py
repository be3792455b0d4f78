"""The registry: every experiment by its name, in the order of the documents. A new one is a file and a name here."""

from __future__ import annotations

from othellier.errors import ConfigError, nearest
from othellier.lab.branching import branching
from othellier.lab.criteria import criteria
from othellier.lab.experiment import Experiment
from othellier.lab.exploration import exploration
from othellier.lab.knowledge import knowledge
from othellier.lab.ladder import ladder
from othellier.lab.merging import merging
from othellier.lab.parallel import parallel
from othellier.lab.phases import algorithms, heuristics, rollouts, strategies
from othellier.lab.ratings import ratings
from othellier.lab.small import four, six
from othellier.lab.strength import levels
from othellier.lab.timing import timing

__all__ = ["ALL", "EXPERIMENTS", "find_experiments"]

ALL = "all"

EXPERIMENTS: dict[str, Experiment] = {
    one.name: one
    for one in (
        four,
        six,
        ladder,
        branching,
        merging,
        parallel,
        timing,
        algorithms,
        strategies,
        heuristics,
        criteria,
        rollouts,
        exploration,
        knowledge,
        ratings,
        levels,
    )
}


def find_experiments(names: list[str]) -> list[Experiment]:
    """The experiments of these names, in the order of the registry; `all` stands for every one."""
    for name in names:
        if name != ALL and name not in EXPERIMENTS:
            raise ConfigError(f"there is no experiment {name!r}{nearest(name, [ALL, *EXPERIMENTS])}")
    return [one for one in EXPERIMENTS.values() if ALL in names or one.name in names]
