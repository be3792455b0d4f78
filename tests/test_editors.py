"""Editors and notebooks complete the public names without running the package, as Jedi does."""

import sys
from pathlib import Path

import pytest

import othellier

ROOT = Path(__file__).parents[1]


def test_editors_complete_the_public_names() -> None:
    """Jedi follows imports `if TYPE_CHECKING` only where it cannot read that this is false."""
    jedi = pytest.importorskip("jedi")
    environment = jedi.create_environment(sys.base_prefix, safe=False)  # without the loader of an editable install
    project = jedi.Project(ROOT, sys_path=[str(ROOT / "src")])

    def completed(code: str) -> set[str]:
        script = jedi.Script(f"import othellier\n{code}.", environment=environment, project=project)
        return {completion.name for completion in script.complete()}

    assert set(othellier.__all__) <= completed("othellier")
    assert {"search", "solve", "analyze"} <= completed("othellier.Engine()")
    assert {"moves", "play", "flips"} <= completed("othellier.start()")
