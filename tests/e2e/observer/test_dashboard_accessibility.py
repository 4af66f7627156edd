"""That people can use the dashboard: axe-core finds nothing in it, in both colour schemes and on a phone, and the keyboard reaches what acts."""

import socket

import pytest

from admin import TOKEN
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


def test_a_flame_graph_is_for_the_keyboard_and_for_readers():
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys
    with Server("profiled.php", "process", workers=1, ports=2, env={"TOKEN": TOKEN}) as server, dashboard(server.ports[1], size=PHONE, dark=True) as browser, \
            socket.create_connection(server.address) as client:

        def take():
            browser.driver.execute_script("document.getElementById('kind').value = 'coroutine'")
            browser.find("#taking").click()

        def press(key):
            ActionChains(browser.driver).send_keys(key).perform()
            return browser.driver.switch_to.active_element.get_attribute("aria-label")

        take()
        wait_until(lambda: browser.all("#profile-says")[0].startswith("There was nothing to see"), "no coroutine lives")
        client.sendall(b"GET /channel HTTP/1.1\r\nHost: x\r\n\r\n")
        server.wait_event("pops")
        take()
        wait_until(lambda: browser.all("#flame button"), "the stack of the coroutine is shown")
        pop, closure = "Sluice\\Coroutine\\Channel->pop", browser.all("#flame button")[1]
        assert browser.all("#flame button") == ["all", closure, pop] and "{closure:profiled.php:" in closure
        assert [row for row in cells(browser, "functions") if row[0] == pop] == [[pop, "100.0 %", "100.0 %"]]
        assert violations(browser) == [] and fits(browser)
        save_whole(browser, "dashboard-flame")
        browser.driver.execute_script("document.querySelector('#flame button').focus()")
        assert press(Keys.ARROW_DOWN) == f"{closure}: 100.0 %" and press(Keys.ARROW_DOWN) == f"{pop}: 100.0 %"
        assert press(Keys.ENTER) == f"{pop}: 100.0 %" and browser.all("#flame button") == [pop]
        assert press(Keys.ESCAPE) == "all: 100.0 %" and len(browser.all("#flame button")) == 3
