"""A solution of every task, as a student may write it."""

import math
import time

MASK = (1 << 64) - 1
NOT_A, NOT_H = 0xFEFEFEFEFEFEFEFE, 0x7F7F7F7F7F7F7F7F
SHIFTS = [(1, NOT_A), (-1, NOT_H), (8, MASK), (-8, MASK), (9, NOT_A), (-9, NOT_H), (7, NOT_H), (-7, NOT_A)]


def shift(bits, by, mask):
    return ((bits << by if by > 0 else bits >> -by) & MASK) & mask


def legal_moves(player, opponent):
    empty = ~(player | opponent) & MASK
    moves = 0
    for by, mask in SHIFTS:
        run = shift(player, by, mask) & opponent
        for _ in range(5):
            run |= shift(run, by, mask) & opponent
        moves |= shift(run, by, mask) & empty
    return moves


def minimax(position, depth, evaluate):
    if position.is_over():
        return 1000 * position.score()
    if depth == 0:
        return evaluate(position)
    moves = position.moves()
    if not moves:
        return -minimax(position.play(-1), depth, evaluate)
    return max(-minimax(position.play(move), depth - 1, evaluate) for move in moves)


def alphabeta(position, depth, evaluate, alpha=-math.inf, beta=math.inf):
    if position.is_over():
        return 1000 * position.score()
    if depth == 0:
        return evaluate(position)
    moves = position.moves()
    best = -math.inf
    for move in moves or [-1]:
        value = -alphabeta(position.play(move), depth - 1 if moves else depth, evaluate, -beta, -alpha)
        best = max(best, value)
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best


CORNERS, DIAGONAL, BESIDE = 0x8100000000000081, 0x0042000000004200, 0x4281000000008142


def evaluate(position):
    mine, theirs = position.player, position.opponent

    def more(squares):
        return (mine & squares).bit_count() - (theirs & squares).bit_count()

    mobility = legal_moves(mine, theirs).bit_count() - legal_moves(theirs, mine).bit_count()
    squares = 100 * more(CORNERS) - 20 * more(DIAGONAL) - 5 * more(BESIDE)
    empty = MASK & ~(mine | theirs)
    open_squares = 0
    for by, mask in SHIFTS:
        open_squares |= shift(empty, by, mask)
    discs = 20 * more(MASK) if empty.bit_count() < 10 else 0
    return 4 * mobility + 2 * squares - 12 * more(open_squares) + discs


def ucb1(wins, visits, parent_visits, c):
    if visits == 0:
        return math.inf
    return wins / visits + c * math.sqrt(math.log(parent_visits) / visits)


def choose(position, seconds):
    print("thinking", time.perf_counter())
    return max(position.moves(), key=lambda move: -evaluate(position.play(move)))
