"""What state that workers share costs, beside APCu and Redis, which share it with the machine and with other machines."""

import contextlib
import json
import shutil
import socket
import subprocess
import tempfile
import time

from measuring import ROOT, free_address, median, php, run

PLACE = 35
NEEDS = ()

OPERATIONS = {"table": 300_000, "counter": 1_000_000, "apcu": 300_000, "redis": 20_000}


@contextlib.contextmanager
def redis_server():
    """Its port; nothing where there is no Redis."""
    program = shutil.which("redis-server")
    if not program:
        yield None
        return
    port = int(free_address().rpartition(":")[2])
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen([program, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", folder], stdout=subprocess.DEVNULL)
        try:
            deadline = time.monotonic() + 10
            while True:
                with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                    break
                assert time.monotonic() < deadline, "Redis does not answer"
                time.sleep(0.01)
            yield port
        finally:
            server.kill()
            server.wait()


def measure(options):
    extensions = run("php", "-m").split()
    results = {}
    with redis_server() as port:
        peers = ["table", "counter"] + ["apcu"] * ("apcu" in extensions) + ["redis"] * bool(port and "redis" in extensions)
        for _ in range(options.rounds):
            for what in peers:
                command = [*php(), "-d", "apc.enable_cli=1", ROOT / "bench/shared.php", what, OPERATIONS[what], port or 0]
                results.setdefault(what, []).append(json.loads(run(*command)))
    rows = [["operation", *peers]]
    for operation in ("set", "get", "increment"):
        rows.append([operation, *(f"{median(results[what], operation):,.0f} ns" if operation in results[what][0] else "" for what in peers)])
    return "State that processes share: one process, a thousand keys, values of 100 bytes, wall-clock time for each call", rows, ""
