"""The faults of `make mutants`: each still fits the file it is to be put into."""

from pathlib import Path

from benchmarks import mutants

ROOT = Path(__file__).parents[1]


def test_every_fault_can_be_put_in_and_has_its_tests() -> None:
    found = mutants.read_list()
    assert len(found) >= 40
    for mutant in found:
        good = (ROOT / mutant.file).read_text(encoding="utf-8")
        assert mutant.put_into(good) != good
        for test in mutant.tests:
            assert test == mutants.SELFCHECK or test.startswith("-") or (ROOT / test.partition("::")[0]).exists()


def test_the_table_is_that_of_the_list() -> None:
    rows = [line for line in mutants.TABLE.read_text(encoding="utf-8").splitlines() if line.startswith("| ")][1:]
    names = {row.split(" | ")[0].removeprefix("| ") for row in rows}
    assert names == {mutant.name for mutant in mutants.read_list()}, "run `make mutants`"
    assert not [row for row in rows if mutants.SURVIVES in row]
