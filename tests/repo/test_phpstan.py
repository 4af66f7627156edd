"""The API as PHPStan sees it at its highest level, with the stubs alone: the examples, and a file that uses every public symbol."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CHECKS = ROOT / "tests" / "phpstan"
INSTALLED = ROOT / "build" / "phpstan"

NAMESPACE = re.compile(r"^namespace ([\w\\]+);", re.MULTILINE)
CLASS = re.compile(r"^((?:/\*\*(?:(?!\*/).)*?\*/\s*)?)(?:abstract |final |readonly )*(?:class|interface|enum) (\w+)[^{;]*\{(?:\}|(.*?)^\})$",
                   re.MULTILINE | re.DOTALL)
FUNCTION = re.compile(r"^function (\w+)\(", re.MULTILINE)
METHOD = re.compile(r"((?:/\*\*(?:(?!\*/).)*?\*/\s*)?)^    (?:final |abstract )?public (?:static )?function (\w+)\(", re.MULTILINE | re.DOTALL)
CASE = re.compile(r"^    case (\w+)", re.MULTILINE)
PROPERTY = re.compile(r"((?:/\*\*(?:(?!\*/).)*?\*/\s*)?)^ +public readonly \??[\w\\|]+ \$(\w+)", re.MULTILINE | re.DOTALL)
# Methods that the engine calls, and that an application uses without writing their names.
UNNAMED = {"__construct", "__destruct", "getIterator", "count"}


def symbols_of(source):
    """Names of classes, functions, methods, cases and properties that are no part of the inside."""
    names = set(FUNCTION.findall(source))
    for comment, name, body in CLASS.findall(source):
        if "@internal" in comment:
            continue
        body = body or ""
        names |= {name} | set(CASE.findall(body))
        names |= {member for pattern in (METHOD, PROPERTY) for inner, member in pattern.findall(body) if "@internal" not in inner}
    return names - UNNAMED


def sources():
    return [path.read_text() for folder in ("stubs", "library") for path in sorted((ROOT / "src/php" / folder).rglob("*.php"))]


def public_symbols():
    found = set()
    for source in sources():
        # What has none stands in for functions that PHP itself has elsewhere.
        namespace = NAMESPACE.search(source)
        if namespace and not namespace[1].startswith("Sluice\\Internal"):
            found |= symbols_of(source)
    return found


def test_every_public_symbol_is_used():
    used = set(re.findall(r"\w+", (CHECKS / "api.php").read_text()))
    symbols = public_symbols()
    assert len(symbols) > 250
    unused = sorted(symbols - used)
    assert not unused, f"tests/phpstan/api.php, which is to use every public symbol, does not use {', '.join(unused)}"


def test_the_check_sees_symbols():
    source = ("<?php\nnamespace A;\n\nfunction f(): int {}\n\n/** @internal */\nfinal class Hidden\n{\n    public function x() {}\n}\n\n"
              "/** Text. */\nfinal class Seen implements B\n{\n    public readonly int $p;\n    /** @internal */\n    public function y() {}\n\n"
              "    public static function m() {}\n    private function z() {}\n}\n\nenum E: string\n{\n    case One = 'one';\n}\n\nfinal class Bare extends C {}\n")
    assert symbols_of(source) == {"f", "Seen", "p", "m", "E", "One", "Bare"}


@pytest.fixture(scope="module")
def phpstan():
    """Installs PHPStan from Packagist, once for each build folder; skips where Packagist cannot be reached."""
    program = INSTALLED / "vendor/bin/phpstan"
    if not program.exists():
        if not shutil.which("composer"):
            pytest.skip("there is no composer to install PHPStan with: `make deps-test`")
        INSTALLED.mkdir(parents=True, exist_ok=True)
        shutil.copy(CHECKS / "composer.json", INSTALLED)
        done = subprocess.run(["composer", "update", "--no-interaction", "--no-progress"], cwd=INSTALLED, capture_output=True, text=True,
                              env=os.environ | {"COMPOSER_ALLOW_SUPERUSER": "1"}, timeout=300, check=False)
        if not program.exists():
            pytest.skip(f"PHPStan could not be installed: {done.stderr[-500:]}")
    return program


def test_phpstan_finds_nothing_at_its_highest_level(phpstan):
    done = subprocess.run([phpstan, "analyse", "-c", CHECKS / "phpstan.neon", "--no-progress", "--memory-limit=1G", "--error-format=raw"],
                          cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
