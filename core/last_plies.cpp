// The last plies: up to kLastPlies empty squares, where a node costs a few nanoseconds. Nothing is stored,
// and the last four squares have a function each, ordered by parity alone.
#include <array>
#include <utility>

#include "ordering.h"
#include "search.h"

namespace othellier {

namespace {

constexpr int quadrant(int square) { return (square >> 5 & 1) * 2 + (square >> 2 & 1); }

constexpr std::array<Bits, 64> make_neighbours() {
    std::array<Bits, 64> around{};
    for (int square = 0; square < 64; ++square)
        for (int r = -1; r <= 1; ++r)
            for (int c = -1; c <= 1; ++c) {
                const int row = square / 8 + r, column = square % 8 + c;
                if ((r || c) && row >= 0 && row < 8 && column >= 0 && column < 8)
                    around[square] |= Bits{1} << (8 * row + column);
            }
    return around;
}
constexpr std::array<Bits, 64> kNeighbours = make_neighbours();

// The flips of a move, or 0 at once where no neighbour could be turned.
inline Bits quick_flips(int square, Bits player, Bits opponent) {
    return kNeighbours[square] & opponent ? flips(square, player, opponent) : 0;
}

// One empty square. Only the mover's discs are needed: the rest of the board is full.
inline int last_1(Worker& worker, Bits player, int square) {
    ++worker.nodes;
    const int squares = worker.task.squares, mine = popcount(player);
    if (const int turned = count_last_flips(square, player)) return 2 * (mine + turned + 1) - squares;
    const Bits opponent = worker.playable & ~player & ~bit(square);
    if (const int turned = count_last_flips(square, opponent)) return 2 * (mine - turned) - squares;
    const int difference = 2 * mine - squares + 1;  // odd, never a draw
    return worker.task.plain ? difference : difference > 0 ? difference + 1 : difference - 1;
}

int last_2(Worker& worker, Bits player, Bits opponent, int beta, int a, int b) {
    ++worker.nodes;
    int best = -kInfinity;
    if (const Bits f = quick_flips(a, player, opponent)) {
        best = -last_1(worker, opponent ^ f, b);
        if (best >= beta) return best;
    }
    if (const Bits f = quick_flips(b, player, opponent))
        best = std::max(best, -last_1(worker, opponent ^ f, a));
    if (best > -kInfinity) return best;
    // A pass: the opponent takes the better of its moves.
    ++worker.nodes;
    int worst = kInfinity;
    if (const Bits f = quick_flips(a, opponent, player)) worst = last_1(worker, player ^ f, b);
    if (const Bits f = quick_flips(b, opponent, player))
        worst = std::min(worst, last_1(worker, player ^ f, a));
    return worst < kInfinity ? worst : score_of_end(worker.task, {player, opponent});
}

int last_3(Worker& worker, Bits player, Bits opponent, int alpha, int beta, int a, int b, int c,
           bool passed = false) {
    ++worker.nodes;
    // A square alone in its quadrant comes first.
    if (quadrant(a) == quadrant(b)) {
        std::swap(a, c);
    } else if (quadrant(a) == quadrant(c)) {
        std::swap(a, b);
    }
    int best = -kInfinity;
    const auto attempt = [&](int square, int x, int y) {
        const Bits f = quick_flips(square, player, opponent);
        if (!f) return false;
        best = std::max(
            best, -last_2(worker, opponent ^ f, player ^ (f | bit(square)), -std::max(alpha, best), x, y));
        return best >= beta;
    };
    if (attempt(a, b, c) || attempt(b, a, c) || attempt(c, a, b) || best > -kInfinity) return best;
    if (passed) return score_of_end(worker.task, {player, opponent});
    return -last_3(worker, opponent, player, -beta, -alpha, a, b, c, true);
}

int last_4(Worker& worker, Bits player, Bits opponent, int alpha, int beta, int a, int b, int c, int d,
           bool passed = false) {
    ++worker.nodes;
    int best = -kInfinity;
    const auto attempt = [&](int square, int x, int y, int z) {
        const Bits f = quick_flips(square, player, opponent);
        if (!f) return false;
        best = std::max(best, -last_3(worker, opponent ^ f, player ^ (f | bit(square)), -beta,
                                      -std::max(alpha, best), x, y, z));
        return best >= beta;
    };
    if (attempt(a, b, c, d) || attempt(b, a, c, d) || attempt(c, a, b, d) || attempt(d, a, b, c) ||
        best > -kInfinity)
        return best;
    if (passed) return score_of_end(worker.task, {player, opponent});
    return -last_4(worker, opponent, player, -beta, -alpha, a, b, c, d, true);
}

// Squares of odd quadrants first, those alone in their quadrant before all.
int last_4_sorted(Worker& worker, const Board& board, int alpha, int beta) {
    int square[4], rank[4];
    Bits empty = board.empty(worker.playable);
    int inside[4] = {};
    for (int& s : square) {
        s = first_square(empty);
        empty &= empty - 1;
        ++inside[quadrant(s)];
    }
    constexpr int kRank[5] = {0, 0, 2, 1, 3};  // by how many empty squares share the quadrant
    for (int i = 0; i < 4; ++i) rank[i] = kRank[inside[quadrant(square[i])]];
    const auto order = [&](int i, int j) {
        if (rank[j] < rank[i]) {
            std::swap(rank[i], rank[j]);
            std::swap(square[i], square[j]);
        }
    };
    order(0, 1), order(2, 3), order(0, 2), order(1, 3), order(1, 2);
    return last_4(worker, board.player, board.opponent, alpha, beta, square[0], square[1], square[2],
                  square[3]);
}

// Five to kLastPlies empty squares: fastest first.
int few_plies(Worker& worker, const Board& board, int alpha, int beta, int empties) {
    if (empties == 4) return last_4_sorted(worker, board, alpha, beta);
    ++worker.nodes;
    int bound;
    if (hopeless(worker.task, board, alpha, empties, bound)) return bound;
    Bits todo = board.moves(worker.playable);
    if (!todo) {
        const Board other = board.passed();
        if (!other.moves(worker.playable)) return score_of_end(worker.task, board);
        return -few_plies(worker, other, -beta, -alpha, empties);
    }
    struct {
        Board child;
        int score;
    } list[kLastPlies];
    int count = 0;
    const Bits odd = odd_quadrants(board.empty(worker.playable));
    for (; todo; todo &= todo - 1, ++count) {
        const int square = first_square(todo);
        list[count].child = board.played(square);
        list[count].score = quickest_order(list[count].child, square, odd, worker.playable);
    }
    int best = -kInfinity;
    for (int i = 0; i < count; ++i) {
        for (int j = i + 1; j < count; ++j)
            if (list[j].score > list[i].score) std::swap(list[i], list[j]);
        best = std::max(best, -few_plies(worker, list[i].child, -beta, -std::max(alpha, best), empties - 1));
        if (best >= beta) break;
    }
    return best;
}

}  // namespace

int last_plies(Worker& worker, const Board& board, int alpha, int beta, int empties) {
    if (empties >= 4) return few_plies(worker, board, alpha, beta, empties);
    int square[3] = {};
    Bits empty = board.empty(worker.playable);
    for (int i = 0; i < empties; ++i, empty &= empty - 1) square[i] = first_square(empty);
    switch (empties) {
        case 3:
            return last_3(worker, board.player, board.opponent, alpha, beta, square[0], square[1], square[2]);
        case 2:
            return last_2(worker, board.player, board.opponent, beta, square[0], square[1]);
        case 1:
            return last_1(worker, board.player, square[0]);
        default:
            ++worker.nodes;
            return score_of_end(worker.task, board);
    }
}

}  // namespace othellier
