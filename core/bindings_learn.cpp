// What the learning room needs of the core: evaluation of arrays, self-play, positions of games.
#include <nanobind/stl/pair.h>

#include <cstring>

#include "bindings.h"
#include "depths.h"
#include "patterns.h"
#include "selfplay.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using namespace othellier;

static_assert(sizeof(GameRecord) == 2 * kGameMoves + 2);

void copy_out(const std::vector<GameRecord>& records, const Array<std::uint8_t>& out) {
    std::memcpy(out.data(), records.data(), records.size() * sizeof(GameRecord));
}

}  // namespace

void bind_learn(nb::module_& m) {
    nb::class_<Weights>(m, "Weights", "The evaluation's weights, from the payload of a weights file.")
        .def(nb::new_(&from_payload<Weights>), "payload"_a)
        .def_prop_ro("unit", &Weights::unit)
        .def_prop_ro("phases", &Weights::phases)
        .def(
            "raw",
            [](const Weights& weights, Array<const Bits> player, Array<const Bits> opponent,
               Array<std::int32_t> values) {
                for (std::size_t i = 0; i < values.size(); ++i) {
                    const Board board{player.data()[i], opponent.data()[i]};
                    values.data()[i] = weights.raw(weights.features(board), popcount(board.empty()),
                                                   popcount(board.moves()), popcount(board.passed().moves()));
                }
            },
            "player"_a, "opponent"_a, "values"_a, Released());

    m.def(
        "selfplay",
        [](const Weights* weights, const Networks* networks, int depth, bool alternate, int selectivity,
           int solve_empties, int random_min, int random_max, int wander, int threads, std::uint64_t seed,
           Array<std::uint8_t> out) {
            const std::atomic<bool> stop{false};
            const SelfplayOptions options{depth,      alternate,  selectivity, solve_empties,
                                          random_min, random_max, wander,      threads};
            copy_out(selfplay(weights, networks, options, seed, out.shape(0), stop), out);
        },
        "weights"_a.none(), "networks"_a.none(), "depth"_a, "alternate"_a, "selectivity"_a, "solve_empties"_a,
        "random_min"_a, "random_max"_a, "wander"_a, "threads"_a, "seed"_a, "out"_a, Released());
    m.def(
        "complete_games",
        [](const Weights* weights, const Networks* networks, int depth, bool alternate, int selectivity,
           int solve_empties, int wander, int threads, std::uint64_t seed, Array<std::uint8_t> games) {
            const std::atomic<bool> stop{false};
            const SelfplayOptions options{depth, alternate, selectivity, solve_empties,
                                          0,     0,         wander,      threads};
            const auto* records = reinterpret_cast<const GameRecord*>(games.data());
            copy_out(complete_games(weights, networks, options, seed, {records, games.shape(0)}, stop),
                     games);
        },
        "weights"_a.none(), "networks"_a.none(), "depth"_a, "alternate"_a, "selectivity"_a, "solve_empties"_a,
        "wander"_a, "threads"_a, "seed"_a, "games"_a, Released());
    m.def(
        "games_through",
        [](Array<const std::uint8_t> games, Array<const Bits> player, Array<const Bits> opponent,
           Array<std::uint8_t> reached) {
            const auto* records = reinterpret_cast<const GameRecord*>(games.data());
            std::vector<Board> boards;
            for (std::size_t i = 0; i < player.size(); ++i)
                boards.push_back({player.data()[i], opponent.data()[i]});
            const auto found = games_through({records, games.shape(0)}, boards);
            std::copy(found.begin(), found.end(), reached.data());
        },
        "games"_a, "player"_a, "opponent"_a, "reached"_a, Released());
    m.def(
        "depth_values",
        [](const Weights& weights, const Networks* networks, Array<const Bits> player,
           Array<const Bits> opponent, int deepest, int solve_empties, int threads,
           Array<std::int8_t> values) {
            std::vector<Board> boards;
            for (std::size_t i = 0; i < player.size(); ++i)
                boards.push_back({player.data()[i], opponent.data()[i]});
            depth_values(weights, networks, boards, deepest, solve_empties, threads,
                         {values.data(), values.size()});
        },
        "weights"_a, "networks"_a.none(), "player"_a, "opponent"_a, "deepest"_a, "solve_empties"_a,
        "threads"_a, "values"_a, Released());
    m.def(
        "evaluate_leaves",
        [](const Weights& weights, const Networks* networks, Array<const Bits> player,
           Array<const Bits> opponent) {
            std::vector<Board> boards;
            for (std::size_t i = 0; i < player.size(); ++i)
                boards.push_back({player.data()[i], opponent.data()[i]});
            const Leaves leaves = evaluate_leaves(weights, networks, boards);
            return std::pair(leaves.evaluations, leaves.sum);
        },
        "weights"_a, "networks"_a.none(), "player"_a, "opponent"_a, Released());
    m.def(
        "positions_of_games",
        [](Array<const std::uint8_t> games, bool valued, Array<Bits> player, Array<Bits> opponent,
           Array<std::uint8_t> moves, Array<std::uint8_t> opponent_moves, Array<std::int8_t> scores,
           Array<std::int8_t> values, Array<std::int32_t> game) {
            const auto* records = reinterpret_cast<const GameRecord*>(games.data());
            std::size_t n = 0;
            for (std::size_t g = 0; g < games.shape(0); ++g) {
                positions_of(records[g], valued, [&](const LabelledPosition& p) {
                    player.data()[n] = p.board.player;
                    opponent.data()[n] = p.board.opponent;
                    moves.data()[n] = static_cast<std::uint8_t>(popcount(p.board.moves()));
                    opponent_moves.data()[n] = static_cast<std::uint8_t>(popcount(p.board.passed().moves()));
                    scores.data()[n] = p.score;
                    values.data()[n] = p.value;
                    game.data()[n++] = static_cast<std::int32_t>(g);
                });
            }
            return n;
        },
        "games"_a, "valued"_a, "player"_a, "opponent"_a, "moves"_a, "opponent_moves"_a, "scores"_a,
        "values"_a, "game"_a, Released());
}
