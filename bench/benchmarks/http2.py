"""CPU time of requests on streams of HTTP/2 in all processes of the server."""

import contextlib
import re

from measuring import MODES, ROOT, Failure, figure, median, php, run, serving, sessions_cpu_seconds

PLACE = 26
NEEDS = ()

REQUESTS = 200_000
# Connections and streams at a time of each.
WORK = ((1, 1), (64, 1), (64, 100))
AIMS = {(64, 100): "5"}


def h2load(address, connections, streams, requests):
    output = run("h2load", "-t", 1, "-c", connections, "-m", streams, "-n", requests, f"http://{address}/")
    if f"{requests} succeeded, 0 failed" not in output:
        raise Failure(f"not all requests of {connections} × {streams} streams succeeded:\n{output[-1000:]}")
    return float(re.search(r"finished in .*?, ([\d.]+) req/s", output)[1])


def measure(options):
    results = {(work, mode): [] for work in WORK for mode in MODES}
    with contextlib.ExitStack() as stack:
        servers = {mode: stack.enter_context(serving(*php(), ROOT / "bench/pages.php", "{address}", mode)) for mode in MODES}
        for _ in range(options.rounds):
            for connections, streams in WORK:
                requests = REQUESTS // (10 if connections == 1 else 1)
                for mode, (address, master) in servers.items():
                    before = sessions_cpu_seconds({master})
                    rate = h2load(address, connections, streams, requests)
                    cpu_us = (sessions_cpu_seconds({master}) - before) / requests * 1e6
                    results[(connections, streams), mode].append({"cpu_us": cpu_us, "requests_per_s": rate})
    rows = [["connections × streams", *(f"{mode}, {what}" for mode in MODES for what in ("CPU µs", "requests/s")), "aims"]]
    for work in WORK:
        figures = [text for mode in MODES
                   for text in (figure(median(results[work, mode], "cpu_us"), 1), f"{median(results[work, mode], 'requests_per_s'):,.0f}")]
        rows.append([f"{work[0]} × {work[1]}", *figures, AIMS.get(work, "")])
    return "Hello world by HTTP/2 in clear text, by `h2load` with one thread: one worker, in process mode one reactor", rows, ""
