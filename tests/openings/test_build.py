"""Growing a book: covered, deepened, backed up, taken up again; and playing from what has grown."""

import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

import pytest
from book_positions import analyse

from othellier import records
from othellier.engine.engine import Engine
from othellier.errors import ConfigError
from othellier.evaluation.chances import chances
from othellier.games.game import Game, Outcome
from othellier.games.results import Limit, Result
from othellier.openings import games, grow
from othellier.openings.book import Book, Entry
from othellier.openings.bookfile import EXACT
from othellier.openings.build import BookPlan, Builder
from othellier.openings.grow import estimated_endings, prove
from othellier.openings.keys import PositionKey, key_of
from othellier.openings.lines import from_games, to_games
from othellier.openings.play import Opener, candidates, choose
from othellier.openings.quality import inconsistent, quality
from othellier.players import create_player
from othellier.records.transcript import parse_moves
from othellier.rules import native
from othellier.rules.board import Position, after
from othellier.rules.geometry import PASS

Analyses = Iterator[tuple[Position, list[Result]]]

SMALL = BookPlan(positions=400, plies=4, width=3)


@pytest.fixture(scope="module")
def book() -> Book:
    builder = Builder(SMALL, analyse)
    sizes = list(builder.run())
    assert sizes == sorted(sizes)
    assert sizes[-2] < SMALL.positions <= sizes[-1]
    return builder.book()


def complete(book: Book, position: Position) -> bool:
    return len(book.moves(position)) == len(position.moves())


def test_values_are_the_minimax_of_what_follows(book: Book) -> None:
    inner = 0
    for key, entry in book.items():
        position = native.position(*key)
        if position.moves() and complete(book, position):
            inner += 1
            best = max(known.entry[:2] for known in book.moves(position))
            assert (entry.value, entry.confidence) == (best[0], best[1] + 1)
    assert inner > 20


def test_a_position_is_proven_where_all_its_moves_are() -> None:
    position = native.start().play(37)
    replies = [after(position, move) for move in position.moves()]
    for proven, sure in ((len(replies), EXACT), (len(replies) - 1, EXACT - 1), (1, EXACT - 1)):
        entries = {key_of(position): Entry(0, 0, 0.5, 0.0)}
        for number, reply in enumerate(replies):  # the first is the best: its value is White's loss
            entries[key_of(reply)] = Entry(10 * number - 4, EXACT if number < proven else 9, 0.5, 0.0)
        settled = Builder(SMALL, analyse, Book.make(entries)).book().get(position)
        assert settled is not None
        assert settled[:2] == (4, sure)


def test_all_lines_within_the_width_are_covered(book: Book) -> None:
    level = [native.start()]
    for _ in range(SMALL.plies):
        following = []
        for position in level:
            assert complete(book, position)
            moves = book.moves(position)
            good = [known.move for known in moves if known.entry.value >= moves[0].entry.value - SMALL.width]
            following += [after(position, move) for move in good]
        level = following


def test_a_book_says_how_far_it_covers_good_lines(book: Book) -> None:
    assert book.covered(SMALL.width) == SMALL.plies
    assert book.covered(0) > SMALL.plies
    assert book.covered(20) < SMALL.plies
    assert Book.make({}).covered(0) == 0


def test_many_positions_may_be_under_way_and_come_back_in_any_order() -> None:
    def crowd(positions: Iterable[Position]) -> Analyses:
        work = iter(positions)
        waiting: list[Position] = []
        while True:
            waiting += islice(work, 9 - len(waiting))
            if not waiting:
                return
            assert len(set(map(key_of, waiting))) == len(waiting)
            yield from analyse([waiting.pop(len(waiting) // 2)])

    grown = Builder(SMALL, crowd)
    assert len(list(grown.run())) > 30
    assert grown.uncovered() == []
    assert grown.book().covered(SMALL.width) >= SMALL.plies


def test_some_lines_are_played_to_their_end() -> None:
    short = Builder(BookPlan(positions=600, plies=2, width=1, deepest=30, through=10_000), analyse)
    long = Builder(BookPlan(positions=600, plies=2, width=1, deepest=30, through=2), analyse)
    assert list(short.run())
    assert list(long.run())
    assert long.book().summary()[-1].moves == 30 > short.book().summary()[-1].moves


def test_the_wider_a_book_is_spread_the_less_deep_it_goes() -> None:
    depths = []
    for spread in (0.01, 1, 20):
        builder = Builder(BookPlan(positions=400, plies=0, spread=spread, through=10_000), analyse)
        assert list(builder.run())
        depths.append(builder.book().summary()[-1].moves)
    assert depths == sorted(depths, reverse=True)
    assert depths[0] > depths[2]


def test_growing_ends_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(10_000))
    monkeypatch.setattr("othellier.openings.build.time.monotonic", lambda: float(next(clock)))
    builder = Builder(BookPlan(positions=100_000, plies=3, width=1, seconds=400), analyse)
    sizes = list(builder.run())
    assert 0 < len(sizes) < 400
    assert sizes[-1] < 100_000
    assert builder.uncovered() == []


def test_the_best_lines_are_the_deepest(book: Book) -> None:
    assert len(book.line(native.start())) > SMALL.plies
    assert book.summary()[-1].moves > SMALL.plies + 2


def test_what_was_saved_is_taken_up_again(book: Book) -> None:
    again = Builder(SMALL, analyse, book)
    assert list(again.run()) == []
    assert list(again.book().items()) == list(book.items())
    more = Builder(BookPlan(positions=500, plies=4, width=3), analyse, book)
    assert list(more.run())
    assert len(more.book()) >= 500
    assert {key for key, _ in book.items()} <= {key for key, _ in more.book().items()}


def test_growing_is_repeatable(book: Book) -> None:
    builder = Builder(SMALL, analyse)
    assert list(builder.run())
    assert list(builder.book().items()) == list(book.items())


def test_lines_end_where_they_must() -> None:
    builder = Builder(BookPlan(positions=10_000, plies=0, deepest=3), analyse)
    assert list(builder.run())
    rows = builder.book().summary()
    assert [row.positions for row in rows] == [1, 1, 3, 14]  # every position up to symmetry, and none beyond


def test_proven_values_are_marked_and_not_searched_again() -> None:
    def proves(positions: Iterable[Position]) -> Analyses:
        for position in positions:
            yield position, [Result(move, position.turn, 2.0, depth=40, source="exact") for move in position.moves()]

    builder = Builder(BookPlan(positions=10_000, plies=6), proves)
    assert list(builder.run()) == [2]
    assert [entry for _, entry in builder.book().items()] == [Entry(2, 100, 1.0, 0.0), Entry(-2, 100, 0.0, 0.0)]


def test_an_analyst_that_forgets_moves_is_told(book: Book) -> None:
    def lazy(positions: Iterable[Position]) -> Analyses:
        return ((position, results[:-1]) for position, results in analyse(positions))

    builder = Builder(SMALL, lazy)
    with pytest.raises(ConfigError, match="not looked at all moves"):
        next(builder.run())


@pytest.mark.parametrize("plan", [{"positions": 0}, {"plies": -1}, {"deepest": 60}, {"width": -1.0}, {"spread": 0.0}])
def test_plans_that_make_no_sense_are_refused(plan: dict[str, float]) -> None:
    with pytest.raises(ConfigError):
        BookPlan(**plan)  # type: ignore[arg-type]


def test_quality_is_what_a_deeper_search_corrects(book: Book) -> None:
    def shifted(asked: Sequence[tuple[Position, int]]) -> Iterator[float]:
        for position, depth in asked:
            entry = book.get(position)
            assert entry is not None
            assert depth == entry.confidence + 2
            yield entry.value - 3.0

    result = quality(book, shifted, positions=30, seed=1)
    assert (result.positions, result.mean, result.bias, result.worst) == (30, 3.0, -3.0, 3)


def test_values_that_do_not_follow_from_the_moves_are_counted(book: Book) -> None:
    assert inconsistent(book) == 0
    entries = dict(book.items())
    start = key_of(native.start())
    entries[start] = entries[start]._replace(value=entries[start].value + 2)
    assert inconsistent(Book.make(entries)) == 1


def test_endings_that_were_only_estimated_are_solved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ending = native.random_position(random.Random(4), 8, 9)
    reached = [after(ending, move) for move in ending.moves()]
    wrong = Entry(40, 5, *chances(40, 8))
    known = Book.make({key_of(position): wrong for position in (native.start(), ending, *reached)})
    asked = estimated_endings(known, 8)
    assert {key_of(position) for position in asked} == {key_of(one) for one in reached if one.moves()}
    assert len(asked) > 2
    file = tmp_path / "proven.bib"
    with Engine(hash_mb=1) as engine:

        def solve(positions: Sequence[tuple[Position, int]]) -> list[float]:
            return [engine.solve(position).score or 0.0 for position, _ in positions]

        proven = prove(file, known, asked, solve)
        for position in (ending, *asked):
            entry = proven.get(position)
            assert entry is not None
            assert (entry.value, entry.is_exact) == (engine.solve(position).score, True)
        assert list(Book.open(file).items()) == list(proven.items())
        assert estimated_endings(proven, 8) == []

        def interrupted(positions: Sequence[tuple[Position, int]]) -> list[float]:
            if positions[0][0] != asked[0]:
                raise KeyboardInterrupt
            return solve(positions)

        monkeypatch.setattr(grow, "AT_ONCE", 1)
        with pytest.raises(KeyboardInterrupt):
            prove(file, known, asked, interrupted)
    assert len(estimated_endings(Book.open(file), 8)) == len(asked) - 1


def test_lines_of_best_moves_are_covered_further() -> None:
    builder = Builder(BookPlan(positions=800, plies=2, width=2, main=7), analyse)
    assert list(builder.run())
    assert builder.uncovered() == []
    assert builder.book().covered(0) >= 7


def test_what_people_play_is_looked_at_and_endings_wherever_they_come_from() -> None:
    rng = random.Random(5)
    ending = native.random_position(rng, 8, 12)
    line = [native.start()]
    for _ in range(7):
        line.append(after(line[-1], line[-1].moves()[-1]))
    late = native.random_position(rng, 8, 30)
    plan = BookPlan(positions=60, plies=1, width=0)
    builder = Builder(plan, analyse, along=[late, ending, *line[::-1]])
    assert list(builder.run())
    grown = builder.book()
    assert all(complete(grown, position) for position in [*line, ending])
    assert late not in grown  # no line has come to it, and it is no ending
    again = Builder(plan, analyse, grown, along=[ending, *line])
    assert list(again.run()) == []
    plain = Builder(plan, analyse)
    assert list(plain.run())
    assert not complete(plain.book(), line[-1])


# -- playing


def lines(values: dict[str, int]) -> Book:
    entries = {}
    for moves, value in values.items():
        position = Game.from_moves(parse_moves(moves)).end.position
        entries[key_of(position)] = Entry(value, 12, *chances(value, position.empties))
    return Book.make(entries)


F5 = native.start().play(37)


def test_the_best_move_is_played_from_the_book(book: Book) -> None:
    result = choose(book, native.start())
    assert result is not None
    assert result.source == "book"
    assert result.pv[0] == result.move
    assert Game.from_moves(result.pv).moves()
    assert choose(book, native.start(), moves=0) is None
    assert choose(book, F5, moves=1) is None
    assert choose(book, F5, moves=2) is not None
    assert choose(Book.make({}), native.start()) is None
    assert choose(book, native.start(6)) is None


def test_variety_is_drawn_by_a_seed_within_the_width() -> None:
    small = lines({"f5d6": -2, "f5f6": -1, "f5f4": 8})
    moves = [choose(small, F5, width=1, rng=random.Random(seed)) for seed in range(40)]
    assert {result.move for result in moves if result} == {43, 45}
    assert moves == [choose(small, F5, width=1, rng=random.Random(seed)) for seed in range(40)]
    assert {known.move for known in candidates(small, F5)} == {43}
    with pytest.raises(ConfigError):
        candidates(small, F5, width=float("nan"))


def test_an_opener_keeps_its_width_and_its_seed(book: Book) -> None:
    small = lines({"f5d6": -2, "f5f6": -1, "f5f4": 8})
    plain = [Opener(small).choose(F5) for _ in range(5)]
    assert {result.move for result in plain if result} == {43}
    first, again = Opener(small, 1, seed=4), Opener(small, 1, seed=4)
    drawn = [first.choose(F5) for _ in range(20)]
    assert drawn == [again.choose(F5) for _ in range(20)]
    assert {result.move for result in drawn if result} == {43, 45}
    assert Opener(book).choose(F5, moves=1) is None
    for width in (-1.0, float("inf"), float("nan")):
        with pytest.raises(ConfigError):
            Opener(small, width)


def test_variety_plays_no_losing_novelty_and_no_proven_loss() -> None:
    values = {"f5d6": 0, "f5f6": 1, "f5f4": 8}
    assert [known.move for known in candidates(lines(values), F5, width=10)] == [43]
    values["f5f6e6"] = -1
    assert [known.move for known in candidates(lines(values), F5, width=10)] == [43, 45]
    assert [known.move for known in candidates(lines(values), F5)] == [43]
    entries = dict(lines(values).items())
    entries[key_of(F5.play(45))] = Entry(1, 100, 1.0, 0.0)
    assert [known.move for known in candidates(Book.make(entries), F5, width=10)] == [43]
    losing = lines({"f5d6": 1, "f5f6": 2, "f5f4": 8})
    assert [known.move for known in candidates(losing, F5, width=1)] == [43, 45]


def test_no_move_is_taken_where_an_unknown_one_may_be_better() -> None:
    assert candidates(lines({"f5d6": 0}), F5) == []
    assert candidates(lines({"f5": 4, "f5d6": 0}), F5) == []
    assert [known.move for known in candidates(lines({"f5": 0, "f5d6": 0}), F5)] == [43]


def test_levels_play_from_the_book_as_far_as_they_may(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("othellier.openings.book.shipped", lambda: book)
    with create_player("engine:level=amateur,width=0") as player:
        result = player.choose(native.start(), Limit())
        assert (result.source, result.move) == ("book", book.moves(native.start())[0].move)
    for spec in ("engine:level=amateur,book=no", "engine:depth=2"):
        with create_player(spec) as player:
            assert player.choose(native.start(), Limit(depth=2)).source == "search"


# -- games


def test_a_book_of_games_counts_results(tmp_path: Path) -> None:
    played = [Game.from_moves(parse_moves(moves)) for moves in ("f5d6c3", "c4e3f6", "f5f6", "f5d6")]
    for game, score in zip(played, (10, -4, 0), strict=False):
        game.result = Outcome(score)
    records.write(played, tmp_path / "games.ggf")
    read = games.build([tmp_path])
    counted = from_games(read, plies=2, least=2)
    assert [row.positions for row in counted.summary()] == [1, 1, 1]
    assert counted.get(native.start()) == pytest.approx((2, 0, 1 / 3, 1 / 3))
    d6 = counted.get(Game.from_moves(parse_moves("f5d6")).end.position)
    assert d6 == Entry(3, 0, 0.5, 0.0)
    with pytest.raises(ConfigError):
        from_games(read, least=0)


def test_a_book_of_whole_games_agrees_with_the_plain_rules(tmp_path: Path) -> None:
    rng = random.Random(3)
    played = []
    for _ in range(30):  # long enough for passes and early ends
        game = Game()
        while not (position := game.end.position).is_over():
            game.push(rng.choice(position.moves() or position.play(PASS).moves()))
        played.append(game)
    records.write(played, tmp_path / "games.ggf")
    counted = from_games(games.build([tmp_path]), plies=59, least=1)
    totals: dict[PositionKey, list[float]] = {}
    for game in played:
        outcome = game.outcome()
        assert outcome is not None
        position = game.start
        totals.setdefault(key_of(position), []).append(outcome.score)
        for move in [move for move in game.moves() if move != PASS][:59]:
            position = after(position, move)
            score = outcome.score if position.turn == "black" else -outcome.score
            totals.setdefault(key_of(position), []).append(score)
    assert {key for key, _ in counted.items()} == set(totals)
    for key, entry in counted.items():
        scores = totals[key]
        assert entry.value == round(sum(scores) / len(scores))
        assert entry.win == pytest.approx(sum(score > 0 for score in scores) / len(scores))
        assert entry.draw == pytest.approx(sum(score == 0 for score in scores) / len(scores))


def test_the_lines_of_a_book_are_games(book: Book) -> None:
    best = list(to_games(book))
    assert best
    assert best[0].moves() == list(book.line(native.start()))
    wide = list(to_games(book, width=2))
    assert len(wide) > len(best)
    for game in wide:
        assert all(node.evaluation is not None and node.evaluation.text == "book" for node in game.main_line())
    assert list(to_games(Book.make({}))) == []
