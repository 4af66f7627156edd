"""What tests/phpt tries of PHP's own, with the extensions of this machine: callables that wait, in ten coroutines at once, and settings."""

import contextlib
import json
import os
import pty
import re
import select
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

import gates
from harness import DEADLINE_S, ROOT, php_command

FILES = ROOT / "tests/phpt"


CALLBACKS = ("compare", "callbacks", "callbacks_elsewhere", "callbacks_of_servers")


def php_with_files(files, code):
    """The command that runs `code`, which knows these files of tests/phpt, and its environment. PHP has its own configuration, unlike in
    tests/phpt."""
    needed = " ".join(f"require '{FILES}/{name}.inc';" for name in files)
    command, more = php_command()
    settings = ["-d", "zend.assertions=1", "-d", "ffi.enable=1", "-d", "error_reporting=E_ALL & ~E_DEPRECATED"]
    return [*command, *settings, "-r", f"{needed} {code}"], os.environ | more


def run_php_files(files, code, env=None):
    """What `code` returns."""
    command, needed_env = php_with_files(files, f"echo json_encode({code});")
    done = subprocess.run(command, env=needed_env | (env or {}),
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=DEADLINE_S * 8, check=False)
    assert done.returncode == 0 and not done.stderr, f"{done.returncode}\n{done.stdout}{done.stderr}"
    return json.loads(done.stdout)


def test_nothing_that_an_extension_calls_is_unknown():
    *said, count = run_php_files(CALLBACKS, "call_all()")
    assert not said, "\n".join(said)
    assert int(count.split()[0]) > 60


def test_settings():
    wrong, missing = run_php_files(["settings"], "try_settings()")
    assert not wrong, "\n".join(wrong)
    assert not [name for name in missing if not re.match("bcscale|http_get_last_response_headers|imap_|odbc_|snmp_", name)], "an extension of the machine is not loaded"


class Page(BaseHTTPRequestHandler):
    """A text of its own for each path, in many pieces."""

    def do_GET(self):
        body = f"{self.path}\n".encode() * 20_000
        self.send_response(200)
        self.send_header("Content-Type", "text/x-page")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("X-Path", self.path)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def pages():
    with ThreadingHTTPServer(("127.0.0.1", 0), Page) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_address[1]
        server.shutdown()


@pytest.fixture
def spoken_here():
    """The ports of servers that hold nothing back."""
    gate = gates.Gate(0, 0)
    gate.open()
    with gates.ftp(gate, None) as ftp, gates.ldap(gate, None) as ldap, gates.ssh(gate, None) as ssh:
        yield {"FTP_PORT": str(ftp), "LDAP_PORT": str(ldap), "SSH_PORT": str(ssh)}


def test_those_that_a_server_leads_to(redis, rediscluster, memcached, pages, spoken_here):
    env = redis.env() | rediscluster.env() | memcached.env() | {"HTTP_PORT": str(pages)} | spoken_here
    differences = run_php_files(CALLBACKS, "array_filter(array_map(difference(...), recipes_of_servers()))", env)
    assert not differences, differences


def read_terminal(read, waits, typed):
    """What PHP reads when somebody types after the first prompt."""
    command, env = php_with_files(["compare", "callbacks_of_terminals"], f"fwrite(STDERR, json_encode(read_terminal('{read}', {waits})));")
    ours, theirs = pty.openpty()
    with open(ours, "r+b", buffering=0) as terminal, subprocess.Popen(command, env=env, stdin=theirs, stdout=theirs, stderr=subprocess.PIPE) as php:
        os.close(theirs)
        try:
            shown = b""
            while b"> " not in shown:
                assert select.select([terminal], [], [], DEADLINE_S)[0], f"PHP does not ask: {shown}"
                shown += terminal.read(1)
            terminal.write(typed)
            # Nobody would write into a terminal that nobody reads.
            threading.Thread(target=read_until_end, args=[terminal], daemon=True).start()
            _, told = php.communicate(timeout=DEADLINE_S)
        finally:
            php.kill()
    return json.loads(told)


def read_until_end(terminal):
    with contextlib.suppress(OSError, ValueError):
        while terminal.read(1024):
            pass


@pytest.mark.parametrize("read, typed, lines", [
    ("lines_by_callback", "line {}\n", "line {}"), ("lines_with_completion", "{}th\t\n", "{}this ")])
def test_a_terminal(read, typed, lines):
    if not run_php_files([], "extension_loaded('readline')"):
        pytest.skip("the extension readline is not installed")
    all_typed = "".join(typed.format(number) for number in range(8)).encode()
    for waits in ("false", "true"):
        assert read_terminal(read, waits, all_typed) == [lines.format(number) for number in range(8)]
