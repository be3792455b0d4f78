// What all parts of the strong search share: the tree node, the state of one thread, and the entry
// points of the three regions, from the root down: midgame, endgame with a table, last plies.
//
// Scores are whole discs for the side to move. Every search function is fail-soft: a result at or below
// alpha is an upper bound, one at or above beta a lower bound.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>

#include "board/board.h"
#include "board/stability.h"
#include "evaluation/network.h"
#include "evaluation/patterns.h"
#include "search/cache.h"
#include "search/probcut.h"
#include "search/tt.h"

namespace othellier {

inline constexpr int kNoGuess = 128;  // beyond every value

struct Node {
    Board board;
    Features features;
    int empties;
    int guess = kNoGuess;  // its value at a glance, once somebody has looked
};

// At or below this many empty squares the endgame search works on bare boards, without the evaluation.
inline constexpr int kBareEndgame = 13;
// At or below this many, nodes are too cheap to be looked up or stored.
inline constexpr int kLastPlies = 7;

// What one search of one engine is about; read by all its threads, changed by none but for `stop`. So it lies
// on lines of cache of its own.
struct alignas(64) Task {
    Task(Table& t, const Weights* w, const Networks* n = nullptr, const ProbcutModel& p = {})
        : table(t), weights(w), networks(n), probcut(p) {}

    Table& table;
    const Weights* weights;    // null on small boards: a few features stand in
    const Networks* networks;  // of the same patterns, or null: then the weights value the leaves too
    ProbcutModel probcut;
    Bits playable = ~Bits{0};
    Bits corners = 0x8100000000000081ULL;
    Bits x_squares = 0x0042000000004200ULL;  // next to the corners, towards the middle
    Bits edges = 0xFF818181818181FFULL;
    int squares = 64;
    bool plain = false;  // count discs only: empty squares do not go to the winner
    std::uint64_t node_limit = ~std::uint64_t{0};
    std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
    std::function<bool()> tick;  // called by the first thread now and then; false ends the search
    std::atomic<bool> stop{false};

    bool standard() const { return playable == ~Bits{0}; }
};

struct SplitPoint;
class Pool;

// One thread's share of a search; on lines of cache of its own, for it is written at every node.
struct alignas(64) Worker {
    Task& task;
    bool first = false;           // the thread that asked, the only one to tick
    Pool* pool = nullptr;         // null in a search of one thread
    SplitPoint* split = nullptr;  // the innermost split point this thread works under
    std::uint64_t nodes = 0;
    std::atomic<std::uint64_t> published{0};  // nodes, as other threads may read them
    std::uint32_t polls = 0;
    int selectivity = kExact;  // index into the levels of probcut.h
    std::chrono::steady_clock::time_point next_tick{};
    int probcut_depth = 0;  // how many probcut verifications are under way
    Bits playable;
    EndgameCache& cache;  // this thread's own; what it holds is true of the task's board and counting

    Worker(Task& t, EndgameCache& c) : task(t), playable(t.playable), cache(c) {}

    bool stopped() const;  // the search, or the split point this thread works under, is over
    void poll() {          // looks at the clock and the node limit now and then
        if ((++polls & 0x3F) == 0) look_at_limits();
    }
    void look_at_limits();
};

// midgame.cpp: depth < empties is an estimate, depth == empties is the end of the game (exact if the
// worker's selectivity is kExact).
int search(Worker& worker, const Node& node, int alpha, int beta, int depth, bool allow_probcut = true);
int evaluate(Worker& worker, const Node& node, Bits moves);  // quickly, to order moves; `moves` are known
int estimate(Worker& worker, const Node& node, Bits moves);  // as well as we can, where a search ends

inline Node child_node(const Task& task, const Node& node, int square, Bits flipped) {
    Node child;
    child.board = node.board.played(square, flipped);
    if (task.weights) child.features = task.weights->played(node.features, square, flipped);
    child.empties = node.empties - 1;
    return child;
}
inline Node passed_node(const Node& node) {
    return {node.board.passed(), Weights::passed(node.features), node.empties, kNoGuess};
}

// endgame.cpp: exact, at most kBareEndgame empty squares.
int endgame(Worker& worker, const Board& board, int alpha, int beta, int empties);

// last_plies.cpp: exact, at most kLastPlies empty squares; `moves` are those of the side to move.
int last_plies(Worker& worker, const Board& board, Bits moves, int alpha, int beta, int empties);

// The score of a finished game with empty squares left.
inline int score_of_end(const Task& task, const Board& board) {
    return final_score(board, task.squares, task.plain);
}

// 64 - 2 * (stable discs of the opponent) bounds the score from above. Worth computing only where the
// opponent would have to be nearly wiped out already for alpha to be reached.
inline bool hopeless(const Task& task, const Board& board, int alpha, int empties, int& bound) {
    // Measured on FFO 40-49: below this the count almost never cuts and costs more than it saves.
    const int threshold = empties < 12 ? 2 * empties - 8 : 16;
    if (alpha < threshold || !task.standard()) return false;
    if (64 - 2 * popcount(board.opponent) > alpha) return false;  // not even if all of them were stable
    bound = 64 - 2 * popcount(Stability::instance().stable(board.opponent, board.player));
    return bound <= alpha;
}

}  // namespace othellier
