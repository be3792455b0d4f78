// The strong engine's part of the self-check: weights made up on the spot, scores against brute force, one
// thread against several, all symmetries, stops from another thread. Short enough for ThreadSanitizer.
#include "search/engine.h"

#include <cstring>
#include <thread>

#include "selfcheck/selfcheck.h"

using namespace othellier;

namespace {

// A small geometry (the four edges, the four 3x3 corners) with noise for weights.
std::vector<std::byte> made_up_weights() {
    std::vector<std::byte> bytes;
    const auto u8 = [&](unsigned value) { bytes.push_back(static_cast<std::byte>(value & 0xFF)); };
    const auto u16 = [&](unsigned value) { u8(value), u8(value >> 8); };
    u16(128), u16(6), u16(2);
    u8(8), u8(4);
    for (const auto& [first, step] : {std::pair{0, 1}, {56, 1}, {0, 8}, {7, 8}})
        for (int i = 0; i < 8; ++i) u8(static_cast<unsigned>(first + i * step));
    u8(9), u8(4);
    for (const int symmetry : {0, 1, 2, 3})
        for (const int square : {0, 1, 2, 8, 9, 10, 16, 17, 18})
            u8(static_cast<unsigned>(transform_square(square, symmetry)));
    for (int i = 0; i < 6 * (6561 + 19683 + 2 * kMobilityTerms); ++i)
        u16(static_cast<unsigned>(random_bits() % 256) - 128);
    return bytes;
}

int brute_force(const Board& board, const Shape& shape, bool plain) {
    const Bits playable = shape.playable();
    Bits moves = board.moves(playable);
    if (!moves) {
        if (board.over(playable)) return final_score(board, shape.squares(), plain);
        return -brute_force(board.passed(), shape, plain);
    }
    int best = -kInfinity;
    for (; moves; moves &= moves - 1)
        best = std::max(best, -brute_force(board.played(first_square(moves)), shape, plain));
    return best;
}

// About what data/probcut.json has.
const ProbcutModel kProbcut{{1.8, 4.7, 3.75, 0.135}, {10.4, -0.16, 0.095}};

// A position of a random game with that many empty squares and a move or a pass; false if the game ended
// before.
bool random_position(const Shape& shape, int empties, Board& board) {
    const Bits playable = shape.playable();
    board = Board::start();
    while (popcount(board.empty(playable)) > empties) {
        if (!board.moves(playable)) board = board.passed();
        const Bits moves = board.moves(playable);
        if (!moves) return false;
        board = board.played(
            nth_square(moves, static_cast<int>(random_bits() % static_cast<unsigned>(popcount(moves)))));
    }
    return !board.over(playable);
}

void check_exact(const std::shared_ptr<const Weights>& weights) {
    Engine alone(weights, nullptr, kProbcut, 4, 1), together(weights, nullptr, kProbcut, 4, 3);
    const Shape shapes[] = {{8, 8}, {6, 6}, {4, 6}, {4, 4}};
    for (int i = 0; i < 60; ++i) {
        const Shape shape = shapes[i % 4];
        const bool plain = i % 7 == 3;
        Board board;
        if (!random_position(shape, 2 + i % 7, board)) continue;
        const int truth = brute_force(board, shape, plain);
        for (Engine* engine : {&alone, &together}) {
            const SearchResult found = engine->search(board, shape, plain, {});
            expect(found.lines.front().exact && found.lines.front().score == truth,
                   "a solved score is the true one");
        }
        Limits who_wins;
        who_wins.win_only = true;
        const int sign = alone.search(board, shape, plain, who_wins).lines.front().score;
        expect((sign > 0) == (truth > 0) && (sign < 0) == (truth < 0), "win, draw or loss is the true one");
    }
}

// Boards set up with few discs, where one side is wiped out while more squares are empty than the last plies
// fill: worth every square, or its discs alone.
void check_wipe_outs(const std::shared_ptr<const Weights>& weights) {
    const Shape shape{4, 4};
    const Bits playable = shape.playable();
    Engine engine(weights, nullptr, kProbcut, 4, 1);
    for (int seen = 0; seen < 40;) {
        const Bits filled = random_bits() & random_bits() & playable, side = random_bits();
        const Board board{filled & side, filled & ~side};
        if (popcount(filled) < 5 || popcount(filled) > 7 || !board.moves(playable)) continue;
        bool wiped_out = false;
        for (Bits todo = board.moves(playable); todo; todo &= todo - 1) {
            const Board next = board.played(first_square(todo));
            for (Bits answers = next.moves(playable); answers; answers &= answers - 1)
                wiped_out |= !next.played(first_square(answers)).player;
        }
        if (!wiped_out) continue;
        ++seen;
        for (const bool plain : {false, true}) {
            Limits every_move;
            every_move.lines = 16;
            for (const Line& line : engine.search(board, shape, plain, every_move).lines)
                expect(line.score == -brute_force(board.played(line.move), shape, plain),
                       "a wipe-out is worth every square, or its discs alone");
        }
    }
}

void check_threads(const std::shared_ptr<const Weights>& weights) {
    Board board;
    while (!random_position({}, 16, board)) {
    }
    Engine engine(weights, nullptr, kProbcut, 4, 1);
    const int score = engine.search(board, {}, false, {}).lines.front().score;
    for (int threads : {2, 4}) {
        engine.set_threads(threads);
        engine.clear();
        for (int symmetry = 0; symmetry < 8; ++symmetry)
            expect(engine.search(board.transformed(symmetry), {}, false, {}).lines.front().score == score,
                   "threads, symmetries and warm tables agree on a solved score");
    }
}

void check_stop(const std::shared_ptr<const Weights>& weights) {
    Engine engine(weights, nullptr, kProbcut, 4, 3);
    engine.stop();  // without a search: forgotten
    for (int i = 0; i < 5; ++i) {
        std::atomic<bool> done{false};
        std::thread other([&] {
            while (!done) engine.stop();
        });
        const SearchResult found = engine.search(Board::start(), {}, false, {});
        done = true;
        other.join();
        expect(Board::start().moves() >> found.lines.front().move & 1,
               "a stopped search still answers a legal move");
    }
}

void check_bad_weights() {
    const std::vector<std::byte> good = made_up_weights();
    for (const std::size_t length : {std::size_t{0}, std::size_t{5}, std::size_t{40}, good.size() - 1}) {
        bool refused = false;
        try {
            const std::span<const std::byte> part(good.data(), length);
            const Weights weights(part);
        } catch (const WeightsError&) {
            refused = true;
        }
        expect(refused, "weights that end too early are refused");
    }
}

}  // namespace

void check_engine() {
    const auto weights = std::make_shared<const Weights>(made_up_weights());
    check_bad_weights();
    check_exact(weights);
    check_wipe_outs(weights);
    check_threads(weights);
    check_stop(weights);
}
