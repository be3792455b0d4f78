"""A player that is kept during a game and receives its start and every move, also after moves were taken back."""

from __future__ import annotations

from othellier.errors import OthellierError, PlayerError
from othellier.games.game import GameNode
from othellier.games.results import Limit, Result
from othellier.players.contract import Player, answer, failure
from othellier.rules.board import Position

__all__ = ["Follower", "GameLine", "line_to", "position_after"]

GameLine = tuple[Position, tuple[int, ...]]
"""The start of a game and moves from it, passes included."""


def line_to(node: GameNode) -> GameLine:
    """Return the start of a node's game and the moves that lead to the node.

    >>> from othellier import Game
    >>> start, moves = line_to(Game.from_moves("f5d6").end)
    >>> len(moves)
    2
    """
    path = node.path()
    start = node.position if not path or path[0].parent is None else path[0].parent.position
    return start, tuple(place.move for place in path if place.move is not None)


def position_after(line: GameLine) -> Position:
    """Return the position at the end of a line."""
    position, moves = line
    for move in moves:
        position = position.play(move)
    return position


class Follower:
    """A player together with the moves it has received of the game.

    >>> from othellier import Game, create_player
    >>> follower = Follower(create_player("random:seed=1"))
    >>> follower.choose(line_to(Game.from_moves("f5d6").end)).turn
    'black'
    """

    def __init__(self, player: Player) -> None:
        self.player = player
        self._line: GameLine | None = None

    def follow(self, line: GameLine) -> None:
        """Hand the moves since the last call to the player, or a new game if the line is not the continuation."""
        start, moves = line
        seen = self._line
        self._line = None  # nothing is certain if the player fails in between
        try:
            if seen is None or seen[0] != start or seen[1] != moves[: len(seen[1])]:
                self.player.new_game(start)
                seen = start, ()
            for move in moves[len(seen[1]) :]:
                self.player.observe(move)
        except OthellierError:
            raise
        except Exception as error:  # the player may be a user's code
            raise PlayerError(f"{type(self.player).__name__} failed: {failure(error)}") from error
        self._line = line

    def choose(self, line: GameLine, limit: Limit | None = None) -> Result:
        """Return the player's checked answer at the end of a line."""
        self.follow(line)
        return answer(self.player, position_after(line), limit)
