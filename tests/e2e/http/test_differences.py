"""What docs/guides/scripts.md says of the differences from php-fpm is so, line by line."""

import re
from pathlib import Path

import pytest

import test_classic
import test_fatal_errors
import test_output_buffers
import test_request_bodies
from harness import Server, wait_until
from http_client import HttpConnection, format_request, get
from php_fpm import NoFpm, PhpFpm

GUIDE = Path(__file__).parents[3] / "docs/guides/scripts.md"
PAGE = Path(__file__).parent.parent / "servers/scripts/page.php"


def lists():
    section = GUIDE.read_text().split("## What differs from php-fpm\n", 1)[1]
    return {name: re.findall("^- (.*)$", lines, re.M) for name, lines in re.findall(r"^(In [^:\n]*):\n\n((?:- .*\n)+)", section + "\n", re.M)}


@pytest.fixture(scope="module")
def fpm():
    try:
        with PhpFpm(PAGE, ["output_buffering=0", "expose_php=1"]) as started:
            yield lambda case: started.get(f"case={case}")
    except NoFpm as reason:
        pytest.skip(str(reason))


@pytest.fixture(scope="module")
def worker(mode):
    with Server("script_processes.php", mode, env={"IN_WORKERS": "1"}) as server:
        yield lambda case: get(server, f"/page.php?case={case}")


@pytest.fixture(scope="module")
def process(mode):
    with Server("script_processes.php", mode) as server:
        yield lambda case: get(server, f"/page.php?case={case}")


def differ(here, there):
    assert here != there
    return True


@pytest.mark.parametrize("place, goes_on", [({"IN_WORKERS": "1"}, False), ({}, True)], ids=["worker", "process"])
def test_a_script_whose_client_leaves(mode, place, goes_on):
    with Server("script_processes.php", mode, env=place) as server:
        connection = HttpConnection(server.address)
        connection.send(format_request("/page.php?case=leaves&ignore=1"))
        server.wait_event("begins")
        connection.close()
        if goes_on:
            server.wait_event("goes-on")
        else:
            assert server.wait_event("left")["aborted"] == 1
            assert get(server, "/page.php").status == 200 and not server.events("goes-on")


# For each line, by how it begins: what is asked for here, at php-fpm; or the test that holds it.
IN_A_WORKER = {
    "`PHP_SAPI`": lambda here, fpm: (here("before").json()[5], fpm("before").json()[5]) == ("cli", "fpm-fcgi"),
    "`filter_input()`": lambda here, fpm: (here("input").json()[0], fpm("input").json()[0]) == (None, "input"),
    "`getallheaders()`": lambda here, fpm: (here("limits").json()[2], fpm("limits").json()[2]) == (False, True),
    "Up to 64 KiB": lambda here, fpm: (here("late").header("X-Late"), fpm("late").header("X-Late")) == ("yes", None),
    "What was printed": lambda here, fpm: "half" not in here("half").text and "half" in fpm("half").text,
    "After a fatal error": test_fatal_errors.test_others_are_finished,
    "Objects that": lambda here, fpm: differ(here("buffer").text, fpm("buffer").text),
    "An exception of a callback": test_output_buffers.test_what_is_not_as_in_php_fpm,
    "`exit()` in a coroutine": test_classic.test_exit_in_a_coroutine_ends_that_alone,
    "`set_time_limit()`": lambda here, fpm: (here("limits").json()[0], fpm("limits").json()[0]) == ("0", "7"),
    "When the client leaves": test_a_script_whose_client_leaves,
}
IN_PROCESSES = {
    "The current folder": lambda here, fpm: (here("shut-down").text, fpm("shut-down").text) == ("here", "elsewhere"),
    "`max_input_time`": lambda here, fpm: here("limits").json()[1] == "-1",
}
IN_BOTH = {
    "A status": lambda here, fpm: (here("status&s=600").status, fpm("status&s=600").status) == (500, 600),
    "`Content-Length`": lambda here, fpm: (here("length").header("Content-Length"), fpm("length").header("Content-Length")) == ("5", "3"),
    "There is no `X-Powered-By`": lambda here, fpm: here("pid").header("X-Powered-By") is None and fpm("pid").header("X-Powered-By") is not None,
    "`SERVER_SOFTWARE`": lambda here, fpm: here("software").text.startswith("Sluice/") and not fpm("software").text.startswith("Sluice/"),
    "A body is bounded": test_request_bodies,
}


@pytest.mark.parametrize("name, checks", [("In a worker", IN_A_WORKER), ("In processes that start afresh", IN_PROCESSES), ("In both", IN_BOTH)])
def test_each_line_has_its_check(name, checks):
    said = lists()[name]
    for line in said:
        assert [begin for begin in checks if line.startswith(begin)], line
    for begin in checks:
        assert [line for line in said if line.startswith(begin)], begin


def checks_of(lists_of_checks):
    return [pytest.param(check, id=begin) for checks in lists_of_checks for begin, check in checks.items() if getattr(check, "__name__", "") == "<lambda>"]


@pytest.mark.parametrize("check", checks_of([IN_A_WORKER, IN_BOTH]))
def test_in_a_worker(worker, fpm, check):
    assert check(worker, fpm)


@pytest.mark.parametrize("check", checks_of([IN_PROCESSES, IN_BOTH]))
def test_in_processes(process, fpm, check):
    assert check(process, fpm)
