"""One engine and many threads, stops, closes, forks and Ctrl-C: what the docstring of `Engine` promises.

What could wait for ever runs in a process of its own with a limit, which fails with what it had said so far.
"""

import os
import random
import subprocess
import sys
import threading
from collections.abc import Callable

import pytest

from othellier import Limit, Result
from othellier.engine.engine import Engine
from othellier.errors import NO_THREAD, OthellierError
from othellier.rules import native

START = native.start()
PATIENCE = 120  # seconds that nothing here comes near


class Thinking:
    """A search without end in a thread; left only when it has ended."""

    def __init__(self, engine: Engine) -> None:
        self.results: list[Result] = []
        begun = threading.Event()
        self._thread = threading.Thread(target=self._think, args=(engine, begun.set), daemon=True)
        self._thread.start()
        assert begun.wait(PATIENCE), "the search has not begun"

    def _think(self, engine: Engine, begun: Callable[[], None]) -> None:
        self.results.append(engine.search(START, Limit(infinite=True), progress=lambda _: begun()))

    def ends(self) -> Result:
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive(), "the search has not ended"
        return self.results[0]


def run(program: str, before: Callable[[], object] | None = None) -> list[str]:
    """The lines a program prints; it must end by itself."""
    head = "import os, signal, sys, threading\nfrom othellier import Limit, batch\nfrom othellier.rules import native\n"
    head += "from othellier.engine.engine import Engine, bench\nfrom othellier.errors import OthellierError\n"
    try:
        command = [sys.executable, "-c", head + program]
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, preexec_fn=before)
    except subprocess.TimeoutExpired as late:
        pytest.fail(f"it hangs after {late.stdout!r} {late.stderr!r}")
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize("threads", [1, 2])
def test_calls_from_many_threads_take_turns(threads: int) -> None:
    rng = random.Random(1)
    positions = [native.random_position(rng, 8, 12) for _ in range(6)]
    expected = [Engine(hash_mb=4).solve(position).score for position in positions]
    with Engine(hash_mb=4, threads=threads) as engine:
        found: dict[int, list[float | None]] = {}

        def work(number: int) -> None:
            mine = positions[number:] + positions[:number]
            scores = []
            for step, position in enumerate(mine):
                scores.append(engine.solve(position).score)
                if step % 3 == number % 3:
                    engine.new_game()
                    engine.hash_mb = 2 + step
            found[number] = scores[-number:] + scores[:-number] if number else scores

        workers = [threading.Thread(target=work, args=(number,)) for number in range(4)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join(PATIENCE)
        assert found == dict.fromkeys(range(4), expected)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_stop_ends_the_search_that_runs_and_not_the_one_that_waits(threads: int) -> None:
    engine = Engine(hash_mb=4, threads=threads)
    thinking = Thinking(engine)
    waiting: list[Result] = []
    other = threading.Thread(target=lambda: waiting.append(engine.search(START, Limit(depth=5))), daemon=True)
    other.start()
    engine.stop()
    assert thinking.ends().move in START.moves()
    other.join(PATIENCE)
    assert [result.depth for result in waiting] == [5]


@pytest.mark.parametrize("threads", [1, 2])
def test_a_close_ends_the_search_and_the_engine(threads: int) -> None:
    engine = Engine(hash_mb=4, threads=threads)
    thinking = Thinking(engine)
    engine.close()
    assert thinking.ends().move in START.moves()
    for _ in range(2):
        with pytest.raises(OthellierError, match="the engine is closed"):
            engine.search(START, Limit(depth=1))
        engine.close()


def test_a_close_is_never_too_early() -> None:
    for _ in range(100):
        engine = Engine(hash_mb=1)
        errors: list[str] = []

        def think(engine: Engine = engine, errors: list[str] = errors) -> None:
            try:
                engine.search(START, Limit(infinite=True))
            except OthellierError as error:
                errors.append(str(error))

        thread = threading.Thread(target=think, daemon=True)
        thread.start()
        engine.close()  # before, while or after it begins
        thread.join(PATIENCE)
        assert not thread.is_alive(), "the search goes on in a closed engine"
        assert errors in ([], ["the engine is closed"])


@pytest.mark.parametrize("threads", [1, 2])
def test_a_search_may_stop_itself_but_ask_for_nothing_else(threads: int) -> None:
    engine = Engine(hash_mb=4, threads=threads)

    def resize() -> None:
        engine.hash_mb = 2

    calls: dict[str, Callable[[], object]] = {
        "search": lambda: engine.search(START, Limit(depth=1)),
        "analyze": lambda: engine.analyze(START, Limit(depth=1)),
        "new_game": engine.new_game,
        "close": engine.close,
        "hash_mb": resize,
        "threads": lambda: setattr(engine, "threads", 1),
    }
    refused: set[str] = set()

    def progress(_: Result) -> None:
        for name, call in calls.items():
            if name == "close":
                continue  # which would end the search: tried last
            with pytest.raises(OthellierError, match="a search cannot ask anything of its own engine"):
                call()
            refused.add(name)
        engine.stop()

    stopped = engine.search(START, Limit(infinite=True), progress=progress)
    assert stopped.move in START.moves()
    assert refused == set(calls) - {"close"}
    assert (engine.hash_mb, engine.threads) == (4, threads)
    assert engine.search(START, Limit(depth=4)).depth == 4

    def close(_: Result) -> None:
        with pytest.raises(OthellierError, match="a search cannot ask anything of its own engine"):
            engine.close()

    assert engine.search(START, Limit(infinite=True), progress=close).move in START.moves()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
@pytest.mark.parametrize("threads", [1, 2])
def test_a_child_forked_while_a_search_runs_has_an_engine_of_its_own(threads: int) -> None:
    assert run(f"""
engine = Engine(hash_mb=4, threads={threads})
solved = engine.solve(native.parse("-XXO XOOX XXOX OO-X X"))
begun = threading.Event()
thread = threading.Thread(
    target=lambda: engine.search(native.start(), Limit(infinite=True), progress=lambda _: begun.set())
)
thread.start()
assert begun.wait(100)
for _ in range(10):
    if (child := os.fork()) == 0:
        engine.stop()
        found = engine.search(native.start(), Limit(depth=6)).depth
        engine.new_game()
        engine.hash_mb = 2
        right = engine.solve(native.parse("-XXO XOOX XXOX OO-X X")).score == solved.score
        engine.close()
        del engine
        os._exit(found if right else 99)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
engine.stop()
thread.join()
print("parent", engine.search(native.start(), Limit(depth=6)).depth)
""") == ["6"] * 10 + ["parent 6"]


@pytest.mark.skipif(sys.platform != "linux", reason="asks the C library where a thread's stack is")
def test_a_stop_in_a_child_leaves_the_search_alone_that_only_its_parent_has() -> None:
    """What a search is told lies on the stack of its thread, which the child has not: nothing can be written there."""
    assert run("""
import ctypes
libc = ctypes.CDLL(None)
libc.pthread_self.restype = ctypes.c_void_p
engine, begun, stack = Engine(hash_mb=2), threading.Event(), (ctypes.c_void_p(), ctypes.c_size_t())
def search():
    attributes = ctypes.create_string_buffer(256)
    assert libc.pthread_getattr_np(ctypes.c_void_p(libc.pthread_self()), attributes) == 0
    assert libc.pthread_attr_getstack(attributes, *map(ctypes.byref, stack)) == 0
    engine.search(native.start(), Limit(infinite=True), progress=lambda _: begun.set())
thread = threading.Thread(target=search)
thread.start()
assert begun.wait(100)
if (child := os.fork()) == 0:
    assert libc.mprotect(*stack, 0) == 0
    engine.stop()
    os._exit(7)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
engine.stop()
thread.join()
""") == ["7"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
@pytest.mark.parametrize("threads", [1, 3])
def test_a_child_of_an_idle_engine_keeps_what_it_knew(threads: int) -> None:
    nodes = run(f"""
engine = Engine(hash_mb=8, threads={threads})
first = engine.search(native.start(), Limit(depth=10))
if (child := os.fork()) == 0:
    print(first.nodes, engine.search(native.start(), Limit(depth=10)).nodes, flush=True)
    engine.new_game()
    engine.threads = 2
    print(engine.search(native.start(), Limit(depth=5)).depth, flush=True)
    del engine
    os._exit(0)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), engine.search(native.start(), Limit(depth=6)).depth)
""")
    first, again = map(int, nodes[0].split())
    assert again < first
    assert nodes[1:] == ["5", "0 6"]


def test_a_table_cleared_by_several_threads_is_empty() -> None:
    position = native.random_position(random.Random(3), 8, 30)
    with Engine(hash_mb=6) as fresh, Engine(hash_mb=6) as engine:
        expected = fresh.search(position, depth=12)
        for threads in (2, 3, 7):
            engine.threads = threads
            engine.search(position, depth=12)
            engine.new_game()
            engine.threads = 1
            assert engine.search(position, depth=12).nodes == expected.nodes
            engine.new_game()


ON_LINUX = pytest.mark.skipif(sys.platform != "linux", reason="counts and limits threads as Linux does")
THREADS = "lambda: {*os.listdir('/proc/self/task')}"


@ON_LINUX
def test_threads_are_kept_from_search_to_search_and_end_with_the_engine() -> None:
    found = run(f"""
threads, engine = {THREADS}, Engine(hash_mb=2, threads=4)
before = threads()
engine.search(native.start(), Limit(depth=5))
kept = threads()
for _ in range(3):
    engine.analyze(native.start(), Limit(depth=3))
    engine.new_game()
print(len(kept - before), threads() == kept)
engine.threads = 2
engine.search(native.start(), Limit(depth=5))
print(len(threads() - before), len(threads() & kept - before))
engine.close()
print(threads() == before)
other = Engine(hash_mb=2, threads=3)
other.search(native.start(), Limit(depth=5))
print(len(threads() - before))
del other
print(threads() == before)
""")
    assert found == ["3 True", "1 0", "True", "2", "True"]


FEW_THREADS = f"""
import resource
import numpy as np
from othellier.engine.engine import compiled_probcut, shared_weights
def play(threads):
    games = np.zeros((12, 122), "u1")
    native.core.selfplay(shared_weights(), None, compiled_probcut(), 2, False, 5, 4, 4, 8, 0, threads, 1, games)
    return games.tolist()
expected, solved = play(1), Engine().solve(native.parse("-XXO XOOX XXOX OO-X X"))
size = int(next(line for line in open("/proc/self/status") if line.startswith("VmSize")).split()[1]) * 1024
threads = {THREADS}
"""
"""What is asked for where threads are scarce, and how much memory the process has before."""


@ON_LINUX
def test_a_search_has_as_many_threads_as_can_be_started() -> None:
    found = run(
        FEW_THREADS
        + """
limit = size + (600 << 20)
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
engine = Engine(hash_mb=2, threads=200)
print(engine.solve(native.parse("-XXO XOOX XXOX OO-X X")).score == solved.score, 2 < len(threads()) < 200)
engine.new_game()
print(engine.search(native.start(), Limit(depth=6)).depth)
engine.close()
print(play(200) == expected)
"""
    )
    assert found == ["True True", "6", "True"]


@ON_LINUX
def test_where_no_thread_can_be_started_a_search_has_one_and_learning_says_so() -> None:
    # A thread's stack is as large as the limit of stacks when the process begins: here larger than the memory left.
    import resource

    most = resource.getrlimit(resource.RLIMIT_STACK)[1]
    if most != resource.RLIM_INFINITY:
        pytest.skip("stacks are limited here")
    found = run(
        FEW_THREADS
        + """
limit = size + (1 << 30)
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
engine, before = Engine(hash_mb=2, threads=4), threads()
print(engine.solve(native.parse("-XXO XOOX XXOX OO-X X")).score == solved.score, threads() == before)
print(len(batch.random_games(300_000, 1, threads=4).scores))
try:
    play(4)
except OthellierError as error:
    print(error)
""",
        lambda: resource.setrlimit(resource.RLIMIT_STACK, (2 << 30, most)),
    )
    assert found == ["True True", "300000", NO_THREAD]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
@pytest.mark.parametrize("threads", [1, 2])
def test_a_child_forked_by_a_progress_call_does_not_go_on_with_the_search(threads: int) -> None:
    found = run(f"""
children = []
def fork(result):
    if result.depth == 3 and os.getpid() == parent:
        children.append(os.fork())
parent = os.getpid()
os.dup2(1, 2)
depth = Engine(hash_mb=2, threads={threads}).search(native.start(), Limit(depth=6), progress=fork).depth
print(depth, os.waitstatus_to_exitcode(os.waitpid(children[0], 0)[1]))
""")
    assert found == ["othellier: a search cannot go on in a forked process", "6 1"]


LONG_CALLS = [
    "Engine(hash_mb=2).search(native.start(), Limit(infinite=True))",
    "Engine(hash_mb=2, threads=2).search(native.start(), Limit(infinite=True))",
    "[bench() for _ in range(1000)]",
    "batch.random_games(20_000_000, 1, threads=1)",
    "batch.random_games(20_000_000, 1, threads=2)",
    "batch.fingerprints(np.full((1 << 26, 1), 37, np.uint8), threads=1)",
    'core.selfplay(weights, None, compiled_probcut(), 6, False, 5, 10, 10, 20, 0, 1, 1, np.zeros((10000, 122), "u1"))',
    'core.complete_games(weights, None, compiled_probcut(), 6, False, 5, 10, 0, 1, 1, np.zeros((10000, 122), "u1"))',
    "core.depth_values(weights, None, bits, ~bits, 9, 0, 1, np.zeros((len(bits), 11), np.int8))",
]


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is another thing there")
def test_ctrl_c_ends_every_long_call() -> None:
    # The alarm rings when the call has used the processor for a moment, again and again until it is heard.
    found = run(f"""
import numpy as np
from othellier.engine.engine import compiled_probcut, shared_weights
core, weights = native.core, shared_weights()
bits = np.random.default_rng(1).integers(0, 1 << 63, 4096, np.uint64)
def ring(*_):
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    raise KeyboardInterrupt
signal.signal(signal.SIGVTALRM, ring)
for name, call in {{{", ".join(f"{call!r}: lambda: {call}" for call in LONG_CALLS)}}}.items():
    signal.setitimer(signal.ITIMER_VIRTUAL, 0.2, 0.1)
    try:
        call()
    except KeyboardInterrupt:
        print("interrupted:", name, flush=True)
print(batch.random_games(3, 1).lengths.shape, Engine(hash_mb=2).search(native.start(), Limit(depth=3)).depth)
""")
    assert found == [*(f"interrupted: {call}" for call in LONG_CALLS), "(3,) 3"]
