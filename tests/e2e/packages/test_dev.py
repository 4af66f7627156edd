"""`vendor/bin/sluice serve --dev` in front of a browser: pages that refresh themselves when files change, and pages of errors."""

import concurrent.futures
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from browser import Browser, require_browser
from dbgp import Debugger
from harness import ROOT, Server, free_ports, wait_until
from http_client import get

HANDLER = """<?php

use Sluice\\Http\\{Request, Response};

function price(string $item): int
{
    return ['tea' => 3, 'milk' => 2][$item] ?? throw new OutOfBoundsException("There is no price for <$item>");
}

return function (Request $request, Response $response): void {
    match ($request->path()) {
        '/fatal' => eval('function twice() {} function twice() {}'),
        '/price' => $response->html('<body>' . price($request->query('item')) . '</body>'),
        default => $response->html('<!DOCTYPE html><html><head><link rel="stylesheet" href="/style.css"></head><body><h1>Shop</h1></body></html>'),
    };
};
"""


@pytest.fixture
def project(tmp_path):
    folder = tmp_path / "shop"
    (folder / "public").mkdir(parents=True)
    (folder / "handler.php").write_text(HANDLER)
    (folder / "public/style.css").write_text("h1 { color: rgb(0, 128, 0); }")
    return folder


def serve(mode, project, *more):
    if not shutil.which("composer"):
        pytest.skip("there is no composer: make deps-test installs it")
    installed = subprocess.run([ROOT / "tools/install-packages"], check=False, capture_output=True, text=True, timeout=600)
    if installed.returncode and "could not be" in installed.stdout + installed.stderr:
        pytest.skip(f"Packagist cannot be reached: {installed.stderr[-500:]}")
    assert installed.returncode == 0, installed.stdout + installed.stderr
    ports = free_ports(1)
    settings = [*more, f"auto_prepend_file={ROOT / 'packages/app/tests/autoload.php'}"]
    arguments = ["serve", "--dev", f"--mode={mode}", f"--address=127.0.0.1:{ports[0]}", "--workers=2"]
    return Server(ROOT / "packages/app/bin/sluice", mode, announces=False, ports=ports, settings=settings, arguments=arguments, cwd=project)


@pytest.fixture
def server(mode, project):
    with serve(mode, project) as server:
        yield server


def url(server, path):
    return f"http://127.0.0.1:{server.ports[0]}{path}"


def heading(browser):
    return (browser.all("h1") or [""])[0]


def test_a_browser_follows_changes(server, project, mode):
    require_browser()
    handler = project / "handler.php"
    with Browser() as browser:
        browser.driver.get(url(server, "/"))
        assert heading(browser) == "Shop"
        handler.write_text(HANDLER.replace("<h1>Shop", "<h1>New shop"))
        wait_until(lambda: heading(browser) == "New shop", "the page shows the new code", 20)
        # Files that are sent as they are count, too.
        (project / "public/style.css").write_text("h1 { color: rgb(200, 0, 0); }")
        colour = "return getComputedStyle(document.querySelector('h1')).color"
        wait_until(lambda: browser.driver.execute_script(colour) == "rgb(200, 0, 0)", "the page shows the new style", 20)
        browser.save_screenshot(f"dev-refreshed-{mode}")
        handler.write_text(HANDLER.replace("return function", "return funktion"))
        wait_until(lambda: "ParseError" in browser.driver.page_source, "the page shows the error", 20)
        browser.save_screenshot(f"dev-does-not-boot-{mode}")
        handler.write_text(HANDLER.replace("<h1>Shop", "<h1>Mended"))
        wait_until(lambda: heading(browser) == "Mended", "the page shows the mended code", 20)


@pytest.mark.both_modes
def test_errors_are_pages(server, project, mode):
    require_browser()
    with Browser(height=900) as browser:
        browser.driver.get(url(server, "/price?item=salt"))
        assert heading(browser) == "There is no price for <salt>"
        assert "handler.php" in browser.driver.page_source and "'tea' =&gt; 3" not in browser.find("h1").text
        browser.save_screenshot(f"dev-error-{mode}")
        (project / "handler.php").write_text(HANDLER.replace("'milk' => 2", "'milk' => 2, 'salt' => 1"))
        wait_until(lambda: browser.all("body") == ["1"], "the page is there", 20)
        if mode == "process":
            browser.driver.get(url(server, "/fatal"))
            wait_until(lambda: re.match(r"Cannot redeclare (function )?twice\(\)", heading(browser)), "the page of the fatal error is there", 20)
            browser.save_screenshot("dev-fatal")
            (project / "handler.php").write_text(HANDLER.replace("'/fatal' =>", "'/fatally' =>"))
            wait_until(lambda: heading(browser) == "Shop", "the page is there again", 20)


def test_a_debugger_stops_in_handlers(mode, project):
    folder = subprocess.run(["php-config", "--extension-dir"], capture_output=True, text=True, check=True).stdout.strip()
    if not (Path(folder) / "xdebug.so").exists():
        pytest.skip("xdebug is not installed (Debian: php-xdebug)")
    handler = project / "handler.php"
    line = next(number for number, text in enumerate(HANDLER.splitlines(), 1) if "return ['tea'" in text)
    with Debugger(handler, line) as debugger, concurrent.futures.ThreadPoolExecutor(1) as pool, serve(mode, project, *debugger.settings) as server:
        for boot in ("first", "second"):
            answer = pool.submit(get, server, "/price?item=tea")
            session, place = debugger.wait()
            assert place == ("price", line)
            session.set("$item", "milk")
            pool2 = concurrent.futures.ThreadPoolExecutor(1)
            pool2.submit(debugger.resume, session)
            assert answer.result().text.startswith("<body>2<script"), boot
            # A process of the next boot connects anew, with the settings of the command line.
            handler.write_text(HANDLER.replace("<h1>Shop", "<h1>New"))
            wait_until(lambda: "<h1>New" in get(server, "/").text, "the new code serves", 20)
