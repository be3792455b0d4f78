// A list of moves with ordering scores, taken best first.
#pragma once

#include <array>
#include <utility>

#include "board.h"

namespace othellier {

struct Move {
    Board child;
    std::uint64_t hash;  // of the child
    int square;
    int score;
};

class MoveList {
  public:
    void add(const Move& move) { moves_[count_++] = move; }
    int size() const { return count_; }
    Move* begin() { return moves_.data(); }
    Move* end() { return moves_.data() + count_; }
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
    std::array<Move, 36> moves_;  // no position reached by play has more than 33 moves
    int count_ = 0;
};

}  // namespace othellier
