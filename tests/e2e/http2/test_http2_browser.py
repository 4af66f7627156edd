"""A browser over TLS, which speaks HTTP/2 and puts its WebSockets on streams."""

import shutil
import tempfile

import pytest

from certificates import Certificates
from harness import Server, wait_until

CHROMIUM, CHROMEDRIVER = shutil.which("chromium"), shutil.which("chromedriver")

# Fetches, uploads, reads events and talks over a WebSocket; answers what it has seen.
SCRIPT = """
const done = arguments[arguments.length - 1];
(async () => {
    const seen = {};
    seen.page = performance.getEntriesByType('navigation')[0].nextHopProtocol;
    const names = [...Array(30).keys()];
    const answers = await Promise.all(names.map(name => fetch('/hello?name=' + name).then(answer => answer.text())));
    seen.all = answers.every((answer, name) => answer === 'hello ' + name);
    seen.fetch = performance.getEntriesByType('resource').every(entry => entry.nextHopProtocol === 'h2');
    const upload = await fetch('/hash', {method: 'POST', body: new Uint8Array(3000000)});
    seen.uploaded = (await upload.json()).bytes;
    seen.events = await new Promise(resolve => {
        const source = new EventSource('/events'), got = [];
        source.addEventListener('count', event => { got.push(event.data); if (got.length === 3) { source.close(); resolve(got); } });
    });
    seen.said = await new Promise(resolve => {
        const socket = new WebSocket('wss://' + location.host + '/echo-ws', ['plain']), got = [socket];
        socket.onmessage = event => {
            got.push(event.data);
            if (got.length === 2) socket.send('x'.repeat(100000));
            if (got.length === 3) { resolve([got[1], got[2].length, socket.protocol]); socket.close(); }
        };
        socket.onerror = () => resolve(['error']);
    });
    done(seen);
})().catch(error => done({error: String(error)}));
"""


@pytest.fixture
def driver():
    if not CHROMIUM or not CHROMEDRIVER:
        pytest.skip("chromium and chromedriver are not installed (Debian: chromium, chromium-driver)")
    pytest.importorskip("selenium", reason="python3-selenium is not installed")
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    profile = tempfile.mkdtemp(prefix="sluice-chromium-")
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
                 "--disable-background-networking", "--disable-component-update", "--disable-sync",
                 "--disable-dev-shm-usage", f"--user-data-dir={profile}", "--ignore-certificate-errors"):
        options.add_argument(flag)
    driver = webdriver.Chrome(service=Service(CHROMEDRIVER), options=options)
    driver.set_script_timeout(60)
    yield driver
    driver.quit()
    shutil.rmtree(profile, ignore_errors=True)


def test_a_browser(mode, driver, tmp_path):
    made = Certificates(tmp_path)
    made.make("one", "first.example", "127.0.0.1")
    with Server("http2.php", mode, ports=6, workers=2, env={"CERTIFICATES": str(tmp_path)}) as server:
        driver.get(f"https://127.0.0.1:{server.ports[3]}/hello")
        seen = driver.execute_async_script(SCRIPT)
        assert seen == {
            "page": "h2", "all": True, "fetch": True, "uploaded": 3000000, "events": ["number 0", "number 1", "number 2"],
            "said": ["open 2 /echo-ws", 100000, "plain"],
        }
        wait_until(lambda: server.events("websocket closed"), "the handler is told of the end")
