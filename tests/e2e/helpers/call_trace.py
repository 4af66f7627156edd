"""What ran in a traced server (tools/trace_calls.c), in the one order in which all of its processes and threads did it."""

import functools
import mmap
import os
import re
import struct
import subprocess
from dataclasses import dataclass

from harness import ROOT

TRACED = ROOT / "build" / "traced"
HEADER_BYTES = 4096
RECORD = struct.Struct("<IIQ")
# Only what is written takes memory: the file has holes.
MOST_RECORDS = 16 * 1024 * 1024


def why_not_traced():
    """Why the traced build cannot be asked; None when it can."""
    if os.environ.get("SLUICE_FLAVOUR") == "asan":
        return "the traced build is not sanitised"
    extension = TRACED / "sluice.so"
    if not extension.exists():
        return "`make build-traced` has not been called"
    newest = max(path.stat().st_mtime for path in (ROOT / "src").rglob("*") if path.suffix in (".h", ".cc"))
    return "build/traced is older than src: call `make build-traced`" if extension.stat().st_mtime < newest else None


@dataclass(frozen=True)
class Call:
    position: int  # in the order of all calls
    process: int
    thread: int
    function: str  # as short_name() has it


def short_name(demangled):
    """`sluice::HttpSession::dispatch(unsigned int)` → `HttpSession::dispatch`. Namespaces, parameters, template arguments and
    types go; a lambda goes by the name of the function that it stands in."""
    name = demangled.replace("(anonymous namespace)", "").replace("{lambda(", "lambda(").replace("operator()", "operator_call")
    name = without_brackets(without_brackets(name, "<", ">"), "(", ")")
    name = re.sub(r"\[(?:abi:|clone)[^]]*\]|\bconst\b", "", name)
    name = re.sub(r"operator (?=\S)", "operator_", name.strip()).rpartition(" ")[2]
    return "::".join(part for part in name.split("::") if part not in ("", "sluice", "php"))


def without_brackets(text, opening, closing):
    kept, depth = [], 0
    for character in text:
        depth += character == opening
        if depth == 0:
            kept.append(character)
        depth -= character == closing and depth > 0
    return "".join(kept)


@functools.cache
def functions_of(extension):
    """The names of the extension's functions by their offset in it."""
    listed = subprocess.run(["nm", "--demangle", "--defined-only", str(extension)], check=True, capture_output=True, text=True)
    names = {}
    for line in listed.stdout.splitlines():
        address, kind, name = line.split(" ", 2)
        if kind in "tTwW":
            names[int(address, 16)] = short_name(name)
    return names


class CallTrace:
    """The file that SLUICE_TRACE names. Look at the calls when the server has ended: then all of them are there."""

    def __init__(self, path, extension):
        self.path = path
        self.extension = extension
        with open(path, "wb") as file:
            file.truncate(HEADER_BYTES + MOST_RECORDS * RECORD.size)
        with open(path, "r+b") as file:
            self.memory = mmap.mmap(file.fileno(), 0)

    def position(self):
        """How many calls there have been up to now."""
        return struct.unpack_from("<Q", self.memory)[0]

    def calls(self, begin=0, end=None):
        end = self.position() if end is None else end
        assert end <= MOST_RECORDS, f"{end} calls were made, and there is room for {MOST_RECORDS}"
        names = functions_of(self.extension)
        records = RECORD.iter_unpack(self.memory[HEADER_BYTES + begin * RECORD.size : HEADER_BYTES + end * RECORD.size])
        return [Call(begin + place, process, thread, names.get(function, hex(function)))
                for place, (process, thread, function) in enumerate(records)]
