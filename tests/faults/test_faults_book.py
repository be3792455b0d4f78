"""A book that is growing, killed, without workers, without room: it is always whole, and its values are the same."""

import json
from pathlib import Path

import pytest
from faulty import MOMENTS, die, full_disk, kill_a_worker, read_only

from othellier.base.jobs import Crew
from othellier.cli import main
from othellier.engine.analysts import analyst
from othellier.openings.book import Book
from othellier.openings.build import BookPlan, Builder
from othellier.rules import native

pytestmark = pytest.mark.skipif(not native.available, reason="the engine needs the compiled core")

PLIES, POSITIONS, DEPTH = 4, 160, 2
GROW = ["book", "build", "--plies", str(PLIES), "--width", "2", "--depth", str(DEPTH), "--exact", "6", "--json"]

SAVING = """
import sys
from othellier.cli import main
from othellier.openings import grow
grow.SAVE_EVERY = -1.0  # after every position
sys.exit(main(sys.argv[1:]))
"""


def command(file: Path, positions: int = POSITIONS) -> list[str]:
    return [*GROW, str(file), "--positions", str(positions), "--jobs", "1"]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Book:
    """A book that grew in peace."""
    file = tmp_path_factory.mktemp("whole") / "book"
    assert main(command(file)) == 0
    return Book.open(file)


def check(book: Book, whole: Book) -> None:
    """Ends of lines have the value that the engine gives them, whoever asks; all others that of their best move."""
    other = dict(whole.items())
    ends = inner = 0
    for key, entry in book.items():
        position = native.position(*key)
        moves = book.moves(position)
        if moves and len(moves) == len(position.moves()):
            inner += 1
            assert (entry.value, entry.confidence - 1) == max(known.entry[:2] for known in moves)
        elif key in other and len(whole.moves(position)) == len(moves):
            ends += 1
            assert entry == other[key]
    assert inner > 10
    assert ends > 5
    assert book.covered(2) >= PLIES
    assert len(book) >= POSITIONS


def test_a_build_killed_as_it_writes(tmp_path: Path, whole: Book, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "book"
    sizes = [0]
    for moment in MOMENTS:
        die(4, moment, *command(file), code=SAVING)
        sizes.append(len(Book.open(file)))  # the last that was whole
    assert sizes == sorted(set(sizes))
    assert sizes[-1] < POSITIONS
    assert main(command(file)) == 0
    assert json.loads(capsys.readouterr().out)["added"] == len(Book.open(file)) - sizes[-1]
    check(Book.open(file), whole)


def test_a_build_that_loses_workers(whole: Book) -> None:
    killed = 0
    with Crew("processes", jobs=2) as crew:
        builder = Builder(BookPlan(POSITIONS, PLIES, 2.0), analyst(crew, DEPTH, 6))
        for number, _ in enumerate(builder.run()):
            if number in (0, 6):
                kill_a_worker()
                killed += 1
    assert killed == 2
    check(builder.book(), whole)


@pytest.mark.parametrize("fault", ["full", "read only"])
def test_a_build_that_cannot_be_saved(
    fault: str, tmp_path: Path, whole: Book, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "book"
    assert main(command(file, 40)) == 0
    kept = file.read_bytes()
    capsys.readouterr()
    with full_disk(len(kept)) if fault == "full" else read_only(tmp_path):
        assert main(command(file)) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert f"{file}: cannot be written: {'File too large' if fault == 'full' else 'Read-only file system'}" in err
    assert [path.name for path in tmp_path.iterdir()] == ["book"]
    assert file.read_bytes() == kept
    assert main(command(file)) == 0
    check(Book.open(file), whole)
