// The batch operations for othellier.batch, which checks and allocates the arrays.
#include "board/batch.h"

#include "bindings/bindings.h"

namespace nb = nanobind;

namespace {

using othellier::Bits;
using othellier::Shape;
namespace batch = othellier::batch;

// Shape and threads, checked, and Ctrl-C let through once all threads have come to rest.
template <class Work>
void run(int rows, int columns, int threads, Work work) {
    Interrupts interrupts;
    work(batch::Options{checked_shape(rows, columns), checked_threads(threads, 0),
                        [&] { return interrupts.go_on(); }});
    interrupts.rethrow();
}

// How many rows of `width` numbers there are.
std::size_t rows_of(std::size_t size, std::size_t width) {
    require(width > 0 ? size % width == 0 : size == 0, "the array is not made of whole rows");
    return width ? size / width : 0;
}

batch::Encoding encoding(bool wthor) { return wthor ? batch::Encoding::kWthor : batch::Encoding::kSquares; }

}  // namespace

void bind_batch(nb::module_& m) {
    m.def(
        "batch_moves",
        [](Array<const Bits> player, Array<const Bits> opponent, Array<Bits> masks, int rows, int columns,
           int threads) {
            require_size(player.size(), opponent, masks);
            run(rows, columns, threads, [&](const batch::Options& options) {
                batch::moves({span(player), span(opponent)}, span(masks), options);
            });
        },
        array("player"), array("opponent"), array("masks"), nb::arg("rows"), nb::arg("columns"),
        nb::arg("threads"), Released());
    m.def(
        "batch_flips",
        [](Array<const Bits> player, Array<const Bits> opponent, Array<const std::uint8_t> squares,
           Array<Bits> masks, int rows, int columns, int threads) {
            require_size(player.size(), opponent, squares, masks);
            run(rows, columns, threads, [&](const batch::Options& options) {
                batch::flips({span(player), span(opponent)}, span(squares), span(masks), options);
            });
        },
        array("player"), array("opponent"), array("squares"), array("masks"), nb::arg("rows"),
        nb::arg("columns"), nb::arg("threads"), Released());
    m.def(
        "batch_play",
        [](Array<const Bits> player, Array<const Bits> opponent, Array<const std::uint8_t> squares,
           Array<Bits> next_player, Array<Bits> next_opponent, Array<std::uint8_t> legal, int rows,
           int columns, int threads) {
            require_size(player.size(), opponent, squares, next_player, next_opponent, legal);
            run(rows, columns, threads, [&](const batch::Options& options) {
                batch::play({span(player), span(opponent)}, span(squares), span(next_player),
                            span(next_opponent), span(legal), options);
            });
        },
        array("player"), array("opponent"), array("squares"), array("next_player"), array("next_opponent"),
        array("legal"), nb::arg("rows"), nb::arg("columns"), nb::arg("threads"), Released());
    m.def(
        "random_games",
        [](Array<const Bits> player, Array<const Bits> opponent, std::uint64_t seed, Array<Bits> last_player,
           Array<Bits> last_opponent, Array<std::uint8_t> moves, std::size_t width,
           Array<std::uint8_t> lengths, Array<std::int8_t> scores, int rows, int columns, int threads) {
            require_size(player.size(), opponent);
            require_size(lengths.size(), last_player, last_opponent, scores);
            if (player.size()) require_size(lengths.size(), player);
            require(rows_of(moves.size(), width) == (width ? lengths.size() : 0), "a row of moves a game");
            run(rows, columns, threads, [&](const batch::Options& options) {
                batch::random_games(
                    {span(player), span(opponent)}, seed,
                    {span(last_player), span(last_opponent), span(moves), width, span(lengths), span(scores)},
                    options);
            });
        },
        array("player"), array("opponent"), nb::arg("seed"), array("last_player"), array("last_opponent"),
        array("moves"), nb::arg("width"), array("lengths"), array("scores"), nb::arg("rows"),
        nb::arg("columns"), nb::arg("threads"), Released());
    m.def(
        "replay",
        [](Array<const std::uint8_t> moves, std::size_t width, bool wthor, Array<Bits> black,
           Array<Bits> white, Array<std::uint8_t> lengths, Array<std::int16_t> illegal,
           Array<std::uint8_t> over, int rows, int columns, int threads) {
            require_size(lengths.size(), black, white, illegal, over);
            require(rows_of(moves.size(), width) == (width ? lengths.size() : 0), "a row of moves a game");
            run(rows, columns, threads, [&](const batch::Options& options) {
                batch::replay(span(moves), width, encoding(wthor),
                              {span(black), span(white), span(lengths), span(illegal), span(over)}, options);
            });
        },
        array("moves"), nb::arg("width"), nb::arg("wthor"), array("black"), array("white"), array("lengths"),
        array("illegal"), array("over"), nb::arg("rows"), nb::arg("columns"), nb::arg("threads"), Released());
    m.def(
        "fingerprints",
        [](Array<const std::uint8_t> moves, std::size_t width, bool wthor, Array<std::uint64_t> prints,
           int rows, int columns, int threads) {
            const std::size_t games = rows_of(moves.size(), width);
            require(width < 256 && (width == 0 || prints.size() == games * (width + 1)),
                    "a number for every position of every game");
            run(rows, columns, threads, [&](const batch::Options& options) {
                batch::fingerprints(span(moves), width, encoding(wthor), span(prints), options);
            });
        },
        array("moves"), nb::arg("width"), nb::arg("wthor"), array("prints"), nb::arg("rows"),
        nb::arg("columns"), nb::arg("threads"), Released());
}
