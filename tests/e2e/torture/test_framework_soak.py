"""Hello world by PSR-15, Symfony and Laravel, over and over in one worker: its memory is the same after the warm-up and at the end."""

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from harness import ROOT, SANITIZED, Server, free_ports

sys.path.append(str(ROOT / "bench"))
from applications import FRAMEWORKS, applications  # noqa: E402

pytestmark = pytest.mark.slow

# 60 s in all; or a million requests each, in as much time as they take.
SECONDS = 20
REQUESTS = 1_000_000 if "SLUICE_TORTURE" in os.environ else None
CONNECTIONS = 16
# Chunks of PHP's allocator, which come and go with what requests need at the same time.
GROWTH_KIB = 2048


@pytest.fixture(scope="module")
def folders():
    with applications() as folders:
        yield folders


def wrk(address, seconds):
    output = subprocess.run(["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{seconds}s", "--timeout", "30s", f"http://{address}/"],
                            check=True, capture_output=True, text=True, timeout=seconds + 60).stdout
    assert "Socket errors" not in output and "Non-2xx" not in output, output
    return int(re.search(r"(\d+) requests in", output)[1])


def anonymous_kib(pid):
    return int(re.search(r"^Anonymous: +(\d+) kB", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.MULTILINE)[1])


def worker_of(server):
    [worker] = [process.pid for process in server.processes() if process.title().startswith("sluice: worker")]
    return worker


@pytest.mark.skipif(SANITIZED, reason="the sanitiser keeps memory that was freed")
@pytest.mark.parametrize("what", list(FRAMEWORKS))
def test_memory_stays_flat(folders, what):
    ports = free_ports(1)
    address = f"127.0.0.1:{ports[0]}"
    arguments = [address, what, str(folders[what]), str(CONNECTIONS)]
    with Server(ROOT / "bench/application.php", ports=ports, announces=False, arguments=arguments) as server:
        requests = wrk(address, SECONDS // 4)
        worker = worker_of(server)
        kib = [anonymous_kib(worker)]
        begin = time.monotonic()
        while requests < REQUESTS if REQUESTS else time.monotonic() < begin + SECONDS * 3 / 4:
            requests += wrk(address, SECONDS // 4)
            kib.append(anonymous_kib(worker))
        print(f"{what}: {requests} requests, KiB of the worker {kib[0]} … {kib[-1]}, at most {max(kib)}")
        assert worker_of(server) == worker
        assert kib[-1] <= kib[0] + GROWTH_KIB, kib
