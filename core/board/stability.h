// Discs that can never be turned again: a sound lower bound, used to cut off hopeless endgame nodes.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "board/bitboard.h"

namespace othellier {

// Squares whose predecessor 1, 2 or 4 steps down the diagonal (towards a1 for falling, h1 for rising)
// lies off the board, and the same seen from the other end.
struct DiagonalBorders {
    std::array<Bits, 3> low{}, high{};
};

constexpr DiagonalBorders diagonal_borders(int column_step) {
    DiagonalBorders b{};
    for (int i = 0, k = 1; i < 3; ++i, k *= 2) {
        for (int square = 0; square < 64; ++square) {
            const int row = square / 8, column = square % 8;
            const auto off = [](int r, int c) { return r < 0 || r > 7 || c < 0 || c > 7; };
            if (off(row - k, column - k * column_step)) b.low[i] |= Bits{1} << square;
            if (off(row + k, column + k * column_step)) b.high[i] |= Bits{1} << square;
        }
    }
    return b;
}

class Stability {
  public:
    static const Stability& instance() {
        static const Stability shared;
        return shared;
    }

    // Discs of `mine` that are stable against any further play on the 8x8 board.
    Bits stable(Bits mine, Bits theirs) const {
        const Bits filled = mine | theirs;
        const Bits across = full_rows(filled), down = full_columns(filled);
        const Bits falling = full_diagonals(filled, 9, kFalling), rising = full_diagonals(filled, 7, kRising);
        Bits safe = (edges(mine, theirs) | (across & down & falling & rising)) & mine;
        if (!safe) return 0;
        // A disc is safe if along each axis its line is full, it stands at the border, or a safe disc of
        // its own colour stands next to it. Safe discs grow from the edges inwards.
        for (const Bits inner = mine & 0x007E7E7E7E7E7E00ULL;;) {
            const Bits a = across | (safe >> 1) | (safe << 1), d = down | (safe >> 8) | (safe << 8);
            const Bits f = falling | (safe >> 9) | (safe << 9), r = rising | (safe >> 7) | (safe << 7);
            const Bits more = a & d & f & r & inner & ~safe;
            if (!more) return safe;
            safe |= more;
        }
    }

  private:
    static constexpr DiagonalBorders kFalling = diagonal_borders(1), kRising = diagonal_borders(-1);

    static Bits full_rows(Bits filled) {
        filled &= filled >> 1;
        filled &= filled >> 2;
        filled &= filled >> 4;
        return (filled & 0x0101010101010101ULL) * 0xFF;
    }
    static Bits full_columns(Bits filled) {
        filled &= std::rotr(filled, 8);
        filled &= std::rotr(filled, 16);
        return filled & std::rotr(filled, 32);
    }
    static Bits full_diagonals(Bits filled, int step, const DiagonalBorders& border) {
        Bits up = filled, down = filled;
        for (int i = 0; i < 3; ++i) {
            up &= (up << (step << i)) | border.low[i];
            down &= (down >> (step << i)) | border.high[i];
        }
        return up & down;
    }

    Stability() : edge_(1 << 16, 0) {
        std::vector<bool> known(1 << 16, false);
        for (int mine = 0; mine < 256; ++mine)
            for (int theirs = 0; theirs < 256; ++theirs)
                if (!(mine & theirs)) edge_stability(mine, theirs, known);
    }

    // Discs of `mine` on one edge that survive every sequence of moves of both sides on that edge. Both
    // may move anywhere and any number of times: more than the rules allow, so the result is safe.
    int edge_stability(int mine, int theirs, std::vector<bool>& known) {
        const int key = mine << 8 | theirs;
        if (known[key]) return edge_[key];
        int stable = mine;
        for (int square = 0; square < 8; ++square) {
            if ((mine | theirs) >> square & 1) continue;
            const int by_me = edge_flips(square, mine, theirs), by_them = edge_flips(square, theirs, mine);
            stable &= edge_stability(mine | by_me | 1 << square, theirs & ~by_me, known);
            stable &= edge_stability(mine & ~by_them, theirs | by_them | 1 << square, known);
        }
        known[key] = true;
        edge_[key] = static_cast<std::uint8_t>(stable);
        return stable;
    }
    static int edge_flips(int square, int mover, int other) {
        int flips = 0;
        for (int step : {1, -1}) {
            int run = 0, s = square + step;
            for (; s >= 0 && s < 8 && other >> s & 1; s += step) run |= 1 << s;
            if (s >= 0 && s < 8 && mover >> s & 1) flips |= run;
        }
        return flips;
    }

    static unsigned column_a(Bits b) {
        return static_cast<unsigned>(((b & 0x0101010101010101ULL) * 0x0102040810204080ULL) >> 56);
    }
    static Bits to_column_a(Bits line) {
        // Bits 7 and 0 would meet in the product and carry: bit 7 goes its own way.
        return (((line & 0x7F) * 0x0002040810204081ULL) & 0x0101010101010101ULL) | (line & 0x80) << 49;
    }
    Bits edges(Bits mine, Bits theirs) const {
        const auto line = [&](unsigned m, unsigned t) { return static_cast<unsigned>(edge_[m << 8 | t]); };
        const Bits top = line(mine & 0xFF, theirs & 0xFF);
        const Bits bottom = line(static_cast<unsigned>(mine >> 56), static_cast<unsigned>(theirs >> 56));
        const Bits left = to_column_a(line(column_a(mine), column_a(theirs)));
        const Bits right = to_column_a(line(column_a(mine >> 7), column_a(theirs >> 7)));
        return top | bottom << 56 | left | right << 7;
    }

    std::vector<std::uint8_t> edge_;
};

}  // namespace othellier
