"""`python -m othellier` is the command line."""

import sys

from othellier.cli import main

__all__: list[str] = []

sys.exit(main())
