"""How fast WebSocket messages reach PHP, compared with a recv() loop."""

import contextlib
import json

from measuring import MODES, PROGRAMS, ROOT, cpu_seconds, figure, median, php, reactor_of, run, serving

PLACE = 10
NEEDS = ("ws_flood", "recv_limit")

# Size and number of messages; each run takes some tenths of a second.
FLOODS = {64: 1_000_000, 1 << 10: 200_000, 8 << 10: 60_000, 64 << 10: 12_000, 512 << 10: 2_000}


def measure_flood(address, master, size, messages):
    worker = reactor = None
    if master is not None:
        # A short run before, which also tells who the worker is.
        worker = json.loads(run(PROGRAMS / "ws_flood", address, "/sink", 100, size))["report"]["worker"]
        reactor = reactor_of(master)
        before = {pid: cpu_seconds(pid) for pid in (worker, reactor) if pid}
    result = json.loads(run(PROGRAMS / "ws_flood", address, "/sink", messages, size))
    for name, pid in (("worker", worker), ("reactor", reactor)):
        if pid:
            result[f"{name}_cpu_s_per_gb"] = (cpu_seconds(pid) - before[pid]) / (result["bytes"] / 1e9)
    return result


def measure(options):
    rows = [["bytes", "who", "GB/s", "messages/s", "of limit", "worker CPU s/GB", "reactor CPU s/GB"]]
    results = {(size, who): [] for size in FLOODS for who in ("limit", *MODES)}
    with contextlib.ExitStack() as stack:
        servers = {"limit": (stack.enter_context(serving(PROGRAMS / "recv_limit", "{address}"))[0], None)}
        for mode in MODES:
            servers[mode] = stack.enter_context(serving(*php(), ROOT / "bench/ws_sink.php", "{address}", mode))
        for _ in range(options.rounds):
            for size, messages in FLOODS.items():
                for who, (address, master) in servers.items():
                    results[size, who].append(measure_flood(address, master, size, messages))
    for (size, who), measured in results.items():
        rate = median(measured, "bytes_per_s")
        rows.append([
            str(size), who, f"{rate / 1e9:.3f}", f"{median(measured, 'messages_per_s'):,.0f}",
            f"{rate / median(results[size, 'limit'], 'bytes_per_s'):.2f}",
            figure(median(measured, "worker_cpu_s_per_gb"), 4), figure(median(measured, "reactor_cpu_s_per_gb"), 4),
        ])
    largest = max(FLOODS)
    ratio = median(results[largest, "process"], "bytes_per_s") / median(results[largest, "limit"], "bytes_per_s")
    worker = median(results[largest, "process"], "worker_cpu_s_per_gb")
    return (
        "WebSocket messages into PHP: one client, one worker, one reactor; the limit is a recv() loop", rows,
        f"Aim: process mode at {largest} bytes reaches 0.70 of the limit (now {ratio:.2f}) and its worker spends less than "
        f"0.0300 CPU s/GB (now {worker:.4f}).",
    )
