"""Which cases `make test` runs, which `make check` besides, and which `make test-sample`; and in which order they are handed out.

A case that runs in both modes runs in one of them in `make test`, which its name decides: each time the same one, and half of a
table's cases in either. `make check` runs it in the other one. Marked `both_modes`, it runs in both each time; marked `slow`, only in
`make check`. `make test-sample` runs a third of both, by their names.
"""

import re
import zlib

from harness import MODES
from longest_first import LONGEST_FIRST

PARTS = ("quick", "rest", "sample", "all")
MODE_IN_ID = re.compile(rf"([\[-])({'|'.join(MODES)})(?=[\]-])")


def mode_of(name):
    """The mode that a case's name, such as test_some.py::test_it[one-base], says that it runs in, or None."""
    found = MODE_IN_ID.search(name)
    return found and found[2]


def chosen_mode(name, mode):
    """Of the cases that differ in their mode alone, all get the same answer."""
    function, _, rest = name.partition("[")
    values = rest.removesuffix("]").split("-")
    values.remove(mode)
    return MODES[zlib.crc32("-".join([function, *values]).encode()) % len(MODES)]


def is_quick(name, mode, marks, fixtures):
    """Whether it is one of those of `make test`. `mode`: the one that it runs in, or None when it knows none."""
    if "slow" in marks:
        return False
    return mode is None or "both_modes" in marks or "process_mode_only" in fixtures or mode == chosen_mode(name, mode)


def is_in(part, name, mode, marks, fixtures):
    if mode not in (None, "process") and "process_mode_only" in fixtures:
        return False
    if part == "sample":
        return zlib.crc32(name.encode()) % 3 == 0
    return part == "all" or is_quick(name, mode, marks, fixtures) == (part == "quick")


def unit_of(name):
    """What one after the other runs in one process of pytest: what shares a server."""
    return f"{name.split('::')[0]} {mode_of(name)}"


def place_of(name):
    """What cases are sorted by: the files that take longest first, so that the last ones to end are short; and each file's modes
    apart."""
    file = name.split("::")[0].rpartition("tests/e2e/")[2]
    return LONGEST_FIRST.index(file) if file in LONGEST_FIRST else len(LONGEST_FIRST), file, mode_of(name) or ""


def new_scheduler(config, log):
    """Of pytest-xdist: hands units out in the order in which their first cases come."""
    from xdist.scheduler import LoadScopeScheduling

    class Units(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            return unit_of(nodeid)

    return Units(config, log)
