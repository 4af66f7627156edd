"""packages/symfony in front of real servers of databases and a browser: an application with Doctrine, security, forms and Twig, many requests at once in one worker.

The package's own tests have the rest; the application is that of the package's tests.
"""

import concurrent.futures
import os
import shutil
import subprocess
import time

import pytest

from browser import Browser, require_browser
from harness import ROOT, Server, free_ports, wait_until
from http_client import HttpConnection, format_request

APPLICATION = ROOT / "packages/symfony/tests/site"
REQUESTS = 10_000 if "SLUICE_TORTURE" in os.environ else 400
TOGETHER = 200
PHP = ROOT / "build" / os.environ.get("SLUICE_FLAVOUR", "release") / "php"


def serve(mode, tmp_path, url):
    if not shutil.which("composer"):
        pytest.skip("there is no composer: make deps-test installs it")
    installed = subprocess.run([ROOT / "tools/install-packages"], check=False, capture_output=True, text=True, timeout=600)
    if installed.returncode and "could not be" in installed.stdout + installed.stderr:
        pytest.skip(f"Packagist cannot be reached: {installed.stderr[-500:]}")
    assert installed.returncode == 0, installed.stdout + installed.stderr
    folder = tmp_path / "application"
    shutil.copytree(APPLICATION, folder)
    (folder / "vendor").symlink_to(ROOT / "build/packages/vendor")
    (folder / "var").mkdir()
    ports = free_ports(1)
    env = {"APP": str(folder), "SLUICE_ADDRESS": f"127.0.0.1:{ports[0]}", "SLUICE_MODE": mode, "KERNELS": str(TOGETHER), "DATABASE_URL": url}
    made = subprocess.run([PHP, "bin/console", "app:make-tables"], cwd=folder, env=os.environ | env, check=False, capture_output=True, text=True, timeout=120)
    assert made.returncode == 0, made.stdout + made.stderr
    return Server(ROOT / "packages/symfony/tests/site.php", mode, announces=False, ports=ports, env=env)


@pytest.fixture(params=["mariadb", "postgresql"])
def server(request, mode, tmp_path):
    database = request.getfixturevalue(request.param)
    if request.param == "mariadb":
        name = f"symfony_{mode}_{os.getpid()}"
        database.run(["mariadb", "--no-defaults", "--socket", database.socket, "-u", "sluice", "-psecret", "-e", f"CREATE OR REPLACE DATABASE {name}"])
        url = f"mysql://sluice:secret@127.0.0.1:{database.port}/{name}?serverVersion=10.11.0-MariaDB"
    else:
        name = f"symfony_{mode}_{os.getpid()}"
        for statement in (f"DROP DATABASE IF EXISTS {name}", f"CREATE DATABASE {name}"):
            subprocess.run([database.binary("psql"), "-h", "127.0.0.1", "-p", str(database.port), "-U", "postgres", "-qc", statement], check=True, capture_output=True, timeout=60)
        url = f"postgresql://postgres@127.0.0.1:{database.port}/{name}?serverVersion=15&charset=utf8"
    with serve(mode, tmp_path, url) as server:
        server.database = database
        yield server


def ask(server, target):
    with HttpConnection(server.address, timeout=60) as connection:
        return connection.request(target).text


def test_requests_do_not_see_one_another(server):
    """Each request sets a user, session, locale, time zone, settings, statics and a row in a transaction of its own, and looks five times whether they are as it has set them."""
    targets = [f"/isolation/isolated{number}{'?database=yes' if number % 2 else ''}" for number in range(REQUESTS)]
    with concurrent.futures.ThreadPoolExecutor(TOGETHER) as pool:
        for target, answer in zip(targets, pool.map(lambda target: ask(server, target), targets)):
            assert answer == "[]", (target, answer, server.output())
    # All transactions were rolled back, also those that were left open.
    assert ask(server, "/count/isolated1") == "0"


def test_clients_that_leave_in_the_midst_of_a_query(server):
    """Their handlers are cancelled where they wait. The next requests get these kernels, or others, and find nothing of it."""
    for number in range(60):
        with HttpConnection(server.address) as connection:
            connection.send(format_request(f"/isolation/left{number}?database=yes"))
            time.sleep(0.001 * (number % 30))  # at another place each time
    targets = [f"/isolation/stayed{number}?database=yes" for number in range(60)]
    with concurrent.futures.ThreadPoolExecutor(20) as pool:
        for target, answer in zip(targets, pool.map(lambda target: ask(server, target), targets)):
            assert answer == "[]", (target, answer, server.output())
    assert ask(server, "/count/left1") == "0"


def test_a_connection_that_is_lost_is_replaced(server):
    assert ask(server, "/count/anna") == "0"
    server.database.kill()
    server.database.restart()
    wait_until(lambda: ask(server, "/count/anna") == "0", "a request is answered that finds its connection closed", 10)


def test_a_browser_logs_in_and_fills_in_a_form(server):
    require_browser()
    with Browser() as browser:
        def submit(fields):
            for name, value in fields.items():
                browser.find(f"[name='{name}']").send_keys(value)
            browser.find("button").click()

        browser.driver.get(f"http://{server.address[0]}:{server.address[1]}/notes")
        assert browser.driver.current_url.endswith("/login"), server.output()
        submit({"_username": "anna", "_password": "wrong"})
        wait_until(lambda: browser.all("#error") == ["Invalid credentials."], "the password is refused", 10)
        browser.find("[name='_username']").clear()
        submit({"_username": "anna", "_password": "secret of anna"})
        wait_until(lambda: browser.all("#who") == ["anna"], "anna is logged in", 10)
        submit({"note[text]": "Größe < 3", "note[upload]": str(ROOT / "LICENSE")})
        wait_until(lambda: browser.all(".notice") == ["The note is kept."], "the note is kept", 10)
        assert browser.all("li") == [f"anna: Größe < 3 (LICENSE of {(ROOT / 'LICENSE').stat().st_size})"]
        browser.find("a").click()
        wait_until(lambda: not browser.all("#who") or browser.all("#who") == ["nobody"], "anna is logged out", 10)
        browser.assert_no_errors(allowed=["404", "favicon"])
