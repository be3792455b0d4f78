"""Alpha-beta in a few lines, one ply deeper as long as there is time: a class that keeps to its limit."""

import time

from othellier import Limit, Position, Result
from othellier.players import Player


class OutOfTime(Exception):
    pass


class Patience(Player):
    def choose(self, position: Position, limit: Limit) -> Result:
        self.deadline = time.perf_counter() + 0.6 * (limit.time or 1.0)
        best, depth = position.moves()[0], 1
        try:
            while depth <= position.empties:
                best = self.search(position, depth, -1000, 1000)[1]
                depth += 1
        except OutOfTime:
            pass
        return Result(best, position.turn, depth=depth - 1, source="search")

    def search(self, position: Position, depth: int, alpha: int, beta: int) -> tuple[int, int]:
        if time.perf_counter() > self.deadline:
            raise OutOfTime
        if position.is_over():
            return 10 * position.score(), -1
        if depth == 0:
            other = Position(position.opponent, position.player, "black", position.size)
            return len(position.moves()) - len(other.moves()), -1
        best = -1
        for move in position.moves() or [-1]:
            value = -self.search(position.play(move), depth - 1, -beta, -alpha)[0]
            if best == -1 or value > alpha:
                alpha, best = max(alpha, value), move
            if alpha >= beta:
                break
        return alpha, best
