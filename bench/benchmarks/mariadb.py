"""A page that asks MariaDB: one worker with hooked calls, one without hooks, and php-fpm behind nginx."""

import contextlib
import re
import sys

from fpm import fpm_behind_nginx
from measuring import ROOT, Failure, figure, median, php, run, serving, sessions_cpu_seconds

sys.path.append(str(ROOT / "tests/e2e/helpers"))

PLACE = 40
NEEDS = ()
CLIENTS = 100
# The path, what it is, how many requests, and the aims: times as many as with hooks off, and as php-fpm.
WORK = (
    ("/pool", "`show tables` over a pool of 50", 10_000, "8 and 3"),
    ("/fresh", "`show tables` with a fresh connection", 10_000, "3"),
    ("/slow", "a query of 5 ms over the pool", 1_000, ""),
)


def ab(address, path, requests, *more):
    output = run("ab", "-q", *more, "-c", CLIENTS, "-n", requests, "-s", 60, f"http://{address}{path}")
    failed = int(re.search(r"Failed requests:\s+(\d+)", output)[1])
    refused = re.search(r"Non-2xx responses:\s+(\d+)", output)
    return {
        "requests_per_s": float(re.search(r"Requests per second:\s+([\d.]+)", output)[1]),
        "p99_ms": int(re.search(r"99%\s+(\d+)", output)[1]),
        "failed": failed + (int(refused[1]) if refused else 0),
    }


def measure(options):
    from databases import MariaDb, Missing

    with contextlib.ExitStack() as stack:
        try:
            database = stack.enter_context(MariaDb())
        except Missing as missing:
            raise Failure(str(missing)) from None
        servers = {}
        for who, mode, setting in (("process", "process", "all"), ("base", "base", "all"), ("hooks off", "process", "none")):
            words = [*php(), "-d", f"sluice.hooks={setting}", ROOT / "bench/mariadb.php", "{address}", mode, database.port]
            address, master = stack.enter_context(serving(*words))
            servers[who] = address, [master]
        servers["nginx + php-fpm"] = stack.enter_context(fpm_behind_nginx(ROOT / "bench/mariadb_fpm.php", {"MARIADB_PORT": database.port}))
        results = {(path, who): [] for path, *_ in WORK for who in servers}
        for _ in range(options.rounds):
            for path, _, requests, _ in WORK:
                for who, (address, sessions) in servers.items():
                    ours, theirs = sessions_cpu_seconds(sessions), sessions_cpu_seconds([database.process.pid])
                    measured = ab(address, path, requests)
                    measured["cpu_us"] = (sessions_cpu_seconds(sessions) - ours) / requests * 1e6
                    measured["mariadb_us"] = (sessions_cpu_seconds([database.process.pid]) - theirs) / requests * 1e6
                    results[path, who].append(measured)

    rows = [["who", "work", "requests/s", "of hooks off", "of php-fpm", "CPU µs", "MariaDB's", "99 % within", "failed", "aims"]]
    for path, work, _, aims in WORK:
        rates = {who: median(results[path, who], "requests_per_s") for who in servers}
        for who, rate in rates.items():
            measured = results[path, who]
            rows.append([who, work, f"{rate:,.0f}", f"{rate / rates['hooks off']:.2f}", f"{rate / rates['nginx + php-fpm']:.2f}",
                         figure(median(measured, "cpu_us"), 0), figure(median(measured, "mariadb_us"), 0),
                         f"{figure(median(measured, 'p99_ms'), 0)} ms", str(sum(one["failed"] for one in measured)),
                         aims if who in ("process", "base") else ""])
    return f"MariaDB on the same machine, one worker, `ab -c {CLIENTS}`; php-fpm has 4 children", rows, ""
