"""Repeat the browser and server tests under different conditions, and print how each run ended.

    python -m scripts.repeat_tests [--times 10] [--first 1] [--conditions one-core busy ...] [--tests PATH ...]

A test that passes on a quick machine and fails on a slow one, or the other way round, does not wait for what it needs;
one that passes in one order only needs what another left. So each run has a random order of its own, by its number.
The output of each run is kept in `build/repeated_tests`.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final, NamedTuple
from xml.etree import ElementTree as ET

from tests.lifeline import start_python

TESTS: Final = ("tests/browser", "tests/server")
RESULTS: Final = Path("build/repeated_tests")
BUSY: Final = "from tests.lifeline import end_with_tests; end_with_tests()\nwhile True: pass"


class Condition(NamedTuple):
    """The circumstances of a run."""

    cores: int
    """Cores for the tests, and the number of processes that run them."""
    neighbours: int = 0
    """Processes that keep the same cores busy."""


CONDITIONS: Final = {
    "one-core": Condition(cores=1),
    "busy": Condition(cores=2, neighbours=2),
    "quiet": Condition(cores=2),
}


class Outcome(NamedTuple):
    """The result of a run."""

    passed: int
    failed: list[str]
    seconds: float


def main() -> None:
    parser = argparse.ArgumentParser(description="Repeat the browser and server tests under different conditions.")
    parser.add_argument("--times", type=int, default=10, help="runs of each condition (default: %(default)s)")
    parser.add_argument("--first", type=int, default=1, help="number of the first run, which decides its order")
    parser.add_argument("--conditions", nargs="+", choices=CONDITIONS, default=[*CONDITIONS], help="default: all")
    parser.add_argument("--tests", nargs="+", default=TESTS, metavar="PATH", help=f"default: {' '.join(TESTS)}")
    chosen = parser.parse_args()
    print("condition   run  passed  failed  seconds  failing tests")
    failures = 0
    for run in range(chosen.first, chosen.first + chosen.times):
        for name in chosen.conditions:
            passed, failed, seconds = run_tests(name, run, chosen.tests)
            print(f"{name:10} {run:4} {passed:7} {len(failed):7} {seconds:8.0f}  {', '.join(failed)}", flush=True)
            failures += len(failed)
    sys.exit(1 if failures else 0)


def run_tests(name: str, run: int, tests: Sequence[str]) -> Outcome:
    """Run the tests once under a condition."""
    condition, result = CONDITIONS[name], RESULTS / f"{name}-{run}.xml"
    RESULTS.mkdir(parents=True, exist_ok=True)
    result.unlink(missing_ok=True)
    pytest = [sys.executable, "-m", "pytest", "-q", f"-n{condition.cores}", "--dist=worksteal"]
    options = [f"--shuffle={run}", f"--junit-xml={result}"]
    with limited(condition), result.with_suffix(".log").open("w") as log:
        subprocess.run([*pytest, *options, *tests], stdout=log, stderr=log, check=False)
    if not result.exists():
        raise SystemExit(f"The run was broken off: see {log.name}")
    return read_outcome(result)


@contextmanager
def limited(condition: Condition) -> Iterator[None]:
    """Limit this process, and those that it starts, to the cores of a condition, and keep those busy."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(cores)[: condition.cores])
    with ExitStack() as stack:
        stack.callback(os.sched_setaffinity, 0, cores)
        for _ in range(condition.neighbours):
            neighbour = stack.enter_context(start_python("-c", BUSY))
            stack.callback(neighbour.kill)
        yield


def read_outcome(result: Path) -> Outcome:
    """Read what pytest wrote."""
    (suite,) = ET.parse(result).getroot()
    failed = suite.findall("testcase[failure]") + suite.findall("testcase[error]")
    names = [f"{case.get('classname', '').rpartition('.')[2]}::{case.get('name')}" for case in failed]
    passed = len(suite.findall("testcase")) - len(failed) - len(suite.findall("testcase[skipped]"))
    return Outcome(passed, names, float(suite.get("time", 0)))


if __name__ == "__main__":
    main()
