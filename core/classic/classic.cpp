#include "classic/classic.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <span>

#include "board/random.h"
#include "classic/table.h"
#include "search/turn.h"

namespace othellier::classic {

namespace {

constexpr std::uint64_t kCheckEvery = 256;    // nodes between two looks at the limits, as in search/tree.py
constexpr std::uint64_t kAskEvery = 1 << 16;  // nodes between two calls of `stop`: it may be costly

struct Interrupted {};

// A line of moves, eight a word and the first one lowest: putting a move before it is a shift, whose words
// are read as they were written, which is much quicker than bytes are.
struct Line {
    int length = 0;
    std::array<std::uint64_t, 16> words{};  // at most 60 moves, and a pass before each

    int operator[](int i) const { return static_cast<std::int8_t>(words[i / 8] >> 8 * (i % 8)); }
    void begin(int move, const Line& rest) {
        std::uint64_t carry = static_cast<std::uint8_t>(move);
        for (int w = 0; w <= rest.length / 8; ++w) {
            const std::uint64_t word = rest.words[w];
            words[w] = word << 8 | carry;
            carry = word >> 56;
        }
        length = rest.length + 1;
    }
    void prepend(int move) { begin(move, *this); }
};

// One search under way. The evaluator is a template parameter so that a leaf costs no call.
template <class Evaluate>
class Search {
  public:
    Search(const Shape& shape, Bits first_moves, const Options& options, Evaluate evaluate,
           const std::function<bool()>& stop, Table* kept)
        : options_(options),
          evaluate_(std::move(evaluate)),
          stop_(stop),
          playable_(shape.playable()),
          squares_(shape.squares()),
          first_moves_(first_moves),
          random_(options.seed),
          own_table_(options.table_size, options.symmetry, shape),
          table_(kept ? *kept : own_table_),
          lines_(options.depth + 1),
          killers_(options.depth + 1, {kPass, kPass}) {
        for (int i = 0; i < static_cast<int>(options.square_values.size()); ++i)
            square_values_[shape.to_grid(i)] = options.square_values[i];
        if (options.time) {
            deadline_ = std::chrono::steady_clock::now() +
                        std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                            std::chrono::duration<double>(std::min(*options.time, kNoTimeLimit)));
        }
    }

    Outcome run(const Board& board, const Shape& shape) {
        Outcome found;
        Line best;
        std::vector<MoveValue> moves;
        counters_.kept = table_.count();
        const auto look = [&](int depth) {
            first_depth_ = depth;
            judged_.clear();
            found.value = start(board, depth);
            found.depth = depth;
            best = lines_[depth];
            best_ = best[0];
            moves = judged_;
            // The table may have known it all.
            if (moves.empty()) moves.push_back({best_, found.value, true});
        };
        try {
            for (int d = options_.deepening ? 1 : options_.depth; d <= options_.depth; ++d) look(d);
        } catch (const Interrupted&) {
            if (!found.depth) {  // some answer is owed
                limited_ = false;
                look(1);
            }
        }
        for (int i = 0; i < best.length; ++i)
            found.line.push_back(best[i] == kPass ? kPass : shape.from_grid(best[i]));
        for (const MoveValue& m : moves) found.moves.push_back({shape.from_grid(m.move), m.value, m.exact});
        found.counters = counters_;
        return found;
    }

  private:
    struct Choice {
        std::int64_t key;
        Bits flipped;
        int square;
    };

    int start(const Board& board, int depth) {
        switch (options_.method) {
            case Method::kFull:
                return visit<Method::kFull>(board, depth, -kInfinite, kInfinite);
            case Method::kPvs:
                return visit<Method::kPvs>(board, depth, -kInfinite, kInfinite);
            default:
                return visit<Method::kAlphaBeta>(board, depth, -kInfinite, kInfinite);
        }
    }

    template <Method method>
    int visit(const Board& board, int depth, int alpha, int beta) {
        // 1. The horizon and the end of the game.
        enter(depth);
        if (!depth || board.discs() == playable_) return leaf(board);
        const Bits moves = board.moves(playable_);
        if (!moves) {
            if (!board.passed().moves(playable_)) return end(board);
            const int value = -visit<method>(board.passed(), depth, -beta, -alpha);
            lines_[depth].prepend(kPass);
            return value;
        }

        // 2. What the table knows.
        int hint = kPass;
        const bool remembered = options_.table && depth >= options_.table_depth;
        if (remembered) {
            const Table::Known known = table_.recall(board, depth, alpha, beta);
            if (known.found) {
                ++counters_.table_hits;
                lines_[depth].prepend(known.move);
                return known.value;
            }
            hint = known.move;
        }

        // 3. One move after the other.
        int best = -kInfinite, best_move = kPass, index = 0;
        const int low = alpha;
        const bool root = depth == first_depth_;
        const bool one_left = depth == 2 && lean_ && popcount(board.empty(playable_)) == 2;
        const auto search_child = [&](const Board& child, int from, int to) {
            if (one_left) return -visit_last<method>(child, first_square(child.empty(playable_)), -to, -from);
            if (depth > 1) return -visit<method>(child, depth - 1, -to, -from);
            enter(0);
            return -leaf(child);
        };
        // Says whether the move is so good that the others do not matter.
        const auto try_move = [&](int square, Bits flipped) {
            const Board child = board.played(square, flipped);
            const bool first = index++ == 0;
            int value;
            if constexpr (method == Method::kFull) {
                value = search_child(child, -kInfinite, kInfinite);
            } else if (method == Method::kAlphaBeta || first) {
                value = search_child(child, alpha, beta);
            } else {
                value = search_child(child, alpha, alpha + 1);
                if (alpha < value && value < beta) value = search_child(child, alpha, beta);
            }
            if (root) judged_.push_back({square, value, method == Method::kFull || value > alpha});
            if (value <= best) return false;
            best = value;
            best_move = square;
            if (method != Method::kFull && value <= alpha) return false;
            alpha = value;
            lines_[depth].begin(square, lines_[depth - 1]);
            if (method == Method::kFull || alpha < beta) return false;
            cut(square, depth, first);
            return true;
        };
        if (as_they_lie_ && hint == kPass && !root) {
            for (Bits rest = moves; rest; rest &= rest - 1) {
                const int square = first_square(rest);
                if (try_move(square, board.flips(square))) break;
            }
        } else {
            std::array<Choice, 64> choices;
            const int count =
                root ? order(board, first_moves_, depth, best_, options_.shuffle_first, choices.data())
                     : order(board, moves, depth, hint, false, choices.data());
            for (const Choice& c : std::span(choices.data(), static_cast<std::size_t>(count)))
                if (try_move(c.square, c.flipped ? c.flipped : board.flips(c.square))) break;
        }

        // 4. What is remembered.
        if (remembered) table_.remember(board, depth, low, beta, best, best_move);
        return best;
    }

    // A position with one empty square: there is nothing to order, and flips tell what is legal.
    template <Method method>
    int visit_last(const Board& board, int square, int alpha, int beta) {
        enter(1);
        const Bits flipped = board.flips(square);
        if (!flipped) {
            if (!board.passed().flips(square)) return end(board);
            const int value = -visit_last<method>(board.passed(), square, -beta, -alpha);
            lines_[1].prepend(kPass);
            return value;
        }
        enter(0);
        const int value = -end(board.played(square, flipped));
        if (method == Method::kFull || value > alpha) {
            lines_[1].begin(square, lines_[0]);
            if (method != Method::kFull && value >= beta) cut(square, 1, true);
        }
        return value;
    }

    void enter(int depth) {
        lines_[depth].length = 0;
        if (++counters_.nodes % kCheckEvery == 0) check();
    }
    void check() {
        if (!limited_) return;
        if (options_.nodes && counters_.nodes >= *options_.nodes) throw Interrupted{};
        if (deadline_ && std::chrono::steady_clock::now() >= *deadline_) throw Interrupted{};
        if (counters_.nodes % kAskEvery == 0 && stop_ && stop_()) throw Interrupted{};
    }

    int leaf(const Board& board) {
        if (board.discs() == playable_ || !board.player) return end(board);
        ++counters_.leaves;
        return evaluate_(board);
    }
    int end(const Board& board) {
        ++counters_.leaves;
        counters_.blocked += board.discs() != playable_;
        const int score = final_score(board, squares_, options_.plain_count);
        return score > 0 ? score + kWin : score < 0 ? score - kWin : 0;
    }

    // Fills in the moves, best first as far as one can tell; see search/ordering.py. Flips found on the
    // way are kept, others are left for when the move's turn comes.
    int order(const Board& board, Bits moves, int depth, int hint, bool shuffled, Choice* choices) {
        int count = 0;
        for (; moves; moves &= moves - 1) choices[count++] = {0, 0, first_square(moves)};
        const std::span all(choices, static_cast<std::size_t>(count));
        const Order policy = shuffled ? Order::kRandom : options_.order;
        switch (policy) {
            case Order::kNone:
                break;
            case Order::kRandom:
                random_.shuffle(choices, count);
                break;
            case Order::kSquares:
                for (Choice& c : all) c.key = square_values_[c.square];
                break;
            case Order::kHistory:
                for (Choice& c : all) c.key = history_[c.square];
                break;
            case Order::kDiscs:
                for (Choice& c : all) c.key = popcount(c.flipped = board.flips(c.square));
                break;
            case Order::kBoth:
                for (Choice& c : all) {  // a turned disc counts twice in the difference
                    c.flipped = board.flips(c.square);
                    c.key = square_values_[c.square] + 2 * popcount(c.flipped);
                }
                break;
            case Order::kEvaluator:
                for (Choice& c : all) {
                    c.flipped = board.flips(c.square);
                    c.key = -evaluate_(board.played(c.square, c.flipped));
                }
                break;
        }
        const bool front = hint != kPass || options_.killer;
        if (front) {
            const auto& killers = killers_[depth];
            constexpr std::int64_t kFirst = std::numeric_limits<std::int64_t>::max();
            for (Choice& c : all) {
                if (c.square == hint)
                    c.key = kFirst;
                else if (options_.killer && (c.square == killers[0] || c.square == killers[1]))
                    c.key = c.square == killers[0] ? kFirst - 1 : kFirst - 2;
            }
        }
        if (front || (policy != Order::kNone && policy != Order::kRandom)) {
            for (int i = 1; i < count; ++i) {  // equal ones stay as they lie
                const Choice choice = choices[i];
                int j = i;
                for (; j > 0 && choices[j - 1].key < choice.key; --j) choices[j] = choices[j - 1];
                choices[j] = choice;
            }
        }
        return count;
    }

    void cut(int move, int depth, bool first) {
        ++counters_.cutoffs;
        counters_.first_cutoffs += first;
        history_[move] += depth * depth;
        auto& killers = killers_[depth];
        if (killers[0] != move) killers = {move, killers[0]};
    }

    const Options& options_;
    const Evaluate evaluate_;
    const std::function<bool()>& stop_;
    const Bits playable_;
    const int squares_;
    const Bits first_moves_;
    Random random_;
    Table own_table_;
    Table& table_;
    Counters counters_;
    std::vector<MoveValue> judged_;  // the first moves of the search going on
    std::vector<Line> lines_;        // for each depth left, from the position last visited with it
    std::vector<std::array<int, 2>> killers_;
    std::array<std::int64_t, 64> history_{};
    std::array<int, 64> square_values_{};
    std::optional<std::chrono::steady_clock::time_point> deadline_;
    int first_depth_ = 0;  // the depth of the search going on, which only the root has left
    int best_ = kPass;     // the best move of the search before
    const bool as_they_lie_ = options_.order == Order::kNone && !options_.killer;
    const bool lean_ = !options_.table || options_.table_depth > 1;  // the last ply is not remembered
    bool limited_ = true;
};

}  // namespace

Outcome search(const Board& board, const Shape& shape, Bits first_moves, const Options& options,
               const std::function<bool()>& stop, Table* kept) {
    if (kept && kept->busy.exchange(true)) throw TurnTaken("the table is being searched with already");
    const struct Done {
        Table* table;
        ~Done() {
            if (table) table->busy = false;
        }
    } done_at_last{kept};
    const auto run = [&](auto evaluate) {
        return Search<decltype(evaluate)>(shape, first_moves, options, std::move(evaluate), stop, kept)
            .run(board, shape);
    };
    if (options.evaluator.size() == 1 && options.evaluator[0].terms.size() == 1) {
        const Term& term = options.evaluator[0].terms[0];
        if (term.feature == Feature::kSquares && !term.ratio)
            return run(SquareSum(term.table, shape, term.weight));
        if (term.feature == Feature::kDiscs && !term.ratio && term.weight == 1) return run(DiscDifference{});
        if (term.feature == Feature::kPatterns && !term.ratio && term.weight == 1)
            return run(PatternDifference(options.weights));
    }
    return run(Evaluator(options.evaluator, shape, options.weights, options.classifier));
}

}  // namespace othellier::classic
