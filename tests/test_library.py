"""The library part of the package imports without what the application needs."""

import subprocess
import sys

LIBRARY = (
    "errors",
    "base",
    "messages",
    "reference",
    "rules",
    "pictures",
    "batch",
    "games",
    "records",
    "evaluation",
    "search",
    "openings",
    "databases",
    "engine",
    "players",
    "coach",
    "arena",
    "course",
)
"""Folders and modules, in their order."""

PROGRAM = """
import importlib, pkgutil, sys
for name in "distributed fastapi matplotlib pydantic rich torch typer uvicorn websockets yaml".split():
    sys.modules[name] = None  # as if it were not installed
for name in sys.argv[1:]:
    module = importlib.import_module(f"othellier.{name}")
    for found in pkgutil.walk_packages(getattr(module, "__path__", ()), f"{module.__name__}."):
        if not found.name.endswith("build_server"):  # a program, which serves when it is run
            importlib.import_module(found.name)
print(len([name for name in sys.modules if name.startswith("othellier.")]))
"""


def test_the_library_imports_without_the_packages_of_the_application() -> None:
    command = [sys.executable, "-c", PROGRAM, *LIBRARY]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 100
