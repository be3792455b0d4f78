"""A game: where it starts, its moves and variations, what was said about them, how it ended.

`Position` knows no history; `Game` is the history. A pass is a move of its own here: it is added by itself before a
move that needs it. Files and texts are the business of `records`; who chooses the moves is that of players.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Literal, SupportsIndex

from othellier.errors import IllegalMove, InvalidPosition, expect
from othellier.pictures import svg
from othellier.rules import native
from othellier.rules.board import Color, Position, other
from othellier.rules.geometry import PASS, STANDARD, Move, SizeLike, square_name, square_names, to_square

__all__ = ["EndReason", "Evaluation", "Game", "GameNode", "Headers", "Outcome", "replay"]

EndReason = Literal["", "resigned", "time", "agreed"]
"""Why a game ended: on the board, or because a side gave up, ran out of time, or both agreed."""

MOVE = re.compile(r"[a-z]\d{1,2}|[^\s,]+", re.IGNORECASE)
"""A move in a text such as `f5 d6`, or whatever else stands there and is no move."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What somebody thought a move was worth, in discs, for the side that made it.

    At the root of a game, where no move was made, it is for the side to move.

    >>> Evaluation(0.5, depth=12).exact
    False
    """

    score: float
    exact: bool = False
    depth: int | None = None
    pv: tuple[int, ...] = ()
    """The moves expected next."""
    text: str = ""
    """Anything else, in words: `book`, `win or draw`, ..."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: the disc difference for Black, and the reason where it was not the board.

    >>> Outcome(-6).winner, Outcome(0).winner, Outcome(64, "resigned").reason
    ('white', None, 'resigned')
    """

    score: float
    reason: EndReason = ""

    @property
    def winner(self) -> Color | None:
        """Who won; None for a draw."""
        return "black" if self.score > 0 else "white" if self.score < 0 else None


@dataclass(slots=True)
class Headers:
    """Who played, where, when and how fast. Everything may be unknown.

    >>> Game(headers=Headers(black="Ann", white="Bob", date="2026")).headers.black
    'Ann'
    """

    black: str = ""
    white: str = ""
    black_rating: float | None = None
    white_rating: float | None = None
    event: str = ""
    """The tournament, club or server."""
    date: str = ""
    """`2024`, `2024-05-01` or `2024-05-01T12:30:00Z`: as much as is known."""
    clock: str = ""
    """Time for a player, as GGF writes it: `minutes:seconds`, then `/increment/extension` if any."""
    theory: tuple[int, int] | None = None
    """Black's discs under perfect play, and from how many empty squares on, as WTHOR keeps them."""
    extra: dict[str, str] = field(default_factory=dict)
    """What a record says beyond these, by the record's own names."""


class GameNode:
    """A move of a game with the position it leads to, what was said about it, and what may follow.

    The first of the children continues the main line, the others are variations. The root has no move.

    >>> game = Game.from_moves("f5d6c3")
    >>> game.root.add("f5").add("f6").comment = "a variation"
    >>> [(node.ply, node.comment) for node in game.root.walk()]
    [(0, ''), (1, ''), (2, ''), (3, ''), (2, 'a variation')]
    """

    __slots__ = (
        "_children",
        "_position",
        "_tail",
        "comment",
        "evaluation",
        "move",
        "nodes",
        "parent",
        "ply",
        "scores",
        "seconds",
    )

    def __init__(self, parent: GameNode | None, move: int | None, position: Position | None) -> None:
        self.parent = parent
        self.move = move
        self.ply: int = 0 if parent is None else parent.ply + 1
        self.comment = ""
        self.evaluation: Evaluation | None = None
        self.seconds: float | None = None
        self.nodes: int | None = None
        """Positions a machine looked at before it made the move, where it counted them."""
        self.scores: dict[int, float] = {}
        """What each move from here is worth for the side to move, where somebody worked it out."""
        self._position = position
        self._children: list[GameNode] = []
        # Legal moves still to be unfolded into nodes: databases hold far more games than are looked at.
        self._tail: tuple[int, ...] = ()

    @property
    def children(self) -> list[GameNode]:
        """What was played or considered next, the main continuation first."""
        if self._tail:
            child = GameNode(self, self._tail[0], None)
            child._tail, self._tail = self._tail[1:], ()
            self._children.append(child)
        return self._children

    @property
    def position(self) -> Position:
        """The position after the move."""
        if self._position is None:
            path = [self]
            while path[-1]._position is None:
                assert path[-1].parent is not None  # the root always knows its position
                path.append(path[-1].parent)
            position = path.pop()._position
            for node in reversed(path):
                assert position is not None
                assert node.move is not None
                position = node._position = position.play(node.move)
        assert self._position is not None
        return self._position

    @property
    def color(self) -> Color:
        """Who made the move; at the root, who is to move: the side an evaluation here is for."""
        turn = self.position.turn
        return turn if self.move is None else other(turn)

    @property
    def main(self) -> GameNode | None:
        """The main continuation."""
        return next(iter(self.children), None)

    def add(self, move: Move) -> GameNode:
        """The child of this move, made if it is new; a pass that must come first is put in by itself."""
        square = to_square(move, self.position.size)
        for child in self.children:
            if child.move == square:
                return child
        try:
            position = self.position.play(move)
        except IllegalMove as error:
            if square != PASS and self.position.must_pass():
                return self._after_pass(move)
            raise self._at_ply(error) from None
        child = GameNode(self, square, position)
        self._children.append(child)
        return child

    def _after_pass(self, move: Move) -> GameNode:
        known = next((child for child in self._children if child.move == PASS), None)
        passed = known or self.add(PASS)
        try:
            return passed.add(move)
        except IllegalMove:
            if known is None:
                self._children.remove(passed)
            raise

    def _at_ply(self, error: IllegalMove) -> IllegalMove:
        reason = "the game is over" if self.position.is_over() else error.reason
        return IllegalMove(error.move, error.board, reason, self.ply + 1)

    def promote(self) -> None:
        """Make this move and all that led to it the main line."""
        node = self
        while node.parent is not None:
            siblings = node.parent.children
            siblings.remove(node)
            siblings.insert(0, node)
            node = node.parent

    def path(self) -> list[GameNode]:
        """The nodes from the first move to this one."""
        nodes = []
        node = self
        while node.parent is not None:
            nodes.append(node)
            node = node.parent
        return nodes[::-1]

    def walk(self) -> Iterator[GameNode]:
        """This node and all below it, each before its children, main line first."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))

    def __repr__(self) -> str:
        move = "start" if self.move is None else square_name(self.move, self.position.size)
        return f"<GameNode {self.ply} {move}>"

    def notes(self) -> tuple[str, Evaluation | None, float | None, dict[int, float]]:
        """All that was said about this move."""
        return self.comment, self.evaluation, self.seconds, self.scores

    def copy_notes(self, source: GameNode) -> None:
        """Say the same about this move as about another."""
        self.comment, self.evaluation, self.seconds, scores = source.notes()
        self.scores = dict(scores)
        self.nodes = source.nodes

    def _following(self) -> list[GameNode]:
        """The children that say something: a bare pass at the end of a line is told by the position itself."""
        return [c for c in self.children if c.move != PASS or c.children or any(c.notes()) or c.seconds is not None]


def replay(start: Position, moves: Iterable[Move]) -> tuple[tuple[int, ...], Position]:
    """Play moves from a position: all of them, with the passes they imply, and where they lead.

    >>> replay(native.start(), [37, 43])[0]
    (37, 43)
    """
    expect("moves", moves, Iterable, "a list of moves, such as ['f5', 'd6'],")
    position, played = start, list[int]()
    for move in moves:
        try:
            position = position.play(move)
        except IllegalMove as error:
            if position.is_over():
                raise IllegalMove(error.move, error.board, "the game is over", len(played) + 1) from None
            if not position.must_pass() or to_square(move, start.size) == PASS:
                raise IllegalMove(error.move, error.board, error.reason, len(played) + 1) from None
            played.append(PASS)
            position = position.play(PASS)
            try:
                position = position.play(move)
            except IllegalMove as second:
                raise IllegalMove(second.move, second.board, second.reason, len(played) + 1) from None
        played.append(move if type(move) is int else to_square(move, start.size))
    return tuple(played), position


class Game:
    """A start position, a tree of moves, and a place in it (`current`) where one plays or looks.

    >>> game = Game()
    >>> for name in ("f5", "d6", "c3"):
    ...     node = game.push(name)
    >>> game.transcript()
    'F5D6C3'
    >>> game.undo().transcript(), game.current.ply
    ('F5D6C3', 2)
    >>> game.push("c4").promote()
    >>> game.transcript(), len(game.root.children[0].children[0].children)
    ('F5D6C4', 2)

    Two games are equal when they start alike, are told alike and end alike; where one looks does not matter.
    """

    def __init__(
        self,
        start: Position | SizeLike = STANDARD,
        headers: Headers | None = None,
        result: Outcome | None = None,
    ) -> None:
        if isinstance(start, str | int | tuple):
            try:
                start = native.start(start)
            except InvalidPosition as error:
                hint = f"; Game.from_moves({start!r}) makes a game of moves" if isinstance(start, str) else ""
                raise InvalidPosition(f"{error}{hint}") from None
        expect("start", start, Position, "a Position, or a size such as 8,")
        expect("headers", headers, (Headers, type(None)), "Headers")
        self.headers = headers or Headers()
        self.result = result
        """The outcome as the record or the players have it; None leaves it to the board. See `outcome`."""
        self.root = GameNode(None, None, start)
        self.current = self.root
        self._undone: list[GameNode] = []

    @classmethod
    def from_moves(
        cls,
        moves: Iterable[Move] | str,
        start: Position | SizeLike = STANDARD,
        headers: Headers | None = None,
        result: Outcome | None = None,
    ) -> Game:
        """A game of moves, checked, given as a list or a text; passes may be left out. One looks at its start.

        >>> Game.from_moves("f5d6c3") == Game.from_moves(["f5", "d6", "c3"]) == Game.from_moves([37, 43, 18])
        True
        """
        game = cls(start, headers, result)
        if isinstance(moves, str):
            moves = MOVE.findall(moves)
        game.root._tail, _ = replay(game.start, moves)
        return game

    # -- looking

    @property
    def start(self) -> Position:
        """The position the game starts from."""
        return self.root.position

    @property
    def position(self) -> Position:
        """The position one looks at."""
        return self.current.position

    def main_line(self) -> list[GameNode]:
        """The nodes of the main line, from the first move to the last."""
        nodes = []
        node = self.root.main
        while node is not None:
            nodes.append(node)
            node = node.main
        return nodes

    @property
    def last(self) -> Position:
        """The position at the end of the main line, as `end.position`; no node is made for it."""
        node = self.root
        while node._children:
            node = node._children[0]
        position = node.position
        for move in node._tail:
            position = position.play(move)
        return position

    @property
    def end(self) -> GameNode:
        """The last node of the main line."""
        return next(reversed(self.main_line()), self.root)

    def moves(self) -> list[int]:
        """The moves of the main line, passes included."""
        node, moves = self.root, list[int]()
        while node._children:
            node = node._children[0]
            assert node.move is not None  # only the root has none
            moves.append(node.move)
        return [*moves, *node._tail]

    def bare(self) -> tuple[int, ...] | None:
        """The moves of a game that is one line of which nothing is said, passes included; None where there is more."""
        node, moves = self.root, list[int]()
        while not (any(node.notes()) or node.seconds is not None or len(node._children) > 1):
            if not node._children:
                return (*moves, *node._tail)
            node = node._children[0]
            assert node.move is not None  # only the root has none
            moves.append(node.move)
        return None

    def transcript(self) -> str:
        """The main line as `F5D6...`, without passes."""
        names = square_names(self.start.size)
        return "".join([names[move] for move in self.moves() if move != PASS]).upper()

    def outcome(self) -> Outcome | None:
        """How the main line ended: as recorded, else as the board says, else None."""
        if self.result is not None:
            return self.result
        last = self.last
        if not last.is_over():
            return None
        score = last.score()
        return Outcome(score if last.turn == "black" else -score)

    # -- playing

    def push(self, move: Move) -> GameNode:
        """Play a move, by name or number, where one looks, after the pass it may need, and look at it.

        Where another move was played here before, this is a variation; `push(move).promote()` makes it the game.
        """
        self._undone.clear()
        self.current = self.current.add(move)
        return self.current

    def pop(self) -> int:
        """Take back the move one looks at, for good, with all that follows it."""
        move = self.current.move
        if move is None:
            raise InvalidPosition("there is no move to take back")
        self.delete(self.current)
        return move

    def delete(self, node: GameNode) -> None:
        """Delete a move and all that follows it; whoever looks at a part of it now looks at what came before."""
        self._check(node)
        if node.parent is None:
            raise InvalidPosition("the start of a game cannot be deleted")
        if node in self.current.path():
            self.current = node.parent
        self._undone.clear()
        node.parent.children.remove(node)

    # -- moving about

    def undo(self) -> Game:
        """Look one move further back; nothing is lost, see `redo`. At the start, stay."""
        if self.current.parent is not None:
            self._undone.append(self.current)
            self.current = self.current.parent
        return self

    def redo(self) -> Game:
        """Look again at what was undone, else at the main continuation. At the end, stay."""
        self.current = self._undone.pop() if self._undone else self.current.main or self.current
        return self

    def goto(self, place: int | GameNode) -> GameNode:
        """Look at a node, or at a ply of the line one is in: 0 is the start, -1 the last move."""
        if isinstance(place, GameNode):
            self._check(place)
            target = place
        else:
            expect("place", place, SupportsIndex, "a node of the game, or the number of a ply,")
            line = [self.root, *self.current.path()]
            while (node := line[-1].main) is not None:
                line.append(node)
            if not -len(line) <= place < len(line):
                raise InvalidPosition(f"there is no ply {place}: this line has {len(line) - 1}")
            target = line[place]
        self._undone.clear()
        self.current = target
        return target

    def _check(self, node: GameNode) -> None:
        path = node.path()
        if (path[0].parent if path else node) is not self.root:
            raise InvalidPosition("that move belongs to another game")

    # -- as a value

    def copy(self, variations: bool = True) -> Game:
        """The same game once more, or only its main line, sharing nothing that changes. One looks at its start."""
        headers = replace(self.headers, extra=dict(self.headers.extra))
        twin = Game(self.start, headers, self.result)
        pairs = [(self.root, twin.root)]
        while pairs:
            source, made = pairs.pop()
            made.copy_notes(source)
            made._tail = source._tail
            for child in source._children if variations else source._children[:1]:
                copy = GameNode(made, child.move, child._position)
                made._children.append(copy)
                pairs.append((child, copy))
        return twin

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        if (self.start, self.headers, self.outcome()) != (other.start, other.headers, other.outcome()):
            return False
        pairs = [(self.root, other.root)]
        while pairs:
            mine, theirs = pairs.pop()
            if mine.move != theirs.move or mine.notes() != theirs.notes():
                return False
            ours, others = mine._following(), theirs._following()
            if len(ours) != len(others):
                return False
            pairs.extend(zip(ours, others, strict=True))
        return True

    def __repr__(self) -> str:
        names = f"{self.headers.black or '?'} - {self.headers.white or '?'}"
        return f"<Game {names} {self.transcript() or self.start.board_string()}>"

    def _repr_svg_(self) -> str:
        scores = {move: score for move, score in self.current.scores.items() if move != PASS}
        return svg(self.position, last_move=self.current.move, values=scores)
