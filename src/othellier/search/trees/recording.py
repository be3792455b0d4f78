"""A search written down: every position it visited, with its window and its value, in the order of events.

`record` runs a search and gives a `RecordedTree`, which draws itself (`drawing`) and can be stepped through
(`steps`). Nothing is decided here: what was found and counted is exactly what the search finds and counts alone.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Literal, NamedTuple, Protocol

from othellier.errors import ConfigError, InvalidPosition
from othellier.games.results import Bound
from othellier.rules.board import Color, Position, other
from othellier.rules.geometry import PASS, Size, square_name
from othellier.search.base import INFINITE, WIN, Options, SearchOutcome, StopSign, check_range
from othellier.search.mcts import MctsNode, MctsOptions
from othellier.search.observer import ROOTED, Observer
from othellier.search.run import MonteCarlo, search
from othellier.search.trees.drawing import WORDS, Language, draw, title_of
from othellier.search.trees.steps import stepper_page

__all__ = [
    "MOST_RECORDED",
    "SHOWN",
    "Comparison",
    "NodeKind",
    "RecordedNode",
    "RecordedTree",
    "SearchEvent",
    "Searcher",
    "record",
]

MOST_RECORDED = 100_000
"""Positions kept of a search; those beyond are counted with the last one kept above them."""

MOST_ITERATIONS = 100_000
"""Iterations of a Monte-Carlo search that are written down: Python takes half a millisecond for each, and keeps it."""

SHOWN = 300
"""Positions drawn: what a lecture can use. The others are folded."""

NodeKind = Literal["inner", "leaf", "over", "recalled"]


class Searcher(Protocol):
    """A classical player: it has the options of its search."""

    @property
    def options(self) -> Options | MctsOptions:
        """How it searches."""


@dataclass(slots=True, eq=False)
class RecordedNode:
    """A position of a recorded search. Values and windows are for its side to move."""

    index: int
    """When it was entered: 0 is the first position."""
    parent: RecordedNode | None
    move: int | None
    """The move that led here, PASS too; None at the first position."""
    player: int
    opponent: int
    turn: Color
    depth: int = 0
    """Discs still to be looked ahead."""
    alpha: int = -INFINITE
    beta: int = INFINITE
    value: int | None = None
    """None where the search was interrupted."""
    kind: NodeKind = "inner"
    best: RecordedNode | None = None
    """The child whose move was found best."""
    children: list[RecordedNode] = field(default_factory=list)
    cut: tuple[int, ...] = ()
    """The moves that were not looked at, because one before them reached beta."""
    folded: int = 0
    """Positions visited below it that were too many to keep."""
    visits: int = 0
    """Of a Monte-Carlo search: iterations through this position ..."""
    wins: int = 0
    """... and the half points they won for the side that moved here."""

    @property
    def bound(self) -> Bound:
        """Whether the value is the position's, or only a bound on it."""
        if self.value is None or self.kind in ("leaf", "over") or self.alpha < self.value < self.beta:
            return "exact"
        return "lower" if self.value >= self.beta else "upper"

    def walk(self) -> Iterator[RecordedNode]:
        """This node and all below it, each before its children."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))

    def line(self) -> list[RecordedNode]:
        """The line of best play from here, this node first."""
        found = [self]
        while found[-1].best is not None:
            found.append(found[-1].best)
        return found


class SearchEvent(NamedTuple):
    """Something that happened in a search, at a node."""

    what: Literal["enter", "leaf", "recall", "improve", "cut", "leave"]
    node: RecordedNode
    alpha: int
    """What is sure so far."""
    value: int | None = None
    move: int = PASS


class _Recorder(Observer):
    """Writes a search to a depth down; `told` is told which share of the first moves of the last search is done."""

    def __init__(self, position: Position, most: int, last: int | None, told: Callable[[float], None]) -> None:
        self.position = position
        self.most = most
        self.last = last
        self.told = told
        self.moves = max(1, len(position.moves()))
        self.begun: set[int] = set()
        self.searches: list[tuple[int, RecordedNode, list[SearchEvent]]] = []
        """Depth, first position and events of each search, the last one perhaps interrupted."""
        self.depth = 0
        self.count = 0
        self.path: list[RecordedNode] = []
        self.missing = 0
        """How deep we are below the last node kept."""
        self.alphas: list[int] = []

    def begin(self, depth: int) -> None:
        self.depth = depth
        self.count = self.missing = 0
        self.path, self.alphas = [], []

    def enter(self, move: int, player: int, opponent: int, depth: int, alpha: int, beta: int) -> None:
        parent = self.path[-1] if self.path else None
        self.count += 1
        if len(self.path) == 1 and not self.missing and self.depth == self.last and move not in self.begun:
            self.told(len(self.begun) / self.moves)
            self.begun.add(move)
        if parent is None:
            node = RecordedNode(0, None, None, player, opponent, self.position.turn, depth, alpha, beta)
            self.searches.append((self.depth, node, []))
        else:
            if self.missing or self.count > self.most:
                self.missing += 1
                parent.folded += 1
                return
            turn = other(parent.turn)
            node = RecordedNode(self.count - 1, parent, move, player, opponent, turn, depth, alpha, beta)
            parent.children.append(node)
        self.path.append(node)
        self.alphas.append(alpha)
        self._event("enter")

    def leaf(self, value: int, over: bool) -> None:
        self._leave("leaf", value, "over" if over else "leaf")

    def recall(self, value: int) -> None:
        self._leave("recall", value, "recalled")

    def leave(self, value: int) -> None:
        node = self.path[-1]
        if not self.missing and node.children and node.children[-1].move == PASS:
            node.best = node.children[-1]
        self._leave("leave", value, "inner")

    def improve(self, move: int, value: int) -> None:
        if not self.missing:
            node = self.path[-1]
            if node.children and node.children[-1].move == move:
                node.best = node.children[-1]
            self.alphas[-1] = max(self.alphas[-1], value)
            self._event("improve", value, move)

    def cut(self, move: int, rest: Sequence[int]) -> None:
        if not self.missing:
            self.path[-1].cut = tuple(rest)
            self._event("cut", self.alphas[-1], move)

    def _leave(self, what: Literal["leaf", "recall", "leave"], value: int, kind: NodeKind) -> None:
        if self.missing:
            self.missing -= 1
            return
        self.path[-1].value, self.path[-1].kind = value, kind
        self._event(what, value)
        self.path.pop()
        self.alphas.pop()

    def _event(self, what: Any, value: int | None = None, move: int = PASS) -> None:
        self.searches[-1][2].append(SearchEvent(what, self.path[-1], self.alphas[-1], value, move))


class _Iterations(Observer):
    """Writes a Monte-Carlo search down: a state met in two ways is drawn twice, each with the visits of its way."""

    def __init__(self, position: Position, most: int, last: int | None, told: Callable[[float], None]) -> None:
        self.last = last
        self.told = told
        self.root = RecordedNode(0, None, None, position.player, position.opponent, position.turn)
        self.most = most
        self.count = 1
        self.iterations: list[tuple[RecordedNode, int]] = []
        """The last position kept of each iteration, and the half points of the side that moved first."""
        self.known: dict[tuple[int, int], RecordedNode] = {}

    def iterate(self, path: Sequence[MctsNode], points: int) -> None:
        node = self.root
        self._count(node, 2 - points)
        for depth, (parent, child) in enumerate(pairwise(path)):
            key = node.index, id(child)  # nodes stay in the tree as long as this recorder listens
            kept = self.known.get(key)
            if kept is None:
                if self.count >= self.most:
                    node.folded += 1
                    break
                move = parent.moves[parent.children.index(child)]
                kept = RecordedNode(self.count, node, move, child.player, child.opponent, other(node.turn))
                kept.kind = "over" if child.over else "inner"
                self.known[key] = kept
                node.children.append(kept)
                self.count += 1
            node = kept
            self._count(node, points if depth % 2 == 0 else 2 - points)
        self.iterations.append((node, points))
        if self.last is not None:
            self.told(len(self.iterations) / self.last)

    @staticmethod
    def _count(node: RecordedNode, points: int) -> None:
        node.visits += 1
        node.wins += points


@dataclass(frozen=True, slots=True)
class RecordedTree:
    """A search that was written down. In a notebook it draws itself."""

    position: Position
    """Where the search began: after the pass, if there had to be one."""
    options: Options | MctsOptions
    outcome: SearchOutcome
    root: RecordedNode
    events: tuple[SearchEvent, ...]
    """What happened, in order; empty of a Monte-Carlo search, which has `iterations`."""
    iterations: tuple[tuple[RecordedNode, int], ...]
    """The last position of each iteration, and the half points of the side that moved first."""
    passed: bool = False
    """Whether the position asked about had no move, so that the search began after a pass."""

    @property
    def name(self) -> str:
        """The algorithm and its main parameter."""
        return title_of(self, WORDS["en"])

    @property
    def size(self) -> Size:
        """The board's."""
        return self.position.size

    @property
    def recorded(self) -> int:
        """How many positions are kept."""
        return sum(1 for _ in self.root.walk())

    @property
    def visited(self) -> int:
        """How many positions the tree has, those too many to keep included."""
        return sum(1 + node.folded for node in self.root.walk())

    @property
    def rooted(self) -> bool:
        """Whether values are shown for the side that moves first, as minimax has them, or for the side to move."""
        return isinstance(self.options, Options) and self.options.algorithm in ROOTED

    @property
    def windowed(self) -> bool:
        """Whether the algorithm cuts, and so has a window of alpha and beta."""
        return isinstance(self.options, Options) and self.options.algorithm not in ("minimax", "negamax")

    def counts(self) -> dict[str, int]:
        """What the search counted."""
        counters = self.outcome.counters
        if isinstance(self.options, MctsOptions):
            return {"nodes": counters.nodes, "rollouts": counters.rollouts, "table_hits": counters.table_hits}
        names = ("nodes", "leaves", "cutoffs", "first_cutoffs", "table_hits")
        return {name: getattr(counters, name) for name in names}

    def shown(self, most: int = SHOWN) -> list[RecordedNode]:
        """The positions to draw: the line of best play, then level by level; of a Monte-Carlo tree the most visited."""
        check_range("shown", most, 1, 5_000)
        chosen: dict[int, RecordedNode] = {}
        if self.iterations:
            ranked = sorted(self.root.walk(), key=lambda node: (-node.visits, node.index))
            chosen = {node.index: node for node in ranked[:most]}
        else:
            for node in self.root.line()[:most]:
                chosen[node.index] = node
            level = [self.root]
            while level and len(chosen) < most:
                for node in level:
                    if len(chosen) < most:
                        chosen[node.index] = node
                level = [child for node in level if node.index in chosen for child in node.children]
        return sorted(chosen.values(), key=lambda node: node.index)

    def svg(self, *, shown: int = SHOWN, language: Language = "en") -> str:
        """The tree as one picture."""
        return draw([self], shown, language)

    def html(self, *, shown: int = SHOWN, language: Language = "en") -> str:
        """A page that needs nothing else: the tree, and buttons to go through the search step by step."""
        return stepper_page([self], shown, language)

    def json(self) -> str:
        """Everything recorded, as JSON: the nodes in the order they were entered, and the events."""
        return json.dumps(self.facts(), ensure_ascii=False)

    def facts(self) -> dict[str, Any]:
        """What `json` writes."""
        nodes = sorted(self.root.walk(), key=lambda node: node.index)
        return {
            "player": self.name,
            "board": self.position.board_string(),
            "size": str(self.size),
            "passed": self.passed,
            "move": square_name(self.outcome.move, self.size),
            "value": self.outcome.value,
            "score": self.outcome.score,
            "line": [square_name(move, self.size) for move in self.outcome.line],
            "moves": [
                {"move": square_name(one.move, self.size), "value": one.value, "bound": one.bound, "visits": one.visits}
                for one in self.outcome.moves
            ],
            "counts": self.counts(),
            "visited": self.visited,
            "recorded": len(nodes),
            "nodes": [self._node(node) for node in nodes],
            "events": [
                [one.what, one.node.index, _finite(one.alpha), one.value, square_name(one.move, self.size)]
                for one in self.events
            ],
            "iterations": [[node.index, points] for node, points in self.iterations],
        }

    def _node(self, node: RecordedNode) -> dict[str, Any]:
        board = Position(node.player, node.opponent, node.turn, self.size).board_string()
        facts: dict[str, Any] = {
            "id": node.index,
            "parent": None if node.parent is None else node.parent.index,
            "move": None if node.move is None else square_name(node.move, self.size),
            "board": board,
            "kind": node.kind,
            "folded": node.folded,
        }
        if self.iterations:
            return facts | {"visits": node.visits, "wins": node.wins / 2}
        return facts | {
            "depth": node.depth,
            "alpha": _finite(node.alpha),
            "beta": _finite(node.beta),
            "value": node.value,
            "bound": node.bound,
            "best": None if node.best is None else node.best.index,
            "cut": [square_name(move, self.size) for move in node.cut],
        }

    def _repr_html_(self) -> str:
        return f'<div style="overflow:auto;max-height:720px">{self.svg()}</div>'


class Comparison:
    """Two searches or more of the same position, side by side with their counts."""

    def __init__(self, trees: Sequence[RecordedTree]) -> None:
        if len({tree.position for tree in trees}) != 1:
            raise ConfigError("trees side by side must begin with the same position")
        self.trees = tuple(trees)

    def svg(self, *, shown: int = SHOWN, language: Language = "en") -> str:
        """The trees as one picture."""
        return draw(self.trees, shown, language)

    def html(self, *, shown: int = SHOWN, language: Language = "en") -> str:
        """A page that needs nothing else."""
        return stepper_page(self.trees, shown, language)

    def json(self) -> str:
        """Everything recorded."""
        return json.dumps({"trees": [tree.facts() for tree in self.trees]}, ensure_ascii=False)

    def _repr_html_(self) -> str:
        return f'<div style="overflow:auto;max-height:720px">{self.svg()}</div>'


def _finite(value: int) -> int | None:
    return value if abs(value) <= WIN + 1_000 else None


def record(
    position: Position,
    player: Options | MctsOptions | Searcher | None = None,
    *,
    most: int = MOST_RECORDED,
    stop: StopSign | None = None,
    told: Callable[[float], None] = lambda share: None,
) -> RecordedTree:
    """Search a position in Python and write the search down.

    `player` is the options of a search, or a classical player; alpha-beta to depth 3 unless given. Of a tree with
    more than `most` positions the rest is counted, not kept; a Monte-Carlo search has 100,000 iterations at most.
    `stop` ends the search early;
    `told` is told what share of a search to a depth, or of so many iterations, is done.

    >>> tree = record(Position.start(4), Options("alphabeta", depth=3))
    >>> tree.outcome.counters.nodes, tree.recorded, tree.svg()[:4]
    (39, 39, '<svg')
    """
    options = player if isinstance(player, Options | MctsOptions) else getattr(player, "options", player)
    if options is None:
        options = Options(depth=3)
    if not isinstance(options, Options | MctsOptions):
        hint = f": othellier.create_player({options!r})" if isinstance(options, str) else ""
        raise ConfigError(
            f"the searches of minimax and its relatives and of mcts can be recorded, not {options!r}{hint}"
        )
    check_range("most", most, 1, 10_000_000)
    if position.is_over():
        raise InvalidPosition(f"the game is over, there is nothing to search ({position.board_string()})")
    passed = position.must_pass()
    position = position.play(PASS) if passed else position
    if isinstance(options, MctsOptions):
        if options.iterations is not None and options.iterations > MOST_ITERATIONS:
            raise ConfigError(
                f"{options.iterations} iterations are too many to be recorded: {MOST_ITERATIONS} at most,"
                " which takes about a minute"
            )
        recording = _Iterations(position, most, options.iterations, told)
        return _record_mcts(position, options, recording, passed, stop)
    recorder = _Recorder(position, most, options.depth, told)
    outcome = search(position, options, observer=recorder, stop=stop)
    _, root, events = next(one for one in reversed(recorder.searches) if one[0] == outcome.depth)
    return RecordedTree(position, options, outcome, root, tuple(events), (), passed)


def _record_mcts(
    position: Position, options: MctsOptions, recorder: _Iterations, passed: bool, stop: StopSign | None
) -> RecordedTree:
    outcome = MonteCarlo(position.size, options, observer=recorder).search(position, stop=stop)
    for node in recorder.root.walk():
        if node.children:
            node.best = max(node.children, key=lambda child: (child.visits, child.wins))
    return RecordedTree(position, options, outcome, recorder.root, (), tuple(recorder.iterations), passed)
