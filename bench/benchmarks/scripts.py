"""Scripts that were written for php-fpm: in classic mode, in a pool of processes that start afresh, and in php-fpm."""

import contextlib
import tempfile
from pathlib import Path

from fpm import CHILDREN, fpm_behind_nginx
from measuring import ROOT, figure, median, php, serving, sessions_memory_mb, wrk_with_cpu

PLACE = 26
NEEDS = ()
CONNECTIONS = 16
ADMINER = Path("/etc/adminer/conf.php")


def measure(options):
    pages = {"an empty script": (ROOT / "bench/empty.php", ("processes",)), "a page that echoes": (ROOT / "bench/page.php", ("classic", "processes"))}
    if ADMINER.exists():
        pages["adminer's login"] = (ADMINER, ("processes",))
    names = {"classic": "a coroutine for each request (classic)", "processes": f"a pool of {CHILDREN} processes"}
    with contextlib.ExitStack() as stack:
        # Requests without a cookie begin a session each.
        settings = {"session.save_path": stack.enter_context(tempfile.TemporaryDirectory()), "opcache.enable_cli": 1}
        words = [word for name, value in settings.items() for word in ("-d", f"{name}={value}")]
        servers = {}
        for page, (script, ways) in pages.items():
            for way in ways:
                address, pid = stack.enter_context(serving(*php(), *words, ROOT / "bench/scripts.php", "{address}", script, way, CHILDREN))
                servers[page, names[way]] = address, [pid]
            servers[page, f"nginx and php-fpm ({CHILDREN} children)"] = stack.enter_context(fpm_behind_nginx(script, settings=settings))
        results = {who: [] for who in servers}
        for _ in range(options.rounds):
            for who, (address, sessions) in servers.items():
                measured = wrk_with_cpu(address, sessions, options.seconds, connections=CONNECTIONS)
                measured["memory_mb"] = sessions_memory_mb(sessions)
                results[who].append(measured)
    rows = [["who", "page", "requests/s", "CPU µs", "of php-fpm", "MB"]]
    for (page, name), measured in results.items():
        fpm = median(results[page, f"nginx and php-fpm ({CHILDREN} children)"], "cpu_us")
        cpu = median(measured, "cpu_us")
        rows.append([name, page, f"{median(measured, 'requests_per_s'):,.0f}", figure(cpu, 0), f"{cpu / fpm:.2f}", figure(median(measured, "memory_mb"), 1)])
    return (f"Scripts that were written for php-fpm: wrk with {CONNECTIONS} connections; one worker, one reactor. CPU time and memory (PSS) of all"
            " processes of each server, opcache on", rows, "")
