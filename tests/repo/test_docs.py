"""The pages for builders name functions, types and files; the pages are only worth something while the names and the links' targets exist."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted((ROOT / "docs/internals").glob("*.md"))

COMMENT_OR_STRING = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"", re.DOTALL)
IN_BACKTICKS = re.compile(r"`([^`\n]+)`")
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
# `function()`, `Type::function`, `Type::function(bytes)`, `http1::Parser::feed()`
NAME = re.compile(r"^((?:\w+::)*)(~?[A-Za-z_]\w*)(\(.*\))?$")
FILE = re.compile(r"^(?:src|tests|docs|tools|bench|fuzz|examples)/[\w./*-]+$")
LINK = re.compile(r"\[[^]\n]*\]\(([^)#\s]+)(?:#[^)\s]*)?\)")


def without_comments(text):
    """A name that stands only in comments and strings does not count."""
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
        elif FILE.match(quoted) and not any(ROOT.glob(quoted)):
            yield quoted


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_what_a_page_names_is_in_the_tree(page):
    missing = list(missing_names(page.read_text(), code()))
    assert not missing, f"{page.relative_to(ROOT)} names what is not in src/: {', '.join(missing)}"


def missing_files(page, folder):
    """What a page links to, and what it names by its place below the root."""
    for link in LINK.findall(FENCE.sub("", page)):
        if "://" not in link and not (folder / link).exists():
            yield link
    for quoted in IN_BACKTICKS.findall(FENCE.sub("", page)):
        if FILE.match(quoted) and not any(ROOT.glob(quoted)):
            yield quoted


def test_every_file_that_a_page_leads_to_is_there():
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "bench").rglob("*.md")]
    missing = [f"{page.relative_to(ROOT)}: {name}" for page in pages for name in missing_files(page.read_text(), page.parent)]
    assert not missing


def test_the_check_sees_a_link_to_nowhere():
    page = "[a](security.md) [b](limits.md#top) [c](https://example.org/x) `src/core` [d](gone.md) `tests/no_such.py` `src/*/a_*.h` `src/core/*.h`"
    assert list(missing_files(page, ROOT / "docs")) == ["gone.md", "tests/no_such.py", "src/*/a_*.h"]


def test_the_check_sees_what_it_is_for():
    sources = ["struct Ring { void push(int); }; // once pop()\n", 'void Arena::take() { log("gone()"); }\n']
    texts = [without_comments(source) for source in sources]
    page = "`Ring::push` `push(5)` `Arena::take()` `sluice::Ring::push()` `src/core` `just words` `Ring` "
    assert list(missing_names(page, texts)) == []
    page = "`Ring::pop()` `gone()` `Ring::take()` `Loop::run` `src/core/no_such_file.cc`"
    assert list(missing_names(page, texts)) == page.replace("`", "").split()
