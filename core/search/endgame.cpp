// The exact endgame on bare boards, from kBareEndgame down to kLastPlies empty squares: fastest
// first (leave the opponent few moves), parity, the transposition table and stability cut-offs. There
// are millions of these nodes a second, so the evaluation's pattern sums are too dear here.
#include <algorithm>
#include <bit>

#include "search/moves.h"
#include "search/ordering.h"
#include "search/search.h"

namespace othellier {

namespace {

// From here up, a node is worth a look into the shared table, which remembers what the selective searches
// before this one and other threads have proven.
constexpr int kShared = 12;
// From here up, a look at the children's table entries saves more than it costs.
constexpr int kLookAhead = 9;
// Below this many empty squares a node is too small to be stopped in the middle.
constexpr int kInterruptible = 10;

// `todo` holds the moves of the side to move: whoever ordered this node among others knows them already.
int solve(Worker& worker, const Board& board, Bits todo, int alpha, int beta, int empties) {
    if (empties <= kLastPlies) return last_plies(worker, board, todo, alpha, beta, empties);
    ++worker.nodes;
    if (empties >= kInterruptible) {
        worker.poll();
        if (worker.stopped()) return alpha;
    }

    // 1. The opponent's stable discs may rule alpha out.
    int bound;
    if (hopeless(worker.task, board, alpha, empties, bound)) return bound;

    // 2. What is known of it.
    const std::uint64_t hash = board.hash();
    EndgameCache::Entry& slot = worker.cache.slot(hash);
    int hint = kNoMove;
    if (slot.board == board) {
        if (slot.lower >= beta || slot.lower == slot.upper) return slot.lower;
        if (slot.upper <= alpha) return slot.upper;
        alpha = std::max<int>(alpha, slot.lower);
        beta = std::min<int>(beta, slot.upper);
        hint = slot.move;
    } else if (Entry entry; empties >= kShared && worker.task.table.probe(board, hash, entry)) {
        if (entry.depth >= empties && entry.selectivity == kExact) {
            if (entry.lower >= beta || entry.lower == entry.upper) return entry.lower;
            if (entry.upper <= alpha) return entry.upper;
            alpha = std::max<int>(alpha, entry.lower);
            beta = std::min<int>(beta, entry.upper);
        }
        hint = entry.move;
    }

    // 3. The moves, or a pass, or the end.
    const Bits playable = worker.playable;
    if (!todo) {
        const Board other = board.passed();
        const Bits answers = other.moves(playable);
        if (!answers) return score_of_end(worker.task, board);
        return -solve(worker, other, answers, -beta, -alpha, empties);
    }
    // All children first, their answers after: meanwhile their slots and entries come from memory. That wait
    // was a quarter of the time spent here.
    const std::uint64_t before = worker.nodes;
    MoveList moves;
    for (; todo; todo &= todo - 1) {
        const int square = first_square(todo);
        const Board child = board.played(square);
        // Wiped out: nothing scores more, unless empty squares go to nobody.
        if (!child.player && !worker.task.plain) return worker.task.squares;
        const std::uint64_t child_hash = child.hash();
        if (empties >= kLookAhead) worker.cache.prefetch(child_hash);
        if (empties > kShared) worker.task.table.prefetch(child_hash);
        moves.add({child, child_hash, 0, square, 0});
    }
    const Bits odd = odd_quadrants(board.empty(playable));
    for (Move& move : moves) {
        move.answers = move.child.moves(playable);
        move.score = move.square == hint
                         ? 1 << 20
                         : quick_order(worker.task, move.child, move.answers, move.square, odd);
    }

    // 4. A child already known to be bad enough for the opponent ends it.
    if (empties >= kLookAhead) {
        for (const Move& move : moves) {
            const EndgameCache::Entry& next = worker.cache.slot(move.hash);
            if (next.board == move.child && -next.upper >= beta) return -next.upper;
        }
    }

    // 5. The first move with the full window, the others with a null window until they prove better.
    int best = -kInfinity, best_move = kNoMove;
    for (int i = 0; i < moves.size(); ++i) {
        const Move& move = moves.pick(i);
        const int low = std::max(alpha, best);
        int score;
        if (i == 0 || beta - low == 1) {
            score = -solve(worker, move.child, move.answers, -beta, -low, empties - 1);
        } else {
            score = -solve(worker, move.child, move.answers, -low - 1, -low, empties - 1);
            if (score > low && score < beta)
                score = -solve(worker, move.child, move.answers, -beta, -score, empties - 1);
        }
        if (empties > kInterruptible && worker.stopped()) return alpha;
        if (score > best) {
            best = score;
            best_move = move.square;
            if (best >= beta) break;
        }
    }

    // 6. Remember, with what was known of it before.
    EndgameCache::Entry& home = worker.cache.slot(hash);
    if (home.board != board) home = {board, -kInfinity, kInfinity, kNoMove};
    if (best < beta) home.upper = static_cast<std::int8_t>(best);
    if (best > alpha) home.lower = static_cast<std::int8_t>(best);
    home.move = static_cast<std::uint8_t>(best_move);
    if (empties >= kShared) {
        const int effort = static_cast<int>(std::bit_width(worker.nodes - before));
        worker.task.table.store(board, hash, empties, kExact, effort, alpha, beta, best, best_move);
    }
    return best;
}

}  // namespace

int endgame(Worker& worker, const Board& board, int alpha, int beta, int empties) {
    return solve(worker, board, board.moves(worker.playable), alpha, beta, empties);
}

}  // namespace othellier
