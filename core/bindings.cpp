// The extension module othellier._core: names and docstrings only, no logic.
#include "bindings.h"

namespace nb = nanobind;

NB_MODULE(_core, m) {
    m.doc() = "The compiled core of Othellier. Use it through othellier.native.";
    // Whoever still holds a position when Python ends (pydantic does) is no fault of ours to report.
    nb::set_leak_warnings(false);
    m.attr("ARCH") = OTHELLIER_ARCH;  // what it was compiled for, see CMakeLists.txt
    bind_position(m);
    bind_batch(m);
    bind_classic(m);
    bind_learn(m);
    bind_network(m);
    bind_engine(m);
}
