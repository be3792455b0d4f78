"""Damage to files, for tests of those who read them."""

import random
from collections.abc import Sequence

SIGNS = (b"\r", b"\n", b"(", b")", b"[", b"]", b";", b"\\", b"\0", b"{", b"\xff", b"1e999")
LENGTHS = (1, 1, 2, 7, 68, 500)


def mutate(data: bytes, rng: random.Random, words: Sequence[bytes] = SIGNS, lengths: Sequence[int] = LENGTHS) -> bytes:
    """The bytes with a few of them flipped, cut out, doubled, overwritten or put in."""
    mutated = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 3, 4))):
        at, length = rng.randrange(len(mutated) + 1), rng.choice(lengths)
        kind = rng.randrange(6)
        if kind == 0 and at < len(mutated):
            mutated[at] ^= 1 << rng.randrange(8)
        elif kind == 1:
            del mutated[at : at + length]
        elif kind == 2:
            mutated[at:at] = mutated[at : at + length]
        elif kind == 3:
            mutated[at : at + rng.choice((0, length))] = rng.randbytes(length)
        elif kind == 4:
            mutated[at : at + length] = bytes(length)
        else:
            mutated[at : at + rng.choice((0, 1, 2))] = rng.choice(words)
    return bytes(mutated)
