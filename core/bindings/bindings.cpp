// The extension module othellier._core: names and docstrings, and the checks of arguments that its parts
// share.
#include "bindings/bindings.h"

#include <algorithm>
#include <system_error>

#include "search/engine.h"

namespace nb = nanobind;

using namespace othellier;

Shape checked_shape(int rows, int columns) {
    const auto fits = [](int side) { return side == 4 || side == 6 || side == 8; };
    require(fits(rows) && fits(columns), "the core plays on boards of 4, 6 or 8 rows and columns");
    return {rows, columns};
}

Board checked_board(Bits player, Bits opponent, const Shape& shape) {
    require(!(player & opponent), "a square holds two discs");
    require(shape.squares() == 64 || !((player | opponent) >> shape.squares()),
            "a disc lies outside the board");
    return {shape.to_grid(player), shape.to_grid(opponent)};
}

int checked_threads(int threads, int least) {
    require(threads >= least && threads <= 1024, "no such number of threads can be had");
    return threads;
}

void check_positions(const Array<const Bits>& player, const Array<const Bits>& opponent) {
    require_size(player.size(), opponent);
    for (std::size_t i = 0; i < player.size(); ++i)
        require(!(player.data()[i] & opponent.data()[i]), "a square holds two discs");
}

bool Interrupts::go_on() {
    if (raised_) return false;
    if (const auto now = Clock::now(); now < next_)
        return true;
    else
        next_ = now + kEvery;
    const nb::gil_scoped_acquire held;
    if (PyErr_CheckSignals() == 0) return true;
    raised_ = std::make_exception_ptr(nb::python_error());
    return false;
}

NB_MODULE(_core, m) {
    m.doc() = "The compiled core of Othellier. Use it through othellier.rules.native.";
    // Whoever still holds a position when Python ends (pydantic does) is no fault of ours to report.
    nb::set_leak_warnings(false);
    nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
        const nb::module_ errors = nb::module_::import_("othellier.errors");
        const auto raise = [&](const nb::object& words) {
            PyErr_SetObject(errors.attr("OthellierError").ptr(), words.ptr());
        };
        try {
            std::rethrow_exception(thrown);
        } catch (const TurnTaken& error) {
            raise(nb::str(error.what()));
        } catch (const EngineClosed& error) {
            raise(nb::str(error.what()));
        } catch (const std::system_error&) {  // of a thread: the core has no other
            raise(errors.attr("NO_THREAD"));
        }
    });
    m.attr("ARCH") = OTHELLIER_ARCH;  // what it was compiled for, see CMakeLists.txt
    bind_position(m);
    bind_batch(m);
    bind_classic(m);
    bind_learn(m);
    bind_network(m);
    bind_engine(m);
}
