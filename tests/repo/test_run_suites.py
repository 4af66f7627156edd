"""tools/run-suites: a suite whose time is up says what has failed and what was running."""

import importlib.machinery
import importlib.util
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DEADLINE_S = 60


def load():
    loader = importlib.machinery.SourceFileLoader("run_suites", str(ROOT / "tools/run-suites"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    sys.modules[loader.name] = module
    loader.exec_module(module)
    return module


run_suites = load()
run_suites.hear_interrupts()


def begin(command, folder):
    """Starts it as run() does, and waits until it has made the file `begun`."""
    process = subprocess.Popen([str(word) for word in command], cwd=folder, start_new_session=True, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    deadline = time.monotonic() + DEADLINE_S
    while not (folder / "begun").exists():
        assert process.poll() is None and time.monotonic() < deadline, process.communicate()[0]
        time.sleep(0.01)
    return process


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
    assert (count.failed, count.passed) == (1, 0) and count.failures[0].endswith("test_fails")


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
