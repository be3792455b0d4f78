"""Foundations without anything about Othello: files, text, the operating system, tables, processes.

aliases    words of published studies for players, options and strategies
builds     other revisions of this package, compiled and kept
fence      the fence around code of others in a process of its own: files, processes, network, memory
files      whole files read with a limit and written all or nothing
jobs       many jobs over processes or a cluster (the only dask import)
landlock   Linux: which files a process may read, for good
lazy       names of a package that are fetched when first used
machine    the machine that something was measured on
processor  processor time of processes, and processes kept to one core
qr         QR codes for a terminal
seccomp    Linux: which system calls a process may make, for good, on x86-64 and aarch64
sheets     tables as CSV, pages of tables and figures in one HTML file
system     what differs from one operating system to another: locks, processes, cores, memory
text       names and comments of others made fit to be kept and shown
"""

from __future__ import annotations

TYPE_CHECKING = False  # importing `typing` for it would cost every start

if TYPE_CHECKING:
    from othellier.base.files import map_file, read_file, write_file
    from othellier.base.jobs import Crew
    from othellier.base.sheets import csv_table, html_page, text_table
    from othellier.base.text import clean_line, clean_text, plain

__all__ = [
    "Crew",
    "clean_line",
    "clean_text",
    "csv_table",
    "html_page",
    "map_file",
    "plain",
    "read_file",
    "text_table",
    "write_file",
]

if not TYPE_CHECKING:
    from othellier.base.lazy import lazy_names

    __getattr__, __dir__ = lazy_names(
        __name__,
        {
            "othellier.base.files": ["map_file", "read_file", "write_file"],
            "othellier.base.jobs": ["Crew"],
            "othellier.base.sheets": ["csv_table", "html_page", "text_table"],
            "othellier.base.text": ["clean_line", "clean_text", "plain"],
        },
    )
