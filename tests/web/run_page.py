"""`othellier run` with a page, for tests that look at the page or ask its server."""

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from waiting import LIMIT, hear_line


@contextmanager
def running(config: Path) -> Iterator[tuple[str, str]]:
    """The address of the page and the id of its game; stopped as by Ctrl-C."""
    command = [sys.executable, "-m", "othellier", "run", str(config), "--no-browser", "--port", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, bufsize=0)
    assert process.stdout is not None
    try:
        line = hear_line(process.stdout, "the address of the page").decode()
        found = re.search(r"(http://[\w.:]+/)#([\w-]+)", line)
        assert found, line
        yield found[1], found[2]
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(LIMIT)
        process.stdout.close()
