// The rooms of the extension module, each bound in its own file bindings_NAME.cpp, and what they share.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/shared_ptr.h>

#include <cstddef>
#include <memory>
#include <span>

template <class T>
using Array = nanobind::ndarray<T, nanobind::numpy, nanobind::c_contig, nanobind::device::cpu>;
using Released = nanobind::call_guard<nanobind::gil_scoped_release>;

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
