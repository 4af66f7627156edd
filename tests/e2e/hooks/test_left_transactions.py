"""A transaction that a handler leaves open on a connection that outlives it is rolled back before the next one."""

import socket

import pytest

import odbc
from harness import DEADLINE_S, Server, wait_until
from http_client import get

DATABASES = {"pdo_mysql": "mariadb", "mysqli": "mariadb", "mysqli_autocommit": "mariadb", "pdo_pgsql": "postgresql", "pgsql": "postgresql", "pdo_sqlite": None,
             "sqlite3": None, "odbc_mariadb": "mariadb", "odbc_postgresql": "postgresql", "pdo_odbc_mariadb": "mariadb", "pdo_odbc_postgresql": "postgresql"}
WARNING = "has begun was still open at the end of its handler or coroutine. It has been rolled back"
COROUTINES = ("sluice.coroutines=1", "sluice.coroutines=0")


def serve(request, driver, tmp_path, mode, setting=COROUTINES[0]):
    database = DATABASES[driver]
    if "odbc" in driver:
        odbc.need(driver)
    port = str(request.getfixturevalue(database).port) if database else ""
    return Server("left_transactions.php", mode, ports=2, settings=(setting,), env={"DRIVER": driver, "DB_PORT": port, "DB_FILE": str(tmp_path / "file.sqlite")})


def rows(server):
    """What is seen once nobody is in the transaction any more."""
    def look():
        told = get(server, "/rows").json()
        if "rows" in told:
            return told
        assert told["error"] == "Sluice\\Coroutine\\ConcurrentUseException", told
        return None
    return wait_until(look, "the connection may be used")["rows"]


def closed_within(server):
    return [line for line in server.output().splitlines() if "has begun was still open at pg_close(). It has been rolled back" in line]


def warnings(server):
    return [line for line in server.output().splitlines() if WARNING in line]


@pytest.mark.parametrize("setting", COROUTINES)
@pytest.mark.parametrize("driver", DATABASES)
def test_the_next_handler_is_not_in_it(request, driver, setting, tmp_path, mode):
    with serve(request, driver, tmp_path, mode, setting) as server:
        for count, path in enumerate(("/leave", "/leave", "/fails"), 1):
            assert get(server, path).status == (500 if path == "/fails" else 200)
            assert rows(server) == [0, 0], path
            assert len(warnings(server)) >= count
        assert "left_transactions.php:" in warnings(server)[0], "the place is told"


def test_a_persistent_connection_that_is_closed_within_it(request, tmp_path, mode):
    with serve(request, "pgsql", tmp_path, mode, COROUTINES[1]) as server:
        for _ in range(2):
            assert get(server, "/close").status == 200
            assert rows(server) == [0, 0]
        wait_until(lambda: len(closed_within(server)) == 2, "the log says so")


@pytest.mark.parametrize("path", ("/timer", "/task", "/background"))
def test_each_kind_of_handler(request, path, tmp_path, mode):
    with serve(request, "pdo_pgsql", tmp_path, mode) as server:
        assert get(server, path).status == 200
        server.wait_event("begun")
        assert rows(server) == [0, 0]
        assert len(warnings(server)) == 1


def test_messages_of_a_connection(request, tmp_path, mode):
    """The second one comes while the first one's transaction is rolled back."""
    with serve(request, "pdo_mysql", tmp_path, mode) as server:
        with socket.create_connection(("127.0.0.1", server.ports[1]), DEADLINE_S) as client:
            client.sendall(b"leave\nrows\n" * 20)
            answers = client.makefile("rb")
            for _ in range(20):
                assert (answers.readline(), answers.readline()) == (b"left\n", b"[0,0]\n")


def test_one_that_cannot_be_rolled_back_is_refused(request, tmp_path, mode):
    with serve(request, "pdo_mysql", tmp_path, mode) as server:
        assert get(server, "/unbuffered").status == 200
        told = get(server, "/rows").json()
        assert told.get("error") == "Sluice\\Coroutine\\ConcurrentUseException", told
        assert "could not be rolled back" in told["message"], told
        assert get(server, "/free").status == 200
        assert rows(server) == [0, 0], "what was in the way is gone"


@pytest.mark.parametrize("driver", [driver for driver, database in DATABASES.items() if database])
def test_of_a_lost_connection_its_driver_tells(request, driver, tmp_path, mode):
    with serve(request, driver, tmp_path, mode) as server:
        assert get(server, "/lost").status == 200
        for _ in range(3):
            told = get(server, "/rows").json()
            # pg_query() connects anew, and odbc_exec() warns.
            throws_not = driver == "pgsql" or driver.startswith("odbc")
            assert told.get("error") in ("PDOException", "mysqli_sql_exception") or (throws_not and told == {"rows": [0, 0]}), told
