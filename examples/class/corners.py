"""Takes a corner if there is one, keeps away from the squares beside it, and leaves the opponent few moves."""

CORNERS = {0, 7, 56, 63}
DANGEROUS = {9, 14, 49, 54}


def choose(position):
    def cost(move):
        return (move not in CORNERS, move in DANGEROUS, len(position.play(move).moves()))

    return min(position.moves(), key=cost)
