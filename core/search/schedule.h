// Which step of iterative deepening comes next, how deep and how sure, and when it is time to move.
//
// Three ways to the goal. A fixed depth is reached ply by ply. Solving wants the exact score as soon as
// possible: a few cheap plies, the end with much forward pruning, the end. Under a limit of time or nodes
// the best move so far must be good at any moment: estimates of a sound confidence as deep as they
// go, then the end, surer and surer.
#pragma once

#include <algorithm>

#include "search/search.h"
#include "search/turn.h"

namespace othellier {

inline constexpr int kPlayConfidence = 1;  // of estimates under a limit of time or nodes

// One step of iterative deepening.
struct Step {
    int depth = 0;
    int selectivity = kExact;
};

class Schedule {
  public:
    Schedule(int empties, int depth, int selectivity, bool limited)
        : empties_(empties), depth_(depth), selectivity_(selectivity), limited_(limited) {}

    Step first() const {
        return to_end() && lead_in() < 1 ? Step{empties_, preview(-1)} : Step{1, estimate()};
    }
    bool last(const Step& step) const {
        return step.depth >= std::min(depth_, empties_) && step.selectivity >= selectivity_;
    }

    Step next(const Step& step) const {
        if (step.depth >= empties_) return {empties_, preview(step.selectivity)};
        if (!to_end()) return {step.depth + 1, selectivity_};
        if (end_is_next(step.depth)) return {empties_, preview(-1)};
        return {step.depth + (limited_ && even_leaves(step.depth) ? 2 : 1), estimate()};
    }

  private:
    // Plies of estimate before the end is tried: enough to order the moves well at the root.
    static constexpr int kLeadIn = 10;
    static constexpr int kNearEnd = 14;     // empty squares; solved in a few milliseconds
    static constexpr int kOnePreview = 20;  // above, more than one selective pass pays for itself

    // Where play goes two plies at a time: positions with an even number of empty squares are valued better,
    // and values of one parity can be compared from step to step.
    bool even_leaves(int depth) const { return (empties_ - depth) % 2 == 0; }

    bool to_end() const { return depth_ >= empties_; }
    int estimate() const {
        return to_end() ? std::min(limited_ ? kPlayConfidence : 0, selectivity_) : selectivity_;
    }
    int lead_in() const {
        return empties_ <= 24 ? std::min(empties_ - kLeadIn, empties_ / 2) : empties_ - 12;
    }

    // How sure the next search to the end is, after one that was so sure.
    int preview(int before) const {
        if (empties_ <= kBareEndgame) return selectivity_;
        if (limited_) return std::min(std::max(before + 1, kPlayConfidence), selectivity_);
        // What a surer pass leaves in the table orders the exact one better than it costs.
        const int next = empties_ <= kOnePreview ? (before < 0 ? 1 : kExact) : before < 0 ? 0 : before + 2;
        return std::min(next, selectivity_);
    }

    // Whether the end is next. Under a limit estimates are worth more than an early look at the end that may
    // be broken off: it comes when they have come near it, or where little is left anyhow.
    bool end_is_next(int depth) const {
        return depth + 2 >= empties_ || (depth >= lead_in() && (!limited_ || empties_ <= kNearEnd));
    }

    int empties_, depth_, selectivity_;
    bool limited_;
};

// Decides after each step whether a move has been thought about long enough, where a clock must last for
// the whole game. A best move that has stood for several steps needs less time than usual; one that has just
// changed, or whose value has fallen, needs more.
class Patience {
  public:
    Patience(double usual, int moves) : usual_(usual), only_(moves == 1) {}

    bool over(int move, int score, const Step& step, double seconds) {
        if (usual_ >= kNoTimeLimit) return false;
        const bool changed = move != move_;
        steady_ = changed ? 0 : steady_ + std::clamp(step.depth - depth_, 1, 2);
        depth_ = step.depth;
        const int fall = score_ - score;
        move_ = move;
        score_ = score;
        if (step.depth < kLeast) return false;
        double share = steady_ >= 4 ? 0.5 : steady_ >= 2 ? 0.7 : 1.0;
        if (changed) share += 0.5;
        if (fall >= 2) share += 0.25 * std::min(fall, 6);
        return only_ || seconds >= share * usual_;
    }

  private:
    static constexpr int kLeast = 8;  // plies; before, values jump too much to tell anything
    double usual_;
    bool only_;
    int move_ = kNoMove, score_ = 0, depth_ = 0;
    int steady_ = 0;  // plies since the best move changed; a surer step counts as one
};

}  // namespace othellier
