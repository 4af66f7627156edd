"""docs/life-of-a-message.md names functions, types and files of src/; it is only worth something while they are there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "life-of-a-message.md"

COMMENT_OR_STRING = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"", re.DOTALL)
IN_BACKTICKS = re.compile(r"`([^`\n]+)`")
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
# `function()`, `Type::function`, `Type::function(bytes)`, `http1::Parser::feed()`
NAME = re.compile(r"^((?:\w+::)*)(~?[A-Za-z_]\w*)(\(.*\))?$")
FILE = re.compile(r"^(?:src|tests|docs|tools)/[\w./-]+$")


def without_comments(text):
    """A name that only a comment or a string remembers is gone."""
    return COMMENT_OR_STRING.sub(" ", text)


def code():
    paths = [path for path in (ROOT / "src").rglob("*") if path.suffix in (".h", ".cc") or path.name.endswith(".stub.php")]
    return [without_comments(path.read_text()) for path in paths]


def has_word(text, word):
    return re.search(rf"(?<![\w]){re.escape(word)}(?!\w)", text) is not None


def exists(qualifiers, name, texts):
    """A qualified name has to be where its type is declared, or be defined with it: `Type::name`."""
    if not qualifiers:
        return any(has_word(text, name) for text in texts)
    owner = qualifiers[-1]
    declared = re.compile(rf"\b(?:class|struct|enum|union|interface|namespace)\s+(?:class\s+)?(?:\w+::)*{owner}\b")
    defined = re.compile(rf"\b{owner}::{re.escape(name)}\b")
    return any(defined.search(text) or (declared.search(text) and has_word(text, name)) for text in texts)


def missing_names(page, texts):
    for quoted in IN_BACKTICKS.findall(FENCE.sub("", page)):
        match = NAME.match(quoted)
        if match and (match[1] or match[3]):
            qualifiers = match[1].split("::")[:-1]
            if not exists(qualifiers, match[2], texts):
                yield quoted
        elif FILE.match(quoted) and not (ROOT / quoted).exists():
            yield quoted


def test_what_the_page_names_is_in_the_tree():
    if not PAGE.exists():
        pytest.skip(f"{PAGE.relative_to(ROOT)} is not written yet")
    missing = list(missing_names(PAGE.read_text(), code()))
    assert not missing, f"{PAGE.relative_to(ROOT)} names what is not in src/: {', '.join(missing)}"


def test_the_check_sees_what_it_is_for():
    sources = ["struct Ring { void push(int); }; // once pop()\n", 'void Arena::take() { log("gone()"); }\n']
    texts = [without_comments(source) for source in sources]
    page = "`Ring::push` `push(5)` `Arena::take()` `sluice::Ring::push()` `src/base` `just words` `Ring` "
    assert list(missing_names(page, texts)) == []
    page = "`Ring::pop()` `gone()` `Ring::take()` `Loop::run` `src/base/no_such_file.cc`"
    assert list(missing_names(page, texts)) == page.replace("`", "").split()
