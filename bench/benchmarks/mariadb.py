"""A page that asks MariaDB: one worker with hooked calls, one without hooks, and php-fpm behind nginx."""

import contextlib
import sys

from fpm import fpm_behind_nginx
from measuring import ROOT, Failure, figure, median, php, serving, sessions_cpu_seconds, wrk_with_cpu

sys.path.append(str(ROOT / "tests/e2e/helpers"))

PLACE = 40
NEEDS = ()
CLIENTS = 100
# The path, what it is, and the aims in CPU µs.
WORK = (
    ("/pool", "`show tables` over a pool of 50", {"base": "22", "process": "27"}),
    ("/fresh", "`show tables` with a fresh connection", {"base": "53", "process": "70"}),
    ("/slow", "a query of 5 ms over the pool", {}),
)


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
            for path, *_ in WORK:
                for who, (address, sessions) in servers.items():
                    theirs = sessions_cpu_seconds([database.process.pid])
                    measured = wrk_with_cpu(address, sessions, options.seconds, connections=CLIENTS, path=path)
                    theirs = sessions_cpu_seconds([database.process.pid]) - theirs
                    measured["mariadb_us"] = theirs / measured["requests"] * 1e6
                    results[path, who].append(measured)

    rows = [["who", "work", "requests/s", "of hooks off", "of php-fpm", "CPU µs", "MariaDB's", "99 % within", "aims"]]
    for path, work, aims in WORK:
        rates = {who: median(results[path, who], "requests_per_s") for who in servers}
        for who, rate in rates.items():
            measured = results[path, who]
            rows.append([who, work, f"{rate:,.0f}", f"{rate / rates['hooks off']:.2f}", f"{rate / rates['nginx + php-fpm']:.2f}",
                         figure(median(measured, "cpu_us"), 1), figure(median(measured, "mariadb_us"), 1),
                         f"{figure(median(measured, 'p99_ms'), 0)} ms", aims.get(who, "")])
    return f"MariaDB on the same machine, one worker, {CLIENTS} connections of `wrk`; php-fpm has 4 children", rows, ""
