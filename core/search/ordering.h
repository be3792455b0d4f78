// How promising a move looks without any evaluation, for the endgame on bare boards.
#pragma once

#include "board/board.h"

namespace othellier {

inline constexpr Bits kCorners = 0x8100000000000081ULL;
inline constexpr Bits kXSquares = 0x0042000000004200ULL;

// Squares next to the discs of `b`, and those discs.
inline Bits around(Bits b) {
    const Bits sides = b | ((b & 0x7F7F7F7F7F7F7F7FULL) << 1) | ((b & 0xFEFEFEFEFEFEFEFEULL) >> 1);
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

// How many of these discs hold a corner or stand beside one they hold: hardly any of them can be turned.
inline int corner_discs(Bits b) {
    const Bits corners = b & kCorners;
    const Bits beside = (corners & 0x0100000000000001ULL) << 1 | (corners & 0x8000000000000080ULL) >> 1 |
                        (corners & 0x0000000000000081ULL) << 8 | (corners & 0x8100000000000000ULL) >> 8;
    return popcount(corners | (beside & b));
}

// Fastest first: few answers for the opponent (corners count twice), few squares it might move to later,
// then an odd quadrant, a corner and what it holds, no X-square. The weights gave the fewest nodes on fifty
// positions of the database with 18 to 22 empty squares; doubling or halving any of them costs 1 to 10 %.
inline int quick_order(const Board& child, Bits answers, int square, Bits odd, Bits playable) {
    const Bits place = bit(square);
    int score = -16 * (popcount(answers) + popcount(answers & kCorners));
    score -= 10 * popcount(around(child.opponent) & child.empty(playable));
    score += 3 * corner_discs(child.opponent);
    if (odd & place) score += 8;
    if (kCorners & place) score += 12;
    if (kXSquares & place) score -= 8;
    return score;
}

// The same for the very last plies, where each nanosecond counts: squares for later no longer matter.
inline int quickest_order(Bits answers, int square, Bits odd) {
    return (odd >> square & 1 ? 1 : 0) - 2 * (popcount(answers) + popcount(answers & kCorners));
}

}  // namespace othellier
