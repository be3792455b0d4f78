// The classical family, the fast twin of search/: minimax, negamax, alpha-beta and PVS with their choices
// of ordering, killers, table and evaluator. For the same options both find the same value, line and
// counts. Minimax and negamax are one search here, as they visit the same positions.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "classic/evaluator.h"

namespace othellier::classic {

// A won game is worth this and the discs it is won by: more than any evaluator gives.
inline constexpr int kWin = 1'000'000, kInfinite = 2 * kWin;

enum class Method { kFull, kAlphaBeta, kPvs };
enum class Order { kNone, kRandom, kSquares, kDiscs, kBoth, kHistory, kEvaluator };

struct Options {
    Method method = Method::kAlphaBeta;
    int depth = 6;
    std::vector<Phase> evaluator;
    Order order = Order::kNone;
    std::vector<int> square_values;  // for Order::kSquares and kBoth
    bool killer = false, table = false, symmetry = false, deepening = false;
    bool plain_count = false;    // empty squares do not count for the winner
    bool shuffle_first = false;  // any of the best first moves
    std::uint64_t seed = 0;
    std::optional<double> time;  // seconds
    std::optional<std::uint64_t> nodes;
    std::uint64_t table_size = 1 << 20;
    int table_depth = 3;                          // least depth left of what is remembered
    const Weights* weights = nullptr;             // for Feature::kPatterns
    const BoardClassifier* classifier = nullptr;  // for Feature::kClassifier
};

struct Counters {
    std::uint64_t nodes = 0, leaves = 0, blocked = 0, cutoffs = 0, first_cutoffs = 0, table_hits = 0,
                  rollouts = 0, kept = 0;
};

// What one of the first moves is worth: no more than that if it is only a bound.
struct MoveValue {
    int move = 0, value = 0;
    bool exact = true;
};

struct Outcome {
    int value = 0, depth = 0;      // the depth completed
    std::vector<int> line;         // in the shape's own numbering, kPass for passes
    std::vector<MoveValue> moves;  // those looked at, in that order
    Counters counters;
};

class Table;

// `first_moves` are the moves to consider at the root, which must have some. `stop` is asked now and then
// and may throw. `kept` is a table that earlier searches with the same options have filled, or none.
Outcome search(const Board& board, const Shape& shape, Bits first_moves, const Options& options,
               const std::function<bool()>& stop, Table* kept = nullptr);

}  // namespace othellier::classic
