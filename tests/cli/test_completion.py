"""Completion as shells ask for it: bash itself, and what zsh and fish call."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from waiting import LIMIT

PROGRAM = Path(sys.executable).parent / "othellier"
ASK = """
eval "$(_OTHELLIER_COMPLETE=source_bash othellier)"
COMP_WORDS=(othellier %s) COMP_CWORD=%d
$(complete -p othellier | sed 's/.*-F \\([^ ]*\\) .*/\\1/') othellier
printf '%%s\\n' "${COMPREPLY[@]}"
"""


def asked(*command: str, **variables: str) -> str:
    path = os.pathsep.join((str(PROGRAM.parent), os.environ["PATH"]))
    environment = {**os.environ, "PATH": path, "LC_ALL": "C.UTF-8", **variables}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=LIMIT, check=False)
    return done.stdout


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")
@pytest.mark.parametrize(("words", "place", "answer"), [("an", 1, "analyze"), ("book pr", 2, "prune")])
def test_bash_completes_commands(words: str, place: int, answer: str) -> None:
    assert asked("bash", "-c", ASK % (words, place)).split() == [answer]


def test_zsh_and_fish_are_told_what_there_is() -> None:
    words = {"_TYPER_COMPLETE_ARGS": "othellier analyze --lev"}
    assert "--level" in asked(str(PROGRAM), _OTHELLIER_COMPLETE="complete_zsh", **words)
    words |= {"_TYPER_COMPLETE_FISH_ACTION": "get-args"}
    assert asked(str(PROGRAM), _OTHELLIER_COMPLETE="complete_fish", **words).startswith("--level\t")
