"""What the benchmarks share: starting servers and programs, CPU seconds of processes, medians and tables."""

import contextlib
import os
import re
import signal
import socket
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROGRAMS = ROOT / "build" / "bench"
START_TIMEOUT_S = 10
RUN_TIMEOUT_S = 120

MODES = ("process", "base")


class Failure(Exception):
    pass


def php():
    if "SLUICE_PHP" in os.environ:
        return [os.environ["SLUICE_PHP"]]
    return ["php", "-d", f"extension={os.environ.get('SLUICE_EXTENSION', ROOT / 'build/release/sluice.so')}"]


def free_address():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{probe.getsockname()[1]}"


def accepts(address):
    host, port = address.split(":")
    try:
        socket.create_connection((host, int(port)), timeout=1).close()
        return True
    except OSError:
        return False


@contextlib.contextmanager
def serving(*command):
    """Starts a server ({address} in a word is replaced), and gives its address and process id."""
    address = free_address()
    words = [str(word).replace("{address}", address) for word in command]
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
                                   start_new_session=True)
        try:
            deadline = time.monotonic() + START_TIMEOUT_S
            while not accepts(address):
                if process.poll() is not None or time.monotonic() > deadline:
                    output.seek(0)
                    raise Failure(f"{' '.join(words)} does not serve:\n{output.read().decode(errors='replace')}")
                time.sleep(0.01)
            yield address, process.pid
        finally:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(START_TIMEOUT_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def run(*command):
    try:
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=RUN_TIMEOUT_S)
    except subprocess.TimeoutExpired:
        raise Failure(f"{' '.join(map(str, command))} gave no result within {RUN_TIMEOUT_S} s") from None
    except FileNotFoundError:
        raise Failure(f"There is no {command[0]}.") from None
    if done.returncode != 0:
        raise Failure(f"{' '.join(map(str, command))} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


# --- CPU seconds of processes ---


def cpu_seconds(pid):
    """Of all threads, in nanosecond steps where the kernel keeps them."""
    try:
        tasks = list(Path(f"/proc/{pid}/task").iterdir())
        return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9
    except (FileNotFoundError, IndexError):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def session_processes(sessions):
    """The process ids of all processes that a server, or several, has now, each with the fields of its stat."""
    for path in Path("/proc").iterdir():
        if not path.name.isdigit():
            continue
        try:
            fields = (path / "stat").read_text().rpartition(") ")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(fields[3]) in sessions:
            yield int(path.name), fields


def sessions_cpu_seconds(sessions):
    """Of all processes that a server, or several, has now, and of those that have ended."""
    total = 0.0
    for pid, fields in session_processes(sessions):
        try:
            total += cpu_seconds(pid) + (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")
        except (FileNotFoundError, ProcessLookupError):
            continue
    return total


def sessions_memory_mb(sessions):
    """Of all their processes, each page that several share counted once (PSS)."""
    total = 0
    for pid, _ in session_processes(sessions):
        try:
            found = re.search(r"^Pss: +(\d+) kB", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.MULTILINE)
        except (FileNotFoundError, ProcessLookupError):
            continue
        total += int(found[1]) if found else 0
    return total * 1024 / 1e6


def reactor_of(master):
    """The process of the master's session that calls itself the reactor, or None in base mode."""
    for path in Path("/proc").iterdir():
        if not path.name.isdigit():
            continue
        try:
            session = int((path / "stat").read_text().rpartition(") ")[2].split()[3])
            if session == master and b"reactor" in (path / "cmdline").read_bytes():
                return int(path.name)
        except (FileNotFoundError, ProcessLookupError):
            continue
    return None


# --- programs that several benchmarks use ---


def wrk(address, seconds, headers=(), connections=64, path="/", script=None):
    """`script`: of bench/wrk, which makes the requests."""
    options = [word for header in headers for word in ("-H", header)]
    if script:
        options += ["-s", ROOT / f"bench/wrk/{script}.lua"]
    output = run("wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--timeout", "10s", "--latency", *options, f"http://{address}{path}")
    if "Socket errors" in output or "Non-2xx" in output:
        raise Failure(f"wrk saw errors:\n{output}")
    p99 = re.search(r"99%\s+([\d.]+)(us|ms|s)", output)
    return {
        "requests_per_s": float(re.search(r"Requests/sec:\s+([\d.]+)", output)[1]),
        "requests": int(re.search(r"(\d+) requests in", output)[1]),
        "p99_ms": float(p99[1]) * {"us": 0.001, "ms": 1, "s": 1000}[p99[2]],
    }


def wrk_with_cpu(address, sessions, seconds, **options):
    """Also the CPU time that a server, or several, spent for each request."""
    before = sessions_cpu_seconds(sessions)
    measured = wrk(address, seconds, **options)
    measured["cpu_us"] = (sessions_cpu_seconds(sessions) - before) / measured["requests"] * 1e6
    return measured


# --- figures ---


def median(results, key):
    values = [result[key] for result in results if key in result]
    return statistics.median(values) if values else None


def figure(value, digits):
    return "" if value is None else f"{value:.{digits}f}"


def table(rows):
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    # Names to the left, figures to the right.
    left = [column for column in range(len(rows[0])) if rows[0][column] in ("who", "how", "page")]
    lines = [
        "| " + " | ".join(
            cell.ljust(width) if column in left else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths))) + " |"
        for row in rows
    ]
    rule = "|" + "|".join(
        ("-" * (width + 2)) if column in left else ("-" * (width + 1) + ":") for column, width in enumerate(widths)) + "|"
    return "\n".join([lines[0], rule, *lines[1:]])
