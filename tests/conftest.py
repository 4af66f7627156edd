"""What pytest says about a suite that is interrupted, as tools/run-suites does when its time is up: which tests were running."""

running = {}


def pytest_runtest_logstart(nodeid):
    running[nodeid] = True


def pytest_runtest_logfinish(nodeid):
    running.pop(nodeid, None)


def pytest_terminal_summary(terminalreporter):
    for nodeid in running:
        terminalreporter.write_line(f"RUNNING {nodeid}")
