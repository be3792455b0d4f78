"""Random games with everything a record may hold, for the tests of this folder."""

import random
from pathlib import Path

from hypothesis import strategies as st

from othellier import records
from othellier.games.game import EndReason, Evaluation, Game, GameNode, Headers, Outcome
from othellier.records import FORMATS
from othellier.rules import native
from othellier.rules.geometry import PASS, SizeLike

SIZES: tuple[SizeLike, ...] = (8, 8, 8, 8, 4, 6, 10, "4x6", "8x12")
GAM = "+d3-c3+c4-c5: +02 10\n+f5-d6: -04 10\n"
CSV = "Othello_game_id,winner,game_moves\n12,1,f5d6c3\n13,-1,e6f4\n"
LINES = (
    '{"black": "a", "white": "b", "size": "8", "moves": "F5D6C3", "score": 64, "opening": 1, "seconds": [0.5, 1],'
    ' "nodes": [3, 4], "scores": [null, 2.5], "reason": "resigned", "error": "it died"}\n'
    '{"black": "b", "white": "a", "size": "4", "start": "-----OX--XO----- X", "moves": "B1", "score": 2}\n'
)
HOSTILE = (
    "",
    "Ann",
    "Jérôme O'Neil",
    "a]b[c\\",
    "x|y; %z (;",
    "two\nlines",
    "\r\nodd\rends ",
    "日本",
    "B: \\",
    "???",
    "#12",
    "(;GM[Othello]",
    "(;FF[4]GM[2]",
    "])(;GM[Othello]PB[x",
    '{"args": [{"position": {}}]}',
    "Othellier trace",
    "Moves\nBoard\nGame: F5",
    "F5D6C3",
    "% ; | : , /",
    "'\"`$(x)",
    "\x1b[31mred\x1b]0;title\x07",
    "\x9b2J nul \x00 \x7f",
    "\u202eright to left\u2066",
    "\ufeffmark",
    "tab\tand\x0bother\x85ends\u2028of\u2029lines",
    "half \ud800",
    "\\",
    "\\]",
    "]",
    "مرحبا שלום Ωmega 👩‍👩‍👧",
    "long " * 3000,
    "[" * 300,
    "1e999",
)
TEXTS = st.text(max_size=30) | st.sampled_from(HOSTILE)
NUMBERS = st.floats(-64, 64) | st.integers(-64, 64).map(float) | st.sampled_from([0.0, -0.0, 0.1, 1e-7])
DATES = st.sampled_from(
    [
        "",
        "2024",
        "2024-05-01",
        "2024-05-01T12:30:00",
        "2024-05-01T12:30:00Z",
        "2004-09-18T05:54:38 MDT",
        "May",
        "945277754",
    ]
)
CLOCKS = st.sampled_from(["", "05:00", "5:00", "00:30", "05:00//02:00", "25:00/00:05", "blitz", "100:00"])
REASONS: tuple[EndReason, ...] = ("", "resigned", "time", "agreed")
THEORIES = st.none() | st.tuples(st.integers(0, 64), st.just(24))


def _optional(values: st.SearchStrategy[float]) -> st.SearchStrategy[float | None]:
    return st.none() | values


@st.composite
def headers(draw: st.DrawFn) -> Headers:
    keys = st.sampled_from(["TY", "KM", "ON", "Level", "Book", "odd:key", "x", "B"])
    return Headers(
        black=draw(TEXTS),
        white=draw(TEXTS),
        black_rating=draw(_optional(NUMBERS)),
        white_rating=draw(_optional(NUMBERS)),
        event=draw(TEXTS),
        date=draw(DATES),
        clock=draw(CLOCKS),
        theory=draw(THEORIES),
        extra=draw(st.dictionaries(keys, TEXTS, max_size=3)),
    )


@st.composite
def evaluations(draw: st.DrawFn, squares: int) -> Evaluation:
    moves = st.lists(st.integers(-1, squares - 1), max_size=4)
    return Evaluation(
        score=draw(NUMBERS),
        exact=draw(st.booleans()),
        depth=draw(st.none() | st.integers(0, 60)),
        pv=tuple(draw(moves)),
        text=draw(TEXTS),
    )


def play_at_random(node: GameNode, rng: random.Random, plies: int) -> GameNode:
    for _ in range(plies):
        if node.position.is_over():
            break
        node = node.add(rng.choice(node.position.moves() or [PASS]))
    return node


@st.composite
def games(draw: st.DrawFn) -> Game:
    rng = random.Random(draw(st.integers(0, 2**32)))
    size = draw(st.sampled_from(SIZES))
    start = native.start(size) if draw(st.integers(0, 3)) else native.random_position(rng, size)
    game = Game(start, draw(headers()))
    play_at_random(game.root, rng, draw(st.sampled_from([0, 1, 5, 20, 100])))
    for _ in range(draw(st.integers(0, 3))):
        play_at_random(rng.choice(list(game.root.walk())), rng, rng.randrange(6))
    for _ in range(draw(st.integers(0, 4))):
        node = rng.choice(list(game.root.walk()))
        node.comment = draw(TEXTS)
        node.evaluation = draw(st.none() | evaluations(start.size.squares))
        node.seconds = draw(_optional(st.floats(0, 1e6)))
        node.scores = {move: draw(NUMBERS) for move in node.position.moves()[: rng.randrange(4)]}
    if draw(st.booleans()):
        score = draw(st.integers(-32, 32).map(lambda half: 2.0 * half) | NUMBERS)
        game.result = Outcome(score, draw(st.sampled_from(REASONS)))
    return game


def plain_game(seed: int = 1) -> Game:
    """A whole game every format can hold, with names."""
    rng = random.Random(seed)
    game = Game(headers=Headers(black="Ann", white="Bob", event="Club", date="2024", theory=(30, 24)))
    play_at_random(game.root, rng, 100)
    return game


# -- files


def valid_files(folder: Path) -> dict[str, bytes]:
    """A good file of every format; written ones hold two games with all they can."""
    games = []
    for seed in (1, 2):
        game = plain_game(seed)
        line = game.main_line()
        line[3].comment, line[4].evaluation, line[5].seconds = "a ] \\ b", Evaluation(1.5, True, 9, (1, 2)), 2.25
        game.root.scores = {37: 0.0, 19: -2.5}
        line[9].add(next(move for move in line[9].position.moves() if move != line[10].move))
        games.append(game)
    files = {"logbook": GAM.encode(), "eothello": CSV.encode(), "lines": LINES.encode()}
    for format_ in FORMATS:
        if format_.writes:
            path = folder / f"valid{format_.extensions[0]}"
            records.write(games, path)
            files[format_.name] = path.read_bytes()
    return files
