"""The commands about openings: book, xot, database, openings."""

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from one_day import Calendar
from othellier import records
from othellier.base.files import reserve
from othellier.cli import main
from othellier.games.game import Game, Headers, Outcome
from othellier.openings.book import Book, Entry
from othellier.openings.keys import key_of
from othellier.records.transcript import parse_moves
from othellier.rules import native


def run(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> str:
    status = main([str(argument) for argument in arguments])
    out, err = capsys.readouterr()
    assert status == 0, err
    return out


def facts(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> dict[str, Any]:
    found = json.loads(run(capsys, *arguments, "--json"))
    assert isinstance(found, dict)
    return found


@pytest.fixture(scope="module")
def bib(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small book grown by the engine itself."""
    path = tmp_path_factory.mktemp("book") / "small.bib"
    options = ["--positions", "60", "--plies", "2", "--depth", "3", "--executor", "here"]
    assert main(["book", "build", str(path), *options]) == 0
    return path


# -- book


def test_a_book_grows_goes_on_and_says_how_good_it_is(
    capsys: pytest.CaptureFixture[str], complaint: Callable[..., str], tmp_path: Path
) -> None:
    path = tmp_path / "grown.bib"
    options = ("--plies", "2", "--depth", "3", "--executor", "here")
    first = facts(capsys, "book", "build", path, "--positions", "40", *options)
    assert first["positions"] == first["added"] + 1 >= 40
    more = facts(capsys, "book", "build", path, "--positions", "60", "--quality", "5", *options)
    assert more["positions"] == first["positions"] + more["added"] >= 60
    assert more["quality"]["positions"] == 5
    assert more["quality"]["mean"] >= abs(more["quality"]["bias"])
    assert len(Book.open(path)) == more["positions"]
    late = facts(capsys, "book", "build", path, "--positions", "90", "--minutes", "0", *options)
    assert (late["positions"], late["added"], late["covered"]) == (more["positions"], 0, more["covered"])
    path.write_bytes(b"no book")
    assert "too short" in complaint("book", "build", path, *options)
    assert path.read_bytes() == b"no book"


def test_a_book_is_written_by_one_command_at_a_time(complaint: Callable[..., str], tmp_path: Path, bib: Path) -> None:
    book = tmp_path / "book.bib"
    book.write_bytes(bib.read_bytes())
    with reserve(book):
        for command in (
            ("build", book, "--positions", "90", "--depth", "1", "--executor", "here"),
            ("import", bib, book),
            ("export", bib, book),
            ("merge", bib, bib, book),
            ("prune", bib, book),
        ):
            assert complaint("book", *command) == f"{book}: is being written by another run"
    assert book.read_bytes() == bib.read_bytes()


def test_info_is_a_summary_by_moves(capsys: pytest.CaptureFixture[str], bib: Path) -> None:
    found = facts(capsys, "book", "info", bib)
    assert found["positions"] == sum(row["positions"] for row in found["rows"]) == len(Book.open(bib))
    assert [row["moves"] for row in found["rows"]][:3] == [0, 1, 2]
    assert [row["positions"] for row in found["rows"]][:3] == [1, 1, 3]
    covered = found["covered"]["moves"]  # how far so small a book goes depends on the engine
    assert found["covered"] == {"width": 4.0, "moves": covered}
    assert 0 < covered < facts(capsys, "book", "info", bib, "--width", "0")["covered"]["moves"]
    text = run(capsys, "book", "info", bib)
    assert f"all lines within 4 discs of best for {covered} moves" in text
    assert "moves  positions    exact   values" in text


def test_query_tells_the_moves_best_first(
    capsys: pytest.CaptureFixture[str], complaint: Callable[..., str], bib: Path
) -> None:
    found = facts(capsys, "book", "query", "f5", "--book", bib)
    assert {move["move"] for move in found["moves"]} == {"d6", "f4", "f6"}
    values = [move["value"] for move in found["moves"]]
    assert values == sorted(values, reverse=True)
    assert found["value"] == values[0]
    assert {move["opening"] for move in found["moves"]} == {"Perpendicular", "Parallel", "Diagonal"}
    by_board = facts(capsys, "book", "query", "--position", found["board"], "--book", bib)
    assert by_board["moves"] == found["moves"]
    assert "Perpendiculaire" in run(capsys, "book", "query", "f5", "--book", bib, "--lang", "fr")
    assert "not in the book" in run(capsys, "book", "query", "f5f4e3d2c3", "--book", bib)
    assert "illegal move a1" in complaint("book", "query", "f5a1", "--book", bib)
    assert "no such file" in complaint("book", "query", "f5", "--book", "none.bib")


def test_books_are_exported_and_imported(capsys: pytest.CaptureFixture[str], bib: Path, tmp_path: Path) -> None:
    size = len(Book.open(bib))
    edax, copy, lines = tmp_path / "book.dat", tmp_path / "copy.bib", tmp_path / "lines.ggf"
    assert facts(capsys, "book", "export", bib, edax)["positions"] == size
    assert facts(capsys, "book", "import", edax, copy) == {"file": str(copy), "positions": size, "added": size}
    assert facts(capsys, "book", "import", bib, copy)["added"] == 0
    run(capsys, "book", "export", bib, tmp_path / "same.bib")
    assert (tmp_path / "same.bib").read_bytes() == bib.read_bytes()
    assert facts(capsys, "book", "export", bib, lines, "--width", "1")["games"] == len(records.read(lines)) > 1
    small = facts(capsys, "book", "prune", bib, tmp_path / "pruned.bib", "--plies", "1")
    assert (small["positions"], small["left_out"]) == (2, size - 2)
    assert facts(capsys, "book", "merge", tmp_path / "pruned.bib", bib, copy)["positions"] == size


def test_games_are_imported_as_a_book(
    capsys: pytest.CaptureFixture[str], complaint: Callable[..., str], tmp_path: Path
) -> None:
    games = [Game.from_moves(parse_moves(moves), result=Outcome(2)) for moves in ("f5d6c3", "f5d6c5", "c4e3")]
    records.write(games, tmp_path / "games.ggf")
    found = facts(capsys, "book", "import", tmp_path / "games.ggf", tmp_path / "games.bib", "--least", "2")
    assert found["positions"] == 3
    (tmp_path / "empty").mkdir()
    assert "no file of games" in complaint("book", "import", tmp_path / "empty", tmp_path / "games.bib")


def test_books_that_disagree_are_named(complaint: Callable[..., str], tmp_path: Path) -> None:
    for name, value in (("a.bib", 2), ("b.bib", 4)):
        Book.make({key_of(native.start()): Entry(value, 100, 1.0, 0.0)}).save(tmp_path / name)
    before = (tmp_path / "a.bib").read_bytes()
    line = complaint("book", "import", tmp_path / "b.bib", tmp_path / "a.bib")
    assert "b.bib: disagrees with" in line
    assert (tmp_path / "a.bib").read_bytes() == before


# -- balanced starts


def test_a_list_of_starts_is_checked_sampled_and_compared(
    capsys: pytest.CaptureFixture[str], complaint: Callable[..., str], tmp_path: Path
) -> None:
    path = tmp_path / "starts.txt"
    path.write_text("f5d6c3d3c4f4c5b3 +0.5\nf5f6e6f4e3c5c4e7 -1\n")
    options = ("--check", "--depth", "3", "--band", "2", "--sample", "5", "--executor", "here")
    found = facts(capsys, "xot", "build", path, *options)
    assert (found["starts"], found["openings"], found["valued_again"], found["absent_valued"]) == (2, 67245, 2, 5)
    assert found["outside"] == (found["farthest"] > 2)
    assert 0 <= found["absent_inside"] <= 5
    assert "outside the band" in complaint("xot", "build", path, "--check", "--band", "0.1")
    assert facts(capsys, "xot", "sample", "--file", path, "--seed", "1")["moves"] in (
        "F5D6C3D3C4F4C5B3",
        "F5F6E6F4E3C5C4E7",
    )
    refined = tmp_path / "refined.txt"
    kept = facts(capsys, "xot", "refine", path, refined, "--depth", "3", "--band", "20", "--executor", "here")
    assert (kept["valued"], kept["starts"]) == (2, 2)
    assert facts(capsys, "xot", "build", refined, *options[:1], "--sample", "0", "--band", "20")["starts"] == 2
    narrow = facts(capsys, "xot", "refine", path, refined, "--depth", "0", "--band", "0.5")
    assert (narrow["valued"], narrow["starts"]) == (2, 1)
    assert refined.read_text().endswith("\nF5D6C3D3C4F4C5B3\t+0.5\n"), "with the value it had"
    unvalued = _file(tmp_path, "f5d6c3d3c4f4c5b3\n")
    assert "has no value" in complaint("xot", "refine", unvalued, refined, "--depth", "0")
    other = tmp_path / "other.txt"
    other.write_text("c4e3f6e6f5c5f4g6\nf5f6e6f4g5e7e3g4\n")
    compared = facts(capsys, "xot", "compare", other, "--file", path)
    assert compared == {"ours": 2, "theirs": 2, "both": 1, "only_ours": 1, "only_theirs": 1}
    assert "name the file to write" in complaint("xot", "build")
    assert "illegal move" in complaint("xot", "compare", _file(tmp_path, "f5a1\n"))


def _file(folder: Path, text: str) -> Path:
    path = folder / "bad.txt"
    path.write_text(text)
    return path


def test_the_built_in_starts_can_be_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    first = facts(capsys, "xot", "sample", "--seed", "7")
    assert first == facts(capsys, "xot", "sample", "--seed", "7")
    assert len(first["moves"]) == 16
    assert Game.from_moves(parse_moves(first["moves"])).end.position.board_string() == first["board"]


# -- databases


@pytest.fixture
def database(tmp_path: Path) -> tuple[Path, Path]:
    """A folder of games, and where to keep its index."""
    folder = tmp_path / "games"
    folder.mkdir()
    played = [("Ann", "Bob", "f5d6c3d3c4", 4), ("Bob", "Cid", "c4e3f6e6f5", -6), ("Cid", "Ann", "f5f6e6f4", 0)]
    games = []
    for black, white, moves, score in played:
        headers = Headers(black=black, white=white, event="Cup", date="1999")
        games.append(Game.from_moves(parse_moves(moves), headers=headers, result=Outcome(score)))
    records.write(games, folder / "WTH_1999.wtb")
    return folder, tmp_path / "games.index"


def test_a_database_is_indexed_and_searched(
    capsys: pytest.CaptureFixture[str], complaint: Callable[..., str], database: tuple[Path, Path]
) -> None:
    folder, index = database
    made = facts(capsys, "database", "index", folder, "--index", index)
    assert (made["games"], made["left_out"], made["index"]) == (3, 0, str(index))
    search = ("database", "search", folder, "--index", index)
    tiger = facts(capsys, *search, "--position", "f5d6c3d3c4")
    assert (tiger["count"], tiger["searched"]) == (2, 3)
    assert [(game["black"], game["score"]) for game in tiger["games"]] == [("Ann", 4), ("Bob", -6)]
    board = Game.from_moves(parse_moves("f5d6c3d3c4")).end.position.board_string()
    assert facts(capsys, *search, "--position", board)["count"] == 2
    assert facts(capsys, *search, "--opening", "tigre", "--player", "ann")["count"] == 1
    assert facts(capsys, *search, "--result", "draw", "--year", "1990-")["count"] == 1
    assert facts(capsys, *search, "--year", "-1998")["count"] == 0
    assert facts(capsys, *search, "--tournament", "cup", "--limit", "1")["games"][0]["number"] == 0
    assert "2 of 3 games" in run(capsys, *search, "--position", "f5d6")
    assert "not a year" in complaint(*search, "--year", "199x")
    assert "no opening is called" in complaint(*search, "--opening", "kangaroo")
    assert "cannot be read" in complaint("database", "search", folder / "none.wtb", "--index", index)


def test_the_openings_of_a_database_are_counted(
    capsys: pytest.CaptureFixture[str], database: tuple[Path, Path]
) -> None:
    folder, index = database
    found = facts(capsys, "database", "openings", folder, "--index", index, "--lang", "fr")
    assert (found["games"], found["named"], found["share"]) == (3, 3, 1.0)
    assert found["from"] == {"2": 1.0, "3": 0.6667, "4": 0.6667, "5": 0.6667}
    assert [(one["name"], one["games"]) for one in found["openings"]] == [("Tigre", 2), ("Diagonale", 1)]
    shallow = facts(capsys, "database", "openings", folder, "--index", index, "--moves", "2", "--limit", "1")
    assert shallow["openings"] == [{"name": "Perpendicular", "moves": "F5D6", "games": 2}]
    assert "3 of 3 games have a name after 12 moves" in run(capsys, "database", "openings", folder, "--index", index)


def test_statistics_of_a_position(capsys: pytest.CaptureFixture[str], database: tuple[Path, Path], bib: Path) -> None:
    folder, index = database
    stats = ("database", "stats", folder, "--index", index, "--book", bib)
    found = facts(capsys, *stats, "--position", "f5")
    assert (found["games"], found["black"], found["draws"], found["white"]) == (3, 1, 1, 1)
    assert {move["move"]: move["games"] for move in found["moves"]} == {"d6": 2, "f6": 1, "f4": 0}
    assert all(move["book"]["value"] is not None for move in found["moves"])
    whole = facts(capsys, *stats, "--player", "cid")
    assert [(move["move"], move["same"], move["games"]) for move in whole["moves"]] == [("f5", ["e6", "d3", "c4"], 2)]
    assert "Perpendicular" in run(capsys, *stats, "--position", "f5")


# -- study


def test_names_are_listed_and_given(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "openings", "name", "f5d6c3d3c4", "--lang", "fr") == "Tigre\n"
    assert facts(capsys, "openings", "name", "f5") == {"name": "", "moves": ""}
    lines = run(capsys, "openings", "names", "--json").splitlines()
    assert len(lines) >= 80
    assert json.loads(lines[0]) == {"moves": "F5D6", "en": "Perpendicular", "fr": "Perpendiculaire"} | {
        "ja": "縦取り",
        "doubtful": [],
    }
    assert "Heath-Bat" in run(capsys, "openings", "names", "heath")


def test_a_tree_shows_names_values_and_results(
    capsys: pytest.CaptureFixture[str], database: tuple[Path, Path], bib: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, index = database
    monkeypatch.setattr("othellier.openings.games.index_path", lambda _: index)
    lines = run(capsys, "openings", "tree", "f5", "--depth", "2", "--games", folder, "--book", bib).splitlines()
    assert lines[0].startswith("f5 ")
    assert "(3 games: 1-1-1)" in lines[0]
    assert any("  d6" in line and "Perpendicular" in line and "(2 games: 1-0-1)" in line for line in lines)
    as_json = [json.loads(line) for line in run(capsys, "openings", "tree", "f5d6c3", "--json").splitlines()]
    assert {line["opening"] for line in as_json} >= {"Tiger", "Inhuman"}


def test_a_drill_asks_corrects_and_remembers(
    capsys: pytest.CaptureFixture[str],
    complaint: Callable[..., str],
    tmp_path: Path,
    bib: Path,
    monkeypatch: pytest.MonkeyPatch,
    calendar: Calendar,
) -> None:
    deck = tmp_path / "deck.json"
    drill = ("openings", "drill", "tiger", "--color", "white", "--plies", "4", "--book", bib, "--deck", deck)
    monkeypatch.setattr("sys.stdin", io.StringIO("what\nd6\nf4\n"))
    out = run(capsys, *drill)
    assert "Legal are f4, d6, f6." in out
    assert "Right." in out
    assert "No: d3." in out
    assert "1 of 2 right, 1 left for today" in out
    monkeypatch.setattr("sys.stdin", io.StringIO("q\n"))
    assert "0 of 0 right, 1 left for today" in run(capsys, *drill)
    monkeypatch.setattr("sys.stdin", io.StringIO("f4\nd3\n"))
    assert "1 of 2 right, 0 left for today" in run(capsys, *drill)  # asked until it is known
    assert run(capsys, *drill) == "Nothing is due today.\n"
    calendar.next_day()
    for most in (2, 1):
        monkeypatch.setattr("sys.stdin", io.StringIO("q\n"))
        assert f"0 of 0 right, {most} left for today" in run(capsys, *drill, "--cards", str(most))
    assert "no opening is called 'kangaroo'" in complaint("openings", "drill", "kangaroo", "--deck", deck)
