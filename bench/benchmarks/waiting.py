"""Pages that ask a service and wait 100 ms for it: 100 of them at once, on one worker."""

import contextlib
import os
import re

from applications import FRAMEWORKS, applications
from measuring import ROOT, Failure, figure, median, php, run, serving, sessions_cpu_seconds, sessions_memory_mb

PLACE = 27
NEEDS = ()
TOGETHER = 100
OPCACHE = ("-d", "opcache.enable_cli=1", "-d", "opcache.validate_timestamps=0")


def hundred(address, sessions):
    before = sessions_cpu_seconds(sessions)
    output = run("ab", "-q", "-c", TOGETHER, "-n", TOGETHER, f"http://{address}/waits")
    if "Non-2xx" in output or int(re.search(r"Failed requests:\s+(\d+)", output)[1]):
        raise Failure(f"ab saw errors:\n{output}")
    return {
        "seconds": float(re.search(r"Time taken for tests:\s+([\d.]+)", output)[1]),
        "cpu_us": (sessions_cpu_seconds(sessions) - before) / TOGETHER * 1e6,
    }


def measure(options):
    with contextlib.ExitStack() as stack:
        folders = stack.enter_context(applications())
        upstream, _ = stack.enter_context(serving(*php(), ROOT / "bench/upstream.php", "{address}"))
        os.environ["UPSTREAM"] = f"http://{upstream}/"
        servers, results, firsts = {}, {}, {}
        for what in FRAMEWORKS:
            address, pid = stack.enter_context(serving(*php(), *OPCACHE, ROOT / "bench/application.php", "{address}", what, folders[what], TOGETHER))
            servers[what] = address, [pid]
            firsts[what], results[what] = hundred(address, [pid]), []
        for _ in range(options.rounds):
            for what, (address, sessions) in servers.items():
                results[what].append(hundred(address, sessions))
        memory = {what: sessions_memory_mb(sessions) for what, (_, sessions) in servers.items()}
    rows = [["who", "first 100", "100", "first CPU µs", "CPU µs", "MB"]]
    for what, measured in results.items():
        rows.append([FRAMEWORKS[what], f"{firsts[what]['seconds']:.2f} s", f"{median(measured, 'seconds'):.2f} s", figure(firsts[what]["cpu_us"], 0),
                     figure(median(measured, "cpu_us"), 0), figure(memory[what], 1)])
    return f"{TOGETHER} requests at once that each wait 100 ms for a service: one worker, {TOGETHER} kernels or applications, `ab -c {TOGETHER}`", rows, ""
