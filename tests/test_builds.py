"""Other builds: found by revision or folder, exported whole, and really the ones that play."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from othellier.base import builds
from othellier.base.builds import INSTALLED, builds_folder, export_tree, find_build
from othellier.errors import ConfigError, PlayerError
from othellier.games.results import Limit
from othellier.players import answer, create_player
from othellier.players.build import SERVER, USUAL, resolve_build
from othellier.rules import native

ROOT = Path(__file__).parents[1]
GIT = ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small source tree, in which one works."""
    monkeypatch.delenv("OTHELLIER_BUILDS", raising=False)
    folder = tmp_path / "tree"
    for name in ("core/a.cpp", "src/othellier/__init__.py", "src/othellier/web/page.html"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)
    (folder / "CMakeLists.txt").write_text("project(small)\n")
    monkeypatch.chdir(folder)
    return folder


def commit(tree: Path, text: str) -> str:
    (tree / "core" / "a.cpp").write_text(text)
    for command in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", text]):
        subprocess.run([*GIT, *command], cwd=tree, check=True)
    done = subprocess.run([*GIT, "rev-parse", "HEAD"], cwd=tree, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def test_revisions_are_exported_by_commit(tree: Path) -> None:
    first = commit(tree, "one")
    commit(tree, "two")
    old, new = export_tree("HEAD~1"), export_tree("HEAD")
    assert old == builds_folder() / first[:12] == tree / "build" / "revisions" / first[:12]
    assert (old / "core" / "a.cpp").read_text() == "one"
    assert (new / "core" / "a.cpp").read_text() == "two"
    assert not any((old / "src" / "othellier" / name).exists() for name in ("page", "web"))
    shutil.rmtree(tree / ".git")  # as where it was brought to
    assert export_tree(first[:7]) == old
    assert export_tree(str(old)) == old


def test_a_tree_is_taken_as_it_stands(tree: Path) -> None:
    first = export_tree(".")
    assert export_tree(str(tree)) == first
    (tree / "src" / "othellier" / "_core.so").write_bytes(b"a product of a build")
    assert export_tree(".") == first
    (tree / "core" / "a.cpp").write_text("changed")
    second = export_tree(".")
    assert second != first
    assert (first / "core" / "a.cpp").read_text() == "core/a.cpp"
    assert (second / "core" / "a.cpp").read_text() == "changed"


def test_what_cannot_be_found_or_built_is_told(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for text in ("nowhere", "--all", "../x"):
        with pytest.raises(ConfigError, match="there is no revision and no folder"):
            export_tree(text)
    with pytest.raises(ConfigError, match="is no source tree of Othellier"):
        export_tree("core")
    with pytest.raises(ConfigError, match="give a time, nodes or a depth"):
        create_player(f"build:{INSTALLED},time=1,depth=2")
    monkeypatch.setattr("othellier.base.builds.shutil.which", lambda name, path: None)
    with pytest.raises(ConfigError, match="cannot be built: cmake is missing"):
        find_build(".")


def test_a_build_that_does_not_compile_says_where_to_look(tree: Path) -> None:
    (tree / "CMakeLists.txt").write_text("nonsense\n")
    with pytest.raises(ConfigError, match=r"cannot be built, .*build.log tells why"):
        find_build(".")


@pytest.fixture
def altered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """This package with other players, and the compiled core that runs: built as far as anybody can tell."""
    assert native.core is not None
    monkeypatch.setenv("OTHELLIER_BUILDS", str(tmp_path / "builds"))
    folder = export_tree(str(ROOT))
    core = Path(str(native.core.__file__))
    shutil.copy(core, folder / "src" / "othellier" / core.name)
    (folder / f"built-{builds._machine()}").touch()
    with (folder / "src" / "othellier" / "players" / "__init__.py").open("a") as file:
        file.write(ALTERED)
    return folder


ALTERED = """
from othellier.errors import ConfigError
from othellier.games.results import Result
from othellier.players.simple import RandomPlayer

class Altered(RandomPlayer):
    seen = 0

    def observe(self, move):
        self.seen += 1

    def choose(self, position, limit):
        if limit.nodes == 13:
            raise ConfigError("thirteen")
        score = -7.0 if limit.time is None else limit.time
        return Result(position.moves()[-1], position.turn, score, depth=self.seen, nodes=limit.nodes or 0)

create_player = lambda spec: Altered()
"""


def test_the_build_plays_and_not_the_one_that_runs(altered: Path) -> None:
    start = native.start()
    with create_player(f"build:{altered},nodes=100") as player:
        player.new_game(start)
        for move in (19, 18):
            player.observe(move)
        result = answer(player, start)
        assert (result.move, result.score, result.depth, result.nodes) == (start.moves()[-1], -7.0, 2, 100)
        assert answer(player, start, Limit(nodes=5)).nodes == 5
        with pytest.raises(PlayerError, match=r"build .*: ConfigError: thirteen"):
            answer(player, start, Limit(nodes=13))
        assert answer(player, start).nodes == 100


def test_a_build_takes_a_second_where_nothing_limits_it(altered: Path) -> None:
    start = native.start()
    with create_player(f"build:{altered}") as player:
        assert answer(player, start).score == USUAL
        assert answer(player, start, Limit(nodes=5)).score == -7.0
        assert answer(player, start, Limit(time=0.25)).score == 0.25


def test_a_build_ends_with_whoever_asked_it_in_the_midst_of_a_search() -> None:
    start = native.start()
    board = [f"{start.player:x}", f"{start.opponent:x}", start.turn, "8"]
    asked = {"board": board, "observed": [], "limit": {"depth": 60, "selectivity": 100}}
    command = [sys.executable, "-P", str(SERVER), "", "engine:depth=60"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        try:
            print("{}", file=server.stdin, flush=True)
            assert server.stdout.readline() == "{}\n"
            print(json.dumps(asked), file=server.stdin, flush=True)
            server.stdin.close()
            assert server.wait(60) == 0
        finally:
            server.kill()


def test_a_build_that_died_is_started_again(altered: Path) -> None:
    script = altered / "src" / "othellier" / "players" / "__init__.py"
    script.write_text(script.read_text().replace('raise ConfigError("thirteen")', "import os; os._exit(3)"))
    with create_player(f"build:{altered}") as player:
        with pytest.raises(PlayerError, match="it ended with status 3"):
            answer(player, native.start(), Limit(nodes=13))
        assert answer(player, native.start(), Limit(nodes=5)).nodes == 5


def test_a_revision_is_settled_before_a_match(altered: Path) -> None:
    assert resolve_build("engine:depth=3") == "engine:depth=3"
    assert resolve_build(f"build:{altered},time=1") == f"build:{altered},time=1"
    assert resolve_build(f"build:{altered}") == f"build:{altered}"


def test_a_file_the_build_does_not_find_is_told(tmp_path: Path) -> None:
    with pytest.raises(PlayerError, match="missing"):
        create_player(f"build:{INSTALLED},networks={tmp_path / 'missing'}")
