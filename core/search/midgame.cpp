// The search above the bare endgame: PVS with the pattern evaluation, transposition table, enhanced
// cut-offs, multi-probcut and split points. It serves estimates (depth < empties) and the upper part of
// exact solving (depth == empties) alike.
#include <algorithm>
#include <array>

#include "search/moves.h"
#include "search/ordering.h"
#include "search/parallel.h"
#include "search/search.h"

namespace othellier {

namespace {

constexpr int kTableDepth = 2;     // shallower nodes are cheaper to search again than to look up
constexpr int kLookAhead = 5;      // enhanced transposition cut-off from this depth
constexpr int kProbcutDepth = 2;   // a bare estimate is the check then; a last ply costs no more than that
constexpr int kQuickOrder = 2;     // here moves are ordered without the evaluation
constexpr int kNetworkOrder = 15;  // empty squares of an exact search from which the network orders its moves
constexpr int kCornerFirst = 8;    // half answers that a corner outweighs, at the last ply
constexpr int kSplitDepth = 5;     // midgame nodes worth sharing
constexpr int kSplitEmpties = 14;  // endgame nodes worth sharing; 15 took 9 % longer on 16 threads

struct Children {
    std::array<Child, kMostMoves> list;
    std::array<std::uint8_t, kMostMoves> order;
    int count = 0;

    Child& add() {
        order[count] = static_cast<std::uint8_t>(count);
        return list[count++];
    }
    Child& at(int i) { return list[order[i]]; }
    // Brings a move to the first place; false if it is none of these.
    bool bring_first(int square) {
        for (int i = 0; i < count; ++i) {
            if (at(i).square != square) continue;
            std::swap(order[0], order[i]);
            return true;
        }
        return false;
    }
    // Brings the best of the children from place `i` on to place `i`.
    const Child& pick(int i) {
        int best = i;
        for (int j = i + 1; j < count; ++j)
            if (at(j).score > at(best).score) best = j;
        std::swap(order[i], order[best]);
        return at(i);
    }
};

// The depth of the searches that order the moves: a small share of the work to be ordered.
int ordering_depth(int depth, int empties) {
    if (depth >= empties) return depth < 16 ? 0 : depth < 19 ? 1 : depth < 22 ? 2 : depth < 25 ? 3 : 4;
    return depth < 7 ? 0 : depth < 12 ? 1 : depth < 17 ? 2 : 3;
}

// Fills in the children's boards; true if a move wins every square. What the table has of them is asked for
// here, while there is still their order to be found: waiting for memory was a tenth of all time.
bool generate(const Worker& worker, const Node& node, Bits todo, int depth, Children& children) {
    for (; todo; todo &= todo - 1) {
        Child& child = children.add();
        child.square = first_square(todo);
        child.node.board = node.board.played(child.square);
        if (depth > kTableDepth) worker.task.table.prefetch(child.node.board.hash());
        if (!child.node.board.player && !worker.task.plain) return true;
    }
    return false;
}

// What a search of a child needs besides its board; in place, for to copy what child_node() gives took a
// seventh of all time.
void complete(const Worker& worker, const Node& node, Child& child) {
    const Bits flipped = node.board.opponent ^ child.node.board.player;
    child.node.empties = node.empties - 1;
    child.node.guess = kNoGuess;
    if (worker.task.weights)
        child.node.features = worker.task.weights->played(node.features, child.square, flipped);
}

// Completes the children from place `first` on, with ordering scores in 1/8 discs.
void rank(Worker& worker, const Node& node, int depth, int second, int first, Children& children) {
    const bool to_end = depth >= node.empties;
    const int shallow = ordering_depth(depth, node.empties);
    const Bits odd = odd_quadrants(node.board.empty(worker.playable));
    for (int i = first; i < children.count; ++i) {
        Child& child = children.at(i);
        complete(worker, node, child);
        if (child.square == second) {
            child.score = 1 << 19;
            continue;
        }
        const Bits answers = child.node.board.moves(worker.playable);
        const int mobility = popcount(answers) + popcount(answers & worker.task.corners);
        if (depth == kQuickOrder && !to_end) {  // the tables would cost as much as what they order
            child.score = quick_order(worker.task, child.node.board, answers, child.square, odd);
            continue;
        }
        if (shallow == 0) {
            const bool well = to_end && depth >= kNetworkOrder;
            child.node.guess = (well ? estimate : evaluate)(worker, child.node, answers);
            child.score = -8 * child.node.guess;
        } else {
            child.score = -8 * search(worker, child.node, -kInfinity, kInfinity, shallow - 1, false);
        }
        if (!to_end) {
            child.score -= 2 * mobility;
            continue;
        }
        // These gave the fewest nodes on FFO 40-49 and on twelve positions with 24 empty squares.
        const Board& board = child.node.board;
        const int later = popcount(around(board.opponent) & board.empty(worker.playable));
        child.score -= 20 * mobility + 12 * later;
        if (worker.task.corners & bit(child.square)) child.score += 16;
        if (odd & bit(child.square)) child.score += 4;
    }
}

// Multi-probcut: a shallow search far outside the window makes the deep one superfluous.
bool probcut(Worker& worker, const Node& node, Bits moves, int alpha, int depth, int& score) {
    const int shallow = 2 * (depth / 4) + (depth & 1);
    const double margin =
        kSelectivities[worker.selectivity].t * worker.task.probcut.sigma(node.empties, depth, shallow);
    const int static_value = node.guess == kNoGuess ? evaluate(worker, node, moves) : node.guess;
    const int beta = alpha + 1;

    // Two tries: is it surely above, is it surely below? The static value says which is worth asking.
    ++worker.probcut_depth;
    bool cut = false;
    const int high = beta + static_cast<int>(margin + 0.5);
    if (high <= kMaxEstimate && static_value >= beta) {
        if (search(worker, node, high - 1, high, shallow, worker.probcut_depth < 2) >= high) {
            score = beta;
            cut = true;
        }
    }
    const int low = alpha - static_cast<int>(margin + 0.5);
    if (!cut && low >= -kMaxEstimate && static_value <= alpha) {
        if (search(worker, node, low, low + 1, shallow, worker.probcut_depth < 2) <= low) {
            score = alpha;
            cut = true;
        }
    }
    --worker.probcut_depth;
    return cut;
}

// The last ply of an estimate: every child is evaluated once.
int search_1(Worker& worker, const Node& node, int beta) {
    Bits todo = node.board.moves(worker.playable);
    if (!todo) {
        if (!node.board.passed().moves(worker.playable)) return score_of_end(worker.task, node.board);
        return -search(worker, passed_node(node), -kInfinity, kInfinity, 1);
    }
    // An estimate costs more than counting the answers, and the move that leaves fewest mostly cuts first.
    MoveList moves;
    for (; todo; todo &= todo - 1) {
        const int square = first_square(todo);
        const Board board = node.board.played(square);
        const Bits answers = board.moves(worker.playable);
        const int mobility = popcount(answers) + popcount(answers & worker.task.corners);
        const int corner = worker.task.corners & bit(square) ? kCornerFirst : 0;
        moves.add({board, 0, answers, square, corner - 2 * mobility});
    }
    int best = -kInfinity;
    for (int i = 0; i < moves.size(); ++i) {
        const Move& move = moves.pick(i);
        const Bits flipped = node.board.opponent ^ move.child.player;
        const Node child = child_node(worker.task, node, move.square, flipped);
        best = std::max(best, -estimate(worker, child, move.answers));
        if (best >= beta) break;
    }
    return best;
}

// How a board without weights looks to the side to move, in eighths of a disc: moves now and squares for
// later moves, corners and the edges they hold, X-squares beside empty corners. The numbers gave the fewest
// nodes on forty 6x6 positions with 20 empty squares, half of what moves and corners alone took.
int features_of(const Task& task, const Board& board, Bits moves) {
    const Bits empty = board.empty(task.playable), corners = board.player & task.corners;
    const Bits near = beside(corners) & board.player, far = beside(near) & board.player & task.edges;
    const Bits risky = around(task.corners & empty) & task.x_squares & board.player;
    return 8 * popcount(moves) - 12 * popcount(around(board.player) & empty) + 48 * popcount(corners) +
           12 * popcount((near | far) & ~corners) - 8 * popcount(risky);
}

}  // namespace

int evaluate(Worker& worker, const Node& node, Bits mine) {
    ++worker.nodes;
    const Task& task = worker.task;
    const Bits theirs = node.board.passed().moves(task.playable);
    if (!(mine | theirs)) return score_of_end(task, node.board);
    if (task.weights)
        return task.weights->discs(
            task.weights->raw(node.features, node.empties, popcount(mine), popcount(theirs)));
    const int eighths = features_of(task, node.board, mine) - features_of(task, node.board.passed(), theirs);
    return std::clamp(eighths / 8, -task.squares + 2, task.squares - 2);
}

int estimate(Worker& worker, const Node& node, Bits moves) {
    const Networks* networks = worker.task.networks;
    if (!networks) return evaluate(worker, node, moves);
    ++worker.nodes;
    const int mine = popcount(moves), theirs = popcount(node.board.passed().moves());
    // The network has only seen positions with a move to play.
    if (mine) return Networks::discs(networks->value(node.features, node.empties, mine, theirs));
    if (!theirs) return score_of_end(worker.task, node.board);
    return -Networks::discs(networks->value(Networks::passed(node.features), node.empties, theirs, mine));
}

int search_child(Worker& worker, const Node& child, int low, int beta, int depth, bool first) {
    if (first || beta - low == 1) return -search(worker, child, -beta, -low, depth);
    const int score = -search(worker, child, -low - 1, -low, depth);
    if (score <= low || score >= beta) return score;
    return -search(worker, child, -beta, -low, depth);
}

int search(Worker& worker, const Node& node, int alpha, int beta, int depth, bool allow_probcut) {
    const bool to_end = depth >= node.empties;
    if (to_end && node.empties <= kBareEndgame) return endgame(worker, node.board, alpha, beta, node.empties);
    if (depth == 0) return estimate(worker, node, node.board.moves(worker.playable));
    ++worker.nodes;
    if (depth == 1) return search_1(worker, node, beta);
    worker.poll();
    if (worker.stopped()) return alpha;
    if (to_end) depth = node.empties;

    // 1. The opponent's stable discs may rule alpha out.
    int bound;
    if (hopeless(worker.task, node.board, alpha, node.empties, bound)) return bound;

    // 2. What the table knows.
    Table& table = worker.task.table;
    const std::uint64_t hash = node.board.hash();
    Entry entry;
    const bool known = depth >= kTableDepth && table.probe(node.board, hash, entry);
    if (known && entry.depth >= depth && entry.selectivity >= worker.selectivity) {
        if (entry.lower >= beta || entry.lower == entry.upper) return entry.lower;
        if (entry.upper <= alpha) return entry.upper;
        alpha = std::max<int>(alpha, entry.lower);
        beta = std::min<int>(beta, entry.upper);
    }

    // 3. No move: a pass costs no depth.
    const Bits moves = node.board.moves(worker.playable);
    if (!moves) {
        if (!node.board.passed().moves(worker.playable)) return score_of_end(worker.task, node.board);
        return -search(worker, passed_node(node), -beta, -alpha, depth, allow_probcut);
    }

    // 4. Probably far outside the window?
    if (worker.selectivity < kExact && allow_probcut && beta - alpha == 1 && depth >= kProbcutDepth) {
        int score;
        if (probcut(worker, node, moves, alpha, depth, score)) return score;
        if (worker.stopped()) return alpha;
    }

    // 5. A child already known to be bad enough for the opponent ends it.
    Children children;
    if (generate(worker, node, moves, depth, children)) return worker.task.squares;
    if (depth >= kLookAhead) {
        for (int i = 0; i < children.count; ++i) {
            const Board& child = children.list[i].node.board;
            Entry next;
            if (table.probe(child, child.hash(), next) && next.depth >= depth - 1 &&
                next.selectivity >= worker.selectivity && -next.upper >= beta)
                return -next.upper;
        }
    }

    // 6. The table's move first: mostly it is enough, and the others need not even be ordered. Then they, in
    // the order they look good, one after the other or shared now that there is a bound.
    const std::uint64_t before = worker.nodes;
    const bool hinted = known && children.bring_first(entry.move);
    const int second = known ? entry.second : kNoMove;
    if (hinted)
        complete(worker, node, children.at(0));
    else
        rank(worker, node, depth, second, 0, children);
    const bool splittable = worker.pool && depth >= (to_end ? kSplitEmpties : kSplitDepth);
    int best = -kInfinity, best_move = kNoMove;
    for (int i = 0; i < children.count; ++i) {
        if (hinted && i == 1) rank(worker, node, depth, second, 1, children);
        const Child& child = hinted && i == 0 ? children.at(0) : children.pick(i);
        if (splittable && i > 0 && i + 1 < children.count && worker.pool->wants_work()) {
            for (int j = i + 1; j < children.count; ++j) children.pick(j);
            SplitPoint point;
            point.children = children.list.data();
            point.order = children.order.data() + i;
            point.count = children.count - i;
            point.alpha = alpha;
            point.beta = beta;
            point.depth = depth - 1;
            point.selectivity = worker.selectivity;
            point.best = best;
            point.best_move = best_move;
            worker.pool->split(worker, point);
            if (worker.stopped()) return alpha;
            best = point.best;
            best_move = point.best_move;
            break;
        }
        const int score = search_child(worker, child.node, std::max(alpha, best), beta, depth - 1, i == 0);
        if (worker.stopped()) return alpha;
        if (score > best) {
            best = score;
            best_move = child.square;
            if (best >= beta) break;
        }
    }

    // 7. Remember.
    const int effort = static_cast<int>(std::bit_width(worker.nodes - before));
    if (depth >= kTableDepth)
        table.store(node.board, hash, depth, worker.selectivity, effort, alpha, beta, best, best_move);
    return best;
}

}  // namespace othellier
