"""Any move: whoever loses to this one has a mistake to look for."""

import random


def choose(position):
    return random.choice(position.moves())
