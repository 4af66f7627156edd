"""One connection used by two coroutines at once: the second one is told so, and nothing of either is mixed up."""

import re

import pytest

import odbc
from php_script import run_php

# For each driver: how it connects, a call that takes a while and gives 1, calls that are made meanwhile, and one that
# proves that the connection is none the worse. `$db` is the connection, `$more` what was prepared on it before.
DRIVERS = {
    "pdo_mysql": ("mariadb", """
        $db = new PDO("mysql:host=127.0.0.1;dbname=test;port=$port", 'sluice', 'secret', [PDO::ATTR_EMULATE_PREPARES => false]);
        $more = $db->prepare('SELECT ?');""",
        "$db->query('SELECT SLEEP(0.3) + 1')->fetchColumn()",
        ["$db->query('SELECT 2')", "$db->exec('DO 2')", "$db->prepare('SELECT 3')", "$more->execute([4])", "$db->beginTransaction()"],
        "$more->execute([5]) ? $more->fetchColumn() : 0"),
    "pdo_pgsql": ("postgresql", """
        $db = new PDO("pgsql:host=127.0.0.1;user=postgres;port=$port");
        $more = $db->prepare('SELECT ?::int');""",
        "$db->query('SELECT 1 FROM pg_sleep(0.3)')->fetchColumn()",
        ["$db->query('SELECT 2')", "$db->exec('SELECT 2')", "$more->execute([4])", "$db->beginTransaction()"],
        "$more->execute([5]) ? $more->fetchColumn() : 0"),
    "mysqli": ("mariadb", """
        $db = new mysqli('127.0.0.1', 'sluice', 'secret', 'test', $port);
        $more = $db->prepare('SELECT 5');""",
        "$db->query('SELECT SLEEP(0.3) + 1')->fetch_row()[0]",
        ["$db->query('SELECT 2')", "mysqli_query($db, 'SELECT 2')", "$db->prepare('SELECT 2')", "$more->execute()",
         "mysqli_stmt_execute($more)", "$db->begin_transaction()"],
        "$more->execute() ? $more->get_result()->fetch_row()[0] : 0"),
    "pgsql": ("postgresql", """
        $db = pg_connect("host=127.0.0.1 user=postgres port=$port");
        $more = pg_prepare($db, 'five', 'SELECT 5');""",
        "pg_fetch_result(pg_query($db, 'SELECT 1 FROM pg_sleep(0.3)'), 0)",
        ["pg_query($db, 'SELECT 2')", "pg_query_params($db, 'SELECT $1', [2])", "pg_execute($db, 'five', [])"],
        "pg_fetch_result(pg_execute($db, 'five', []), 0)"),
    "redis": ("redis", """
        $db = new class extends Redis {};
        $db->connect('127.0.0.1', $port);
        $db->del('nothing');
        $more = null;""",
        "$db->blPop(['nothing'], 1) === [] ? 1 : 0",
        ["$db->get('a')", "$db->set('a', 1)", "$db->info()", "$db->ping()"],
        "$db->set('b', 5) ? $db->get('b') : 0"),
    "rediscluster": ("rediscluster", """
        $db = new RedisCluster(null, ["127.0.0.1:$port"]);
        $db->del('nothing');
        $more = null;""",
        "$db->blPop(['nothing'], 1) === [] ? 1 : 0",
        ["$db->get('a')", "$db->set('a', 1)", "$db->ping('a')"],
        "$db->set('b', 5) ? $db->get('b') : 0"),
    "sqlite3": (None, """
        $db = new SQLite3(':memory:');
        $db->createFunction('waits', function ($n) { Coroutine\\sleep(0.3); return $n; });
        $more = $db->prepare('SELECT 5');""",
        "$db->querySingle('SELECT waits(1)')",
        ["$db->querySingle('SELECT 2')", "$db->exec('SELECT 2')", "$db->query('SELECT 2')", "$db->prepare('SELECT 3')", "$more->execute()"],
        "$more->execute()->fetchArray()[0]"),
}
# By the drivers of ODBC for the same servers.
ODBC = {
    "odbc_mariadb": ("mariadb", "DRIVER=MariaDB Unicode;SERVER=127.0.0.1;PORT=$port;DATABASE=test;UID=sluice;PWD=secret", "SELECT SLEEP(0.3) + 1", "SELECT ?"),
    "odbc_postgresql": ("postgresql", "DRIVER=PostgreSQL Unicode;SERVER=127.0.0.1;PORT=$port;DATABASE=postgres;UID=postgres",
                        "SELECT 1 FROM pg_sleep(0.3)", "SELECT ?::int"),
}
DRIVERS |= {
    driver: (database, f"""
        $db = odbc_connect("{source}", '', '');
        $more = odbc_prepare($db, '{prepared}');
        $one = fn ($result) => odbc_fetch_row($result) ? odbc_result($result, 1) : null;""",
             f"$one(odbc_exec($db, '{waits}'))",
             ["odbc_exec($db, 'SELECT 2')", "odbc_prepare($db, 'SELECT 3')", "odbc_execute($more, [4])", "odbc_tables($db)", "odbc_autocommit($db, false)",
              "odbc_commit($db)", "odbc_free_result($more)", "odbc_close_all()", "odbc_close($db)"],
             "odbc_execute($more, [5]) ? $one($more) : 0")
    for driver, (database, source, waits, prepared) in ODBC.items()
} | {
    f"pdo_{driver}": (database, f"""
        $db = new PDO("odbc:{source}");
        $more = $db->prepare('{prepared}');""",
                      f"$db->query('{waits}')->fetchColumn()",
                      ["$db->query('SELECT 2')", "$db->exec('SELECT 2')", "$more->execute([4])", "$db->beginTransaction()"],
                      "$more->execute([5]) ? $more->fetchColumn() : 0")
    for driver, (database, source, waits, prepared) in ODBC.items()
}
# Its connections are objects of Redis, which are guarded as others are.
ARRAY = """
    $db = new RedisArray(["127.0.0.1:$port", "localhost:$port"]);"""
OTHERS = {"redisarray": ("redis", ARRAY), "keys of redis": DRIVERS["redis"][:2], "keys of rediscluster": DRIVERS["rediscluster"][:2]}

# A memcached that waits is one that has stopped.
CODE = """
    $say = fn (Throwable $e) => get_class($e) . ': ' . preg_replace('~ at .+?:\\d+~', ' at FILE', $e->getMessage());
    $waiting = Coroutine\\spawn(fn () => FIRST);
    Coroutine\\sleep(0.05);
    $calls = [SECOND];
    $told = [];
    foreach ($calls as $call) {
        try {
            $told[] = json_encode($call());
        } catch (Throwable $e) {
            $told[] = $say($e);
        }
    }
    try {
        $first = $waiting->await();
    } catch (Throwable $e) {
        $first = $say($e);
    }
    return [$told, (int) $first, (int) (AFTERWARDS), isset($more) && is_object($more)];
"""

SENTENCE = re.compile(
    r"^Sluice\\Coroutine\\ConcurrentUseException: (\S+)\(\) at FILE waits in this connection, and (\S+)\(\) at FILE was to use "
    r"it meanwhile: give each coroutine a connection of its own, as Sluice\\Pool does$")


def port_of(request, database, driver=""):
    if "odbc" in driver:
        odbc.need(driver)
    return request.getfixturevalue(database).port if database else 0


def run(port, connect, first, calls, afterwards):
    second = ", ".join(f"fn () => {call}" for call in calls)
    return run_php("coroutine", connect + CODE.replace("FIRST", first).replace("SECOND", second).replace("AFTERWARDS", afterwards),
                   port=port)


@pytest.mark.parametrize("driver", DRIVERS)
def test_second_call_is_not_made(request, driver):
    database, connect, first, calls, afterwards = DRIVERS[driver]
    told, result, after, _ = run(port_of(request, database, driver), connect, first, calls, afterwards)
    for call, sentence in zip(calls, told, strict=True):
        found = SENTENCE.match(sentence)
        assert found, f"{call}: {sentence}"
        function = re.split(r"->|::", found[2])[-1]
        assert re.search(rf"\b{function}\(", call), f"{call}: {sentence}"
    assert result == 1, "the first call has its own answer"
    assert after == 5, "and the next one its own"


# How a transaction begins, what another coroutine does meanwhile, and how it ends; and the other ways in which it begins.
TRANSACTIONS = {
    "pdo_mysql": (["$db->beginTransaction()", "$db->exec('BEGIN')", "$db->query('START TRANSACTION')"],
                  "$db->query('SELECT 2')->fetchColumn()", "$db->exec('ROLLBACK')"),
    "pdo_pgsql": (["$db->beginTransaction()", "$db->exec('BEGIN')"], "$db->query('SELECT 2')->fetchColumn()", "$db->exec('ROLLBACK')"),
    "mysqli": (["$db->begin_transaction()", "mysqli_begin_transaction($db)", "$db->query('BEGIN')",
                "[$db->autocommit(false), $db->query('SELECT * FROM mysql.user')->free()]"],
               "$db->query('SELECT 2')->fetch_row()[0]", "[$db->rollback(), $db->autocommit(true)]"),
    "pgsql": (["pg_query($db, 'BEGIN')"], "pg_fetch_result(pg_query($db, 'SELECT 2'), 0)", "pg_query($db, 'ROLLBACK')"),
    "redis": (["$db->multi()", "$db->pipeline()"], "$db->set('c', 2) ? $db->get('c') : 0", "$db->discard()"),
    "rediscluster": (["$db->multi()"], "$db->set('c', 2) ? $db->get('c') : 0", "$db->discard()"),
    "redisarray": (["$db->multi($db->_hosts()[0])"], "$db->set('c', 2) ? $db->get('c') : 0", "$db->discard()"),
    "keys of redis": (["$db->watch('a')", "$db->watch(['a', 'b'])", "$db->rawCommand('WATCH', 'a')", "$db->pipeline()->watch('a')->exec()",
                       "[$db->watch('a'), $db->pipeline()->get('a')->exec()]", "[$db->watch('a'), $db->exec()]"], "$db->set('c', 2) ? $db->get('c') : 0", "$db->unwatch()"),
    "keys of rediscluster": (["$db->watch('a')"], "$db->set('c', 2) ? $db->get('c') : 0", "$db->multi()->get('a')->exec()"),
    "sqlite3": (["$db->exec('BEGIN')", "$db->query('BEGIN')", "$db->prepare('BEGIN IMMEDIATE')->execute()"],
                "$db->querySingle('SELECT 2')", "$db->exec('ROLLBACK')"),
} | {
    driver: (["[odbc_autocommit($db, false), odbc_exec($db, 'SELECT 1')]", "[odbc_autocommit($db, false), odbc_execute(odbc_prepare($db, 'SELECT 1'))]"],
             "$one(odbc_exec($db, 'SELECT 2'))", "[odbc_rollback($db), odbc_autocommit($db, true)]") for driver in ODBC
} | {f"pdo_{driver}": (["$db->beginTransaction()"], "$db->query('SELECT 2')->fetchColumn()", "$db->rollBack()") for driver in ODBC}

TRANSACTION_CODE = """
    $begun = new Coroutine\\Channel(1);
    $end = new Coroutine\\Channel(1);
    $first = Coroutine\\spawn(function () use ($db, $begun, $end) { BEGIN; $begun->push(1); $end->pop(); FINISH; });
    $begun->pop(10);
    $during = attempt(fn () => MEANWHILE);
    $end->push(1);
    $first->await();
    return [$during, (int) (MEANWHILE)];
"""

@pytest.mark.parametrize("driver, begin", [(driver, begin) for driver, (begins, *_) in TRANSACTIONS.items() for begin in begins])
def test_transactions_are_not_shared(request, driver, begin):
    database, connect = OTHERS.get(driver) or DRIVERS[driver][:2]
    _, meanwhile, finish = TRANSACTIONS[driver]
    code = TRANSACTION_CODE.replace("BEGIN", begin, 1).replace("MEANWHILE", meanwhile).replace("FINISH", finish)
    during, after = run_php("coroutine", connect + code, port=port_of(request, database, driver))
    assert during.get("error") == "Sluice\\Coroutine\\ConcurrentUseException", during
    assert during["message"].startswith("Another coroutine has a transaction open on this connection, since "), during
    assert after == 2, "afterwards everybody may use it"


def test_keys_of_redis_are_watched_until_the_coroutine_ends(redis):
    code = DRIVERS["redis"][1] + """
        Coroutine\\spawn(fn () => $db->watch('watched'))->await();
        $other = new Redis();
        $other->connect('127.0.0.1', $port);
        $other->set('watched', 'changed');
        return $db->multi()->set('a', 1)->exec();
    """
    assert run_php("coroutine", code, port=redis.port) == [True], "nothing is watched any more"


def test_keys_of_redis_that_are_lost_with_their_connection_end_nothing_else(redis):
    code = DRIVERS["redis"][1] + """
        $other = new Redis();
        $other->connect('127.0.0.1', $port);
        $left = Coroutine\\spawn(function () use ($db, $other) {
            $db->watch('watched');
            $other->rawCommand('CLIENT', 'KILL', 'ID', (string) $db->rawCommand('CLIENT', 'ID'));
        });
        $left->await();
        return $other->get('goes on') === false ? 'goes on' : '';
    """
    assert run_php("coroutine", code, port=redis.port) == "goes on"


@pytest.mark.parametrize("driver", ODBC)
def test_a_transaction_goes_on_when_a_result_is_freed(request, driver):
    database, connect = DRIVERS[driver][:2]
    begin = "odbc_autocommit($db, false); odbc_free_result(odbc_exec($db, 'SELECT 1'))"
    code = TRANSACTION_CODE.replace("BEGIN", begin, 1).replace("MEANWHILE", "odbc_autocommit($db)").replace("FINISH", "odbc_rollback($db)")
    during, after = run_php("coroutine", connect + code, port=port_of(request, database, driver))
    assert during.get("error") == "Sluice\\Coroutine\\ConcurrentUseException", during
    assert after == 0


@pytest.mark.parametrize("driver", ODBC)
def test_no_transaction_is_left_of_connections_that_are_all_closed(request, driver):
    database, connect, *_ = DRIVERS[driver]
    code = connect + f"""
        [$begun, $end] = [new Coroutine\\Channel(1), new Coroutine\\Channel(1)];
        $first = Coroutine\\spawn(function () use ($db, $begun, $end) {{ odbc_autocommit($db, false); odbc_exec($db, 'SELECT 1'); $begun->push(1); $end->pop(); }});
        $begun->pop(10);
        odbc_close_all();
        // Some have the addresses of those that are gone.
        $connections = [];
        for ($number = 0; $number < 10; ++$number) {{
            {connect}
            $connections[] = $db;
        }}
        $told = array_map(fn ($db) => attempt(fn () => $one(odbc_exec($db, 'SELECT 2'))), $connections);
        $end->push(1);
        $first->await();
        return $told;
    """
    assert run_php("coroutine", code, port=port_of(request, database, driver)) == [{"value": "2"}] * 10


# How a coroutine gets a connection that PHP would give to all who ask for it, and what tells connections apart.
PERSISTENT = {
    "pdo_mysql": ("mariadb", "new PDO(\"mysql:host=127.0.0.1;dbname=test;port=$port\", 'sluice', 'secret', [PDO::ATTR_PERSISTENT => true])",
                  "$db->query('SELECT CONNECTION_ID()')->fetchColumn()"),
    "pdo_pgsql": ("postgresql", "new PDO(\"pgsql:host=127.0.0.1;user=postgres;port=$port\", options: [PDO::ATTR_PERSISTENT => 'named'])",
                  "$db->query('SELECT pg_backend_pid()')->fetchColumn()"),
    "pgsql": ("postgresql", "pg_pconnect(\"host=127.0.0.1 user=postgres port=$port\")", "pg_get_pid($db)"),
    "memcached": ("memcached", "new Memcached('all')", "$db->addServer('127.0.0.1', $port) && count($db->getServerList()) === 1 ? spl_object_id($db) : 0"),
} | {
    driver: (database, f'odbc_pconnect("{source}", \'\', \'\')', f"odbc_result(odbc_exec($db, 'SELECT {number}()'), 1)")
    for (driver, (database, source, *_)), number in zip(ODBC.items(), ("CONNECTION_ID", "pg_backend_pid"), strict=True)
}


@pytest.mark.parametrize("driver", PERSISTENT)
def test_a_persistent_connection_is_ones_own(request, driver):
    database, connect, tell = PERSISTENT[driver]
    code = f"""
        $use = function () use ($port) {{
            $db = {connect};
            $told = {tell};
            Coroutine\\sleep(0.01);
            return [$told, $db];
        }};
        $first = $use();
        return array_column([$first, ...Coroutine\\all(...array_fill(0, 4, $use))], 0);
    """
    told = run_php("coroutine", code, port=port_of(request, database, driver))
    assert len(set(told)) == 5 and all(told), told


# A connection that two objects outside of coroutines share, how its transaction begins, and what others do meanwhile.
SHARED = {driver: (*PERSISTENT[driver][:2], TRANSACTIONS[driver][0], TRANSACTIONS[driver][1]) for driver in ("pdo_mysql", "pdo_pgsql", "pgsql")} | {
    "pdo_sqlite": (None, "new PDO('sqlite::memory:', options: [PDO::ATTR_PERSISTENT => true])", ["$db->beginTransaction()", "$db->exec('BEGIN')"],
                   "$db->query('SELECT 2')->fetchColumn()"),
}


@pytest.mark.parametrize("driver, begin", [(driver, begin) for driver, (_, _, begins, _) in SHARED.items() for begin in begins])
def test_persistent_connections_that_are_made_outside_are_guarded_as_one(request, driver, begin):
    database, connect, _, meanwhile = SHARED[driver]
    code = f"""
        $connections = [{connect}, {connect}];
        return Coroutine\\run(function () use ($connections) {{
            [$begun, $end] = [new Coroutine\\Channel(1), new Coroutine\\Channel(1)];
            $first = Coroutine\\spawn(function () use ($connections, $begun, $end) {{ $db = $connections[0]; {begin}; $begun->push(1); $end->pop(); }});
            $begun->pop(10);
            $use = fn ($db) => {meanwhile};
            $during = array_map(fn ($db) => attempt(fn () => $use($db)), $connections);
            $end->push(1);
            $first->await();
            return [$during, array_map($use, $connections)];
        }});
    """
    during, after = run_php("plain", code, port=port_of(request, database))
    for told in during:
        assert told.get("error") == "Sluice\\Coroutine\\ConcurrentUseException", told
        assert told["message"].startswith("Another coroutine has a transaction open on this connection, since "), told
    assert [int(result) for result in after] == [2, 2], "what it has left is rolled back"


def test_a_persistent_connection_keeps_no_transaction_of_an_object_that_is_gone(postgresql):
    connect = PERSISTENT["pgsql"][1]
    code = f"""
        $connections = [{connect}, {connect}];
        return Coroutine\\run(function () use (&$connections) {{
            Coroutine\\spawn(function () use (&$connections) {{ pg_query($connections[0], 'BEGIN'); unset($connections[0]); }})->await();
            return [pg_fetch_result(pg_query($connections[1], 'SELECT 2'), 0), pg_transaction_status($connections[1])];
        }});
    """
    assert run_php("plain", code, port=postgresql.port) == ["2", 0]


def test_a_persistent_connection_of_sqlite_keeps_no_transaction_of_an_object_that_is_gone():
    connect = SHARED["pdo_sqlite"][1]
    for begin in ("$connections[0]->exec('BEGIN')", "$connections[0]->prepare('BEGIN')->execute()"):
        code = f"""
            $connections = [{connect}, {connect}];
            return Coroutine\\run(function () use (&$connections) {{
                Coroutine\\spawn(function () use (&$connections) {{ {begin}; $connections[0]->exec('CREATE TABLE gone (a)'); unset($connections[0]); }})->await();
                return [$connections[1]->query("SELECT COUNT(*) FROM sqlite_master WHERE name = 'gone'")->fetchColumn(), $connections[1]->exec('BEGIN')];
            }});
        """
        assert run_php("plain", code) == [0, 0], begin


def test_a_persistent_connection_keeps_no_transaction_of_an_object_that_is_closed(postgresql):
    connect = PERSISTENT["pgsql"][1]
    code = f"""
        [$one, $other] = [{connect}, {connect}];
        return Coroutine\\run(function () use ($one, $other) {{
            Coroutine\\spawn(function () use ($one) {{ pg_query($one, 'BEGIN'); pg_query($one, 'CREATE TABLE closed_within ()'); pg_close($one); }})->await();
            return [pg_transaction_status($other), pg_fetch_result(pg_query($other, "SELECT to_regclass('closed_within')"), 0)];
        }});
    """
    assert run_php("plain", code, port=postgresql.port) == [0, None]


def test_one_that_waits_is_not_closed_by_another_object_of_it(postgresql):
    connect = PERSISTENT["pgsql"][1]
    code = f"""
        [$one, $other] = [{connect}, {connect}];
        return Coroutine\\run(function () use ($one, $other) {{
            $waiting = Coroutine\\spawn(fn () => pg_fetch_result(pg_query($one, 'SELECT 1 FROM pg_sleep(0.3)'), 0));
            Coroutine\\sleep(0.05);
            return [attempt(fn () => pg_close($other)), $waiting->await()];
        }});
    """
    told, result = run_php("plain", code, port=postgresql.port)
    assert told.get("error") == "Sluice\\Coroutine\\ConcurrentUseException", told
    assert result == "1"


def test_a_persistent_connection_that_waits_is_not_used_by_another_object_of_it(postgresql):
    code = f"""
        [$one, $other] = [{PERSISTENT['pgsql'][1]}, {PERSISTENT['pgsql'][1]}];
        return Coroutine\\run(function () use ($one, $other) {{
            $waiting = Coroutine\\spawn(fn () => pg_fetch_result(pg_query($one, 'SELECT 1 FROM pg_sleep(0.3)'), 0));
            Coroutine\\sleep(0.05);
            return [attempt(fn () => pg_query($other, 'SELECT 2')), $waiting->await()];
        }});
    """
    told, first = run_php("plain", code, port=postgresql.port)
    assert "waits in this connection, and pg_query() at " in told.get("message", ""), told
    assert first == "1"


def test_mysqli_lends_a_persistent_connection_to_one_object_at_a_time(mariadb):
    code = """
        $connect = fn () => new mysqli('p:127.0.0.1', 'sluice', 'secret', 'test', $port);
        $connections = [$connect(), $connect()];
        return Coroutine\\run(function () use ($connections) {
            [$begun, $end] = [new Coroutine\\Channel(1), new Coroutine\\Channel(1)];
            $first = Coroutine\\spawn(function () use ($connections, $begun, $end) { $connections[0]->begin_transaction(); $begun->push(1); $end->pop(); });
            $begun->pop(10);
            $use = fn ($db) => $db->query('SELECT CONNECTION_ID()')->fetch_row()[0];
            $during = array_map(fn ($db) => attempt(fn () => $use($db)), $connections);
            $end->push(1);
            $first->await();
            return [$during, array_map($use, $connections)];
        });
    """
    (own, others), after = run_php("plain", code, port=mariadb.port)
    assert own.get("error") == "Sluice\\Coroutine\\ConcurrentUseException", own
    assert others == {"value": after[1]} and after[0] != after[1], (others, after)


@pytest.mark.parametrize("name, other", [("null", "$db"), ("'shared'", "new Memcached('shared')")])
def test_memcached(memcached, name, other):
    memcached.pause()
    try:
        code = f"""
            $db = new Memcached({name});
            $db->setOptions([Memcached::OPT_POLL_TIMEOUT => 500, Memcached::OPT_CONNECT_TIMEOUT => 500]);
            $db->addServer('127.0.0.1', $port);
            $other = {other};
            return Coroutine\\run(function () use ($db, $other) {{
                $waiting = Coroutine\\spawn(fn () => [$db->get('a'), $db->getResultCode()]);
                Coroutine\\sleep(0.05);
                return [attempt(fn () => $other->get('b')), $waiting->await(), Memcached::RES_NOTFOUND];
            }});
        """
        told, (_, code), not_found = run_php("plain", code, port=memcached.port)
    finally:
        memcached.resume()
    assert told["error"] == "Sluice\\Coroutine\\ConcurrentUseException", told
    assert "Memcached->get() at " in told["message"]
    assert code != not_found, "the first call is not told an answer that it has not got"


def test_curl_handle():
    code = """
        $listener = stream_socket_server('tcp://127.0.0.1:0');
        $handle = curl_init('http://' . stream_socket_get_name($listener, false));
        curl_setopt_array($handle, [CURLOPT_RETURNTRANSFER => true, CURLOPT_TIMEOUT_MS => 300]);
        $waiting = Coroutine\\spawn(fn () => curl_exec($handle));
        Coroutine\\sleep(0.05);
        $told = attempt(fn () => curl_exec($handle));
        $waiting->await();
        // The same handle may be used again and again, and its options read.
        return [$told, curl_errno($handle)];
    """
    told, error = run_php("coroutine", code)
    assert told["error"] == "Sluice\\Coroutine\\ConcurrentUseException", told
    assert error == 28


def test_one_after_the_other_and_each_his_own(redis):
    code = """
        $connect = function () use ($port) { $db = new Redis(); $db->connect('127.0.0.1', $port); return $db; };
        $shared = $connect();
        $turns = new Coroutine\\Mutex();
        $one = Coroutine\\map(range(1, 20), fn ($n) => $turns->use(fn () => $shared->echo("a$n")));
        $own = Coroutine\\map(range(1, 20), fn ($n) => $connect()->echo("b$n"));
        return [$one, $own];
    """
    one, own = run_php("coroutine", code, port=redis.port)
    assert one == [f"a{n}" for n in range(1, 21)]
    assert own == [f"b{n}" for n in range(1, 21)]
