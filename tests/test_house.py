"""The rules of the house: the order of modules, small files, exact `__all__`, documents that tell the truth."""

import ast
import doctest
import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from benchmarks import module_map

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "othellier"
FOLDERS = ("src", "core", "tests", "benchmarks", "docs", "notebooks", "scripts", ".ci")
CODE = (".py", ".pyi", ".cpp", ".h", ".js", ".css")
FILE_NAME = r"`([\w/-]+\.(?:py|cpp|h|js))`"
TEXT = (*CODE, ".md", ".toml", ".txt", ".json", ".html", ".yaml", ".yml", ".ipynb", ".sh", "")


def files(*suffixes: str, under: tuple[str, ...] = FOLDERS) -> list[Path]:
    found = (path for folder in under for path in (ROOT / folder).rglob("*") if path.suffix in suffixes)
    return sorted(path for path in found if path.is_file() and "__pycache__" not in path.parts)


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


PATHS = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
MODULES = files(".py", under=("src",))
DUTIES = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
LAYERS = module_map.layers()
ORDER = [name for names in LAYERS.values() for name in names]


def module_name(path: Path) -> str:
    return module_map.module_name(path, PACKAGE)


def top_module(name: str) -> str:
    return module_map.top_module(name, PACKAGE)


# -- modules


def test_the_map_names_every_module_and_no_other() -> None:
    there = {top_module(module_name(path)) for path in MODULES if path.parent != PACKAGE or path.stem != "__init__"}
    assert there == set(ORDER)
    assert len(ORDER) == len(set(ORDER))


def test_the_map_names_every_file_of_the_core() -> None:
    there = {str(path.relative_to(ROOT / "core")) for path in files(".cpp", ".h", under=("core",))}
    assert there == set(module_map.listed(module_map.section("The core")))


def test_modules_import_from_those_above() -> None:
    """The contracts of import-linter in pyproject.toml, which name every folder of the map."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    layers = next(contract["layers"] for contract in contracts if contract["name"] == "The order of the folders")
    named = {part.strip() for layer in layers for part in layer.split(":")}
    assert named == {name.rstrip("/").removesuffix(".py") for name in ORDER}
    done = subprocess.run(
        ["lint-imports", "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False, env=PATHS
    )
    assert done.returncode == 0, done.stdout


def test_a_part_of_the_page_imports_only_from_parts_above() -> None:
    parts = [name.rstrip("/") for name in module_map.listed(module_map.section("The parts of page"))]
    there = {path.name for path in (PACKAGE / "page").iterdir() if (path / "__init__.py").is_file()}
    assert there == set(parts)
    for at, part in enumerate(parts):
        for path in files(".py", under=(f"src/othellier/page/{part}",)):
            below = tuple(f"othellier.page.{other}" for other in parts[at + 1 :])
            wrong = [name for name in module_map.imports(path) if below and name.startswith(below)]
            assert not wrong, f"{name_of(path)} imports from below: {', '.join(wrong)}"
            assert f"`{path.stem}`" in DUTIES or path.stem == "__init__", f"the map does not name {name_of(path)}"


JOURNEYS = [part for part in DUTIES.split("\n\n") if re.match(r"\*\*[^*]+\.\*\*", part)]


@pytest.mark.parametrize("told", JOURNEYS, ids=lambda told: told.split("**")[1])
def test_a_journey_leads_through_the_code(told: str) -> None:
    """Each file named is there and knows another one of its journey, or is known by it; `module.name` is defined."""
    code = {path: path.read_text(encoding="utf-8") for path in files(".py", ".cpp", ".h", ".js", under=("src", "core"))}
    named = {name: [path for path in code if f"/{path}".endswith(f"/{name}")] for name in re.findall(FILE_NAME, told)}

    def knows(path: Path, other: str) -> bool:
        return bool(re.search(rf"\b(from|import|include)\b.*\b{Path(other).stem}\b", code[path]))

    for name, paths in named.items():
        assert paths, f"there is no {name}"
        others = named.keys() - {name}
        met = any(knows(path, other) for path in paths for other in others)
        assert met or not others or any(knows(path, name) for other in others for path in named[other]), (
            f"{name} and the others do not know each other"
        )
    for owner, name in re.findall(r"`([A-Za-z_]+)\.(?!py|cpp|h|js)(\w+)`", told):
        homes = [text for path, text in code.items() if path.stem == owner or f"class {owner}" in text]
        assert any(re.search(rf"(def|class) {name}\b|^{name}\b.* =", text, re.M) for text in homes), f"{owner}.{name}"


def test_the_drawing_shows_the_imports() -> None:
    drawn = (ROOT / module_map.DRAWING).read_text(encoding="utf-8")
    assert drawn == module_map.drawing(), "draw it again: make map"


def test_the_core_knows_no_python_and_prints_nothing() -> None:
    for path in files(".cpp", ".h", under=("core",)):
        text = path.read_text(encoding="utf-8")
        if path.parent.name != "bindings":
            assert not re.search(r"#include\s*[<\"](Python\.h|nanobind|pybind)", text), name_of(path)
        if path.parent.name != "selfcheck":  # a program of its own, for tests
            assert not re.search(r"#include\s*<(iostream|print)>|\bf?printf\(|\bputs\(", text), name_of(path)


def test_cpp_lives_in_the_core_alone() -> None:
    found = files(".cpp", ".cc", ".cxx", ".c", ".h", ".hpp", under=FOLDERS)
    assert found
    assert {path.relative_to(ROOT).parts[0] for path in found} == {"core"}


# -- files


@pytest.mark.parametrize("path", files(*CODE), ids=name_of)
def test_no_file_is_long(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 500


def defined(tree: ast.Module) -> Iterator[str]:
    """Public names a module makes at its top: functions, classes, variables. Capitals are constants, which a
    module may keep to itself."""
    branches = [node for top in tree.body if isinstance(top, ast.If) for node in (*top.body, *top.orelse)]
    for node in (*tree.body, *branches):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            leaves = (leaf for target in targets for leaf in getattr(target, "elts", [target]))
            yield from (leaf.id for leaf in leaves if isinstance(leaf, ast.Name) and not leaf.id.isupper())


def imported(tree: ast.Module) -> Iterator[str]:
    """Names taken over from this package's modules, at the top or for type checkers alone."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("othellier"):
            yield from (alias.asname or alias.name for alias in node.names)


OFFERED = [path for path in MODULES if path.relative_to(PACKAGE).parts[0] not in ("cli", "page", "session", "terminal")]
"""What programs may build on, and the reference shows: the command line and the page have contracts of their own."""


@pytest.mark.parametrize("path", OFFERED, ids=name_of)
def test_all_is_exact(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    lists = [
        ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign)
        and node.value is not None
        and ast.unparse(node).startswith("__all__")
    ]
    assert len(lists) == 1, f"{name_of(path)} has no __all__, or several"
    names = set(lists[0])
    assert len(names) == len(lists[0])
    public = {name for name in defined(tree) if not name.startswith("_")}
    assert public <= names, f"{name_of(path)}: __all__ lacks {', '.join(sorted(public - names))}"
    capitals = {leaf.id for leaf in ast.walk(tree) if isinstance(leaf, ast.Name) and leaf.id.isupper()}
    known = public | capitals
    if path.name == "__init__.py":  # a package's door hands out what lies behind it
        known |= set(imported(tree))
    assert names <= known, f"{name_of(path)}: __all__ names {', '.join(sorted(names - known))}, made elsewhere"


def test_a_public_type_has_a_name_of_its_own() -> None:
    """`Color`, `Count` and `Position` are handed on by `board`, where everybody takes them from."""
    homes: dict[str, list[str]] = {}
    for path in MODULES:
        for name in set(defined(ast.parse(path.read_text(encoding="utf-8")))):
            if name[0].isupper():
                homes.setdefault(name, []).append(name_of(path))
    handed_on = [f"src/othellier/{module}.py" for module in ("reference", "rules/board")]
    twice = {name: places for name, places in homes.items() if len(places) > 1 and places != handed_on}
    assert not twice, f"the same name stands for different things: {twice}"


@pytest.mark.parametrize("path", files(*CODE, under=("src", "core")), ids=name_of)
def test_names_are_words_of_the_field(path: Path) -> None:
    """Players and exploration, not seats and wandering; strings, such as keys of old files, may say them."""
    code = re.sub(r"""b?"[^"\n]*"|'[^'\n]*'""", "", path.read_text(encoding="utf-8"))
    pictures = re.findall(r"(?i)(?<![a-z])(?:seats?|wander(?:ing)?|halls?)(?![a-z])", code)
    assert not pictures, f"{name_of(path)} says {', '.join(sorted(set(pictures)))}"


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_only_the_command_line_prints(path: Path) -> None:
    if top_module(f"{module_name(path)}.") in ("cli/", "terminal/"):
        return
    calls = (node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Call))
    assert not [call.lineno for call in calls if ast.unparse(call.func) in ("print", "sys.stdout.write")]


@pytest.mark.parametrize("path", files(".py", ".ipynb", under=("src", "notebooks")), ids=name_of)
def test_matplotlib_has_one_door(path: Path) -> None:
    """Imported by name or by string, in one file alone: everybody else asks it for figures."""
    found = re.search(r"(import|from)\s+matplotlib|import_module\([\"']matplotlib", path.read_text(encoding="utf-8"))
    assert (found is not None) == (name_of(path) == "src/othellier/lab/plots.py")


def test_nothing_names_a_machine() -> None:
    # Put together here, so that this file passes too.
    places = "|".join(["/" + "work/", "/" + "home/", "/" + "root/", "/" + "Users/", "index" + "-url"])
    top = [path for path in ROOT.iterdir() if path.is_file() and path.suffix in TEXT and path.name != ".git"]
    for path in [*files(*TEXT), *top]:
        found = re.search(places, path.read_text(encoding="utf-8"))
        assert found is None, f"{name_of(path)} names {found[0] if found else ''}"


def test_languages_have_the_same_words() -> None:
    languages = {path.stem: json.loads(path.read_text("utf-8")) for path in (PACKAGE / "page" / "i18n").glob("*.json")}
    keys = {name: set(words) for name, words in languages.items()}
    assert all(keys[name] == keys["en"] for name in keys)
    for words in languages.values():
        for key, text in words.items():
            bare = re.sub(r"\{\w+:[^|}]+\|[^|}]+\}|\[\[[^]]*\]\]", "", text)
            assert "|" not in bare, f"{key}: the forms of a word are written {{n:disc|discs}}"


# -- what nobody uses

PAGE_FILES = files(".css", ".js", ".html", under=("src",))
SAID = "".join(path.read_text(encoding="utf-8") for path in files(".js", ".html", ".py", under=("src",)))
SAID_NAMES = set(re.findall(r"[A-Za-z][A-Za-z-]*", SAID))


def test_every_word_is_said() -> None:
    """A key stands in the code as it is, or what it is put together of: `do.${name}`, `library.source_${value}`."""
    written = re.findall(r"[\"'`]([a-z_]+(?:\.[\w.-]*(?:\$?\{[^`\n]*?\})?[\w.-]*)?)[\"'`]", SAID)
    patterns = (re.sub(r"\\\$?\\\{.*?\\\}|(?<=[._])$", r"[\\w.-]+", re.escape(one)) for one in set(written))
    used = re.compile("|".join(patterns))
    words = json.loads((PACKAGE / "page" / "i18n" / "en.json").read_text(encoding="utf-8"))
    by_name = ("edge.",)  # what a reason tells is looked up by its own name, in words.js
    dead = [key for key in words if not used.fullmatch(key) and not key.startswith(by_name)]
    assert not dead, f"nobody says {', '.join(dead)}"


@pytest.mark.parametrize("path", files(".css", under=("src",)), ids=name_of)
def test_every_style_is_worn(path: Path) -> None:
    """Each class is named by a script or page, alone or with the number behind its dash put in later."""
    rules = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    names = {name for selector in re.findall(r"([^{}]+)\{", rules) for name in re.findall(r"\.([a-z][\w-]*)", selector)}
    dead = {name for name in names if name.rstrip("0123456789") not in SAID_NAMES}
    assert not dead, f"nothing has the class {', '.join(sorted(dead))}"


def test_every_custom_property_and_export_is_used() -> None:
    texts = {path: path.read_text(encoding="utf-8") for path in PAGE_FILES}
    everything = "".join(texts.values())
    dead = [*{*re.findall(r"^\s*(--[\w-]+):", everything, flags=re.M)} - {*re.findall(r"var\((--[\w-]+)", everything)}]
    export = re.compile(r"^export (?:async )?(?:function\*?|const|let|class) (\w+)", flags=re.M)
    dead += [
        f"{name} of {path.name}"
        for path, text in texts.items()
        for name in export.findall(text)
        if not any(re.search(rf"\b{name}\b", other) for place, other in texts.items() if place != path)
    ]
    assert not dead, f"nobody uses {', '.join(sorted(dead))}"


# -- documents


def test_every_help_text_has_its_french() -> None:
    import typer.main

    from othellier.cli import app
    from othellier.cli.help import words_of

    known = json.loads((PACKAGE / "messages" / "fr.json").read_text(encoding="utf-8"))
    missing = words_of(typer.main.get_command(app)) - set(known)
    assert not missing, f"add to src/othellier/messages/fr.json: {sorted(missing)}"


@pytest.mark.parametrize("name", ["README.md", "README.fr.md"])
def test_readme_runs(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert "make play" in text
    assert "make test" in text
    result = doctest.testfile(str(ROOT / name), module_relative=False, encoding="utf-8", optionflags=doctest.ELLIPSIS)
    assert result.attempted >= 5
    assert result.failed == 0


@pytest.mark.parametrize("path", sorted(ROOT.glob("*.md")), ids=name_of)
def test_documents_link_to_what_exists(path: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", path.read_text(encoding="utf-8"))
    missing = [link for link in links if not (ROOT / link).exists()]
    assert not missing, f"{path.name} points to {', '.join(missing)}"


def test_no_pattern_has_possessive_groups() -> None:
    """Python 3.11.2, which Debian 12 has, matches them wrongly; single characters may be taken so."""
    found = [path for path in (ROOT / "src").rglob("*.py") if re.search(r"\)[*+?]\+[^+ ]", path.read_text("utf-8"))]
    assert found == []
