"""Configurations in YAML: their keys, defaults and descriptions.

contests   a tournament in one call, whose settings are those of a configuration
models     configurations in YAML: their keys, defaults and descriptions
reference  all those keys as a document
"""

from __future__ import annotations

TYPE_CHECKING = False  # importing `typing` for it would cost every start

if TYPE_CHECKING:
    from othellier.config.models import LearnConfig, PlayerConfig, RunConfig, TournamentConfig, load, parse
    from othellier.config.reference import parameter_reference

__all__ = ["LearnConfig", "PlayerConfig", "RunConfig", "TournamentConfig", "load", "parameter_reference", "parse"]

if not TYPE_CHECKING:
    from othellier.base.lazy import lazy_names

    __getattr__, __dir__ = lazy_names(
        __name__,
        {
            "othellier.config.models": [
                "LearnConfig",
                "PlayerConfig",
                "RunConfig",
                "TournamentConfig",
                "load",
                "parse",
            ],
            "othellier.config.reference": ["parameter_reference"],
        },
    )
