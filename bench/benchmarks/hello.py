"""How fast the smallest page is, compared with one thread that does not even parse."""

import contextlib

from measuring import MODES, PROGRAMS, ROOT, median, php, serving, wrk_with_cpu

PLACE = 20
LIMITS = {"limit": "hello_limit", "limit by io_uring": "hello_limit_uring"}
NEEDS = tuple(LIMITS.values())


def measure(options):
    rows = [["who", "requests/s", "of limit", "CPU µs", "of limit"]]
    results = {who: [] for who in (*LIMITS, *MODES)}
    with contextlib.ExitStack() as stack:
        servers = {who: stack.enter_context(serving(PROGRAMS / program, "{address}")) for who, program in LIMITS.items()}
        for mode in MODES:
            servers[mode] = stack.enter_context(serving(*php(), ROOT / "bench/hello.php", "{address}", mode))
        for _ in range(options.rounds):
            for who, (address, master) in servers.items():
                results[who].append(wrk_with_cpu(address, {master}, options.seconds))
    limit = {key: median(results["limit"], key) for key in ("requests_per_s", "cpu_us")}
    for who, measured in results.items():
        rate, cpu = (median(measured, key) for key in limit)
        rows.append([who, f"{rate:,.0f}", f"{rate / limit['requests_per_s']:.2f}", f"{cpu:.2f}", f"{cpu / limit['cpu_us']:.2f}"])
    return "HTTP hello: wrk with 64 connections, one worker, one reactor; the limit is one thread with epoll", rows, ""
