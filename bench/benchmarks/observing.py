"""What it costs to be observed: pages with and without the admin listener, in turns."""

import contextlib
import os
import statistics
import sys
import threading
import urllib.request

from measuring import MODES, ROOT, Failure, figure, free_address, median, php, serving, wrk_with_cpu

sys.path.append(str(ROOT / "tests/e2e/helpers"))

PLACE = 45
NEEDS = ()
# What Prometheus asks for, and an open dashboard, each once a second.
POLLED = ("/metrics", "/api/state", "/debug/slow", "/debug/log")
HOW = ("off", "polled each second", "and profiled at 100 Hz")


def page(stack, script, mode, *more, admin=None):
    if admin:
        os.environ["ADMIN"] = admin
    try:
        address, master = stack.enter_context(serving(*php(), ROOT / "bench" / script, "{address}", mode, *more))
        return address, {master}
    finally:
        os.environ.pop("ADMIN", None)


def fetch(admin, path):
    with urllib.request.urlopen(f"http://{admin}{path}", timeout=60) as answer:
        answer.read()


@contextlib.contextmanager
def watching(admin, seconds, profiled):
    over = threading.Event()

    def poll():
        while not over.is_set():
            for path in POLLED:
                fetch(admin, path)
            over.wait(1)

    threads = [threading.Thread(target=poll)]
    if profiled:
        threads.append(threading.Thread(target=fetch, args=(admin, f"/debug/pprof/profile?seconds={seconds}")))
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join()


def measure(options):
    from databases import MariaDb, Missing

    with contextlib.ExitStack() as stack:
        try:
            port = stack.enter_context(MariaDb()).port
        except Missing as missing:
            raise Failure(str(missing)) from None
        results = {}
        pages = {}
        for mode in MODES:
            for name, script, path, more in (("hello", "hello.php", "/", ()), ("`show tables`", "mariadb.php", "/pool", (port,))):
                admin = free_address()
                pages[name, mode] = path, page(stack, script, mode, *more), page(stack, script, mode, *more, admin=admin), admin
        for _ in range(options.rounds):
            for key, (path, off, on, admin) in pages.items():
                for how in HOW:
                    with watching(admin, options.seconds, how == HOW[2]) if how != HOW[0] else contextlib.nullcontext():
                        measured = wrk_with_cpu(*(off if how == HOW[0] else on), options.seconds, path=path)
                    results.setdefault((*key, how), []).append(measured)

    rows = [["page", "mode", "observed", "CPU µs", "of off", "99 % within"]]
    for (name, mode, how), measured in results.items():
        ratios = [one["cpu_us"] / off["cpu_us"] for one, off in zip(measured, results[name, mode, HOW[0]])]
        rows.append([name, mode, how, figure(median(measured, "cpu_us"), 1), figure(statistics.median(ratios), 3), f"{figure(median(measured, 'p99_ms'), 1)} ms"])
    return "The same page with and without the admin listener: wrk, one worker; CPU time of a request in all processes of the server", rows, ""
