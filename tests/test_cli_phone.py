"""`othellier play --phone`: the address of this machine in its network, with a token, as text and as a code."""

import re
from typing import Any, Self

import pytest
from typer.testing import CliRunner

from othellier.base.qr import qr_text
from othellier.cli import web
from othellier.cli.play import app
from othellier.errors import ConfigError

ADDRESS = "http://192.168.1.7:8080/?token=abc"


def test_the_address_is_drawn_and_written(monkeypatch: pytest.MonkeyPatch) -> None:
    served: dict[str, Any] = {}

    def serve(**settings: Any) -> None:
        served.update(settings)
        settings["ready"](ADDRESS)

    monkeypatch.setattr("othellier.page.server.serve.serve", serve)
    monkeypatch.setattr(web, "network_address", lambda: "192.168.1.7")
    result = CliRunner().invoke(app, ["--phone", "--no-browser", "--private"])
    assert result.exit_code == 0, result.output
    assert served["hosts"] == ["0.0.0.0", "192.168.1.7"]
    assert ADDRESS in result.output
    signs = re.sub(r"\x1b\[[\d;]*m", "", qr_text(ADDRESS))
    assert signs in re.sub(r"\x1b\[[\d;]*m", "", result.output)


def test_a_machine_without_a_network_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    class Line:
        def __enter__(self) -> Self:
            return self

        def __exit__(self, *_: object) -> None:
            pass

        def connect(self, _: object) -> None:
            raise OSError("network is unreachable")

    monkeypatch.setattr("socket.socket", lambda *_: Line())
    with pytest.raises(ConfigError, match="in no network"):
        web.network_address()


def test_phone_and_host_exclude_each_other() -> None:
    result = CliRunner().invoke(app, ["--phone", "--host", "0.0.0.0"])
    assert isinstance(result.exception, ConfigError)
