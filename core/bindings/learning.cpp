// What `learn` needs of the core: evaluation of arrays, self-play, positions of games.
#include <nanobind/stl/pair.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <future>
#include <utility>

#include "bindings/bindings.h"
#include "evaluation/patterns.h"
#include "learning/depths.h"
#include "learning/selfplay.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using namespace othellier;

static_assert(sizeof(GameRecord) == 2 * kGameMoves + 2);

template <class Byte>
std::span<const GameRecord> records(const Array<Byte>& games) {
    require(games.ndim() == 2 && games.shape(1) == sizeof(GameRecord), "a row of 122 bytes a game expected");
    return {reinterpret_cast<const GameRecord*>(games.data()), games.shape(0)};
}

void copy_out(const std::vector<GameRecord>& records, const Array<std::uint8_t>& out) {
    if (!records.empty()) std::memcpy(out.data(), records.data(), records.size() * sizeof(GameRecord));
}

void check_pair(const Weights* weights, const Networks* networks) {
    require(!networks || (weights && weights->same_patterns(*networks)),
            "networks need weights that look at the same patterns");
}

SelfplayOptions checked(const SelfplayOptions& options) {
    const auto within = [](int value, int least, int most) { return least <= value && value <= most; };
    require(within(options.depth, 1, 60) && within(options.selectivity, 0, kExact) &&
                within(options.solve_empties, 0, 60) && within(options.exploration, 0, 100) &&
                within(options.random_max, 0, 60) && within(options.random_min, 0, options.random_max),
            "self-play cannot be had with these numbers");
    checked_threads(options.threads);
    return options;
}

std::vector<Board> boards_of(const Array<const Bits>& player, const Array<const Bits>& opponent) {
    check_positions(player, opponent);
    std::vector<Board> boards;
    for (std::size_t i = 0; i < player.size(); ++i) boards.push_back({player.data()[i], opponent.data()[i]});
    return boards;
}

// Runs work(stop) on a thread of its own, while this one looks for Ctrl-C.
template <class Work>
auto interruptible(Work work) {
    std::atomic<bool> stop{false};
    auto done = std::async(std::launch::async, [&] { return work(std::as_const(stop)); });
    Interrupts interrupts;
    while (done.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready)
        if (!interrupts.go_on()) stop = true;
    auto result = done.get();
    interrupts.rethrow();
    return result;
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
                check_positions(player, opponent);
                require_size(player.size(), values);
                Interrupts::each(values.size(), [&](std::size_t i) {
                    const Board board{player.data()[i], opponent.data()[i]};
                    values.data()[i] = weights.raw(weights.features(board), popcount(board.empty()),
                                                   popcount(board.moves()), popcount(board.passed().moves()));
                });
            },
            array("player"), array("opponent"), array("values"), Released());

    m.def(
        "selfplay",
        [](const Weights* weights, const Networks* networks, const ProbcutModel& probcut, int depth,
           bool alternate, int selectivity, int solve_empties, int random_min, int random_max,
           int exploration, int threads, std::uint64_t seed, Array<std::uint8_t> out) {
            const auto count = records(out).size();
            check_pair(weights, networks);
            const auto options = checked({depth, alternate, selectivity, solve_empties, random_min,
                                          random_max, exploration, threads, probcut});
            copy_out(interruptible([&](const std::atomic<bool>& stop) {
                         return selfplay(weights, networks, options, seed, count, stop);
                     }),
                     out);
        },
        "weights"_a.none(), "networks"_a.none(), "probcut"_a, "depth"_a, "alternate"_a, "selectivity"_a,
        "solve_empties"_a, "random_min"_a, "random_max"_a, "exploration"_a, "threads"_a, "seed"_a,
        array("out"), Released());
    m.def(
        "complete_games",
        [](const Weights* weights, const Networks* networks, const ProbcutModel& probcut, int depth,
           bool alternate, int selectivity, int solve_empties, int exploration, int threads,
           std::uint64_t seed, Array<std::uint8_t> games) {
            const auto given = records(games);
            check_pair(weights, networks);
            const auto options =
                checked({depth, alternate, selectivity, solve_empties, 0, 0, exploration, threads, probcut});
            copy_out(interruptible([&](const std::atomic<bool>& stop) {
                         return complete_games(weights, networks, options, seed, given, stop);
                     }),
                     games);
        },
        "weights"_a.none(), "networks"_a.none(), "probcut"_a, "depth"_a, "alternate"_a, "selectivity"_a,
        "solve_empties"_a, "exploration"_a, "threads"_a, "seed"_a, array("games"), Released());
    m.def(
        "games_through",
        [](Array<const std::uint8_t> games, Array<const Bits> player, Array<const Bits> opponent,
           Array<std::uint8_t> reached) {
            const auto given = records(games);
            require_size(given.size(), reached);
            const auto found = games_through(given, boards_of(player, opponent));
            std::copy(found.begin(), found.end(), reached.data());
        },
        array("games"), array("player"), array("opponent"), array("reached"), Released());
    m.def(
        "depth_values",
        [](const Weights& weights, const Networks* networks, Array<const Bits> player,
           Array<const Bits> opponent, int deepest, int solve_empties, int threads,
           Array<std::int8_t> values) {
            const std::vector<Board> boards = boards_of(player, opponent);
            check_pair(&weights, networks);
            require(deepest >= 0 && deepest <= 60 && solve_empties <= 60, "depths up to 60 can be searched");
            require_size(boards.size() * (static_cast<std::size_t>(deepest) + 2), values);
            checked_threads(threads);
            interruptible([&](const std::atomic<bool>& stop) {
                depth_values(weights, networks, boards, deepest, solve_empties, threads, span(values), stop);
                return true;
            });
        },
        "weights"_a, "networks"_a.none(), array("player"), array("opponent"), "deepest"_a, "solve_empties"_a,
        "threads"_a, array("values"), Released());
    m.def(
        "evaluate_leaves",
        [](const Weights& weights, const Networks* networks, Array<const Bits> player,
           Array<const Bits> opponent) {
            const std::vector<Board> boards = boards_of(player, opponent);
            check_pair(&weights, networks);
            Leaves all{0, 0};
            constexpr std::size_t kPart = 4096;  // a few milliseconds
            Interrupts::each((boards.size() + kPart - 1) / kPart, [&](std::size_t i) {
                const auto part = std::span(boards).subspan(i * kPart);
                const Leaves leaves =
                    evaluate_leaves(weights, networks, part.first(std::min(kPart, part.size())));
                all.evaluations += leaves.evaluations;
                all.sum += leaves.sum;
            });
            return std::pair(all.evaluations, all.sum);
        },
        "weights"_a, "networks"_a.none(), array("player"), array("opponent"), Released());
    m.def(
        "positions_of_games",
        [](Array<const std::uint8_t> games, bool valued, Array<Bits> player, Array<Bits> opponent,
           Array<std::uint8_t> moves, Array<std::uint8_t> opponent_moves, Array<std::int8_t> scores,
           Array<std::int8_t> values, Array<std::int32_t> game) {
            require_size(player.size(), opponent, moves, opponent_moves, scores, values, game);
            const auto given = records(games);
            std::size_t n = 0;
            Interrupts::each(given.size(), [&](std::size_t g) {
                positions_of(given[g], valued, [&](const LabelledPosition& p) {
                    require(n < player.size(), "the games have more positions than the arrays have room for");
                    player.data()[n] = p.board.player;
                    opponent.data()[n] = p.board.opponent;
                    moves.data()[n] = static_cast<std::uint8_t>(popcount(p.board.moves()));
                    opponent_moves.data()[n] = static_cast<std::uint8_t>(popcount(p.board.passed().moves()));
                    scores.data()[n] = p.score;
                    values.data()[n] = p.value;
                    game.data()[n++] = static_cast<std::int32_t>(g);
                });
            });
            return n;
        },
        array("games"), "valued"_a, array("player"), array("opponent"), array("moves"),
        array("opponent_moves"), array("scores"), array("values"), array("game"), Released());
}
