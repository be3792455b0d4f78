"""Whoever can be asked for a move: the contract, the registry of players and player strings.

Each file of players registers its own; a new file of them needs one import here.
"""

from othellier.players.build import BuildPlayer
from othellier.players.classical import ClassicalPlayer, MonteCarloPlayer
from othellier.players.contract import Player, answer, answer_async
from othellier.players.engine_player import EnginePlayer
from othellier.players.function import FunctionPlayer
from othellier.players.gtp import GtpPlayer
from othellier.players.judge import ClassifierPlayer
from othellier.players.knowledge import KnowledgePlayer
from othellier.players.lent import lent
from othellier.players.nboard import NBoardPlayer
from othellier.players.policy import PolicyPlayer
from othellier.players.registry import (
    Ask,
    Option,
    PlayerLike,
    Public,
    Registration,
    create_player,
    create_public,
    register,
    registered,
    takes_seed,
)
from othellier.players.simple import Human, RandomPlayer

__all__ = [
    "Ask",
    "BuildPlayer",
    "ClassicalPlayer",
    "ClassifierPlayer",
    "EnginePlayer",
    "FunctionPlayer",
    "GtpPlayer",
    "Human",
    "KnowledgePlayer",
    "MonteCarloPlayer",
    "NBoardPlayer",
    "Option",
    "Player",
    "PlayerLike",
    "PolicyPlayer",
    "Public",
    "RandomPlayer",
    "Registration",
    "answer",
    "answer_async",
    "create_player",
    "create_public",
    "lent",
    "register",
    "registered",
    "takes_seed",
]
