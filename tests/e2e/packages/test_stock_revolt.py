"""Revolt's event loop with the driver that it brings along: in a handler nobody runs it, which is said with its place."""

import concurrent.futures
import json
import os
import re
import shutil
import subprocess

import pytest

from harness import SERVERS, Server, wait_until
from http_client import get

DRIVER = "Revolt\\EventLoop\\Driver\\StreamSelectDriver"
LINES = (SERVERS / "stock_revolt.php").read_text().splitlines()


def line_with(text):
    return next(number for number, line in enumerate(LINES, 1) if text in line)


@pytest.fixture(scope="module")
def autoload(tmp_path_factory):
    if not shutil.which("composer"):
        pytest.skip("there is no composer: make deps-test installs it")
    folder = tmp_path_factory.mktemp("revolt")
    (folder / "composer.json").write_text(json.dumps({"require": {"revolt/event-loop": "^1.0"}}))
    env = os.environ | {"COMPOSER_ALLOW_SUPERUSER": "1", "COMPOSER_NO_AUDIT": "1"}
    done = subprocess.run([shutil.which("composer"), "update", "--no-interaction", "--no-progress", "--quiet"], cwd=folder, env=env,
                          check=False, capture_output=True, text=True, timeout=600)
    if done.returncode and "could not be" in done.stdout + done.stderr:
        pytest.skip(f"Packagist cannot be reached: {done.stderr[-500:]}")
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "vendor/autoload.php"


def serve(autoload, mode, **more):
    return Server("stock_revolt.php", mode, env={"AUTOLOAD": str(autoload), "REVOLT_DRIVER": DRIVER}, **more)


@pytest.mark.slow
def test_a_suspension_that_nobody_resumes_is_named_with_who_waits(autoload, mode):
    with serve(autoload, mode) as server:
        assert get(server, "/driver").text == DRIVER
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            statuses = [response.status for response in pool.map(lambda path: get(server, path), ["/one", "/several"])]
        assert statuses == [504, 504], "requestSeconds ends them"
        # The reactor answers, whether the worker has got so far or not.
        server.wait_event("cancelled", what="one")
        told = r"A coroutine waits in Fiber::suspend\(\) at \S+/DriverSuspension\.php:\d+ for longer than 5 s\. .*sluice/revolt\.\n"
        trace = rf"(.*\n)*?#\d \S+stock_revolt\.php\({line_with('return $suspension->suspend()')}\): .*\n#\d \S+stock_revolt\.php\(%d\): waited\(\)\n"
        for caller in ("waited('one')", "waited('first')"):
            wait_until(lambda: re.search(told + trace % line_with(caller), server.output()), f"the log names {caller}")
        assert get(server, "/driver").status == 200, "the worker goes on"


@pytest.mark.parametrize("path", ["/run", "/own-fiber"])
def test_a_loop_in_a_handler_is_refused_at_its_place(autoload, mode, path):
    with serve(autoload, mode) as server:
        assert get(server, path).status == 500
        place = rf"#\d \S+stock_revolt\.php\({line_with('EventLoop::run()')}\): Revolt\\EventLoop::run\(\)" if path == "/run" else r"Fiber->start\(\)"
        assert re.search(r"Can't call Revolt\S+run\(\) within a fiber \(i\.e\., outside of {main}\)", server.output())
        assert re.search(place, server.output())
        assert get(server, "/driver").status == 200


def test_without_coroutines_it_works(autoload, mode):
    with serve(autoload, mode, settings=["sluice.coroutines=0"]) as server:
        for _ in range(2):
            assert get(server, "/one").text == "one"
