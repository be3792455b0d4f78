"""One judge behind every door: the page, the command line, the terminal and Python say the same of the same game."""

import html
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from board import Client, board, server

from othellier import analyze, read
from othellier.arena.play import Played
from othellier.arena.player_report import (
    PlayerReport,
    ReportedGame,
    Review,
    page_name,
    review,
    write_player_report,
)
from othellier.cli import main
from othellier.coach.words import report
from othellier.rules import native

pytestmark = pytest.mark.skipif(not native.available, reason="the engine needs the compiled core")

MOVES = (
    "f5f6e6f4e3c5c4e7f7d7b5e2g4f3g5d6e8h3g6d8c8f8g8h4c6a5b4a3b6b3"
    "c3d2e1d3d1c1b1c2f2h7h6h5g3a6c7g1g2h1h2f1h8g7b2a1a7a8a2a4b8b7"
)
SETUP = (
    "(;GM[Othello]TY[8]RE[+24]BO[8 -******-O-*OOOO*-O***OO*-OO*O*O*--*OO*O--****O---O****O-O---**OO *]"
    "B[A7]W[G6]B[A4]W[A5]B[A3]W[C8]B[H1]W[A6]B[B5]W[B2]B[B8]W[A1]B[H5]W[H6]B[D8]W[PA]B[H7];)"
)
SIX = (
    "(;GM[Othello]TY[6]RE[-28]BO[6 --------------O*----*O-------------- *]"
    "B[B3]W[B4]B[B5]W[A4]B[E5]W[B6]B[A5]W[E2]B[D2]W[A6]B[F1]W[B2]B[A3]W[F6]B[D5]W[A2]B[F5]W[E4]B[E3]W[E6]B[B1]W[A1]"
    "B[C5]W[D6]B[PA]W[F2]B[F3]W[C1]B[PA]W[C2]B[PA]W[F4]B[D1]W[C6]B[PA]W[E1];)"
)
TEN = "(;FF[4]GM[2]SZ[10]AB[e6][f5]AW[e5][f6]PL[B];B[e4];W[f4])"
LEVEL = "quick"
ODD_GAMES = {
    "wiped out": ("e6f4e3f6g5d6e7f5c5", 9),
    "a pass before the first move": ("(;GM[Othello]TY[4]BO[4 O*-------------- *]B[PA]W[C1];)", 1),
    "set up, with a pass": (SETUP, 16),
    "6x6, with four passes": (SIX, 32),
}
"""Records, and how many moves of theirs are judged."""


def on_the_page_of(client: Client, record: str) -> dict[str, Any]:
    """The analysis of a record as the page's server tells it, by several searchers at once."""
    imported = client.post("/api/v1/import", content=record.encode()).json()
    with board(client, imported["games"][0]["game"]) as tab:
        tab.do("analyse", level=LEVEL)
        while not (told := tab.hear("analysis"))["done"]:
            pass
    found: dict[str, Any] = told["analysis"]
    return found


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with server() as client:
        yield client


@pytest.fixture(scope="module")
def on_the_page(client: Client) -> dict[str, Any]:
    return on_the_page_of(client, MOVES)


def check_agreement(
    told: dict[str, Any], record: str, capsys: pytest.CaptureFixture[str], folder: Path, judged: int
) -> None:
    """The command line prints the moves as the page is told them, and saves all of it alike."""
    saved = folder / "analysis.json"
    assert main(["analyze", record, "--level", LEVEL, "--json", "--save", str(saved)]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    whole = json.loads(saved.read_text(encoding="utf-8"))
    assert len(told["moves"]) == judged
    for move, line in zip(told["moves"], lines, strict=True):
        for field in move.keys() | line.keys():
            assert move[field] == line[field], f"{field} of {move['move']}"
    assert whole.keys() == told.keys()
    for part in whole:
        assert whole[part] == told[part], part


def test_page_and_command_line_agree_field_by_field(
    on_the_page: dict[str, Any], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    check_agreement(on_the_page, MOVES, capsys, tmp_path, 60)


def test_they_agree_on_odd_games_too(client: Client, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for record, judged in ODD_GAMES.values():
        check_agreement(on_the_page_of(client, record), record, capsys, tmp_path, judged)
    game = client.post("/api/v1/import", content=TEN.encode()).json()["games"][0]["game"]
    with board(client, game) as tab:  # the engine plays on smaller boards alone: both say so alike
        tab.do("analyse")
        told = tab.hear("error")["error"]["message"]
    assert main(["analyze", TEN]) == 2
    assert capsys.readouterr().err == f"othellier: {told}\n"


def test_another_move_is_judged_anew(client: Client) -> None:
    """Judgements of an earlier analysis stay for the moves it was about, and for no others."""
    game = client.post("/api/v1/import", content=b"f5d6c3").json()["games"][0]["game"]
    with board(client, game) as tab:
        for last in ("c3", "c4"):
            tab.do("undo")
            tab.do("move", square=last)
            tab.do("analyse", level=LEVEL)
            while not (told := tab.hear("analysis"))["done"]:
                pass
            assert [move["move"] for move in told["analysis"]["moves"]] == ["f5", "d6", last]


def test_python_and_the_terminal_agree_with_the_page(
    on_the_page: dict[str, Any], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    analysis = analyze(MOVES, LEVEL)
    assert json.loads(json.dumps(analysis.as_dict())) == on_the_page
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setattr("sys.stdin", __import__("io").StringIO(f"analyse {LEVEL}\nquit\n"))
    assert main(["play", "--terminal", "--black", "human", "--white", "human", "--load", MOVES]) == 0
    said = re.sub(r"[ \t]+", " ", capsys.readouterr().out)
    for line in report(analysis):
        assert re.sub(r"[ \t]+", " ", line) in said


def test_a_tournament_report_agrees_with_the_page(on_the_page: dict[str, Any], tmp_path: Path) -> None:
    (game,) = read(MOVES)
    analysis = analyze(game, LEVEL)
    played = ReportedGame("Ben", "white", Played.of_game(game, 0, {}))
    found = review(Review("Ann", (played,)))
    write_player_report(tmp_path, PlayerReport("Ann", 1, (played,), tuple(found["mistakes"]), found["loss"]))
    page = html.unescape((tmp_path / page_name("Ann")).read_text(encoding="utf-8"))
    moves = {move["ply"]: move for move in on_the_page["moves"]}
    assert found["mistakes"]
    for mistake in found["mistakes"]:
        told = mistake.judgement.as_dict(analysis.line, game.start.size)
        assert told == moves[told["ply"]]
        assert f"{told['move']} ({told['label']}, " in page
        assert " ".join(analysis.explain(mistake.judgement)) in page
