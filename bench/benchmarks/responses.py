"""What an access log costs, and what compressing pages does."""

import contextlib
import subprocess
import tempfile
from pathlib import Path

from measuring import MODES, ROOT, median, php, serving, wrk

PLACE = 40
NEEDS = ()
PAGE_BYTES = 20_000


def size_of(address, encoding):
    words = ["curl", "-sS", "-H", f"Accept-Encoding: {encoding}", "-o", "/dev/null", "-w", "%{size_download}", f"http://{address}/"]
    return int(subprocess.run(words, check=True, capture_output=True, timeout=60).stdout)


def measure(options):
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        script = [*php(), ROOT / "bench/responses.php", "{address}"]
        servers = {}
        for mode in MODES:
            servers[mode, "no log"] = stack.enter_context(serving(*script, mode, 0, "none", "none"))[0]
            for form in ("Combined", "Json"):
                servers[mode, form] = stack.enter_context(serving(*script, mode, 0, "none", folder / f"{mode}{form}", form))[0]
        pages = {}
        for encoding in ("none", "gzip", "br", "zstd"):
            pages[encoding] = stack.enter_context(serving(*script, "process", PAGE_BYTES, encoding, "none"))[0]
        logged = {who: [] for who in servers}
        compressed = {encoding: [] for encoding in pages}
        for _ in range(options.rounds):
            for who, address in servers.items():
                logged[who].append(wrk(address, options.seconds))
            for encoding, address in pages.items():
                compressed[encoding].append(wrk(address, options.seconds, headers=[f"Accept-Encoding: {encoding}"]))
        sizes = {encoding: size_of(address, encoding) for encoding, address in pages.items()}

    rows = [["who", "requests/s", "ratio", "bytes"]]
    for mode in MODES:
        off = median(logged[mode, "no log"], "requests_per_s")
        for who in ("no log", "Combined", "Json"):
            rate = median(logged[mode, who], "requests_per_s")
            rows.append([f"hello, {mode}, {who}", f"{rate:,.0f}", f"{rate / off:.2f}", ""])
    plain = median(compressed["none"], "requests_per_s")
    for encoding, measured in compressed.items():
        rate = median(measured, "requests_per_s")
        rows.append([f"page, {encoding}", f"{rate:,.0f}", f"{rate / plain:.2f}", f"{sizes[encoding]:,}"])
    return f"Hello world with an access log; a page of {PAGE_BYTES:,} bytes, compressed at the usual levels", rows, ""
