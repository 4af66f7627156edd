"""Pools of real connections: each is lent to one at a time, and what breaks is replaced."""

import concurrent.futures

import pytest

from harness import Server, wait_until
from http_client import get
from php_script import PLACES, run_php

DRIVERS = {
    "MysqlDriver": "mariadb",
    "PgsqlDriver": "postgresql",
    "MysqliDriver": "mariadb",
    "RedisDriver": "redis",
    "SqliteDriver": None,
}
# SQLite has no server that could be killed.
REMOTE = [name for name, database in DRIVERS.items() if database]
MAX = 5


def database_of(request, driver):
    return request.getfixturevalue(DRIVERS[driver]) if DRIVERS[driver] else None


@pytest.fixture
def server(request, mode, driver, capsys):
    database = database_of(request, driver)
    with Server("pools.php", mode, env={"DRIVER": driver} | (database.env() if database else {})) as server:
        yield server


def ask(server, path):
    answer = get(server, path)
    return answer.status, answer.json()


def answer(server, path):
    status, json = ask(server, path)
    assert status == 200, json
    return json["answer"]


@pytest.mark.parametrize("driver", DRIVERS)
def test_a_hundred_share_five_connections(server):
    rows = answer(server, "/at-once")
    assert [alone for alone, _, _ in rows] == [True] * 100, "one connection was lent to two"
    assert [text for _, _, text in rows] == [f"row {number}" for number in range(1, 101)]
    assert len({connection for _, connection, _ in rows}) == MAX
    stats = answer(server, "/stats")
    assert (stats["size"], stats["idle"], stats["inUse"], stats["waiting"], stats["created"]) == (MAX, MAX, 0, 0, MAX)


@pytest.mark.parametrize("driver", DRIVERS)
def test_an_open_transaction_is_rolled_back(server):
    rows = answer(server, "/rows")
    connection = answer(server, "/id")
    answer(server, "/forget")
    assert answer(server, "/id") == connection, "the same connection goes on"
    assert answer(server, "/rows") == rows


@pytest.mark.parametrize("driver", DRIVERS)
def test_the_connection_of_a_cancelled_borrower_is_replaced(server):
    connection = answer(server, "/id")
    status, said = ask(server, "/cut?seconds=0.05")
    assert (status, said["error"]) == (503, "Sluice\\Coroutine\\TimeoutException")
    assert answer(server, "/id") != connection
    assert answer(server, "/echo?text=still+right") == "still right"
    stats = answer(server, "/stats")
    assert (stats["size"], stats["inUse"], stats["created"], stats["closed"]) == (1, 0, 2, 1)


@pytest.mark.parametrize("driver", REMOTE)
def test_the_server_is_killed_and_comes_back(server, request, driver):
    database = database_of(request, driver)
    answer(server, "/at-once")
    with concurrent.futures.ThreadPoolExecutor(12) as clients:
        slow = [clients.submit(ask, server, "/slow?seconds=30") for _ in range(12)]
        wait_until(lambda: answer_or_none(server, "/stats", "waiting") == 12 - MAX, "some wait for others")
        database.kill()
        answers = [future.result() for future in slow]
    assert {status for status, _ in answers} == {503}
    assert all(said["error"] in ("PDOException", "mysqli_sql_exception", "RedisException") and said["message"]
               for _, said in answers), answers
    stats = answer(server, "/stats")
    assert (stats["inUse"], stats["waiting"]) == (0, 0), stats
    assert ask(server, "/id")[0] == 503
    database.restart()
    # The first one already: whatever the pool still has is looked at before it is lent.
    assert answer(server, "/echo?text=back") == "back"
    assert [text for _, _, text in answer(server, "/at-once")] == [f"row {number}" for number in range(1, 101)]
    stats = answer(server, "/stats")
    assert (stats["size"], stats["idle"], stats["inUse"]) == (MAX, MAX, 0)


@pytest.mark.parametrize("driver", REMOTE)
def test_idle_connections_that_the_server_has_lost_are_replaced(server, request, driver):
    database = database_of(request, driver)
    answer(server, "/at-once")
    database.restart()
    # At most the one who meets it first sees that it is gone.
    statuses = [ask(server, "/echo?text=on")[0] for _ in range(2 * MAX)]
    assert statuses[1:] == [200] * (2 * MAX - 1), statuses
    assert answer(server, "/stats")["inUse"] == 0


def answer_or_none(server, path, key):
    status, json = ask(server, path)
    return json["answer"][key] if status == 200 else None


@pytest.mark.parametrize("driver", REMOTE)
def test_workers_do_not_share_what_was_made_before_they_were_forked(request, mode, driver, capsys):
    database = database_of(request, driver)
    with Server("pools.php", mode, workers=2, env={"DRIVER": driver} | database.env()) as server:
        seen = {}

        def both_have_answered():
            status, json = ask(server, "/id")
            assert status == 200, json
            seen.setdefault(json["pid"], set()).add(json["answer"])
            return len(seen) == 2

        wait_until(both_have_answered, "both workers have answered")
        boot = answer(server, "/boot-id")
        connections = [connection for ids in seen.values() for connection in ids]
        assert len(connections) == len(set(connections)) == 2 and boot not in connections


# --- without a server of databases ---


@pytest.mark.parametrize("place", PLACES)
def test_new_connections_are_prepared_once_each(place):
    seen = run_php(place, """
        $prepared = 0;
        $pool = Pool::pdo('sqlite::memory:', prepare: function (PDO $db) use (&$prepared) {
            ++$prepared;
            $db->exec('PRAGMA foreign_keys = ON');
        }, max: 2);
        $ask = fn () => $pool->use(fn (PDO $db) => (int) $db->query('PRAGMA foreign_keys')->fetchColumn());
        $first = $pool->borrow();
        $answers = [$ask(), $ask(), (int) $first->item->query('PRAGMA foreign_keys')->fetchColumn()];
        $fails = Pool::pdo('sqlite::memory:', prepare: fn () => throw new LogicException('not prepared'));
        return [$answers, $prepared, attempt(fn () => $fails->use(fn () => 1)), $fails->stats()->size];
    """)
    assert seen == [[1, 1, 1], 2, {"error": "LogicException", "message": "not prepared"}, 0]
