"""What the versions of PHP differ in is known to one header, so that a new version is one place to look at."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SRC = ROOT / "src"
KNOWS = "php/zend/php_versions.h"
ASKS = re.compile(r"\b(PHP_VERSION_ID|PHP_MAJOR_VERSION|PHP_MINOR_VERSION|PHP_RELEASE_VERSION|ZEND_MODULE_API_NO|PHP_API_VERSION|ZEND_EXTENSION_API_NO)\b")


def who_asks(files):
    return [path for path, text in files.items() if path != KNOWS and ASKS.search(text)]


def test_one_header_knows_the_versions():
    files = {str(path.relative_to(SRC)): path.read_text() for path in sorted(SRC.rglob("*"))
             if path.suffix in (".h", ".cc") and not path.name.endswith("_arginfo.h")}
    assert KNOWS in files
    assert who_asks(files) == []


def test_the_check_sees_who_asks():
    text = "#if PHP_VERSION_ID >= 80400\n"
    assert who_asks({"php/zend/objects.h": text, KNOWS: text, "php/zend/errors.h": "// PHP 8.4\n"}) == ["php/zend/objects.h"]
