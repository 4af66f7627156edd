"""How fast the smallest page is, compared with one thread that does not even parse."""

import contextlib

from measuring import MODES, PROGRAMS, ROOT, median, php, serving, wrk

PLACE = 20
NEEDS = ("hello_limit",)


def measure(options):
    rows = [["who", "requests/s", "of limit"]]
    results = {who: [] for who in ("limit", *MODES)}
    with contextlib.ExitStack() as stack:
        servers = {"limit": stack.enter_context(serving(PROGRAMS / "hello_limit", "{address}"))[0]}
        for mode in MODES:
            servers[mode] = stack.enter_context(serving(*php(), ROOT / "bench/hello.php", "{address}", mode))[0]
        for _ in range(options.rounds):
            for who, address in servers.items():
                results[who].append(wrk(address, options.seconds))
    limit = median(results["limit"], "requests_per_s")
    for who, measured in results.items():
        rate = median(measured, "requests_per_s")
        rows.append([who, f"{rate:,.0f}", f"{rate / limit:.2f}"])
    return "HTTP hello: wrk with 64 connections, one worker, one reactor; the limit is one thread with epoll", rows, ""
