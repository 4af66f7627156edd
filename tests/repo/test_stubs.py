"""The committed arginfo headers are what the stubs give, and the package of stubs is so, too."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def test_arginfo_is_what_the_stubs_give():
    check = subprocess.run([ROOT / "tools" / "gen-stubs", "--check"], capture_output=True, text=True)
    if check.returncode == 77:
        pytest.skip(check.stderr.strip())
    assert check.returncode == 0, check.stdout + check.stderr


def test_the_package_of_stubs_has_every_class():
    subprocess.run([ROOT / "tools" / "gen-package-stubs"], check=True)
    declared = re.compile(r"^(?:abstract |final |readonly )*(?:class|interface|enum) (\w+)", re.MULTILINE)

    def classes(folder):
        return sorted(name for path in folder.rglob("*.php") for name in declared.findall(path.read_text()))

    made = ROOT / "packages/stubs/stubs"
    assert classes(made) == sorted(classes(ROOT / "src/php/stubs") + classes(ROOT / "src/php/library"))
    assert len(classes(made)) > 50
    assert not [path for path in made.rglob("*.php") if "@generate-class-entries" in path.read_text()]
