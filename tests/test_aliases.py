"""Words of the five documents are read: for players, options and strategies, in player strings and configurations."""

from pathlib import Path

import pytest

from othellier.base import aliases
from othellier.config.models import PlayerConfig, RunConfig, load
from othellier.errors import ConfigError, OthellierError
from othellier.evaluation.evaluators import EVALUATORS, create_evaluator
from othellier.players import create_player, create_public, registered


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("Negamax-AlphaBeta:depth=4", "nega-alphabeta:depth=4"),
        ("negamax_alpha_beta:depth=4", "nega-alphabeta:depth=4"),
        ("NegaMax:MAX_DEPTH=4", "negamax:depth=4"),
        ("MCTS:Max_Iter=50,mc_rollout_method=probabiliste", "mcts:iterations=50,rollout=weighted"),
        ("alpha-beta:strategy=Positionnelle,avoid_duplicates=yes", "alphabeta:eval=positional,table=yes"),
        ("Engine:Level=amateur", "engine:level=amateur"),
    ],
)
def test_player_strings(written: str, meant: str) -> None:
    for make in (create_player, create_public):
        with make(written) as player, make(meant) as same:
            assert type(player) is type(same)
            assert getattr(player, "options", None) == getattr(same, "options", None)


def test_a_configuration_in_the_words_of_the_documents(tmp_path: Path) -> None:
    path = tmp_path / "config.yaml"
    path.write_text(
        "display: False\nblack: Humain\nwhite: {algorithm: negamax_alpha_beta, strategy: positional, max_depth: 4}\n",
        encoding="utf-8",
    )
    config = load(path, RunConfig)
    assert config.black.spec == "human"
    assert config.white.spec == "nega-alphabeta:eval=positional,depth=4"
    assert PlayerConfig(algorithm="MCTS").title == "mcts"


@pytest.mark.parametrize(
    ("player", "message"),
    [
        ({"algorithm": "Negamax-Beta"}, "unknown algorithm 'Negamax-Beta'"),
        ({"algorithm": "MCTS", "strategy": "positional"}, "unknown key 'strategy'"),
        ({"algorithm": "negamax", "strategy": "mixed", "eval": "mobility"}, "the same option, given twice"),
    ],
)
def test_what_stays_refused(player: dict[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        PlayerConfig.model_validate(player)


def test_the_command_of_another_program_is_left_as_it_is() -> None:
    with pytest.raises(ConfigError, match="given twice"):
        create_player("mcts:iterations=5,MAX_ITER=6")
    with pytest.raises(OthellierError, match="'no-such-program,Timeout=5' cannot be started"):
        create_player("gtp:no-such-program,Timeout=5")


def test_every_alias_stands_for_a_name_there_is() -> None:
    players = {player.name: player for player in registered()}
    assert set(aliases.PLAYERS.values()) <= set(players)
    assert set(aliases.STRATEGIES.values()) <= set(EVALUATORS)
    assert set(aliases.OPTIONS.values()) <= {option for player in players.values() for option in player.options}
    assert set(aliases.CHOICES.values()) <= set(players["mcts"].options["rollout"].choices)
    assert create_evaluator("Mobilité") == create_evaluator("mobility")
