"""Documents tell the truth: their Python is run, their commands are commands, their pages are in the site."""

import doctest
import re
import shlex
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import typer.main
import yaml

from othellier.cli import app

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = sorted([*DOCS.glob("*.md"), *ROOT.glob("README*.md")])
QUICK = ("version", "players", "levels", "show", "schema", "perft")
"""Commands of documents that are run, not only parsed: they take no time and write nothing."""


def name_of(path: Path) -> str:
    return path.name


def blocks(path: Path, *languages: str) -> list[str]:
    text = path.read_text(encoding="utf-8")
    return [
        code
        for found, code in re.findall(r"^```(\w+)\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
        if found in languages
    ]


def twin(path: Path) -> Path:
    """The English page of a French one."""
    return path.with_name(path.name.replace(".fr.md", ".md"))


RUN = [
    path for path in PAGES if ">>>" in path.read_text(encoding="utf-8") and (path.parent == ROOT or twin(path) == path)
]
"""Pages whose Python is run; that of French pages is the same."""


@pytest.mark.parametrize("path", RUN, ids=name_of)
def test_python_runs(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if "othellier.train(" in path.read_text(encoding="utf-8"):
        pytest.importorskip("torch")
    monkeypatch.chdir(tmp_path)  # some write files
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))  # and indexes of games
    flags = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
    result = doctest.testfile(str(path), module_relative=False, encoding="utf-8", optionflags=flags)
    assert result.attempted > 0
    assert result.failed == 0


def commands(path: Path) -> list[list[str]]:
    """The `othellier` commands of shell blocks, one list of words each; what comes after a pipe counts by itself."""
    found = []
    for code in blocks(path, "sh", "console"):
        for line in code.replace("\\\n", " ").splitlines():
            for part in re.split(r"\s\|\s|&&", line.removeprefix("$ ")):
                try:
                    words = shlex.split(part, comments=True)
                except ValueError:
                    continue
                if words[:1] == ["othellier"]:
                    found.append([word for word in words[1:] if word not in ("…", "...")])
    return found


def test_documents_have_commands() -> None:
    assert sum(len(commands(path)) for path in PAGES) > 40


@pytest.mark.parametrize("path", [path for path in PAGES if commands(path)], ids=name_of)
def test_commands_are_commands(path: Path) -> None:
    """Names of commands and of options; values are what the reader has."""
    root: Any = typer.main.get_command(app)
    for words in commands(path):
        command = root
        rest = list(words)
        while getattr(command, "commands", None) and rest and not rest[0].startswith("-"):
            name = rest.pop(0)
            assert name in command.commands, f"{path.name}: there is no command {' '.join(words)!r}"
            command = command.commands[name]
        known = {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}
        used = {word.partition("=")[0] for word in rest if re.match(r"--\w", word)}
        assert used <= known | {"--help", "--install-completion", "--show-completion"}, (
            f"{path.name}: {' '.join(words)}"
        )


@pytest.mark.parametrize("path", [path for path in PAGES if commands(path)], ids=name_of)
def test_quick_commands_run(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from othellier.cli import main

    for words in commands(path):
        if words[:1] and words[0] in QUICK and not any(word in ("RECORD", "FILE") or "." in word for word in words):
            assert main(words) == 0, " ".join(words)
    assert "Traceback" not in capsys.readouterr().err


def test_every_page_is_in_the_site() -> None:
    text = (ROOT / "scripts" / "docs.py").read_text(encoding="utf-8")
    sections = text[text.index("SECTIONS = {") : text.index("def main")]
    listed = set(re.findall(r'"([\w/]+)"', sections))
    pages = {path.stem for path in DOCS.glob("*.md") if not path.stem.endswith(".fr")} - {"index"}
    assert pages <= listed, f"scripts/docs.py leaves out {', '.join(sorted(pages - listed))}"


def test_no_page_has_the_name_of_one_that_sphinx_makes() -> None:
    """It would be written over: for a while the page on how the search works was the form to search the site."""
    own = {"search", "genindex", "py-modindex"}
    assert own & {path.name.partition(".")[0] for path in DOCS.glob("*.md")} == set()


def test_pages_of_modules_show_what_these_offer() -> None:
    """Sphinx takes the option for given whatever its value: the page of `othellier` showed none of its names."""
    assert "ignore-module-all" not in (DOCS / "conf.py").read_text(encoding="utf-8")


def test_french_pages_have_an_english_twin() -> None:
    french = list(DOCS.glob("*.fr.md"))
    assert french
    assert all(twin(path).exists() for path in french)


@pytest.mark.parametrize("path", sorted(DOCS.glob("*.fr.md")), ids=name_of)
def test_the_python_of_french_pages_is_that_of_their_twin(path: Path) -> None:
    """There it is run."""
    assert set(blocks(path, "python")) <= set(blocks(twin(path), "python"))


def numbers(path: Path) -> Counter[str]:
    """The numbers of a page, written as in English. Code is left out: the French page may show other files."""
    text = re.sub(r"`[^`]*`|\]\([^)]*\)", "", re.sub(r"^```.*?^```", "", path.read_text("utf-8"), flags=re.M | re.S))
    thousands, point = (",", "[.]") if path == twin(path) else ("[ \u00a0\u202f]", ",")
    text = re.sub(rf"(?<=\d){thousands}(?=\d{{3}}(?!\d))", "", text)
    return Counter(re.findall(r"(?<!\w)\d+(?:[.]\d+)*", re.sub(rf"(?<=\d){point}(?=\d)", ".", text)))


@pytest.mark.parametrize("path", [path for path in PAGES if path != twin(path)], ids=name_of)
def test_both_languages_tell_the_same_numbers(path: Path) -> None:
    """A page that was mended in one language only shows here."""
    french, english = numbers(path), numbers(twin(path))
    assert french - english == english - french == Counter()


def test_what_readers_begin_with_is_there_in_french() -> None:
    text = (ROOT / "scripts" / "docs.py").read_text(encoding="utf-8")
    pages = {"index", "install", "python", "shell"}
    for part in ("Play", "Teach"):
        pages |= set(re.findall(r'"(\w+)"', re.search(rf'"{part}", "\w+"\): \((.*?)\)', text)[1]))  # type: ignore[index]
    assert {page for page in pages if not (DOCS / f"{page}.fr.md").exists()} == set()


@pytest.mark.parametrize("path", sorted(DOCS.glob("*.md")), ids=name_of)
def test_links_lead_somewhere(path: Path) -> None:
    made = {"commands.md", "json.md"}  # by scripts/docs.py
    text = re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    for target in re.findall(r"\]\(([^)\s#:]+)(?:#[^)]*)?\)", text):
        assert target in made or (DOCS / target).exists(), f"{path.name} points to {target}"


def test_the_project_tells_one_version() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"to {version.rpartition('.')[0]}\n" in (DOCS / "upgrading.md").read_text(encoding="utf-8")


def test_configuration_files_are_well_formed() -> None:
    paths = [*(ROOT / ".github").rglob("*.yml"), ROOT / "compose.yaml", ROOT / ".pre-commit-config.yaml"]
    assert len(paths) > 6
    assert all(isinstance(yaml.safe_load(path.read_text(encoding="utf-8")), dict) for path in paths)
    services = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))["services"]
    assert services["worker"]["deploy"]["replicas"] == 2


def test_readers_meet_no_numbers_of_our_own() -> None:
    """Studies are cited by author and year: nobody else knows what we call them among ourselves."""
    pages = [*PAGES, *(ROOT / "src" / "othellier").rglob("*.py")]
    ours = re.compile(r"\bS[1-9](\.[0-9]+)?\b")
    assert [str(path.relative_to(ROOT)) for path in pages if ours.search(path.read_text(encoding="utf-8"))] == []
