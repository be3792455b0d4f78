"""What counts as evidence: no value of a player's breaks a contest, and each player has a page of its own."""

from pathlib import Path

import pytest

from othellier import Result, tournament
from othellier.arena.player_report import PlayerReport, page_name, write_player_report
from othellier.board import Position


@pytest.mark.parametrize("values", [{"nodes": 10**5000}, {"score": 10**400}, {"score": float("nan")}, {"nodes": -5}])
def test_a_value_that_no_file_can_hold_loses_its_player_the_game(values: dict[str, float], tmp_path: Path) -> None:
    def boasts(position: Position) -> Result:
        return Result(position.moves()[0], position.turn, **values)  # type: ignore[arg-type]

    for _ in range(2):  # a tournament that goes on from its folder reads what was written
        report = tournament({"boasts": boasts, "dice": "random:seed=1"}, games=2, size=4, folder=tmp_path)
        cell = report.cells["boasts", "dice"]
        assert (cell.losses, cell.errors) == (2, 2)


def test_every_player_has_a_page_of_its_own(tmp_path: Path) -> None:
    names = ["李雷", "王芳", "__", "Ann B", "Ann_B", "Ann.B", Path(page_name("Ann B")).stem, "x" * 300, "x" * 301]
    for rank, name in enumerate(names, 1):
        write_player_report(tmp_path, PlayerReport(name, rank, (), (), None))
    pages = list((tmp_path / "players").iterdir())
    assert len(pages) == len(names)
    for name in names:
        assert f"<h1>{name}</h1>" in (tmp_path / page_name(name)).read_text(encoding="utf-8")
    assert page_name("王芳") == "players/王芳.html"
