"""Configurations: what is read, what is refused and how it is said, and a reference that is in step."""

from pathlib import Path

import pytest

from othellier.config.models import OPTIONS, LearnConfig, PlayerConfig, RunConfig, TournamentConfig, load, parse
from othellier.config.reference import parameter_reference
from othellier.errors import ConfigError
from othellier.players import create_player, registered

ROOT = Path(__file__).parents[1]
TWO = [{"algorithm": "random", "name": "a"}, "random"]


def read(tmp_path: Path, text: str) -> RunConfig:
    path = tmp_path / "config.yaml"
    path.write_text(text)
    return load(path, RunConfig)


def test_an_empty_configuration_is_all_defaults(tmp_path: Path) -> None:
    config = read(tmp_path, "# nothing\n")
    assert (config.size, config.games, config.black.spec, config.white.spec) == ("8", 1, "human", "alphabeta")


def test_players_in_every_manner(tmp_path: Path) -> None:
    text = """
    black: alphabeta:depth=6,eval=mobility
    white:
      algorithm: pvs
      evaluation: mixed
      depth: 5
      killer: true
      name: White
    size: 4x6
    """
    config = read(tmp_path, text)
    assert config.black.spec == config.black.title == "alphabeta:depth=6,eval=mobility"
    assert config.white.spec == "pvs:eval=mixed,depth=5,killer=yes"
    assert config.white.title == "White"
    assert config.size == "4x6"
    assert PlayerConfig.model_validate({"algorithm": "mine.py:Mine", "deep": 3}).spec == "mine.py:Mine:deep=3"
    assert PlayerConfig.model_validate({"algorithm": "mcts:c=2", "iterations": 9}).spec == "mcts:c=2,iterations=9"
    create_player(config.white.spec)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("sise: 8", "config.yaml: unknown key 'sise', did you mean 'size'?"),
        ("size: 7", "config.yaml: size: size 7x7: sides are even, from 4 to 12"),
        ("size: [4]", "config.yaml: size: "),
        ("games: 0", "config.yaml: games: Input should be greater than or equal to 1"),
        ("games: many", "config.yaml: games: Input should be a valid integer"),
        ("time: .nan", "config.yaml: time: "),
        ("display: bord", "config.yaml: display: Input should be 'page', 'board', 'moves', 'result' or 'none'"),
        ("white: mine.py", "config.yaml: white: which player of the file? Write mine.py:NAME, or mine.py:* for"),
        ("white: alphabta", "config.yaml: white: unknown algorithm 'alphabta', did you mean 'alphabeta'?"),
        ("white: {algorithm: pvs, dept: 3}", "config.yaml: white: unknown key 'dept', did you mean 'depth'?"),
        ("white: {algorithm: mcts, evaluation: mixed}", "config.yaml: white: unknown key 'evaluation'"),
        ("white: 3", "config.yaml: white: "),
        ("size: 8\nsize: 6", "config.yaml, line 1: the key 'size' stands twice"),
        ("a: [1, 2", "config.yaml, line 1: "),
        ("- 1", "config.yaml: keys and values expected"),
        ("just words", "config.yaml: keys and values expected"),
        ("? [1, 2]\n: 3", "config.yaml"),
        ("!!python/object/apply:os.getcwd []", "config.yaml, line 1: could not determine a constructor"),
        ("a: " + "[" * 3000, "config.yaml"),
        ("\x00", "config.yaml: is not YAML"),
    ],
)
def test_what_is_wrong_is_one_line(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(ConfigError) as caught:
        read(tmp_path, text)
    assert "\n" not in str(caught.value)
    assert words in str(caught.value)


def test_files_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no such file"):
        load(tmp_path / "missing.yaml", RunConfig)
    with pytest.raises(ConfigError, match="directory"):
        load(tmp_path, RunConfig)
    (tmp_path / "latin.yaml").write_bytes(b"title: \xe9")
    with pytest.raises(ConfigError, match="UTF-8"):
        load(tmp_path / "latin.yaml", TournamentConfig)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({}, "players: Field required"),
        ({"players": ["random"]}, "players: at least 2 expected, not 1"),
        ({"players": ["random", "random"]}, "two players are called 'random': give them names"),
        ({"players": TWO, "hero": "b"}, "there is no player 'b' to be the hero"),
        ({"players": TWO, "clock": "5x"}, "clock '5x': seconds for a game and for each move expected"),
        ({"players": TWO, "clock": 0}, "clock 0.0: seconds for a game and for each move expected"),
        ({"players": TWO, "sytem": "swiss"}, "unknown key 'sytem', did you mean 'system'?"),
        ({"players": TWO, "system": "knockout"}, "system: Input should be 'round robin', 'gauntlet' or 'swiss'"),
        ({"players": [*TWO, {"algoritm": "random", "name": "c"}]}, "players.2: unknown key 'algoritm'"),
    ],
)
def test_tournaments_that_make_no_sense(value: dict[str, object], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        parse(value, TournamentConfig, "t.yaml")


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.yaml")), ids=lambda path: path.name)
def test_the_examples_are_right(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    if "selfplay:" in text:
        assert load(path, LearnConfig).rounds > 1
        return
    config = load(path, TournamentConfig) if "players:" in text else load(path, RunConfig)
    players = config.players if isinstance(config, TournamentConfig) else [config.black, config.white]
    for player in players:
        create_player(player.spec).close()


def test_the_reference_is_in_step() -> None:
    written = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
    assert written == parameter_reference(), "make it again: othellier run --reference > docs/configuration.md"


def test_everything_is_described() -> None:
    for model in (RunConfig, TournamentConfig, PlayerConfig):
        assert all(field.description for field in model.model_fields.values())
    options = {name for player in registered() for name in player.options}
    assert not options - set(OPTIONS), "describe the option in config.py"
