"""Processes are killed while they change what they share: nothing is lost, torn or locked for ever."""

import json
import os
import subprocess

import pytest

from harness import SERVERS, php_command

pytestmark = pytest.mark.slow

TORTURE = "SLUICE_TORTURE" in os.environ
CHANGES = 1_000_000 if TORTURE else 50_000
KILLS = 1000 if TORTURE else 60


def test_what_is_shared_survives_random_kills():
    command, env = php_command()
    done = subprocess.run([*command, SERVERS / "shared_kills.php", str(CHANGES), str(KILLS)], env=os.environ | env, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600, check=False)
    assert done.returncode == 0, done.stdout
    told = json.loads(done.stdout)
    print(told)
    assert told["statuses"] == [0] * 4, "nobody had to give up"
    # A process that dies between a change and its note leaves a change that is not noted.
    assert told["noted"] <= told["sum"] <= told["noted"] + KILLS
    assert told["noted inside"] <= told["inside"] <= told["noted inside"] + KILLS
    assert told["torn"] == 0
    assert told["held"] is False
    assert told["entries"] == told["listed"]
    assert told["used"] <= told["bytes"]
