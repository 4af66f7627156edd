"""The file through which tools/shared_stores.c is told to kill workers, and tells where it did."""

import mmap
import re
import struct
import subprocess

from call_trace import short_name

HEADER_BYTES = 4096
FRAMES = 12
PLACE = struct.Struct(f"<QQ{FRAMES}Q")
MOST_PLACES = 65536


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
        """In how many places a worker was killed."""
        return struct.unpack_from("<Q", self.memory, 8)[0]

    def places(self):
        """The ways that led to them, each a tuple of return addresses as offsets in the extension, the innermost first."""
        found = []
        for hash_, _, *frames in PLACE.iter_unpack(self.memory[HEADER_BYTES:]):
            if hash_:
                found.append(tuple(frame for frame in frames if frame))
        return found


def functions_that_store(extension):
    """Those of ours that have an atomic store in them, which is what processes hear of each other by."""
    code = subprocess.run(["objdump", "--disassemble", "--demangle", "--no-show-raw-insn", extension], check=True, capture_output=True, text=True).stdout
    found, function = set(), None
    for line in code.splitlines():
        if line.endswith(">:"):
            function = line.partition("<")[2].removesuffix(">:")
        elif re.search(r"call +\w+ <__tsan_atomic\d+_(store|exchange|fetch|compare_exchange)", line):
            found.add(short_name(function))
    return found


def names_of(extension, addresses):
    """The functions that these return addresses stand in."""
    listed = subprocess.run(["addr2line", "--functions", "--demangle", f"--exe={extension}", *(hex(address - 1) for address in addresses)],
                            check=True, capture_output=True, text=True).stdout.splitlines()
    return dict(zip(addresses, listed[::2]))
