// A list of moves with ordering scores, taken best first.
#pragma once

#include <cstddef>
#include <new>
#include <utility>

#include "board/board.h"

namespace othellier {

// No board has more moves. Along each axis a run of the opponent's discs has a move at one end at most, so
// there are at most 4 for each disc of the opponent; each is held at the other end by a disc of the mover,
// which can hold 8: moves + moves / 4 + moves / 8 <= 64 squares.
inline constexpr int kMostMoves = 46;

struct Move {
    Board child;
    std::uint64_t hash;  // of the child
    Bits answers;        // the opponent's moves in it
    int square;
    int score;
};

class MoveList {
  public:
    MoveList() {}  // and nothing else: clearing the places would cost more than most nodes use of them

    void add(const Move& move) { *(begin() + count_++) = move; }
    int size() const { return count_; }
    Move* begin() { return std::launder(reinterpret_cast<Move*>(places_)); }
    Move* end() { return begin() + count_; }
    Move& operator[](int i) { return begin()[i]; }

    // Brings the best of the moves from `i` on to place `i`. Most nodes need only the first one or two,
    // so this beats sorting.
    Move& pick(int i) {
        Move* const moves = begin();
        int best = i;
        for (int j = i + 1; j < count_; ++j)
            if (moves[j].score > moves[best].score) best = j;
        if (best != i) std::swap(moves[i], moves[best]);
        return moves[i];
    }

  private:
    // Bytes bring aggregates such as Move to life without a constructor's work.
    alignas(Move) std::byte places_[kMostMoves * sizeof(Move)];
    int count_ = 0;
};

}  // namespace othellier
