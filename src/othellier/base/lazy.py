"""Names of a package that are fetched when they are first used, so that importing it costs next to nothing."""

from __future__ import annotations

import sys
from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

__all__ = ["lazy_names"]


def lazy_names(
    package: str, homes: Mapping[str, Iterable[str]], modules: Iterable[str] = ()
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """The `__getattr__` and `__dir__` of a package: which module has which of its names, and modules of its own."""
    known = {name: home for home, names in homes.items() for name in names}
    below = frozenset(modules)

    def fetch(name: str) -> object:
        if name in below:
            return import_module(f"{package}.{name}")  # which makes it an attribute of the package
        if name not in known:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value: object = getattr(import_module(known[name]), name)
        setattr(sys.modules[package], name, value)  # the next use need not come here
        return value

    def names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *known, *below})

    return fetch, names
