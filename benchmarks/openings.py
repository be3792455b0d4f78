"""`python -m benchmarks.openings [--wthor FOLDER] [--out FILE]`: the book and the database of games.

The book is the one that comes with the package; the games are not part of the project. Where there are fewer than
150,000 of them, they are repeated up to that number before they are searched.
"""

import random
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.measure import Row, arguments_of, publish_rows, seconds
from othellier.openings import balanced, book, games, names
from othellier.openings.explorer import Explorer, Query
from othellier.rules import native

GAMES = 150_000


def book_rows(known: book.Book) -> Iterator[Row]:
    """A query in a book, of positions in it and of others, as a game asks it: any way up."""
    rng = random.Random(1)
    inside = [native.position(*key).transform(rng.randrange(8)) for key, _ in rng.sample(list(known.items()), 10_000)]
    outside = [native.random_position(rng, 8, rng.randrange(20, 55)) for _ in range(10_000)]
    for what, positions in (("it has", inside), ("it has not", outside)):
        spent = seconds(lambda positions=positions: [known.get(position) for position in positions])  # type: ignore[misc]
        where = f"one query in a book of {len(known):,}, a position {what}"
        yield Row(where, spent / len(positions) * 1e6, "µs", 20, less_is_better=True)
    opened = seconds(lambda: book.Book.open(known.name))
    yield Row("open and check the book", opened * 1000, "ms")


def database_rows(folder: Path) -> Iterator[Row]:
    """The index of a database, and a search in it."""
    with tempfile.TemporaryDirectory() as scratch:
        index = Path(scratch) / "games.index"

        def make() -> None:
            index.unlink(missing_ok=True)
            games.load([folder], index)

        spent = seconds(make, 2)
        found = games.load([folder], index)
        yield Row(f"index {len(found):,} games", spent, "s", 10, less_is_better=True)
        copies = -(-GAMES // len(found))
        prints = np.tile(found.prints, (1, copies))[:, :GAMES] if copies > 1 else found.prints
        many = replace(found, table=np.tile(found.table, copies)[:GAMES] if copies > 1 else found.table, prints=prints)
        starts = [start.position for start in balanced.shipped()[::1000]] + [one.position for one in names.openings()]
        explorer = Explorer(many)
        times = [seconds(lambda start=start: explorer.search(Query(position=start))) for start in starts]  # type: ignore[misc]
        what = f"search {len(many):,} games by position"
        yield Row(f"{what}, mean of {len(starts)} positions", sum(times) / len(times) * 1000, "ms", 50, "", True)
        yield Row(f"{what}, the slowest", max(times) * 1000, "ms", 50, "", True)
        whole = seconds(lambda: explorer.explore(starts[-1]))
        yield Row("statistics of a position and its moves", whole * 1000, "ms")


def main() -> None:
    parser = arguments_of("benchmarks.openings", "Measure book and database.")
    parser.add_argument("--book", type=Path, help="another book than the built-in one")
    parser.add_argument("--wthor", type=Path, help="folder of .wtb files")
    arguments = parser.parse_args()
    known = book.shipped() if arguments.book is None else book.Book.open(arguments.book)
    rows = [*(book_rows(known) if known is not None else ())]
    rows += [*(database_rows(arguments.wthor) if arguments.wthor is not None else ())]
    publish_rows("Openings", "Written by `python -m benchmarks.openings`.\n", rows, arguments.out)


if __name__ == "__main__":
    main()
