"""A program for Swoole on packages/swoole, beside the same by Sluice's own API and, where SWOOLE_EXTENSION names one, beside Swoole."""

import contextlib
import os
import sys

from measuring import PROGRAMS, ROOT, Failure, median, php, run, serving, sessions_cpu_seconds, wrk_with_cpu

sys.path.append(str(ROOT / "tests/e2e/helpers"))

PLACE = 25
NEEDS = ("ws_flood", "ws_echo")
# The path, the connections, and the most that the layer may cost of the API.
PAGES = {"hello": ("/", 64, 1.15), "MySQL, a connection each": ("/tables", 20, 1.15)}
# How many messages, the program, its arguments after the address, and the aim.
MESSAGES = {
    "echo of 64 bytes, 64 connections": (100_000, "ws_echo", ("/echo", 64, 100_000, 64), None),
    "512 KiB": (2_000, "ws_flood", ("/sink", 2_000, 512 << 10), 1.0),
}


def measure(options):
    from databases import MariaDb, Missing

    results = {}
    with contextlib.ExitStack() as stack:
        try:
            database = stack.enter_context(MariaDb())
        except Missing as missing:
            raise Failure(str(missing)) from None
        commands = {
            "API": [*php(), ROOT / "bench/swoole_native.php", "{address}", "process"],
            "layer": [*php(), "-d", "sluice.swoole=6.2.2", "-d", "opcache.enable_cli=1", ROOT / "bench/swoole.php", "{address}", "process"],
        }
        if "SWOOLE_EXTENSION" in os.environ:
            for mode in ("process", "base"):
                commands[f"Swoole, {mode} mode"] = ["php", "-d", f"extension={os.environ['SWOOLE_EXTENSION']}", ROOT / "bench/swoole.php", "{address}", mode]
        servers = {who: stack.enter_context(serving(*command, database.port)) for who, command in commands.items()}
        for _ in range(options.rounds):
            for what, (path, connections, _) in PAGES.items():
                for who, (address, master) in servers.items():
                    results.setdefault((what, who), []).append(wrk_with_cpu(address, {master}, options.seconds, connections=connections, path=path))
            for what, (messages, program, arguments, _) in MESSAGES.items():
                for who, (address, master) in servers.items():
                    before = sessions_cpu_seconds({master})
                    run(PROGRAMS / program, address, *arguments)
                    results.setdefault((what, who), []).append({"cpu_us": (sessions_cpu_seconds({master}) - before) / messages * 1e6})
    aims = {what: aim for what, (*_, aim) in (*PAGES.items(), *MESSAGES.items())}
    rows = [["what", "who", "CPU µs", "of the API", "aim"]]
    for (what, who), measured in results.items():
        cpu, api = median(measured, "cpu_us"), median(results[what, "API"], "cpu_us")
        rows.append([what, who, f"{cpu:.2f}", f"{cpu / api:.2f}", f"{aims[what]:.2f}" if who == "layer" and aims[what] else ""])
    return "A program for Swoole: CPU time of a request or message in all processes, one worker, one reactor", rows, ""
