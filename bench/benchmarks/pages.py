"""What small pages and long uploads cost, beside servers that people come from."""

import contextlib
import shutil

from fpm import fpm_behind_nginx
from measuring import MODES, PROGRAMS, ROOT, median, php, serving, sessions_memory_mb, wrk_with_cpu

PLACE = 25
NEEDS = ("hello_limit",)

PEER = ROOT / "bench/pages_peer.php"
# What is asked, by which options of wrk; whether peers answer it.
WORK = {
    "hello": ({}, True),
    "hello, URLs and cookies differ": ({"script": "urls"}, True),
    "hello, ten requests a connection": ({"script": "short"}, True),
    "hello, sixteen pipelined": ({"script": "pipelined"}, False),
    "JSON made for each request": ({"path": "/json"}, True),
    "hello on a route that streams bodies": ({"path": "/stream"}, False),
    "upload of 7.7 MB, whole": ({"path": "/whole", "script": "upload", "connections": 4}, False),
    "upload of 7.7 MB, streamed": ({"path": "/stream", "script": "upload", "connections": 4}, False),
}


def servers(stack):
    """Their addresses and the sessions of their processes."""
    yield "limit", [stack.enter_context(serving(PROGRAMS / "hello_limit", "{address}"))]
    for mode in MODES:
        yield mode, [stack.enter_context(serving(*php(), ROOT / "bench/pages.php", "{address}", mode))]
    if shutil.which("node"):
        yield "Node", [stack.enter_context(serving("node", ROOT / "bench/pages_peer.js", "{address}"))]
    if shutil.which("nginx"):
        address, sessions = stack.enter_context(fpm_behind_nginx(PEER))
        yield "nginx and php-fpm", [(address, pid) for pid in sessions]
    yield "php -S", [stack.enter_context(serving("php", "-S", "{address}", PEER))]


def measure(options):
    results = {}
    with contextlib.ExitStack() as stack:
        running = dict(servers(stack))
        memory = {}
        for _ in range(options.rounds):
            for work, (how, is_for_all) in WORK.items():
                for who, places in running.items():
                    # The limit does not parse, so it cannot tell pages apart, nor end a connection.
                    if (who == "limit" and work not in list(WORK)[:2]) or (who not in MODES and not is_for_all):
                        continue
                    measured = wrk_with_cpu(places[0][0], {pid for _, pid in places}, options.seconds, **how)
                    results.setdefault((work, who), []).append(measured)
        for mode in MODES:
            memory[mode] = sessions_memory_mb({running[mode][0][1]})

    rows = [["how", "who", "CPU µs", "of limit", "of process", "requests/s"]]
    for (work, who), measured in results.items():
        cpu = median(measured, "cpu_us")
        limit = median(results.get((work, "limit"), []), "cpu_us")
        rows.append([work, who, f"{cpu:,.1f}", f"{cpu / limit:.2f}" if limit else "",
                     f"{cpu / median(results[work, 'process'], 'cpu_us'):.2f}", f"{median(measured, 'requests_per_s'):,.0f}"])
    note = "Memory of all processes after the uploads: " + ", ".join(f"{mode} {memory[mode]:.0f} MB" for mode in MODES) + "."
    return "Small pages and uploads: wrk, one worker, one reactor; CPU time of a request in all processes of the server", rows, note
