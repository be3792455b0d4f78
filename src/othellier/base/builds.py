"""Other builds of this package: any revision or source tree, exported, compiled by CMake, kept for the next time.

    build = find_build("HEAD~3")
    build.folder / "src"        what PYTHONPATH must name to import it

A build needs a compiler, CMake, nanobind and NumPy, and no installation: the extension module is put into the exported
tree itself. Trees lie under `build/revisions` of the checkout one works in, or where OTHELLIER_BUILDS says, named by
their revision; one that was brought there from elsewhere is used without git. Playing with a build is the business of
`players/build.py`.
"""

from __future__ import annotations

import hashlib
import io
import logging
import os
import platform
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import util
from pathlib import Path

from othellier.base.system import lock
from othellier.errors import ConfigError

__all__ = ["INSTALLED", "Build", "builds_folder", "export_tree", "find_build", "revision"]

INSTALLED = "installed"
"""The name of the build that is running now."""

VARIABLE = "OTHELLIER_BUILDS"
PARTS = ("CMakeLists.txt", "core", "src/othellier")
"""What of a tree is needed to build and play."""
WITHOUT = ("src/othellier/page", "src/othellier/web")
"""The page, which plays no match, by its name of today and by that of earlier revisions."""
PATIENCE = 1800.0
"""Seconds to wait for another process that compiles the same."""
SKIPPED = {"__pycache__", "page", "web"}
NAME = "REVISION"
"""The file that makes a folder one of ours: it holds the name of what lies there."""


@dataclass(frozen=True, slots=True)
class Build:
    """A build of the package: what it is called, and the tree it lies in; none for the one that is running."""

    name: str
    folder: Path | None

    @property
    def path(self) -> str:
        """What to import it from, for a process of its own; empty for the one that is running."""
        return "" if self.folder is None else str(self.folder / "src")


def revision() -> str | None:
    """Return the revision of the running package: git's in a checkout, else the one noted in the wheel."""
    package = Path(__file__).parents[1]
    if (package.parents[1] / ".git").exists() and (name := _git("rev-parse", "--short=10", "HEAD", folder=package)):
        return name
    noted = package / "revision.txt"
    return (noted.read_text(encoding="utf-8").strip() or None) if noted.is_file() else None


def find_build(text: str) -> Build:
    """The build of a revision, of a source tree or of an earlier build's folder, made now if it was not yet."""
    if text == INSTALLED:
        return Build(INSTALLED, None)
    folder = export_tree(text)
    name = (folder / NAME).read_text(encoding="utf-8").strip()
    with _locked(folder):
        done = folder / f"built-{_machine()}"
        if not done.exists():
            _take_module(folder, name)
            done.touch()
    return Build(name, folder)


def export_tree(text: str) -> Path:
    """The tree of a revision or a folder, copied where builds are kept; it is not compiled yet."""
    given = Path(text)
    if given.is_dir():
        if (given / NAME).is_file():
            return given.resolve()
        if not all((given / part).exists() for part in PARTS):
            raise ConfigError(f"{text} is no source tree of Othellier: {', '.join(PARTS)} expected in it")
        return _keep(_tree_name(given), lambda folder: _copy(given, folder))
    kept = builds_folder()
    commit = _git("rev-parse", "--quiet", "--verify", "--end-of-options", f"{text}^{{commit}}")
    if commit:
        return _keep(commit[:12], lambda folder: _archive(commit, folder))
    known = sorted(path.parent for path in kept.glob(f"{text}*/{NAME}")) if text.isalnum() else []
    if len(known) != 1:
        raise ConfigError(
            f"there is no revision and no folder {text!r} here" if not known else f"{text!r} is ambiguous"
        )
    return known[0]


def builds_folder() -> Path:
    """Where builds are kept."""
    return Path(os.environ.get(VARIABLE) or _root() / "build" / "revisions").resolve()


def _root() -> Path:
    """The checkout one works in, or the working folder."""
    here = Path.cwd()
    return next((folder for folder in (here, *here.parents) if all((folder / part).exists() for part in PARTS)), here)


# -- trees


def _keep(name: str, fill: Callable[[Path], None]) -> Path:
    """The kept folder of this name, filled if it is not there yet: wholly or not at all."""
    folder = builds_folder() / name
    if (folder / NAME).is_file():
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".new-", dir=folder.parent) as temporary:
        new = Path(temporary) / name
        new.mkdir()
        fill(new)
        (new / NAME).write_text(f"{name}\n", encoding="utf-8")
        try:
            new.rename(folder)
        except OSError:  # somebody else was quicker
            if not (folder / NAME).is_file():
                raise
    return folder


def _archive(commit: str, folder: Path) -> None:
    command = ["git", "-C", str(_root()), "archive", commit, *PARTS]
    command += [f":(exclude){part}" for part in WITHOUT]
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode:
        raise ConfigError(f"revision {commit[:12]} cannot be exported: {_last_line(done.stderr)}")
    with tarfile.open(fileobj=io.BytesIO(done.stdout)) as archive:
        # Python before 3.11.4 has no filters.
        archive.extraction_filter = getattr(tarfile, "data_filter", lambda member, path: member)
        archive.extractall(folder)


def _files(tree: Path) -> Iterator[Path]:
    """The files of a source tree that matter, with no products of a build among them."""
    for part in PARTS:
        for path in [tree / part] if (tree / part).is_file() else sorted((tree / part).rglob("*")):
            inside = path.relative_to(tree)
            if path.is_file() and not SKIPPED & set(inside.parts) and path.suffix not in (".so", ".pyc"):
                yield inside


def _tree_name(tree: Path) -> str:
    """A name for a tree as it is now: by its contents, after the revision it was made from where that is known."""
    base = _git("rev-parse", "--short=7", "HEAD", folder=tree)
    return f"{base or 'tree'}-{_digest(tree, _files(tree))}"


def _digest(tree: Path, files: Iterable[Path]) -> str:
    """Eight digits that change with these files."""
    digest = hashlib.sha256()
    for inside in files:
        data = (tree / inside).read_bytes()
        digest.update(f"{inside}\0{len(data)}\0".encode() + data)
    return digest.hexdigest()[:8]


def _copy(tree: Path, folder: Path) -> None:
    for inside in _files(tree):
        (folder / inside).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(tree / inside, folder / inside)


def _git(*arguments: str, folder: Path | None = None) -> str:
    """What git answers; nothing where it does not know, or is not there."""
    command = ["git", "-C", str(folder or _root()), *arguments]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


# -- compiling


def _take_module(folder: Path, name: str) -> None:
    """Put the extension module beside the package's files; trees with the same core share one, compiled once."""
    digest = _digest(folder, [inside for inside in _files(folder) if inside.parts[0] != "src"])
    kept = folder.parent / f"core-{digest}-{_machine()}"
    kept.mkdir(exist_ok=True)
    with _locked(kept):
        if not any(kept.glob("othellier/_core*")):
            _compile(folder, kept, name)
    shutil.copytree(kept / "othellier", folder / "src" / "othellier", dirs_exist_ok=True)


def _compile(folder: Path, kept: Path, name: str) -> None:
    """Compile the extension module of a tree."""
    beside = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    cmake, ninja = shutil.which("cmake", path=beside), shutil.which("ninja", path=beside)
    nanobind = util.find_spec("nanobind")
    if cmake is None or nanobind is None or nanobind.origin is None:
        raise ConfigError(f"revision {name} cannot be built: {'nanobind' if cmake else 'cmake'} is missing")
    logging.getLogger("othellier").warning("othellier: compiling %s, this once", name)
    work = kept / "cmake"
    configure = [
        *(cmake, "-S", str(folder), "-B", str(work), "-DCMAKE_BUILD_TYPE=Release", "-DSKBUILD=ON"),
        *(f"-DPython_EXECUTABLE={sys.executable}", f"-Dnanobind_DIR={Path(nanobind.origin).parent / 'cmake'}"),
        *(() if ninja is None else ("-G", "Ninja", f"-DCMAKE_MAKE_PROGRAM={ninja}")),
    ]
    log = kept / "build.log"
    steps = (configure, [cmake, "--build", str(work), "--parallel"], [cmake, "--install", str(work), "--prefix"])
    steps[2].append(str(kept))
    with log.open("wb") as out:
        for command in steps:
            if subprocess.run(command, stdout=out, stderr=subprocess.STDOUT, check=False).returncode:
                raise ConfigError(f"revision {name} cannot be built, {log} tells why")
    shutil.rmtree(work)


def _machine() -> str:
    """What a compiled module is for: this Python and this kind of processor."""
    facts = f"{sysconfig.get_config_var('EXT_SUFFIX')} {platform.machine()}"
    info = Path("/proc/cpuinfo")
    if info.exists():
        facts += next((line for line in info.read_text().splitlines() if line.startswith(("flags", "Features"))), "")
    return f"{zlib.crc32(facts.encode()):08x}"


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """One process at a time; the others wait."""
    with (folder / ".lock").open("w") as file:
        if not lock(file, PATIENCE):
            raise ConfigError(f"{folder} has been in use by another process for {PATIENCE:.0f} s")
        yield


def _last_line(data: bytes) -> str:
    return data.decode("utf-8", "replace").strip().rpartition("\n")[2]
