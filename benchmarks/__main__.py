"""`python -m benchmarks [--wthor FOLDER] [--out FILE]`: measure, print the table, keep it in a file."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from benchmarks import foundation
from benchmarks.measure import markdown, publish
from othellier import native
from othellier.lab.machine import machine

__all__: list[str] = []


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure what Othellier promises.")
    parser.add_argument("--wthor", type=Path, help="folder of .wtb files")
    parser.add_argument("--out", type=Path, help="write the table to this file too")
    arguments = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):  # one core, whatever a library would like to take
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    table = markdown(list(foundation.rows(arguments.wthor)))
    text = (
        "# Benchmarks\n\nWritten by `make bench`, on one core.\n"
        f"Machine: {machine()}. Core: {native.variant}.\n\n{table}"
    )
    publish(text, arguments.out)


if __name__ == "__main__":
    main()
