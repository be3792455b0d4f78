"""What docs/teaching.md shows happens."""

import doctest
from pathlib import Path

DOCUMENT = Path(__file__).parents[1] / "docs" / "teaching.md"


def test_the_examples_run() -> None:
    result = doctest.testfile(str(DOCUMENT), module_relative=False, encoding="utf-8", optionflags=doctest.ELLIPSIS)
    assert result.attempted >= 8
    assert result.failed == 0
