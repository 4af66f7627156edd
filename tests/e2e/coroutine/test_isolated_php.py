"""What tests/phpt tries of PHP's own, with the extensions of this machine: callables that wait, in ten coroutines at once, and settings."""

import json
import os
import re
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

import gates
from harness import DEADLINE_S, ROOT, php_command

FILES = ROOT / "tests/phpt"


CALLBACKS = ("compare", "callbacks", "callbacks_elsewhere", "callbacks_of_servers")


def run_php_files(files, code, env=None):
    """What `code` returns, which knows these files of tests/phpt. PHP has its own configuration, unlike in tests/phpt."""
    needed = " ".join(f"require '{FILES}/{name}.inc';" for name in files)
    command, more = php_command()
    settings = ["-d", "zend.assertions=1", "-d", "ffi.enable=1", "-d", "error_reporting=E_ALL & ~E_DEPRECATED"]
    done = subprocess.run([*command, *settings, "-r", f"{needed} echo json_encode({code});"], env=os.environ | more | (env or {}),
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
