"""docs/guides/frameworks.md: the glue for Laravel, as it stands there, in front of a small application. The packages have tests of their own.

Laravel comes from Packagist, once, into build/guides. What it requires and nothing here uses is replaced by nothing, so that little is
fetched.
"""

import concurrent.futures
import fcntl
import hashlib
import json
import os
import re
import shutil
import subprocess

import pytest

from harness import ROOT, Server, free_ports
from http_client import HttpConnection

PAGE = (ROOT / "docs/guides/frameworks.md").read_text()
FRAGMENTS = re.findall(r"^```php\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
APPLICATION = ROOT / "tests/e2e/guides/laravel"
REQUIRED = {
    "require": {"laravel/framework": "^12.0"},
    "replace": {
        "fruitcake/php-cors": "1.3.0", "league/commonmark": "2.8.1", "league/config": "1.2.0", "symfony/clock": "7.3.0", "symfony/polyfill-php85": "1.34.0",
    },
    "autoload": {"psr-4": {"Sluice\\Symfony\\": "../../../packages/symfony/src/"}},
    "config": {"lock": False},
}


def fragment(text):
    found = [part for part in FRAGMENTS if text in part]
    assert len(found) == 1, f"{len(found)} parts of the page have {text!r}"
    return found[0]


def installed():
    """Its folder with vendor/, made when what is required has changed."""
    composer = shutil.which("composer")
    if not composer:
        pytest.skip("there is no composer: make deps-test installs it")
    wanted = json.dumps(REQUIRED)
    folder = ROOT / "build/guides/laravel"
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        stamp = folder / "installed"
        digest = hashlib.sha256(wanted.encode()).hexdigest()
        if not stamp.exists() or stamp.read_text() != digest:
            (folder / "composer.json").write_text(wanted)
            done = subprocess.run([composer, "update", "--no-interaction", "--no-progress", "--no-plugins", "--no-scripts", "--quiet"], cwd=folder, check=False,
                                  env=os.environ | {"COMPOSER_ALLOW_SUPERUSER": "1", "COMPOSER_NO_AUDIT": "1"}, capture_output=True, text=True, timeout=300)
            if done.returncode and re.search(r"curl error|could not be downloaded|Could not resolve host|timed out", done.stderr + done.stdout):
                pytest.skip(f"Packagist cannot be reached: {done.stderr[:500]}")
            assert done.returncode == 0, done.stdout + done.stderr
            stamp.write_text(digest)
    return folder


@pytest.fixture
def server(mode, tmp_path):
    shutil.copytree(APPLICATION, tmp_path, dirs_exist_ok=True)
    (tmp_path / "vendor").symlink_to(installed() / "vendor")
    (tmp_path / "LaravelKernel.php").write_text("<?php\n" + fragment("final class LaravelKernel "))
    port = free_ports(1)
    start = fragment("require 'bootstrap/app.php'").replace("8080", str(port[0]))
    (tmp_path / "server.php").write_text(f"""<?php
require 'vendor/autoload.php';
require 'LaravelKernel.php';
$server = new Sluice\\Server(Sluice\\Mode::from('{mode}'), workers: 2);
{start}
$server->run();
""")
    with Server(tmp_path / "server.php", mode, announces=False, ports=port, cwd=tmp_path) as server:
        yield server


def ask(server, target, **more):
    with HttpConnection(server.address, timeout=30) as connection:
        return connection.request(target, **more)


def test_a_framework_answers(server):
    response = ask(server, "/hello/World?greeting=Good%20day", headers={"Cookie": "a=b%20c"})
    assert (response.status, response.text) == (200, "Good day World, b c"), server.output()
    assert response.header("x-framework") == "laravel"
    assert len(response.all("set-cookie")) == 2
    assert ask(server, "/none").status == 404
    failed = ask(server, "/throws")
    assert failed.status == 500 and "secret" not in failed.text
    # The worker goes on.
    assert ask(server, "/hello/again").text.startswith("Hello again")


def test_forms_and_uploads(server):
    body = (b'--x\r\nContent-Disposition: form-data; name="title"\r\n\r\na title\r\n'
            b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\n' + b"y" * 100_000 + b"\r\n--x--\r\n")
    response = ask(server, "/upload", method="POST", headers={"Content-Type": "multipart/form-data; boundary=x"}, body=body)
    assert response.json() == {"title": "a title", "name": "a.txt", "bytes": 100_000}
    response = ask(server, "/json", method="PUT", headers={"Content-Type": "application/json"}, body=b'{"a":[1,2]}')
    assert response.json() == {"a": [1, 2]}


def test_files_and_streams(server):
    whole = ask(server, "/file").body
    assert whole, server.output()
    assert whole == (APPLICATION / "file.txt").read_bytes(), server.output()
    part = ask(server, "/file", headers={"Range": "bytes=2-5"})
    assert (part.status, part.body) == (206, whole[2:6])
    assert ask(server, "/stream").text == "".join(f"piece {number}\n" for number in range(5))


def test_requests_do_not_mix(server):
    """Each waits in its middle; what it finds then is its own."""
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        names = [f"n{number}" for number in range(24)]
        answers = list(pool.map(lambda name: ask(server, f"/waits?name={name}").text, names))
    assert answers == names
