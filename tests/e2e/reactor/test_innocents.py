"""Beside each kind of greedy client an innocent one at the same address (a household, an office, a proxy that nobody has named) is
answered while they last, and as before when they have gone."""

import json
import re
import shutil
import subprocess

import pytest

from greedy_clients import KINDS, MIB, Crowd
from harness import MODES, Server, wait_until
from limit_drivers import Client, stats

pytestmark = pytest.mark.slow

SHARED = 3  # 127.0.0.3
GREEDY = 30
LIMITS = {"arenaBytes": 64 * MIB, "queuedTotalBytes": 64 * MIB, "outBytes": 16 * MIB, "messageBytes": 4 * MIB, "bodyBytes": 4 * MIB}
TIMES = 20


@pytest.fixture(params=MODES)
def mode(request):
    return request.param


def is_answered(stays, server):
    """On a connection that stays, and on one that has just come."""
    assert stays.request("/").body == b"OK"
    assert stays.request("/bytes", "POST", body=b"x" * 1000).json() == 1000
    with Client(server, host=SHARED) as comes:
        assert comes.request("/").body == b"OK"


@pytest.mark.parametrize("kind", KINDS)
def test_who_shares_the_address_of_greedy_clients_is_answered(mode, kind):
    with Server("limits.php", mode, workers=2, ports=4, env={"LIMITS": json.dumps(LIMITS)}) as server:
        with Client(server, host=SHARED) as stays:
            with Crowd(server.address, kind, GREEDY, f"127.0.0.{SHARED}"):
                for _ in range(TIMES):
                    is_answered(stays, server)
            wait_until(lambda: stats(server)["connections"] == 2, "all of them are gone", 60)
            is_answered(stays, server)
            assert len(stays.request(f"/big?bytes={MIB}").body) == MIB


# --- load testers, five times in a row from one address ---


def wrk(server, *options):
    return run("wrk", "-t1", "-c50", "-d1s", *options, server), r"Socket errors|Non-2xx", r"(\d+) requests in"


def ab(server):
    return run("ab", "-q", "-k", "-n5000", "-c50", server), r"Failed requests: +[1-9]|Non-2xx", r"Complete requests: +(\d+)"


def h2load(server):
    return run("h2load", "-n20000", "-c20", "-m16", server), r"\b[1-9]\d* (failed|errored|timeout|[345]xx)", r"(\d+) succeeded"


def run(program, *arguments):
    *options, server = arguments
    url = f"http://127.0.0.1:{server.ports[0]}/"
    done = subprocess.run([shutil.which(program), *options, url], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


PIPELINED = """init = function(args)
    all = string.rep(wrk.format(), 16)
end
request = function() return all end
"""


@pytest.mark.parametrize("tester", [wrk, "pipelined", ab, h2load], ids=lambda one: getattr(one, "__name__", one))
def test_a_load_tester_that_runs_five_times_in_a_row(mode, tester, tmp_path):
    """Each run ends by leaving what it has asked for, and the next one is no worse off."""
    script = tmp_path / "pipelined.lua"
    script.write_text(PIPELINED)
    with Server("limits.php", mode, workers=2, ports=4, env={"LIMITS": "{}"}) as server:
        for _ in range(5):
            output, wrong, count = wrk(server, "-s", str(script)) if tester == "pipelined" else tester(server)
            assert not re.search(wrong, output, re.MULTILINE), output
            assert int(re.search(count, output)[1]) > 0, output
        with Client(server) as client:
            assert client.request("/").body == b"OK"
