// The rooms of the extension module, each bound in its own file bindings_NAME.cpp.
#pragma once

#include <nanobind/nanobind.h>

void bind_batch(nanobind::module_& m);
void bind_classic(nanobind::module_& m);
void bind_engine(nanobind::module_& m);
void bind_learn(nanobind::module_& m);
void bind_network(nanobind::module_& m);
void bind_position(nanobind::module_& m);
