"""What it costs to wait: coroutines in a hooked call, for a server that never answers."""

import json
import socket

from measuring import ROOT, median, php, run

PLACE = 31
NEEDS = ()
COUNTS = (1, 100, 1000)


def measure(options):
    results = {count: [] for count in COUNTS}
    with socket.create_server(("127.0.0.1", 0), backlog=4096) as listener:  # the kernel takes the connections
        address = f"127.0.0.1:{listener.getsockname()[1]}"
        for _ in range(options.rounds):
            for count in COUNTS:
                results[count].append(json.loads(run(*php(), ROOT / "bench/stalled.php", address, count, options.seconds)))
    rows = [["who", "CPU s per second of waiting", "aim"]]
    for count, measured in results.items():
        rows.append([f"{count:,} waiting", f"{median(measured, 'cpu_s') / options.seconds:.5f}", "about 0"])
    return f"Coroutines that wait in `fread()` for a server that stalls, for {options.seconds} s", rows, ""
