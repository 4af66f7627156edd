"""What opcache, preloading and the JIT do for applications that stay in memory."""

import contextlib
import os
import time
import urllib.request
from pathlib import Path

from applications import FRAMEWORKS, applications
from measuring import ROOT, figure, median, php, run, serving, sessions_cpu_seconds, sessions_memory_mb, wrk, wrk_with_cpu

PLACE = 28
NEEDS = ()
CONNECTIONS = 16
OPCACHE = {"opcache.enable_cli": 1}
RESIDENT = OPCACHE | {"opcache.validate_timestamps": 0}
USER = {"opcache.preload_user": "root"} if os.getuid() == 0 else {}
SETTINGS = {
    "none": {"opcache.enable_cli": 0},
    "opcache": OPCACHE,
    "opcache without timestamps": RESIDENT,
    "and preload": RESIDENT | USER | {"opcache.preload": ROOT / "bench/preload.php"},
    "and JIT": RESIDENT | {"opcache.jit": "tracing", "opcache.jit_buffer_size": "64M"},
}


def from_boot_to_end(command, seconds):
    begin = time.monotonic()
    with serving(*command) as (address, pid):
        with urllib.request.urlopen(f"http://{address}/", timeout=30) as answer:
            answer.read()
        boot = {"boot_ms": (time.monotonic() - begin) * 1e3, "boot_cpu_ms": sessions_cpu_seconds([pid]) * 1e3}
        # The JIT compiles what has been called often.
        wrk(address, 2, connections=CONNECTIONS)
        return boot | wrk_with_cpu(address, [pid], seconds, connections=CONNECTIONS) | {"memory_mb": sessions_memory_mb([pid])}


def measure(options):
    results = {(what, how): [] for what in FRAMEWORKS for how in SETTINGS}
    script = ROOT / "bench/application.php"
    with contextlib.ExitStack() as stack:
        folders = stack.enter_context(applications())
        for what in FRAMEWORKS:
            included = Path(folders[what], "included")
            run("env", f"RECORD={included}", *php(), script, "-", what, folders[what], CONNECTIONS)
        for _ in range(options.rounds):
            for what, how in results:
                words = [word for name, value in SETTINGS[how].items() for word in ("-d", f"{name}={value}")]
                command = ["env", f"INCLUDED={folders[what]}/included", *php(), *words, script, "{address}", what, folders[what], CONNECTIONS]
                results[what, how].append(from_boot_to_end(command, options.seconds))
    rows = [["who", "how", "CPU µs", "of none", "boot ms", "boot CPU ms", "MB"]]
    for (what, how), measured in results.items():
        cpu = median(measured, "cpu_us")
        rows.append([FRAMEWORKS[what], how, figure(cpu, 1), f"{cpu / median(results[what, 'none'], 'cpu_us'):.2f}", figure(median(measured, "boot_ms"), 0),
                     figure(median(measured, "boot_cpu_ms"), 0), figure(median(measured, "memory_mb"), 1)])
    return (f"Hello world by frameworks with and without opcache: wrk with {CONNECTIONS} connections, one worker, {CONNECTIONS} kernels or applications. Boot is"
            " the time until the first answer; memory (PSS) is that of all processes", rows, "")
