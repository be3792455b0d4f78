"""`python -m benchmarks [--wthor FOLDER] [--out FILE]`: measure, print the table, keep it in a file."""

import os
from pathlib import Path

from benchmarks import foundation
from benchmarks.measure import arguments_of, publish_rows


def main() -> None:
    parser = arguments_of("benchmarks", "Measure what Othellier promises.")
    parser.add_argument("--wthor", type=Path, help="folder of .wtb files")
    arguments = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):  # one core, whatever a library would like to take
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    publish_rows(
        "Benchmarks", "Written by `make bench`, on one core.\n", foundation.rows(arguments.wthor), arguments.out
    )


if __name__ == "__main__":
    main()
