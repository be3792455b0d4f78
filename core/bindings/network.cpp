// The networks on patterns, for arrays of positions.
#include "evaluation/network.h"

#include "bindings/bindings.h"

namespace nb = nanobind;
using namespace nb::literals;

using namespace othellier;

void bind_network(nb::module_& m) {
    nb::class_<Networks>(m, "Networks", "Value and policy network, from the payload that network.py makes.")
        .def(nb::new_(&from_payload<Networks>), "payload"_a)
        .def_ro_static("VALUE_UNIT", &Networks::kValueUnit)
        .def_ro_static("SCORE_UNIT", &Networks::kScoreUnit)
        .def(
            "values",
            [](const Networks& networks, Array<const Bits> player, Array<const Bits> opponent,
               Array<std::int32_t> values) {
                check_positions(player, opponent);
                require_size(player.size(), values);
                Interrupts::each(values.size(), [&](std::size_t i) {
                    const Board board{player.data()[i], opponent.data()[i]};
                    values.data()[i] =
                        networks.value(networks.features(board), popcount(board.empty()),
                                       popcount(board.moves()), popcount(board.passed().moves()));
                });
            },
            array("player"), array("opponent"), array("values"), "Values of positions for the side to move.",
            Released())
        .def(
            "scores",
            [](const Networks& networks, Array<const Bits> player, Array<const Bits> opponent,
               Array<std::int32_t> scores) {
                if (!networks.has_policy()) throw WeightsError("a value network alone knows no moves");
                check_positions(player, opponent);
                require_size(64 * player.size(), scores);
                Interrupts::each(player.size(), [&](std::size_t i) {
                    const Board board{player.data()[i], opponent.data()[i]};
                    const Features features = networks.features(board);
                    for (Bits todo = board.moves(); todo; todo &= todo - 1)
                        scores.data()[64 * i + first_square(todo)] =
                            networks.score(features, popcount(board.empty()), first_square(todo));
                });
            },
            array("player"), array("opponent"), array("scores"),
            "Scores of the legal moves, 64 numbers a position.", Released());
}
