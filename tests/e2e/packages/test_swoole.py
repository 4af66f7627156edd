"""examples/swoole: programs as they are written for Swoole, on packages/swoole. Each does what it does there, and survives what kills it there."""

import hashlib
import json
import os
import re
import shutil
import signal
import socket
import struct
import subprocess

import pytest

from databases import MariaDb, PostgreSql
from harness import DEADLINE_S, ROOT, Server, php_command, wait_until
from http_client import get
from websocket_client import asynchronous, connect

EXAMPLES = ROOT / "examples/swoole"
SETTINGS = ("sluice.swoole=6.2.2", f"auto_prepend_file={ROOT}/build/packages/vendor/autoload.php")


@pytest.fixture(scope="session", autouse=True)
def packages():
    subprocess.run([ROOT / "tools/install-packages"], check=True, timeout=600)


def example(script, **more):
    server = Server(EXAMPLES / script, announces=False, settings=SETTINGS, **more)
    server.arguments = [str(server.ports[0])]
    return server


def run(script, *arguments):
    words, env = php_command()
    words += [word for setting in SETTINGS for word in ("-d", setting)]
    return subprocess.run([*words, EXAMPLES / script, *map(str, arguments)], env=os.environ | env, capture_output=True, text=True, timeout=120)


def workers(server):
    return [process for process in server.processes() if re.search(r"\bworker \d", process.title())]


def test_hello_by_the_names_of_swoole_4():
    with example("hello.php") as server:
        answer = get(server, "/some/path")
        assert answer.status == 200
        assert answer.header("content-type") == "text/html"
        assert answer.text == "<h1>Hello World. #/some/path</h1>"


def test_a_coroutine_client_sends_2000_messages_of_512_kib():
    with example("websocket_server.php") as server:
        client = run("websocket_client.php", server.ports[0], 2000)
        assert client.returncode == 0, client.stderr
        answer, seconds = re.fullmatch(r"(\{.*\}) in (\d+\.\d{3}) s\n", client.stdout).groups()
        assert json.loads(answer) == {"messages": 2000, "bytes": 2000 * 512 * 1024}
        assert float(seconds) > 0


@asynchronous
async def test_a_killed_worker_closes_no_websocket_although_the_script_says_base():
    with example("websocket_server.php") as server:
        server.may_fail = True
        async with connect(server, "/") as client:
            (before,) = workers(server)
            before.kill()
            wait_until(lambda: [one for one in workers(server) if one.pid != before.pid], "another worker runs")
            await client.send("messages:1")
            await client.send("abc")
            assert json.loads(await client.recv()) == {"messages": 1, "bytes": 3}


def test_requests_ask_mariadb_through_the_client_of_swoole_5():
    with MariaDb() as database:
        env = {"DB_PORT": database.port, "DB_USER": "sluice", "DB_PASSWORD": "secret", "DB_NAME": "mysql"}
        with example("mysql.php", env={key: str(value) for key, value in env.items()}) as server:
            answer = get(server, "/")
            assert answer.status == 200, answer.text
            assert {"Tables_in_mysql": "user"} in json.loads(answer.text)
            bench = shutil.which("ab") or pytest.skip("ab of apache2-utils is not installed")
            told = subprocess.run([bench, "-q", "-n", "10000", "-c", "100", f"http://127.0.0.1:{server.ports[0]}/"], capture_output=True, text=True, timeout=300).stdout
            assert re.search(r"^Complete requests:\s+10000$", told, re.MULTILINE), told
            assert re.search(r"^Failed requests:\s+0$", told, re.MULTILINE), told
            assert "Non-2xx" not in told, told


def test_the_postgresql_client_of_swoole_5_in_two_coroutines():
    with PostgreSql() as database:
        script = run(ROOT / "tests/e2e/servers/swoole_pgsql.php", f"host=127.0.0.1 port={database.port} dbname=postgres user=postgres")
        assert script.returncode == 0, script.stderr
        assert json.loads(script.stdout) == {
            "row": {"i": 7, "f": 1.5, "b": True, "t": "text", "n": None},
            "num": [7, 1.5, True, "text", None],
            "prepared": [{"sum": 5}], "again": [{"sum": 9}],
            "both": {"0": 3, "n": 3},
            "error": "42P01",
            "literal": "'it''s'",
            # One waits in the database while the other one asks.
            "order": ["quick", "slow"],
            "inserted": 2,
            "refused": False,
        }


def test_a_database_that_is_not_there_is_an_answer():
    with example("mysql.php", env={"DB_PORT": "1"}) as server:
        answer = get(server, "/")
        assert answer.status == 500 and "refused" in answer.text.lower()


def lines_of(connection):
    return connection.makefile("rb")


def test_tcp_by_the_end_of_packages():
    with example("tcp_eof.php") as server:
        with socket.create_connection(server.address, timeout=DEADLINE_S) as connection, lines_of(connection) as lines:
            assert lines.readline() == b"welcome\r\n"
            connection.sendall(b"abc\r\n\r\nde")
            assert [lines.readline(), lines.readline()] == [b"got 3 bytes\r\n", b"got 0 bytes\r\n"]
            connection.sendall(b"fg\r\n" + b"x" * 100_000 + b"\r\n")
            assert [lines.readline(), lines.readline()] == [b"got 4 bytes\r\n", b"got 100000 bytes\r\n"]
        with socket.create_connection(server.address, timeout=DEADLINE_S) as connection, lines_of(connection) as lines:
            assert lines.readline() == b"welcome\r\n"
            try:
                connection.sendall(b"x" * 2_000_000)
                assert lines.readline() == b""  # more than package_max_length
            except ConnectionError:
                pass


def receive(connection, size):
    data = b""
    while len(data) < size:
        part = connection.recv(size - len(data))
        assert part, "the connection was closed"
        data += part
    return data


def test_tcp_by_a_length_field():
    def answer_of(connection):
        kind, length = struct.unpack(">HI", receive(connection, 6))
        return kind, receive(connection, length).decode()

    with example("tcp_length.php") as server, socket.create_connection(server.address, timeout=DEADLINE_S) as connection:
        bodies = [b"", b"abc", os.urandom(300_000)]
        stream = b"".join(struct.pack(">HI", number, len(body)) + body for number, body in enumerate(bodies))
        for begin in range(0, len(stream), 70_001):
            connection.sendall(stream[begin:begin + 70_001])
        for number, body in enumerate(bodies):
            assert answer_of(connection) == (number, f"type {number}, {len(body)} bytes, {hashlib.md5(body).hexdigest()}")


def test_a_loop_of_switches_says_what_one_takes():
    script = run("switches.php", 100_000)
    assert re.fullmatch(r"200000 switches, \d+ ns each\n", script.stdout), script.stdout + script.stderr


def test_reload_by_swooles_signal():
    with example("hello.php") as server:
        before = {process.pid for process in workers(server)}
        server.signal(signal.SIGUSR1)
        wait_until(lambda: (now := {process.pid for process in workers(server)}) and not now & before, "all workers are new")
        assert get(server, "/").status == 200
