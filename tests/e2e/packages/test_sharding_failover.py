"""packages/sharding with a primary and a semi-synchronous replica: reads of one's own writes, and a primary that is killed."""

import contextlib
import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from databases import MariaDb, Missing
from harness import ROOT, free_ports, php_command, wait_until
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
        return sql(self, text)


def sql(server, text):
    words, needed = php_command()
    code = "$d = new PDO($argv[1], 'sluice', 'secret'); foreach (explode(';', $argv[2]) as $s) { $r = $d->query($s); } echo json_encode($r->columnCount() ? $r->fetchAll(PDO::FETCH_ASSOC) : []);"
    done = subprocess.run([*words, "-r", code, f"mysql:host=127.0.0.1;port={server.port};dbname=test", text], env=os.environ | needed, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


# What the servers of a cluster call for a state transfer: who joins goes on from the position that the donor names, and gets the writes since then.
TRANSFER = """#!/bin/sh
while [ $# -gt 0 ]; do
    case $1 in
        --role) role=$2 ;; --address) address=$2 ;; --datadir) data=$2 ;; --gtid) position=$2 ;; --bypass) is_bypass=yes ;;
    esac
    shift
done
if [ "$role" = joiner ]; then
    rm -f "$data/position"
    echo "ready $data/position"
    while [ ! -s "$data/position" ]; do sleep 0.1; done
    cat "$data/position"
else
    [ "$is_bypass" ] || exit 1
    echo "$position" > "$address.new" && mv "$address.new" "$address"
    echo "done $position"
fi
"""


class Node(MariaDb):
    """One of a Galera cluster. Its data are those that the first one had before it was a cluster of several: what it lacks comes write by write."""

    provider = Path("/usr/lib/galera/libgalera_smm.so")

    def __init__(self):
        if not self.provider.exists():
            raise Missing(f"{self.provider} is not installed (Debian: galera-4)")
        super().__init__()
        self.group_port, self.transfer_port = free_ports(2)
        self.peers, self.position = [], None
        script = self.folder / "wsrep_sst_increments"
        script.write_text(TRANSFER)
        script.chmod(0o755)

    def environment(self):
        env = super().environment()
        return env | {"PATH": f"{self.folder}:{env['PATH']}"}

    def command(self):
        words = [word for word in super().command() if not word.startswith("--skip-log-bin") and (not self.position or not word.startswith("--init-file"))]
        options = f"gmcast.listen_addr=tcp://127.0.0.1:{self.group_port};ist.recv_addr=127.0.0.1:{self.transfer_port};gcache.size=16M"
        peers = ",".join(f"127.0.0.1:{peer.group_port}" for peer in self.peers)
        return [*words, "--binlog-format=ROW", "--innodb-autoinc-lock-mode=2", "--wsrep-on=ON", f"--wsrep-provider={self.provider}", f"--wsrep-provider-options={options}",
                "--wsrep-node-address=127.0.0.1", "--wsrep-sst-method=increments", f"--wsrep-cluster-address=gcomm://{peers}",
                *([] if self.peers else ["--wsrep-new-cluster"]), *([f"--wsrep-start-position={self.position}"] if self.position else [])]

    def found(self, others):
        """A new cluster, and its data for the others."""
        self.start()
        sql(self, "CREATE TABLE t (id BIGINT PRIMARY KEY)")
        self.kill()
        state = self.data / "grastate.dat"
        state.write_text(state.read_text().replace("safe_to_bootstrap: 0", "safe_to_bootstrap: 1"))
        (self.data / "gvwstate.dat").unlink(missing_ok=True)
        for other in others:
            subprocess.run(["cp", "-a", f"{self.data}/.", other.data], check=True)
            other.prepared = True
        self.join([])

    def join(self, peers):
        """As after a kill: it looks how far its own data go, and takes the rest from the others."""
        self.peers, self.position = peers, None
        log = self.folder / "recovered.log"
        self.run([*self.command(), "--wsrep-recover", f"--log-error={log}"])
        self.position = re.findall(r"Recovered position: (\S+)", log.read_text(errors="replace"))[-1]
        self.start()
        wait_until(self.is_synced, "the node has joined", DEADLINE_S)

    def is_synced(self):
        return '"Value":"Synced"' in sql(self, "SHOW STATUS LIKE 'wsrep_local_state_comment'")


def follow(replica, primary):
    replica.sql(f"CHANGE MASTER TO MASTER_HOST = '127.0.0.1', MASTER_PORT = {primary.port}, MASTER_USER = 'sluice', MASTER_PASSWORD = 'secret', MASTER_USE_GTID = slave_pos;"
                "START SLAVE; SET GLOBAL read_only = 1")
    wait_until(lambda: '"Slave_IO_Running":"Yes"' in replica.sql("SHOW SLAVE STATUS"), "the replica follows", DEADLINE_S)
    primary.sql("SET GLOBAL rpl_semi_sync_master_enabled = 1")
    wait_until(lambda: '"Value":"1"' in primary.sql("SHOW STATUS LIKE 'Rpl_semi_sync_master_clients'"), "the replica is semi-synchronous", DEADLINE_S)


class Client:
    """Writes rows with rising numbers, and says of each what it knows; a context."""

    def __init__(self, servers, *arguments):
        words, needed = php_command()
        dsns = "|".join(f"mysql:host=127.0.0.1;port={server.port}" for server in servers)
        self.process = subprocess.Popen([*words, PACKAGE / "tests/rig/failover.php", *arguments], cwd=ROOT, env=os.environ | needed | {"SHARD_DSNS": dsns},
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.lines = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def read_until(self, beginning):
        for line in self.process.stdout:
            self.lines.append(line.strip())
            if line.startswith(beginning):
                return
        raise AssertionError(f"the client has ended: {self.lines[-20:]}")

    def stop(self):
        self.process.stdin.write("stop\n")
        self.process.stdin.flush()
        self.read_until("stopped")

    def numbers(self, kind):
        return [int(line.split()[1]) for line in self.lines if line.startswith(kind)]

    def check(self, server, kills):
        """What is committed is there once. Of each kill one row may be unknown: that which was under way."""
        there = [row["id"] for row in json.loads(sql(server, "SELECT id FROM t ORDER BY id"))]
        lost = set(self.numbers("committed")) - set(there)
        assert not lost, f"rows that were committed are lost: {sorted(lost)}"
        assert set(there) <= set(self.numbers("committed") + self.numbers("unknown")) | set(range(51))
        assert len(self.numbers("unknown")) <= kills, [line for line in self.lines if line.startswith("unknown")]


def play():
    with Replicated() as primary, Replicated() as replica:
        replica.sql("RESET MASTER")
        primary.sql("RESET MASTER; CREATE TABLE t (id BIGINT PRIMARY KEY)")
        follow(replica, primary)
        with Client([primary, replica]) as client:
            client.read_until("reads its writes")
            client.read_until("committed")
            primary.kill()
            replica.sql("STOP SLAVE; SET GLOBAL read_only = 0")
            client.read_until("failovers 1")
            client.read_until("committed")
            client.stop()
        client.check(replica, 1)


@pytest.mark.slow
@pytest.mark.torture
def test_no_committed_row_is_lost_with_its_primary(shards):  # noqa: F811
    for _ in range(ROUNDS):
        play()


@pytest.mark.slow
@pytest.mark.torture
def test_no_committed_row_is_lost_with_a_node_of_a_cluster(shards):  # noqa: F811
    with contextlib.ExitStack() as stack:
        try:
            nodes = [Node() for _ in range(3)]
        except Missing as missing:
            pytest.skip(str(missing))
        for node in nodes:
            stack.callback(node.stop)
        nodes[0].found(nodes[1:])
        for at in (1, 2):
            nodes[at].join(nodes[:at])
        client = stack.enter_context(Client(nodes, "cluster"))
        for number in range(ROUNDS):
            client.read_until("committed")
            # The client writes to one of the first two, which are killed in turn.
            killed, other = nodes[number % 2], nodes[1 - number % 2]
            killed.kill()
            client.read_until(f"failovers {number + 1}")
            client.read_until("committed")
            killed.join([other, nodes[2]])
        client.stop()
        for node in nodes:
            wait_until(node.is_synced, "the node has all writes", DEADLINE_S)
            client.check(node, ROUNDS)
