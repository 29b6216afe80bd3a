"""A second try of a test in a browser begins as the first did, and the first is told of."""

import pytest


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Give a second try servers of its own: the module's hold what the first one has done."""
    if getattr(item, "execution_count", 1) > 1 and isinstance(item, pytest.Function):
        for servers in item._fixtureinfo.name2fixturedefs.get("start_web", ()):
            servers.finish(item._request)  # type: ignore[arg-type]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say why a test had to be tried again."""
    for report in terminalreporter.stats.get("rerun", ()):
        terminalreporter.section(f"tried again: {report.nodeid}")
        terminalreporter.write_line(report.longreprtext)
