"""The documentation site, built by Sphinx: `make docs`. `scripts/docs.py` gathers its sources in build/site first.

Once for each language; nothing is fetched from outside, neither when it is built nor when it is read.
"""

import re
from importlib import metadata
from typing import Any

project = "Othellier"
author = "The Othellier authors"
project_copyright = author
release = metadata.version("othellier")
language = "en"  # `-D language=fr` for the other

extensions = ["myst_parser", "sphinx.ext.autodoc"]
myst_heading_anchors = 4
myst_enable_extensions = ["attrs_inline"]
exclude_patterns = ["_templates"]
templates_path = ["_templates"]
nitpicky = False
suppress_warnings = [
    "misc.highlighting_failure",  # examples of JSON with … in them
]

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_default_options = {"members": True, "show-inheritance": True}  # of modules those in `__all__`
autodoc_mock_imports = ["torch"]
default_role = "code"

html_theme = "furo"
html_title = "Othellier"
html_logo = html_favicon = "board.svg"
html_static_path = ["site.css"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_sidebars = {
    "**": [
        "sidebar/brand.html",
        "languages.html",
        "sidebar/search.html",
        "sidebar/scroll-start.html",
        "sidebar/navigation.html",
        "sidebar/scroll-end.html",
    ]
}
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#00695c", "color-brand-content": "#00695c"},
    "dark_css_variables": {"color-brand-primary": "#4db6ac", "color-brand-content": "#80cbc4"},
}
pygments_style, pygments_dark_style = "friendly", "monokai"

CODE = re.compile(r"(`[^`]+`)")
MARKS = re.compile(r"([*_|\\])")


def _frame_tables(lines: list[str]) -> None:
    """Indented lines right after a sentence are tables and layouts of files: shown as they stand."""
    framed: list[str] = []
    inside = False
    last = ""  # the last line that was not blank
    for line in lines:
        indented = line.startswith("  ") and not line.lstrip().startswith((">>>", "...", "* ", "- "))
        if indented and not inside and last and not last.startswith((" ", "* ", "- ", ">")):
            framed += ["", ".. code-block:: text", ""]
            inside = True
        elif inside and line.strip() and not indented:
            framed.append("")
            inside = False
        framed.append(line)
        last = line if line.strip() else last
    lines[:] = framed


def plain_docstring(app: object, what: str, name: str, thing: object, options: object, lines: list[str]) -> None:
    """Docstrings are plain text with `code` and doctests, not reStructuredText: say so to Sphinx."""
    if lines and lines[0].startswith("Alias for field number"):  # what Python says of tuples' fields by itself
        lines.clear()
    _frame_tables(lines)
    doctest = False
    for number, line in enumerate(lines):
        doctest = line.lstrip().startswith(">>>") or (doctest and bool(line.strip()))
        if not doctest and not line.startswith("  "):
            parts = CODE.split(line)
            marked = (f"`{part}`" if index % 2 else MARKS.sub(r"\\\1", part) for index, part in enumerate(parts))
            bullet = re.match(r"\s*[*-] ", line)
            text = "".join(marked)
            lines[number] = text.replace(r"\* ", "* ", 1) if bullet else text


def setup(app: Any) -> None:
    """Called by Sphinx."""
    app.connect("autodoc-process-docstring", plain_docstring)
