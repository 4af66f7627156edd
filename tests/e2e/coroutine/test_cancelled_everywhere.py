"""Drivers, pools and clients, cancelled at each of their suspensions in turn: they end, clean up, and leave nothing behind.

tests/phpt/cancelled_everywhere.phpt does the same with coroutines and calls of the C library.
"""

import json
import os
import subprocess

import pytest

from harness import CRASHES, ROOT, SANITIZED, Server, php_command

INCLUDE = ROOT / "tests/phpt/cancelled_everywhere.inc"
# Each runs as often as it has suspensions.
LONG_S = 300 if SANITIZED else 100

# What a test is for: the server it needs, what is made before, what is cancelled, and what must hold afterwards.
SCENARIOS = {
    "pdo_mysql": ("mariadb", "", """
        $db = new PDO("mysql:host=127.0.0.1;dbname=test;port=$port", 'sluice', 'secret', [PDO::ATTR_EMULATE_PREPARES => false]);
        $db->beginTransaction();
        $slow = $db->query('SELECT SLEEP(0.002) + 1')->fetchColumn();
        $more = $db->prepare('SELECT ?');
        $more->execute([$slow]);
        $got = $more->fetchColumn();
        $db->commit();
        return (int) $got === 1;""", ""),
    "pdo_pgsql": ("postgresql", "", """
        $db = new PDO("pgsql:host=127.0.0.1;user=postgres;port=$port");
        $db->beginTransaction();
        $got = $db->query('SELECT 1 FROM pg_sleep(0.002)')->fetchColumn();
        $more = $db->prepare('SELECT ?::int');
        $more->execute([$got]);
        $got = $more->fetchColumn();
        $db->commit();
        return (int) $got === 1;""", ""),
    "mysqli": ("mariadb", "", """
        $db = new mysqli('127.0.0.1', 'sluice', 'secret', 'test', $port);
        $db->query('SELECT SLEEP(0.002)');
        $more = $db->prepare('SELECT ?');
        $more->execute(['x']);
        return $more->get_result()->fetch_row() === ['x'];""", ""),
    "pgsql": ("postgresql", "", """
        $db = pg_connect("host=127.0.0.1 user=postgres port=$port", PGSQL_CONNECT_FORCE_NEW);
        if (!$db || !($slow = pg_query($db, 'SELECT 1 FROM pg_sleep(0.002)'))) {
            return 'pgsql says it with false';
        }
        return pg_fetch_result(pg_query_params($db, 'SELECT $1::text', ['x']), 0) === 'x';""", ""),
    "redis": ("redis", "", """
        $db = new Redis();
        $db->connect('127.0.0.1', $port);
        $db->rawCommand('BLPOP', 'nothing', '0.002');
        $db->multi();
        $db->set('cancelled', 'x');
        $db->get('cancelled');
        return $db->exec() === [true, 'x'] && $db->ping() === true;""", ""),
    # It answers before anybody has to wait, so it stands still until this coroutine does.
    "memcached": ("memcached", "", """
        $signal = fn (int $number) => posix_kill((int) $argv[2], $number);
        $db = new Memcached();
        $db->addServer('127.0.0.1', $port);
        $signal(19); // SIGSTOP
        Coroutine\\spawn(fn () => $signal(18)); // SIGCONT
        try {
            return $db->set('cancelled', 'x') && $db->get('cancelled') === 'x';
        } finally {
            $signal(18);
        }""", ""),
    "a pool of connections": ("mariadb", "", """
        $pool = Sluice\\Pool::pdo("mysql:host=127.0.0.1;dbname=test;port=$port", 'sluice', 'secret', max: 2, checkAfter: 0);
        try {
            return Coroutine\\map([1, 2, 3], fn (int $n) => $pool->use(
                fn (PDO $db) => (int) $db->query("SELECT SLEEP(0.001) + $n")->fetchColumn()
            )) === [1, 2, 3];
        } finally {
            $idle = $pool->stats()->inUse === 0 && $pool->stats()->waiting === 0 && $pool->stats()->size === $pool->stats()->idle;
            $pool->close();
        }""", "return $idle && $pool->stats()->size === 0;"),
    "curl": ("http", "", """
        $handle = curl_init("http://127.0.0.1:$port/");
        curl_setopt_array($handle, [CURLOPT_RETURNTRANSFER => true, CURLOPT_POSTFIELDS => 'three']);
        return curl_exec($handle) === 'one two three';""", ""),
    "the HTTP client": ("http", "", """
        $client = new Sluice\\Http\\Client();
        $all = Coroutine\\all(
            fn () => $client->post("http://127.0.0.1:$port/", 'three')->body(),
            fn () => $client->post("http://127.0.0.1:$port/", (function () { yield 'th'; usleep(1000); yield 'ree'; })())->body(),
            fn () => implode(iterator_to_array($client->get("http://127.0.0.1:$port/")->pieces(), false)),
        );
        return $all === ['one two three', 'one two three', 'one two '];""", ""),
    "the WebSocket client": ("http", "", """
        $client = Sluice\\WebSocket\\Client::connect("ws://127.0.0.1:$port/echo");
        try {
            $client->send('one');
            $got = $client->receive()->data;
            $client->send(str_repeat('two', 50_000));
            $got .= strlen($client->receive()->data);
        } finally {
            $client->close();
        }
        return $got === 'one150000';""", ""),
    "file_get_contents": ("http", "", """
        $context = stream_context_create(['http' => ['method' => 'POST', 'content' => 'three', 'header' => 'Content-Type: text/plain']]);
        return file_get_contents("http://127.0.0.1:$port/", false, $context) === 'one two three';""", ""),
}


@pytest.fixture(scope="module")
def http():
    with Server("cancelled_origin.php") as server:
        server.port = server.ports[0]
        yield server


@pytest.mark.parametrize("name", SCENARIOS)
def test_cancelled_everywhere(request, name):
    server, before, scenario, after = SCENARIOS[name]
    script = f"""
        use Sluice\\Coroutine;
        require {json.dumps(str(INCLUDE))};
        $port = (int) $argv[1];
        {before}
        cancelled_everywhere({json.dumps(name)}, function () use (&$pool, &$idle, $port, $argv) {{ {scenario} }}, function () use (&$pool, &$idle) {{
            {after or 'return true;'}
        }});
    """
    command, env = php_command()
    server = request.getfixturevalue(server)
    done = subprocess.run([*command, "-r", script, "--", str(server.port), str(server.process.pid)], env=os.environ | env,
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LONG_S, check=False)
    assert done.returncode == 0 and not CRASHES.search(done.stderr), f"{done.returncode}\n{done.stdout}{done.stderr}"
    assert done.stdout == f"{name}: everywhere\n", done.stdout + done.stderr
