"""Helper processes: what they answer arrives whole, or as one plain error."""

import contextlib
import itertools
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from othellier.errors import RequestError
from othellier.page.study.helper_process import Helper
from waiting import until

PIECE = bytes(range(256)) * 2000
"""More than a pipe holds: whoever writes it waits in the middle until it is read."""


@pytest.fixture
def helper(monkeypatch: pytest.MonkeyPatch) -> Iterator[Helper]:
    monkeypatch.setenv("PYTHONUNBUFFERED", "1")  # as containers like it
    with contextlib.closing(Helper()) as helper:
        yield helper


def wait_for_state(process: int, state: str) -> None:
    told = Path(f"/proc/{process}/stat")
    until(lambda: told.read_text().rpartition(")")[2].split()[0] == state, f"the helper in the state {state}")


@pytest.mark.skipif(sys.platform != "linux", reason="/proc tells when the helper waits")
def test_pieces_arrive_whole_though_the_helper_is_stopped_while_it_writes(helper: Helper) -> None:
    process = helper._process.pid
    found = 0
    for piece in helper.ask(itertools.repeat, PIECE, 5):
        assert piece == PIECE
        found += 1
        if found < 5:
            wait_for_state(process, "S")
            os.kill(process, signal.SIGSTOP)
            wait_for_state(process, "T")
            os.kill(process, signal.SIGCONT)
    assert found == 5


def test_a_helper_that_dies_in_the_middle_of_an_answer_is_one_plain_error(helper: Helper) -> None:
    answers = helper.ask(itertools.repeat, PIECE, 5)
    assert next(answers) == PIECE
    helper._process.kill()
    with pytest.raises(RequestError, match="given up"):
        list(answers)


def test_an_answer_that_is_damaged_is_one_plain_error(helper: Helper) -> None:
    # What is not text where a text is announced: pickle's own error is none of those it promises.
    damaged = b"\x80\x04\x8c\x02\xff\xff."
    reading, writing = os.pipe()
    os.write(writing, damaged)
    os.close(writing)
    assert helper._process.stdout is not None
    helper._process.stdout.close()
    helper._process.stdout = os.fdopen(reading, "rb")
    with pytest.raises(RequestError, match="given up"):
        next(helper.ask(itertools.repeat, PIECE, 1))
