"""`python -m benchmarks.mutants`: put small faults in, one at a time, and see whether the tests notice.

The faults stand in `benchmarks/mutants.toml`: a file, a text that occurs in it once, what takes its place, and the
tests that should fail. Each is put into a copy of the working tree under `build/mutants`, the core is built there if
need be, and the tests run until the first failure; a fault that makes them take too long is noticed too. There are as
many copies as jobs, each with a build of its own. Results stand in the table, `benchmarks/MUTANTS.md`, so a run that is
broken off goes on where it was, also one that began with `--fresh`; what survived is tried again, and so is a fault
that is new or was changed.
"""

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from pathlib import Path
from queue import SimpleQueue

ROOT = Path(__file__).parents[1]
LIST = Path(__file__).with_name("mutants.toml")
TABLE = Path(__file__).with_name("MUTANTS.md")
WORK = ROOT / "build" / "mutants"
SELFCHECK = "selfcheck"
"""Among the tests of a fault: the core's own test program."""
LIMIT = 900
"""Seconds for the tests of one fault; ten times what they take without it."""

SURVIVES = "**survives**"


@dataclass(frozen=True)
class Result:
    """What became of a fault: the test that caught it, if one did, and at which revision."""

    caught: str
    revision: str


@dataclass(frozen=True)
class Mutant:
    """A fault: `old` in `file` becomes `new`; `tests` should fail then, the whole suite if none are named."""

    name: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...] = ("tests",)

    @property
    def mark(self) -> str:
        """A fault that was changed has another one."""
        return hashlib.sha256(json.dumps(asdict(self)).encode()).hexdigest()[:8]

    def put_into(self, text: str) -> str:
        if text.count(self.old) != 1:
            sys.exit(f"{self.name}: the old text occurs {text.count(self.old)} times in {self.file}, not once")
        return text.replace(self.old, self.new)


def read_list() -> list[Mutant]:
    data = tomllib.loads(LIST.read_text(encoding="utf-8"))
    found = [Mutant(**{**item, "tests": tuple(item.get("tests", ("tests",)))}) for item in data["mutant"]]
    for mutant in found:
        mutant.put_into((ROOT / mutant.file).read_text(encoding="utf-8"))
    names = [mutant.name for mutant in found]
    if len(set(names)) < len(names):
        sys.exit("two faults have one name")
    return found


class Copy:
    """A copy of the working tree with a build of its own, in which one fault at a time is tried."""

    def __init__(self, number: int) -> None:
        self.home = WORK / str(number)
        self.tree, self.built = self.home / "tree", self.home / "build"
        self.python = self.home / "python" / "bin" / "python"
        self.revision = git("rev-parse", "--short", "HEAD").strip()
        self.tree.mkdir(parents=True, exist_ok=True)
        self._take_over()
        if not self.python.exists():
            self.run(sys.executable, "-m", "venv", "--without-pip", self.home / "python")
        # A Python that imports from the copy and not from the installed package.
        packages = [path for path in sys.path if Path(path).name == "site-packages"]
        site = next((self.home / "python" / "lib").glob("python3*")) / "site-packages"
        (site / "mutants.pth").write_text("\n".join([str(self.tree / "src"), *packages]) + "\n")
        if not (self.built / "build.ninja").exists():
            _, folder = self.run(sys.executable, "-m", "nanobind", "--cmake_dir")
            options = ("-DSKBUILD=ON", "-DOTHELLIER_SELFCHECK=ON", f"-DPython_EXECUTABLE={sys.executable}")
            paths = ("-S", self.tree, "-B", self.built, f"-Dnanobind_DIR={folder.strip()}")
            status, words = self.run("cmake", "-G", "Ninja", *paths, *options)
            if status != 0:
                sys.exit(words)

    def _take_over(self) -> None:
        """The working tree as git sees it. What has not changed is left alone, so that little is built again."""
        listed = git("ls-files", "-z", "--cached", "--others", "--exclude-standard")
        wanted = {name for name in listed.split("\0") if name and (ROOT / name).is_file()}
        for name in wanted:
            place = self.tree / name
            data = (ROOT / name).read_bytes()
            if not place.is_file() or place.read_bytes() != data:
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(data)
        for place in self.tree.rglob("*"):
            name = place.relative_to(self.tree).as_posix()
            if place.is_file() and name not in wanted and place.suffix not in (".so", ".pyc"):
                place.unlink()

    def run(self, *command: object, limit: float | None = None) -> tuple[int | None, str]:
        """Status and words of a command in the copy; no status where it took too long."""
        environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
        environment["PYTHONDONTWRITEBYTECODE"] = "1"  # faults come and go within one tick of file times
        # A session of its own, so that what it has started ends with it.
        with subprocess.Popen(
            [str(word) for word in command],
            cwd=self.tree,
            env=environment,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        ) as process:
            try:
                output, _ = process.communicate(timeout=limit)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, 9)
                process.communicate()
                return None, ""
        return process.returncode, output

    def build(self, tests: tuple[str, ...]) -> str:
        """Build what the tests need of the core and put it in its place; the compiler's words if it cannot."""
        targets = {SELFCHECK if test == SELFCHECK else "_core" for test in tests}
        status, words = self.run("ninja", "-C", self.built, *sorted(targets))
        if status != 0:
            return words
        if targets == {SELFCHECK}:
            return ""
        made = next(path for path in self.built.rglob("_core.*") if path.suffix == ".so")
        shutil.copy2(made, self.tree / "src" / "othellier" / made.name)
        return ""

    def failing(self, tests: tuple[str, ...], *options: str) -> str:
        """The first of the tests that fails, and nothing if none does."""
        if SELFCHECK in tests:
            status, words = self.run(self.built / SELFCHECK, limit=LIMIT)
            if status != 0:
                lines = words.strip().splitlines()
                return f"selfcheck: {lines[0].removeprefix('FAILED: ') if status and lines else 'it does not end'}"
        rest = [test for test in tests if test != SELFCHECK]
        if not rest:
            return ""
        command = (self.python, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *options, *rest)
        status, words = self.run(*command, limit=LIMIT)
        if status == 0:
            return ""
        if status is None:
            return "it does not end"
        failed = re.search(
            r"^(?:FAILED|ERROR) (\S+\.py\b.*?)(?: - .*)?$", words, re.MULTILINE
        )  # other programs log errors too
        return failed[1] if failed else f"pytest: status {status}"

    def try_one(self, mutant: Mutant) -> Result:
        """Put the fault in, test, take it out."""
        place = self.tree / mutant.file
        good = place.read_text(encoding="utf-8")
        place.write_text(mutant.put_into(good), encoding="utf-8")
        try:
            words = self.build(mutant.tests)
            caught = self.failing(mutant.tests) if not words else "the compiler"
        finally:
            place.write_text(good, encoding="utf-8")
        return Result(caught, self.revision)


def git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True, text=True).stdout


def table(mutants: list[Mutant], results: dict[str, Result]) -> str:
    tried = [(mutant, results[mutant.mark]) for mutant in mutants if mutant.mark in results]
    caught = sum(bool(result.caught) for _, result in tried)
    lines = [
        "# Mutants",
        "",
        "Small faults put in one at a time, and the first test that noticed each. Written by `make mutants`.",
        "",
        f"{len(mutants)} faults, {len(tried)} tried, {caught} caught.",
        "",
        "| fault | file | caught by | revision | mark |",
        "|---|---|---|---|---|",
    ]
    for mutant, result in tried:
        cells = mutant.name, mutant.file, result.caught or SURVIVES, result.revision, mutant.mark
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def read_table() -> dict[str, Result]:
    """The results of earlier runs by the mark of their fault."""
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    rows = [line.strip("| ").split(" | ") for line in lines if line.startswith("| ")][1:]
    return {mark: Result(caught.replace(SURVIVES, ""), revision) for _, _, caught, revision, mark in rows}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mutants", description="See whether faults are noticed.")
    parser.add_argument("--only", action="append", metavar="NAME", help="faults whose name contains this")
    parser.add_argument("--fresh", action="store_true", help="forget earlier results")
    parser.add_argument("--jobs", type=int, default=2, help="faults tried at the same time")
    parser.add_argument("--list", action="store_true", help="name the faults and go")
    arguments = parser.parse_args()
    everything = read_list()
    chosen = [m for m in everything if not arguments.only or any(name in m.name for name in arguments.only)]
    if arguments.list:
        print("\n".join(f"{mutant.name}: {mutant.file}" for mutant in chosen))
        return 0
    if not chosen:
        sys.exit("no fault has such a name")
    results = {} if arguments.fresh else read_table()
    todo = [m for m in chosen if arguments.only or m.mark not in results or not results[m.mark].caught]
    copies = [Copy(number) for number in range(max(1, min(arguments.jobs, len(todo))))]
    # Without a fault everything must pass, or nothing that fails says anything.
    tests = tuple(sorted({test for mutant in todo for test in mutant.tests}))
    if todo and (words := copies[0].build(tests) or copies[0].failing(tests, "-n", str(len(copies)))):
        sys.exit(f"without any fault: {words}")
    free: SimpleQueue[Copy] = SimpleQueue()
    for copy in copies:
        free.put(copy)

    def attempt(mutant: Mutant) -> tuple[Mutant, Result]:
        copy = free.get()
        try:
            return mutant, copy.try_one(mutant)
        finally:
            free.put(copy)

    with ThreadPoolExecutor(len(copies)) as threads:
        ends = as_completed([threads.submit(attempt, mutant) for mutant in todo])
        for number, end in enumerate(ends, 1):
            mutant, result = end.result()
            results[mutant.mark] = result
            said = f"caught by {result.caught}" if result.caught else "SURVIVES"
            print(f"{number}/{len(todo)} {mutant.name}: {said}", flush=True)
            TABLE.write_text(table(everything, results), encoding="utf-8")
    left = [mutant.name for mutant in chosen if not results[mutant.mark].caught]
    print(f"{len(chosen)} faults, {len(chosen) - len(left)} caught" + "".join(f"\nsurvives: {name}" for name in left))
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
