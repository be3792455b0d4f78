#include "board/batch.h"

#include <algorithm>
#include <atomic>
#include <thread>

#include "board/random.h"
#include "board/threads.h"

namespace othellier::batch {

namespace {

// Runs body(first, last) on parts of 0..count, handed out to the threads one after the other. Small work
// stays on the calling thread: starting another costs about as much as 10,000 move generations.
template <class Body>
void share(std::size_t count, std::size_t grain, const Options& options, Body body) {
    const std::size_t wanted = options.threads > 0
                                   ? static_cast<std::size_t>(options.threads)
                                   : std::max<std::size_t>(1, std::thread::hardware_concurrency());
    const std::size_t helpers = std::clamp<std::size_t>(count / grain, 1, wanted) - 1;
    std::atomic<std::size_t> next{0};
    ThreadPool(static_cast<int>(helpers)).run([&](int number) {
        const bool ask = number == 0;
        for (std::size_t first; (first = next.fetch_add(grain)) < count;) {
            body(first, std::min(first + grain, count));
            if (ask && options.go_on && !options.go_on()) next = count;
        }
    });
}

constexpr std::size_t kPositionGrain = 16384, kGameGrain = 64;

// The grid square a recorded byte stands for, kPass at the end of the game, kNowhere for nonsense.
constexpr int kNowhere = -2;

int decode(std::uint8_t byte, Encoding encoding, const Shape& shape) {
    if (encoding == Encoding::kSquares) {
        if (byte == kNoMove) return kPass;
        return byte < shape.squares() ? shape.to_grid(static_cast<int>(byte)) : kNowhere;
    }
    if (byte == 0) return kPass;
    const int row = byte / 10 - 1, column = byte % 10 - 1;
    if (row < 0 || row >= shape.rows || column < 0 || column >= shape.columns) return kNowhere;
    return shape.to_grid(shape.columns * row + column);
}

}  // namespace

void moves(Positions positions, std::span<Bits> masks, const Options& options) {
    const Shape shape = options.shape;
    const Bits playable = shape.playable();
    share(positions.size(), kPositionGrain, options, [=](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i)
            masks[i] = shape.from_grid(positions.board(i, shape).moves(playable));
    });
}

void flips(Positions positions, std::span<const std::uint8_t> squares, std::span<Bits> masks,
           const Options& options) {
    const Shape shape = options.shape;
    share(positions.size(), kPositionGrain, options, [=](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) {
            const Board board = positions.board(i, shape);
            const int square = decode(squares[i], Encoding::kSquares, shape);
            const bool free = square >= 0 && !(board.discs() & bit(square));
            masks[i] = free ? shape.from_grid(board.flips(square)) : 0;
        }
    });
}

void play(Positions positions, std::span<const std::uint8_t> squares, std::span<Bits> player,
          std::span<Bits> opponent, std::span<std::uint8_t> legal, const Options& options) {
    const Shape shape = options.shape;
    const Bits playable = shape.playable();
    share(positions.size(), kPositionGrain, options, [=](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) {
            const Board board = positions.board(i, shape);
            const int square = decode(squares[i], Encoding::kSquares, shape);
            Board next = board;
            bool done = false;
            if (square == kPass) {
                done = !board.moves(playable) && board.passed().moves(playable);
                if (done) next = board.passed();
            } else if (square >= 0 && !(board.discs() & bit(square))) {
                const Bits flipped = board.flips(square);
                done = flipped != 0;
                if (done) next = board.played(square, flipped);
            }
            player[i] = shape.from_grid(next.player);
            opponent[i] = shape.from_grid(next.opponent);
            legal[i] = done;
        }
    });
}

void random_games(Positions starts, std::uint64_t seed, Games games, const Options& options) {
    const Shape shape = options.shape;
    const Bits playable = shape.playable();
    const std::size_t width = games.width;
    share(games.lengths.size(), kGameGrain, options, [=](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) {
            // A generator of its own, far from its neighbours' and from those of other seeds.
            Random random(Random(Random(seed).next() + i).next());
            Board board = starts.size() ? starts.board(i, shape) : Board::start();
            const std::span<std::uint8_t> row = games.moves.subspan(i * width, width);
            std::size_t length = 0;
            bool swapped = false;  // whether the side that moved second is to move
            for (;;) {
                Bits legal = board.moves(playable);
                if (!legal) {
                    legal = board.passed().moves(playable);
                    if (!legal) break;
                    board = board.passed();
                    swapped = !swapped;
                }
                const int square = nth_square(legal, static_cast<int>(random.below(popcount(legal))));
                board = board.played(square);
                swapped = !swapped;
                if (length < width) row[length] = static_cast<std::uint8_t>(shape.from_grid(square));
                ++length;
            }
            std::ranges::fill(row.last(width - std::min(length, width)), kNoMove);
            if (swapped) board = board.passed();
            games.player[i] = shape.from_grid(board.player);
            games.opponent[i] = shape.from_grid(board.opponent);
            games.lengths[i] = static_cast<std::uint8_t>(length);
            games.scores[i] = static_cast<std::int8_t>(final_score(board, shape.squares()));
        }
    });
}

void replay(std::span<const std::uint8_t> moves, std::size_t width, Encoding encoding, Replays replays,
            const Options& options) {
    const Shape shape = options.shape;
    const Bits playable = shape.playable();
    share(replays.lengths.size(), kGameGrain, options, [=](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) {
            const std::uint8_t* row = moves.data() + i * width;
            Board board = Board::start();
            bool white = false;  // whether white is to move
            std::size_t length = 0;
            int illegal = -1;
            for (; length < width; ++length) {
                const int square = decode(row[length], encoding, shape);
                if (square == kPass) break;
                Bits flipped = 0;
                if (square >= 0 && !(board.discs() & bit(square))) {
                    flipped = board.flips(square);
                    if (!flipped && !board.moves(playable)) {
                        board = board.passed();
                        white = !white;
                        flipped = board.flips(square);
                    }
                }
                if (!flipped) {
                    illegal = static_cast<int>(length);
                    break;
                }
                board = board.played(square, flipped);
                white = !white;
            }
            replays.over[i] = board.over(playable);
            if (white) board = board.passed();
            replays.black[i] = shape.from_grid(board.player);
            replays.white[i] = shape.from_grid(board.opponent);
            replays.lengths[i] = static_cast<std::uint8_t>(length);
            replays.illegal[i] = static_cast<std::int16_t>(illegal);
        }
    });
}

void fingerprints(std::span<const std::uint8_t> moves, std::size_t width, Encoding encoding,
                  std::span<std::uint64_t> prints, const Options& options) {
    const Shape shape = options.shape;
    const Bits playable = shape.playable();
    const std::size_t count = prints.size() / (width + 1);
    share(count, kGameGrain, options, [=](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) {
            const std::uint8_t* row = moves.data() + i * width;
            Board board = Board::start();
            bool white = false;  // whether white is to move
            std::size_t ply = 0;
            for (;; ++ply) {
                if (!board.moves(playable) && board.passed().moves(playable)) {
                    board = board.passed();
                    white = !white;
                }
                prints[ply * count + i] = fingerprint(board, white, shape.rows == shape.columns);
                if (ply == width) break;
                const int square = decode(row[ply], encoding, shape);
                if (square < 0 || board.discs() & bit(square)) break;
                const Bits flipped = board.flips(square);
                if (!flipped) break;
                board = board.played(square, flipped);
                white = !white;
            }
            for (++ply; ply <= width; ++ply) prints[ply * count + i] = 0;
        }
    });
}

}  // namespace othellier::batch
