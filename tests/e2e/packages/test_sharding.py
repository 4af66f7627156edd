"""packages/sharding against real MariaDB: the tests that need servers, and random statements against one database and four shards.

The package's own tests have what needs no server.
"""

import contextlib
import json
import os
import shutil
import subprocess

import pytest

from databases import START_S, MariaDb, Missing
from harness import ROOT, Server, php_command, wait_until
from http_client import HttpConnection, format_request, get
from mysql_stub import MySqlStub

PACKAGE = ROOT / "packages/sharding"
# 20,000 in all, or 10^6.
STATEMENTS = 250_000 if "SLUICE_TORTURE" in os.environ else 5_000


class Logging(MariaDb):
    """A server with a binary log of rows."""

    def command(self):
        words = [word for word in super().command() if word != "--skip-log-bin"]
        return [*words, "--log-bin=binlog", "--binlog-format=ROW", f"--server-id={self.port}"]


@pytest.fixture(scope="module")
def shards():
    """Two servers for the shards: what changes is in a binary log on the first, and noted by triggers on the second."""
    if not shutil.which("composer"):
        pytest.skip("there is no composer: make deps-test installs it")
    installed = subprocess.run([ROOT / "tools/install-packages"], check=False, capture_output=True, text=True, timeout=600)
    if installed.returncode and "could not be" in installed.stdout + installed.stderr:
        pytest.skip(f"Packagist cannot be reached: {installed.stderr[-500:]}")
    assert installed.returncode == 0, installed.stdout + installed.stderr
    try:
        with Logging() as first, MariaDb() as second:
            yield [first, second]
    except Missing as missing:
        pytest.skip(str(missing))


def run(shards, script, timeout_s):
    words, needed = php_command()
    dsns = "|".join(f"mysql:host=127.0.0.1;port={server.port}" for server in shards)
    done = subprocess.run([*words, *script], cwd=ROOT, env=os.environ | needed | {"SHARD_DSNS": dsns}, capture_output=True, text=True, timeout=timeout_s, check=False)
    print(done.stdout[-8000:], done.stderr[-4000:])
    return done


@pytest.mark.slow
@pytest.mark.parametrize("what", ["--exclude-group", pytest.param("--group", marks=pytest.mark.torture)])
def test_what_needs_servers(shards, what):
    done = run(shards, [ROOT / "build/packages/vendor/bin/phpunit", "-c", PACKAGE / "phpunit.servers.xml", what, "kills"], 1_800)
    assert done.returncode == 0 and "OK" in done.stdout


def compare(shards, statements, seed):
    done = run(shards, [PACKAGE / "tests/rig/differential.php", str(statements), str(seed)], 36_000)
    assert done.returncode == 0, done.stdout[-4000:]
    assert " 0 wrong" in done.stdout


def test_some_random_statements_give_what_one_database_gives(shards):
    compare(shards, 500, 5)


@pytest.mark.slow
@pytest.mark.torture
@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_random_statements_give_what_one_database_gives(shards, seed):
    compare(shards, STATEMENTS, seed)


def test_statements_pass_through_to_vtgate_as_they_are(shards):
    script = """
        require 'build/packages/vendor/autoload.php';
        $keyspace = Sluice\\Sharding\\Keyspace::of(['sharded' => true], ['-' => "mysql:host=127.0.0.1;port={$argv[1]};dbname=main"], new Sluice\\Sharding\\Options(passThrough: true));
        $db = new Sluice\\Sharding\\PDO($keyspace);
        $db->exec('/*vt+ ALLOW_SCATTER=1 QUERY_TIMEOUT_MS=500 */ UPDATE users SET age = 1');
        $db->prepare('INSERT INTO users (name) VALUES (?)')->execute(["it's"]);
        $db->exec('USE `main:-80@replica`');
        $db->exec('DELETE FROM users');
        $db->exec('USE main');
        $db->beginTransaction();
        $db->exec('UPDATE users SET age = 2 WHERE id = 1');
        $db->commit();
        try { $db->exec('/*vt+ NO_SUCH=1 */ DELETE FROM users'); } catch (PDOException $error) { echo $error->getMessage(); }
    """
    words, needed = php_command()
    with MySqlStub() as stub:
        done = subprocess.run([*words, "-r", script, str(stub.port)], cwd=ROOT, env=os.environ | needed, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        assert "unknown directive NO_SUCH=1" in done.stdout
    for statement in ("/*vt+ ALLOW_SCATTER=1 QUERY_TIMEOUT_MS=500 */ UPDATE users SET age = 1", "INSERT INTO users (name) VALUES ('it\\'s')", "USE `main:-80@replica`", "DELETE FROM users",
                      "UPDATE users SET age = 2 WHERE id = 1", "COMMIT"):
        assert statement in stub.statements, stub.statements


@pytest.mark.parametrize("stand_in", [pytest.param(False, id="mariadb", marks=pytest.mark.slow), pytest.param(True, id="sqlite")])
def test_the_example_shows_where_each_row_went(shards, stand_in, tmp_path):
    server = Server(ROOT / "examples" / "shards" / "shop.php", announces=False)
    server.extra_env["TMPDIR"] = str(tmp_path)
    if stand_in:
        server.extra_env["PATH"] = str(tmp_path)
    server.extra_env["SLUICE_ADDRESS"] = f"127.0.0.1:{server.ports[0]}"
    with contextlib.ExitStack() as stack:
        server.launch()
        stack.push(server.__exit__)
        wait_until(lambda: server.process.poll() is not None or server.accepts(server.ports[0]), "the example answers, after its databases", START_S)
        for customer, shard in ((1, "c0-"), (2, "80-c0"), (8, "40-80"), (10, "-40")):
            with HttpConnection(server.address) as client:
                client.send(format_request("/orders", method="POST", body=json.dumps({"customer": customer, "item": "tea", "cents": 250}).encode()))
                assert client.read().json() == {"shard": shard}
        page = get(server, "/").json()
    assert page["shards"]["40-80"] == [{"id": 8, "name": "customer 8"}]
    assert page["best"] == [{"item": "tea", "sold": 4, "cents": "1000" if not stand_in else 1000}]
    assert not list(tmp_path.iterdir()), "the example leaves its databases"
