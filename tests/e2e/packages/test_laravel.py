"""packages/laravel in front of real servers of databases: many requests at once in one worker, whose transactions, sessions and state are their own.

The package's own tests have the rest; the application is that of the package's tests.
"""

import concurrent.futures
import os
import shutil
import subprocess

import pytest

from browser import Browser, require_browser
from harness import ROOT, Server, free_ports, wait_until
from http_client import HttpConnection

APPLICATION = ROOT / "packages/laravel/tests/app"
# So many at once, in one worker.
REQUESTS, TOGETHER = (10_000, 200) if "SLUICE_TORTURE" in os.environ else (200, 100)


@pytest.fixture
def server(mode, mariadb, redis, tmp_path):
    if not shutil.which("composer"):
        pytest.skip("there is no composer: make deps-test installs it")
    installed = subprocess.run([ROOT / "tools/install-packages"], check=False, capture_output=True, text=True, timeout=600)
    if installed.returncode and "could not be" in installed.stdout + installed.stderr:
        pytest.skip(f"Packagist cannot be reached: {installed.stderr[-500:]}")
    assert installed.returncode == 0, installed.stdout + installed.stderr
    folder = tmp_path / "application"
    shutil.copytree(APPLICATION, folder)
    (folder / "vendor").symlink_to(ROOT / "build/packages/vendor")
    for name in ("bootstrap/cache", "storage/framework/views", "storage/framework/cache/data", "storage/logs"):
        (folder / name).mkdir(parents=True)
    ports = free_ports(1)
    env = {
        "APP": str(folder), "ADDRESS": f"127.0.0.1:{ports[0]}", "APPLICATIONS": str(TOGETHER), "SESSION_DRIVER": "redis", "REDIS_CLIENT": "phpredis", "REDIS_HOST": "127.0.0.1",
        "REDIS_PORT": str(redis.port), "DB_CONNECTION": "mariadb", "DB_HOST": "127.0.0.1", "DB_PORT": str(mariadb.port), "DB_DATABASE": "test", "DB_USERNAME": "sluice",
        "DB_PASSWORD": "secret", "QUEUE": "yes", "QUEUE_CONNECTION": "redis", "QUEUE_FAILED_DRIVER": "null",
    }
    with Server(ROOT / "packages/laravel/tests/server.php", mode, announces=False, ports=ports, env=env) as server:
        assert ask(server, "/migrate") == "done", server.output()
        server.application = folder
        yield server


def ask(server, target):
    with HttpConnection(server.address, timeout=60) as connection:
        return connection.request(target).text


def test_requests_do_not_see_one_another(server):
    """Each request sets a user, session, locale, configuration, time zone, statics and a row in a transaction of its own, and looks five times whether they are as it has set them."""
    targets = [f"/isolation{'-of-session' if number % 3 == 0 else ''}/isolated{number}{'?database=yes' if number % 2 else ''}" for number in range(REQUESTS)]
    with concurrent.futures.ThreadPoolExecutor(TOGETHER) as pool:
        for target, answer in zip(targets, pool.map(lambda target: ask(server, target), targets)):
            assert answer == "[]", (target, answer, server.output())
    # All transactions were rolled back, also those that were left open.
    assert ask(server, "/count/isolated1") == "0"


def test_a_browser_logs_in_and_fills_in_a_form(server):
    require_browser()
    with Browser() as browser:
        def submit(fields):
            for name, value in fields.items():
                browser.find(f"[name='{name}']").send_keys(value)
            browser.find("button").click()

        browser.driver.get(f"http://{server.address[0]}:{server.address[1]}/notes")
        assert browser.driver.current_url.endswith("/sign-in"), server.output()
        submit({"name": "anna", "password": "wrong"})
        wait_until(lambda: browser.all("#error") == ["Nobody has this name and password."], "the password is refused", 10)
        assert browser.find("[name='name']").get_attribute("value") == "anna"
        submit({"password": "secret of anna"})
        wait_until(lambda: browser.all("#who") == ["anna"], "anna is logged in", 10)
        assert browser.driver.current_url.endswith("/notes"), "where she wanted to go"
        submit({"text": "longer than twenty characters", "upload": str(ROOT / "LICENSE")})
        wait_until(lambda: browser.all("#error"), "the text is refused", 10)
        browser.find("[name='text']").clear()
        submit({"text": "Größe < 3", "upload": str(ROOT / "LICENSE")})
        wait_until(lambda: browser.all(".notice") == ["The note is kept."], "the note is kept", 10)
        assert browser.all("li") == [f"Größe < 3 (LICENSE of {(ROOT / 'LICENSE').stat().st_size})"]
        assert not browser.all("#error")
        browser.find("#out").click()
        wait_until(lambda: browser.driver.current_url.endswith("/sign-in"), "anna is logged out", 10)
        browser.driver.get(f"http://{server.address[0]}:{server.address[1]}/notes")
        assert browser.driver.current_url.endswith("/sign-in"), "and stays so"
        browser.assert_no_errors(allowed=["favicon"])


def test_a_form_without_its_token_is_refused(server):
    with HttpConnection(server.address, timeout=60) as connection:
        assert connection.request("/sign-in", method="POST", body=b"name=anna&password=secret+of+anna",
                                  headers=[("Content-Type", "application/x-www-form-urlencoded")]).status == 419


def test_a_connection_that_is_lost_is_replaced(server, mariadb):
    assert ask(server, "/count/anna") == "1"
    mariadb.kill()
    mariadb.restart()
    assert ask(server, "/count/anna") == "1", server.output()


def test_jobs_have_applications_of_their_own(server):
    """Twenty tasks that set globals and wait meet in two processes; one throws, one does not come to its end."""
    names = [f"job{number}" for number in range(20)]
    for name in [*names, "fails", "hangs"]:
        assert ask(server, f"/dispatch/{name}") == "dispatched"
    done = server.application / "storage/jobs"
    wait_until(lambda: done.exists() and len(done.read_text().splitlines()) >= 22, "all jobs are done", 30)
    expected = ["fails failed", "hangs failed", *(f"nobody Laravel 2 {name} {name}" for name in names)]
    assert sorted(done.read_text().splitlines()) == sorted(expected), server.output()
