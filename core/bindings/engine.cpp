// The strong engine for othellier.engine.engine: names only, the GIL released while it thinks.
#include "search/engine.h"

#include <nanobind/stl/array.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>
#if defined(_WIN32)
#include <process.h>
#else
#include <unistd.h>
#endif

#include <cstdio>
#include <cstdlib>
#include <utility>

#include "bindings/bindings.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using namespace othellier;

// A process forked in a call back has none of the search's threads: it must not come back into the search.
struct HereToStay {
    int process = getpid();
    ~HereToStay() {
        if (process == getpid()) return;
        std::fputs("othellier: a search cannot go on in a forked process\n", stderr);
        std::_Exit(1);
    }
};

int checked_search_threads(int threads) {
    require(threads >= 1 && threads <= 256, "1 to 256 threads can search");
    return threads;
}

SearchResult search_position(Engine& engine, Bits player, Bits opponent, int rows, int columns, bool plain,
                             int depth, int selectivity, bool win_only, double seconds, double usual,
                             std::uint64_t nodes, int lines, const nb::object& progress) {
    const Shape shape = checked_shape(rows, columns);
    const Board board = checked_board(player, opponent, shape);
    require(!board.over(shape.playable()), "the game is over");
    require(depth >= 1 && depth <= 64, "a depth from 1 to 64 expected");
    require(selectivity >= 0 && selectivity <= kExact, "no such selectivity");
    require(seconds >= 0 && usual >= 0, "a time cannot be negative");
    const Limits limits{depth, selectivity, win_only, seconds, usual, nodes, lines};
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
            const HereToStay here;
            progress(local(result));
        };
    Interrupts interrupts;
    SearchResult result;
    {
        const nb::gil_scoped_release release;
        result =
            local(engine.search(board, shape, plain, limits, report, [&] { return interrupts.go_on(); }));
    }
    interrupts.rethrow();
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
    nb::class_<SearchResult>(
        m, "SearchResult", "What a search has found: lines, best first, and the proven bounds of the value.")
        .def_ro("lines", &SearchResult::lines)
        .def_ro("depth", &SearchResult::depth)
        .def_ro("selectivity", &SearchResult::selectivity)
        .def_prop_ro("lower", [](const SearchResult& result) { return result.proven.lower; })
        .def_prop_ro("upper", [](const SearchResult& result) { return result.proven.upper; })
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
        .def(
            "__init__",
            [](Engine* self, std::shared_ptr<const Weights> weights, std::shared_ptr<const Networks> networks,
               const ProbcutModel& probcut, std::size_t megabytes, int threads) {
                require(weights || !networks, "networks need weights that look at the same patterns");
                new (self) Engine(std::move(weights), std::move(networks), probcut, megabytes,
                                  checked_search_threads(threads));
            },
            "weights"_a.none(), "networks"_a.none(), "probcut"_a, "megabytes"_a, "threads"_a, Released())
        .def("search", &search_position, "player"_a, "opponent"_a, "rows"_a, "columns"_a, "plain"_a,
             "depth"_a, "selectivity"_a, "win_only"_a, "seconds"_a, "usual"_a, "nodes"_a, "lines"_a,
             "progress"_a.none())
        .def("stop", &Engine::stop, Released())
        .def("close", &Engine::close, Released())
        .def("clear", &Engine::clear, Released())
        .def(
            "set_threads",
            [](Engine& engine, int threads) { engine.set_threads(checked_search_threads(threads)); },
            "threads"_a, Released())
        .def("set_megabytes", &Engine::set_megabytes, "megabytes"_a, Released());
    m.def(
        "bench",
        [](std::shared_ptr<const Weights> weights, std::shared_ptr<const Networks> networks,
           const ProbcutModel& probcut, const nb::object& progress) {
            require(weights || !networks, "networks need weights that look at the same patterns");
            Interrupts interrupts;
            BenchResult result;
            {
                const nb::gil_scoped_release release;
                result = bench(
                    std::move(weights), std::move(networks), probcut, [&] { return interrupts.go_on(); },
                    [&](int done, int total) {
                        const nb::gil_scoped_acquire acquire;
                        if (!progress.is_none()) progress(done, total);
                    });
            }
            interrupts.rethrow();
            return result;
        },
        "weights"_a.none(), "networks"_a.none(), "probcut"_a, "progress"_a = nb::none());
    nb::list levels;
    for (const Selectivity& level : kSelectivities) levels.append(level.percent);
    m.attr("SELECTIVITIES") = nb::tuple(levels);
}
