"""Recorded searches as pictures: a card for each position, read from top to bottom in the order of the search.

Every card has a small board, the move that led there, its value and its window. The line of best play is bold;
moves that were cut stand in grey, with the bound that cut them. What is too much for a picture is folded, and the
card above it says how much.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Literal

from othellier.rules.geometry import PASS, Size, square_name, squares_of
from othellier.search.base import INFINITE, WIN
from othellier.search.mcts import MctsOptions

if TYPE_CHECKING:
    from othellier.search.trees.recording import RecordedNode, RecordedTree

__all__ = [
    "WORDS",
    "Language",
    "Panel",
    "Texts",
    "agreeing",
    "cut_text",
    "draw",
    "draw_panel",
    "final_texts",
    "heading",
    "lay_out",
    "move_name",
    "number",
    "result_text",
    "sign_of",
    "title_of",
    "ucb1",
    "window_text",
]

Language = Literal["en", "fr"]
Texts = tuple[str, str, str]
"""The three lines of a card: value, window, remark."""

WORDS: dict[Language, dict[str, str]] = {
    "en": {
        "start": "start",
        "pass": "pass",
        "won": "wins by",
        "lost": "loses by",
        "drawn": "draw",
        "cut": "cut: {value} {sign} {name} {bound}",
        "not_seen": "{count} not looked at: {moves}",
        "thousand": ",",
        "decimal": ".",
        "because": "because {value} {sign} {name} {bound}",
        "folded": "+{count} folded",
        "over": "game over",
        "leaf": "evaluation",
        "recalled": "from the table",
        "interrupted": "interrupted",
        "visits": "{count} visits",
        "visits_1": "1 visit",
        "best": "best move {move}",
        "best_share": "best move {move}: {share:.0f} %",
        "nodes": "{count} positions visited",
        "nodes_1": "1 position visited",
        "leaves": "{count} leaves",
        "leaves_1": "1 leaf",
        "cutoffs": "{count} cuts",
        "cutoffs_1": "1 cut",
        "by_first": " ({first_cutoffs} by the first move)",
        "table_hits": "{count} from the table",
        "rollouts": "{count} games played out",
        "rollouts_1": "1 game played out",
        "added": "{count} positions added",
        "added_1": "1 position added",
        "view_first": "values for {side}, who moves first",
        "view_mover": "values for the side to move",
        "view_mcts": "points won by the side that moved, visits, UCB1",
        "shown": "{shown} of {visited} positions shown, {folded} folded",
        "all": "all {visited} positions shown",
        "all_1": "the only position shown",
        "black": "Black",
        "white": "White",
        "passed": "after a forced pass",
        "search": "{algorithm}, depth {depth}",
        "monte_carlo": "mcts, {iterations} iterations, C = {c}",
    },
    "fr": {
        "start": "début",
        "pass": "passe",
        "won": "gagne de",
        "lost": "perd de",
        "drawn": "nulle",
        "cut": "coupé : {value} {sign} {name} {bound}",
        "not_seen": "{count} non examinés : {moves}",
        "not_seen_1": "{count} non examiné : {moves}",
        "thousand": "\N{NARROW NO-BREAK SPACE}",
        "decimal": ",",
        "because": "car {value} {sign} {name} {bound}",
        "folded": "+{count} repliées",
        "folded_1": "+{count} repliée",
        "over": "partie finie",
        "leaf": "évaluation",
        "recalled": "lue dans la table",
        "interrupted": "interrompue",
        "visits": "{count} visites",
        "visits_1": "1 visite",
        "best": "meilleur coup {move}",
        "best_share": "meilleur coup {move} : {share:.0f} %",
        "nodes": "{count} positions vues",
        "nodes_1": "1 position vue",
        "leaves": "{count} feuilles",
        "leaves_1": "1 feuille",
        "cutoffs": "{count} coupes",
        "cutoffs_1": "1 coupe",
        "by_first": " ({first_cutoffs} au premier coup)",
        "table_hits": "{count} lues dans la table",
        "table_hits_1": "1 lue dans la table",
        "rollouts": "{count} parties jouées",
        "rollouts_1": "1 partie jouée",
        "added": "{count} positions ajoutées",
        "added_1": "1 position ajoutée",
        "view_first": "valeurs pour {side}, qui joue en premier",
        "view_mover": "valeurs pour le camp au trait",
        "view_mcts": "points gagnés par le camp qui a joué, visites, UCB1",
        "shown": "{shown} positions montrées sur {visited}, {folded} repliées",
        "shown_1": "{shown} positions montrées sur {visited}, {folded} repliée",
        "all": "les {visited} positions sont montrées",
        "all_1": "la seule position est montrée",
        "black": "Noir",
        "white": "Blanc",
        "passed": "après une passe forcée",
        "search": "{algorithm}, profondeur {depth}",
        "monte_carlo": "mcts, {iterations} itérations, C = {c}",
    },
}

BOARD, HEIGHT, BETWEEN = 44, 52, 24
CARD, LONG_CARD = 172, 264
"""How wide a card is; where a search comes upon ends of games its values are words, "loses by 16"."""
ROW, STUB, HEADING, GAP = 60, 38, 88, 28
INK, SOFT, GREY, LINE, PV = "#1f2a24", "#54605a", "#8b938f", "#c3ccc7", "#b45309"
FELT, GRID = "#2c7a4b", "#23633c"
FONT = 'font-family="system-ui, sans-serif"'


@dataclass(frozen=True, slots=True)
class Panel:
    """One tree laid out: which positions are drawn and where."""

    tree: RecordedTree
    nodes: list[RecordedNode]
    places: dict[int, tuple[int, int]]
    """Left and top of each card, by the node's index."""
    stubs: dict[int, tuple[int, int]]
    """Where the moves cut at a node stand."""
    folded: dict[int, int]
    """Positions below a node that are not drawn."""
    line: set[int]
    """The nodes of the line of best play."""
    card: int
    """How wide the cards are."""
    width: int
    height: int


def lay_out(tree: RecordedTree, shown: int) -> Panel:
    """Choose what is drawn and put it into rows: a parent beside its first child, the others below."""
    nodes = tree.shown(shown)
    there = {node.index for node in nodes}
    sizes: dict[int, int] = {}
    for node in reversed(list(tree.root.walk())):
        sizes[node.index] = 1 + node.folded + sum(sizes[child.index] for child in node.children)
    card = LONG_CARD if any(_is_decided(node.value) for node in tree.root.walk()) else CARD
    column = card + BETWEEN
    places: dict[int, tuple[int, int]] = {}
    stubs: dict[int, tuple[int, int]] = {}
    folded: dict[int, int] = {}
    top, deepest = HEADING, 0
    waiting: list[tuple[RecordedNode, int, bool]] = [(tree.root, 0, False)]
    beside = True  # the next card stands in the row of its parent
    while waiting:
        node, level, is_stub = waiting.pop()
        if is_stub:
            top += 0 if beside else ROW
            stubs[node.index] = (level * column, top + (HEIGHT - STUB) // 2 * beside)
            top -= 0 if beside else ROW - STUB
            beside = False
            continue
        top += 0 if beside else ROW
        places[node.index] = (level * column, top)
        deepest = max(deepest, level)
        children = [child for child in node.children if child.index in there]
        hidden = node.folded + sum(sizes[child.index] for child in node.children if child.index not in there)
        if hidden:
            folded[node.index] = hidden
        if node.cut:
            waiting.append((node, level + 1, True))
            deepest = max(deepest, level + 1)
        waiting.extend((child, level + 1, False) for child in reversed(children))
        beside = bool(children or node.cut)
    line = {node.index for node in tree.root.line()}
    # The heading needs room of its own where the tree is narrow.
    width = max(deepest * column + card + (40 if stubs else 0), 560)
    return Panel(tree, nodes, places, stubs, folded, line, card, width, top + ROW)


def _is_decided(value: int | None) -> bool:
    """Whether a value is the result of a game, not an estimate."""
    return value is not None and abs(value) > WIN


# -- what the cards say


def agreeing(words: dict[str, str], key: str, count: int) -> str:
    """A text that goes with a number: some have a form of their own for 1."""
    return words[f"{key}_1"] if count == 1 and f"{key}_1" in words else words[key]


def _decimals(text: str, words: dict[str, str]) -> str:
    """A number as the language writes it."""
    return text.replace(",", words["thousand"]) if "." not in text else text.replace(".", words["decimal"])


def number(value: float, words: dict[str, str]) -> str:
    """A value for people: infinity, a game won or lost, or an estimate with its sign."""
    if abs(value) >= INFINITE:
        return "∞" if value > 0 else "−∞"
    if abs(value) > WIN:
        return f"{words['won' if value > 0 else 'lost']} {abs(value) - WIN:g}"
    return f"{value:+g}".replace("-", "−") if value else "0"


def move_name(node: RecordedNode, tree: RecordedTree, words: dict[str, str]) -> str:
    """The move that led to a node."""
    if node.move is None:
        return words["start"]
    return words["pass"] if node.move == PASS else square_name(node.move, tree.size)


def sign_of(node: RecordedNode, tree: RecordedTree) -> int:
    """Minus one where values are shown for the other side than the one to move."""
    return -1 if tree.rooted and node.turn != tree.root.turn else 1


def window_text(node: RecordedNode, tree: RecordedTree, alpha: int, words: dict[str, str]) -> str:
    """Alpha and beta, when so much is sure; nothing where the algorithm has no window."""
    if not tree.windowed:
        return ""
    low, high = (alpha, node.beta) if sign_of(node, tree) > 0 else (-node.beta, -alpha)
    return f"α {number(low, words)}  β {number(high, words)}"


def result_text(node: RecordedNode, tree: RecordedTree, words: dict[str, str]) -> str:
    """The move and what it is worth."""
    name = move_name(node, tree, words)
    if node.value is None:
        return name
    sign = sign_of(node, tree)
    relation = {"exact": "=", "lower": "≥" if sign > 0 else "≤", "upper": "≤" if sign > 0 else "≥"}[node.bound]
    return f"{name} {relation} {number(sign * node.value, words)}"


def cut_text(node: RecordedNode, tree: RecordedTree, words: dict[str, str], template: str) -> str:
    """The bound that ended the search of a node."""
    sign = sign_of(node, tree)
    value, bound = (node.beta if node.value is None else node.value) * sign, node.beta * sign
    relation, name = ("≥", "β") if sign > 0 else ("≤", "α")
    return words[template].format(value=number(value, words), sign=relation, name=name, bound=number(bound, words))


def ucb1(node: RecordedNode, c: float) -> float | None:
    """What a Monte-Carlo search goes by when it chooses among siblings."""
    if node.parent is None or not node.visits:
        return None
    return node.wins / (2 * node.visits) + c * math.sqrt(math.log(node.parent.visits) / node.visits)


def final_texts(node: RecordedNode, panel: Panel, words: dict[str, str]) -> Texts:
    """The lines of a card when the search is over."""
    tree = panel.tree
    hidden = panel.folded.get(node.index, 0)
    fold = agreeing(words, "folded", hidden).format(count=_decimals(f"{hidden:,}", words)) if hidden else ""
    if tree.iterations:
        share = f"{move_name(node, tree, words)}  {50 * node.wins / node.visits:.0f} %" if node.visits else ""
        visits = agreeing(words, "visits", node.visits).format(count=_decimals(f"{node.visits:,}", words))
        value = ucb1(node, getattr(tree.options, "c", 0.0))
        return (
            share,
            visits,
            "  ".join(filter(None, (_decimals(f"UCB1 {value:.2f}", words) if value is not None else "", fold))),
        )
    remark = words["interrupted"] if node.value is None else ""
    if node.kind != "inner":
        remark = words[node.kind]
    elif node.cut or (node.value is not None and node.value >= node.beta):
        remark = cut_text(node, tree, words, "cut")
    texts = result_text(node, tree, words), window_text(node, tree, node.alpha, words)
    return *texts, fold if node.index in panel.folded and not node.cut else remark


def title_of(tree: RecordedTree, words: dict[str, str]) -> str:
    """The algorithm and its main parameter."""
    options = tree.options
    if isinstance(options, MctsOptions):
        return words["monte_carlo"].format(iterations=len(tree.iterations), c=_decimals(f"{options.c:g}", words))
    return words["search"].format(algorithm=options.algorithm, depth=tree.outcome.depth)


def heading(panel: Panel, words: dict[str, str]) -> list[str]:
    """The lines above a tree: which search, what it found and counted, how much is shown."""
    tree, outcome = panel.tree, panel.tree.outcome
    counts = tree.counts()

    def told(key: str, text: str = "") -> str:
        return agreeing(words, text or key, counts[key]).format(count=_decimals(f"{counts[key]:,}", words))

    move = square_name(outcome.move, tree.size)
    if tree.iterations:
        found = words["best_share"].format(move=move, share=100 * outcome.value)
        counted = f"{told('rollouts')}, {told('nodes', 'added')}"
        view = words["view_mcts"]
    else:
        found = f"{words['best'].format(move=move)} = {number(outcome.value, words)}"
        counted = f"{told('nodes')}, {told('leaves')}, {told('cutoffs')}"
        counted += words["by_first"].format(first_cutoffs=_decimals(f"{counts['first_cutoffs']:,}", words))
        counted += f", {told('table_hits')}" if outcome.counters.table_hits else ""
        view = words["view_mover"]
        if tree.rooted:
            view = words["view_first"].format(side=words[tree.root.turn])
    hidden = tree.visited - len(panel.nodes)
    sizes = {"shown": len(panel.nodes), "visited": tree.visited, "folded": hidden}
    template = agreeing(words, "shown", hidden) if hidden else agreeing(words, "all", tree.visited)
    shown = template.format(**{key: _decimals(f"{count:,}", words) for key, count in sizes.items()})
    passed = f" ({words['passed']})" if tree.passed else ""
    return [f"{title_of(tree, words)}{passed}", f"{found} · {counted}", f"{view} · {shown}"]


# -- SVG


def draw(trees: Sequence[RecordedTree], shown: int, language: Language) -> str:
    """The trees side by side, as one self-contained picture."""
    words = WORDS[language]
    panels = [lay_out(tree, shown) for tree in trees]
    width = sum(panel.width for panel in panels) + GAP * (len(panels) + 1)
    height = max(panel.height for panel in panels) + GAP
    body, left = [], GAP
    for panel in panels:
        body.append(f'<g transform="translate({left} {GAP // 2})">{"".join(_draw_panel(panel, words))}</g>')
        left += panel.width + GAP
    title = escape("; ".join(title_of(tree, words) for tree in trees))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img"><title>{title}</title><rect width="{width}" height="{height}" fill="#fff"/>{"".join(body)}</svg>'
    )


def draw_panel(panel: Panel, language: Language) -> str:
    """One tree without its heading, for a page that has its own."""
    body = "".join(_draw_panel(panel, WORDS[language], titled=False))
    width, height = panel.width + 8, panel.height - HEADING + 8
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-4 {HEADING - 4} {width} {height}" width="{width}" '
        f'height="{height}" role="img"><title>{escape(title_of(panel.tree, WORDS[language]))}</title>{body}</svg>'
    )


def _draw_panel(panel: Panel, words: dict[str, str], *, titled: bool = True) -> Iterator[str]:
    if titled:
        for index, line in enumerate(heading(panel, words)):
            style = f'font-size="17" font-weight="700" fill="{INK}"' if not index else f'font-size="12" fill="{SOFT}"'
            yield f'<text x="0" y="{20 + 20 * index}" {FONT} {style}>{escape(line)}</text>'
    for node in sorted(panel.nodes, key=lambda node: node.index in panel.line):  # the bold line lies on top
        yield _edge(node, panel)
    nodes = {node.index: node for node in panel.nodes}
    for index, place in panel.stubs.items():
        yield _stub(nodes[index], place, panel, words)
    for node in panel.nodes:
        yield _card(node, panel, words)


def _edge(node: RecordedNode, panel: Panel) -> str:
    if node.parent is None:
        return ""
    (px, py), (x, y) = panel.places[node.parent.index], panel.places[node.index]
    bold = node.index in panel.line
    stroke = f'stroke="{PV}" stroke-width="3"' if bold else f'stroke="{LINE}" stroke-width="1.4"'
    trunk, middle = x - BETWEEN / 2, HEIGHT / 2
    path = f"M{px + panel.card} {py + middle:g}H{trunk:g}V{y + middle:g}H{x}"
    return f'<path class="edge{" pv" if bold else ""}" data-n="{node.index}" d="{path}" fill="none" {stroke}/>'


def _stub(node: RecordedNode, place: tuple[int, int], panel: Panel, words: dict[str, str]) -> str:
    (px, py), (x, y) = panel.places[node.index], place
    names = [square_name(move, panel.tree.size) for move in node.cut]
    told = " ".join(names[:5]) + (" …" if len(names) > 5 else "")
    unseen = agreeing(words, "not_seen", len(names)).format(count=len(names), moves=told)
    trunk = x - BETWEEN / 2
    return (
        f'<g class="stub" data-n="{node.index}" {FONT} font-size="11" fill="{GREY}">'
        f'<path d="M{px + panel.card} {py + HEIGHT / 2:g}H{trunk:g}V{y + 14}H{x - 2}" fill="none" stroke="{GREY}" '
        f'stroke-width="1.2" stroke-dasharray="3 3"/>'
        f'<text x="{x + 2}" y="{y + 13}">✂ {escape(unseen)}</text>'
        f'<text x="{x + 2}" y="{y + 27}">{escape(cut_text(node, panel.tree, words, "because"))}</text></g>'
    )


def _card(node: RecordedNode, panel: Panel, words: dict[str, str]) -> str:
    x, y = panel.places[node.index]
    value, window, remark = (escape(text) for text in final_texts(node, panel, words))
    bold = node.index in panel.line
    stroke = f'stroke="{PV}" stroke-width="2.5"' if bold else f'stroke="{LINE}" stroke-width="1"'
    left, size = BOARD + 10, panel.tree.size
    weight = 700 if bold else 600
    return (
        f'<g class="card{" pv" if bold else ""}" data-n="{node.index}" transform="translate({x} {y})" {FONT}>'
        f'<rect width="{panel.card}" height="{HEIGHT}" rx="5" fill="#fff" {stroke}/>'
        f'<g transform="translate(4 4) scale({BOARD / (10 * max(size)):.5g})">{_board(node, size)}</g>'
        f'<text class="v" x="{left}" y="17" font-size="13" font-weight="{weight}" fill="{INK}">{value}</text>'
        f'<text class="w" x="{left}" y="32" font-size="11" fill="{SOFT}">{window}</text>'
        f'<text class="s" x="{left}" y="46" font-size="10.5" fill="{GREY}">{remark}</text></g>'
    )


def _board(node: RecordedNode, size: Size) -> str:
    """Return a board of ten units a square. Discs are filled circles: how strokes look depends on the page around."""
    black, white = (node.player, node.opponent) if node.turn == "black" else (node.opponent, node.player)
    rows, columns = size
    lines = "".join(f"M{10 * column} 0V{10 * rows}" for column in range(1, columns))
    lines += "".join(f"M0 {10 * row}H{10 * columns}" for row in range(1, rows))
    mark = ""
    if node.move is not None and node.move != PASS:
        row, column = divmod(node.move, columns)
        mark = f'<circle cx="{10 * column + 5}" cy="{10 * row + 5}" r="1.9" fill="#e0523f"/>'
    return (
        f'<rect width="{10 * columns}" height="{10 * rows}" fill="{FELT}"/>'
        f'<path d="{lines}" stroke="{GRID}" stroke-width=".8"/>'
        f'<path d="{_circles(black, columns)}" fill="#111"/><path d="{_circles(white, columns)}" fill="#fff"/>{mark}'
    )


def _circles(discs: int, columns: int) -> str:
    """Return a path of a circle for each disc, made of two arcs."""
    circle = "m.9 5a4.1 4.1 0 1 0 8.2 0a4.1 4.1 0 1 0-8.2 0"
    return "".join(f"M{10 * (square % columns)} {10 * (square // columns)}{circle}" for square in squares_of(discs))
