"""CPU time of WebSocket messages in all processes of the server."""

import contextlib
import statistics

from measuring import MODES, PROGRAMS, ROOT, php, run, serving, sessions_cpu_seconds

PLACE = 11
NEEDS = ("ws_flood", "ws_echo")

# How many messages, the program, and its arguments after the address.
ROWS = {
    "64 bytes, many in a write": (1_000_000, "ws_flood", "/sink", 1_000_000, 64),
    "64 bytes, a write each": (400_000, "ws_flood", "/sink", 400_000, 64, 1, "one-by-one"),
    "1 KiB, many in a write": (200_000, "ws_flood", "/sink", 200_000, 1 << 10),
    "8 KiB, many in a write": (60_000, "ws_flood", "/sink", 60_000, 8 << 10),
    "echo of 64 bytes, 64 connections": (200_000, "ws_echo", "/echo", 64, 200_000, 64),
}


def measure(options):
    cpu_us = {(what, mode): [] for what in ROWS for mode in MODES}
    with contextlib.ExitStack() as stack:
        servers = {
            mode: stack.enter_context(serving(*php(), ROOT / "bench/ws_sink.php", "{address}", mode)) for mode in MODES
        }
        for _ in range(options.rounds):
            for what, (messages, program, *arguments) in ROWS.items():
                for mode, (address, master) in servers.items():
                    before = sessions_cpu_seconds({master})
                    run(PROGRAMS / program, address, *arguments)
                    cpu_us[what, mode].append((sessions_cpu_seconds({master}) - before) / messages * 1e6)
    rows = [["how", *(f"{mode}, CPU µs" for mode in MODES), "process ÷ base"]]
    for what in ROWS:
        process, base = (statistics.median(cpu_us[what, mode]) for mode in MODES)
        rows.append([what, f"{process:.3f}", f"{base:.3f}", f"{process / base:.2f}"])
    return (
        "WebSocket messages, CPU time of each in all processes: one worker, in process mode one reactor", rows,
        "Aim: an echo of small messages costs at most 1.08 times as much in process mode as in base mode.",
    )
