"""How fast the smallest page is, compared with one thread that does not even parse."""

import contextlib

from measuring import MODES, PROGRAMS, ROOT, median, php, serving, wrk_with_cpu

PLACE = 20
LIMITS = {"limit": "hello_limit", "limit by io_uring": "hello_limit_uring"}
NEEDS = tuple(LIMITS.values())
# What is asked, by which options of wrk, and after how many requests a limit ends a connection.
WORK = {
    "hello": ({}, ()),
    "hello, ten requests a connection": ({"script": "short"}, (10,)),
}


def measure(options):
    results = {}
    with contextlib.ExitStack() as stack:
        ours = {mode: stack.enter_context(serving(*php(), ROOT / "bench/hello.php", "{address}", mode)) for mode in MODES}
        limits = {(work, who): stack.enter_context(serving(PROGRAMS / program, "{address}", *of_each))
                  for work, (_, of_each) in WORK.items() for who, program in LIMITS.items()}
        for _ in range(options.rounds):
            for work, (how, _) in WORK.items():
                for who in (*LIMITS, *MODES):
                    address, master = limits.get((work, who)) or ours[who]
                    results.setdefault((work, who), []).append(wrk_with_cpu(address, {master}, options.seconds, **how))
    rows = [["how", "who", "requests/s", "of limit", "CPU µs", "of limit"]]
    for (work, who), measured in results.items():
        limit = {key: median(results[work, "limit"], key) for key in ("requests_per_s", "cpu_us")}
        rate, cpu = (median(measured, key) for key in limit)
        rows.append([work, who, f"{rate:,.0f}", f"{rate / limit['requests_per_s']:.2f}", f"{cpu:.2f}", f"{cpu / limit['cpu_us']:.2f}"])
    return "HTTP hello: wrk with 64 connections, one worker, one reactor; the limit is one thread with epoll", rows, ""
