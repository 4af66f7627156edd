"""Every limit stands in three places: in the code, in the stub, which is the API, and in docs/limits.md. They agree."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
UNITS = {"kCount": "", "kBytes": "bytes", "kBytesPerSecond": "bytes/s", "kSeconds": "seconds"}
CONSTANTS = {"kKiB": 1024, "kMiB": 1024**2, "kGiB": 1024**3, "kLeastMs": 1, "kMostMs": 10**9}
ROW = re.compile(r'^    \{"(\w+)", &Limits::(\w+), (\w+), ([^,]+), ([^,]+), "([^"]+)"\},$', re.MULTILINE)


def number(text):
    """`64 * kGiB`, `256u << 20`, `10'000`"""
    text = re.sub(r"(?<=\d)u\b", "", text.replace("'", ""))
    return eval(text, {"__builtins__": {}}, CONSTANTS)


def in_code():
    """name: (unit, default, least, most)"""
    defaults = {member: number(value) for member, value in re.findall(
        r"^    uint\d+_t (\w+) = ([^;]+);", (ROOT / "src/server/config/limits.h").read_text(), re.MULTILINE)}
    found = {}
    for name, member, unit, least, most, _ in ROW.findall((ROOT / "src/server/config/limit_rules.cc").read_text()):
        scale = 1000 if unit == "kSeconds" else 1
        found[name] = (UNITS[unit], *(value / scale for value in (defaults.pop(member), number(least), number(most))))
    assert not defaults, f"no row in kRules for {', '.join(defaults)}"
    return found


def in_stub():
    """name: (comment, default)"""
    stub = (ROOT / "src/php/stubs/server.stub.php").read_text()
    limits = stub[stub.index("final class Limits"):]
    limits = limits[:limits.index(") {}\n}")]
    comments = {name: comment for comment, name in re.findall(
        r"/\*\*((?:(?!\*/).)*?)\*/\s+public readonly (?:int|float) \$(\w+);", limits, re.DOTALL)}
    defaults = {name: float(value) for name, value in re.findall(r"^        (?:int|float) \$(\w+) = ([\d.]+),$", limits, re.MULTILINE)}
    assert comments.keys() == defaults.keys()
    return {name: (comments[name], defaults[name]) for name in defaults}


def in_docs():
    """name: (default, range, what happens), as the table has them"""
    rows = re.findall(r"^\| `(\w+)` \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", (ROOT / "docs/limits.md").read_text(), re.MULTILINE)
    return {row[0]: row[1:] for row in rows}


def spoken(value, unit):
    """`256 MiB`, `10 s`, `1,000`"""
    if unit == "seconds":
        return f"{value:,.10g} s" if value < 1 else f"{value:,.0f} s"
    if unit.startswith("bytes"):
        per_second = "/s" if unit.endswith("/s") else ""
        for factor, name in ((1024**3, "GiB"), (1024**2, "MiB"), (1024, "KiB")):
            if value >= factor and value % factor == 0:
                return f"{value / factor:,.0f} {name}{per_second}"
        return f"{value:,.0f} B{per_second}"
    return f"{value:,.0f}{unit}"


def test_the_stub_has_what_the_code_has():
    code, stub = in_code(), in_stub()
    assert list(stub) == list(code), "the order of the parameters is that of the table"
    for name, (comment, default) in stub.items():
        assert default == code[name][1], name


def test_names_have_their_unit():
    for name, (unit, *_) in in_code().items():
        if unit == "seconds":
            assert name.endswith("Seconds")
        elif unit == "bytes":
            assert name.endswith("Bytes")
        elif unit == "bytes/s":
            assert name.endswith("BytesPerSecond")
        else:
            assert not name.endswith(("Seconds", "Bytes"))


def test_the_page_has_what_the_code_has():
    code, docs = in_code(), in_docs()
    assert list(docs) == list(code)
    for name, (unit, default, least, most) in code.items():
        shown_default, shown_range, effect = docs[name]
        assert shown_default == spoken(default, unit), name
        assert shown_range == f"{spoken(least, unit)} to {spoken(most, unit)}", name
        assert len(effect) > 20, name
