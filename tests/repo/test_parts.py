"""What `make test` leaves to `make check` is run there: each case in either mode, and all that is marked slow."""

import importlib.util
import itertools
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HELPERS = ROOT / "tests/e2e/helpers"
ASKS_FOR_MODE = re.compile(r"\bmode (?:==|!=) |(?:==|!=) \w*\.?mode\b")
TEST = re.compile(r"^((?:@.*\n|[ )\]].*\n)*)def (test_\w+)\(.*\n((?:[ \t#].*\n|\n)*)", re.MULTILINE)


@pytest.fixture(scope="module")
def parts():
    sys.path.insert(0, str(HELPERS))
    try:
        yield importlib.import_module("parts")
    finally:
        sys.path.remove(str(HELPERS))


NAMES = [f"tests/e2e/http/test_some.py::{name}" for name in (
    "test_it[{mode}]", "test_it[{mode}-one]", "test_it[one-{mode}-two]", "test_it[process-{mode}]", "test_it[{mode}-base]", "test_it[a[b]-{mode}]")]


def test_each_case_is_in_one_part_once(parts):
    for name, marks, fixtures in itertools.product(NAMES, ([], ["both_modes"], ["slow"]), ([], ["process_mode_only"])):
        for mode in parts.MODES:
            case = name.format(mode=mode), mode, marks, fixtures
            runs = [part for part in ("quick", "rest") if parts.is_in(part, *case)]
            assert len(runs) == parts.is_in("all", *case) == (mode == "process" or not fixtures), case
        quick = [mode for mode in parts.MODES if parts.is_in("quick", name.format(mode=mode), mode, marks, fixtures)]
        assert quick == ([] if "slow" in marks else ["process"] if fixtures else list(parts.MODES) if marks else
                         [parts.chosen_mode(name.format(mode="base"), "base")])


def test_what_knows_no_mode_is_quick_unless_it_is_slow(parts):
    assert parts.is_in("quick", "a.py::test_it", None, [], []) and not parts.is_in("rest", "a.py::test_it", None, [], [])
    assert parts.is_in("rest", "a.py::test_it", None, ["slow"], []) and not parts.is_in("quick", "a.py::test_it", None, ["slow"], [])


def test_a_table_is_shared_out_evenly(parts):
    chosen = [parts.chosen_mode(f"a.py::test_it[process-{number}]", "process") for number in range(1000)]
    assert 400 < chosen.count("base") < 600


def test_a_sample_is_a_third_of_all(parts):
    cases = [f"a.py::test_it[{mode}-{number}]" for mode in parts.MODES for number in range(1000)]
    chosen = [case for case in cases if parts.is_in("sample", case, parts.mode_of(case), ["slow"], [])]
    assert len(cases) * 0.28 < len(chosen) < len(cases) * 0.38


def test_the_longest_files_are_there(parts):
    assert [file for file in parts.LONGEST_FIRST if not (ROOT / "tests/e2e" / file).exists()] == []
    names = [f"tests/e2e/{file}::test_it" for file in ("a/test_some.py", *reversed(parts.LONGEST_FIRST))]
    assert [parts.place_of(name)[1] for name in sorted(names, key=parts.place_of)] == [*parts.LONGEST_FIRST, "a/test_some.py"]


def unmarked(text):
    """The tests of a file that ask for their mode, and do not say that they differ in it."""
    if re.search(r"^pytestmark = .*\b(?:both_modes|slow)\b", text, re.MULTILINE):
        return []
    return [name for decorators, name, body in TEST.findall(text) if ASKS_FOR_MODE.search(body) and "mark.both_modes" not in decorators]


def test_who_asks_for_the_mode_runs_in_both():
    found = {str(path.relative_to(ROOT)): unmarked(path.read_text()) for path in (ROOT / "tests/e2e").rglob("test_*.py")}
    assert {path: names for path, names in found.items() if names} == {}


def test_who_asks_for_the_mode_without_a_marker_is_seen():
    text = 'def test_a(mode):\n    if mode == "base":\n        pass\n\n\n@pytest.mark.both_modes\n@pytest.mark.parametrize("x", [\n    1,\n])\n' \
           'def test_b(mode):\n    assert x != mode\n\n\ndef test_c(server):\n    return server.mode != "base"\n\n\ndef test_d(mode):\n    Server(mode=mode)\n'
    assert unmarked(text) == ["test_a", "test_c"]
    assert unmarked("pytestmark = pytest.mark.slow\n" + text) == []


def test_check_runs_what_test_runs_and_more():
    def suites(target):
        planned = subprocess.run(["make", "-n", target], cwd=ROOT, capture_output=True, text=True, check=True).stdout
        return re.findall(r"tools/run-suites (.*)", planned)[-1].split()

    test, check = suites("test"), suites("check")
    assert check[: len(test)] == test and {"rest", "fuzz"} <= set(check) - set(test)
