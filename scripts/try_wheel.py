"""Tries an installed wheel as a new user would: every variant of its core, a move of the engine, the page.

Run by the Python it is installed in, from anywhere: `python -I scripts/try_wheel.py`. cibuildwheel does so on every
system; whatever is wrong ends it with an error.
"""

import os
import re
import subprocess
import sys
import sysconfig
import tempfile
import threading
import time
import urllib.request
from importlib import import_module
from pathlib import Path

SECONDS = 300
PERFT = {"8": (6, 8200), "6": (6, 7604)}


def program() -> str:
    """The command as it was installed."""
    name = "othellier.exe" if os.name == "nt" else "othellier"
    return str(Path(sysconfig.get_path("scripts")) / name)


def run(*arguments: str, **variables: str) -> str:
    """What a command prints."""
    done = subprocess.run(
        [program(), *arguments],
        env={**os.environ, **variables},
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        timeout=SECONDS,
        check=True,
    )
    return done.stdout


def variants() -> list[str]:
    """The variants of the core that this wheel carries and this processor runs, and the plain Python rules."""
    from othellier.rules import native

    if not native.available:
        raise SystemExit("the wheel came without its compiled core")
    folder = Path(native.__file__).parent / "_variants"
    if not folder.is_dir():
        return [native.variant, "python"]
    level: int = import_module("othellier._cpu").level()
    names = sorted(path.name for path in folder.iterdir())
    return [name for name in names if int(name[-1]) <= level] + ["python"]


def serve() -> int:
    """Start the page, fetch it, end it: how many bytes it has."""
    command = [program(), "play", "--no-browser", "--private", "--port", "0"]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True, encoding="utf-8") as process:
        watch = threading.Timer(SECONDS, process.kill)
        watch.start()
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            address = re.search(r"http://\S+", line)
            if address is None:
                raise SystemExit(f"the page is nowhere: {line!r}")
            with urllib.request.urlopen(address[0], timeout=60) as page:
                return len(page.read())
        finally:
            watch.cancel()
            process.kill()


def main() -> None:
    """All of it."""
    import othellier

    begin = time.perf_counter()
    if Path(othellier.__file__).is_relative_to(Path(__file__).parents[1] / "src"):
        raise SystemExit("this is the source tree, not the installed package")
    found = variants()
    for name in found:
        for size, (depth, leaves) in PERFT.items():
            told = run("perft", "--size", size, "--depth", str(depth), OTHELLIER_CORE=name)
            if f"{leaves:,} leaves" not in told:
                raise SystemExit(f"{name}: {told}")
    answer = run("evaluate", "--size", "8", "--depth", "8")
    page = serve()
    print(f"Python {sys.version.split()[0]}: {', '.join(found)}; {answer.split()[3]} played; a page of {page:,} bytes;")
    print(f"all in {time.perf_counter() - begin:.0f} s")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:  # nothing of the source tree is beside it
        os.chdir(folder)
        main()
        os.chdir(Path(folder).anchor)
