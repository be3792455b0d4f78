"""The moves of a game and its variations as the page sees them: as objects, or at once as the JSON of those."""

from __future__ import annotations

from othellier.coach.analysis import GameAnalysis
from othellier.coach.judging import JudgedMove, black_score
from othellier.evaluation.chances import chances
from othellier.games.game import Evaluation, Game, GameNode
from othellier.games.node_names import line_id, square_names
from othellier.page.wire import game_models
from othellier.rules.geometry import square_name


def tree_view(game: Game, analysis: GameAnalysis | None = None) -> game_models.NodeView:
    """All nodes, nested."""
    size = game.start.size
    judged = _judged(analysis)
    root = _node_view(game.root, "", judged)
    pairs = [(game.root, root)]
    while pairs:
        node, view = pairs.pop()
        children = []
        for child in node.children:
            assert child.move is not None
            made = _node_view(child, view.id + line_id([child.move], size), judged)
            children.append(made)
            pairs.append((child, made))
        if children:
            view.children = children
    return root


class TreeText:
    """The tree of one game as JSON. It is sent after every move: what has not changed is not made again."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[tuple[object, ...], str]] = {}
        """By its id: a node with what is said of it, and its JSON without its children."""

    def write(self, game: Game, analysis: GameAnalysis | None = None) -> str:
        """What `tree_view` says."""
        size = game.start.size
        judged = _judged(analysis)
        before, self._known = self._known, {}
        pieces: list[str] = []
        rest: list[tuple[GameNode, str] | str] = [(game.root, "")]
        while rest:
            item = rest.pop()
            if isinstance(item, str):
                pieces.append(item)
                continue
            node, name = item
            said = (node, node.comment, node.evaluation, node.seconds, node.nodes, judged.get(name))
            known = before.get(name)
            if known is None or known[0] != said:
                known = said, _node_view(node, name, judged).model_dump_json(exclude_unset=True).removesuffix("}")
            self._known[name] = known
            pieces.append(known[1])
            if not node.children:
                pieces.append("}")
                continue
            pieces.append(',"children":[')
            rest.append("]}")
            for number, child in enumerate(reversed(node.children), 1):
                assert child.move is not None
                rest.append((child, name + line_id((child.move,), size)))
                if number < len(node.children):
                    rest.append(",")
        return "".join(pieces)


def _judged(analysis: GameAnalysis | None) -> dict[str, JudgedMove]:
    """What was said of moves, by the ids of their nodes."""
    return {} if analysis is None else {analysis.name_of(move): move for move in analysis.moves}


def _node_view(node: GameNode, name: str, judged: dict[str, JudgedMove]) -> game_models.NodeView:
    view = game_models.NodeView(id=name)
    if node.move is not None:
        view.move, view.color, view.ply = square_name(node.move, node.position.size), node.color, node.ply
    if node.comment:
        view.comment = node.comment
    if node.evaluation is not None:
        view.eval = _eval_view(node, node.evaluation)
    if node.seconds is not None:
        view.seconds = node.seconds
    if node.nodes is not None:
        view.nodes = node.nodes
    if name in judged:
        view.label, view.loss = judged[name].label, judged[name].loss
    return view


def _eval_view(node: GameNode, evaluation: Evaluation) -> game_models.Eval:
    score = black_score(evaluation.score, node.color)
    win, draw = rounded(*chances(score, node.position.empties, evaluation.exact, evaluation.depth))
    view = game_models.Eval(black=score, exact=evaluation.exact, win=win, draw=draw)
    if evaluation.depth is not None:
        view.depth = evaluation.depth
    if evaluation.pv:
        view.pv = square_names(evaluation.pv, node.position.size)
    if evaluation.text:
        view.text = evaluation.text
    return view


def rounded(win: float, draw: float) -> tuple[float, float]:
    """Chances as they are told."""
    return round(win, 4), round(draw, 4)
