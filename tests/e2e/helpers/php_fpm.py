"""php-fpm, to which the pages of Script are compared; asked in FastCGI, so that nothing stands between it and the test."""

import glob
import os
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
from pathlib import Path

from harness import DEADLINE_S, php_command, wait_until
from http_client import Response

BEGIN, END, PARAMS, STDIN, STDOUT = 1, 3, 4, 5, 6
CONFIGURATION = """[global]
error_log = {folder}/log
daemonize = no
[www]
listen = {folder}/socket
{user}
pm = static
pm.max_children = {children}
catch_workers_output = yes
"""


class NoFpm(Exception):
    pass


def program():
    command, env = php_command()
    version = subprocess.run([*command, "-r", "echo PHP_MAJOR_VERSION, '.', PHP_MINOR_VERSION;"], env=os.environ | env, capture_output=True, text=True, check=True).stdout
    found = [path for folder in ("/usr/sbin", "/usr/local/sbin") for path in glob.glob(f"{folder}/php-fpm{version}") if os.access(path, os.X_OK)]
    if not found:
        raise NoFpm(f"there is no php-fpm{version}")
    return found[0]


class PhpFpm:
    """php-fpm for one script, with one child unless told otherwise. Use it as a context."""

    def __init__(self, script, settings=(), children=1):
        self.script = Path(script)
        self.program = program()
        self.folder = Path(tempfile.mkdtemp(prefix="sluice-fpm-"))
        is_root = os.getuid() == 0
        (self.folder / "conf").write_text(CONFIGURATION.format(folder=self.folder, children=children, user="user = root\ngroup = root" if is_root else ""))
        # As of php.ini: scripts may change them.
        values = [word for setting in settings for word in ("-d", setting)]
        self.command = [self.program, "-y", str(self.folder / "conf"), *values, *(["-R"] if is_root else [])]

    def __enter__(self):
        with open(self.folder / "log", "ab") as log:
            self.process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
        wait_until(lambda: self.listens() or self.process.poll() is not None, "php-fpm listens")
        assert self.process.poll() is None, self.log()
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(DEADLINE_S)
        shutil.rmtree(self.folder, ignore_errors=True)

    def listens(self):
        with socket.socket(socket.AF_UNIX) as connection:
            return connection.connect_ex(str(self.folder / "socket")) == 0

    def log(self):
        return (self.folder / "log").read_text(errors="replace")

    def get(self, query, headers=()):
        """What it answers to a GET."""
        path = "/" + self.script.name
        parameters = {"SCRIPT_FILENAME": self.script, "SCRIPT_NAME": path, "REQUEST_METHOD": "GET", "REQUEST_URI": f"{path}?{query}", "QUERY_STRING": query,
                      "SERVER_PROTOCOL": "HTTP/1.1"} | {"HTTP_" + name.upper().replace("-", "_"): value for name, value in headers}
        pairs = b"".join(struct.pack("!II", len(name) | 1 << 31, len(value) | 1 << 31) + name + value
                         for name, value in ((name.encode(), str(value).encode()) for name, value in parameters.items()))
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(DEADLINE_S)
            connection.connect(str(self.folder / "socket"))
            connection.sendall(record(BEGIN, struct.pack("!HB5x", 1, 0)) + record(PARAMS, pairs) + record(PARAMS) + record(STDIN))
            with connection.makefile("rb") as stream:
                return response_of(b"".join(parts_of(stream)))


def record(kind, content=b""):
    return struct.pack("!BBHHBx", 1, kind, 1, len(content), 0) + content


def parts_of(stream):
    while True:
        _, kind, _, size, padding = struct.unpack("!BBHHBx", stream.read(8))
        content = stream.read(size + padding)[:size]
        if kind == END:
            return
        if kind == STDOUT:
            yield content


def response_of(output):
    head, _, body = output.partition(b"\r\n\r\n")
    fields = [(name.lower(), value.strip()) for name, _, value in (line.partition(":") for line in head.decode().split("\r\n"))]
    status, _, reason = dict(fields).get("status", "200 OK").partition(" ")
    return Response("HTTP/1.1", int(status), reason, [field for field in fields if field[0] != "status"], body)
