"""The course: right solutions pass, wrong ones are told what was expected and where, none can do harm."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from othellier import Position
from othellier.base.fence import missing
from othellier.cli import main
from othellier.course import TaskReport, check_solution, find_tasks
from othellier.course.checking import defines
from othellier.course.tasks import alphabeta, minimax
from othellier.errors import ConfigError

SOLUTION = Path(__file__).parent / "solution.py"
QUEUE = Path("/proc/thread-self/schedstat")
TASKS = {task.name: task for task in find_tasks()}


def checked(text: str, name: str, tmp_path: Path, **changes: object) -> TaskReport:
    path = tmp_path / "mine.py"
    path.write_text(text)
    (report,) = check_solution(path, [TASKS[name]])
    return report


def test_there_is_a_task_for_everything_asked() -> None:
    assert list(TASKS) == ["legal-moves", "minimax", "alphabeta", "evaluation", "ucb1", "player"]
    for task in TASKS.values():
        assert task.text
        assert task.function.isidentifier()


def test_right_solutions_pass() -> None:
    reports = list(check_solution(SOLUTION, list(TASKS.values())))
    assert [(one.task, one.state) for one in reports] == [(name, "passed") for name in TASKS], reports
    assert "exactly" in reports[1].words


THINKING = '    print("thinking", time.perf_counter())'
LATE = "a move within 0.1 s expected"
WRONG = {
    "wraps round the edge": ("legal-moves", ("SHIFTS = [(1, NOT_A)", "SHIFTS = [(1, MASK)"), "not legal:"),
    "too short runs": ("legal-moves", ("range(5)", "range(2)"), "missing:"),
    "visits twice": (
        "minimax",
        ("    if not moves:", "    position.play(moves[0] if moves else -1)\n    if not moves:"),
        "visited",
    ),
    "a pass costs depth": ("minimax", ("position.play(-1), depth,", "position.play(-1), depth - 1,"), "expected"),
    "no cuts": ("alphabeta", ("if alpha >= beta", "if False"), "positions allowed"),
    "a sign": ("alphabeta", ("value = -alphabeta", "value = alphabeta"), "the value"),
    "a bad evaluation": ("evaluation", ("return 4 * mobility", "return -40 * mobility"), "% of points expected"),
    "values too large": (
        "evaluation",
        ("return 4 * mobility", "return 1e9 + mobility"),
        "a number from -9000 to 9000 expected, 1000000",
    ),
    "no logarithm": ("ucb1", ("math.log(parent_visits)", "parent_visits"), "expected"),
    "divides by nothing": ("ucb1", ("    if visits == 0:\n        return math.inf\n", ""), "ZeroDivisionError"),
    "an illegal move": (
        "player",
        ("return max(position.moves(), key", "return 0 if True else max([1], key"),
        "a1 came",
    ),
    "plays badly": ("player", ("return max(position.moves(), key", "return min(position.moves(), key"), "ended so"),
    "works too long": (
        "player",
        (THINKING, "    end = time.process_time() + 0.2\n    while time.process_time() < end: ..."),
        LATE,
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_solutions_are_told_what_was_expected(case: str, tmp_path: Path) -> None:
    name, (right, wrong), words = WRONG[case]
    text = SOLUTION.read_text()
    assert right in text
    report = checked(text.replace(right, wrong), name, tmp_path)
    assert report.state == "failed"
    assert words in report.words
    assert "\n" not in report.words
    if name != "ucb1":  # which is asked about numbers alone
        assert len(report.board.split()[0]) == 64


def test_a_bad_evaluation_is_shown_what_it_misjudged(tmp_path: Path) -> None:
    text = "def evaluate(position):\n    return position.player.bit_count() - position.opponent.bit_count()\n"
    report = checked(text, "evaluation", tmp_path)
    shown = Position.parse(report.board)
    value, discs = report.values["value"], report.values["discs"]
    assert int(value) == shown.player.bit_count() - shown.opponent.bit_count() > 0 < discs
    assert report.words.endswith(f"it gave {value}, and lost by {discs} discs")


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("import sys; sys.exit(4)", "status 4"),
        ("import os; os.fork()", "other processes"),
        ("return bytearray(8 << 30)", "MemoryError (mine.py, line 2)"),
        ("return input('number? ')", "nobody is there to answer"),
        ("return 100_000 * 'long\\n'", "expected, 'long"),
    ],
)
def test_solutions_can_do_no_harm(body: str, words: str, tmp_path: Path) -> None:
    report = checked(f"def ucb1(*numbers):\n    {body}\n", "ucb1", tmp_path)
    assert report.state == "failed"
    assert words in report.words
    assert "\n" not in report.words
    assert len(report.words) < 300


FORGED = (
    "import json, os\n\ndef ucb1(*numbers):\n"
    "    facts = {{'state': 'passed', 'words': 'x', 'board': '', 'template': {template!r}, 'values': {{'a': 1}}}}\n"
    "    for line in range(3, 64):\n        try:\n            os.write(line, json.dumps(facts).encode())\n"
    "        except OSError:\n            pass\n    os._exit(5)\n"
)


@pytest.mark.parametrize("template", ["{a:>9999999999}", "{a:{a}}", "{b}", "{a.__class__.x}", "{"])
def test_a_report_that_a_solution_wrote_costs_nothing(template: str, tmp_path: Path) -> None:
    """It may say that the solution passed, and nothing that takes memory or fails when it is shown."""
    report = checked(FORGED.format(template=template), "ucb1", tmp_path)
    assert report.words == "the solution ended Python (status 5)"


@pytest.mark.skipif(bool(missing()), reason="this system has no whole fence")
@pytest.mark.parametrize(
    "attack",
    [
        "C.system(b'touch ' + os.fsencode(HERE / 'made'))",
        "C.fork()",
        "C.open(os.fsencode(HERE / 'mine.py'), os.O_WRONLY)",
        "C.open(os.fsencode(HERE / 'made'), os.O_WRONLY | os.O_CREAT, 0o666)",
        "C.rename(os.fsencode(HERE / 'mine.py'), os.fsencode(HERE / 'made'))",
        "C.kill(os.getppid(), 0)",
        "C.open(b'/proc/%d/environ' % os.getppid(), 0)",
        "C.socket(2, 1, 0)",
    ],
)
def test_a_solution_is_fenced_in(attack: str, tmp_path: Path) -> None:
    """By the kernel, past Python's own functions."""
    text = "import ctypes, os\nfrom pathlib import Path\nC, HERE = ctypes.CDLL(None), Path(__file__).parent\n\n"
    text += f"def ucb1(*numbers):\n    done = {attack}\n"
    text += "    raise ValueError('refused' if done in (-1, 32512) else 'done')\n"
    report = checked(text, "ucb1", tmp_path)
    assert "ValueError: refused" in report.words
    assert [path.name for path in tmp_path.iterdir()] == ["mine.py"]
    assert (tmp_path / "mine.py").read_text() == text


def test_a_task_left_as_the_file_began_is_not_begun(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.py"
    assert main(["course", "begin", str(path)]) == 0
    assert main(["course", "check", str(path), "--task", "ucb1"]) == 1  # it was asked for
    out = capsys.readouterr().out
    assert "not begun: write ucb1(wins, visits, parent_visits, c)" in out
    assert out.splitlines()[-1] == "1 task: 0 passed, 0 failed, 1 not begun"


def test_tasks_are_set_and_judged_in_french_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for task in TASKS.values():
        assert {task.text} <= set(task.french), task.name
    path = tmp_path / "mine.py"
    path.write_text("def ucb1(wins, visits, parent_visits, c):\n    return 0\n")
    assert main(["--language", "fr", "course", "check", str(path), "--task", "ucb1"]) == 1
    told = capsys.readouterr().out
    assert "UCB1 : RATÉ : ucb1(" in told
    assert "était attendu, 0 est venu" in told
    assert "1 exercice : 0 réussi, 1 raté" in told
    path.write_text("import sys\n\n\ndef ucb1(wins, visits, parent_visits, c):\n    return 1 / 0\n")
    assert main(["--language", "fr", "course", "check", str(path), "--json"]) == 1
    facts = {line["task"]: line for line in map(json.loads, capsys.readouterr().out.splitlines())}
    assert facts["ucb1"]["state"] == "failed"  # what programs read is the same in every language
    assert facts["ucb1"]["words"].startswith("ucb1 a échoué : ZeroDivisionError")
    assert facts["minimax"]["words"] == "écrivez minimax(position, depth, evaluate)"
    assert main(["--language", "fr", "course", "list", "--json"]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[0])["title"] == "Les coups possibles avec des bitboards"


def test_an_endless_loop_is_ended_and_its_position_shown(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("def legal_moves(player, opponent):\n    while True:\n        print('on and on')\n")
    (report,) = check_solution(path, [replace(TASKS["legal-moves"], seconds=1.0)])
    assert (report.state, report.words) == ("failed", "legal_moves did not end within 1 s: an endless loop?")
    assert report.board == Position.start().board_string()


def test_an_exception_shows_the_position(tmp_path: Path) -> None:
    report = checked("def minimax(position, depth, evaluate):\n    return 1 / 0\n", "minimax", tmp_path)
    assert report.words == "minimax failed: ZeroDivisionError: division by zero (mine.py, line 2)"
    assert report.board == Position.start().board_string()


@pytest.mark.skipif(not QUEUE.exists(), reason="other systems do not tell sleep from a wait for a core")
def test_a_player_that_sleeps_is_told_so(tmp_path: Path) -> None:
    text = "import time\n\n\ndef choose(position, seconds):\n    time.sleep(0.2)\n    return position.moves()[0]\n"
    report = checked(text, "player", tmp_path)
    assert report.words.endswith("s of them asleep or waiting")
    assert report.board == Position.start().board_string()


def test_counts_are_those_of_the_searches() -> None:
    for position, depth in minimax.cases():
        value, nodes = minimax.reference(position, depth)
        same, fewer = alphabeta.reference(position, depth)
        assert same == value
        assert fewer <= nodes


def test_a_file_that_is_no_python_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "broken.py"
    path.write_text("def minimax(position:\n    pass\n")
    assert main(["course", "check", str(path)]) == 2
    error = capsys.readouterr().err
    assert "broken.py, line 1" in error
    assert error.count("\n") == 1
    with pytest.raises(ConfigError, match="there is no file"):
        list(check_solution(tmp_path / "nowhere.py", list(TASKS.values())))


def test_the_command_lists_shows_begins_and_checks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["course"]) == 0
    assert capsys.readouterr().out.splitlines()[0].startswith("legal-moves")
    assert main(["course", "list", "--json"]) == 0
    assert [json.loads(line)["name"] for line in capsys.readouterr().out.splitlines()] == list(TASKS)
    assert main(["course", "show", "minimax"]) == 0
    assert "def minimax(position, depth, evaluate):" in capsys.readouterr().out
    assert main(["course", "show", "minmax"]) == 2
    assert "did you mean 'minimax'" in capsys.readouterr().err
    mine = tmp_path / "mine.py"
    assert main(["course", "begin", str(mine)]) == 0
    compile(mine.read_text(), "mine.py", "exec")
    assert main(["course", "begin", str(mine)]) == 2
    capsys.readouterr()
    mine.write_text(SOLUTION.read_text().replace("range(5)", "range(2)"))
    assert main(["course", "check", str(mine), "--task", "legal-moves"]) == 1
    told = capsys.readouterr().out
    assert "Legal moves with bitboards: FAILED:" in told
    assert "a b c d e f g h" in told  # the position
    assert main(["course", "check", str(mine), "--task", "ucb1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["state"] == "passed"


def test_a_teacher_adds_a_task_in_one_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tasks = tmp_path / "tasks"
    tasks.mkdir()
    (tasks / "discs.py").write_text(
        "from othellier import Position\nfrom othellier.course import Failed, Task\n\n"
        "def check(count_discs):\n    position = Position.start()\n    if count_discs(position) != 4:\n"
        "        raise Failed('4 discs expected', position)\n\n"
        "TASK = Task('discs', 'Count the discs', 'count_discs(position)', 'Return how many there are.', check)\n"
    )
    mine = tmp_path / "mine.py"
    mine.write_text("def count_discs(position):\n    return position.player.bit_count()\n")
    command = ["course", "--tasks", str(tasks), "check", str(mine), "--task", "discs"]
    assert main(command) == 1
    assert "Count the discs: FAILED: 4 discs expected" in capsys.readouterr().out
    mine.write_text("def count_discs(position):\n    return (position.player | position.opponent).bit_count()\n")
    assert main(command) == 0
    (tasks / "bad.py").write_text("X = 1\n")
    assert main(command) == 2
    assert "has no TASK" in capsys.readouterr().err


def test_what_a_file_imports_counts_as_written(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("import math as sums\nfrom others import found as ucb1\nchoose = max\n\n\ndef minimax(): ...\n")
    assert defines(path) == {"sums", "ucb1", "choose", "minimax"}


def test_a_solution_may_be_in_several_files(tmp_path: Path) -> None:
    (tmp_path / "beside.py").write_text(SOLUTION.read_text())
    assert checked("from beside import ucb1\n", "ucb1", tmp_path).state == "passed"


def test_a_teachers_task_takes_the_place_of_ours(tmp_path: Path) -> None:
    text = 'from othellier.course import Task\nTASK = Task("ucb1", "Mine", "ucb1(a)", "", lambda function: None)\n'
    (tmp_path / "own.py").write_text(text)
    found = find_tasks([tmp_path])
    assert [task.title for task in found if task.name == "ucb1"] == ["Mine"]
    assert len(found) == len(TASKS)
