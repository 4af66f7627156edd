"""Debian's adminer, a script that nobody has written for Sluice, works in a browser, with a process for each request."""

import os

import pytest

from browser import Browser, require_browser
from harness import Server, wait_until


def test_a_table_is_made_filled_and_read_in_a_browser(mode, mariadb):
    require_browser()
    if not os.path.exists("/etc/adminer/conf.php"):
        pytest.skip("adminer is not installed (Debian: adminer)")
    table = f"fruit_{mode}"
    with Server("adminer.php", mode, settings=[f"mysqli.default_socket={mariadb.socket}"]) as server, Browser() as browser:
        def page():
            return browser.driver.execute_script("return document.body ? document.body.innerText : ''")

        def run_sql(sql):
            browser.driver.execute_script("""
                const area = document.querySelector('textarea[name=query]');
                area.value = arguments[0];
                (document.querySelector('pre.sqlarea') || {}).textContent = arguments[0];
                document.querySelector('#form').submit();""", sql)

        browser.driver.get(server.url + "/")
        for name, value in [("server", f"127.0.0.1:{mariadb.port}"), ("username", "sluice"), ("password", "secret"), ("db", "test")]:
            field = browser.find(f"[name='auth[{name}]']")
            field.clear()
            field.send_keys(value)
        browser.find("input[type=submit]").click()
        wait_until(lambda: "Database: test" in page(), "adminer shows the database")
        here = browser.driver.current_url
        browser.driver.get(f"{here}&sql=CREATE TABLE {table} (name varchar(20), count int); INSERT INTO {table} VALUES ('apple', 3), ('pear', 5)")
        browser.find("#form input[type=submit]").click()
        wait_until(lambda: "2 rows affected" in page(), "the statements were executed")
        browser.driver.get(f"{here}&select={table}")
        wait_until(lambda: "apple" in page() and "pear" in page(), "the rows are shown")
        browser.driver.get(f"{here}&select={table}")
        assert "Select:" in page()
        browser.save_screenshot(f"adminer-{mode}")
        browser.assert_no_errors(allowed=["favicon", "adminer.org", "jush.autocompleteSql"])
        assert "error" not in server.output().split("ready")[-1].lower(), server.output()
