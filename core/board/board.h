// A position as the core sees it: always on the 8x8 grid, smaller boards centred behind a `playable`
// mask, the side to move first. Symmetries, hash and perft.
#pragma once

#include "board/bitboard.h"

namespace othellier {

inline constexpr int kPass = -1;

// Where a small board lies on the 8x8 grid. Rows and columns are even, so it is exactly centred, and
// discs can never touch the margin: it has no opponent's discs to enclose and no playable squares.
struct Shape {
    int rows = 8, columns = 8;

    constexpr int top() const { return (8 - rows) / 2; }
    constexpr int left() const { return (8 - columns) / 2; }
    constexpr int squares() const { return rows * columns; }
    constexpr Bits playable() const {
        const Bits row = ((Bits{1} << columns) - 1) << left();
        Bits mask = 0;
        for (int r = 0; r < rows; ++r) mask |= row << (8 * (top() + r));
        return mask;
    }
    constexpr bool operator==(const Shape&) const = default;

    // Between the small board's own numbering (columns * row + column) and the grid's.
    int to_grid(int square) const { return 8 * (top() + square / columns) + left() + square % columns; }
    int from_grid(int square) const { return columns * (square / 8 - top()) + square % 8 - left(); }
    Bits to_grid(Bits packed) const {
        if (rows == 8 && columns == 8) return packed;
        Bits grid = 0;
        for (int r = 0; r < rows; ++r)
            grid |= (packed >> (columns * r) & ((Bits{1} << columns) - 1)) << (8 * (top() + r) + left());
        return grid;
    }
    Bits from_grid(Bits grid) const {
        if (rows == 8 && columns == 8) return grid;
        Bits packed = 0;
        for (int r = 0; r < rows; ++r)
            packed |= (grid >> (8 * (top() + r) + left()) & ((Bits{1} << columns) - 1)) << (columns * r);
        return packed;
    }
};

// Symmetries of the grid, as in geometry.py: 1 mirrors left-right, 2 mirrors top-bottom, 4 transposes.
inline Bits mirror_columns(Bits b) {
    b = ((b >> 1) & 0x5555555555555555ULL) | ((b & 0x5555555555555555ULL) << 1);
    b = ((b >> 2) & 0x3333333333333333ULL) | ((b & 0x3333333333333333ULL) << 2);
    return ((b >> 4) & 0x0F0F0F0F0F0F0F0FULL) | ((b & 0x0F0F0F0F0F0F0F0FULL) << 4);
}
inline Bits mirror_rows(Bits b) { return __builtin_bswap64(b); }
inline Bits transpose(Bits b) {
    Bits t = (b ^ (b >> 7)) & 0x00AA00AA00AA00AAULL;
    b ^= t ^ (t << 7);
    t = (b ^ (b >> 14)) & 0x0000CCCC0000CCCCULL;
    b ^= t ^ (t << 14);
    t = (b ^ (b >> 28)) & 0x00000000F0F0F0F0ULL;
    return b ^ t ^ (t << 28);
}
inline Bits transform(Bits b, int symmetry) {
    if (symmetry & 1) b = mirror_columns(b);
    if (symmetry & 2) b = mirror_rows(b);
    if (symmetry & 4) b = transpose(b);
    return b;
}
inline int transform_square(int square, int symmetry) {
    if (symmetry & 1) square ^= 7;
    if (symmetry & 2) square ^= 56;
    return symmetry & 4 ? (square & 7) << 3 | square >> 3 : square;
}

struct Board {
    Bits player = 0;    // discs of the side to move
    Bits opponent = 0;  // discs of the other side

    bool operator==(const Board&) const = default;
    bool operator<(const Board& o) const {
        return player != o.player ? player < o.player : opponent < o.opponent;
    }

    static Board start(const Shape& shape = {}) {
        (void)shape;  // the same four squares on every size: boards are centred
        return {bit(28) | bit(35), bit(27) | bit(36)};
    }

    Bits discs() const { return player | opponent; }
    Bits empty(Bits playable = ~Bits{0}) const { return playable & ~discs(); }
    Bits moves(Bits playable = ~Bits{0}) const { return othellier::moves(player, opponent) & playable; }
    Bits flips(int square) const { return othellier::flips(square, player, opponent); }
    Board passed() const { return {opponent, player}; }
    Board played(int square, Bits flipped) const {
        return {opponent ^ flipped, player ^ (flipped | bit(square))};
    }
    Board played(int square) const { return played(square, flips(square)); }
    bool over(Bits playable = ~Bits{0}) const { return !moves(playable) && !passed().moves(playable); }

    Board transformed(int symmetry) const {
        return {transform(player, symmetry), transform(opponent, symmetry)};
    }
    // The smallest of the symmetric forms; a rectangle keeps its shape, so only four of them count.
    Board canonical(bool square_board = true) const {
        Board least = *this;
        for (int s = 1; s < (square_board ? 8 : 4); ++s)
            if (const Board b = transformed(s); b < least) least = b;
        return least;
    }

    // Two multiplications mix both words; the high half of a product depends on all lower bits.
    std::uint64_t hash() const {
        std::uint64_t h = (player ^ 0x9E3779B97F4A7C15ULL) * 0xD6E8FEB86659FD93ULL;
        h ^= h >> 32;
        h = (h ^ opponent) * 0xA0761D6478BD642FULL;
        return h ^ (h >> 29);
    }
};

// Final disc difference for the side to move; empty squares go to the winner unless `plain`.
inline int final_score(const Board& board, int squares, bool plain = false) {
    const int mine = popcount(board.player), theirs = popcount(board.opponent);
    const int difference = mine - theirs, empties = squares - mine - theirs;
    if (plain || difference == 0) return difference;
    return difference > 0 ? difference + empties : difference - empties;
}

// Leaves at a depth; a pass costs one ply, a finished game is one leaf; the last ply is only counted.
inline std::uint64_t perft(const Board& board, int depth, Bits playable = ~Bits{0}) {
    if (depth == 0) return 1;
    Bits todo = board.moves(playable);
    if (!todo) {
        if (!board.passed().moves(playable)) return 1;
        return perft(board.passed(), depth - 1, playable);
    }
    if (depth == 1) return static_cast<std::uint64_t>(popcount(todo));
    std::uint64_t leaves = 0;
    for (; todo; todo &= todo - 1) leaves += perft(board.played(first_square(todo)), depth - 1, playable);
    return leaves;
}

}  // namespace othellier
