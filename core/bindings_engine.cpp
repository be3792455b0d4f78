// The strong engine for othellier.engine: names only, the GIL released while it thinks.
#include <nanobind/stl/array.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include <exception>

#include "bindings.h"
#include "engine.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using namespace othellier;

SearchResult search_position(Engine& engine, Bits player, Bits opponent, int rows, int columns, bool plain,
                             int depth, int selectivity, bool win_only, double seconds, std::uint64_t nodes,
                             int lines, const nb::object& progress) {
    const Shape shape{rows, columns};
    Limits limits{depth, selectivity, win_only, seconds, nodes, lines};
    // Squares leave in the small board's own numbering.
    const auto local = [&](SearchResult result) {
        const auto renumber = [&](int square) { return square < 0 ? square : shape.from_grid(square); };
        for (Line& line : result.lines) {
            line.move = renumber(line.move);
            for (int& square : line.pv) square = renumber(square);
        }
        return result;
    };
    Progress report;
    if (!progress.is_none())
        report = [&](const SearchResult& result) {
            const nb::gil_scoped_acquire acquire;
            progress(local(result));
        };
    // Ctrl-C must end a long search: Python learns of it only when asked. The exception waits until the
    // threads have left the tree.
    std::exception_ptr interrupt;
    const Tick tick = [&] {
        const nb::gil_scoped_acquire acquire;
        if (PyErr_CheckSignals() == 0) return true;
        interrupt = std::make_exception_ptr(nb::python_error());
        return false;
    };
    SearchResult result;
    {
        const nb::gil_scoped_release release;
        const Board board{shape.to_grid(player), shape.to_grid(opponent)};
        result = local(engine.search(board, shape, plain, limits, report, tick));
    }
    if (interrupt) std::rethrow_exception(interrupt);
    return result;
}

}  // namespace

void bind_engine(nb::module_& m) {
    nb::class_<Line>(m, "Line", "One root move with its value and the line of best play.")
        .def_ro("move", &Line::move)
        .def_ro("score", &Line::score)
        .def_ro("lower", &Line::lower)
        .def_ro("upper", &Line::upper)
        .def_ro("depth", &Line::depth)
        .def_ro("selectivity", &Line::selectivity)
        .def_ro("exact", &Line::exact)
        .def_ro("pv", &Line::pv);
    nb::class_<SearchResult>(m, "SearchResult", "What a search has found, best line first.")
        .def_ro("lines", &SearchResult::lines)
        .def_ro("depth", &SearchResult::depth)
        .def_ro("selectivity", &SearchResult::selectivity)
        .def_ro("complete", &SearchResult::complete)
        .def_ro("nodes", &SearchResult::nodes)
        .def_ro("seconds", &SearchResult::seconds);
    nb::class_<BenchResult>(m, "BenchResult", "The fixed benchmark's count, signature and time.")
        .def_ro("nodes", &BenchResult::nodes)
        .def_ro("signature", &BenchResult::signature)
        .def_ro("seconds", &BenchResult::seconds);
    nb::class_<ProbcutModel>(m, "Probcut", "How far shallow searches may be trusted: the measured numbers.")
        .def(nb::init<std::array<double, 4>, std::array<double, 3>>(), "midgame"_a, "endgame"_a);
    nb::class_<Engine>(m, "Engine", "The strong search with its table and threads.")
        .def(nb::init<std::shared_ptr<const Weights>, std::shared_ptr<const Networks>, const ProbcutModel&,
                      std::size_t, int>(),
             "weights"_a.none(), "networks"_a.none(), "probcut"_a, "megabytes"_a, "threads"_a,
             nb::call_guard<nb::gil_scoped_release>())
        .def("search", &search_position, "player"_a, "opponent"_a, "rows"_a, "columns"_a, "plain"_a,
             "depth"_a, "selectivity"_a, "win_only"_a, "seconds"_a, "nodes"_a, "lines"_a, "progress"_a.none())
        .def("stop", &Engine::stop, nb::call_guard<nb::gil_scoped_release>())
        .def("clear", &Engine::clear, nb::call_guard<nb::gil_scoped_release>())
        .def("set_threads", &Engine::set_threads, "threads"_a, nb::call_guard<nb::gil_scoped_release>())
        .def("set_megabytes", &Engine::set_megabytes, "megabytes"_a,
             nb::call_guard<nb::gil_scoped_release>());
    m.def("bench", &bench, "weights"_a.none(), "networks"_a.none(), "probcut"_a,
          nb::call_guard<nb::gil_scoped_release>());
    nb::list levels;
    for (const Selectivity& level : kSelectivities) levels.append(level.percent);
    m.attr("SELECTIVITIES") = nb::tuple(levels);
}
