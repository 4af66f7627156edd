"""The PHP sources in src/php/library are those that the extension embeds, and every class of theirs can be found."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = ROOT / "src" / "php" / "library"

EMBEDDED = re.compile(r'^\s*FILE\((\w+), "([\w/]+\.php)"\)', re.MULTILINE)
OFFERED = re.compile(r'\{"((?:\w+\\\\)+\w+)", k_(\w+)\}')
DECLARED = re.compile(r"^(?:abstract |final |readonly )*(?:class|interface|trait|enum) (\w+)", re.MULTILINE)
NAMESPACE = re.compile(r"^namespace ([\w\\]+);", re.MULTILINE)


def table():
    return (ROOT / "src" / "php" / "library" / "library.cc").read_text()


def files():
    return {str(path.relative_to(LIBRARY)): path.read_text() for path in LIBRARY.rglob("*.php")}


def test_every_file_is_embedded():
    assert sorted(path for _, path in EMBEDDED.findall(table())) == sorted(files())


def test_every_class_is_offered_with_its_file():
    paths = dict(EMBEDDED.findall(table()))
    offered = {(name.replace("\\\\", "\\"), paths[symbol]) for name, symbol in OFFERED.findall(table())}
    declared = {
        (f"{NAMESPACE.search(text)[1]}\\{name}".lower(), path) for path, text in files().items() for name in DECLARED.findall(text)
    }
    assert declared and offered == declared


def test_every_file_is_strict():
    assert [path for path, text in files().items() if not text.startswith("<?php\n\ndeclare(strict_types=1);\n\nnamespace ")] == []
