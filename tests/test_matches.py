"""The published matches: their games are games, and the table is what these games come to."""

from collections import Counter
from pathlib import Path

import pytest
from benchmarks.matches import PlayedGame, read_game, read_games, table, tally

from othellier.errors import RecordError

ROOT = Path(__file__).parents[1]
LINES = table().splitlines()
GAME = {
    "match": "made up",
    "othellier": "white",
    "score": "44",
    "seconds": "1",
    "opponent_seconds": "2",
    "moves": "",
}


@pytest.fixture(scope="module")
def games() -> list[PlayedGame]:
    return read_games()


def test_every_game_is_counted_once(games: list[PlayedGame]) -> None:
    assert Counter(game.match for game in games) == {
        "ntest14": 240, "ntest18": 184, "ntest22": 104, "egaweb10": 230, "egaweb15": 47
    }  # fmt: skip
    for match in {game.match for game in games}:
        own = [game for game in games if game.match == match]
        assert len({(game.opening, game.color) for game in own}) == len(own)
        counted = tally(own)
        assert counted.games == len(own)
        assert sum(counted.singles) == (7 if match == "egaweb15" else 0)


def test_openings_are_played_with_both_colours(games: list[PlayedGame]) -> None:
    paired = [game for game in games if game.match == "ntest18"]
    assert len(paired) == 2 * len({game.opening for game in paired})
    assert Counter(game.color for game in paired) == {"black": 92, "white": 92}


@pytest.mark.parametrize("name", ["README.md", "docs/matches.md"])
def test_the_published_table_is_what_the_games_come_to(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert "\n".join(LINES) in text


@pytest.mark.parametrize("name", ["README.fr.md", "docs/matches.fr.md"])
def test_the_french_table_has_the_same_results(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    for line in LINES[2:]:
        _, times, count, result, elo = line.strip("| ").split(" | ")
        elo = "interrompu" if elo == "cut off" else elo
        assert f" | {times} | {count} | {result} | {elo} |" in text


WIPE_OUT = "e6f4e3f6g5d6e7f5c5"
"""Black takes the last white disc."""


def test_a_game_with_a_wrong_score_is_refused() -> None:
    right = read_game({**GAME, "moves": WIPE_OUT, "score": "-64"}, "game 1")
    assert (right.score, right.chosen) == (-64, (0, 1))
    with pytest.raises(RecordError, match=r"games\.csv, game 1: ends with -64 discs for white, not 44"):
        read_game({**GAME, "moves": WIPE_OUT}, "game 1")


def test_a_game_that_is_not_over_is_refused() -> None:
    with pytest.raises(RecordError, match="not 2"):
        read_game({**GAME, "moves": "f5", "score": "2"}, "game 1")
