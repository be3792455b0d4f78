"""The keys of many positions at once, in NumPy; that of one is the business of `keys.py`."""

from __future__ import annotations

import numpy as np

from othellier.batch import Bits

__all__ = ["canonical"]


def canonical(player: Bits, opponent: Bits) -> tuple[Bits, Bits]:
    """The smallest of the eight symmetric (player, opponent) pairs of each position."""
    least_player, least_opponent = player.copy(), opponent.copy()
    for mirrored in (False, True):
        for turned in (False, True):
            for transposed in (False, True):
                if not (mirrored or turned or transposed):
                    continue
                mine, theirs = player, opponent
                if mirrored:
                    mine, theirs = _mirror_columns(mine), _mirror_columns(theirs)
                if turned:
                    mine, theirs = mine.byteswap(), theirs.byteswap()
                if transposed:
                    mine, theirs = _transpose(mine), _transpose(theirs)
                less = (mine < least_player) | ((mine == least_player) & (theirs < least_opponent))
                least_player[less], least_opponent[less] = mine[less], theirs[less]
    return least_player, least_opponent


def _swap(bits: Bits, mask: int, shift: int) -> Bits:
    """Exchange the bits under the mask with those `shift` places above them."""
    change: Bits = (bits ^ (bits >> np.uint64(shift))) & np.uint64(mask)
    swapped: Bits = bits ^ change ^ (change << np.uint64(shift))
    return swapped


def _mirror_columns(bits: Bits) -> Bits:
    bits = _swap(bits, 0x5555555555555555, 1)
    bits = _swap(bits, 0x3333333333333333, 2)
    return _swap(bits, 0x0F0F0F0F0F0F0F0F, 4)


def _transpose(bits: Bits) -> Bits:
    bits = _swap(bits, 0x00AA00AA00AA00AA, 7)
    bits = _swap(bits, 0x0000CCCC0000CCCC, 14)
    return _swap(bits, 0x00000000F0F0F0F0, 28)
