// The same position searched to many depths without forward pruning: the raw material of probcut.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>

#include "evaluation/patterns.h"
#include "search/search.h"

namespace othellier {

inline constexpr std::int8_t kNotSearched = 127;

// values[i * (deepest + 2) + d] becomes the value of position i at depth d, from 0 to `deepest`, and the last
// of each row the exact score where at most `solve_empties` squares are empty, else kNotSearched. Once `stop`
// is set, no further position is begun.
void depth_values(const Weights& weights, const Networks* networks, std::span<const Board> boards,
                  int deepest, int solve_empties, int threads, std::span<std::int8_t> values,
                  const std::atomic<bool>& stop);

// Values every position one move on as a search values its leaves: move, features and mobility included.
// By the networks where there are any. `evaluations` counts them, `sum` adds them up; for measuring how fast
// that is.
struct Leaves {
    std::size_t evaluations;
    std::int64_t sum;
};
Leaves evaluate_leaves(const Weights& weights, const Networks* networks, std::span<const Board> boards);

}  // namespace othellier
