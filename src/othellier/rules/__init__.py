"""The rules of Othello: squares, sizes, positions, moves.

board     `Position`, as everybody uses it: the compiled class where there is one
gallery   pictures beside one another for notebooks: positions, and bitboards with their zeros and ones
geometry  sizes, squares, directions, shifts, symmetries: what needs no discs
native    the one door to the compiled core; makes positions of the faster class where there is one
node      the node of a player's own search tree, and the tree kept between turns
symmetry  positions up to symmetry, as numbers
"""

from __future__ import annotations

TYPE_CHECKING = False  # importing `typing` for it would cost every start

if TYPE_CHECKING:
    from othellier.rules.board import Color, Count, Position, after, other
    from othellier.rules.gallery import Gallery, bitboard_svg
    from othellier.rules.geometry import PASS, STANDARD, Geometry, Size, parse_square, square_name
    from othellier.rules.native import parse, perft, position, random_position, start
    from othellier.rules.node import KeptTree, Node

__all__ = [
    "PASS",
    "STANDARD",
    "Color",
    "Count",
    "Gallery",
    "Geometry",
    "KeptTree",
    "Node",
    "Position",
    "Size",
    "after",
    "bitboard_svg",
    "other",
    "parse",
    "parse_square",
    "perft",
    "position",
    "random_position",
    "square_name",
    "start",
]

if not TYPE_CHECKING:
    from othellier.base.lazy import lazy_names

    __getattr__, __dir__ = lazy_names(
        __name__,
        {
            "othellier.rules.board": ["Color", "Count", "Position", "after", "other"],
            "othellier.rules.gallery": ["Gallery", "bitboard_svg"],
            "othellier.rules.geometry": ["PASS", "STANDARD", "Geometry", "Size", "parse_square", "square_name"],
            "othellier.rules.native": ["parse", "perft", "position", "random_position", "start"],
            "othellier.rules.node": ["KeptTree", "Node"],
        },
    )
