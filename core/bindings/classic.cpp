// The classical searches for othellier.search, which checks the arguments and chooses between the twins.
#include "classic/classic.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdlib>
#include <map>
#include <string>

#include "bindings/bindings.h"
#include "classic/mcts.h"
#include "classic/table.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using othellier::Bits;
using othellier::Board;
using othellier::Shape;
namespace classic = othellier::classic;
namespace mcts = othellier::mcts;

using TermData = std::tuple<int, int, bool, std::vector<int>>;
using PhaseData = std::tuple<int, std::vector<TermData>>;

// A value for each square, or none at all.
void check_squares(const std::vector<int>& table, const Shape& shape) {
    require(table.empty() || static_cast<int>(table.size()) == shape.squares(),
            "one value for each square expected");
}

std::vector<classic::Phase> phases(const std::vector<PhaseData>& data, const Shape& shape,
                                   const othellier::Weights* weights,
                                   const classic::BoardClassifier* classifier) {
    require(!data.empty(), "an evaluator without phases");
    std::vector<classic::Phase> result;
    for (const auto& [limit, terms] : data) {
        classic::Phase& phase = result.emplace_back();
        phase.limit = limit;
        for (const auto& [number, weight, ratio, table] : terms) {
            require(number >= 0 && number <= static_cast<int>(classic::Feature::kDiagonal),
                    "an evaluator's feature that does not exist");
            const auto feature = static_cast<classic::Feature>(number);
            require(feature != classic::Feature::kPatterns || (weights && shape == Shape{}),
                    "patterns need weights and an 8x8 board");
            require(feature != classic::Feature::kClassifier || (classifier && shape == Shape{}),
                    "the classifier needs its weights and an 8x8 board");
            check_squares(table, shape);
            phase.terms.push_back({feature, weight, ratio, table});
        }
    }
    return result;
}

nb::dict counts(const classic::Counters& c) {
    nb::dict d;
    d["nodes"] = c.nodes;
    d["leaves"] = c.leaves;
    d["blocked"] = c.blocked;
    d["cutoffs"] = c.cutoffs;
    d["first_cutoffs"] = c.first_cutoffs;
    d["table_hits"] = c.table_hits;
    d["rollouts"] = c.rollouts;
    d["kept"] = c.kept;
    return d;
}

// Asks Python whether to stop, and lets a Ctrl-C through. Called without the GIL.
std::function<bool()> asking(const nb::object& stop) {
    return [&stop] {
        nb::gil_scoped_acquire held;
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
        return !stop.is_none() && nb::cast<bool>(stop());
    };
}

template <class Value>
Value lookup(const std::map<std::string, Value>& names, const std::string& name) {
    const auto found = names.find(name);
    if (found == names.end()) throw nb::value_error(("unknown name " + name).c_str());
    return found->second;
}

const std::map<std::string, classic::Method> kMethods = {{"minimax", classic::Method::kFull},
                                                         {"negamax", classic::Method::kFull},
                                                         {"alphabeta", classic::Method::kAlphaBeta},
                                                         {"nega-alphabeta", classic::Method::kAlphaBeta},
                                                         {"pvs", classic::Method::kPvs}};
const std::map<std::string, classic::Order> kOrders = {
    {"none", classic::Order::kNone},     {"killers", classic::Order::kNone},
    {"random", classic::Order::kRandom}, {"squares", classic::Order::kSquares},
    {"discs", classic::Order::kDiscs},   {"history", classic::Order::kHistory},
    {"both", classic::Order::kBoth},     {"evaluator", classic::Order::kEvaluator}};
const std::map<std::string, mcts::Rollout> kRollouts = {{"random", mcts::Rollout::kRandom},
                                                        {"weighted", mcts::Rollout::kWeighted},
                                                        {"greedy", mcts::Rollout::kGreedy}};

}  // namespace

void bind_classic(nb::module_& m) {
    m.def(
        "classic_search",
        [](Bits player, Bits opponent, int rows, int columns, Bits first_moves, const std::string& algorithm,
           int depth, const std::vector<PhaseData>& evaluator, const std::string& order,
           std::vector<int> square_values, bool killer, bool table, bool symmetry, bool deepening,
           bool plain_count, bool shuffle_first, std::uint64_t seed, std::optional<double> time,
           std::optional<std::uint64_t> nodes, std::uint64_t table_size, int table_depth,
           const othellier::Weights* weights, const nb::object& stop, classic::Table* kept,
           const classic::BoardClassifier* classifier) {
            const Shape shape = checked_shape(rows, columns);
            const Board board = checked_board(player, opponent, shape);
            const Bits first = shape.to_grid(first_moves);
            require(first && !(first & ~board.moves(shape.playable())), "the first moves must be legal ones");
            require(depth >= 1 && depth <= 120, "a depth from 1 to 120 expected");
            require(!time || *time >= 0, "a time cannot be negative");
            check_squares(square_values, shape);
            require(!kept || (table && kept->fits(symmetry, shape)), "the kept table is one of another kind");
            const classic::Options options{lookup(kMethods, algorithm),
                                           depth,
                                           phases(evaluator, shape, weights, classifier),
                                           lookup(kOrders, order),
                                           std::move(square_values),
                                           killer,
                                           table,
                                           symmetry,
                                           deepening,
                                           plain_count,
                                           shuffle_first,
                                           seed,
                                           time,
                                           nodes,
                                           table_size,
                                           table_depth,
                                           weights,
                                           classifier};
            classic::Outcome found;
            {
                nb::gil_scoped_release released;
                found = classic::search(board, shape, first, options, asking(stop), kept);
            }
            std::vector<std::tuple<int, int, bool>> moves;
            for (const classic::MoveValue& m : found.moves) moves.emplace_back(m.move, m.value, m.exact);
            return nb::make_tuple(found.value, found.depth, found.line, moves, counts(found.counters));
        },
        "player"_a, "opponent"_a, "rows"_a, "columns"_a, "first_moves"_a, nb::kw_only(), "algorithm"_a,
        "depth"_a, "evaluator"_a, "order"_a, "square_values"_a, "killer"_a, "table"_a, "symmetry"_a,
        "deepening"_a, "plain_count"_a, "shuffle_first"_a, "seed"_a, "time"_a.none(), "nodes"_a.none(),
        "table_size"_a, "table_depth"_a, "weights"_a.none(), "stop"_a.none(), "kept"_a.none() = nb::none(),
        "classifier"_a.none() = nb::none(),
        "The value, the depth completed, the line, the first moves (with whether their value is exact) and "
        "the counters.");

    nb::class_<classic::BoardClassifier>(m, "BoardClassifier",
                                         "The classifier on the bare board, of its weights in whole numbers.")
        .def(nb::init<const std::vector<int>&>(), "numbers"_a)
        .def(
            "value",
            [](const classic::BoardClassifier& self, Bits player, Bits opponent) {
                return self.of(checked_board(player, opponent, Shape{}));
            },
            "player"_a, "opponent"_a, "What a position is worth to the side to move.");

    nb::class_<classic::Table>(m, "ClassicTable",
                               "The positions that classical searches remember between moves.")
        .def(
            "__init__",
            [](classic::Table* self, std::uint64_t size, bool symmetry, int rows, int columns) {
                const Shape shape = checked_shape(rows, columns);
                require(size >= 1 && size <= 1 << 26, "a table of 1 to 67,108,864 positions expected");
                new (self) classic::Table(size, symmetry, shape);
            },
            "size"_a, "symmetry"_a, "rows"_a, "columns"_a)
        .def("__len__", &classic::Table::count);

    nb::class_<mcts::Mcts>(m, "Mcts", "A Monte-Carlo search that remembers its tree.")
        .def(
            "__init__",
            [](mcts::Mcts* self, int rows, int columns, double c, const std::string& rollout,
               std::vector<int> values, bool table, bool symmetry, bool keep, std::uint64_t seed,
               std::uint64_t max_nodes) {
                const Shape shape = checked_shape(rows, columns);
                require(!values.empty(), "one value for each square expected");
                check_squares(values, shape);
                for (const int value : values)
                    require(std::abs(static_cast<long>(value)) <= 1'000'000'000,
                            "a square's value is too large");
                new (self) mcts::Mcts(shape, {c, lookup(kRollouts, rollout), std::move(values), table,
                                              symmetry, keep, seed, max_nodes});
            },
            "rows"_a, "columns"_a, nb::kw_only(), "c"_a, "rollout"_a, "values"_a, "table"_a, "symmetry"_a,
            "keep"_a, "seed"_a, "max_nodes"_a)
        .def(
            "search",
            [](mcts::Mcts& self, Bits player, Bits opponent, int rows, int columns,
               std::optional<std::uint64_t> iterations, std::optional<double> time, const nb::object& stop) {
                const Shape shape = checked_shape(rows, columns);
                require(shape == self.shape(), "a tree stays on the board it was made for");
                const Board board = checked_board(player, opponent, shape);
                require(!time || *time >= 0, "a time cannot be negative");
                mcts::Outcome found;
                {
                    nb::gil_scoped_release released;
                    found = self.search(board, iterations, time, asking(stop));
                }
                std::vector<std::tuple<int, double, std::uint32_t>> moves;
                for (const mcts::MoveValue& m : found.moves) moves.emplace_back(m.move, m.value, m.visits);
                return nb::make_tuple(found.value, found.line, moves, counts(found.counters));
            },
            "player"_a, "opponent"_a, "rows"_a, "columns"_a, nb::kw_only(), "iterations"_a.none(),
            "time"_a.none(), "stop"_a.none(),
            "The share of points won, the line of most visits, the first moves (with their share and visits) "
            "and "
            "the counters.");
}
