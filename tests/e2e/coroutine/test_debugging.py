"""Xdebug stops and steps in handlers that suspend, and pcov counts their lines."""

import concurrent.futures
import re
import subprocess
import threading
from pathlib import Path

import pytest

from dbgp import Debugger
from harness import SERVERS, Server
from http_client import get

SCRIPT = SERVERS / "debugged.php"
LINES = {match[1]: number for number, line in enumerate(SCRIPT.read_text().splitlines(), 1)
         if (match := re.search(r"; // (.+)$", line))}


def require(extension):
    folder = subprocess.run(["php-config", "--extension-dir"], capture_output=True, text=True, check=True).stdout.strip()
    if not (Path(folder) / f"{extension}.so").exists():
        pytest.skip(f"{extension} is not installed (Debian: php-{extension})")


def step_through(session, place):
    """From the breakpoint to the end of the handler."""
    assert place == ("handle", LINES["breakpoint"])
    assert session.value("$who") == "you"
    session.set("$who", "debugger")
    assert session.go("step_into") == ("greet", LINES["in greet"])
    assert session.value("$name") == "debugger"
    assert session.go("step_over") == ("greet", LINES["before greet returns"])
    assert session.value("$text") == "hello debugger"
    assert session.go("step_out") in (("handle", LINES["breakpoint"]), ("handle", LINES["after greet"]))
    place = session.go("step_over")
    while place == ("handle", LINES["after greet"]):
        # It suspends within this step, and the loop goes round.
        place = session.go("step_over")
    assert place == ("handle", LINES["after the wait"])
    assert session.value("$greeting") == "hello debugger"


def test_breakpoint_in_a_handler(mode):
    require("xdebug")
    with Debugger(SCRIPT, LINES["breakpoint"]) as debugger, concurrent.futures.ThreadPoolExecutor(1) as pool:
        with Server("debugged.php", mode, settings=debugger.settings) as server:
            for _ in range(2):
                answer = pool.submit(get, server, "/handle?name=you")
                session, place = debugger.wait()
                step_through(session, place)
                # The next request finds the breakpoint again.
                threading.Thread(target=debugger.resume, args=(session,), daemon=True).start()
                assert answer.result().text == "hello debugger"


def test_lines_behind_a_wait_are_covered(mode):
    require("pcov")
    settings = ["extension=pcov", "pcov.enabled=1", f"pcov.directory={SERVERS}"]
    with Server("debugged.php", mode, settings=settings) as server:
        hit = {int(line): count for line, count in get(server, "/measure?name=you").json().items()}
        for name in ("before", "covered", "in a callback", "after the wait in a callback"):
            assert hit[LINES[name]] == 1, name
        assert hit[LINES["not covered"]] == -1
        assert hit[LINES["after the wait"]] == -1
