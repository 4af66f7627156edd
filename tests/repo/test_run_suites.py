"""tools/run-suites: a suite whose time is up says what has failed and what was running, and which cases took long is told."""

import importlib.machinery
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DEADLINE_S = 60


def load(file):
    loader = importlib.machinery.SourceFileLoader(Path(file).stem.replace("-", "_"), str(ROOT / file))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    sys.modules[loader.name] = module
    loader.exec_module(module)
    return module


run_suites = load("tools/run-suites")
run_suites.hear_interrupts()


def begin(command, folder):
    """Starts it as run() does, and waits until it has made the file `begun`. A pytest in it is no worker of the one that runs this."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_XDIST")}
    process = subprocess.Popen([str(word) for word in command], cwd=folder, env=env, start_new_session=True, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    deadline = time.monotonic() + DEADLINE_S
    while not (folder / "begun").exists():
        assert process.poll() is None and time.monotonic() < deadline, process.communicate()[0]
        time.sleep(0.01)
    return process


@pytest.mark.slow  # pytest-xdist may wait ten seconds and longer for the end of the processes that were interrupted with it
@pytest.mark.parametrize("options", [[], ["-n", "2"]], ids=["one", "side-by-side"])
def test_pytest_names_what_has_failed_and_what_was_running(tmp_path, options):
    shutil.copy(ROOT / "tests/conftest.py", tmp_path)
    (tmp_path / "test_some.py").write_text(
        "import time\n"
        "def test_fails(): assert False, 'it was so'\n"
        "def test_hangs(): time.sleep(600)\n")
    # Told by the process that is interrupted: with workers of pytest-xdist it hears of each test a moment later.
    (tmp_path / "tell_of_hangs.py").write_text(
        "import os, pathlib\n"
        "def pytest_runtest_logstart(nodeid):\n"
        "    if nodeid.endswith('test_hangs') and 'PYTEST_XDIST_WORKER' not in os.environ: pathlib.Path('begun').touch()\n")
    process = begin([sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "tell_of_hangs", *options, "--dist=loadfile", "--junitxml=result.xml", tmp_path], tmp_path)
    output = run_suites.interrupt(process)
    assert "it was so" in output and re.search(r"^RUNNING .*test_some.py::test_hangs$", output, re.MULTILINE), output
    count = run_suites.junit_count(tmp_path / "result.xml")
    assert (count.failed, count.passed) == (1, 0) and count.failures[0].endswith("test_fails: AssertionError: it was so")


def test_what_has_failed_is_told_with_its_first_line(tmp_path):
    (tmp_path / "result.xml").write_text("""<testsuite>
        <testcase name="testOne" classname="A"><failure type="F">A::testOne
Failed asserting that 1 is 2.

A.php:3</failure></testcase>
        <testcase name="testTwo" classname="A"><error type="Error"/></testcase>
        <testcase name="testThree" classname="A"/></testsuite>""")
    count = run_suites.junit_count(tmp_path / "result.xml")
    assert count.failures == ["A.testOne: Failed asserting that 1 is 2.", "A.testTwo: Error"]
    assert (count.passed, count.failed) == (1, 2)


class Repository:
    """A tree whose end-to-end tests are one file, as tools/run-suites is given it."""

    def __init__(self, folder, monkeypatch, text):
        for name in ("PYTEST_XDIST_WORKER", "PYTEST_XDIST_WORKER_COUNT", "PYTEST_XDIST_TESTRUNUID"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setattr(run_suites, "ROOT", folder)
        tests = folder / "tests/e2e"
        tests.mkdir(parents=True)
        (tests / "conftest.py").write_text("def pytest_addoption(parser): parser.addoption('--part')\n")
        (tests / "test_some.py").write_text(text)
        self.suites = run_suites.Suites("release", None, None, 1, 1)


FAILS_BESIDE_OTHERS = """
import os, pytest
@pytest.mark.parametrize('mode', ['base', 'a::b [c]'])
def test_once(mode): assert 'PYTEST_XDIST_WORKER' not in os.environ, 'busy'
"""
SIDE_BY_SIDE = pytest.mark.skipif(not run_suites.can_import("xdist"), reason="pytest-xdist is not installed: nothing runs side by side")


@SIDE_BY_SIDE
def test_what_fails_beside_others_alone_is_told_as_unsteady(tmp_path, monkeypatch):
    count = Repository(tmp_path, monkeypatch, FAILS_BESIDE_OTHERS).suites.end_to_end("e2e", "quick")
    assert (count.passed, count.failed, count.failures) == (2, 0, [])
    assert sorted(line.partition(": ")[0] for line in count.unsteady) == [f"tests.e2e.test_some.test_once[{mode}]" for mode in ("a::b [c]", "base")]


@SIDE_BY_SIDE
@pytest.mark.parametrize("text, failed", [
    (FAILS_BESIDE_OTHERS + "def test_always(): assert False\n", 3),
    (FAILS_BESIDE_OTHERS.replace("'busy'", "'Segmentation fault'"), 2),
    (FAILS_BESIDE_OTHERS.replace("['base', 'a::b [c]']", "range(6)"), 6),
], ids=["one that is alone fails, too", "crashes", "many"])
def test_what_a_busy_machine_does_not_explain_has_failed(tmp_path, monkeypatch, text, failed):
    count = Repository(tmp_path, monkeypatch, text).suites.end_to_end("e2e", "quick")
    assert (count.failed, len(count.failures), count.unsteady) == (failed, failed, [])


def test_who_does_not_end_is_killed(tmp_path, monkeypatch):
    monkeypatch.setattr(run_suites, "LAST_WORDS_S", 0.2)
    process = begin(["sh", "-c", "trap '' INT; echo some words; touch begun; sleep 600"], tmp_path)
    assert run_suites.interrupt(process) == "some words\n"
    assert process.poll() == -9


def test_phpunits_events_name_what_has_failed_and_what_was_running():
    events = [f"Test {what}" for what in (
        "Preparation Started (A::one)", "Prepared (A::one)", "Failed (A::one)", "Finished (A::one)", "Preparation Started (A::two)",
        "Prepared (A::two)", "Passed (A::two)", "Finished (A::two)", "Preparation Started (B::three#0)", "Prepared (B::three#0)",
        "Errored (B::three#0)", "Finished (B::three#0)", "Preparation Started (B::four)")]
    assert run_suites.interrupted_cases("\n".join(events)) == ["A::one", "B::three#0", "B::four was running"]
    assert run_suites.interrupted_cases("\n".join(events[:8])) == ["A::one"]


def test_a_long_case_without_the_marker_fails(tmp_path):
    text = (ROOT / "tests/conftest.py").read_text()
    # Any time is too long here, however busy the machine is.
    assert "LONGEST_S = 10.0\n" in text
    (tmp_path / "conftest.py").write_text(text.replace("LONGEST_S = 10.0\n", "LONGEST_S = -1.0\n"))
    (tmp_path / "test_some.py").write_text(
        "import pytest\n"
        "def test_long(): pass\n"
        "@pytest.mark.slow\n"
        "def test_marked(): pass\n")
    done = subprocess.run([sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--strict-markers", "--junitxml=result.xml", tmp_path],
                          cwd=tmp_path, capture_output=True, text=True, check=False)
    count = run_suites.junit_count(tmp_path / "result.xml")
    assert count.failed == 1 and count.failures[0].startswith("test_some.test_long: ") and "it took" in done.stdout, done.stdout
    assert {name for _, name in run_suites.junit_times(tmp_path / "result.xml")} == {"test_some.test_long", "test_some.test_marked"}


def test_a_case_may_take_longer_on_a_busy_machine():
    why_too_long = load("tests/conftest.py").why_too_long
    assert why_too_long(9.9, 1.0, set()) is None and why_too_long(29.0, 3.0, set()) is None
    assert "12.0 s" in why_too_long(12.0, 1.0, set()) and why_too_long(12.0, 1.0, {"slow"}) is None
    times = [(9.9, "a"), (12.0, "b"), (29.0, "c")]
    assert [line.split()[0] for line in run_suites.too_long(times, 1.0)] == ["b", "c"] and run_suites.too_long(times, 3.0) == []
    assert run_suites.LONGEST_S == load("tests/conftest.py").LONGEST_S


def test_the_slowest_are_told_first():
    lines = run_suites.slowest([(number / 10, f"case {number}") for number in range(100)])
    assert len(lines) == run_suites.SLOWEST_SHOWN and lines[0].split() == ["9.9", "s", "case", "99"] and lines[1].endswith("case 98")
    assert run_suites.junit_times(ROOT / "no such file") == []
