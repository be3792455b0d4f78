"""The node of a player's own search tree, as Boulanger's report describes it, and the tree kept between turns.

The report's French names: `parent` (parent), `player` (pièces joueur), `opponent` (pièces ennemi), `turn`
(tour), `size` (taille), `children` (enfants), `moves` (coups), `directions` (directions), `move_to_child`
(coups_vers_enfant), `value` (valeur), `visited` (visité); `expand` (développer), `set_child`
(définir_enfant), `add_other_child` (ajouter_autre_enfant), `invert` (inverser), `count_all_children`
(compter_tous_les_enfants).

Values are put in by searches; this file only keeps them. The moves of a real game live in `game.py`.
"""

from __future__ import annotations

from othellier.errors import IllegalMove
from othellier.reference import MoveTable, move_table, moves_mask, play_from_table
from othellier.rules.board import Position, other
from othellier.rules.geometry import PASS, geometry, square_name

__all__ = ["KeptTree", "Node"]


class Node:
    """A position in a search tree with what is known about it.

    >>> node = Node(Position.start())
    >>> node.expand()
    >>> [square_name(move) for move in node.moves]
    ['d3', 'c4', 'f5', 'e6']
    >>> child = node.set_child(37)
    >>> child.turn, child.parent is node, node.count_all_children()
    ('white', True, 1)
    """

    __slots__ = (
        "best",
        "children",
        "directions",
        "exact",
        "expanded",
        "move_to_child",
        "moves",
        "opponent",
        "parent",
        "player",
        "searched",
        "size",
        "turn",
        "value",
        "visited",
    )

    def __init__(self, position: Position, parent: Node | None = None) -> None:
        self.parent = parent
        self.player = position.player
        self.opponent = position.opponent
        self.turn = position.turn
        self.size = position.size
        self.value: float | None = None
        self.visited = False
        self._forget()

    def _forget(self) -> None:
        self.expanded = False
        self.children: list[Node] = []
        self.moves: list[int] = []
        self.directions: MoveTable = {}
        self.move_to_child: dict[int, Node] = {}
        self.best: Node | None = None
        """The child whose move was found best."""
        self.searched = -1
        """How deep a search its value comes from; -1 before there is one."""
        self.exact = False
        """Whether the value is what that search found, not only a bound."""

    @property
    def position(self) -> Position:
        """The position as a value."""
        return Position(self.player, self.opponent, self.turn, self.size)

    def expand(self) -> None:
        """Find the legal moves and their directions, once; a forced pass is the only move, a finished game has none."""
        if self.expanded:
            return
        board = geometry(self.size)
        self.directions = move_table(self.player, self.opponent, board)
        self.moves = list(self.directions)
        if not self.moves and moves_mask(self.opponent, self.player, board):
            self.moves = [PASS]
        self.expanded = True

    def set_child(self, move: int) -> Node:
        """The child a move leads to, made the first time it is asked for."""
        self.expand()
        child = self.move_to_child.get(move)
        if child is not None:
            return child
        if move not in self.moves:
            name = square_name(move, self.size) if PASS <= move < self.size.squares else str(move)
            raise IllegalMove(name, self.position.board_string())
        mine, theirs = self.player, self.opponent
        if move != PASS:
            mine, theirs = play_from_table(mine, theirs, move, self.directions, geometry(self.size))
        child = Node(Position(theirs, mine, other(self.turn), self.size), self)
        self.children.append(child)
        self.move_to_child[move] = child
        return child

    def move_of(self, child: Node) -> int:
        """The move that leads to a child."""
        return next(move for move, node in self.move_to_child.items() if node is child)

    def add_other_child(self, other_node: Node) -> Node:
        """The child with the same position as a node of the other player's tree: the one known, else a copy.

        Only the position crosses over. What the other player found out stays with it.
        """
        for child in self.children:
            if child._same(other_node):
                return child
        copy = Node(other_node.position, self)
        self.children.append(copy)
        self.expand()
        for move in self.moves:
            if move not in self.move_to_child and self._leads_to(move, copy):
                self.move_to_child[move] = copy
        return copy

    def _leads_to(self, move: int, child: Node) -> bool:
        if move == PASS:
            return (child.player, child.opponent) == (self.opponent, self.player)
        played = play_from_table(self.player, self.opponent, move, self.directions, geometry(self.size))
        return played == (child.opponent, child.player) and child.turn != self.turn

    def _same(self, node: Node) -> bool:
        return (self.player, self.opponent, self.turn, self.size) == (node.player, node.opponent, node.turn, node.size)

    def invert(self) -> None:
        """Exchange the sides and the turn. Moves and children belonged to the old turn and are forgotten."""
        self.player, self.opponent, self.turn = self.opponent, self.player, other(self.turn)
        self._forget()

    def count_all_children(self) -> int:
        """How many nodes lie below this one."""
        count, stack = 0, list(self.children)
        while stack:
            node = stack.pop()
            count += 1
            stack.extend(node.children)
        return count

    def find(self, position: Position) -> Node | None:
        """The node of a position, here or below; discs never leave the board, so most branches are not looked at."""
        if self.size != position.size:
            return None
        discs = position.player | position.opponent
        stack = [self]
        while stack:
            node = stack.pop()
            if (node.player, node.opponent, node.turn) == (position.player, position.opponent, position.turn):
                return node
            if not (node.player | node.opponent) & ~discs:
                stack.extend(node.children)
        return None

    def detach(self) -> Node:
        """Cut this node from its parent and its siblings, so that their memory goes back; what lies below stays."""
        if self.parent is not None:
            self.parent._forget()
            self.parent = None
        return self


class KeptTree:
    """What one player has explored, kept from one of its turns to the next.

    >>> tree = KeptTree()
    >>> child = tree.turn(Position.start()).set_child(37).set_child(43)
    >>> tree.turn(Position.start().play(37).play(43)) is child
    True
    """

    def __init__(self) -> None:
        self.root: Node | None = None

    def play(self, move: int) -> None:
        """A move was played, by whomever: what lies below it becomes the tree, all else is forgotten."""
        if self.root is not None:
            self.root = self.root.set_child(move).detach()

    def turn(self, position: Position) -> Node:
        """The root for this turn: the node explored before where there is one, with all below it; else a new one."""
        known = self.root.find(position) if self.root is not None else None
        self.root = known.detach() if known is not None else Node(position)
        return self.root
