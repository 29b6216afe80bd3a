"""A budget of processor time for each test: what a test costs is paid again with every change.

A test that takes more than LIMIT seconds of processor time has to say why it may:
`@pytest.mark.slow("why")`. The programs that it waits for count for a quarter, since each program
of ours takes a second to start. What is set up for several tests, in fixtures of a module or of
the whole run, isn't charged to the one that happens to be the first.

Processor time is steadier than the clock on the wall, but neighbours on the same cores and an older
machine make it longer too, by half on a bad day. So a test that is over is weighed again: a loop of
known length is timed there and then, and the limit grows with it. A test fails at FAILS_AT only,
and if it takes as much at a second try; otherwise it is named at the end, so that CI fails for what
somebody did, not for what the machine did.

TEST_BUDGET=report fails nothing, and lists what cost most: tests, and what they share.
"""

import os
import resource
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import contextmanager

import pytest

from tests import forked

LIMIT = 2.0
FAILS_AT = 4.0
# What the loop of `slowness` takes on the machine that the limits were chosen on, in seconds.
LOOP_TAKES = 0.08
LISTED = 40
TOO_MUCH = "processor time: see tests/budget.py"
BUDGET = pytest.StashKey["Budget"]()


def pytest_configure(config: pytest.Config) -> None:
    """Keep accounts for this run."""
    report_only = os.environ.get("TEST_BUDGET") == "report"
    budget = Budget(report_only=report_only)
    config.stash[BUDGET] = budget
    config.pluginmanager.register(budget, "budget-of-tests")


def spent() -> float:
    """Return the processor time of this process, and a quarter of what its ended programs took."""
    own, children = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    programs = children.ru_utime + children.ru_stime + forked.spent()
    return own.ru_utime + own.ru_stime + programs / 4


def slowness() -> float:
    """Return how much longer than it should the machine takes just now, never less than one."""
    begun = spent()
    total = 0
    for number in range(2_000_000):
        total += number
    return max(1.0, (spent() - begun) / LOOP_TAKES)


def may_be_slow(item: pytest.Item) -> bool:
    """Return whether the test says why, or is left to `make deep`."""
    return bool(item.get_closest_marker("slow") or item.get_closest_marker("deep"))


class Budget:
    """Charges each test with its own set-up and its body."""

    def __init__(self, *, report_only: bool) -> None:
        self._report_only = report_only
        self._tests: Counter[str] = Counter()
        self._shared: Counter[str] = Counter()
        self._over: list[str] = []
        # What fixtures for several tests took in the phase that is under way.
        self._elsewhere = 0.0
        self._is_shared = False

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(
        self, fixturedef: pytest.FixtureDef[object]
    ) -> Generator[None, object, object]:
        """Put down separately what is set up for several tests."""
        if fixturedef.scope == "function":
            return (yield)
        with self.for_several(fixturedef.argname):
            return (yield)

    @contextmanager
    def for_several(self, name: str) -> Iterator[None]:
        """Put down separately what is done once, and not for this test alone."""
        if self._is_shared:
            yield
            return
        begun, self._is_shared = spent(), True
        try:
            yield
        finally:
            self._is_shared = False
            cost = spent() - begun
            self._shared[name] += cost
            self._elsewhere += cost

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Generator[None, None, None]:
        """Open the account of a test."""
        self._tests[item.nodeid] = 0.0
        with self._charged(item):
            yield

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, None, None]:
        """Close the account of a test, and fail it if it is overdrawn."""
        with self._charged(item):
            yield
        cost = self._tests[item.nodeid]
        if cost <= LIMIT or may_be_slow(item):
            return
        by = slowness()
        if cost > LIMIT * by:
            self._over.append(f"{cost:5.1f} s, on a machine {by:.1f} times as slow: {item.nodeid}")
        if cost > FAILS_AT * by and not self._report_only:
            pytest.fail(f"{cost:.1f} s of {TOO_MUCH}", pytrace=False)

    @contextmanager
    def _charged(self, item: pytest.Item) -> Iterator[None]:
        begun, self._elsewhere = spent(), 0.0
        try:
            yield
        finally:
            self._tests[item.nodeid] += spent() - begun - self._elsewhere

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Let nobody be slow without a reason, nor fail for one bad moment of the machine."""
        for item in items:
            if not item.get_closest_marker("flaky"):
                item.add_marker(pytest.mark.flaky(reruns=1, only_rerun=[TOO_MUCH]))
            for marker in item.iter_markers("slow"):
                if not (marker.args and isinstance(marker.args[0], str)):
                    raise pytest.UsageError(f"{item.nodeid}: slow, but why?")

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Name the tests that are over the limit, and in a report what cost most."""
        if self._over:
            terminalreporter.section("more processor time than tests may take")
            terminalreporter.write("".join(f"{line}\n" for line in self._over))
        if self._report_only:
            terminalreporter.section(f"processor time: {spent():.0f} s")
            for costs in (self._shared, self._tests):
                for name, cost in costs.most_common(LISTED):
                    terminalreporter.write(f"{cost:6.2f} {name}\n")
