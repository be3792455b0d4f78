"""`python -m benchmarks.teaching [--out FILE]`: what searches that can be watched cost, and how quickly they are drawn.

Seconds of processor time on one core; ratios are taken in one run, the two sides by turns.
"""

import time
from collections.abc import Callable, Iterator

from benchmarks.measure import Row, arguments_of, publish_rows
from othellier.reference import moves_mask
from othellier.rules import native
from othellier.rules.board import Position
from othellier.rules.geometry import PASS, geometry
from othellier.search import Options, record
from othellier.search.alphabeta import nega_alphabeta
from othellier.search.base import INFINITE
from othellier.search.tree import Tree

DEPTH = 5


class BareTree(Tree):
    """A tree that is told as little as a search needs, with no place for an observer."""

    def visit(self, depth: int) -> None:
        """A position is visited with so much depth left."""
        self.counters.nodes += 1
        self.lines[depth] = ()
        if self.limited and not self.counters.nodes % 256:
            self._check()


def bare_alphabeta(
    tree: BareTree, player: int, opponent: int, depth: int, alpha: int = -INFINITE, beta: int = INFINITE
) -> int:
    """Negamax with alpha-beta, without the window handed to `enter` and without values of the first moves."""
    tree.visit(depth)
    if not depth or player | opponent == tree.full:
        return tree.leaf(player, opponent)
    moves = moves_mask(player, opponent, tree.board)
    if not moves:
        if not moves_mask(opponent, player, tree.board):
            return tree.end(player, opponent)
        value = -bare_alphabeta(tree, opponent, player, depth, -beta, -alpha)
        tree.passed(depth)
        return value
    known, hint = tree.recall(player, opponent, depth, alpha, beta)
    if known is not None:
        return known
    best, best_move, low = -INFINITE, PASS, alpha
    for index, (move, mine, theirs) in enumerate(tree.children(player, opponent, moves, depth, hint)):
        value = -bare_alphabeta(tree, mine, theirs, depth - 1, -beta, -alpha)
        if value > best:
            best, best_move = value, move
            if value > alpha:
                alpha = value
                tree.improve(move, depth)
                if alpha >= beta:
                    tree.cut(move, depth, index)
                    break
    tree.remember(player, opponent, depth, low, beta, best, best_move)
    return best


def positions() -> list[Position]:
    """A few positions of the middle game, the same ones always."""
    import random

    rng = random.Random(15)
    return [Position.random(rng, 8, 40) for _ in range(6)]


def timed(work: Callable[[], int]) -> tuple[float, int]:
    begin = time.thread_time()
    nodes = work()
    return time.thread_time() - begin, nodes


def cost_of_places(rounds: int = 9) -> tuple[float, float]:
    """Seconds of a search that nobody watches over those of one that nobody could; and its nodes a second."""
    options = Options("nega-alphabeta", depth=DEPTH)
    boards = positions()

    def run(kind: type[Tree], algorithm: Callable[..., int]) -> int:
        nodes = 0
        for position in boards:
            tree = kind(geometry(position.size), options, DEPTH, position.moves_mask(), None)
            tree.begin(DEPTH)
            algorithm(tree, position.player, position.opponent, DEPTH)
            nodes += tree.counters.nodes
        return nodes

    found: dict[bool, list[float]] = {False: [], True: []}
    counted = set()
    for _ in range(rounds):
        for places in (False, True):
            kind, algorithm = (Tree, nega_alphabeta) if places else (BareTree, bare_alphabeta)
            seconds, nodes = timed(lambda kind=kind, algorithm=algorithm: run(kind, algorithm))  # type: ignore[misc]
            found[places].append(seconds)
            counted.add(nodes)
    (nodes,) = counted  # both visit the same positions
    return min(found[True]) / min(found[False]), nodes / min(found[True])


def rows() -> Iterator[Row]:
    """Every number of this file."""
    ratio, speed = cost_of_places()
    yield Row("alpha-beta in Python with places for an observer, over one without", ratio, "", 1.03, "", True)
    yield Row("the same, nobody watching", speed / 1e3, "k nodes/s")

    position = native.start()
    for move in ("f5", "d6", "c3", "d3"):
        position = position.play(move)
    options = Options("minimax", depth=5)
    tree = record(position, options, most=10_000)
    assert tree.recorded == 10_000
    for name, draw in (("an SVG", tree.svg), ("a page", tree.html), ("JSON", tree.json)):
        seconds = min(timed(lambda draw=draw: len(draw()))[0] for _ in range(3))  # type: ignore[misc]
        yield Row(f"10,000 recorded nodes drawn as {name}", seconds, "s", 1, f"{tree.visited:,} visited", True)


def main() -> None:
    parser = arguments_of("benchmarks.teaching", "Measure what is for teaching.")
    arguments = parser.parse_args()
    how = "Written by `python -m benchmarks.teaching`: one core, seconds of processor time.\n"
    publish_rows("Teaching", how, rows(), arguments.out)


if __name__ == "__main__":
    main()
