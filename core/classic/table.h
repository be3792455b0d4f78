// The positions a classical search remembers, the twin of search/table.py: what it holds does not depend
// on how it is laid out, so it is exact where the strong engine's table (tt.h) forgets as it likes.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "board/board.h"
#include "classic/classic.h"

namespace othellier::classic {

constexpr int inverse_symmetry(int symmetry) { return symmetry == 5 ? 6 : symmetry == 6 ? 5 : symmetry; }

// The first symmetry that leads to the smallest form of a board.
inline int canonical_symmetry(const Board& board, bool square_shape) {
    Board least = board;
    int symmetry = 0;
    for (int s = 1; s < (square_shape ? 8 : 4); ++s)
        if (const Board b = board.transformed(s); b < least) least = b, symmetry = s;
    return symmetry;
}

class Table {
  public:
    struct Known {
        bool found = false;  // `value` is what a search would find
        int value = 0;
        int move = kPass;  // a good one, or none
    };

    Table(std::size_t size, bool symmetry, const Shape& shape)
        : shape_(shape),
          size_(size),
          symmetry_(symmetry),
          square_shape_(shape.rows == shape.columns),
          entries_(1024) {}

    Known recall(const Board& board, int depth, int alpha, int beta) const {
        const int symmetry = symmetry_ ? canonical_symmetry(board, square_shape_) : 0;
        const Entry& e = entries_[slot(board.transformed(symmetry))];
        if (!e.depth) return {};
        const int move = transform_square(e.move, inverse_symmetry(symmetry));
        if (e.depth == depth) {
            if (e.low == e.high || e.low >= beta) return {true, e.low, move};
            if (e.high <= alpha) return {true, e.high, move};
        }
        return {false, 0, move};
    }

    void remember(const Board& board, int depth, int alpha, int beta, int value, int move) {
        const int symmetry = symmetry_ ? canonical_symmetry(board, square_shape_) : 0;
        const Board key = board.transformed(symmetry);
        std::size_t at = slot(key);
        if (!entries_[at].depth) {
            if (count_ >= size_) clear();
            if (2 * ++count_ > entries_.size()) grow();
            at = slot(key);
        }
        entries_[at] = {key, value > alpha ? value : -kInfinite, value < beta ? value : kInfinite,
                        static_cast<std::int8_t>(depth),
                        static_cast<std::int8_t>(transform_square(move, symmetry))};
    }

    std::size_t count() const { return count_; }
    bool fits(bool symmetry, const Shape& shape) const { return symmetry_ == symmetry && shape_ == shape; }

    // A table kept between searches serves one at a time.
    std::atomic<bool> busy{false};

  private:
    struct Entry {
        Board key;
        int low = 0, high = 0;
        std::int8_t depth = 0;  // 0: the slot is free
        std::int8_t move = 0;
    };

    // Where a board lies, or the free slot it would take.
    std::size_t slot(const Board& key) const {
        // The high half of the hash depends on all discs, the low half does not.
        std::size_t at = key.hash() >> 32 & (entries_.size() - 1);
        while (entries_[at].depth && !(entries_[at].key == key)) at = (at + 1) & (entries_.size() - 1);
        return at;
    }
    void clear() {
        for (Entry& e : entries_) e.depth = 0;
        count_ = 0;
    }
    void grow() {
        std::vector<Entry> old(2 * entries_.size());
        old.swap(entries_);
        for (const Entry& e : old)
            if (e.depth) entries_[slot(e.key)] = e;
    }

    const Shape shape_;
    std::size_t size_, count_ = 0;
    bool symmetry_, square_shape_;
    std::vector<Entry> entries_;
};

}  // namespace othellier::classic
