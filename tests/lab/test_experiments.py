"""Every experiment in its smallest form: what is published beside what is measured, files, pages, resuming."""

import ast
import csv
import html
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from othellier.arena.ledger import Ledger
from othellier.base.builds import revision
from othellier.base.jobs import Crew
from othellier.errors import ConfigError, OthellierError, RecordError
from othellier.lab import experiment as experiments
from othellier.lab.article import write_article
from othellier.lab.catalogue import EXPERIMENTS, find_experiments
from othellier.lab.experiment import Experiment, Findings, Lab, LabSettings, Measured, Table, Value, share
from othellier.lab.printed import AlphaBeta, PrintedMatch, PrintedMonteCarlo, measure_printed
from othellier.lab.report import ReportedExperiment, claim_folder, read_outcome, write_outcome
from othellier.lab.small import SIX_LINE
from othellier.lab.studies import INSA, STUDIES
from othellier.lab.techniques import LADDER, TECHNIQUES, MeasuredSearch, measure_search
from othellier.lab.timing import NAMES, PUBLISHED, TITLES, Trial, fit_exponential, fit_line, measure_trial
from othellier.lab.words import Words, french
from othellier.rules import native

pytestmark = pytest.mark.skipif(not native.available, reason="experiments compare the compiled searches")

TINY = LabSettings("tiny")


class Runs(Mapping[str, Findings]):
    """All experiments, each run when it is first asked about, with its page."""

    def __init__(self, out: Path) -> None:
        self.out = out
        self.found: dict[str, Findings] = {}
        self.written: dict[str, ReportedExperiment] = {}

    def __getitem__(self, name: str) -> Findings:
        if name not in self.found:
            one = EXPERIMENTS[name]
            with Crew("here") as crew, Lab(TINY, crew, self.out / name) as lab:
                claim_folder(self.out / name, one, lab.facts())
                self.found[name] = one.run(lab)
                outcome = write_outcome(self.out / name, one, self.found[name], lab.facts(), 1.0, "here", lab.say)
                self.written[name] = outcome
        return self.found[name]

    def __iter__(self) -> Iterator[str]:
        return iter(EXPERIMENTS)

    def __len__(self) -> int:
        return len(EXPERIMENTS)


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Runs]:
    """Where they are, and what they brought."""
    runs = Runs(tmp_path_factory.mktemp("report"))
    return runs.out, runs


def rows(findings: Findings, table: str) -> dict[str, dict[str, Any]]:
    """The rows of a table by their first column."""
    (found,) = [one for one in findings.tables if one.name == table]
    return {str(row[0]): dict(zip(found.heading, row, strict=True)) for row in found.rows}


def middle(value: Value) -> Value:
    """The number itself, without its interval."""
    return round(value.value, 6) if isinstance(value, Measured) else value


@pytest.mark.parametrize("name", ["four", "ladder", "algorithms", "timing"])
def test_without_compiled_searches_none_is_told_of(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native, "available", False)
    message = f"the experiment {name} needs the compiled core, which is missing"
    with pytest.raises(OthellierError, match=message):
        EXPERIMENTS[name].check()


# -- what is on paper


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_tables_figures_and_a_page(name: str, outcomes: tuple[Path, Runs]) -> None:
    out, all_findings = outcomes
    findings, folder, one = all_findings[name], out / name, EXPERIMENTS[name]
    page = (folder / "index.html").read_text(encoding="utf-8")
    assert findings.tables
    assert findings.figures
    for table in findings.tables:
        with (folder / f"{table.name}.csv").open(encoding="utf-8", newline="") as file:
            heading, *lines = csv.reader(file)
        plain = [name for name in heading if not name.endswith((" (from)", " (to)"))]
        assert tuple(plain) == table.heading
        measured = any(isinstance(cell, Measured) for row in table.rows for cell in row)
        assert (len(heading) > len(plain)) == measured
        tex = (folder / f"{table.name}.tex").read_text(encoding="utf-8")
        assert tex.count(r" \\") == len(table.rows) + 1
        assert f'href="{table.name}.tex"' in page
        assert len(lines) == len(table.rows) > 0
        assert set(table.published) <= set(table.heading)
        assert f'href="{table.name}.csv"' in page
    for figure in findings.figures:
        assert (folder / f"{figure}.png").read_bytes().startswith(b"\x89PNG")
        assert (folder / f"{figure}.pdf").read_bytes().startswith(b"%PDF")
        assert "<svg" in (folder / f"{figure}.svg").read_text(encoding="utf-8")
        assert f'src="{figure}.svg"' in page
    assert one.title in page
    facts = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    assert facts["summary"] == findings.summary
    assert facts["machine"] in page
    assert facts["settings"]["scale"] == "tiny"
    assert facts["command"] == f"othellier lab {name} --seed 0 --language en"
    assert facts["command"] in page
    assert facts["version"] == metadata.version("othellier")
    assert (facts["revision"], facts["seed"]) == (revision(), 0)
    assert datetime.fromisoformat(facts["date"]) <= datetime.now(UTC)


def test_the_article_tells_claim_measurement_and_meaning(outcomes: tuple[Path, Runs]) -> None:
    out, found = outcomes
    write_article(out, [found.written[name] for name in found if found[name]], Words())
    article = html.unescape((out / "index.html").read_text(encoding="utf-8"))
    assert article.count("What was claimed.") == article.count("What it means.") == len(EXPERIMENTS)
    for name, findings in found.items():
        assert f'href="{name}/index.html"' in article
        assert f'src="{name}/{next(iter(findings.figures))}.svg"' in article
        for words in (EXPERIMENTS[name].published, findings.summary, *findings.conclusions):
            assert words in article
    cited = [study for study in STUDIES if study.cite() in article]
    assert cited == list(STUDIES)


def test_what_documents_published_stands_beside_what_was_measured(outcomes: tuple[Path, Runs]) -> None:
    """All but our own study and those the documents gave no numbers for."""
    for name, findings in outcomes[1].items():
        if name not in ("ratings", "merging", "branching", "criteria", "levels", "knowledge"):
            assert any(table.published for table in findings.tables), name


@pytest.mark.parametrize("name", [n for n, one in EXPERIMENTS.items() if n not in ("merging", "branching")])
def test_studies_of_games_have_three_columns(name: str, outcomes: tuple[Path, Runs]) -> None:
    """What was published, under the document's conditions and from balanced starts, all with intervals."""
    if all(source.study != INSA for source in EXPERIMENTS[name].sources):
        return
    told = [cell for table in outcomes[1][name].tables for row in table.rows for cell in row]
    assert any(isinstance(cell, Measured) for cell in told)
    words = " ".join(name for table in outcomes[1][name].tables for name in (*table.heading, *map(str, told)))
    for column in ("published", "its conditions", "balanced"):
        assert column in words


def test_every_text_has_its_french(outcomes: tuple[Path, Runs]) -> None:
    """Run again in French over what was measured: no text is missing, and no English sentence is left."""
    out, english = outcomes
    with Crew("here") as crew:
        for name, one in EXPERIMENTS.items():
            before = english[name]  # which runs it, if no test has asked for it yet
            with Lab(LabSettings("tiny", language="fr"), crew, out / name) as lab:
                findings = one.run(lab)
                one.source(lab.say)
                assert lab.say.missing == set()
                assert lab.say(one.title) != one.title
                assert findings.summary != before.summary
                assert len(findings.conclusions) == len(before.conclusions) > 0
                assert all(one != other for one, other in zip(findings.conclusions, before.conclusions, strict=True))
                assert [table.name for table in findings.tables] == [table.name for table in before.tables]


def texts(node: ast.expr) -> list[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    return texts(node.body) + texts(node.orelse) if isinstance(node, ast.IfExp) else []


def test_texts_of_the_code_are_in_the_file_and_have_the_same_places() -> None:
    folder = Path(experiments.__file__).parent
    said: set[str] = set()
    pages = [folder.parent / "arena" / name for name in ("report.py", "player_report.py")]
    for path in (*folder.glob("*.py"), *pages):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and node.args and ast.unparse(node.func) in ("say", "lab.say", "conclude"):
                said.update(texts(node.args[0]))
    assert len(said) > 150
    said.update(NAMES.values(), TITLES.values())  # the least scale does not come to say them all
    assert said - set(french()) == set()
    for english, translated in french().items():
        places = [sorted(re.findall(r"{[^}]*}", text)) for text in (english, translated)]
        assert places[0] == places[1], english


# -- what was measured


def test_4x4_has_the_published_nodes(outcomes: tuple[Path, Runs]) -> None:
    findings = outcomes[1]["four"]
    table = rows(findings, "minimax")
    nodes = table["nodes, as the thesis counts them"]
    assert nodes["published (C#)"] == nodes["Python"] == nodes["compiled"] == 237_781
    ends = table["ends where neither side can move, board not full"]
    visited = table["positions visited, passes included"]
    assert visited["compiled"] + 2 * ends["compiled"] == 237_781
    assert table["result"]["compiled"] == table["result"]["published (C#)"] == "White 11–3"
    assert table["difference for Black, discs alone"]["Python"] == -8
    counts = [line["nodes"] for line in rows(findings, "techniques").values()]
    assert len(counts) == len(LADDER)
    assert counts[-1] < counts[0] / 100


def test_6x6_is_worth_4_discs_to_white_all_along_the_line(outcomes: tuple[Path, Runs]) -> None:
    table = rows(outcomes[1]["six"], "line")
    assert len(SIX_LINE) == 2 * 33  # 32 moves and a pass
    assert "12" in table
    assert {line["score for Black"] for line in table.values()} == {-4}
    whole = rows(outcomes[1]["six"], "whole")
    assert whole["result"]["measured"] == "not solved in this run"
    assert "White wins" not in outcomes[1]["six"].summary


def test_the_ladder_saves_nodes(outcomes: tuple[Path, Runs]) -> None:
    table = rows(outcomes[1]["ladder"], "nodes")
    # perft of 6x6: 4, 12, 56, 244, 1364
    assert [table[str(depth)]["none"] for depth in range(1, 5)] == [5, 17, 73, 317]
    for technique in list(LADDER)[1:]:
        assert table["5"][technique] < table["5"]["none"]
    assert {"alpha-beta, random order", "alpha-beta, squares and difference"} <= set(LADDER)
    assert any("drops passes" in note for note in outcomes[1]["ladder"].notes)
    said = rows(outcomes[1]["ladder"], "text")
    assert said["none, 10 plies: seconds"]["published"] == "just under three minutes"  # and no number made of it


def test_leaves_are_between_theory_and_all(outcomes: tuple[Path, Runs]) -> None:
    for size in ("8", "6"):
        for line in rows(outcomes[1]["branching"], f"leaves-{size}").values():
            depth, v, *measured, least = line.values()
            assert round(v**depth) == measured[0] == max(measured)
            assert least <= measured[1] + 1


def test_merging_changes_no_value_and_saves_four(outcomes: tuple[Path, Runs]) -> None:
    findings = outcomes[1]["merging"]
    (searches,) = [table for table in findings.tables if table.name == "searches"]
    assert {row[-1] for row in searches.rows} == {"yes"}
    states = rows(findings, "states")
    assert [states[ply]["sequences of moves"] for ply in "1234"] == [4, 12, 56, 244]
    assert [states[ply]["states"] for ply in "12"] == [4, 12]
    assert [states[ply]["states up to symmetry"] for ply in "12"] == [1, 3]
    later = rows(findings, "later")
    assert {"50", "40", "30", "20"} <= set(later)
    assert 99 < later["20"]["nodes left by symmetry, %"].value <= 101


def test_points_are_those_of_the_document(outcomes: tuple[Path, Runs]) -> None:
    """The published pairings must give the published totals: tables 6.1 and 6.2."""
    points = {
        name: middle(line["published: points"]) for name, line in rows(outcomes[1]["algorithms"], "points").items()
    }
    assert points == {"random": 0, "alpha-beta": 132, "Monte-Carlo": 30}
    points = {
        name: middle(line["published: points"]) for name, line in rows(outcomes[1]["strategies"], "points").items()
    }
    assert points == {"positional": 18, "absolute": 0, "mobility": 28, "mixed": 26}


def test_the_time_of_negamax_is_whites_figure() -> None:
    assert PUBLISHED["negamax"][2] == (0.000999, None)


def test_every_game_is_counted_for_its_colour(outcomes: tuple[Path, Runs]) -> None:
    (table,) = outcomes[1]["heuristics"].tables
    told = [tuple(map(middle, row[:4])) for row in table.rows]
    assert told == [(2, "black", 62, 36), (2, "white", 78, 16)]
    assert [row[-1] for row in table.rows] == ["1 / 1", "1 / 1"]


def test_rollouts_compare_one_pairing_with_one_pairing(outcomes: tuple[Path, Runs]) -> None:
    (table,) = outcomes[1]["rollouts"].tables
    told = {row[0]: [middle(cell) for cell in row[1:3]] for row in table.rows}
    assert told == {
        "classical – improved (2), best square": [40, 56],
        "classical – improved (1), by odds": [None, None],
    }


def test_criteria_are_measured_one_by_one(outcomes: tuple[Path, Runs]) -> None:
    (table,) = outcomes[1]["criteria"].tables
    names = [row[0] for row in table.rows]
    assert len(names) == 8
    assert {"stability alone", "without discs"} <= set(names)


def test_threads_are_compared_with_one(outcomes: tuple[Path, Runs]) -> None:
    table = rows(outcomes[1]["parallel"], "speedup")
    assert table["1"]["times as fast"] == Measured(1, 1, 1)
    assert rows(outcomes[1]["parallel"], "forest")["positions a second"]["published (FOREST)"] == 800_000


def test_ratings_are_counted_from_random(outcomes: tuple[Path, Runs]) -> None:
    for name, table in (("ratings", "standings"), ("levels", "levels")):
        (found,) = [one for one in outcomes[1][name].tables if one.name == table]
        at = found.heading.index("Elo over random")
        lines = {row[found.heading.index("player")]: row[at] for row in found.rows}
        random = lines["random"]
        assert isinstance(random, Measured)
        assert random == Measured(0, 0, 0)
        elos = [elo.value for elo in lines.values() if isinstance(elo, Measured)]
        assert elos == sorted(elos, reverse=True)
        assert any("beginner" in str(player) for player in lines)


def test_a_match_as_printed_counts_for_black() -> None:
    """A search two plies deep beats a player without one, as Black and as White."""
    deep, shallow = AlphaBeta(2, "mobility"), PrintedMonteCarlo(1)
    as_black = measure_printed(PrintedMatch(deep, shallow, 6, 1))["results"]
    as_white = measure_printed(PrintedMatch(shallow, deep, 6, 1))["results"]
    assert sum(as_black) == sum(as_white) == 6
    assert as_black[0] >= 4
    assert as_white[2] >= 4
    assert measure_printed(PrintedMatch(deep, shallow, 6, 1))["results"] == as_black


def test_a_share_has_wilsons_interval() -> None:
    assert [round(end, 1) for end in share(16, 20)] == [80.0, 58.4, 91.9]


def test_techniques_find_one_value() -> None:
    found = {name: measure_search(MeasuredSearch(name, 6))["value"] for name in TECHNIQUES}
    assert len(set(found.values())) == 1, found


def test_fits() -> None:
    a, b = fit_exponential([(depth, 0.5 * 8.0**depth) for depth in (2, 4, 6)])
    assert [a, b] == pytest.approx([0.5, 8.0])
    assert list(fit_line([(100, 1.0), (300, 3.0), (500, 5.0)])) == pytest.approx([0.01, 0.0])
    assert fit_line([(3, 2.0)]) == (0, 2)


def test_a_trial_counts_games_and_time() -> None:
    result = measure_trial(Trial("random", 3))
    assert result["seconds"] > 0
    assert 0 <= result["won"] + result["drawn"] <= 3
    assert 2 < result["choices"] < 20
    assert measure_trial(Trial("random", 3, openings="start"))["games"] == 3


# -- kept and resumed


def counting(calls: list[int]) -> Callable[[int], dict[str, Any]]:
    def measure(job: int) -> dict[str, Any]:
        if job == 3 and len(calls) < 3:
            raise KeyboardInterrupt
        calls.append(job)
        return {"square": job * job}

    return measure


def test_what_was_measured_is_not_measured_again(tmp_path: Path) -> None:
    calls: list[int] = []
    told: list[tuple[str, int, int]] = []
    with Crew("here") as crew:
        with Lab(TINY, crew, tmp_path / "one") as lab, pytest.raises(KeyboardInterrupt):
            list(lab.measure("squares", counting(calls), [1, 2, 3, 4]))
        assert calls == [1, 2]
        with Lab(TINY, crew, tmp_path / "one", lambda *words: told.append(words)) as lab:
            calls.append(0)
            found = dict(lab.measure("squares", counting(calls), [1, 2, 3, 4]))
    assert calls == [1, 2, 0, 3, 4]
    assert found == {n: {"square": n * n} for n in (1, 2, 3, 4)}
    assert told == [("squares", 2, 4), ("squares", 3, 4), ("squares", 4, 4)]


def test_a_full_disk_keeps_what_was_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = [0, 0, 0]
    append = Ledger.append

    def full(self: Ledger, lines: Iterable[dict[str, Any]]) -> None:
        if len(calls) == 5:
            raise RecordError(str(self.path), "", "cannot be written: no space left on device")
        append(self, lines)

    with Crew("here") as crew:
        monkeypatch.setattr(Ledger, "append", full)
        with Lab(TINY, crew, tmp_path) as lab, pytest.raises(RecordError, match="no space left"):
            list(lab.measure("squares", counting(calls), [1, 2]))
        monkeypatch.undo()
        with Lab(TINY, crew, tmp_path) as lab:
            assert dict(lab.measure("squares", counting(calls), [1, 2])) == {1: {"square": 1}, 2: {"square": 4}}
    assert calls == [0, 0, 0, 1, 2, 2]  # the second was lost with the disk, the first was not


def test_a_tournament_goes_on(tmp_path: Path) -> None:
    players = {"one": "random:seed=1", "two": "random:seed=2"}
    with Crew("here") as crew, Lab(TINY, crew, tmp_path) as lab:
        first = lab.tournament("games", players, 2)
        more = lab.tournament("games", players, 6)
    assert len(first.lines) == 2
    assert more.lines[:2] == first.lines
    assert len(more.lines) == 6
    assert sum(more.by_color("one", "two")) == sum(more.by_color("two", "one")) == 3
    assert more.seconds("one") > 0


def test_games_of_another_start_are_kept_apart(tmp_path: Path) -> None:
    players = {"one": "random:seed=1", "two": "random:seed=2"}
    with Crew("here") as crew, Lab(TINY, crew, tmp_path) as lab:
        lab.tournament("start", players, 2, openings="start")
        with pytest.raises(ConfigError, match="openings"):
            lab.tournament("start", players, 2)


def test_a_player_that_fails_ends_the_experiment(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("def play(position):\n    return -5\n")
    players = {"one": f"{tmp_path / 'bad.py'}:play", "two": "random"}
    with Crew("here") as crew, Lab(TINY, crew, tmp_path / "lab") as lab, pytest.raises(ConfigError, match="one - two"):
        lab.tournament("games", players, 2)


def small_experiment(findings: Findings) -> Experiment:
    return experiments.experiment("small", "nowhere", "A small <one>", "Nothing & more.")(lambda lab: findings)


def test_a_folder_belongs_to_one_experiment_and_its_settings(tmp_path: Path) -> None:
    findings = Findings("done", [Table("t", "T", ("a",), [(1,)])], {})
    one, other = small_experiment(findings), EXPERIMENTS["four"]
    settings = {"scale": "quick", "games": None}
    claim_folder(tmp_path, one, settings)
    claim_folder(tmp_path, one, settings)
    with pytest.raises(ConfigError, match="holds the experiment small"):
        claim_folder(tmp_path, other, settings)
    with pytest.raises(ConfigError, match=r"other settings \(scale quick\)"):
        claim_folder(tmp_path, one, {"scale": "full", "games": None})
    (tmp_path / "experiment.json").write_text("[]")
    with pytest.raises(RecordError, match="no description of an experiment"):
        claim_folder(tmp_path, one, settings)


def test_results_are_read_back_or_refused(tmp_path: Path) -> None:
    findings = Findings("1 < 2", [Table("t", "T", ("a", "b"), [("x", None), ("y", 1234567)], ("b",), "a & b")], {})
    one = small_experiment(findings)
    assert read_outcome(tmp_path, one) is None
    written = write_outcome(tmp_path, one, findings, {"scale": "full"}, 2.5, "here", Words())
    read = read_outcome(tmp_path, one)
    assert read is not None
    assert read.facts == written.facts
    assert read.facts["tables"] == {"t": [{"a": "x", "b": None}, {"a": "y", "b": 1234567}]}
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert "A small &lt;one&gt;" in page
    assert "1,234,567" in page
    assert "a &amp; b" in page
    for text in ("{}", "[1]", "no JSON", '{"summary": 1, "figures": []}'):
        (tmp_path / "results.json").write_text(text)
        with pytest.raises(RecordError, match="holds no results"):
            read_outcome(tmp_path, one)


def test_a_ledger_that_holds_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "measured.jsonl").write_text('{"job": "1", "result": {}}\n{"job": 1}\n')
    with Crew("here") as crew, pytest.raises(RecordError, match="line 2: is no measurement"):
        Lab(TINY, crew, tmp_path)


# -- what is refused


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"budget": 0}, "budget=0: a number from 0.001"),
        ({"budget": float("nan")}, "budget=nan"),
        ({"seconds": -1.0}, "seconds=-1"),
        ({"games": 1}, "games=1: a number from 2"),
    ],
)
def test_settings_out_of_range(options: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        LabSettings(**options)


def test_experiments_are_found_by_name() -> None:
    assert [one.name for one in find_experiments(["six", "four"])] == ["four", "six"]
    assert len(find_experiments(["all"])) == len(EXPERIMENTS)
    with pytest.raises(ConfigError, match="no experiment 'laddr', did you mean 'ladder'"):
        find_experiments(["four", "laddr"])
