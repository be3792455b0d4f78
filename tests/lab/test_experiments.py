"""Every experiment in its smallest form: what is published beside what is measured, files, pages, resuming."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from othellier import native
from othellier.arena.ledger import Ledger
from othellier.distribute import Crew
from othellier.errors import ConfigError, RecordError
from othellier.lab import experiment as experiments
from othellier.lab.catalogue import EXPERIMENTS, find_experiments
from othellier.lab.experiment import Experiment, Findings, Lab, Settings, Table
from othellier.lab.report import claim_folder, read_outcome, write_index, write_outcome
from othellier.lab.small import SIX_LINE
from othellier.lab.techniques import LADDER, TECHNIQUES, Search, measure_search
from othellier.lab.timing import Trial, fit_exponential, fit_line, measure_trial

pytestmark = pytest.mark.skipif(not native.available, reason="experiments compare the compiled searches")

TINY = Settings("tiny")


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Findings]]:
    """All experiments, run once, with their pages."""
    out = tmp_path_factory.mktemp("report")
    found, written = {}, []
    with Crew("here") as crew:
        for name, one in EXPERIMENTS.items():
            with Lab(TINY, crew, out / name) as lab:
                claim_folder(out / name, one, lab.facts())
                found[name] = one.run(lab)
                written.append(write_outcome(out / name, one, found[name], lab.facts(), 1.0, "here"))
    write_index(out, written)
    return out, found


def rows(findings: Findings, table: str) -> dict[str, dict[str, Any]]:
    """The rows of a table by their first column."""
    (found,) = [one for one in findings.tables if one.name == table]
    return {str(row[0]): dict(zip(found.heading, row, strict=True)) for row in found.rows}


# -- what is on paper


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_tables_figures_and_a_page(name: str, outcomes: tuple[Path, dict[str, Findings]]) -> None:
    out, all_findings = outcomes
    findings, folder, one = all_findings[name], out / name, EXPERIMENTS[name]
    page = (folder / "index.html").read_text(encoding="utf-8")
    assert findings.tables
    assert findings.figures
    for table in findings.tables:
        with (folder / f"{table.name}.csv").open(encoding="utf-8", newline="") as file:
            heading, *lines = csv.reader(file)
        assert tuple(heading) == table.heading
        assert len(lines) == len(table.rows) > 0
        assert set(table.published) <= set(table.heading)
        assert f'href="{table.name}.csv"' in page
    for figure in findings.figures:
        assert (folder / f"{figure}.png").read_bytes().startswith(b"\x89PNG")
        assert "<svg" in (folder / f"{figure}.svg").read_text(encoding="utf-8")
        assert f'src="{figure}.svg"' in page
    assert one.title in page
    facts = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    assert facts["summary"] == findings.summary
    assert facts["machine"] in page
    assert facts["settings"]["scale"] == "tiny"


def test_the_index_leads_to_every_page(outcomes: tuple[Path, dict[str, Findings]]) -> None:
    out, found = outcomes
    index = (out / "index.html").read_text(encoding="utf-8")
    for name, findings in found.items():
        assert f'href="{name}/index.html"' in index
        assert f'src="{name}/{next(iter(findings.figures))}.svg"' in index


def test_what_documents_published_stands_beside_what_was_measured(outcomes: tuple[Path, dict[str, Findings]]) -> None:
    """All but our own study, and those whose document gave no numbers."""
    for name, findings in outcomes[1].items():
        if name not in ("ratings", "merging", "branching", "knowledge"):
            assert any(table.published for table in findings.tables), name


# -- what was measured


def test_4x4_has_the_published_nodes(outcomes: tuple[Path, dict[str, Findings]]) -> None:
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


def test_6x6_is_worth_4_discs_to_white_all_along_the_line(outcomes: tuple[Path, dict[str, Findings]]) -> None:
    table = rows(outcomes[1]["six"], "line")
    assert len(SIX_LINE) == 2 * 33  # 32 moves and a pass
    assert "12" in table
    assert {line["score for Black"] for line in table.values()} == {-4}


def test_the_ladder_saves_nodes(outcomes: tuple[Path, dict[str, Findings]]) -> None:
    table = rows(outcomes[1]["ladder"], "nodes")
    # perft of 6x6: 4, 12, 56, 244, 1364
    assert [table[str(depth)]["none"] for depth in range(1, 5)] == [5, 17, 73, 317]
    for technique in list(LADDER)[1:]:
        assert table["5"][technique] < table["5"]["none"]


def test_leaves_are_between_theory_and_all(outcomes: tuple[Path, dict[str, Findings]]) -> None:
    for size in ("8", "6"):
        for line in rows(outcomes[1]["branching"], f"leaves-{size}").values():
            depth, v, *measured, least = line.values()
            assert round(v**depth) == measured[0] == max(measured)
            assert least <= measured[1] + 1


def test_merging_changes_no_value_and_saves_four(outcomes: tuple[Path, dict[str, Findings]]) -> None:
    findings = outcomes[1]["merging"]
    (searches,) = [table for table in findings.tables if table.name == "searches"]
    assert {row[-1] for row in searches.rows} == {"yes"}
    states = rows(findings, "states")
    assert [states[ply]["sequences of moves"] for ply in "1234"] == [4, 12, 56, 244]
    assert [states[ply]["states"] for ply in "12"] == [4, 12]
    assert [states[ply]["states up to symmetry"] for ply in "12"] == [1, 3]


def test_points_are_those_of_the_document(outcomes: tuple[Path, dict[str, Findings]]) -> None:
    """The published pairings must give the published totals: tables 6.1 and 6.2."""
    points = {name: line["published: points"] for name, line in rows(outcomes[1]["algorithms"], "points").items()}
    assert points == {"random": 0, "alpha-beta": 132, "Monte-Carlo": 30}
    points = {name: line["published: points"] for name, line in rows(outcomes[1]["strategies"], "points").items()}
    assert points == {"positional": 18, "absolute": 0, "mobility": 28, "mixed": 26}


def test_every_game_is_counted_for_its_colour(outcomes: tuple[Path, dict[str, Findings]]) -> None:
    (table,) = outcomes[1]["heuristics"].tables
    assert [row[-1] for row in table.rows] == [1, 1]
    assert [sum(value for value in row[4:7] if isinstance(value, float)) for row in table.rows] == [100, 100]


def test_ratings_are_counted_from_random(outcomes: tuple[Path, dict[str, Findings]]) -> None:
    (table,) = outcomes[1]["ratings"].tables
    lines = {row[1]: row for row in table.rows}
    assert lines["random"][2] == 0
    assert "engine: beginner+" in lines
    elos = [row[2] for row in table.rows]
    assert elos == sorted(elos, key=lambda elo: -float(elo or 0))


def test_techniques_find_one_value() -> None:
    found = {name: measure_search(Search(name, 6))["value"] for name in TECHNIQUES}
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
    written = write_outcome(tmp_path, one, findings, {"scale": "full"}, 2.5, "here")
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
        Settings(**options)


def test_experiments_are_found_by_name() -> None:
    assert [one.name for one in find_experiments(["six", "four"])] == ["four", "six"]
    assert len(find_experiments(["all"])) == len(EXPERIMENTS)
    with pytest.raises(ConfigError, match="no experiment 'laddr', did you mean 'ladder'"):
        find_experiments(["four", "laddr"])
