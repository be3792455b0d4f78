#include "learning/depths.h"

#include "board/threads.h"

namespace othellier {

namespace {

struct Memory {
    Table table{16};
    EndgameCache cache;
};

}  // namespace

void depth_values(const Weights& weights, const Networks* networks, std::span<const Board> boards,
                  int deepest, int solve_empties, int threads, std::span<std::int8_t> values,
                  const std::atomic<bool>& stop) {
    const std::size_t width = static_cast<std::size_t>(deepest) + 2;
    std::atomic<std::size_t> next{0};
    on_threads<Memory>(threads, [&](Memory& memory) {
        auto& [table, cache] = memory;
        for (std::size_t i; !stop && (i = next.fetch_add(1)) < boards.size();) {
            table.clear();
            table.new_search();
            Task task(table, &weights, networks);
            Worker worker(task, cache);
            const Board& board = boards[i];
            const Node node{board, weights.features(board), popcount(board.empty())};
            const auto row = values.subspan(i * width, width);
            for (int depth = 0; depth <= deepest; ++depth) {
                const bool possible = depth < node.empties;
                row[depth] =
                    possible ? static_cast<std::int8_t>(search(worker, node, -64, 64, depth)) : kNotSearched;
            }
            row[width - 1] = node.empties <= solve_empties
                                 ? static_cast<std::int8_t>(search(worker, node, -64, 64, node.empties))
                                 : kNotSearched;
        }
    });
}

Leaves evaluate_leaves(const Weights& weights, const Networks* networks, std::span<const Board> boards) {
    Leaves leaves{0, 0};
    for (const Board& board : boards) {
        const Features features = weights.features(board);
        const int empties = popcount(board.empty()) - 1;
        for (Bits todo = board.moves(); todo; todo &= todo - 1) {
            const int square = first_square(todo);
            const Bits flipped = board.flips(square);
            const Board child = board.played(square, flipped);
            const Features next = weights.played(features, square, flipped);
            leaves.sum += networks ? Networks::discs(networks->value(next, empties, popcount(child.moves()),
                                                                     popcount(child.passed().moves())))
                                   : weights.evaluate(child, next, empties);
            ++leaves.evaluations;
        }
    }
    return leaves;
}

}  // namespace othellier
