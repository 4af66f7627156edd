"""The dashboard in a browser."""

import contextlib

from admin import TOKEN
from browser import Browser
from harness import wait_until

PHONE = (390, 844)


@contextlib.contextmanager
def dashboard(port, *, size=(1280, 1000), dark=False):
    """A window with the dashboard, whose token has been given."""
    with Browser(*size, dark=dark) as browser:
        # A window of Chromium is never as narrow as a phone.
        browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": size == PHONE})
        browser.driver.get(f"http://127.0.0.1:{port}/")
        wait_until(lambda: browser.find("#sign-in").is_displayed(), "the page asks for the token")
        browser.find("#token").send_keys(TOKEN + "\n")
        # The page is filled in one step, when it is there already.
        wait_until(lambda: browser.find("#view").is_displayed() and browser.all("#figures dd"), "the page shows the server")
        yield browser


def cells(browser, table):
    """The texts of a table's rows."""
    return browser.driver.execute_script("return [...document.getElementById(arguments[0]).rows].map(row => [...row.cells].map(cell => cell.innerText))", table)


def figure(browser, name):
    return browser.driver.execute_script("return [...document.querySelectorAll('dt')].find(term => term.innerText === arguments[0]).nextElementSibling.innerText", name)


def save_whole(browser, name):
    """A screenshot of the whole page."""
    width, height = browser.driver.execute_script("return [innerWidth, document.documentElement.scrollHeight]")
    browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width == PHONE[0]})
    browser.save_screenshot(name)
