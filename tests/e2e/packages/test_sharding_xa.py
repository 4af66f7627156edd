"""packages/sharding: XA transfers between shards while coordinators and servers are killed. The sum stays what it was, and nothing stays prepared."""

import contextlib
import os
import random
import subprocess

import pytest

from databases import MariaDb
from harness import ROOT, php_command, wait_until
from test_sharding import PACKAGE, shards  # noqa: F401  the fixture installs the packages

DEADLINE_S = 60.0
KILLS = 300 if "SLUICE_TORTURE" in os.environ else 6
COORDINATORS = 2


@pytest.mark.slow
@pytest.mark.torture
def test_sums_stay_when_coordinators_and_servers_are_killed(shards):  # noqa: F811
    words, needed = php_command()
    chance = random.Random(29)
    with contextlib.ExitStack() as stack:
        servers = [stack.enter_context(MariaDb()) for _ in range(2)]
        env = os.environ | needed | {"SHARD_DSNS": "|".join(f"mysql:host=127.0.0.1;port={server.port}" for server in servers)}

        def start(*script):
            process = subprocess.Popen([*words, *script], cwd=ROOT, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            stack.callback(process.wait)
            stack.callback(process.kill)
            return process

        ids = subprocess.run([*words, PACKAGE / "tests/rig/recovery.php", "make"], cwd=ROOT, env=env, capture_output=True, text=True, timeout=60, check=True).stdout.strip()
        recovery = start(PACKAGE / "tests/rig/recovery.php")

        def coordinator():
            process = start(PACKAGE / "tests/rig/transfers.php", ids)
            assert process.stdout.readline() == "ready\n"
            return process

        def state():
            assert recovery.poll() is None, "the recovery has ended"
            recovery.stdin.write("state\n")
            recovery.stdin.flush()
            return recovery.stdout.readline().split()

        def transfers(process):
            """One that begins and ends from here on: what was printed before is in the pipe."""
            assert process.stdout.readline(), "a coordinator has ended"

        coordinators = [coordinator() for _ in range(COORDINATORS)]
        for number in range(KILLS):
            for _ in range(chance.randint(1, 20)):
                transfers(coordinators[0])
            if number % 3 == 2:
                server = servers[chance.randrange(len(servers))]
                server.kill()
                server.restart()
            else:
                at = chance.randrange(COORDINATORS)
                coordinators[at].kill()
                coordinators[at].wait()
                coordinators[at] = coordinator()
            seen = []

            def is_right():
                seen.append(state())
                return seen[-1][0] != "-"

            # Other transfers go on: their branches may be prepared, and a sum is of several moments.
            wait_until(is_right, "all servers answer", DEADLINE_S)
        for process in coordinators:
            process.kill()
            process.wait()
        wait_until(lambda: state() == ["400", "0"], "the sum is what it was, and nothing is prepared", DEADLINE_S)
