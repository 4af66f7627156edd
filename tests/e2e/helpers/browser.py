"""A window of headless Chromium, with a profile of its own."""

import shutil
import tempfile

import pytest

from harness import ROOT

CHROMIUM, CHROMEDRIVER = shutil.which("chromium"), shutil.which("chromedriver")
SCREENSHOTS = ROOT / "build" / "screenshots"


def require_browser():
    if not CHROMIUM or not CHROMEDRIVER:
        pytest.skip("chromium and chromedriver are not installed (Debian: chromium, chromium-driver)")
    pytest.importorskip("selenium", reason="python3-selenium is not installed")


class Browser:
    def __init__(self, width=1000, height=700, dark=False, flags=()):
        from selenium import webdriver
        from selenium.webdriver.chrome.service import Service
        self.profile = tempfile.mkdtemp(prefix="sluice-chromium-")
        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM
        for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
                     "--disable-background-networking", "--disable-component-update", "--disable-sync",
                     "--disable-dev-shm-usage", f"--user-data-dir={self.profile}", f"--window-size={width},{height}", *flags):
            options.add_argument(flag)
        if dark:
            options.add_argument("--blink-settings=preferredColorScheme=0")
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(service=Service(CHROMEDRIVER), options=options)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.driver.quit()
        shutil.rmtree(self.profile, ignore_errors=True)

    def find(self, selector):
        return self.driver.find_element("css selector", selector)

    def all(self, selector):
        # In one step: between two, the page may have replaced the elements.
        script = "return [...document.querySelectorAll(arguments[0])].map(element => element.innerText)"
        return self.driver.execute_script(script, selector)

    def save_screenshot(self, name):
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        self.driver.save_screenshot(str(SCREENSHOTS / f"{name}.png"))

    def assert_no_errors(self, allowed=()):
        errors = [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"]
        assert all(any(text in error for text in allowed) for error in errors), errors
