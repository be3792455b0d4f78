// Games of the engine against itself, many at once, for the trainer: a random or given opening, search
// at a small depth, perfect play at the end. The result of such a game and what the search thought on the
// way are the labels of its positions. Games may also explore: some moves are random then, so that the
// trainer sees what searches see, positions where somebody has just gone wrong.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "evaluation/patterns.h"
#include "search/search.h"

namespace othellier {

struct SelfplayOptions {
    int depth = 4;                        // of the search in the middle of the game
    bool alternate = false;               // games of odd numbers search one ply deeper: no parity prevails
    int selectivity = kExact;             // probcut level of that search
    int solve_empties = 12;               // from here on, play is perfect
    int random_min = 4, random_max = 20;  // random moves at the start, drawn evenly between these
    int exploration = 0;                  // per cent of random moves after that
    int threads = 1;
    ProbcutModel probcut;  // how far that search trusts shallow ones
};

inline constexpr int kGameMoves = 60;
inline constexpr std::uint8_t kNoSquare = 255;
inline constexpr std::int8_t kNoValue = -128;

struct GameRecord {
    std::uint8_t moves[kGameMoves];  // squares without passes, kNoSquare after the end
    std::int8_t values[kGameMoves];  // what the search found each worth for Black, kNoValue where none did
    std::uint8_t opening;            // how many of them there are up to the last random or given one
    std::int8_t score;               // final disc difference for Black, empty squares to the winner
};

// `count` games; game i depends on (seed + i) alone, whatever the number of threads. Without weights
// the openings must reach the solved part. Returns fewer games if `stop` is set meanwhile.
std::vector<GameRecord> selfplay(const Weights* weights, const Networks* networks,
                                 const SelfplayOptions& options, std::uint64_t seed, std::size_t count,
                                 const std::atomic<bool>& stop);

// Which games reach one of the boards, seen by the side to move.
std::vector<bool> games_through(std::span<const GameRecord> games, std::span<const Board> boards);

// Continues each game from its opening (as far as that is legal) to the end; random moves as above.
std::vector<GameRecord> complete_games(const Weights* weights, const Networks* networks,
                                       const SelfplayOptions& options, std::uint64_t seed,
                                       std::span<const GameRecord> games, const std::atomic<bool>& stop);

struct LabelledPosition {
    Board board;
    std::int8_t score;  // of the game, for the side to move; kNoValue where a random move came later
    std::int8_t value;  // of the search that chose the move, likewise; kNoValue where there was none
};

// The positions of a game after its opening, and on demand those before that a search has valued, each with
// a move to play; positions before a pass have none.
template <typename Visit>
void positions_of(const GameRecord& game, bool valued, Visit visit) {
    Board board = Board::start();
    bool black = true;
    for (int ply = 0; ply < kGameMoves && game.moves[ply] < 64; ++ply) {
        if (!board.moves()) {
            board = board.passed();
            black = !black;
        }
        const int square = game.moves[ply];
        const Bits flipped = board.flips(square);
        if (!flipped || board.discs() & bit(square)) return;
        const std::int8_t value = game.values[ply];
        const bool decided = ply >= game.opening;
        if (decided || (valued && value != kNoValue)) {
            const auto ours = [black](int score) { return static_cast<std::int8_t>(black ? score : -score); };
            visit(LabelledPosition{board, decided ? ours(game.score) : kNoValue,
                                   value == kNoValue ? kNoValue : ours(value)});
        }
        board = board.played(square, flipped);
        black = !black;
    }
}

}  // namespace othellier
