"""PHP's own drivers in coroutines: a thousand at once read what a blocking run reads, transactions stay apart, and a server that
dies in the middle takes nothing with it but what it was asked."""

import concurrent.futures
import sys

import pytest

from databases import Database
from harness import DEADLINE_S, SERVERS, Server, wait_until
from http_client import HttpConnection
from php_script import run_php

DRIVERS = {
    "PdoMysqlRows": "mariadb",
    "PdoPgsqlRows": "postgresql",
    "MysqliRows": "mariadb",
    "PgsqlRows": "postgresql",
    "RedisRows": "redis",
    "MemcachedRows": "memcached",
    "CurlRows": "http_rows",
}
TRANSACTIONAL = ["PdoMysqlRows", "PdoPgsqlRows", "MysqliRows", "PgsqlRows", "RedisRows"]
# What a driver that has lost its server may throw. Those of curl, pgsql and memcached throw nothing themselves: the script does.
ERRORS = {"PDOException", "mysqli_sql_exception", "RedisException", "RuntimeException"}
ROWS = 1000
POOL = 20
TOGETHER = 10

ECHO = """
import http.server, sys
class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1
    def do_POST(self):
        body = self.path.encode() + b" " + self.rfile.read(int(self.headers["Content-Length"]))[::-1]
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *_):
        pass
class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 256
    def handle_error(self, request, client_address):
        pass
Server(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
"""


class HttpRows(Database):
    """Answers with what it was sent."""

    name = "httprows"

    def command(self):
        return [sys.executable, "-c", ECHO, self.port]

    def answers(self):
        self.connect().close()
        return True


@pytest.fixture(scope="module")
def http_rows_of_module():
    with HttpRows() as server:
        yield server


@pytest.fixture
def http_rows(http_rows_of_module):
    yield http_rows_of_module
    if http_rows_of_module.process.poll() is not None:
        http_rows_of_module.restart()


def get(server, path):
    """A thousand rows take a while."""
    with HttpConnection(server.address, DEADLINE_S * 8) as connection:
        return connection.request(path)


@pytest.fixture
def database(request, driver):
    return request.getfixturevalue(DRIVERS[driver])


@pytest.fixture
def server(database, mode, driver, capsys):
    with Server("drivers.php", mode, env=database.env() | {"DRIVER": driver}) as server:
        assert get(server, "/fill").json() is True
        yield server


def rows_of(server):
    answer = get(server, "/rows")
    assert answer.status == 200, answer.text
    return answer.json()


@pytest.mark.parametrize("driver", DRIVERS)
def test_a_thousand_coroutines_read_what_a_blocking_run_reads(server, database, driver, monkeypatch):
    together = rows_of(server)
    for name, value in (database.env() | {"DRIVER": driver}).items():
        monkeypatch.setenv(name, value)
    one_by_one = run_php("plain", """
        require $library;
        $driver = Sluice\\EndToEnd\\RowDriver::chosen();
        return array_map(fn (int $n) => $driver->pool->use(fn (object $db) => $driver->read($db, $n)), range(1, 1000));
    """, library=str(SERVERS / "driver_rows.php"))
    assert len(one_by_one) == ROWS
    for number, (mine, expected) in enumerate(zip(together, one_by_one, strict=True), 1):
        assert mine == expected, f"row {number}"


@pytest.mark.parametrize("driver", TRANSACTIONAL)
def test_transactions_that_are_open_together_do_not_see_each_other(server):
    for _ in range(2):
        before = get(server, "/transactions").json()
        # Each its own row, and what earlier ones have left.
        assert len(set(before["seen"])) == 1, before
    assert before["left"] == TOGETHER, "of ten, five are committed; twice"


def progress(server):
    return get(server, "/progress").json()


@pytest.mark.parametrize("driver", DRIVERS)
def test_a_server_that_is_killed_and_comes_back_in_the_middle(server, database):
    descriptors = get(server, "/close").json()
    expected = rows_of(server)
    with concurrent.futures.ThreadPoolExecutor(1) as client:
        storm = client.submit(get, server, "/storm")
        wait_until(lambda: progress(server)["right"] > 100, "many have read their rows")
        database.kill()
        wait_until(lambda: sum((progress(server)["errors"] or {}).values()) > 100, "many have failed")
        database.restart()
        if DRIVERS_LOSE_DATA & {database.name}:
            get(server, "/fill")
        right = progress(server)["right"]
        wait_until(lambda: progress(server)["right"] > right + 200, "they read their rows again", 60)
        get(server, "/stop")
        found = storm.result().json()
    assert found["wrong"] == 0, "somebody got another's row"
    assert set(found["errors"]) <= ERRORS and not found["vague"], found
    wait_until(lambda: get(server, "/stats").json()["inUse"] == 0, "nothing is lent any more")
    stats = get(server, "/stats").json()
    assert (stats["waiting"], stats["size"] - stats["idle"]) == (0, 0) and stats["size"] <= POOL, stats
    assert rows_of(server) == expected
    assert get(server, "/close").json() == descriptors, "descriptors are left behind"


# Servers that keep everything in memory.
DRIVERS_LOSE_DATA = {"redis", "memcached"}
