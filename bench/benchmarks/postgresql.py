"""Pages that ask PostgreSQL: one worker with hooked calls, and one without hooks."""

import contextlib
import sys

from benchmarks.mariadb import CLIENTS
from measuring import ROOT, Failure, figure, median, php, run, serving, wrk_with_cpu

sys.path.append(str(ROOT / "tests/e2e/helpers"))

PLACE = 41
NEEDS = ()
# The path, what it is, and the aims in CPU µs.
WORK = (
    ("/rows", "a query of 21 rows as JSON", {"base": "54", "process": "60"}),
    ("/items", "one item, 1 of 20 changes it, the rest cached", {"base": "30", "process": "37"}),
)
ITEMS = "CREATE TABLE item (id int PRIMARY KEY, name text, price int); INSERT INTO item SELECT i, 'item ' || i, i * 3 FROM generate_series(1, 500) i"


def measure(options):
    from databases import Missing, PostgreSql

    with contextlib.ExitStack() as stack:
        try:
            database = stack.enter_context(PostgreSql())
        except Missing as missing:
            raise Failure(str(missing)) from None
        run("psql", "-h", "127.0.0.1", "-p", database.port, "-U", "postgres", "-q", "-c", ITEMS)
        servers = {}
        for who, mode, setting in (("process", "process", "all"), ("base", "base", "all"), ("hooks off", "process", "none")):
            words = [*php(), "-d", f"sluice.hooks={setting}", ROOT / "bench/postgresql.php", "{address}", mode, database.port]
            servers[who] = stack.enter_context(serving(*words))
        results = {(path, who): [] for path, *_ in WORK for who in servers}
        for _ in range(options.rounds):
            for path, *_ in WORK:
                for who, (address, master) in servers.items():
                    results[path, who].append(wrk_with_cpu(address, [master], options.seconds, connections=CLIENTS, path=path))

    rows = [["who", "work", "requests/s", "of hooks off", "CPU µs", "99 % within", "aims"]]
    for path, work, aims in WORK:
        rates = {who: median(results[path, who], "requests_per_s") for who in servers}
        for who, rate in rates.items():
            measured = results[path, who]
            rows.append([who, work, f"{rate:,.0f}", f"{rate / rates['hooks off']:.2f}", figure(median(measured, "cpu_us"), 1),
                         f"{figure(median(measured, 'p99_ms'), 0)} ms", aims.get(who, "")])
    return f"PostgreSQL on the same machine, one worker, a pool of 50, {CLIENTS} connections of `wrk`", rows, ""
