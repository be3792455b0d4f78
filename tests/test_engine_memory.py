"""The engine's table: what memory it may take, and what happens where there is not enough."""

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from othellier import Limit
from othellier.base import system
from othellier.engine.engine import Engine
from othellier.errors import ConfigError, OthellierError
from othellier.rules import native

HERE = "othellier.engine.engine.available_megabytes"


def test_memory_that_files_hold_in_passing_counts_as_free(monkeypatch: pytest.MonkeyPatch) -> None:
    facts = "MemTotal:       8000000 kB\nMemFree:         100000 kB\nMemAvailable:   5120000 kB\n"
    monkeypatch.setattr(Path, "read_text", lambda *_, **__: facts)
    assert system.available_megabytes() == 5000
    monkeypatch.setattr(Path, "read_text", lambda *_, **__: "MemTotal: none of your business")
    assert system.available_megabytes() is None


def test_a_table_takes_the_place_of_the_one_before(monkeypatch: pytest.MonkeyPatch) -> None:
    with Engine(hash_mb=8) as small:
        monkeypatch.setattr(HERE, lambda: 4)
        small.hash_mb = 12  # 4 free, 8 given back
        with pytest.raises(ConfigError, match="17 MB is more memory than there is: 4 MB are free"):
            small.hash_mb = 17
        assert small.hash_mb == 12
        monkeypatch.setattr(HERE, lambda: None)
        small.hash_mb = 20
        assert small.hash_mb == 20


@pytest.mark.parametrize("size", [10**9, 2**44, 2**63])
def test_a_refused_table_leaves_the_old_one_as_it_was(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(HERE, lambda: None)  # so that it is the core that refuses
    with Engine(hash_mb=4) as kept:
        first = kept.search(native.start(), Limit(depth=9))
        with pytest.raises(ConfigError, match=f"a table of {size} MB is more memory than there is"):
            kept.hash_mb = size
        assert kept.hash_mb == 4
        again = kept.search(native.start(), Limit(depth=9))
        assert (again.move, again.score) == (first.move, first.score)
        assert again.nodes < first.nodes  # what was known is known still
        with pytest.raises(ConfigError, match=f"a table of {size} MB is more memory than there is"):
            Engine(hash_mb=size)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems do not limit a process's memory so")
def test_a_process_that_may_have_no_more_memory_goes_on() -> None:
    program = """
import resource
from othellier import Limit
from othellier.rules import native
from othellier.engine.engine import Engine
from othellier.errors import ConfigError, OthellierError
engine = Engine(hash_mb=4)
engine.search(native.start(), Limit(depth=4))
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (64 << 20),) * 2)
try:
    engine.hash_mb = 256
except ConfigError as error:
    print(error)
print(engine.search(native.start(), Limit(depth=6)).depth)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert (done.stdout.splitlines(), done.stderr) == (["a table of 256 MB is more memory than there is", "6"], "")


def test_a_search_without_memory_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def search(*_: object) -> None:
        raise MemoryError

    engine = Engine(hash_mb=1)
    monkeypatch.setattr(engine, "_core", SimpleNamespace(search=search))
    with pytest.raises(OthellierError, match=r"there is no memory for a search: .* use fewer threads"):
        engine.search(native.start(), depth=1)
