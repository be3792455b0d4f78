// The extension module othellier._core: names and docstrings only, no logic.
#include "bindings.h"

NB_MODULE(_core, m) {
    m.doc() = "The compiled core of Othellier. Use it through othellier.native.";
    m.attr("ARCH") = OTHELLIER_ARCH;  // what it was compiled for, see CMakeLists.txt
    bind_position(m);
    bind_batch(m);
    bind_classic(m);
    bind_learn(m);
    bind_engine(m);
}
