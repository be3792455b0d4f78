// Many positions or games in one call, spread over threads: moves, flips, play, whole random games and
// replay of recorded ones. Callers own all arrays; positions and squares are in the numbering of the
// shape. Every result depends on the arguments alone, never on the number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "board/board.h"

namespace othellier::batch {

// Ends a game in an array of squares. Passes are not stored: they are forced, so they can be inferred.
inline constexpr std::uint8_t kNoMove = 255;

enum class Encoding {
    kSquares,  // the shape's own numbering, kNoMove after the end
    kWthor,    // 10 * row + column, both from 1; 0 after the end
};

struct Positions {
    std::span<const Bits> player, opponent;

    std::size_t size() const { return player.size(); }
    Board board(std::size_t i, const Shape& shape) const {
        return {shape.to_grid(player[i]), shape.to_grid(opponent[i])};
    }
};

struct Options {
    Shape shape{};
    int threads = 1;              // 0: as many as the machine has
    std::function<bool()> go_on;  // asked by the calling thread now and then: false leaves the rest undone
};

void moves(Positions positions, std::span<Bits> masks, const Options& options);

// 0 where the move is illegal or the square does not exist.
void flips(Positions positions, std::span<const std::uint8_t> squares, std::span<Bits> masks,
           const Options& options);

// The positions after one move each, the other side to move; kNoMove passes. Where the move is illegal
// (or the pass not forced) the position is left as it was and `legal` is 0.
void play(Positions positions, std::span<const std::uint8_t> squares, std::span<Bits> player,
          std::span<Bits> opponent, std::span<std::uint8_t> legal, const Options& options);

// What whole games leave behind, seen from the side that moved first.
struct Games {
    std::span<Bits> player, opponent;  // the last position's discs
    std::span<std::uint8_t> moves;     // `width` a game, kNoMove after its end
    std::size_t width;                 // as many as a game can have empty squares; 0: moves not wanted
    std::span<std::uint8_t> lengths;   // moves played, passes not counted
    std::span<std::int8_t> scores;     // empty squares counted for the winner
};

// Uniformly random games from the given positions, or `games.lengths.size()` of them from the start if
// there are none. Game i draws from its own generator, made of the seed and i.
void random_games(Positions starts, std::uint64_t seed, Games games, const Options& options);

struct Replays {
    std::span<Bits> black, white;
    std::span<std::uint8_t> lengths;  // legal moves played, passes not counted
    std::span<std::int16_t> illegal;  // place in the row of the first move that cannot be, or -1
    std::span<std::uint8_t> over;     // 1 where neither side can move at the end
};

// Plays recorded games from the start, `width` moves a row; passes are inferred.
void replay(std::span<const std::uint8_t> moves, std::size_t width, Encoding encoding, Replays replays,
            const Options& options);

// One number for a position up to symmetry and the colour to move.
inline std::uint64_t fingerprint(const Board& board, bool white, bool square_board = true) {
    const std::uint64_t print = board.canonical(square_board).hash();
    return white ? ~print : print;
}

// The fingerprint of every position of recorded games, from the start to after the last legal move of each,
// passes played where they are forced. Game i of n has its position after p moves at p * n + i, so that the
// same moment of all games lies together; there are width + 1 of them, 0 after the end.
void fingerprints(std::span<const std::uint8_t> moves, std::size_t width, Encoding encoding,
                  std::span<std::uint64_t> prints, const Options& options);

}  // namespace othellier::batch
