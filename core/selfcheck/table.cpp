// The self-check's part about what a search remembers and relies on: the transposition table against a model
// of it that forgets nothing, and the bound by stable discs against brute force and random play.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <new>
#include <set>
#include <tuple>
#include <vector>

#include "search/search.h"
#include "selfcheck/selfcheck.h"

using namespace othellier;

namespace {

int below(int count) { return static_cast<int>(random_bits() % static_cast<unsigned>(count)); }

// Everything that was ever stored about a position, and what is true of it: a value for each depth and
// selectivity, made up once.
struct Known {
    Board board;
    std::map<std::pair<int, int>, int> truth;
    std::set<std::tuple<int, int, int>> lowers, uppers;  // depth, selectivity, bound
    std::set<int> moves;
    std::pair<int, int> best{-1, -1};  // depth and selectivity of what this search has stored

    int value(int depth, int selectivity) {
        const auto [at, fresh] = truth.try_emplace({depth, selectivity}, 0);
        if (fresh) at->second = below(129) - 64;
        return at->second;
    }
};

// What was read is something that was stored, and brackets the truth.
void check_entry(Known& known, const Entry& entry) {
    const int depth = entry.depth, selectivity = entry.selectivity;
    expect(known.truth.count({depth, selectivity}) == 1, "the table gives back a depth it was given");
    const int truth = known.value(depth, selectivity);
    expect(entry.lower <= truth && truth <= entry.upper, "bounds in the table bracket the truth");
    expect(entry.lower == -kInfinity || known.lowers.count({depth, selectivity, entry.lower}),
           "a lower bound in the table was proven at its depth and selectivity");
    expect(entry.upper == kInfinity || known.uppers.count({depth, selectivity, entry.upper}),
           "an upper bound in the table was proven at its depth and selectivity");
    expect(entry.move == kNoMove || known.moves.count(entry.move), "a move in the table was stored");
    expect(entry.second == kNoMove || known.moves.count(entry.second), "so was the second");
}

void check_table() {
    Table table(2);
    std::vector<Known> positions(24);
    // Two and two differ in the discs of one side alone.
    for (std::size_t i = 0; i < 12; ++i) {
        positions[i].board = {random_bits() & 0xFFFF, random_bits() << 16};
        positions[i + 12].board = i % 2 ? Board{positions[i].board.player, random_bits() << 16}
                                        : Board{random_bits() & 0xFFFF, positions[i].board.opponent};
    }
    // Few hashes for many positions, so that they fight for their places.
    const auto hash = [](int i) { return static_cast<std::uint64_t>(i % 4 + 1) << 62 | 12345; };
    for (int round = 0; round < 40000; ++round) {
        if (round % 100 == 99) {
            table.new_search();
            for (Known& known : positions) known.best = {-1, -1};
        }
        const int i = below(static_cast<int>(positions.size()));
        Known& known = positions[static_cast<std::size_t>(i)];
        Entry before;
        const bool was_there = table.probe(known.board, hash(i), before);
        if (was_there) check_entry(known, before);

        // 1. A result as a fail-soft search gives it: exact inside its window, a bound outside.
        const int depth = 1 + below(4), selectivity = below(3);
        const int truth = known.value(depth, selectivity);
        const int alpha = below(129) - 65, beta = alpha + 1 + (below(2) ? 0 : below(20));
        const int score = truth <= alpha  ? truth + below(alpha - truth + 1)
                          : truth >= beta ? beta + below(truth - beta + 1)
                                          : truth;
        const int move = below(64);
        if (score > alpha) known.lowers.insert({depth, selectivity, score});
        if (score < beta) known.uppers.insert({depth, selectivity, score});
        known.moves.insert(move);
        table.store(known.board, hash(i), depth, selectivity, below(20), alpha, beta, score, move);

        // 2. It is there, unless something deeper or surer of the same search was.
        Entry after;
        expect(table.probe(known.board, hash(i), after), "what was just stored is found");
        check_entry(known, after);
        const std::pair stored{depth, selectivity}, found{int{after.depth}, int{after.selectivity}};
        const std::pair held{int{before.depth}, int{before.selectivity}};
        const bool better = was_there && held > stored && held == known.best;
        expect(found == (better ? held : stored),
               "a result gives way to a better one of the same search, and to no other");
        if (found == stored) {
            expect(score <= alpha || after.lower >= score, "a result raises the lower bound");
            expect(score >= beta || after.upper <= score, "a result lowers the upper bound");
            expect(score <= alpha || after.move == move, "a move that proved something comes first");
        }
        known.best = found;
    }

    // 3. Nothing is invented, nothing outlives a clear, and a size that cannot be had changes nothing.
    Entry entry;
    expect(!table.probe({1, 2}, hash(0), entry), "a position never stored is not found");
    const Known& one = positions[0];
    table.store(one.board, hash(0), 60, kExact, 1, -1, 1, 0, 3);
    bool refused = false;
    try {
        table.resize(std::numeric_limits<std::size_t>::max() >> 10);
    } catch (const std::bad_alloc&) {
        refused = true;
    }
    expect(refused, "a table larger than any memory is refused");
    expect(table.probe(one.board, hash(0), entry) && entry.depth == 60, "and the old one kept");
    table.new_search();
    table.clear();
    for (int i = 0; i < static_cast<int>(positions.size()); ++i)
        expect(!table.probe(positions[static_cast<std::size_t>(i)].board, hash(i), entry),
               "a cleared table is empty");
}

int brute_force(const Board& board) {
    Bits moves = board.moves();
    if (!moves) return board.over() ? final_score(board, 64) : -brute_force(board.passed());
    int best = -kInfinity;
    for (; moves; moves &= moves - 1) best = std::max(best, -brute_force(board.played(first_square(moves))));
    return best;
}

// A nearly full board: few discs of the opponent make wipe-outs, where the bound is reached.
Board late_board(int empties, int rare) {
    Bits filled = ~Bits{0};
    for (int i = 0; i < empties; ++i) filled &= ~bit(below(64));
    const Bits few = rare ? random_bits() & random_bits() & random_bits() : random_bits();
    return {filled & ~few, filled & few};
}

void check_stability() {
    Table table(2);
    Task task(table, nullptr);
    bool reached = false;
    for (int i = 0; i < 3000; ++i) {
        const Board board = late_board(2 + i % 5, i % 3);
        const int truth = brute_force(board);
        int bound = 0;
        if (hopeless(task, board, 64, popcount(board.empty()), bound)) {
            expect(truth <= bound, "no score is above what stable discs allow");
            reached |= truth == bound;
        }
        if (hopeless(task, board, truth - 1, popcount(board.empty()), bound))
            expect(false, "a score that can be reached is not hopeless");
    }
    expect(reached, "the bound by stable discs is reached now and then");
    for (int i = 0; i < 300; ++i) {
        Board board = late_board(6 + i % 12, i % 2);
        Bits mine = Stability::instance().stable(board.player, board.opponent);
        for (int game = 0; game < 10; ++game) {
            bool swapped = false;
            for (Board now = board; !now.over();) {
                if (const Bits moves = now.moves())
                    now = now.played(nth_square(moves, below(popcount(moves))));
                else
                    now = now.passed();
                swapped = !swapped;
                expect(!(mine & ~(swapped ? now.opponent : now.player)), "stable discs stay");
            }
        }
    }
}

// Forward pruning trusts a shallow search as far above the window as below, less far the surer it is to be,
// and never at the surest.
void check_confidence() {
    for (std::size_t i = 1; i < kSelectivities.size(); ++i) {
        const auto &less = kSelectivities[i - 1], &more = kSelectivities[i];
        expect(less.percent < more.percent, "selectivities are in order");
        expect(i == kExact || less.t < more.t, "to be surer takes a wider margin");
        expect(std::abs(100 * std::erf(less.t / std::sqrt(2.0)) - less.percent) < 1,
               "a margin is as sure as it says");
    }
    expect(kSelectivities[kExact].percent == 100, "the surest does not prune");
}

}  // namespace

void check_remembered() {
    check_table();
    check_stability();
    check_confidence();
}
