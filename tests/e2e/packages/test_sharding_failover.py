"""packages/sharding with a primary and a semi-synchronous replica: reads of one's own writes, and a primary that is killed."""

import os
import subprocess

import pytest

from databases import MariaDb
from harness import ROOT, php_command, wait_until
from test_sharding import PACKAGE, shards  # noqa: F401  the fixture installs the packages

DEADLINE_S = 60.0
ROUNDS = 50 if "SLUICE_TORTURE" in os.environ else 3


class Replicated(MariaDb):
    """A server with a binary log, which waits for its replica before it says that it has committed."""

    def command(self):
        words = [word for word in super().command() if word != "--skip-log-bin"]
        return [*words, "--log-bin=binlog", f"--server-id={self.port}", "--log-slave-updates", "--gtid-strict-mode",
                "--rpl-semi-sync-slave-enabled=ON", "--rpl-semi-sync-master-wait-point=AFTER_SYNC",
                "--rpl-semi-sync-master-timeout=60000"]

    def sql(self, text):
        words, needed = php_command()
        code = "$d = new PDO($argv[1], 'sluice', 'secret'); foreach (explode(';', $argv[2]) as $s) { $r = $d->query($s); } echo json_encode($r->columnCount() ? $r->fetchAll(PDO::FETCH_ASSOC) : []);"
        done = subprocess.run([*words, "-r", code, f"mysql:host=127.0.0.1;port={self.port};dbname=test", text], env=os.environ | needed, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


def follow(replica, primary):
    replica.sql(f"CHANGE MASTER TO MASTER_HOST = '127.0.0.1', MASTER_PORT = {primary.port}, MASTER_USER = 'sluice', MASTER_PASSWORD = 'secret', MASTER_USE_GTID = slave_pos;"
                "START SLAVE; SET GLOBAL read_only = 1")
    wait_until(lambda: '"Slave_IO_Running":"Yes"' in replica.sql("SHOW SLAVE STATUS"), "the replica follows", DEADLINE_S)
    primary.sql("SET GLOBAL rpl_semi_sync_master_enabled = 1")
    wait_until(lambda: '"Value":"1"' in primary.sql("SHOW STATUS LIKE 'Rpl_semi_sync_master_clients'"), "the replica is semi-synchronous", DEADLINE_S)


def play():
    words, needed = php_command()
    with Replicated() as primary, Replicated() as replica:
        replica.sql("RESET MASTER")
        primary.sql("RESET MASTER; CREATE TABLE t (id BIGINT PRIMARY KEY)")
        follow(replica, primary)
        dsns = "|".join(f"mysql:host=127.0.0.1;port={server.port}" for server in (primary, replica))
        client = subprocess.Popen([*words, PACKAGE / "tests/rig/failover.php"], cwd=ROOT, env=os.environ | needed | {"SHARD_DSNS": dsns},
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        lines = []

        def read_until(condition):
            for line in client.stdout:
                lines.append(line.strip())
                if condition(line):
                    return
            raise AssertionError(f"the client has ended: {lines[-20:]}")

        try:
            read_until(lambda line: line.startswith("committed"))
            assert "reads its writes" in lines
            read_until(lambda line: line.startswith("committed"))
            primary.kill()
            replica.sql("STOP SLAVE; SET GLOBAL read_only = 0")
            before = len(lines)
            # What the old primary had said is read from the pipe first: wait for rows that only the new one can have.
            while len(lines) < before + 50 or not lines[-1].startswith("committed") or not [line for line in lines if line.startswith("unknown")] and len(lines) < before + 5000:
                read_until(lambda line: True)
            client.stdin.write("stop\n")
            client.stdin.flush()
            read_until(lambda line: line.startswith("failovers"))
        finally:
            client.kill()
            client.wait()
        committed = {line.split()[1] for line in lines if line.startswith("committed")}
        there = replica.sql("SELECT id FROM t")
        lost = [number for number in committed if f'"id":{number}}}' not in there]
        unknown = [line for line in lines if line.startswith("unknown")]
        assert not lost, f"rows that were committed are lost: {lost}"
        assert len(unknown) <= 1, unknown
        assert lines[-1] == "failovers 1"


@pytest.mark.slow
def test_no_committed_row_is_lost_with_its_primary(shards):  # noqa: F811
    for _ in range(ROUNDS):
        play()
