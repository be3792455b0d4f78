#include "search/root.h"

#include <algorithm>

namespace othellier {

namespace {

constexpr int kSolveAnyway = kBareEndgame;  // below, the table keeps nothing: a line is completed by solving

}  // namespace

Root::Root(Worker& worker, const Board& board, const Limits& limits) : worker_(worker), limits_(limits) {
    const Task& task = worker.task;
    node_ = Node{board, Features{}, popcount(board.empty(task.playable)), kNoGuess};
    if (task.weights) node_.features = task.weights->features(board);
    for (Bits todo = board.moves(task.playable); todo; todo &= todo - 1) {
        const int square = first_square(todo);
        RootMove move;
        move.child = {child_node(task, node_, square, board.flips(square)), square, 0};
        move.score = -evaluate(worker, move.child.node, move.child.node.board.moves(worker.playable));
        move.lower = move.upper = move.score;
        move.proven = {-task.squares, task.squares};
        moves_.push_back(move);
    }
    sort(moves_.size());
    limits_.lines = std::clamp<int>(limits.lines, 1, static_cast<int>(moves_.size()));
}

// Puts the first moves in order, best first; of equals the one with the better bound, then the one that stood
// first. By insertion: moves are few, nearly in order already, and std::stable_sort's buffer is not aligned
// for their vectors.
void Root::sort(std::size_t count) {
    const auto better = [](const RootMove& a, const RootMove& b) {
        return a.score != b.score ? a.score > b.score : a.lower > b.lower;
    };
    for (std::size_t i = 1; i < count; ++i)
        for (std::size_t j = i; j > 0 && better(moves_[j], moves_[j - 1]); --j)
            std::swap(moves_[j], moves_[j - 1]);
}

int Root::search_move(RootMove& move, int alpha, int beta, const Step& step) {
    worker_.selectivity = step.selectivity;
    const int score = -othellier::search(worker_, move.child.node, -beta, -alpha, step.depth - 1);
    if (worker_.stopped()) return score;
    move.score = score;
    move.upper = score < beta ? score : kInfinity;
    move.lower = score > alpha ? score : -kInfinity;
    move.step = step;
    move.pv.clear();
    if (step.depth >= node_.empties && step.selectivity == kExact) {
        if (score < beta) move.proven.upper = std::min(move.proven.upper, score);
        if (score > alpha) move.proven.lower = std::max(move.proven.lower, score);
    }
    return score;
}

// Finds a move's value by small windows around a guess, widened as they fail.
void Root::search_around(RootMove& move, int guess, const Step& step) {
    const bool end = step.depth >= node_.empties;
    const int limit = worker_.task.squares;
    // Solved scores are even, so a window of one even number asks just whether the guess is right.
    int below = 1, above = 1;
    if (end) guess &= ~1;
    if (!end) below = above = 2;
    int alpha = std::max(guess - below, -limit - 1), beta = std::min(guess + above, limit + 1);
    while (true) {
        const int score = search_move(move, alpha, beta, step);
        if (worker_.stopped() || (score > alpha && score < beta)) return;
        if (score <= -limit || score >= limit) {  // a bound that cannot be passed is the value
            move.lower = move.upper = score;
            return;
        }
        if (score <= alpha) {
            below *= 2;
            beta = alpha + 1;
            alpha = std::max(score - below, -limit - 1);
        } else {
            above *= 2;
            alpha = beta - 1;
            beta = std::min(score + above, limit + 1);
        }
        // Pruned searches may contradict each other, one failing low where the other fails high: for ever,
        // were it not for a window that nothing can fail.
        if (std::max(below, above) > 2 * limit) {
            alpha = -limit - 1;
            beta = limit + 1;
        }
    }
}

void Root::search(const Step& step) {
    const bool end = step.depth >= node_.empties;
    sort(limits_.win_only && end ? settle_winner(step) : search_moves(step));
}

// Win, draw or loss: one window around the draw. Returns how many moves were searched.
std::size_t Root::settle_winner(const Step& step) {
    int best = -1;
    for (std::size_t i = 0; i < moves_.size(); ++i) {
        const int score = search_move(moves_[i], best, 1, step);
        if (worker_.stopped()) return i;
        best = std::max(best, score);
        if (best >= 1) return i + 1;
    }
    return moves_.size();
}

// Values for the wanted moves, bounds for the others. Returns how many moves were searched: one that the
// end of the search broke off keeps what was known of it before, unless it has already proved better.
std::size_t Root::search_moves(const Step& step) {
    for (std::size_t i = 0; i < moves_.size(); ++i) {
        RootMove& move = moves_[i];
        RootMove kept = move;
        std::size_t searched = i;
        if (static_cast<int>(i) < limits_.lines) {
            search_around(move, move.score, step);
        } else {
            // Must beat the last of the wanted moves; most fail to at once.
            const int alpha = bar(i);
            const int score = search_move(move, alpha, alpha + 1, step);
            if (!worker_.stopped() && score > alpha) {
                kept = move;
                searched = i + 1;
                search_around(move, score, step);
            }
        }
        if (worker_.stopped()) {
            kept.proven = move.proven;
            move = kept;
            return searched;
        }
    }
    return moves_.size();
}

// The score of the last wanted move among the first `count`.
int Root::bar(std::size_t count) const {
    std::vector<int> best;
    for (std::size_t j = 0; j < count; ++j) best.push_back(moves_[j].score);
    std::nth_element(best.begin(), best.begin() + (limits_.lines - 1), best.end(), std::greater<>());
    return best[limits_.lines - 1];
}

// The position is worth its best move: at least what one move is proven to be worth, at most what none is
// proven to exceed.
Bounds Root::proven() const {
    Bounds bounds = moves_.front().proven;
    for (const RootMove& move : moves_) {
        bounds.lower = std::max(bounds.lower, move.proven.lower);
        bounds.upper = std::max(bounds.upper, move.proven.upper);
    }
    return bounds;
}

std::vector<Line> Root::lines() {
    std::vector<Line> result;
    for (int i = 0; i < limits_.lines; ++i) {
        RootMove& move = moves_[i];
        if (move.pv.empty()) move.pv = principal_variation(move);
        const bool proven = move.step.depth >= node_.empties && move.step.selectivity == kExact;
        Line line;
        line.move = move.child.square;
        line.score = move.score;
        line.lower = move.lower;
        line.upper = move.upper;
        line.depth = move.step.depth;
        line.selectivity = move.step.selectivity;
        line.exact = proven && move.lower == move.upper;
        line.pv = move.pv;
        result.push_back(std::move(line));
    }
    return result;
}

std::vector<int> Root::principal_variation(const RootMove& move) {
    std::vector<int> pv = {move.child.square};
    Node node = move.child.node;
    int score = -move.score;
    int depth = move.step.depth - 1;
    const Bits playable = worker_.playable;
    while (depth > 0 && node.empties > 0) {
        if (!node.board.moves(playable)) {
            if (!node.board.passed().moves(playable)) break;
            pv.push_back(kPass);
            node = passed_node(node);
            score = -score;
        }
        const int square = follow(node, score, depth);
        if (square == kNoMove) break;
        pv.push_back(square);
        node = child_node(worker_.task, node, square, node.board.flips(square));
        score = -score;
        --depth;
    }
    return pv;
}

// The move that keeps the score: from the table, or by solving where little is left and there is time.
int Root::follow(const Node& node, int score, int depth) {
    const bool end = depth >= node.empties;
    const Bits moves = node.board.moves(worker_.playable);
    if (end && node.empties <= kSolveAnyway && !worker_.stopped()) {
        const int exact = endgame(worker_, node.board, -kInfinity, kInfinity, node.empties);
        for (Bits todo = moves; todo; todo &= todo - 1) {
            const int square = first_square(todo);
            const Board child = node.board.played(square);
            if (-endgame(worker_, child, -exact, -exact + 1, node.empties - 1) >= exact && !worker_.stopped())
                return square;
        }
    }
    Entry entry;
    if (!worker_.task.table.probe(node.board, node.board.hash(), entry) || entry.move == kNoMove ||
        !(moves & bit(entry.move)))
        return kNoMove;
    // In a solved line every step must be proven, else it may lead astray.
    if (end && (entry.depth < node.empties || entry.lower != score || entry.upper < score)) return kNoMove;
    return entry.move;
}

}  // namespace othellier
