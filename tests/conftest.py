"""What all tests share: property tests are never judged by the clock, Ctrl-C works wherever they were started, and what
commands print with --json holds what is promised."""

import json
import signal
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import settings

from one_day import Calendar

settings.register_profile("othellier", deadline=None)
settings.load_profile("othellier")

# A shell starts what runs in the background with Ctrl-C ignored, and programs pass that on to those they start. Here
# it is sent on purpose; where it has a handler, the programs of the tests begin with the usual one.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--record", action="store_true", help="write the answers of data/recordings anew")


@pytest.fixture(autouse=True)
def promised_json(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever test runs a command with --json here, the keys are those of cli/keys.txt."""
    from othellier.terminal import output as common

    def dumps(value: dict[str, Any]) -> str:
        from typer._click.globals import get_current_context

        from othellier.cli.schemas import outputs

        context = get_current_context(silent=True)
        if context is not None:
            name = context.command_path.removeprefix("othellier ")
            faults = outputs()[name].faults(value)
            assert not faults, f"othellier {name} --json: {'; '.join(faults)}; cli/keys.txt promises otherwise"
        return json.dumps(value)

    monkeypatch.setattr(common, "_dumps", dumps)


@pytest.fixture
def calendar(monkeypatch: pytest.MonkeyPatch) -> Calendar:
    """For whatever asks what is due today."""
    calendar = Calendar()
    monkeypatch.setattr("othellier.openings.drill.datetime", calendar)
    return calendar


@pytest.fixture
def complaint(capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Run a command that must fail: what it says, in one line on standard error and nothing else."""
    from othellier.cli import main

    def told(*arguments: object) -> str:
        capsys.readouterr()
        assert main([str(argument) for argument in arguments]) == 2
        out, err = capsys.readouterr()
        assert not out
        assert err.startswith("othellier: ")
        assert err.count("\n") == 1
        return err.removeprefix("othellier: ").rstrip()

    return told
