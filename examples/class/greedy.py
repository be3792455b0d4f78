"""Turns as many discs as it can: a natural idea, and a bad one."""


def choose(position):
    return max(position.moves(), key=lambda move: len(position.flips(move)))
