// The strategies of evaluators.py, which hands over their parameters: phases of terms, in whole numbers.
#pragma once

#include <algorithm>
#include <array>
#include <cstdlib>
#include <vector>

#include "board/board.h"
#include "classic/classifier.h"
#include "evaluation/patterns.h"

namespace othellier::classic {

// In the order of evaluators.Feature.
enum class Feature {
    kDiscs,
    kMoves,
    kStable,
    kSquares,
    kPatterns,
    kClassifier,
    kFrontier,
    kBeside,
    kDiagonal
};

struct Term {
    Feature feature = Feature::kDiscs;
    int weight = 1;
    bool ratio = false;
    std::vector<int> table;  // in the shape's own numbering; empty but for kSquares
};

struct Phase {
    int limit = 64;  // discs on the board at which it is over; the last phase has no end
    std::vector<Term> terms;
};

// A table, its squares gathered by value: two population counts a value.
class SquareSum {
  public:
    SquareSum() = default;
    SquareSum(const std::vector<int>& table, const Shape& shape, int weight = 1) {
        for (int i = 0; i < static_cast<int>(table.size()); ++i) {
            const int value = weight * table[i];
            if (value == 0) continue;
            auto group =
                std::find_if(groups_.begin(), groups_.end(), [&](auto& g) { return g.value == value; });
            if (group == groups_.end()) group = groups_.insert(group, {value, 0});
            group->mask |= bit(shape.to_grid(i));
        }
    }
    int of(Bits discs) const {
        int total = 0;
        for (const Group& g : groups_) total += g.value * popcount(discs & g.mask);
        return total;
    }
    int operator()(const Board& board) const {
        int total = 0;
        for (const Group& g : groups_)
            total += g.value * (popcount(board.player & g.mask) - popcount(board.opponent & g.mask));
        return total;
    }

  private:
    struct Group {
        int value;
        Bits mask;
    };
    std::vector<Group> groups_;
};

struct DiscDifference {
    int operator()(const Board& board) const { return popcount(board.player) - popcount(board.opponent); }
};

// The strong engine's own estimate, in its unit and within its limits: what the board is worth to the side to
// move less what it would be worth to the other side if that were to move. 8x8 only.
class PatternDifference {
  public:
    explicit PatternDifference(const Weights* weights) : weights_(weights) {}
    int of(const Board& board) const { return estimate(board, weights_->features(board)); }
    int operator()(const Board& board) const {
        const Features features = weights_->features(board);
        return estimate(board, features) - estimate(board.passed(), Weights::passed(features));
    }

  private:
    int estimate(const Board& board, const Features& features) const {
        const int most = kMaxEstimate * weights_->unit();
        const int raw = weights_->raw(features, popcount(board.empty()), popcount(board.moves()),
                                      popcount(board.passed().moves()));
        return std::clamp(raw, -most, most);
    }
    const Weights* weights_;
};

// Discs beside an empty square, which the opponent may turn soon; and discs beside and diagonal to corners
// that are still empty, which may lose them.
class WeakDiscs {
  public:
    explicit WeakDiscs(const Shape& shape) : playable_(shape.playable()) {
        const int top = shape.top(), left = shape.left(), bottom = top + shape.rows - 1,
                  right = left + shape.columns - 1;
        const auto at = [](int row, int column) { return bit(8 * row + column); };
        for (int i = 0; i < 4; ++i) {
            const int row = i & 2 ? bottom : top, column = i & 1 ? right : left;
            const int inner_row = row + (i & 2 ? -1 : 1), inner_column = column + (i & 1 ? -1 : 1);
            corners_[i] = {at(row, column), at(inner_row, column) | at(row, inner_column),
                           at(inner_row, inner_column)};
        }
    }
    int frontier(const Board& board) const {
        const Bits empty = playable_ & ~board.discs();
        const Bits row = empty | (empty & ~kRightEdge) << 1 | (empty & ~kLeftEdge) >> 1;
        return popcount(board.player & (row | row << 8 | row >> 8));
    }
    int beside(const Board& board) const { return sum(board, &Corner::beside); }
    int diagonal(const Board& board) const { return sum(board, &Corner::diagonal); }

  private:
    static constexpr Bits kLeftEdge = 0x0101010101010101ULL, kRightEdge = 0x8080808080808080ULL;
    struct Corner {
        Bits corner, beside, diagonal;
    };
    int sum(const Board& board, Bits Corner::* squares) const {
        int total = 0;
        for (const Corner& one : corners_)
            if (!(board.discs() & one.corner)) total += popcount(board.player & one.*squares);
        return total;
    }
    Bits playable_;
    std::array<Corner, 4> corners_;
};

// The larger share in per cent, with the sign of who has more.
inline int ratio(int mine, int theirs) {
    if (mine == theirs) return 0;
    const int share = 100 * std::max(std::abs(mine), std::abs(theirs)) / (std::abs(mine) + std::abs(theirs));
    return mine > theirs ? share : -share;
}

// Discs that no move can turn: safe along all four axes, see features.stable_mask.
class StableDiscs {
  public:
    explicit StableDiscs(const Shape& shape) {
        constexpr int kRow[4] = {0, 1, 1, 1}, kColumn[4] = {1, 0, -1, 1};
        for (int a = 0; a < 4; ++a) {
            std::array<Bits, 16> lines{};
            for (int r = 0; r < shape.rows; ++r)
                for (int c = 0; c < shape.columns; ++c) {
                    const Bits here = bit(8 * (shape.top() + r) + shape.left() + c);
                    // What stays the same along a line tells it from the others of its axis.
                    lines[r * kColumn[a] - c * kRow[a] + (kColumn[a] < 0 ? 14 : kRow[a] ? 7 : 0)] |= here;
                    const bool at_side = kColumn[a] && (c == 0 || c == shape.columns - 1);
                    if (at_side || (kRow[a] && (r == 0 || r == shape.rows - 1))) axes_[a].ends |= here;
                }
            for (Bits line : lines)
                if (line) axes_[a].lines.push_back(line);
            axes_[a].step = 8 * kRow[a] + kColumn[a];
        }
    }
    int count(const Board& board) const {
        const Bits filled = board.discs();
        std::array<Bits, 4> sure;
        for (int a = 0; a < 4; ++a) {
            sure[a] = axes_[a].ends;
            for (Bits line : axes_[a].lines)
                if ((filled & line) == line) sure[a] |= line;
        }
        for (Bits stable = 0;;) {
            Bits more = board.player;
            for (int a = 0; a < 4; ++a) more &= sure[a] | stable << axes_[a].step | stable >> axes_[a].step;
            if (more == stable) return popcount(stable);
            stable = more;
        }
    }

  private:
    struct Axis {
        int step = 0;
        Bits ends = 0;
        std::vector<Bits> lines;
    };
    std::array<Axis, 4> axes_;
};

// Any evaluator. Those of a single table or of discs alone have a short cut in classic.cpp.
class Evaluator {
  public:
    Evaluator(const std::vector<Phase>& phases, const Shape& shape, const Weights* weights,
              const BoardClassifier* classifier)
        : phases_(phases),
          playable_(shape.playable()),
          stable_(shape),
          weak_(shape),
          patterns_(weights),
          classifier_(classifier) {
        for (const Phase& phase : phases_)
            for (const Term& term : phase.terms) sums_.emplace_back(term.table, shape);
    }

    int operator()(const Board& board) const {
        const int discs = popcount(board.discs());
        const SquareSum* sum = sums_.data();
        for (std::size_t i = 0;; ++i) {
            const Phase& phase = phases_[i];
            if (discs < phase.limit || i + 1 == phases_.size()) {
                int total = 0;
                for (const Term& term : phase.terms) total += value(term, *sum++, board);
                return total;
            }
            sum += phase.terms.size();
        }
    }

  private:
    int value(const Term& term, const SquareSum& sum, const Board& board) const {
        const int mine = count(term.feature, sum, board), theirs = count(term.feature, sum, board.passed());
        return term.weight * (term.ratio ? ratio(mine, theirs) : mine - theirs);
    }
    int count(Feature feature, const SquareSum& sum, const Board& board) const {
        switch (feature) {
            case Feature::kMoves:
                return popcount(board.moves(playable_));
            case Feature::kStable:
                return stable_.count(board);
            case Feature::kSquares:
                return sum.of(board.player);
            case Feature::kPatterns:
                return patterns_.of(board);
            case Feature::kClassifier:
                return classifier_->of(board);
            case Feature::kFrontier:
                return weak_.frontier(board);
            case Feature::kBeside:
                return weak_.beside(board);
            case Feature::kDiagonal:
                return weak_.diagonal(board);
            default:
                return popcount(board.player);
        }
    }

    std::vector<Phase> phases_;
    std::vector<SquareSum> sums_;  // one a term, in order
    Bits playable_;
    StableDiscs stable_;
    WeakDiscs weak_;
    PatternDifference patterns_;
    const BoardClassifier* classifier_;
};

}  // namespace othellier::classic
