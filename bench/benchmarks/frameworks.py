"""What frameworks take for the smallest page: on Sluice, several requests at a time and one, under php-fpm, and by PHP's own server."""

import contextlib
import os

from applications import FRAMEWORKS, applications
from fpm import CHILDREN, fpm_behind_nginx
from measuring import ROOT, figure, median, php, serving, sessions_memory_mb, wrk, wrk_with_cpu

PLACE = 25
NEEDS = ()
CONNECTIONS = 16
OPCACHE = ("-d", "opcache.enable_cli=1", "-d", "opcache.validate_timestamps=0")
WAYS = {
    "pool": f"Sluice, {CONNECTIONS} requests at a time",
    "single": "Sluice, one at a time",
    "fpm": f"nginx and php-fpm ({CHILDREN} children)",
    "cli": "php -S",
}


def servers_of(stack, what, folder):
    script = ROOT / "bench/application.php"
    for way, together in (("pool", CONNECTIONS), ("single", 1)):
        address, pid = stack.enter_context(serving(*php(), *OPCACHE, script, "{address}", what, folder, together))
        yield way, (address, [pid])
    environment = {name: os.environ[name] for name in ("VENDOR", "APP_KEY", "APP_ENV", "APP_DEBUG", "LOG_CHANNEL", "CACHE_STORE", "SESSION_DRIVER")}
    yield "fpm", stack.enter_context(fpm_behind_nginx(folder / "public/index.php", environment, {"opcache.validate_timestamps": 0}))
    address, pid = stack.enter_context(serving("php", *OPCACHE, "-d", "variables_order=EGPCS", "-S", "{address}", folder / "public/index.php"))
    yield "cli", (address, [pid])


def measure(options):
    with contextlib.ExitStack() as stack:
        folders = stack.enter_context(applications())
        bare, pid = stack.enter_context(serving(*php(), *OPCACHE, ROOT / "bench/application.php", "{address}", "bare", "-", CONNECTIONS))
        servers = {("bare", "pool"): (bare, [pid])}
        for what in FRAMEWORKS:
            for way, server in servers_of(stack, what, folders[what]):
                servers[what, way] = server
        for address, _ in servers.values():
            # Boots the applications of the pools.
            wrk(address, 1, connections=CONNECTIONS)
        results = {who: [] for who in servers}
        for _ in range(options.rounds):
            for who, (address, sessions) in servers.items():
                measured = wrk_with_cpu(address, sessions, options.seconds, connections=CONNECTIONS)
                measured["memory_mb"] = sessions_memory_mb(sessions)
                results[who].append(measured)
    rows = [["who", "how", "requests/s", "CPU µs", "of the bare handler", "of php-fpm", "MB"]]
    bare_cpu = median(results["bare", "pool"], "cpu_us")
    for (what, way), measured in results.items():
        cpu, fpm = median(measured, "cpu_us"), median(results.get((what, "fpm"), []), "cpu_us")
        rows.append([FRAMEWORKS.get(what, "a bare handler"), WAYS[way], f"{median(measured, 'requests_per_s'):,.0f}", figure(cpu, 0 if cpu >= 100 else 1),
                     f"{cpu / bare_cpu:.1f}", f"{cpu / fpm:.2f}" if fpm else "", figure(median(measured, "memory_mb"), 1)])
    return (f"Hello world by frameworks: wrk with {CONNECTIONS} connections; one worker, one reactor; opcache on, its timestamps off, no JIT. CPU time and"
            " memory (PSS) of all processes of each server", rows, "")
