"""A copy of the package to which something is added, by touching only the files that ARCHITECTURE.md names for it."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from othellier.rules import native

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "othellier"
LARGE = ("data",)  # folders that are linked, not copied
PACKAGES = ("site-packages", "dist-packages")  # what folders of installed packages are called


def named_files(thing: str) -> set[str]:
    """The files that the table "Where do I add …" names for a thing."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    row = re.search(rf"^\| {re.escape(thing)} \| ([^|]+) \|", text, re.MULTILINE)
    assert row is not None, f"ARCHITECTURE.md does not tell where to add {thing}"
    return set(re.findall(r"`([^`]+)`", row[1]))


class Addition:
    """The copy, what was touched in it, and how to try it out."""

    def __init__(self, thing: str, folder: Path) -> None:
        self.allowed = named_files(thing)
        self.package = folder / "src" / "othellier"
        self.folder = folder
        shutil.copytree(PACKAGE, self.package, ignore=shutil.ignore_patterns("*.so", "__pycache__", *LARGE))
        for name in LARGE:
            for path in PACKAGE.rglob(name):
                (self.package / path.relative_to(PACKAGE)).symlink_to(path)
        assert native.core is not None
        core = Path(str(native.core.__file__))
        (self.package / core.name).symlink_to(core)

    def write(self, name: str, text: str) -> None:
        """A new file; `NAME` in the document stands for any name."""
        stem = Path(name).stem.removesuffix("_routes")
        assert name.replace(stem, "NAME") in self.allowed, f"the page does not name {name}"
        (self.package / name).parent.mkdir(exist_ok=True)
        assert not (self.package / name).exists()
        (self.package / name).write_text(text, encoding="utf-8")

    def edit(self, name: str, *pairs: tuple[str, str]) -> None:
        """Put something behind (or before) what stands in a file."""
        assert name in self.allowed, f"the page does not name {name}"
        text = (self.package / name).read_text(encoding="utf-8")
        for old, new in pairs:
            assert text.count(old) == 1, f"{name}: {old!r} stands there {text.count(old)} times"
            text = text.replace(old, new)
        (self.package / name).write_text(text, encoding="utf-8")

    def translate(self, name: str, words: dict[str, str]) -> None:
        """Add words to a file of translations."""
        known = json.loads((self.package / name).read_text(encoding="utf-8"))
        assert name in self.allowed, f"the page does not name {name}"
        (self.package / name).write_text(json.dumps(known | words), encoding="utf-8")

    @property
    def environment(self) -> dict[str, str]:
        """Without the site's own paths, where the package under test would be found first (`python -S`)."""
        # All there are: in a copy of `make mutants` the packages are those of another environment.
        paths = [str(self.package.parent), *(path for path in sys.path if Path(path).name in PACKAGES)]
        return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}

    def run(self, code: str) -> str:
        """What a program prints that uses the copy."""
        done = subprocess.run(
            [sys.executable, "-S", "-c", code],
            env=self.environment,
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def command(self, *arguments: str) -> str:
        """What a command prints."""
        return self.run(f"from othellier.cli import main; raise SystemExit(main({list(arguments)!r}))")
