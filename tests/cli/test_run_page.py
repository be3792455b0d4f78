"""A configuration that opens the game: `display: page` serves that very game."""

import json
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from run_page import running
from websockets.sync.client import connect
from websockets.typing import Origin

from othellier import records
from othellier.config.models import RunConfig, load
from waiting import LIMIT


def state(address: str, game: str) -> dict[str, Any]:
    with urllib.request.urlopen(f"{address}api/v1/games/{game}", timeout=LIMIT) as answer:
        found: dict[str, Any] = json.load(answer)
        return found


@pytest.mark.parametrize(
    ("text", "display"), [("true", "page"), ("false", "none"), ("page", "page"), ("moves", "moves")]
)
def test_display_is_read_as_the_document_writes_it(text: str, display: str, tmp_path: Path) -> None:
    path = tmp_path / "config.yaml"
    path.write_text(f"display: {text}\n")
    assert load(path, RunConfig).display == display


def test_people_click_against_the_player_configured(tmp_path: Path) -> None:
    config = tmp_path / "game.yaml"
    config.write_text(
        "display: true\nsize: 6\nblack: {algorithm: human, name: Ann}\n"
        "white: {algorithm: alphabeta, depth: 2, evaluation: mobility}\n"
    )
    with running(config) as (address, game):
        found = state(address, game)
        assert found["size"] == {"rows": 6, "columns": 6}
        assert found["players"]["black"]["kind"] == "human"
        assert found["players"]["black"]["name"] == "Ann"
        assert found["players"]["white"]["spec"] == "alphabeta:depth=2,eval=mobility"
        assert found["your_turn"] is True


def test_two_machines_are_watched_and_their_game_is_kept(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def choose(position):\n    return position.moves()[0]\n")
    config, record, numbers = (tmp_path / name for name in ("game.yaml", "game.ggf", "numbers.json"))
    config.write_text(
        f"display: page\nsize: 4\ntime: 5\nblack: {{algorithm: '{tmp_path / 'mine.py'}:choose', name: Mine}}\n"
        f"white: alphabeta:depth=2\nrecord: {record}\nstatistics: {numbers}\n"
    )
    with running(config) as (address, game):
        socket = f"{address.replace('http', 'ws')}api/v1/games/{game}/socket"
        with connect(socket, origin=Origin(address.rstrip("/"))) as watching:
            while '"over":true' not in str(watching.recv(timeout=LIMIT)).replace(" ", ""):
                pass
    (kept,) = records.read(record)
    assert (kept.headers.black, kept.outcome() is not None) == ("Mine", True)
    assert json.loads(numbers.read_text())["games"] == 1
