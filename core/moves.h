// A list of moves with ordering scores, taken best first.
#pragma once

#include <utility>

#include "board.h"

namespace othellier {

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

    void add(const Move& move) { moves_[count_++] = move; }
    int size() const { return count_; }
    Move* begin() { return moves_; }
    Move* end() { return moves_ + count_; }
    Move& operator[](int i) { return moves_[i]; }

    // Brings the best of the moves from `i` on to place `i`. Most nodes need only the first one or two,
    // so this beats sorting.
    Move& pick(int i) {
        int best = i;
        for (int j = i + 1; j < count_; ++j)
            if (moves_[j].score > moves_[best].score) best = j;
        if (best != i) std::swap(moves_[i], moves_[best]);
        return moves_[i];
    }

  private:
    union {
        Move moves_[36];  // no position reached by play has more than 33 moves
    };
    int count_ = 0;
};

}  // namespace othellier
