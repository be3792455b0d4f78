"""`python -m othellier` and `othellier` are the command line, which is loaded here, so that Ctrl-C can end that too."""

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
    sys.exit(run())
