"""What both suites of pytest share: markers, how long a case may take, and what is said when a suite is interrupted, as
tools/run-suites does when its time is up: which tests were running."""

import os

import pytest

LONGEST_S = 10.0
SANITIZED = os.environ.get("SLUICE_FLAVOUR") == "asan"

running = {}
took_s = pytest.StashKey()
busiest = pytest.StashKey()


def pytest_configure(config):
    config.addinivalue_line("markers", f"slow: takes longer than {LONGEST_S:.0f} s on a quiet machine, or is worth no minute of each change: only make check runs it")
    config.addinivalue_line("markers", "torture: make torture runs it, too, as it runs all in tests/e2e/torture, and then it does more")
    config.addinivalue_line("markers", "both_modes: differs in process and base mode: make test runs it in either")


def pytest_runtest_logstart(nodeid):
    running[nodeid] = True


def pytest_runtest_logfinish(nodeid):
    running.pop(nodeid, None)


def pytest_terminal_summary(terminalreporter):
    for nodeid in running:
        terminalreporter.write_line(f"RUNNING {nodeid}")


def how_busy():
    """By how much longer things take than with the processors for oneself: those who want one, for each that there is."""
    return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


def why_too_long(seconds, busy, marks):
    """The sentence for a case that people must not have to wait for; None for any other. What the machine does besides is no fault of it."""
    if seconds <= LONGEST_S * busy or "slow" in marks:
        return None
    return f"it took {seconds:.1f} s on a machine {busy:.1f} times as busy as it has processors; above {LONGEST_S:.0f} s it needs the marker `slow`, and make check runs it"


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    report = (yield).get_result()
    # Before it, fixtures that many cases share may have begun for it.
    item.stash[took_s] = item.stash.get(took_s, 0.0) + (call.duration if call.when != "setup" else 0.0)
    item.stash[busiest] = max(item.stash.get(busiest, 1.0), how_busy())
    if call.when == "teardown" and report.passed and not SANITIZED:
        why = why_too_long(item.stash[took_s], item.stash[busiest], {mark.name for mark in item.iter_markers()})
        if why:
            report.outcome, report.longrepr = "failed", why
