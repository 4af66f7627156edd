"""docs/conformance.md names a test for each demand of an RFC: the page is only worth something while the tests exist."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "conformance.md"
ROW = re.compile(r"^\| (?P<section>[^|]+) \| (?P<demand>[^|]+) \| (?P<tests>[^|]+) \|$", re.MULTILINE)
UNIT = re.compile(r"^TEST(?:_[FP])?\((\w+), (\w+)\)", re.MULTILINE)
E2E = re.compile(r"^(?:async )?def (test_\w+)\(", re.MULTILINE)


def existing():
    names = {f"{suite}.{name}" for path in (ROOT / "tests/unit").rglob("*.cc") for suite, name in UNIT.findall(path.read_text())}
    for path in (ROOT / "tests/e2e").rglob("test_*.py"):
        names |= {f"{path.name}::{name}" for name in E2E.findall(path.read_text())}
    return names


def missing(page, names):
    """The faults of the page's rows, each as (section, what is wrong)."""
    for row in ROW.finditer(page):
        section = row["section"].strip()
        if section == "section" or set(section) == {"-"}:
            continue
        tests = re.findall(r"`([^`]+)`", row["tests"])
        if not tests:
            yield section, "names no test"
        yield from ((section, f"{test} does not exist") for test in tests if test not in names)


def test_every_demand_has_a_test_that_exists():
    page = PAGE.read_text()
    assert len(list(ROW.finditer(page))) > 100
    wrong = [f"{section}: {what}" for section, what in missing(page, existing())]
    assert not wrong, "docs/conformance.md:\n" + "\n".join(wrong)


def test_the_check_sees_what_it_is_for():
    names = {"Suite.Name", "test_file.py::test_it"}
    page = ("| section | must | test |\n|---|---|---|\n| 1 | do | `Suite.Name` |\n| 2 | do | `Suite.Other` |\n"
            "| 3 | do | nothing |\n| 4 | do | `Suite.Name`, `test_file.py::test_it` |\n")
    assert [section for section, _ in missing(page, names)] == ["2", "3"]
