"""exit(), wherever it stands, ends its worker or script, and nothing else."""

import os
import re
import subprocess
from urllib.parse import quote

import pytest

from harness import CRASHES, DEADLINE_S, SERVERS, Server, php_command, wait_until
from http_client import HttpConnection, format_request, get

PLACES = re.findall(r"^        '(.*?)' =>", (SERVERS / "exit_places.php").read_text(), re.MULTILINE)
TIMERS = ["timer", "timer, after a wait"]
assert len(PLACES) > 20


@pytest.fixture(scope="module")
def exits(mode):
    with Server("exits.php", mode) as server:
        yield server


@pytest.mark.both_modes
@pytest.mark.parametrize("place", PLACES + TIMERS)
def test_exit_in_a_worker(exits, mode, place):
    begun, ended = len(exits.events("start")), len(exits.events("shutdown"))
    waited = len(exits.events("waits"))
    waiting = HttpConnection(exits.address)
    waiting.send(format_request("/wait"))
    wait_until(lambda: len(exits.events("waits")) > waited, "another request waits")
    leaving = HttpConnection(exits.address)
    leaving.send(format_request(f"/exit?place={quote(place)}"))
    wait_until(lambda: len(exits.events("start")) > begun, "the worker is replaced")
    assert len(exits.events("shutdown")) == ended + 1, "it has ended as scripts do"
    if mode == "process":
        assert leaving.read().status == 502
        assert waiting.read().status == 502
        assert leaving.request("/").text == "served"
    assert get(exits, "/").text == "served"
    assert not CRASHES.search(exits.output())


@pytest.mark.parametrize("place", PLACES)
def test_exit_in_a_script(place):
    script = f"""
        require '{SERVERS}/exit_places.php';
        register_shutdown_function(fn () => print("shutdown\\n"));
        Sluice\\Coroutine\\run(function () {{
            Sluice\\Coroutine\\spawn(function () {{ try {{ usleep(60_000_000); }} finally {{ echo "finally\\n"; }} }});
            usleep(1000);
            Sluice\\EndToEnd\\exit_places()[$GLOBALS['argv'][1]]();
        }});
        echo "not reached";
        """
    command, env = php_command()
    done = subprocess.run([*command, "-r", script, "--", place], env=os.environ | env, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=DEADLINE_S * 2, check=False)
    assert done.returncode == 7, done.stdout + done.stderr
    assert done.stdout.removeprefix("buffered").split() == ["shutdown", "finally"]
    assert not CRASHES.search(done.stderr)
