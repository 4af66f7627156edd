"""What packages/sharding costs over PDO, on four MariaDB: a route, a statement that is parsed and cached, a scatter, and 1,000 shards."""

import contextlib
import json
import sys

from measuring import ROOT, Failure, median, php, run

sys.path.append(str(ROOT / "tests/e2e/helpers"))

PLACE = 45
NEEDS = ()


def measure(options):
    from databases import MariaDb, Missing

    run(ROOT / "tools/install-packages")
    with contextlib.ExitStack() as stack:
        try:
            servers = [stack.enter_context(MariaDb()) for _ in range(4)]
        except Missing as missing:
            raise Failure(str(missing)) from None
        dsns = "|".join(f"mysql:host=127.0.0.1;port={server.port}" for server in servers)

        def script(what):
            return json.loads(run(*php(), "-d", "opcache.enable_cli=1", ROOT / "bench/sharding.php", what, dsns))

        script("make")
        results = {what: [] for what in ("route", "query", "scatter", "many")}
        for _ in range(options.rounds):
            for what, measured in results.items():
                measured.append(script(what))

    route = median(results["route"], "us")
    sharded, plain = median(results["query"], "sharded"), median(results["query"], "plain")
    scatter, one = median(results["scatter"], "scatter"), median(results["scatter"], "one")
    routed, pooled = median(results["many"], "routed"), median(results["many"], "plain")
    rows = [
        ["what", "sharded", "without", "ratio", "aim"],
        ["a shard of an id", f"{route:.2f} µs", "", "", "at most 2 µs"],
        ["a statement by key, parsed and cached", f"{sharded:.1f} µs", f"PDO: {plain:.1f} µs", f"{sharded / plain:.2f}", "at most 15 µs more"],
        ["16 shards, each 5 ms", f"{scatter:.1f} ms", f"one: {one:.1f} ms", f"{scatter / one:.2f}", "at most 7 ms"],
        ["1,000 shards, 40 connections, 99 % within", f"{routed:.2f} ms", f"a pool: {pooled:.2f} ms", f"{routed / pooled:.2f}", "at most 1.2"],
    ]
    return "Sharding over four MariaDB on the same machine; the first two rows are CPU time of the client", rows, ""
