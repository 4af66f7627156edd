"""That people can use the dashboard: axe-core finds nothing in it, in both colour schemes and on a phone, and the keyboard reaches what acts."""

import pytest

from axe import require_axe, violations
from browser import require_browser
from canary_script import canary_script, change
from dashboard import PHONE, cells, dashboard, save_whole
from harness import Server, wait_until
from http_client import get
from traffic import ADMIN, Client, traffic_server

DESKTOP = (1280, 1000)


@pytest.fixture(autouse=True)
def tools():
    require_browser()
    require_axe()


def fits(browser):
    return browser.driver.execute_script("return document.documentElement.scrollWidth <= innerWidth")


def go_back(browser):
    """To what is before in the order of the keyboard; its id."""
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys
    ActionChains(browser.driver).key_down(Keys.SHIFT).send_keys(Keys.TAB).key_up(Keys.SHIFT).perform()
    return browser.driver.switch_to.active_element.get_attribute("id")


@pytest.mark.parametrize("dark, size", [(False, DESKTOP), (True, DESKTOP), (False, PHONE), (True, PHONE)], ids=["light", "dark", "phone", "dark-phone"])
def test_nobody_is_kept_from_using_it(dark, size, request):
    with traffic_server("process") as server:
        with Client(server) as rude:
            rude.send(b"GET / HTTP/1.1\r\nHost: x\r\nX: %s\r\n\r\n" % (b"x" * (1 << 20)))
            assert rude.read().status == 431
        with dashboard(server.ports[ADMIN], size=size, dark=dark) as browser:
            assert browser.driver.execute_script("return matchMedia('(prefers-color-scheme: dark)').matches") == dark
            wait_until(lambda: browser.driver.switch_to.active_element.get_attribute("id") == "view", "a reader goes on where the page begins")
            wait_until(lambda: cells(browser, "refused") and cells(browser, "routes") and cells(browser, "pools"), "the cards are filled")
            assert violations(browser) == []
            assert fits(browser)
            assert [go_back(browser) for _ in range(2)] == ["drain", "reload"]
            save_whole(browser, f"dashboard-{request.node.callspec.id}")
            browser.driver.execute_script("sessionStorage.clear()")
            browser.driver.refresh()
            wait_until(lambda: browser.find("#sign-in").is_displayed(), "the page asks for the token")
            assert violations(browser) == []
            assert browser.driver.switch_to.active_element.get_attribute("id") == "token"


def test_nor_while_a_canary_is_tried_out(tmp_path):
    script = canary_script(tmp_path)
    with Server(script, "process", workers=1, reactors=1, ports=2) as server, dashboard(server.ports[1], size=PHONE, dark=True) as browser:
        change(script, RELEASE="two", SECONDS=600.0, SHARE=0.5)
        browser.find("#reload").click()
        browser.driver.switch_to.alert.accept()
        wait_until(lambda: browser.find("#trial").is_displayed() and get(server, "/").text == "two", "the trial is shown")
        assert violations(browser) == []
        assert fits(browser)
        save_whole(browser, "dashboard-canary")
        browser.driver.execute_script("document.documentElement.removeAttribute('lang')")
        assert [one.partition(" ")[0] for one in violations(browser)] == ["html-has-lang"]
