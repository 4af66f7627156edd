"""The extension that is installed carries no debug information; a file beside it does, and debuggers find that."""

import shutil
import subprocess
from pathlib import Path

import pytest

BUILT = Path(__file__).resolve().parents[2] / "build" / "release"
EXTENSION = BUILT / "sluice.so"
INFORMATION = BUILT / "sluice.so.debug"

pytestmark = pytest.mark.skipif(not EXTENSION.exists() or not shutil.which("readelf"), reason="nothing is built, or there is no readelf")


def said(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True, errors="replace").stdout


def test_the_extension_is_stripped():
    sections = said("readelf", "--sections", "--wide", EXTENSION)
    assert ".debug_info" not in sections and ".symtab" not in sections
    assert EXTENSION.stat().st_size < 5_000_000


def test_it_names_the_file_with_its_debug_information():
    assert INFORMATION.name in said("readelf", "--string-dump=.gnu_debuglink", EXTENSION)
    assert ".debug_info" in said("readelf", "--sections", "--wide", INFORMATION)


def test_addresses_of_the_extension_are_found_there():
    entry = next(line for line in said("readelf", "--dyn-syms", "--wide", EXTENSION).splitlines() if line.endswith(" get_module"))
    # addr2line follows the name of the file beside it, as gdb and perf do.
    where = said("addr2line", "--functions", "--exe", EXTENSION, entry.split()[1])
    assert where.startswith("get_module\n") and "src/php/server/module.cc:" in where
