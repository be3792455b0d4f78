"""`python -m othellier` and `othellier` are the command line, which is loaded here, so that Ctrl-C can end that too."""

import os
import sys

__all__ = ["run"]

INTERRUPTED = 130
"""As in `cli.common`, which may not be there yet."""


def run() -> int:
    """Load the command line and run one command; the exit status."""
    try:
        from othellier.cli import main

        return main()
    except KeyboardInterrupt:
        return INTERRUPTED


if __name__ == "__main__":
    # `python -m` puts the working folder first, where a file may be named like a module of Python. It stays only where
    # this package is found by it.
    if not sys.flags.safe_path and sys.path[0] != os.path.dirname(os.path.dirname(__file__)):  # noqa: PTH120
        del sys.path[0]
    sys.exit(run())
