"""How a Monte-Carlo search plays a game to its end. Its own moves are always drawn at random.

| rollout  | the moves of the other side, the opponent of whoever searches                |
|----------|------------------------------------------------------------------------------|
| random   | any, each as likely                                                          |
| weighted | with a probability proportional to the square's value, shifted to 1 and more |
| greedy   | the square of the highest value                                              |
"""

from __future__ import annotations

from typing import Literal

from othellier.reference import flips_mask, moves_mask
from othellier.rules.geometry import Geometry, squares_of
from othellier.search.rng import Rng

__all__ = ["Rollout", "play_out"]

Rollout = Literal["random", "weighted", "greedy"]


def play_out(
    player: int, opponent: int, hostile: bool, board: Geometry, rollout: Rollout, values: tuple[int, ...], rng: Rng
) -> int:
    """Play a game to its end: 2 if the side to move wins it, 1 for a draw, 0 if it loses.

    `hostile` says that the side to move is the opponent of whoever searches.
    """
    first = hostile
    shift = 1 - min(values)
    blocked = False
    while True:
        moves = moves_mask(player, opponent, board)
        if not moves:
            if blocked:
                break
            blocked = True
            player, opponent, hostile = opponent, player, not hostile
            continue
        blocked = False
        squares = list(squares_of(moves))
        if not hostile or rollout == "random":
            square = squares[rng.below(len(squares))]
        elif rollout == "greedy":
            square = max(squares, key=values.__getitem__)
        else:
            ticket = rng.below(sum(values[square] + shift for square in squares))
            for square in squares:
                ticket -= values[square] + shift
                if ticket < 0:
                    break
        flips = flips_mask(player, opponent, square, board)
        player, opponent, hostile = opponent ^ flips, player | flips | 1 << square, not hostile
    difference = player.bit_count() - opponent.bit_count()
    if hostile != first:
        difference = -difference
    return 2 if difference > 0 else 1 if difference == 0 else 0
