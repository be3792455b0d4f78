// othellier._cpu: which x86-64 level this processor reaches, for a wheel that carries several variants of
// the core. Compiled for the plainest processor and without nanobind, since it runs before the choice. The
// processor and the system are asked themselves: what compilers offer for it is not there on Windows.
#include <Python.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace {

#if defined(__x86_64__)

// The registers that the system saves when it switches threads, one bit each; nothing where it saves none.
unsigned saved_registers() {
    unsigned low = 0, high = 0;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

// The levels as the psABI of x86-64 defines them; each needs the one before.
int processor_level() {
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (!__get_cpuid(1, &a, &b, &c, &d)) return 1;
    constexpr unsigned kV2 =
        1u << 0 | 1u << 9 | 1u << 13 | 1u << 19 | 1u << 20 | 1u << 23;  // SSE3 ... POPCNT
    constexpr unsigned kV3 =
        1u << 12 | 1u << 22 | 1u << 27 | 1u << 28 | 1u << 29;  // FMA, MOVBE, OSXSAVE, AVX, F16C
    const unsigned basic = c;
    unsigned extended = 0, more = 0;
    if (__get_cpuid(0x80000001u, &a, &b, &c, &d)) extended = c;
    if (__get_cpuid_count(7, 0, &a, &b, &c, &d)) more = b;
    if ((basic & kV2) != kV2 || !(extended & 1u)) return 1;    // LAHF
    constexpr unsigned kMoreV3 = 1u << 3 | 1u << 5 | 1u << 8;  // BMI1, AVX2, BMI2
    if ((basic & kV3) != kV3 || !(extended & 1u << 5) || (more & kMoreV3) != kMoreV3) return 2;  // LZCNT
    const unsigned saved = saved_registers();
    if ((saved & 0x6u) != 0x6u) return 2;
    constexpr unsigned kV4 =
        1u << 16 | 1u << 17 | 1u << 28 | 1u << 30 | 1u << 31;  // AVX-512 F, DQ, CD, BW, VL
    return (more & kV4) == kV4 && (saved & 0xe6u) == 0xe6u ? 4 : 3;
}

#else

int processor_level() { return 1; }

#endif

PyObject* level(PyObject*, PyObject*) { return PyLong_FromLong(processor_level()); }

PyMethodDef methods[] = {
    {"level", level, METH_NOARGS, "The highest n for which this processor runs x86-64-vn code."},
    {nullptr, nullptr, 0, nullptr},
};

PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "_cpu", nullptr, -1, methods, nullptr, nullptr, nullptr, nullptr};

}  // namespace

PyMODINIT_FUNC PyInit__cpu() { return PyModule_Create(&module); }
