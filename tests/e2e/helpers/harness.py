"""Starts a Sluice server as a user would, waits for it, and makes sure that nothing of it stays behind.

Environment:
  SLUICE_PHP        a program that is PHP with the extension loaded (make test sets it); without it:
  SLUICE_EXTENSION  the extension, by default build/release/sluice.so
  SLUICE_PRELOAD    LD_PRELOAD for the PHP processes alone
  SLUICE_FLAVOUR    `asan` stretches the deadlines
"""

import contextlib
import json
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
SERVERS = ROOT / "tests/e2e/servers"
SANITIZED = os.environ.get("SLUICE_FLAVOUR") == "asan" or "asan" in os.environ.get("SLUICE_EXTENSION", "")
# What a sanitizer watches comes from malloc(), which no memory_limit bounds.
needs_memory_limit = pytest.mark.skipif(SANITIZED, reason="with a sanitizer PHP has no memory_limit")
# A deadline is there to end a test that hangs; no test is about being quick.
DEADLINE_S = 60.0 if SANITIZED else 15.0
MODES = ("process", "base")

# What no server may ever write, whatever is done to it.
CRASHES = re.compile(
    r"AddressSanitizer|LeakSanitizer|runtime error:|Segmentation fault|Assertion .* failed|core dumped")

# Its line that names the processes: the master prints it once all workers are ready.
BANNER = re.compile(r"^  master \d+", re.MULTILINE)


def wait_until(condition, what, seconds=None):
    """Asks until the answer is true, and returns it. `what` completes "timed out waiting until ..."."""
    deadline = time.monotonic() + (seconds or DEADLINE_S)
    while True:
        answer = condition()
        if answer:
            return answer
        if time.monotonic() > deadline:
            raise AssertionError(f"timed out waiting until {what}")
        time.sleep(0.01)


def php_command():
    """The words that start PHP with the extension, and what they need in their environment."""
    if "SLUICE_PHP" in os.environ:
        return [os.environ["SLUICE_PHP"]], {}
    extension = os.environ.get("SLUICE_EXTENSION", str(ROOT / "build/release/sluice.so"))
    preload = os.environ.get("SLUICE_PRELOAD")
    return ["php", "-d", f"extension={extension}"], {"LD_PRELOAD": preload} if preload else {}


# Test files that run side by side take their ports from parts of the range of their own: gw0, gw1, …
PORTS = range(12000, 32000)
PORTS_OF_MINE = PORTS[int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:]) % 8 :: 8]


def free_ports(count):
    """Ports that nobody listens on. Below the range for outgoing connections, so no client takes them meanwhile."""
    ports = []
    while len(ports) < count:
        port = random.choice(PORTS_OF_MINE)
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        if port not in ports:
            ports.append(port)
    return ports


def listening_ports():
    """Of all processes, without a connection to any: see proc(5)."""
    LISTEN = "0A"
    lines = [line.split() for name in ("tcp", "tcp6") for line in Path(f"/proc/net/{name}").read_text().splitlines()[1:]]
    return {int(fields[1].rpartition(":")[2], 16) for fields in lines if fields[3] == LISTEN}


class Process:
    """What /proc tells about one process."""

    def __init__(self, pid):
        self.pid = pid

    def _read(self, name):
        try:
            with open(f"/proc/{self.pid}/{name}", "rb", buffering=0) as file:
                return file.read()
        except (FileNotFoundError, ProcessLookupError, PermissionError):
            return b""

    def stat(self):
        """The fields after the command's name: state, parent, group, session, ..."""
        return self._read("stat").rpartition(b") ")[2].split()

    def is_alive(self):
        fields = self.stat()
        return bool(fields) and fields[0] not in (b"Z", b"X")

    def parent(self):
        return int((self.stat() or [0, 0])[1])

    def born(self):
        """When it began, by a clock of the kernel's."""
        return int((self.stat() or [0] * 20)[19])

    def session(self):
        return int((self.stat() or [0, 0, 0, 0])[3])

    def title(self):
        return self._read("cmdline").replace(b"\0", b" ").decode(errors="replace").strip()

    def status_kib(self, field):
        found = re.search(rf"^{field}:\s+(\d+) kB", self._read("status").decode(), re.MULTILINE)
        return int(found[1]) if found else 0

    def kill(self, number=signal.SIGKILL):
        os.kill(self.pid, number)

    def __repr__(self):
        return f"{self.pid} ({self.title()})"


def all_processes():
    return [Process(int(name)) for name in os.listdir("/proc") if name.isdigit()]


def descriptors_of_server(pid):
    """What a process of a server, whose script has none of its own, has open: sockets, shared memory, what it waits with."""
    folder = f"/proc/{pid}/fd"
    links = []
    for name in os.listdir(folder):
        with contextlib.suppress(FileNotFoundError):  # closed meanwhile
            links.append(os.readlink(f"{folder}/{name}"))
    return [link for link in links if link.startswith(("socket:", "pipe:", "anon_inode:", "/memfd:"))]


def hear_hangups():
    """What nohup starts ignores SIGHUP, and a server's boot with it."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


class Server:
    """One server. Use it as a context: it is stopped at the end, and must then have ended well and left nothing.

    The script finds in its environment: MODE, WORKERS, REACTORS, PORTS (comma-separated) and EVENTS, a file that
    servers/support.php appends a line of JSON to for all that a test wants to know.
    """

    def __init__(self, script, mode="process", *, workers=1, reactors=1, ports=1, arguments=(), env=None,
                 announces=True, settings=(), php=None, cwd=None, stderr=None):
        # With a folder to stand in, the script is named from there, as in a shell.
        self.cwd = cwd
        self.script = Path(script) if cwd or Path(script).is_absolute() else SERVERS / script
        self.mode = mode
        self.workers = workers
        self.reactors = reactors
        self.ports = free_ports(ports) if isinstance(ports, int) else list(ports)
        self.arguments = list(arguments)
        self.settings = [word for setting in settings for word in ("-d", setting)]
        self.extra_env = dict(env or {})
        self.announces = announces
        self.php = php  # a program to start it with, other than the one that is tested
        self.stderr = stderr  # a descriptor for its standard error, in place of a file
        self.folder = Path(tempfile.mkdtemp(prefix="sluice-e2e-"))
        self.events_file = self.folder / "events"
        self.known_events, self.events_read, self.events_lock = [], 0, threading.Lock()
        self.process = None
        self.seen = set()
        self.may_fail = False
        self.may_crash = False  # the test has it crash
        self.told_to_stop = False

    # --- starting and stopping ---

    def launch(self):
        """Starts it without waiting for anything."""
        command, needed_env = ([str(self.php)], {}) if self.php else php_command()
        env = os.environ | needed_env | {
            "MODE": self.mode, "WORKERS": str(self.workers), "REACTORS": str(self.reactors),
            "PORTS": ",".join(map(str, self.ports)), "EVENTS": str(self.events_file),
            "SUPPORT": str(SERVERS / "support.php"),
        } | ({"PWD": str(self.cwd)} if self.cwd else {}) | self.extra_env
        self.told_to_stop = False
        self.events_file.touch()
        with open(self.folder / "out", "ab") as out, open(self.folder / "err", "ab") as err:
            self.process = subprocess.Popen([*command, *self.settings, str(self.script), *self.arguments], cwd=self.cwd or self.folder, env=env,
                                            stdin=subprocess.DEVNULL, stdout=out, stderr=err if self.stderr is None else self.stderr, start_new_session=True,
                                            preexec_fn=hear_hangups)
        return self

    def start(self):
        """Starts it and waits until each worker has begun, the banner is there and every address listens. Nobody has connected then."""
        self.launch()

        def is_up():
            if self.process.poll() is not None:
                raise AssertionError(f"the server ended with {self.process.returncode} instead of serving")
            return not self.announces or len(self.events("start")) >= self.workers and BANNER.search((self.folder / "out").read_text(errors="replace"))

        try:
            wait_until(is_up, "all workers have started")
            wait_until(lambda: set(self.ports) <= listening_ports(), f"somebody listens on each of {self.ports}")
            self.processes()
        except BaseException as error:
            self.kill_everything()
            if isinstance(error, AssertionError):
                raise AssertionError(f"{error}\n{self.output()}") from None
            raise
        return self

    def accepts(self, port):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return True
        except OSError:
            return False

    def signal(self, number, *, whole_group=False):
        """To the master; or to all processes, as a terminal does for Ctrl-C and systemd for its stop."""
        self.told_to_stop |= number in (signal.SIGTERM, signal.SIGINT)
        (os.killpg if whole_group else os.kill)(self.process.pid, number)

    def reload(self):
        """SIGHUP; waits until the new workers have begun and the old ones have ended: in base mode these accept clients for a while, and part from
        them then."""
        old, starts = set(self.worker_pids()), len(self.events("start"))
        self.signal(signal.SIGHUP)
        wait_until(lambda: len(self.events("start")) >= starts + self.workers and not old & set(self.worker_pids()), "the new generation serves alone")

    def wait(self, what="the server has ended", seconds=None):
        """Waits for the master's end and returns its status."""
        return wait_until(lambda: self.process.poll() is not None and (self.process.returncode,), what, seconds)[0]

    def stop(self):
        """SIGTERM, and then: it ended, with 0, and no process of it is left."""
        try:
            if self.process.poll() is None:
                self.processes()
                if not self.told_to_stop:
                    self.signal(signal.SIGTERM)
                status = self.wait("the server has ended after SIGTERM")
                assert status == 0 or self.may_fail, f"the server ended with {status}\n{self.output()}"
            self.assert_nothing_left()
            assert self.may_crash or not CRASHES.search(self.output()), self.output()
        except AssertionError as error:
            raise AssertionError(f"{error}\nprocesses: {self.processes()}\n{self.output()}") from None
        finally:
            self.kill_everything()

    def assert_nothing_left(self):
        wait_until(lambda: not self.processes(), "no process of the server is left", 10)

    def kill_everything(self):
        for process in self.processes():
            try:
                process.kill()
            except ProcessLookupError:
                pass
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self.start()

    def __exit__(self, kind, error, trace):
        if kind is None:
            self.stop()
        else:
            # The test has failed already: show what the server said, and do not judge its end.
            print(f"--- {self.script.name} ({self.mode})\n{self.output()}")
            self.kill_everything()

    # --- looking at it ---

    @property
    def address(self):
        return ("127.0.0.1", self.ports[0])

    @property
    def url(self):
        return f"http://127.0.0.1:{self.ports[0]}"

    @property
    def ws_url(self):
        return f"ws://127.0.0.1:{self.ports[0]}"

    def output(self):
        return "\n".join(
            f"--- std{name}:\n{(self.folder / name).read_text(errors='replace').rstrip()}"
            for name in ("out", "err") if (self.folder / name).exists()
        )

    def events(self, kind=None):
        # There may be very many: each line is read once.
        with self.events_lock:
            size = self.events_file.stat().st_size if self.events_file.exists() else 0
            if size < self.events_read:  # the test has removed it
                self.known_events, self.events_read = [], 0
            if size > self.events_read:
                with open(self.events_file, "rb") as file:
                    file.seek(self.events_read)
                    lines, end, _ = file.read().rpartition(b"\n")
                self.known_events += map(json.loads, lines.splitlines())
                self.events_read += len(lines + end)
            return [event for event in self.known_events if kind in (None, event["event"])]

    def wait_event(self, kind, **fields):
        def find():
            return next((event for event in self.events(kind) if fields.items() <= event.items()), None)
        return wait_until(find, f"the script has reported {kind} {fields}")

    def processes(self):
        """All living processes of this server: descendants, members of its session, and those once seen as such."""
        # Each is asked once: there may be hundreds, and this is asked four times for each server.
        every = {process.pid: fields for process in all_processes() if (fields := process.stat()) and fields[0] not in (b"Z", b"X")}
        parents = {pid: int(fields[1]) for pid, fields in every.items()}
        born = {pid: int(fields[19]) for pid, fields in every.items()}
        # Another process may have the number by now.
        found = {pid for pid, when in self.seen if born.get(pid) == when}
        if self.process is not None:
            found |= {pid for pid, fields in every.items() if int(fields[3]) == self.process.pid}
            found |= {self.process.pid} & every.keys()
        while True:
            more = {pid for pid, parent in parents.items() if parent in found} - found
            if not more:
                break
            found |= more
        self.seen = {(pid, born[pid]) for pid in found}
        return [Process(pid) for pid in sorted(found)]

    def worker_pids(self):
        """Of the workers that have started and still live. Others may have the numbers of those that have ended."""
        started = {event["pid"]: Process(event["pid"]) for event in self.events("start")}
        return [pid for pid, process in started.items()
                if process.is_alive() and process.session() == self.process.pid and process.title().startswith("sluice: worker")]

    def reactor(self):
        """The process that owns the connections in process mode: neither master, generation nor worker."""
        found = [process for process in self.processes() if process.title().startswith("sluice: reactor")]
        assert len(found) == 1, f"no process is titled as the reactor: {self.processes()}"
        return found[0]

    def let_reactor_hear_all(self):
        """Returns when the reactor has slept twice, and so has read what had come by now. Something must wait in it, or it sleeps for long."""
        def sleeps():
            return sum(int(re.search(rb"^voluntary_ctxt_switches:\s+(\d+)", path.read_bytes(), re.MULTILINE)[1])
                       for path in Path(f"/proc/{self.reactor().pid}/task").glob("*/status"))

        before = sleeps()
        wait_until(lambda: sleeps() >= before + 2, "the reactor has heard all")
