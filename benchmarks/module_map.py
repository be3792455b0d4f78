"""The map of the modules: what ARCHITECTURE.md lists, who imports whom, and a drawing of it.

    python -m benchmarks.module_map          writes docs/modules.svg (`make map`)

The drawing is made from the imports. Arrows that follow from others are left out: where `page` imports `engine` and
`engine` imports `board`, none goes from `page` to `board`. Modules of one row may import one another,
of which the arrow to the right is drawn. A test holds the drawing to the code.
"""

import ast
import html
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
DRAWING = Path("docs") / "modules.svg"
HEADINGS = ("module", "file", "part", "folder")

WIDTH, LEFT, TOP = 1200, 176, 16
BOX, BAND, FONT = 26, 74, 7.3
COLORS = ("#4e79a7", "#59a14f", "#b07aa1", "#e15759", "#f28e2b", "#76b7b2", "#9c755f", "#edc948", "#bab0ac", "#5f6b6d")


def section(name: str, root: Path = ROOT) -> str:
    """A section of ARCHITECTURE.md."""
    text = (root / "ARCHITECTURE.md").read_text(encoding="utf-8").replace("\\_", "_")
    return text.split(f"\n## {name}", 1)[1].split("\n## ", 1)[0]


def listed(text: str) -> list[str]:
    """The first column of all tables of a text; `a.{h,cpp}` stands for two files."""
    names = re.findall(r"^\| ([\w./]+)(?:\{([\w,]+)\})? \|", text, re.MULTILINE)
    return [f"{stem}{suffix}" for stem, suffixes in names for suffix in suffixes.split(",") if stem not in HEADINGS]


def layers(root: Path = ROOT) -> dict[str, list[str]]:
    """The modules of the package by layer, as ARCHITECTURE.md lists them: who is above never imports who is below."""
    parts = re.split(r"^### (.+)$", section("The package", root), flags=re.MULTILINE)[1:]
    return {name: listed(text) for name, text in zip(parts[::2], parts[1::2], strict=True)}


def module_name(path: Path, package: Path) -> str:
    """`othellier.records.ggf` of the path of its file."""
    parts = path.relative_to(package.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def top_module(name: str, package: Path) -> str:
    """Return a module's name on the map: `records/` for `othellier.records.ggf`, `batch.py` for `othellier.batch`."""
    first = name.split(".")[1]
    return f"{first}/" if (package / first).is_dir() else f"{first}.py"


def imports(path: Path) -> Iterator[str]:
    """The modules of this package that a file imports, anywhere in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.startswith("othellier."))
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            if node.module == "othellier":
                yield from (f"othellier.{alias.name}" for alias in node.names)
            elif (node.module or "").startswith("othellier."):
                yield node.module or ""


def graph(root: Path = ROOT) -> dict[str, set[str]]:
    """For each module of the map the others it imports; for each folder of the core those it includes."""
    package = root / "src" / "othellier"
    found: dict[str, set[str]] = {}
    for path in sorted(package.rglob("*.py")):
        name = module_name(path, package)
        if name != "othellier":
            own = top_module(name, package)
            found.setdefault(own, set()).update(top_module(one, package) for one in imports(path))
    for path in sorted((root / "core").rglob("*.*")):
        if path.suffix in (".h", ".cpp") and path.parent.name != "selfcheck":
            text = path.read_text(encoding="utf-8")
            found.setdefault(f"core/{path.parent.name}", set()).update(
                f"core/{folder}" for folder in re.findall(r'#include "(\w+)/', text)
            )
    found["rules/"].add("core/bindings")
    return {name: others - {name} for name, others in found.items()}


def reduced(arrows: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """The graph without the arrows that follow from others."""

    def reach(name: str, seen: set[str]) -> set[str]:
        for one in arrows.get(name, set()) - seen:
            seen.add(one)
            reach(one, seen)
        return seen

    return {
        name: {one for one in others if not any(one in reach(via, set()) for via in others - {one})}
        for name, others in arrows.items()
    }


def _rows(root: Path, arrows: Mapping[str, set[str]]) -> dict[str, list[str]]:
    core = ("board", "evaluation", "search", "classic", "learning", "bindings")
    assert {f"core/{name}" for name in core} == {name for name in arrows if name.startswith("core/")}
    return {"The core (C++)": [f"core/{name}" for name in core], **layers(root)}


def _places(rows: Mapping[str, Sequence[str]]) -> dict[str, tuple[float, float, float]]:
    """The middle, the top and the width of each box; a layer is a line, in the order of the document."""
    places: dict[str, tuple[float, float, float]] = {}
    for index, names in enumerate(rows.values()):
        widths = [FONT * len(name) + 16 for name in names]
        free = WIDTH - LEFT - 16 - sum(widths)
        gap = min(46.0, free / len(names))
        x: float = LEFT + (free - gap * (len(names) - 1)) / 2
        for name, width in zip(names, widths, strict=True):
            places[name] = x + width / 2, TOP + BAND * index, width
            x += width + gap
    return places


def drawing(root: Path = ROOT) -> str:
    """The map as SVG."""
    found = graph(root)
    rows = _rows(root, found)
    order = [name for names in rows.values() for name in names]
    above = {name: others & set(order[: order.index(name)]) for name, others in found.items()}
    arrows = reduced(above)
    places = _places(rows)
    color = {name: COLORS[index % len(COLORS)] for index, names in enumerate(rows.values()) for name in names}
    height = TOP + BAND * len(rows)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        'font-family="ui-monospace, SFMono-Regular, Menlo, monospace" font-size="12">',
        "<title>The modules of Othellier and what they import</title>",
        "<style>.b{fill:#f6f7f8}.n{fill:#1c2126}.l{fill:#57606a;font-family:system-ui,sans-serif;font-size:13px}"
        ".c{fill:#fff}@media(prefers-color-scheme:dark){.b{fill:#1b2128}.n{fill:#e6edf3}.l{fill:#9aa5b1}.c{fill:#0d1117}}"
        "</style>",
    ]
    for index, layer in enumerate(rows):
        top = TOP + BAND * index - 12
        parts.append(f'<rect class="b" x="4" y="{top}" width="{WIDTH - 8}" height="{BAND - 20}" rx="8"/>')
        parts.append(f'<text class="l" x="16" y="{top + (BAND - 20) / 2 + 4.5:g}">{html.escape(layer)}</text>')
    for name, others in arrows.items():
        for one in sorted(others):
            (x1, y1, _), (x2, y2, _) = places[one], places[name]
            if y1 == y2:  # of one layer: an arc above it
                way = f"M{x1:.0f} {y1:.0f}C{x1:.0f} {y1 - 16:.0f} {x2:.0f} {y2 - 16:.0f} {x2:.0f} {y2:.0f}"
            else:
                a, b = y1 + BOX, y2
                way = f"M{x1:.0f} {a:.0f}C{x1:.0f} {a + 26:.0f} {x2:.0f} {b - 26:.0f} {x2:.0f} {b:.0f}"
            parts.append(f'<path d="{way}" fill="none" stroke="{color[one]}" stroke-width="1.3" opacity=".6"/>')
    for name, (x, y, width) in places.items():
        box = f'x="{x - width / 2:.0f}" y="{y:.0f}" width="{width:.0f}" height="{BOX}" rx="6"'
        parts.append(f'<rect class="c" {box} stroke="{color[name]}" stroke-width="1.6"/>')
        parts.append(f'<text class="n" x="{x:.0f}" y="{y + 17:.0f}" text-anchor="middle">{html.escape(name)}</text>')
    return "\n".join([*parts, "</svg>", ""])


if __name__ == "__main__":
    (ROOT / DRAWING).write_text(drawing(), encoding="utf-8")
    print(DRAWING)
