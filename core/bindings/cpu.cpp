// othellier._cpu: which x86-64 level this processor reaches, for a wheel that carries several variants of
// the core. Compiled for the plainest processor and without nanobind, since it runs before the choice.
#include <Python.h>

namespace {

PyObject* level(PyObject*, PyObject*) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("x86-64-v4")) return PyLong_FromLong(4);
    if (__builtin_cpu_supports("x86-64-v3")) return PyLong_FromLong(3);
    if (__builtin_cpu_supports("x86-64-v2")) return PyLong_FromLong(2);
#endif
    return PyLong_FromLong(1);
}

PyMethodDef methods[] = {
    {"level", level, METH_NOARGS, "The highest n for which this processor runs x86-64-vn code."},
    {nullptr, nullptr, 0, nullptr},
};

PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "_cpu", nullptr, -1, methods, nullptr, nullptr, nullptr, nullptr};

}  // namespace

PyMODINIT_FUNC PyInit__cpu() { return PyModule_Create(&module); }
