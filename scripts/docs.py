"""Gathers the sources of the documentation site in build/site, for Sphinx to build: see docs/conf.py.

Pages written by hand lie in `docs`; made here are those of the commands, of the keys of their JSON, of the API, and
of the project's own files. Links that are right in the repository are made right there too.
"""

import ast
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import typer.main

from othellier.cli import app
from othellier.cli.help import helpful
from othellier.cli.schemas import outputs
from othellier.config.reference import parameter_reference
from othellier.messages import language

ROOT = Path(__file__).parents[1]
SITE = ROOT / "build" / "site"
PACKAGE = ROOT / "src" / "othellier"
PROJECT = ("ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")
"""Files of the project that are pages too."""
HIDDEN = (
    "othellier._core",
    "othellier.__main__",
    "othellier.cli",
    "othellier.page",
    "othellier.session",
    "othellier.terminal",
)
"""Not for programs to build on: the command line and the page have contracts of their own."""
ENGLISH_ONLY = re.compile(r"\A(# .*\n)")
"""The title of a page, after which the French site says that the page is in English."""
LINK = re.compile(r"\[([^\]]+)\]\(([^)\s#:]+)(#[^)]*)?\)")


SECTIONS = {
    ("Start", "Pour commencer"): ("install", "play"),
    ("Play", "Jouer"): ("levels", "study", "analysis", "phone"),
    ("Teach", "Enseigner"): ("teaching", "lab"),
    ("Use from Python", "Avec Python"): ("python", "howto", "stability", "reference/index"),
    ("Command line", "Ligne de commande"): ("shell", "commands", "json"),
    ("Engine and learning", "Moteur et apprentissage"): (
        "engine",
        "matches",
        "strength",
        "openings",
        "learning",
        "classifier",
    ),
    ("Other programs", "Autres programmes"): ("protocols", "compared", "formats", "api"),
    ("Scale", "À grande échelle"): ("cluster", "configuration"),
    ("Project", "Le projet"): ("CONTRIBUTING", "ARCHITECTURE", "upgrading", "CHANGELOG", "SECURITY", "measurements"),
}
"""The pages in the order readers want them; every page of the site is in it."""


def main() -> None:
    """Write all sources: for each language a folder."""
    shutil.rmtree(SITE, ignore_errors=True)
    for code in ("en", "fr"):
        gather(SITE / code, code)


def gather(site: Path, code: str) -> None:
    """The sources of one language: `x.fr.md` takes the place of `x.md` in French. Docstrings are in English alone: the
    French site lists the modules and leads to them."""
    shutil.copytree(ROOT / "docs", site)
    pages = {
        "commands.md": commands_page(code),
        "json.md": json_page(),
        "measurements.md": measurements_page(code),
        **{name: (ROOT / name).read_text(encoding="utf-8") for name in PROJECT},
        **dict(benchmark_pages()),
        **(dict(reference_pages()) if code == "en" else french_pages()),
    }
    for name, text in pages.items():
        path = site / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    french = {"commands.md", "measurements.md", *french_pages()}
    for path in sorted(site.rglob("*.fr.md")):
        if code == "fr":
            french.add(path.relative_to(site).as_posix().replace(".fr.md", ".md"))
            path.replace(path.with_name(path.name.replace(".fr.md", ".md")))
        else:
            path.unlink()
    if code == "fr":
        for path in site.rglob("*.md"):
            if path.relative_to(site).as_posix() not in french:
                path.write_text(
                    ENGLISH_ONLY.sub(r"\1\n*Cette page est en anglais.*\n", path.read_text("utf-8"), 1), "utf-8"
                )
    with (site / "index.md").open("a", encoding="utf-8") as file:
        file.write(contents(code))
    for path in site.rglob("*.md"):
        if path.parent.name != "reference":
            path.write_text(mended(path.read_text(encoding="utf-8"), path.parent, site), encoding="utf-8")


def contents(code: str) -> str:
    """The table of contents, for the index: one part for each thing readers want."""
    parts = []
    for words, names in SECTIONS.items():
        parts.append(
            "\n".join(["", "```{toctree}", ":hidden:", f":caption: {words[code == 'fr']}", "", *names, "```", ""])
        )
    return "\n".join(parts)


def measurements_page(code: str) -> str:
    """The tables of measurements."""
    title = {"en": "Measurements", "fr": "Mesures"}[code]
    names = [name.removesuffix(".md") for name, _ in benchmark_pages()]
    return "\n".join([f"# {title}", "", "```{toctree}", ":maxdepth: 1", "", *names, "```", ""])


def mended(text: str, folder: Path, site: Path) -> str:
    """A page whose links lead to pages and pictures of the site; those to anything else become words."""

    def link(found: re.Match[str]) -> str:
        words, target, anchor = found.groups()
        target = target.replace(".fr.md", ".md")  # each language has a site of its own
        for wanted in (folder / target, site / target.removeprefix("../").removeprefix("docs/")):
            if wanted.is_file():
                return f"[{words}]({os.path.relpath(wanted, folder)}{anchor or ''})"
        return f"`{words}`" if re.fullmatch(r"[\w.*-]+", words) else words

    return LINK.sub(link, text)


def benchmark_pages() -> Iterator[tuple[str, str]]:
    """The tables of measurements that other pages point to."""
    for path in sorted((ROOT / "benchmarks").glob("*.md")):
        yield f"benchmarks/{path.name}", path.read_text(encoding="utf-8")


# -- commands


def _walk(command: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    yield path, command
    for name, below in getattr(command, "commands", {}).items():
        yield from _walk(below, (*path, name))


def commands_page(code: str) -> str:
    """Every command with its arguments and options, as `--help` tells them."""
    language.choose_language(["--language", code])
    root = helpful(typer.main.get_command(app))
    words = {
        "en": ("All commands", "option", "meaning", "default:"),
        "fr": ("Toutes les commandes", "option", "sens", "par défaut :"),
    }
    title, option, meaning, otherwise = words[code]
    lines = [f"# {title}", "", root.help or "", ""]
    for path, command in _walk(root, ("othellier",)):
        if len(path) == 1:
            continue
        named = [parameter for parameter in command.params if parameter.param_type_name == "option"]
        given = [parameter for parameter in command.params if parameter.param_type_name == "argument"]
        usage = " ".join([*path, *map(_argument, given)])
        lines += [
            f"{'##' if len(path) == 2 else '###'} {' '.join(path)}",
            "",
            " ".join((command.help or "").split()),
            "",
        ]
        if getattr(command, "commands", None):
            continue
        lines += [f"    {usage}{' [OPTIONS]' if named else ''}", ""]
        rows = [(_argument(parameter), parameter) for parameter in given]
        rows += [(_option(parameter), parameter) for parameter in named]
        rows = [(name, parameter) for name, parameter in rows if "--help" not in parameter.opts]
        if rows:
            lines += [f"| {option} | {meaning} |", "|---|---|"]
            lines += [f"| `{_code(name)}` | {_cell(_about(parameter, otherwise))} |" for name, parameter in rows]
            lines.append("")
    language.choose_language(["--language", "en"])
    return "\n".join(lines)


def _argument(parameter: Any) -> str:
    """What stands in a command's place for an argument, in brackets where it may be left out."""
    name: str = parameter.metavar or parameter.name.upper()
    return name if parameter.required or name.startswith("[") else f"[{name}]"


def _option(parameter: Any) -> str:
    names = ", ".join((*parameter.opts, *parameter.secondary_opts))
    kinds = [parameter.type_descriptor.annotation, *get_args(parameter.type_descriptor.annotation)]
    choices = "|".join(word for kind in kinds if get_origin(kind) is Literal for word in get_args(kind) if word)
    number = "N" if int in kinds else ""
    return f"{names} {parameter.metavar or choices or number}".rstrip()


def _about(parameter: Any, otherwise: str) -> str:
    shown = parameter.show_default if isinstance(getattr(parameter, "show_default", None), str) else parameter.default
    default = "" if shown in (None, False, True, (), "") or callable(shown) else f" ({otherwise} {shown})"
    return f"{getattr(parameter, 'help', '') or ''}{default}"


def _cell(text: str) -> str:
    return _code(text).replace("<", "&lt;").replace("[", "\\[")


def _code(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def json_page() -> str:
    """The keys of every `--json`."""
    lines = [
        "# JSON",
        "",
        "Commands that compute take `--json`. Standard output then holds one JSON object a line and nothing else;",
        "messages and progress go to standard error. `othellier schema COMMAND` prints what follows as JSON Schema.",
        "A key marked *optional* may be left out, one marked *or null* may be null.",
        "",
    ]
    for output in outputs().values():
        lines += [f"## othellier {output.command}", "", f"{output.about[0].upper()}{output.about[1:]}.", ""]
        lines += ["| key | type | meaning |", "|---|---|---|"]
        for key in output.keys:
            marks = " or null" if key.nullable else ""
            lines.append(
                f"| `{key.name}`{' *optional*' if key.optional else ''} | {key.type}{marks} | {_cell(key.about)} |"
            )
        if output.is_open:
            lines.append("| … | | further keys |")
        lines.append("")
    return "\n".join(lines)


# -- the API


def modules() -> Iterator[tuple[str, str]]:
    """Every public module and the first line of its docstring."""
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        hidden = any(name == one or name.startswith(f"{one}.") for one in HIDDEN)
        if not hidden and not any(part.startswith("_") for part in parts[1:-1]):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            yield name, (ast.get_docstring(tree) or "").partition("\n")[0]


def _sorted_modules(titles: dict[bool, str]) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Those that programs may build on, then the others, each group under its title."""
    import othellier

    stay = {"othellier", *(f"othellier.{name}" for name in othellier.__all__)}
    for stays, title in titles.items():
        yield title, [(name, summary) for name, summary in modules() if (name in stay) == stays]


def french_pages() -> dict[str, str]:
    """Pages that are made otherwise in French."""
    language.choose_language(["--language", "fr"])
    configuration = parameter_reference(language.say)
    language.choose_language(["--language", "en"])
    return {"reference/index.md": french_reference(), "configuration.md": configuration}


def french_reference() -> str:
    """The list of modules for the French site; their pages are those of the English one."""
    lines = [
        "# Toute l'API",
        "",
        "`import othellier` offre tout ce qui sert chaque jour ; [Stabilité](../stability.md) donne les noms sur",
        "lesquels un programme peut s'appuyer. Chacun d'eux a un exemple, que les tests font tourner. Les descriptions",
        "sont en anglais, comme le code ; `help(othellier)` les montre aussi.",
    ]
    for title, listed in _sorted_modules(
        {True: "Les modules sur lesquels s'appuyer", False: "Les modules derrière eux"}
    ):
        lines += ["", f"## {title}", "", "| module | |", "|---|---|"]
        for name, summary in listed:
            lines.append(f'| <a href="../../reference/{name}.html"><code>{name}</code></a> | {_cell(summary)} |')
    return "\n".join([*lines, ""])


def reference_pages() -> Iterator[tuple[str, str]]:
    """A page for each module, made of its docstrings, and one that lists them all. They stand in that list alone: as
    entries of every page's menu two hundred names would hide the others, and take most of the time to build."""
    lines = [
        "# The whole API",
        "",
        "`import othellier` offers everything of daily use; [Stability](../stability.md) lists the names that",
        "programs may build on. Each of them has an example, which the tests run.",
        "",
    ]
    names = [name for name, _ in modules()]
    for title, listed in _sorted_modules({True: "Modules to build on", False: "The modules behind them"}):
        lines += ["", f"## {title}", "", "| module | |", "|---|---|"]
        lines += [f"| [`{name}`]({name}.md) | {_cell(summary)} |" for name, summary in listed]
    for name in names:
        # What a package offers from its modules is told on both pages; links lead to the module's.
        option = "   :no-index:\n" if PACKAGE.parent.joinpath(*name.split(".")).is_dir() else ""
        text = f"# {name}\n\n[The whole API](index.md)\n\n```{{eval-rst}}\n.. automodule:: {name}\n{option}```\n"
        yield f"reference/{name}.md", f"---\norphan: true\n---\n\n{text}"
    yield "reference/index.md", "\n".join([*lines, ""])


if __name__ == "__main__":
    main()
