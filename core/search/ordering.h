// How promising a move looks without any evaluation, for the endgame on bare boards.
#pragma once

#include "search/search.h"

namespace othellier {

inline constexpr Bits kColumnA = 0x0101010101010101ULL, kColumnH = 0x8080808080808080ULL;

// Squares next to the discs of `b`, and those discs.
inline Bits around(Bits b) {
    const Bits sides = b | (b & ~kColumnH) << 1 | (b & ~kColumnA) >> 1;
    return sides | sides << 8 | sides >> 8;
}

// Quadrants with an odd number of empty squares: who moves there first usually moves there last.
inline Bits odd_quadrants(Bits empty) {
    constexpr Bits kQuadrant[4] = {0x000000000F0F0F0FULL, 0x00000000F0F0F0F0ULL, 0x0F0F0F0F00000000ULL,
                                   0xF0F0F0F000000000ULL};
    Bits odd = 0;
    for (const Bits q : kQuadrant) odd |= q & (Bits{0} - (popcount(empty & q) & 1));
    return odd;
}

// Squares beside those of `b`, on the same row or column.
inline Bits beside(Bits b) { return (b & ~kColumnH) << 1 | (b & ~kColumnA) >> 1 | b << 8 | b >> 8; }

// Fastest first: few answers for the opponent (corners count twice), few squares it might move to later,
// then an odd quadrant, a corner and what it holds, no X-square. The weights gave the fewest nodes on fifty
// positions of the database with 18 to 22 empty squares; doubling or halving any of them costs 1 to 10 %.
inline int quick_order(const Task& task, const Board& child, Bits answers, int square, Bits odd) {
    const Bits place = bit(square), held = child.opponent & task.corners;
    int score = -16 * (popcount(answers) + popcount(answers & task.corners));
    score -= 10 * popcount(around(child.opponent) & child.empty(task.playable));
    score += 3 * popcount(held | (beside(held) & child.opponent));
    if (odd & place) score += 8;
    if (task.corners & place) score += 12;
    if (task.x_squares & place) score -= 8;
    return score;
}

// The same for the very last plies, where each nanosecond counts: squares for later no longer matter.
inline int quickest_order(const Task& task, Bits answers, int square, Bits odd) {
    return (odd >> square & 1 ? 1 : 0) - 2 * (popcount(answers) + popcount(answers & task.corners));
}

}  // namespace othellier
