"""Opponents that play as people do: they look one or two moves ahead, overlook quiet moves, like to turn many discs,
and do not always choose what they think best.

What a move is worth comes from the value network, what looks natural from the policy network; a `HumanStyle` of
levels.py says how much of it a player sees. Randomness is the caller's, so that a seed gives the same game again.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence

from othellier.engine.levels import HumanStyle
from othellier.evaluation import network
from othellier.games.results import Result
from othellier.rules.board import Color, Position
from othellier.rules.geometry import PASS

__all__ = ["Look", "humanlike_move"]

OPENING = 40
"""Empty squares down to which the wish to turn discs is at its full strength; from there it fades."""
NEAR = 2
"""Plies that are looked at here; more is the engine's business."""


Look = Callable[[Position, int], Mapping[int, float]]
"""What every move is worth by a search of so many plies."""


def humanlike_move(position: Position, style: HumanStyle, rng: random.Random, look: Look) -> Result:
    """The move of a player of some style, drawn with `rng`; `look` searches where the style looks far.

    A player without a move passes.
    """
    moves = position.moves()
    if not moves:
        return Result(PASS, position.turn)
    after = [position.play(move) for move in moves]
    safe = [number for number, child in enumerate(after) if not _can_wipe_out(child)] or list(range(len(moves)))
    turned = [(child.opponent.bit_count() - position.player.bit_count() - 1) for child in after]
    seen = [number for number in safe if rng.random() >= style.blindness * math.exp(-turned[number] / 3)] or safe
    if style.depth > NEAR:
        known = look(position, style.depth)
        thought = [known[moves[number]] for number in seen]
    else:
        thought = _thoughts(position, [after[number] for number in seen], style)
    likely = network.policy(position) if style.nature else {}
    appetite = style.greed * min(1.0, position.empties / OPENING)
    appeal = [
        value + appetite * turned[number] + style.nature * math.log(likely.get(moves[number], 0.0) + 1e-3)
        for number, value in zip(seen, thought, strict=True)
    ]
    chosen = seen[_drawn(appeal, style.temperature, rng)]
    return Result(moves[chosen], position.turn, depth=style.depth, nodes=len(moves))


def _can_wipe_out(child: Position) -> bool:
    """Whether a reply leaves the player who has just moved without a disc."""
    return any(child.play(reply).player == 0 for reply in child.moves())


def _thoughts(position: Position, children: Sequence[Position], style: HumanStyle) -> list[float]:
    """What moves are worth to the player, in discs, looking as far as the style does; nothing, if it does not look."""
    if not style.depth:
        return [0.0] * len(children)
    if style.depth == 1:
        return _values(children, position.turn)
    values = []
    for child in children:
        replies = [child.play(reply) for reply in child.moves()]
        values.append(min(_values(replies, position.turn)) if replies else _values([child], position.turn)[0])
    return values


def _values(positions: Sequence[Position], turn: Color) -> list[float]:
    """The value of positions for a side."""
    found = network.values(positions)
    return [value * (1 if one.turn == turn else -1) for one, value in zip(positions, found, strict=True)]


def _drawn(appeal: Sequence[float], temperature: float, rng: random.Random) -> int:
    """One of several, the more appealing the likelier."""
    best = max(appeal)
    weights = [math.exp((value - best) / temperature) for value in appeal]
    return rng.choices(range(len(appeal)), weights)[0]
