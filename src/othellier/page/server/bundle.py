"""The page in one script and one style sheet, with names that change with their content.

The sources are plain ES modules and work as they are; sent one by one they cost some fifty requests. Here they are
joined when the server starts: every module becomes a function, run when it is first asked for, that gives its exports
and takes what it imports. What is no plain import or export, or could not be joined, is a `BundleError`; the page is
then sent in its parts.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterable, Mapping

IMPORT = re.compile(r'^import \{([^}]*)\} from "(\.[^"]+)";$', re.MULTILINE)
EXPORT = re.compile(r"^export (async function|function|const|class) (\w+)", re.MULTILINE)
LATER = re.compile(r'\bimport\("(\.[^"]+\.js)"\)')
OURS = re.compile(
    r"^(?:export )?(?:async )?(?:function|const|let|class) (given|begun|give|take|later|modules)\b", re.MULTILINE
)
"""Names of the loader, which a module would hide from its own imports."""
LEFT = re.compile(r"^(?:import|export)\b", re.MULTILINE)
COMMENT = re.compile(r"^\s*(?:/\*\*?(?:(?!\*/).)*\*/|//[^\n]*)\n", re.MULTILINE | re.DOTALL)
END_COMMENT = re.compile(r"(?<=[;{},(\[]) +//[^\n\"'`]*$", re.MULTILINE)
"""At the end of a line of code; one with quotes stays, for it may be a part of a text."""
STYLE_COMMENT = re.compile(r"/\*.*?\*/\s*", re.DOTALL)
PARTS = re.compile(r"<!-- parts -->.*?<!-- /parts -->", re.DOTALL)

LOADER = """const given = {}, begun = {};
const give = (name, exports) => Object.defineProperties(given[name], Object.fromEntries(
  Object.entries(exports).map(([key, get]) => [key, { get, enumerable: true }])));
const take = (name) => {
  if (!begun[name]) (begun[name] = true, given[name] = {}, modules[name]());
  return given[name];
};
const later = async (name) => take(name);"""


class BundleError(Exception):
    """Modules that cannot be joined."""


def join_modules(sources: Mapping[str, str], first: str, words: Mapping[str, str]) -> str:
    """One script of modules by their paths; `first` is run once the page is there, the languages' words are at hand."""
    exports = {name: {found[2]: found[1] for found in EXPORT.finditer(text)} for name, text in sources.items()}
    imports = {
        name: [(_path(name, found[2]), found[1]) for found in IMPORT.finditer(text)] for name, text in sources.items()
    }
    _check(exports, imports)
    parts = [f"{json.dumps(name)}: () => {{\n{_wrapped(name, text, exports)}\n}}" for name, text in sources.items()]
    modules = ",\n".join(parts)
    return (
        f'"use strict";\n(() => {{\n{_words(words)}\n{LOADER}\n'
        f"const modules = {{\n{modules}\n}};\n"
        f'addEventListener("DOMContentLoaded", () => take({json.dumps(first)}));\n}})();\n'
    )


def join_sheets(sheets: Iterable[str]) -> str:
    """One style sheet, without its comments and indents: they would be a fifth of what is sent."""
    return re.sub(r"\n\s+", "\n", STYLE_COMMENT.sub("", "\n".join(sheets)))


def _words(languages: Mapping[str, str]) -> str:
    """The words of all languages, their keys once: the texts pack better side by side."""
    words = {code: json.loads(text) for code, text in languages.items()}
    keys = list(dict.fromkeys(key for texts in words.values() for key in texts))
    columns = {code: [texts.get(key) for key in keys] for code, texts in words.items()}
    keys_text, columns_text = (json.dumps(part, ensure_ascii=False, separators=(",", ":")) for part in (keys, columns))
    return (
        f"{{ const keys = {keys_text};\n"
        "const table = (texts) => Object.fromEntries(keys.map((key, at) => [key, texts[at]])"
        ".filter(([, text]) => text !== null));\n"
        f"globalThis.othellierWords = Object.fromEntries(Object.entries({columns_text})"
        ".map(([code, texts]) => [code, table(texts)])); }"
    )


def rest_of_page(html: str, head: str) -> str:
    """The page with something else in the place of its parts."""
    if not PARTS.search(html):
        raise BundleError("index.html does not mark its parts")
    return PARTS.sub(lambda _: head, html)


def _path(name: str, given: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), given))


def _wrapped(name: str, text: str, exports: Mapping[str, Mapping[str, str]]) -> str:
    if ours := OURS.search(text):
        raise BundleError(f"{name} calls something {ours[1]}, as the loader does")
    given = ", ".join(f"{each}: () => {each}" for each in exports[name])
    text = END_COMMENT.sub("", COMMENT.sub("", text))
    taken = IMPORT.sub(
        lambda found: f"const {{{found[1].replace(' as ', ': ')}}} = take({json.dumps(_path(name, found[2]))});", text
    )
    body = LATER.sub(lambda found: f"later({json.dumps(_path(name, found[1]))})", EXPORT.sub(r"\1 \2", taken))
    if left := LEFT.search(body):
        raise BundleError(f"{name}: {body[left.start() :].splitlines()[0]}")
    return f"give({json.dumps(name)}, {{ {given} }});\n{body.strip()}"


def _check(exports: Mapping[str, Mapping[str, str]], imports: Mapping[str, list[tuple[str, str]]]) -> None:
    """Every name must be there; in a circle only functions are, whichever module comes first."""
    for name, taken in imports.items():
        for source, names in taken:
            if source not in exports:
                raise BundleError(f"{name} imports {source}, which is not there")
            circle = name in _behind(source, imports)
            for each in filter(None, (part.strip().split(" as ")[0] for part in names.split(","))):
                kind = exports[source].get(each)
                if kind is None:
                    raise BundleError(f"{name} imports {each}, which {source} does not export")
                if circle and "function" not in kind:
                    raise BundleError(f"{name} and {source} import each other: {each} would have to be a function")


def _behind(name: str, imports: Mapping[str, list[tuple[str, str]]]) -> set[str]:
    seen: set[str] = set()
    left = [name]
    while left:
        for source, _ in imports.get(left.pop(), ()):
            if source not in seen:
                seen.add(source)
                left.append(source)
    return seen
