// The last plies: up to kLastPlies empty squares, where a node costs a few nanoseconds. Nothing is stored,
// and the last five squares have a function each, ordered by parity alone.
#include <algorithm>
#include <array>
#include <cstdint>

#include "search/ordering.h"
#include "search/search.h"

namespace othellier {

namespace {

constexpr int quadrant(int square) { return (square >> 5 & 1) * 2 + (square >> 2 & 1); }

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
    if (const Bits f = flips(a, player, opponent)) {
        best = -last_1(worker, opponent ^ f, b);
        if (best >= beta) return best;
    }
    if (const Bits f = flips(b, player, opponent)) best = std::max(best, -last_1(worker, opponent ^ f, a));
    if (best > -kInfinity) return best;
    // A pass: the opponent takes the better of its moves.
    ++worker.nodes;
    int worst = kInfinity;
    if (const Bits f = flips(a, opponent, player)) worst = last_1(worker, player ^ f, b);
    if (const Bits f = flips(b, opponent, player)) worst = std::min(worst, last_1(worker, player ^ f, a));
    return worst < kInfinity ? worst : score_of_end(worker.task, {player, opponent});
}

// A square alone in its quadrant should come first: who moves there also moves there last.
int last_3(Worker& worker, Bits player, Bits opponent, int alpha, int beta, int a, int b, int c,
           bool passed = false) {
    ++worker.nodes;
    int best = -kInfinity;
    const auto attempt = [&](int square, int x, int y) {
        const Bits f = flips(square, player, opponent);
        if (!f) return false;
        best = std::max(
            best, -last_2(worker, opponent ^ f, player ^ (f | bit(square)), -std::max(alpha, best), x, y));
        return best >= beta;
    };
    if (attempt(a, b, c) || attempt(b, a, c) || attempt(c, a, b) || best > -kInfinity) return best;
    if (passed) return score_of_end(worker.task, {player, opponent});
    return -last_3(worker, opponent, player, -beta, -alpha, a, b, c, true);
}

// With two pairs, the square left alone by a move to `c` or `d` is not `a`; in all other patterns of the
// order below `a` is alone if any square is.
int last_4(Worker& worker, Bits player, Bits opponent, int alpha, int beta, int a, int b, int c, int d,
           bool pairs, bool passed = false) {
    ++worker.nodes;
    int best = -kInfinity;
    const auto attempt = [&](int square, int x, int y, int z) {
        const Bits f = flips(square, player, opponent);
        if (!f) return false;
        best = std::max(best, -last_3(worker, opponent ^ f, player ^ (f | bit(square)), -beta,
                                      -std::max(alpha, best), x, y, z));
        return best >= beta;
    };
    if (attempt(a, b, c, d) || attempt(b, a, c, d) ||
        attempt(c, pairs ? d : a, pairs ? a : b, pairs ? b : d) ||
        attempt(d, pairs ? c : a, pairs ? a : b, pairs ? b : c) || best > -kInfinity)
        return best;
    if (passed) return score_of_end(worker.task, {player, opponent});
    return -last_4(worker, opponent, player, -beta, -alpha, a, b, c, d, pairs, true);
}

// The order of the last four squares by the quadrants they lie in: those alone in their quadrant, then
// those of odd quadrants, the two of a pair side by side. Looked up, for comparisons here would be guessed
// wrong by the processor half of the time.
struct Order {
    std::array<std::uint8_t, 4> shift{};  // eight times the place of the square to come
    bool pairs = false;                   // two quadrants with two squares each
};
constexpr std::array<Order, 256> make_orders() {
    std::array<Order, 256> orders{};
    for (int key = 0; key < 256; ++key) {
        int inside[4] = {};
        for (int i = 0; i < 4; ++i) ++inside[key >> 2 * i & 3];
        int next = 0;
        for (const int size : {1, 3, 2, 4})
            for (int q = 0; q < 4; ++q)
                for (int i = 0; i < 4; ++i)
                    if (inside[q] == size && (key >> 2 * i & 3) == q)
                        orders[key].shift[next++] = static_cast<std::uint8_t>(8 * i);
        int twos = 0;
        for (const int n : inside) twos += n == 2;
        orders[key].pairs = twos == 2;
    }
    return orders;
}
constexpr std::array<Order, 256> kOrders = make_orders();

int last_4_sorted(Worker& worker, const Board& board, int alpha, int beta) {
    Bits empty = board.empty(worker.playable);
    unsigned squares = 0, key = 0;
    for (int i = 0; i < 4; ++i, empty &= empty - 1) {
        const int square = first_square(empty);
        squares |= static_cast<unsigned>(square) << 8 * i;
        key |= static_cast<unsigned>(quadrant(square)) << 2 * i;
    }
    const Order& order = kOrders[key];
    const auto at = [&](int i) { return static_cast<int>(squares >> order.shift[i] & 63); };
    return last_4(worker, board.player, board.opponent, alpha, beta, at(0), at(1), at(2), at(3), order.pairs);
}

// Five empty squares: parity alone orders the moves. Counting the opponent's answers would save a tenth of
// the nodes, all of them cheap, and cost as much time as it saves.
int last_5(Worker& worker, const Board& board, Bits moves, int alpha, int beta) {
    ++worker.nodes;
    int bound;
    if (hopeless(worker.task, board, alpha, 5, bound)) return bound;
    if (!moves) {
        const Board other = board.passed();
        const Bits answers = other.moves(worker.playable);
        if (!answers) return score_of_end(worker.task, board);
        return -last_5(worker, other, answers, -beta, -alpha);
    }
    const Bits odd = odd_quadrants(board.empty(worker.playable));
    int best = -kInfinity;
    for (Bits part : {moves & odd, moves & ~odd}) {
        for (; part; part &= part - 1) {
            const Board child = board.played(first_square(part));
            best = std::max(best, -last_4_sorted(worker, child, -beta, -std::max(alpha, best)));
            if (best >= beta) return best;
        }
    }
    return best;
}

constexpr int kTaken = -(1 << 20);  // below the key of any move

// Six to kLastPlies empty squares, `moves` being those of the side to move: fastest first. The
// opponent's answers, counted for the order, are handed down: no position's moves are found twice.
template <int kEmpties>
int few_plies(Worker& worker, const Board& board, Bits moves, int alpha, int beta) {
    if constexpr (kEmpties == 5) {
        return last_5(worker, board, moves, alpha, beta);
    } else {
        ++worker.nodes;
        int bound;
        if (hopeless(worker.task, board, alpha, kEmpties, bound)) return bound;
        if (!moves) {
            const Board other = board.passed();
            const Bits answers = other.moves(worker.playable);
            if (!answers) return score_of_end(worker.task, board);
            return -few_plies<kEmpties>(worker, other, answers, -beta, -alpha);
        }
        struct {
            Bits player, opponent, answers;
        } list[kEmpties];
        int keys[kEmpties];
        int count = 0;
        const Bits odd = odd_quadrants(board.empty(worker.playable));
        for (; moves; moves &= moves - 1, ++count) {
            const int square = first_square(moves);
            const Board child = board.played(square);
            const Bits answers = child.moves(worker.playable);
            list[count] = {child.player, child.opponent, answers};
            keys[count] = quickest_order(worker.task, answers, square, odd) * 8 -
                          count;  // the last three bits say which
        }
        int best = -kInfinity;
        for (int left = count; left > 0; --left) {
            int top = keys[0];
            for (int j = 1; j < count; ++j) top = std::max(top, keys[j]);
            const int next = -top & 7;
            keys[next] = kTaken;
            const auto& choice = list[next];
            best = std::max(best, -few_plies<kEmpties - 1>(worker, {choice.player, choice.opponent},
                                                           choice.answers, -beta, -std::max(alpha, best)));
            if (best >= beta) break;
        }
        return best;
    }
}

}  // namespace

int last_plies(Worker& worker, const Board& board, Bits moves, int alpha, int beta, int empties) {
    static_assert(kLastPlies == 7, "a case each below");
    int square[3] = {};
    if (empties < 4) {
        Bits empty = board.empty(worker.playable);
        for (int i = 0; i < empties; ++i, empty &= empty - 1) square[i] = first_square(empty);
    }
    switch (empties) {
        case 7:
            return few_plies<7>(worker, board, moves, alpha, beta);
        case 6:
            return few_plies<6>(worker, board, moves, alpha, beta);
        case 5:
            return last_5(worker, board, moves, alpha, beta);
        case 4:
            return last_4_sorted(worker, board, alpha, beta);
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
