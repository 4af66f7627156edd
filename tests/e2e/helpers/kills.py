"""The file through which tools/shared_stores.c is told to kill processes, and tells where it did."""

import collections
import mmap
import re
import struct
import subprocess

from call_trace import short_name

HEADER_BYTES = 4096
FRAMES = 12
PLACE = struct.Struct(f"<QQ{FRAMES}Q")
# As shared_stores.c numbers them.
KINDS = ("worker", "service", "request process")
MOST_PLACES = 65536
ATOMIC_STORE = re.compile(r"__tsan_atomic\d+_(store|exchange|fetch|compare_exchange)")


class Kills:
    def __init__(self, path):
        self.path = path
        with open(path, "wb") as file:
            file.truncate(HEADER_BYTES + MOST_PLACES * PLACE.size)
        with open(path, "r+b") as file:
            self.memory = mmap.mmap(file.fileno(), 0)

    def enable(self, enabled=True):
        struct.pack_into("<Q", self.memory, 0, int(enabled))

    def count(self):
        """In how many places a process was killed."""
        return struct.unpack_from("<Q", self.memory, 8)[0]

    def places(self):
        """Each is the kind of process and the way that led there: return addresses as offsets in the extension, the innermost first."""
        found = PLACE.iter_unpack(self.memory[HEADER_BYTES:])
        return [(KINDS[kind - 1], [frame for frame in frames if frame]) for hash_, kind, *frames in found if hash_]


def atomic_stores(extension):
    """Those of ours, by which processes hear of each other: the return address of each, and its name: the function, and which one of those in it."""
    code = subprocess.run(["objdump", "--disassemble", "--demangle", "--no-show-raw-insn", extension], check=True, capture_output=True, text=True).stdout
    calls, function, called = [], None, None  # function, what it calls, and where that returns to
    for line in code.splitlines():
        if line.endswith(">:"):
            function, called = line.partition("<")[2].removesuffix(">:"), None
        elif ":\t" in line:
            if called:
                calls.append((function, called, int(line.partition(":")[0], 16)))
            call = re.search(r"\tcall +\w+ <(.+)>$", line)
            called = call and call[1].removesuffix("@plt")
    of_library = {function for function, called, _ in calls if ATOMIC_STORE.match(called) and function.startswith("std::")}
    names, count = {}, collections.Counter()
    for function, called, returns in calls:
        if not function.startswith("std::") and (called in of_library or ATOMIC_STORE.match(called)):
            count[function] += 1
            names[returns] = f"{short_name(function)} {count[function]}"
    return names
