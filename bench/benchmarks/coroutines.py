"""What coroutines cost, compared with PHP's bare Fibers, and with handlers that are none."""

import contextlib
import json

from measuring import MODES, ROOT, median, php, run, serving, wrk

PLACE = 30
NEEDS = ()

SWITCHES, SPAWNS, ASLEEP = 2_000_000, 200_000, 10_000


def script(what, count):
    return json.loads(run(*php(), ROOT / "bench/coroutines.php", what, count))


def measure(options):
    pairs = (("switch to one and back", "switch", "fiber-switch", SWITCHES, "at most 1.15"),
             ("... with ten isolated statics", "switch-isolated", "switch", SWITCHES, "at most 60 ns more"),
             ("spawn an empty one, and its end", "spawn", "fiber", SPAWNS, "at most 0.08"))
    results = {what: [] for pair in pairs for what in pair[1:3]} | {"asleep": []}
    for mode in MODES:
        results |= {f"{mode}-on": [], f"{mode}-off": []}
    with contextlib.ExitStack() as stack:
        servers = {}
        for mode in MODES:
            for state, value in (("on", 1), ("off", 0)):
                words = [*php(), "-d", f"sluice.coroutines={value}", ROOT / "bench/hello.php", "{address}", mode]
                servers[f"{mode}-{state}"] = stack.enter_context(serving(*words))[0]
        for _ in range(options.rounds):
            counts = {what: pair[3] for pair in pairs for what in pair[1:3]}
            for what, count in counts.items():
                results[what].append(script(what, count))
            results["asleep"].append(script("asleep", ASLEEP))
            for name, address in servers.items():
                results[name].append(wrk(address, options.seconds))

    rows = [["who", "coroutines", "without", "ratio", "aim"]]
    for title, ours, bare, _, aim in pairs:
        mine, others = median(results[ours], "ns"), median(results[bare], "ns")
        than = "Fiber: " if "fiber" in bare else ""
        rows.append([title, f"{mine:,.0f} ns", f"{than}{others:,.0f} ns", f"{mine / others:.3f}", aim])
    for mode in MODES:
        on, off = (median(results[f"{mode}-{state}"], "requests_per_s") for state in ("on", "off"))
        rows.append([f"hello, {mode} mode", f"{on:,.0f}/s", f"{off:,.0f}/s", f"{on / off:.2f}", "at least 0.95"])
    asleep = {key: median(results["asleep"], key) for key in ("bytes", "kept", "late_ms", "latest_ms")}
    rows.append([f"{ASLEEP:,} asleep", f"{asleep['bytes'] / 1024:.1f} KiB each", "", "", "at most 24 KiB"])
    rows.append(["... woken late by", f"{asleep['late_ms']:.1f} ms, the last {asleep['latest_ms']:.1f}", "", "", "on time"])
    rows.append(["... kept afterwards", f"{asleep['kept'] / 1024:.2f} KiB each", "", "", "given back"])
    return "Coroutines against bare Fibers, 100 taking turns; hello world with `sluice.coroutines` on and off", rows, ""
