"""Which tests there are: those of learning need PyTorch, which is not to be had everywhere (scripts/pytorch.sh)."""

import os
from importlib.util import find_spec

if find_spec("torch") is None and not os.environ.get("CI"):
    collect_ignore_glob = ["src/othellier/learn/*", "tests/learn/*"]
