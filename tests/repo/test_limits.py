"""Every limit stands in three places: in the code, in the stub, which is the API, and in docs/limits.md. They agree."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
UNITS = {"kCount": "", "kBytes": "bytes", "kBytesPerSecond": "bytes/s", "kSeconds": "seconds"}
CONSTANTS = {"kKiB": 1024, "kMiB": 1024**2, "kGiB": 1024**3, "kLeastMs": 1, "kMostMs": 10**9}
# Each group with its struct in the code and the table of its rules.
GROUPS = {"Sluice": ("Limits", "kServerRules"), "Sluice\\Http": ("HttpLimits", "kHttpRules"), "Sluice\\Http2": ("Http2Limits", "kHttp2Rules"),
          "Sluice\\WebSocket": ("WebSocketLimits", "kWebSocketRules"), "Sluice\\Tcp": ("TcpLimits", "kTcpRules"), "Sluice\\Udp": ("UdpLimits", "kUdpRules")}
ROW = re.compile(r'^    \{"(\w+)", SLUICE_LIMIT\((\w+), ([\w.]+)\), (\w+), ([^,]+), ([^,]+), "([^"]+)"\},$', re.MULTILINE)


def number(text):
    """`64 * kGiB`, `256u << 20`, `10'000`"""
    text = re.sub(r"(?<=\d)u\b", "", text.replace("'", ""))
    return eval(text, {"__builtins__": {}}, CONSTANTS)


def members(body):
    return {member: number(value) for member, value in re.findall(r"^    uint\d+_t (\w+) = ([^;]+);", body, re.MULTILINE)}


def in_code():
    """{group: {name: (unit, default, least, most)}}"""
    headers = "".join((ROOT / "src/server/config" / name).read_text() for name in ("limits.h", "protocol_limits.h"))
    rules = (ROOT / "src/server/config/limit_rules.cc").read_text()
    found = {}
    for group, (struct, table) in GROUPS.items():
        body = re.search(rf"^struct {struct} \{{$(.*?)^\}};$", headers, re.MULTILINE | re.DOTALL)[1]
        defaults = members(body)
        if "    SendLimits sending;" in body:
            sending = re.search(r"^struct SendLimits \{$(.*?)^\};$", headers, re.MULTILINE | re.DOTALL)[1]
            defaults |= {f"sending.{member}": value for member, value in members(sending).items()}
        rows = ROW.findall(re.search(rf"LimitRule {table}\[\] = \{{$(.*?)^\}};$", rules, re.MULTILINE | re.DOTALL)[1])
        found[group] = {}
        for name, of, member, unit, least, most, _ in rows:
            assert of == struct, name
            scale = 1000 if unit == "kSeconds" else 1
            found[group][name] = (UNITS[unit], *(value / scale for value in (defaults.pop(member), number(least), number(most))))
        assert not defaults, f"no row in {table} for {', '.join(defaults)}"
    return found


def in_stub():
    """{group: {name: (comment, default)}}; a protocol's defaults are all null in the signature, and the comment says them"""
    stubs = "".join((ROOT / "src/php/stubs" / name).read_text() for name in ("server.stub.php", "limits.stub.php"))
    found = {}
    for group in GROUPS:
        limits = stubs[stubs.index(f"namespace {group};"):]
        limits = limits[limits.index("final class Limits"):]
        limits = limits[:limits.index(") {}\n}")]
        comments = {name: comment for comment, name in re.findall(
            r"/\*\*((?:(?!\*/).)*?)\*/\s+public readonly \??(?:int|float) \$(\w+);", limits, re.DOTALL)}
        defaults = dict(re.findall(r"^        \??(?:int|float) \$(\w+) = ([\w.]+),$", limits, re.MULTILINE))
        assert comments.keys() == defaults.keys(), group
        found[group] = {name: (comments[name], defaults[name]) for name in defaults}
    return found


def in_docs():
    """{group: {name: (default, range, what happens)}}, as the tables have them"""
    page = (ROOT / "docs/limits.md").read_text()
    found = {}
    for group in GROUPS:
        section = page[page.index(f"## `{group}\\Limits`"):].split("\n## ")[0]
        rows = re.findall(r"^\| `(\w+)` \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", section, re.MULTILINE)
        found[group] = {row[0]: row[1:] for row in rows}
    return found


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


@pytest.mark.parametrize("group", GROUPS)
def test_the_stub_has_what_the_code_has(group):
    code, stub, stub_of_server = in_code()[group], in_stub()[group], in_stub()["Sluice"]
    assert list(stub) == list(code), "the order of the parameters is that of the table"
    for name, (comment, default) in stub.items():
        words = re.sub(r"\s*\n\s+\* ", " ", comment)
        told = re.search(r"by default (\d(?:[\d,]*\d)?(?: [KMG]iB)?)", words) or re.search(r"(0), the default", words)
        shown = spoken(code[name][1], code[name][0]).removesuffix(" s").removesuffix(" B/s")
        if group == "Sluice":
            assert float(default) == code[name][1], name
            assert told[1] == shown, (name, words)
        else:
            assert default == "null", name
            # For a limit that the server also has, the server's value counts.
            shared = f"by default the server's `\\Sluice\\Limits::${name}`" in words
            assert shared == (name in stub_of_server and name not in ("handshakeSeconds",)), (name, words)
            assert shared or "by default as long as" in words or told[1] == shown, (name, words)


@pytest.mark.parametrize("group", GROUPS)
def test_names_have_their_unit(group):
    for name, (unit, *_) in in_code()[group].items():
        if unit == "seconds":
            assert name.endswith("Seconds")
        elif unit == "bytes":
            assert name.endswith("Bytes")
        elif unit == "bytes/s":
            assert name.endswith("BytesPerSecond")
        else:
            assert not name.endswith(("Seconds", "Bytes"))


@pytest.mark.parametrize("group", GROUPS)
def test_the_page_has_what_the_code_has(group):
    code, docs = in_code()[group], in_docs()[group]
    assert list(docs) == list(code)
    for name, (unit, default, least, most) in code.items():
        shown_default, shown_range, effect = docs[name]
        assert shown_default == spoken(default, unit), name
        assert shown_range == f"{spoken(least, unit)} to {spoken(most, unit)}", name
        assert len(effect) > 20, name


def test_each_limit_has_the_attack_that_it_holds():
    page = (ROOT / "docs/security.md").read_text()
    assert [name for group in in_code().values() for name in group if f"`{name}`" not in page] == []
