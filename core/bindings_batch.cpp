// The batch operations for othellier.batch, which checks and allocates the arrays.
#include "batch.h"
#include "bindings.h"

namespace nb = nanobind;

namespace {

using othellier::Bits;
using othellier::Shape;
namespace batch = othellier::batch;

template <class T>
std::span<T> span(const Array<T>& array) {
    return {array.data(), array.size()};
}

}  // namespace

void bind_batch(nb::module_& m) {
    m.def(
        "batch_moves",
        [](Array<const Bits> player, Array<const Bits> opponent, Array<Bits> masks, int rows, int columns,
           int threads) {
            batch::moves({span(player), span(opponent)}, span(masks), {Shape{rows, columns}, threads});
        },
        nb::arg("player"), nb::arg("opponent"), nb::arg("masks"), nb::arg("rows"), nb::arg("columns"),
        nb::arg("threads"), Released());
    m.def(
        "batch_flips",
        [](Array<const Bits> player, Array<const Bits> opponent, Array<const std::uint8_t> squares,
           Array<Bits> masks, int rows, int columns, int threads) {
            batch::flips({span(player), span(opponent)}, span(squares), span(masks),
                         {Shape{rows, columns}, threads});
        },
        nb::arg("player"), nb::arg("opponent"), nb::arg("squares"), nb::arg("masks"), nb::arg("rows"),
        nb::arg("columns"), nb::arg("threads"), Released());
    m.def(
        "batch_play",
        [](Array<const Bits> player, Array<const Bits> opponent, Array<const std::uint8_t> squares,
           Array<Bits> next_player, Array<Bits> next_opponent, Array<std::uint8_t> legal, int rows,
           int columns, int threads) {
            batch::play({span(player), span(opponent)}, span(squares), span(next_player), span(next_opponent),
                        span(legal), {Shape{rows, columns}, threads});
        },
        nb::arg("player"), nb::arg("opponent"), nb::arg("squares"), nb::arg("next_player"),
        nb::arg("next_opponent"), nb::arg("legal"), nb::arg("rows"), nb::arg("columns"), nb::arg("threads"),
        Released());
    m.def(
        "random_games",
        [](Array<const Bits> player, Array<const Bits> opponent, std::uint64_t seed, Array<Bits> last_player,
           Array<Bits> last_opponent, Array<std::uint8_t> moves, std::size_t width,
           Array<std::uint8_t> lengths, Array<std::int8_t> scores, int rows, int columns, int threads) {
            batch::random_games(
                {span(player), span(opponent)}, seed,
                {span(last_player), span(last_opponent), span(moves), width, span(lengths), span(scores)},
                {Shape{rows, columns}, threads});
        },
        nb::arg("player"), nb::arg("opponent"), nb::arg("seed"), nb::arg("last_player"),
        nb::arg("last_opponent"), nb::arg("moves"), nb::arg("width"), nb::arg("lengths"), nb::arg("scores"),
        nb::arg("rows"), nb::arg("columns"), nb::arg("threads"), Released());
    m.def(
        "replay",
        [](Array<const std::uint8_t> moves, std::size_t width, bool wthor, Array<Bits> black,
           Array<Bits> white, Array<std::uint8_t> lengths, Array<std::int16_t> illegal,
           Array<std::uint8_t> over, int rows, int columns, int threads) {
            batch::replay(span(moves), width, wthor ? batch::Encoding::kWthor : batch::Encoding::kSquares,
                          {span(black), span(white), span(lengths), span(illegal), span(over)},
                          {Shape{rows, columns}, threads});
        },
        nb::arg("moves"), nb::arg("width"), nb::arg("wthor"), nb::arg("black"), nb::arg("white"),
        nb::arg("lengths"), nb::arg("illegal"), nb::arg("over"), nb::arg("rows"), nb::arg("columns"),
        nb::arg("threads"), Released());
    m.def(
        "fingerprints",
        [](Array<const std::uint8_t> moves, std::size_t width, bool wthor, Array<std::uint64_t> prints,
           int rows, int columns, int threads) {
            batch::fingerprints(span(moves), width,
                                wthor ? batch::Encoding::kWthor : batch::Encoding::kSquares, span(prints),
                                {Shape{rows, columns}, threads});
        },
        nb::arg("moves"), nb::arg("width"), nb::arg("wthor"), nb::arg("prints"), nb::arg("rows"),
        nb::arg("columns"), nb::arg("threads"), Released());
}
