// The parts of the extension module, each bound in its own file of this folder, and what they share:
// arguments are checked here, before the core, which trusts its callers, can trip over them; and Ctrl-C gets
// through.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/shared_ptr.h>

#include <chrono>
#include <cstddef>
#include <exception>
#include <memory>
#include <span>

#include "board/board.h"

template <class T>
using Array = nanobind::ndarray<T, nanobind::numpy, nanobind::c_contig, nanobind::device::cpu>;
using Released = nanobind::call_guard<nanobind::gil_scoped_release>;

// An array by name: one of another type is refused, for a converted copy would be filled in and thrown away.
inline auto array(const char* name) { return nanobind::arg(name).noconvert(); }

template <class T>
std::span<T> span(const Array<T>& array) {
    return {array.data(), array.size()};
}

// What does not fit together is a ValueError.
inline void require(bool condition, const char* what) {
    if (!condition) throw nanobind::value_error(what);
}

template <class... Arrays>
void require_size(std::size_t size, const Arrays&... arrays) {
    require(((arrays.size() == size) && ...), "the arrays do not have the same length");
}

othellier::Shape checked_shape(int rows, int columns);
othellier::Board checked_board(othellier::Bits player, othellier::Bits opponent,
                               const othellier::Shape& shape);
int checked_threads(int threads, int least = 1);
void check_positions(const Array<const othellier::Bits>& player,
                     const Array<const othellier::Bits>& opponent);

// Ctrl-C in a long call: Python learns of it only when it is asked to look, now and then. What it raises
// waits until the call's threads have come to rest.
class Interrupts {
  public:
    bool go_on();  // called by the thread that was called from Python, without the GIL
    void rethrow() const {
        if (raised_) std::rethrow_exception(raised_);
    }

    // Runs body(i) for every i below count.
    template <class Body>
    static void each(std::size_t count, Body body) {
        Interrupts interrupts;
        for (std::size_t i = 0; i < count; ++i) {
            if (i % 4096 == 4095 && !interrupts.go_on()) break;
            body(i);
        }
        interrupts.rethrow();
    }

  private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point next_ = Clock::now() + kEvery;
    std::exception_ptr raised_;
    static constexpr std::chrono::milliseconds kEvery{50};
};

// What is read from the payload of a file, shared by all engines that use it.
template <class T>
std::shared_ptr<const T> from_payload(const nanobind::bytes& payload) {
    return std::make_shared<const T>(
        std::span(static_cast<const std::byte*>(payload.data()), payload.size()));
}

void bind_batch(nanobind::module_& m);
void bind_classic(nanobind::module_& m);
void bind_engine(nanobind::module_& m);
void bind_learn(nanobind::module_& m);
void bind_network(nanobind::module_& m);
void bind_position(nanobind::module_& m);
