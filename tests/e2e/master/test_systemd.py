"""What systemd tells a service and hears of it: sd_notify(3), and sockets that it has opened (sd_listen_fds(3))."""

import contextlib
import os
import signal
import socket
import sys

import pytest

from harness import DEADLINE_S, MODES, Server, free_ports, php_command, wait_until
from http_client import get
from lifecycle import current, release, start

# Starts a server as systemd does: with these sockets as descriptors from 3 on.
ACTIVATE = """#!{python}
import os, sys
for number, fd in enumerate({fds}):
    os.dup2(fd, 100 + number)
for number in range({count}):
    os.dup2(100 + number, 3 + number)
    os.close(100 + number)
os.environ |= {{"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "{count}", "LISTEN_FDNAMES": "{names}"}}
words = {php!r} + sys.argv[1:]
os.execvp(words[0], words)
"""


class Notices:
    """What a service tells, as systemd would get it."""

    def __init__(self, folder, name=None):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.name = name or str(folder / "notify")
        self.socket.bind(self.name.replace("@", "\0", 1) if self.name[0] == "@" else self.name)
        self.socket.settimeout(DEADLINE_S)

    def next(self, but="WATCHDOG=1"):
        while (said := self.socket.recv(4096).decode()) == but:
            pass
        return said.splitlines()


@pytest.fixture
def notices(tmp_path):
    with contextlib.closing((every := Notices(tmp_path)).socket):
        yield every


@pytest.mark.parametrize("mode", MODES)
def test_systemd_is_told_of_the_start_of_reloads_and_of_the_end(script, mode, notices, tmp_path):
    with start(script, mode, env={"NOTIFY_SOCKET": notices.name, "BOOT_FAILS": str(tmp_path / "broken")}) as server:
        assert notices.next() == ["READY=1", "STATUS=Serving, generation 1"]
        release(script, "two")
        server.signal(signal.SIGHUP)
        reloading, since = notices.next()
        assert reloading == "RELOADING=1" and since.startswith("MONOTONIC_USEC=") and int(since[15:]) > 0
        assert notices.next() == ["READY=1", "STATUS=Serving, generation 2"]
        # In base mode a connection may still be the old worker's.
        wait_until(lambda: current(server)["release"] == "two", "the new code serves")
        wait_until(lambda: len(server.worker_pids()) == 2, "the old workers have ended")
        (tmp_path / "broken").touch()
        server.signal(signal.SIGHUP)
        assert notices.next()[0] == "RELOADING=1"
        assert notices.next() == ["READY=1", "STATUS=The reload has failed, generation 2 serves"]
        server.signal(signal.SIGTERM)
        assert notices.next() == ["STOPPING=1", "STATUS=Stopping"]
        assert server.wait() == 0


def test_systemd_is_told_in_the_abstract_namespace(script, tmp_path):
    notices = Notices(tmp_path, f"@sluice-{os.getpid()}")
    with contextlib.closing(notices.socket), start(script, "process", env={"NOTIFY_SOCKET": notices.name}):
        assert notices.next()[0] == "READY=1"


def test_the_watchdog_of_systemd_hears_of_the_master(script, notices):
    with start(script, "process", env={"NOTIFY_SOCKET": notices.name, "WATCHDOG_USEC": "200000"}) as server:
        for _ in range(3):
            while notices.next(but=None) != ["WATCHDOG=1"]:
                pass
        server.signal(signal.SIGSTOP)
        try:
            notices.socket.settimeout(2)
            with pytest.raises(TimeoutError):
                for _ in range(10):  # what was told before
                    notices.next(but=None)
        finally:
            server.signal(signal.SIGCONT)


def test_a_watchdog_of_another_process_is_not_this_ones(script, notices):
    with start(script, "process", env={"NOTIFY_SOCKET": notices.name, "WATCHDOG_USEC": "1000", "WATCHDOG_PID": "1"}):
        assert notices.next(but=None)[0] == "READY=1"
        notices.socket.setblocking(False)
        with pytest.raises(BlockingIOError):
            notices.next(but=None)


def activated(tmp_path, sockets, names):
    command, _ = php_command()
    program = tmp_path / "activate"
    program.write_text(ACTIVATE.format(python=sys.executable, fds=[one.fileno() for one in sockets], count=len(sockets), names=names, php=command))
    program.chmod(0o755)
    for one in sockets:
        os.set_inheritable(one.fileno(), True)
    return program


class Activated(Server):
    """A server that inherits sockets."""

    def __init__(self, script, mode, sockets, **more):
        super().__init__(script, mode, **more)
        self.sockets = sockets

    def launch(self):
        import subprocess

        plain = subprocess.Popen
        keep = [one.fileno() for one in self.sockets]
        subprocess.Popen = lambda *words, **more: plain(*words, **more, pass_fds=keep)
        try:
            return super().launch()
        finally:
            subprocess.Popen = plain


@pytest.mark.both_modes
@pytest.mark.parametrize("mode", MODES)
def test_sockets_of_systemd_are_served(script, mode, tmp_path):
    """The socket has a queue before the server begins: who connects then is served."""
    port, unasked = free_ports(2)
    with socket.create_server(("127.0.0.1", port)) as given, socket.create_server(("127.0.0.1", unasked)) as other:
        with socket.create_connection(("127.0.0.1", port)) as early:
            early.sendall(b"GET /worker HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            server = Activated(script, mode, [given, other], workers=2, ports=[port], php=activated(tmp_path, [given, other], "web:other"))
            with server:
                assert early.recv(100).startswith(b"HTTP/1.1 200 ")
                assert get(server, "/worker").status == 200
                assert f"a socket for 127.0.0.1:{unasked}, called other was passed to this server, and the script does not listen there: it is closed" in server.output()
                release(script, "two")
                server.signal(signal.SIGHUP)
                wait_until(lambda: current(server)["release"] == "two", "a reload keeps it")
