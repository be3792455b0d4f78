// The core's own test program, without Python: run by `make test` under AddressSanitizer and UBSan, for
// this machine and for the plainest one. It compares the portable code with its SIMD twin, the twins with
// a square-by-square walk, and everything else with known numbers. It says what failed and exits with 1.
#include "selfcheck/selfcheck.h"

#include <cstdio>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "board/batch.h"
#include "board/board.h"
#include "classic/classic.h"
#include "classic/mcts.h"

using namespace othellier;

static int failures = 0;

void expect(bool condition, const char* what) {
    if (condition) return;
    ++failures;
    static std::set<std::string> said;  // each once, however often it fails
    if (said.insert(what).second) std::printf("FAILED: %s\n", what);
}

// xorshift64*: enough for test data.
std::uint64_t random_bits() {
    static std::uint64_t x = 0x2545F4914F6CDD1DULL;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    return x * 0x2545F4914F6CDD1DULL;
}

namespace {

// Random discs, sparse, dense or with one side rare; `free` is left empty.
Board random_board(int kind, Bits free = 0) {
    const Bits occupied = kind % 3 ? random_bits() | random_bits() : random_bits();
    const Bits side = kind % 5 ? random_bits() : random_bits() & random_bits() & random_bits();
    return {occupied & side & ~free, occupied & ~side & ~free};
}

// Flips by walking from square to square: the slow truth.
Bits walked_flips(int square, const Board& board) {
    if (board.discs() & bit(square)) return 0;
    Bits result = 0;
    for (int dr = -1; dr <= 1; ++dr)
        for (int dc = -1; dc <= 1; ++dc) {
            if (!dr && !dc) continue;
            Bits run = 0;
            int r = square / 8 + dr, c = square % 8 + dc;
            for (; r >= 0 && r < 8 && c >= 0 && c < 8; r += dr, c += dc) {
                const Bits here = bit(8 * r + c);
                if (board.player & here) result |= run;
                if (!(board.opponent & here)) break;
                run |= here;
            }
        }
    return result;
}

void check_twins() {
    for (int i = 0; i < 20000; ++i) {
        const int square = static_cast<int>(random_bits() >> 58);
        const Board board = random_board(i, bit(square));
        const Bits truth = walked_flips(square, board);
        const Bits moves = portable::moves(board.player, board.opponent);
        expect(portable::flips(square, board.player, board.opponent) == truth, "portable flips");
        expect(((moves & bit(square)) != 0) == (truth != 0), "portable moves");
        expect(flips(square, board.player, board.opponent) == truth, "chosen flips");
        expect(othellier::moves(board.player, board.opponent) == moves, "chosen moves");
#if defined(__AVX2__)
        expect(simd::flips(square, board.player, board.opponent) == truth, "SIMD flips");
        expect(simd::moves(board.player, board.opponent) == moves, "SIMD moves");
#endif
        const Bits last = random_bits() & ~bit(square);
        expect(portable::count_last_flips(square, last) ==
                   popcount(walked_flips(square, {last, ~last & ~bit(square)})),
               "discs turned by the last move");
    }
}

void check_squares() {
    for (int i = 0; i < 2000; ++i) {
        const Bits bits = random_bits();
        int n = 0;
        for (Bits rest = bits; rest; rest &= rest - 1)
            expect(nth_square(bits, n++) == first_square(rest), "n-th square");
    }
}

void check_symmetries() {
    constexpr int kInverse[8] = {0, 1, 2, 3, 4, 6, 5, 7};
    for (int i = 0; i < 500; ++i) {
        const Board board = random_board(i);
        for (int s = 0; s < 8; ++s) {
            const Board seen = board.transformed(s);
            expect(seen.transformed(kInverse[s]) == board, "a symmetry undone");
            expect(seen.moves() == transform(board.moves(), s), "moves seen through a symmetry");
            expect(seen.canonical() == board.canonical(), "one canonical form for all symmetries");
            const int square = static_cast<int>(random_bits() >> 58);
            expect(transform(bit(square), s) == bit(transform_square(square, s)), "a square's symmetry");
        }
    }
}

void check_perft() {
    const auto matches = [](const Shape& shape, std::vector<std::uint64_t> leaves) {
        for (std::size_t depth = 0; depth < leaves.size(); ++depth)
            expect(perft(Board::start(), static_cast<int>(depth), shape.playable()) == leaves[depth],
                   "perft");
    };
    matches({8, 8}, {1, 4, 12, 56, 244, 1396, 8200, 55092, 390216});
    matches({4, 4}, {1, 4, 12, 44, 128, 424, 1256, 3624, 9116});
    matches({6, 6}, {1, 4, 12, 56, 244, 1364, 7604});
}

void check_shapes() {
    for (int rows : {4, 6, 8})
        for (int columns : {4, 6, 8}) {
            const Shape shape{rows, columns};
            const Bits all = shape.squares() == 64 ? ~Bits{0} : bit(shape.squares()) - 1;
            expect(popcount(shape.playable()) == shape.squares(), "squares of a shape");
            expect(shape.from_grid(shape.playable()) == all, "a whole board packed");
            for (int i = 0; i < 100; ++i) {
                const Bits packed = random_bits() & all;
                expect(shape.from_grid(shape.to_grid(packed)) == packed, "packed and back");
            }
            for (int square = 0; square < shape.squares(); ++square) {
                expect(shape.from_grid(shape.to_grid(square)) == square, "a square there and back");
                expect(shape.to_grid(bit(square)) == bit(shape.to_grid(square)), "a square and its bit");
            }
        }
}

// Random games written down must replay to the same end, whatever the number of threads.
void check_batch() {
    constexpr std::size_t kCount = 300;
    for (int rows : {4, 6, 8})
        for (int columns : {4, 8}) {
            const Shape shape{rows, columns};
            const std::size_t width = static_cast<std::size_t>(shape.squares() - 4);
            std::vector<Bits> player(kCount), opponent(kCount), black(kCount), white(kCount);
            std::vector<std::uint8_t> moves(kCount * width), lengths(kCount), replayed(kCount), over(kCount);
            std::vector<std::int8_t> scores(kCount);
            std::vector<std::int16_t> illegal(kCount);
            std::vector<std::uint8_t> first;
            for (int threads : {1, 3}) {
                batch::random_games({}, 7, {player, opponent, moves, width, lengths, scores},
                                    {shape, threads});
                if (first.empty()) first = moves;
                expect(first == moves, "the same random games on one and three threads");
            }
            batch::replay(moves, width, batch::Encoding::kSquares, {black, white, replayed, illegal, over},
                          {shape, 2});
            expect(black == player && white == opponent && lengths == replayed, "random games replayed");
            for (std::size_t i = 0; i < kCount; ++i) {
                expect(over[i] == 1 && illegal[i] == -1, "random games end legally");
                const Board last{player[i], opponent[i]};
                expect(final_score(last, shape.squares()) == scores[i], "scores of random games");
            }
            std::vector<std::uint64_t> prints(kCount * (width + 1), 1);
            batch::fingerprints(moves, width, batch::Encoding::kSquares, prints, {shape, 2});
            for (std::size_t i = 0; i < kCount; ++i) {
                const Board last{shape.to_grid(player[i]), shape.to_grid(opponent[i])};
                const std::uint64_t end = prints[lengths[i] * kCount + i];
                expect(end == batch::fingerprint(last, false, rows == columns) ||
                           end == batch::fingerprint(last.passed(), true, rows == columns),
                       "the last fingerprint is that of the end");
                expect(prints[i] == prints[0] && (lengths[i] == width || !prints[width * kCount + i]),
                       "fingerprints begin at the start and stop at the end");
            }
            for (auto& move : moves) move = static_cast<std::uint8_t>(random_bits());
            for (auto encoding : {batch::Encoding::kSquares, batch::Encoding::kWthor}) {
                batch::replay(moves, width, encoding, {black, white, replayed, illegal, over}, {shape, 1});
                batch::fingerprints(moves, width, encoding, prints, {shape, 1});
            }
            for (std::size_t i = 0; i < kCount; ++i)
                expect(illegal[i] == -1 || illegal[i] == replayed[i], "nonsense stops at its first move");
        }
}

// The classical searches with everything switched on and off: one value, and every line of code under the
// sanitizers. That their counts are right is known from the Python twins.
void check_classic() {
    const Shape shape{4, 4};
    const classic::Phase phase{16,
                               {{classic::Feature::kMoves, 5, true, {}},
                                {classic::Feature::kStable, 3, false, {}},
                                {classic::Feature::kSquares, 2, true, std::vector<int>(16, -3)}}};
    classic::Options options;
    options.depth = 12;
    options.evaluator = {phase};
    options.square_values.assign(16, 1);
    for (auto method : {classic::Method::kFull, classic::Method::kAlphaBeta, classic::Method::kPvs})
        for (int order = 0; order < 6; ++order)
            for (bool remember : {false, true}) {
                options.method = method;
                options.order = static_cast<classic::Order>(order);
                options.killer = options.table = options.symmetry = options.deepening = remember;
                options.table_size = 500;
                const Board board = Board::start().played(shape.to_grid(1));
                const auto found = classic::search(board, shape, board.moves(shape.playable()), options, {});
                expect(found.value == classic::kWin + 10 && found.depth == 12,
                       "classical searches solve 4x4");
                if (method == classic::Method::kFull) break;
            }
    for (auto rollout : {mcts::Rollout::kRandom, mcts::Rollout::kWeighted, mcts::Rollout::kGreedy})
        for (bool merge : {false, true}) {
            mcts::Options choice;
            choice.rollout = rollout;
            choice.table = choice.symmetry = merge;
            choice.values.assign(16, -1);
            choice.values[0] = 7;
            mcts::Mcts tree(shape, choice);
            Board board = Board::start();
            for (int moves = 0; moves < 3 && board.moves(shape.playable()); ++moves) {
                const int move = tree.search(board, 500, {}, {}).line[0];
                expect(board.moves(shape.playable()) & bit(shape.to_grid(move)),
                       "Monte-Carlo moves are legal");
                board = board.played(shape.to_grid(move));
            }
        }
}

}  // namespace

// With the argument `engine` only the strong engine is checked: what ThreadSanitizer is for.
int main(int argc, char** argv) {
    if (argc < 2 || std::strcmp(argv[1], "engine") != 0) {
        check_twins();
        check_squares();
        check_symmetries();
        check_perft();
        check_shapes();
        check_batch();
        check_classic();
        check_network();
        check_patience();
        check_remembered();
    }
    check_engine();
    if (!failures) std::puts("selfcheck: all well");
    return failures ? 1 : 0;
}
