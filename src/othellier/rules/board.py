"""`Position` as everybody uses it: one class to the eye, of whichever kind is fastest for the board.

    Position.start()                          the compiled class of the core, up to 8x8
    Position.start(10)                        the plain one of `reference.py`: larger boards, or no core
    isinstance(position, Position)            holds for both; they are equal, hash alike, answer alike

The plain class is the definition and stays importable as `othellier.reference.Position`. Type checkers see one
class: both kinds have its interface, and a test holds them together (tests/test_native.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from othellier import reference
from othellier.errors import WrongType
from othellier.rules import native
from othellier.rules.geometry import PASS, STANDARD, Move, SizeLike

__all__ = ["Color", "Count", "Position", "after", "other", "past_pass"]

Color = reference.Color
Count = reference.Count
other = reference.other

if TYPE_CHECKING:
    from othellier.reference import Position
else:

    class _Kinds(type):
        """Makes `Position` stand for both kinds: calling it makes the faster one, `isinstance` knows either."""

        def __call__(
            cls, player: int | None = None, opponent: int = 0, turn: Color = "black", size: SizeLike = STANDARD
        ) -> Position:
            if player is None and not opponent:
                raise WrongType("Position() needs the discs of both sides; Position.start() is the start of a game")
            return native.position(player, opponent, turn, size)

        def __instancecheck__(cls, thing: object) -> bool:
            return isinstance(thing, native.KINDS)

        def __subclasscheck__(cls, kind: type) -> bool:
            return kind is cls or issubclass(kind, native.KINDS)

    class Position(reference.Position, metaclass=_Kinds):
        """A board and whose turn it is. Immutable, hashable, without history.

        >>> position = Position.start()
        >>> position.play("f5").play("d6").moves_mask() == position.play(37).play(43).moves_mask()
        True
        """

        __slots__ = ()


def past_pass(position: Position) -> Position:
    """The position itself, or, where the side to move must pass, the one after its pass."""
    return position.play(PASS) if position.must_pass() else position


def after(position: Position, move: Move) -> Position:
    """The position after a move, and after the pass that it may force on the other side."""
    return past_pass(position.play(move))
