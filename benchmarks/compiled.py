"""`python -m benchmarks.compiled MODULE ARGUMENTS…`: a benchmark where nothing is installed.

It needs a compiler, CMake, nanobind and NumPy, and no more: this tree is compiled once and imported from where it lies.
"""

import os
import sys
from importlib import util
from pathlib import Path

ROOT = Path(__file__).parents[1]


def need_core(module: str, arguments: list[str]) -> None:
    """Where the compiled core cannot be imported, compile this tree and start the benchmark anew with it."""
    if util.find_spec("othellier") is None:
        sys.path.insert(0, str(ROOT / "src"))
    if util.find_spec("othellier._core") is not None:
        return
    from othellier.base.builds import find_build

    build = find_build(str(ROOT))
    assert build.folder is not None
    if str(build.folder) in os.environ.get("PYTHONPATH", ""):
        raise SystemExit(f"the core compiled in {build.folder} cannot be imported")
    there = {**os.environ, "PYTHONPATH": f"{build.path}{os.pathsep}{ROOT}"}
    os.execve(sys.executable, [sys.executable, "-m", module, *arguments], there)


def main() -> None:
    if len(sys.argv) < 2:
        raise SystemExit("python -m benchmarks.compiled MODULE ARGUMENTS…: which benchmark?")
    need_core(sys.argv[1], sys.argv[2:])
    os.execv(sys.executable, [sys.executable, "-m", *sys.argv[1:]])  # it is installed after all


if __name__ == "__main__":
    main()
