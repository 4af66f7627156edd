"""What the packages for frameworks take for the smallest page, beside a bare handler."""

import contextlib
import subprocess

from measuring import ROOT, median, php, serving, sessions_cpu_seconds, wrk

PLACE = 25
NEEDS = ()
WHO = {"bare": "a bare handler", "psr15": "sluice/psr, a PSR-15 handler"}


def measure(options):
    subprocess.run([ROOT / "tools/install-packages"], check=True, timeout=600)
    results = {who: [] for who in WHO}
    with contextlib.ExitStack() as stack:
        servers = {who: stack.enter_context(serving(*php(), ROOT / "bench/hello_frameworks.php", "{address}", who)) for who in WHO}
        for _ in range(options.rounds):
            for who, (address, pid) in servers.items():
                before = sessions_cpu_seconds([pid])
                measured = wrk(address, options.seconds)
                measured["cpu_us"] = (sessions_cpu_seconds([pid]) - before) / (measured["requests_per_s"] * options.seconds) * 1e6
                results[who].append(measured)
    bare = median(results["bare"], "cpu_us")
    rows = [["who", "requests/s", "CPU µs", "of a bare handler"]]
    for who, name in WHO.items():
        cpu = median(results[who], "cpu_us")
        rows.append([name, f"{median(results[who], 'requests_per_s'):,.0f}", f"{cpu:.1f}", f"{cpu / bare:.2f}"])
    return "Hello world by the packages for frameworks: wrk with 64 connections, process mode, one worker, one reactor", rows, ""
