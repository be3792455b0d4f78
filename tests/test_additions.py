"""Things added to a copy by touching only the files that "Where do I add …" of ARCHITECTURE.md names for them.

A button and a page are added in tests/web/browser/test_page_additions.py.
"""

import json
from pathlib import Path

from additions import Addition


def test_a_player(tmp_path: Path) -> None:
    copy = Addition("a player", tmp_path)
    copy.write(
        "players/last.py",
        '''"""The last move."""
from __future__ import annotations
from othellier.rules.board import Position
from othellier.players.contract import Player
from othellier.players.registry import register
from othellier.games.results import Limit, Result
__all__ = ["Last"]
@register("last")
class Last(Player):
    """The last of the moves, or the first."""
    def __init__(self, *, first: bool = False) -> None:
        self.place = 0 if first else -1
    def choose(self, position: Position, limit: Limit) -> Result:
        """One end of the list."""
        return Result(position.moves()[self.place], position.turn)
''',
    )
    anchor = "from othellier.players.nboard import NBoardPlayer\n"
    copy.edit("players/__init__.py", (anchor, f"from othellier.players.last import Last\n{anchor}"))
    copy.edit("config/models.py", ('    "fix_first":', '    "first": "play the first of the moves",\n    "fix_first":'))
    french = {
        "The last of the moves, or the first.": "Le dernier des coups.",
        "play the first of the moves": "le premier",
    }
    copy.translate("messages/fr.json", french)
    assert "last" in copy.command("players")
    reference = copy.command("--language", "fr", "run", "--reference")
    assert all(words in reference for words in french.values())
    played = copy.command("match", "last:first=yes", "last", "--games", "2", "--size", "4", "--json")
    assert json.loads(played)["games"] == 2


def test_a_record_format(tmp_path: Path) -> None:
    copy = Addition("a record format", tmp_path)
    copy.write(
        "records/dotted.py",
        '''"""Moves parted by dots behind a sign, a game a line."""
from __future__ import annotations
from collections.abc import Iterable, Iterator
from othellier.errors import OthellierError
from othellier.games.game import Game
from othellier.rules.geometry import square_name
from othellier.records.format import Format, Item, RecordSource
__all__ = ["FORMAT"]
def _read(source: RecordSource) -> Iterator[Item]:
    for number, line in enumerate(filter(None, source.lines), 1):
        try:
            yield Game.from_moves(line.removeprefix("dotted ").split("."))
        except OthellierError as error:
            yield source.error(f"line {number}", error)
def _text(games: Iterable[Game]) -> Iterator[str]:
    for game in games:
        yield "dotted " + ".".join(square_name(move) for move in game.moves()) + "\\n"
FORMAT = Format(
    name="dotted", extensions=(".dots",), holds=frozenset({"moves"}),
    sniff=lambda source: source.text.startswith("dotted "), read=_read, text=_text,
)
''',
    )
    copy.edit(
        "records/__init__.py",
        ("boardstring, eothello,", "boardstring, dotted, eothello,"),
        ("    ggf.FORMAT,\n", "    dotted.FORMAT,\n    ggf.FORMAT,\n"),
    )
    code = (
        "import othellier as o; o.write(o.read('f5d6c3'), 'g.dots')\n"
        "print(open('g.dots').read(), o.read('g.dots')[0].transcript())"
    )
    assert copy.run(code) == "dotted f5.d6.c3\n F5D6C3\n"
    assert "bad.dots, line 1" in copy.run(
        "import othellier as o; open('bad.dots', 'w').write('dotted f5.a1')\n"
        "try: o.read('bad.dots')\nexcept o.RecordError as error: print(error)"
    )


def test_an_evaluator(tmp_path: Path) -> None:
    copy = Addition("an evaluator", tmp_path)
    copy.edit(
        "evaluation/evaluators.py",
        (
            "EVALUATORS: dict[str,",
            '''def edges(*, weight: int = 3) -> Evaluator:
    """Stable discs and moves."""
    return Evaluator("edges", (Phase((Term("stable", weight), Term("moves"))),))


EVALUATORS: dict[str,''',
        ),
        ("criteria, patterns, classifier)", "criteria, patterns, classifier, edges)"),
    )
    code = (
        "import othellier as o, random; p = o.random_position(random.Random(3), 8, 30)\n"
        "for backend in ('python', 'native'):\n"
        "    player = o.create_player('alphabeta', depth=3, eval='edges/weight=5', backend=backend)\n"
        "    r = o.answer(player, p); print(r.move, r.nodes)"
    )
    python, compiled = copy.run(code).splitlines()
    assert python == compiled, "the compiled searches are handed it"


def test_a_search_technique(tmp_path: Path) -> None:
    copy = Addition("a search technique", tmp_path)
    copy.edit("search/base.py", ('"history", "evaluator"]', '"history", "evaluator", "mobility"]'))
    copy.edit(
        "search/ordering.py",
        (
            '            "evaluator": lambda child: -evaluate(child[1], child[2]),\n',
            '            "evaluator": lambda child: -evaluate(child[1], child[2]),\n'
            '            "mobility": lambda child: -moves_mask(child[1], child[2], board).bit_count(),\n',
        ),
        ("import flips_mask\n", "import flips_mask, moves_mask\n"),
    )
    code = (
        "import othellier as o, random; p = o.random_position(random.Random(3), 8, 40)\n"
        "for order in ('none', 'mobility'):\n"
        "    player = o.create_player('alphabeta', depth=4, order=order, backend='python')\n"
        "    r = o.answer(player, p); print(r.move, r.nodes)"
    )
    plain, ordered = (list(map(int, line.split())) for line in copy.run(code).splitlines())
    assert ordered[0] == plain[0]
    assert ordered[1] < plain[1]


def test_an_experiment(tmp_path: Path) -> None:
    copy = Addition("an experiment", tmp_path)
    copy.write(
        "lab/openness.py",
        '''"""How many moves there are."""
from __future__ import annotations
from othellier.rules import native
from othellier.lab.experiment import Findings, Lab, Table, experiment
__all__ = ["openness"]
@experiment("openness", "nowhere", "Moves of the first plies", "Nothing was published.")
def openness(lab: Lab) -> Findings:
    """Count them."""
    rows = [(depth, native.perft(depth, 4)) for depth in range(1, lab.pick(8, 4, 2))]
    return Findings(lab.say("There are more and more."), [Table("leaves", "Leaves", ("depth", "leaves"), rows)], {})
''',
    )
    copy.edit(
        "lab/catalogue.py",
        ("from othellier.lab.phases", "from othellier.lab.openness import openness\nfrom othellier.lab.phases"),
        ("        merging,\n", "        merging,\n        openness,\n"),
    )
    assert "openness" in copy.command("lab", "--list")
    copy.command("lab", "openness", "--quick", "--out", "found", "--jobs", "1")
    assert "There are more and more." in next((tmp_path / "found").rglob("*.html")).read_text("utf-8")
    copy.translate("lab/fr.json", {"There are more and more.": "De plus en plus."})
    assert "De plus en plus." in copy.command(
        "lab", "openness", "--quick", "--out", "found", "--jobs", "1", "--language", "fr"
    )


def test_a_level(tmp_path: Path) -> None:
    copy = Addition("a level", tmp_path)
    copy.edit(
        "engine/levels.py",
        ('        Level("expert",', '        Level("club", 18, 10, 23, 21),\n        Level("expert",'),
    )
    for language in ("en", "fr"):
        copy.edit(f"page/i18n/{language}.json", ('"level.expert"', '"level.club": "Club",\n "level.expert"'))
    code = (
        "import othellier as o; player = o.create_player('engine', level='club', book=False)\n"
        "print(o.answer(player, o.start(6)).depth)"
    )
    assert int(copy.run(code)) >= 10
    shown = "from othellier.page.server.program_info import players; print([level.level for level in players().levels])"
    assert "'amateur+', 'club', 'expert'" in copy.run(shown)


def test_a_language(tmp_path: Path) -> None:
    """One file: the page, the server, the command line and the coach speak it; what it lacks is said in English."""
    copy = Addition("a language", tmp_path)
    words = {"language.name": "Deutsch", "do.hint": "Tipp"}
    copy.write("page/i18n/de.json", json.dumps(words))
    assert copy.command("--language", "de", "version") == copy.command("version")
    served = (
        "from othellier.page.server.static_files import Pages; p = Pages()\n"
        "html = p.index().data.decode(); print(html[html.index('<html'):][:200]); print(p.languages())\n"
        "script = [n for n in p._made if n.endswith('.js') and n.startswith('page')][0]\n"
        "print('Tipp' in p.asset(script).data.decode(), p.words('de').kind)"
    )
    told = copy.run(served)
    assert "&quot;de&quot;: &quot;Deutsch&quot;" in told
    assert "('de', 'Deutsch')" in told
    assert "True application/json" in told
    spoken = (
        "from othellier.messages.languages import dictionary, languages; d = dictionary('de')\n"
        "print(list(languages()), d['do.hint'], d['do.undo'])"
    )
    assert copy.run(spoken) == "['de', 'en', 'fr'] Tipp Undo: take back a turn\n"


def test_a_command(tmp_path: Path) -> None:
    copy = Addition("a command", tmp_path)
    copy.write(
        "cli/greet.py",
        '''"""A command that greets."""
from __future__ import annotations
import typer
from othellier.terminal.output import JsonOption, json_line
from othellier.errors import ConfigError
app = typer.Typer()
@app.command()
def greet(name: str, json: JsonOption = False) -> None:
    """Say hello."""
    if not name.isalpha():
        raise ConfigError(f"{name} is no name")
    json_line({"hello": name}) if json else typer.echo(f"hello {name}")
''',
    )
    copy.edit(
        "cli/__init__.py",
        ("from othellier.cli import (\n", "from othellier.cli import (\n    greet,\n"),
        ("GROUPS = (\n", "GROUPS = (\n    greet,\n"),
    )
    copy.edit("cli/help.py", ('    "Play and study": (', '    "Play and study": ("greet", '))
    copy.translate("messages/fr.json", {"Say hello.": "Dire bonjour."})
    copy.edit(
        "cli/keys.txt", ("[version] one", "[greet] one object\n  hello  string  who was greeted\n\n[version] one")
    )
    assert copy.command("greet", "Ada") == "hello Ada\n"
    assert "Say hello." in copy.command("--help")
    assert "Dire bonjour." in copy.command("--language", "fr", "--help")
    assert "who was greeted" in copy.command("schema", "greet")
